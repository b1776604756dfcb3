"""Rolling summaries as background work: which messages of a running conversation are summed up next, and
what is carried into it from the ones before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Final

from pydantic import BaseModel, Field

from bot.core.clock import backoff
from bot.core.domain import MAX_ID, OPEN, Message, MessageKind
from bot.db import jobs
from bot.db.jobs import Job
from bot.db.pool import Connection
from bot.llm import framing
from bot.llm.framing import LocalIds, estimated_tokens, mentioned_in, shortened
from bot.llm.operation import Operation, Outcome, Role
from bot.memory.derived.engine import (
    MemoryDependencies,
    OperationMaker,
    Sources,
    TalkInput,
    epoch_of,
    leading,
    words_of,
)
from bot.memory.derived.grounding import Said
from bot.memory.messages import conversations
from bot.memory.messages import repository as messages_repository
from bot.memory.messages.conversations import Boundaries, CurrentConversation
from bot.memory.messages.repository import ConversationMessage
from bot.memory.summaries import repository, repository_episodes
from bot.memory.summaries.extractive import SUMMARY_CHARACTERS, extract_conversation
from bot.memory.summaries.repository import ROLLING_JOB, RollingSummary
from bot.text.sensitive import without_sensitive

LONGEST_SUMMARY: Final = 2_000
"""Characters; a model that writes more has not summed up."""

PROMPT_TOKENS: Final = 8_000
"""Estimated tokens of messages in one prompt: a free-tier model takes 15,000 a minute, all told."""

_MESSAGE_CHARACTERS: Final = (1_200, 600, 300, 150, 75)
"""How much of one message is shown: the longest with which all messages fit into the prompt."""

_HEAD_TOKENS: Final = 3
"""What stands before a message on its line: author and time."""


@dataclass(frozen=True, kw_only=True)
class RollingInput(TalkInput):
    """What the operation is given: a summary, and the messages that are to be folded into it."""

    previous: str
    """The summary to go on from, members as `<@id>`; empty where the messages begin the conversation."""
    kept: str = ""
    """The summary as it stands: what no model can better is told on from it."""
    kept_up_to: int = 0
    """The newest message that it tells of."""

    @cached_property
    def users(self) -> LocalIds:
        """The short ids: of those who speak, then of members who are mentioned."""
        first = [*(message.user_id for message in self.messages), *mentioned_in(self.previous)]
        return LocalIds("u", [*first, *self.mentioned(message.text for message in self.messages)])

    @property
    def told_before(self) -> Sequence[Said]:
        """The summary to go on from."""
        return [Said(self.previous)]

    @property
    def wrote(self) -> Sequence[str]:
        """The summary and the messages."""
        return [self.previous, *self.words]

    @cached_property
    def words(self) -> Sequence[str]:
        """What each message says, as much of it as leaves room for all."""
        for characters in _MESSAGE_CHARACTERS:
            words = [words_of(message, most=characters) for message in self.messages]
            if leading((_HEAD_TOKENS + estimated_tokens(one) for one in words), PROMPT_TOKENS) == len(words):
                break
        return words


class RolledText(BaseModel):
    """What a conversation said so far."""

    text: str = Field(description="the summary of the conversation so far")


def summary_of(given: RollingInput, rolled: RolledText) -> str:
    """Return the summary with members as `<@id>`, without sensitive matters; it may be empty then.

    Raises `ValueError` for members that were not offered.
    """
    return without_sensitive(given.with_ids(rolled.text.strip()))


def _frame(given: RollingInput) -> Mapping[str, object]:
    kinds: dict[int, MessageKind | None] = {message.user_id: message.kind for message in given.messages}
    kinds |= dict.fromkeys((one for one in mentioned_in(given.previous) if one not in kinds), None)
    return {
        "time": framing.tag("time", given.at(given.messages[0], "%A, %Y-%m-%d")) if given.messages else "",
        "members": given.member_tags(kinds),
        "so_far": framing.tag("so_far", shortened(given.previous, given.users)) if given.previous else "",
        "messages": given.talk(list(zip(given.messages, given.words, strict=True))),
        "characters": SUMMARY_CHARACTERS,
    }


def _mend(given: RollingInput, answer: RolledText) -> RolledText:
    return RolledText(text=given.fitting(answer.text, longest=LONGEST_SUMMARY))


def _check(given: RollingInput, answer: RolledText) -> None:
    given.check(answer.text, longest=LONGEST_SUMMARY)


def _fallback(given: RollingInput) -> RolledText:
    """Go on from the summary as it stands with the sentences that tell most."""
    new = [message for message in given.messages if message.message_id > given.kept_up_to]
    return RolledText(text=extract_conversation(given.kept, new))


ROLL_CONVERSATION: Final[Operation[RollingInput, RolledText]] = Operation(
    name="roll_summary",
    role=Role.MEMORY,
    answer=RolledText,
    frame=_frame,
    mend=_mend,
    check=_check,
    fallback=_fallback,
    deadline_seconds=60.0,
)


LEAST_MESSAGES: Final = 20
"""Messages that are never only in the summary: what is being talked about stands there word for word."""

MOST_MESSAGES: Final = 120
"""Messages that a window holds at most."""

REFUSED: Final = 1_000
"""Failures that stand for a refusal: the same is not asked for again."""


@dataclass(frozen=True)
class RollingConversation:
    """A conversation, and the audiences of what may be read of it."""

    running: CurrentConversation
    audiences: Sequence[int]

    @cached_property
    def summary(self) -> RollingSummary | None:
        """What is kept in short of this conversation, if it may be read here and nothing is missing in it."""
        kept = self.running.summary
        if kept is None or not kept.conversation_id <= self.running.conversation_id <= kept.covers_up_to:
            return None
        if kept.audience not in self.audiences or kept.covered != self.said_up_to(kept.covers_up_to):
            return None
        # A channel that was opened for a while: what was said before and after in its own audience is missing.
        told = (OPEN, kept.audience)
        if any(one.audience not in told for one in self.readable if one.message_id <= kept.covers_up_to):
            return None
        return kept

    @property
    def covers_up_to(self) -> int:
        """The newest message that the summary tells of; 0 without a summary."""
        return self.summary.covers_up_to if self.summary else 0

    @cached_property
    def readable(self) -> Sequence[ConversationMessage]:
        """The messages of the conversation that may be read here, oldest first."""
        return self._readable(self.running.said)

    @cached_property
    def open(self) -> Sequence[ConversationMessage]:
        """Those that the summary does not tell of."""
        return [one for one in self.readable if one.message_id > self.covers_up_to]

    @property
    def before(self) -> Sequence[ConversationMessage]:
        """The messages of the channel before the conversation that may be read here, as far as they are known."""
        return self._readable(self.running.before)

    def said_up_to(self, message_id: int) -> int:
        """Count what is kept of the conversation up to a message, withheld ones too."""
        return sum(1 for one in self.running.said if one.message_id <= message_id)

    def to_fold(self, *, every: int) -> Sequence[ConversationMessage]:
        """Return the messages that are to be in the summary and are not: all but the last 20.

        None as long as fewer than `every` would be, so that one question covers many messages.
        """
        return self.open[:-LEAST_MESSAGES] if len(self.open) > most_open(every) else []

    async def texts(
        self, connection: Connection, said: Sequence[ConversationMessage], *, guild_id: int, channel_id: int
    ) -> list[Message]:
        """Return what was said from the first to the last of these messages, as far as it may be read here."""
        if not said:
            return []
        return await messages_repository.conversation_messages(
            connection,
            guild_id=guild_id,
            channel_id=channel_id,
            from_id=said[0].message_id,
            to_id=said[-1].message_id,
            audiences=self.audiences,
        )

    def _readable(self, said: Sequence[ConversationMessage]) -> Sequence[ConversationMessage]:
        return [one for one in said if one.is_visible and one.audience in self.audiences]


def most_open(every: int) -> int:
    """Return how many messages may be in no summary where one is made after each `every` messages."""
    return min(LEAST_MESSAGES + every, MOST_MESSAGES)


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedText:
    """What was said before a conversation, in short."""

    text: str
    from_id: int
    """The first message that it tells of."""
    covers_up_to: int
    """The last one."""
    audience: int
    """The narrowest of those that it was said in."""
    messages: Sequence[Message]
    """What was told of by an extract, since no summary tells of it."""


async def carried_into(
    connection: Connection,
    boundaries: Boundaries,
    talk: RollingConversation,
    *,
    guild_id: int,
    channel_id: int,
    following: Message | None = None,
) -> CarriedText | None:
    """Return what is carried into `talk` of what ended before it, as far as it may be read there.

    That is the summary which is kept of the channel, and what that conversation said afterwards; and where the talk
    before ended by its length alone, all of it. `None` if there is nothing of the kind, if an episode tells of it, or
    if the talk has a summary of its own, which tells of it.
    `following` is said after the talk, by somebody who waits: then no more is read than the last `MOST_MESSAGES` before
    it, of those that are known already. No statement in an ordinary conversation, else two for who waits, or four.
    """
    running = talk.running
    kept = (
        running.summary
        if running.summary and running.summary.covers_up_to < running.conversation_id
        else None
    )
    if talk.summary is not None or not running.before:
        return None
    if kept is None and not conversations.goes_on(running, boundaries, following=following):
        return None
    told_up_to = await repository_episodes.covered_by_episodes_up_to(
        connection, guild_id=guild_id, channel_id=channel_id, before_id=running.conversation_id
    )
    if told_up_to >= running.before[-1].message_id:
        return None
    if kept is not None and (kept.covers_up_to <= told_up_to or kept.audience not in talk.audiences):
        kept = None
    if following is None:
        previous = await conversations.running_conversation(
            connection,
            boundaries,
            guild_id=guild_id,
            channel_id=channel_id,
            up_to_id=running.before[-1].message_id,
        )
        said = RollingConversation(previous, talk.audiences).readable if previous is not None else ()
    else:
        said = talk.before[-MOST_MESSAGES:]
    known_up_to = max(told_up_to, kept.covers_up_to if kept is not None else 0)
    rest = [one for one in said if one.message_id > known_up_to]
    messages = await talk.texts(connection, rest, guild_id=guild_id, channel_id=channel_id)
    text = extract_conversation(kept.content if kept is not None else "", messages)
    if not text:
        return None
    return CarriedText(
        text=text,
        from_id=kept.conversation_id if kept is not None else rest[0].message_id,
        covers_up_to=rest[-1].message_id if rest else known_up_to,
        audience=max([*(one.audience for one in messages), *([kept.audience] if kept is not None else [])]),
        messages=messages,
    )


_FIRST_PAUSE: Final = timedelta(minutes=1)
_LONGEST_PAUSE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step(Sources):
    """What is folded into the summary of one conversation; its `messages` are those of `carried`, too."""

    channel_id: int
    talk: RollingConversation
    folded: Sequence[Message]
    """What is new in it, oldest first."""
    covers_up_to: int
    """The last message that is folded in."""
    goes_on: bool
    """It is folded into the summary that stands; else that one is made anew."""
    carried: CarriedText | None
    """What ended before, if the summary is the first of its conversation."""


class RollingBuilder(OperationMaker[Job, _Step, RollingInput, RolledText]):
    """Folds what is due of the running conversation of a channel into its summary.

    Nothing is done for a conversation that is over. What no model tells is told by an extract, and asked for again as
    long as the conversation runs.
    """

    def __init__(self, needs: MemoryDependencies) -> None:
        super().__init__(needs, ROLL_CONVERSATION)
        self._boundaries = Boundaries(gap=needs.gap)
        self._every = needs.settings.summary_every_messages

    async def read(self, connection: Connection, key: Job) -> _Step | None:
        """Return what is due in the channel that the job names."""
        guild_id, channel_id = key.guild_id, int(key.work_key)
        # Before the messages: whoever forgets one of them from now on begins a new epoch.
        memory_epoch = await epoch_of(connection, guild_id=guild_id)
        running = await conversations.running_conversation(
            connection, self._boundaries, guild_id=guild_id, channel_id=channel_id, up_to_id=MAX_ID
        )
        if running is None or conversations.is_over(running, self._boundaries, now=self._needs.clock.now()):
            return None
        talk = RollingConversation(running, tuple({OPEN, running.said[-1].audience}))
        # What it carries on from before cannot be read again: such a one is only gone on from.
        is_poor = (
            talk.summary is not None
            and talk.summary.degraded
            and self._needs.operations.has_models
            and talk.summary.failures < REFUSED
            and talk.summary.conversation_id == running.conversation_id
        )
        said = talk.to_fold(every=self._every)
        if is_poor:
            up_to_id = said[-1].message_id if said else talk.covers_up_to
            said = [one for one in talk.readable if one.message_id <= up_to_id]
        if not said:
            return None
        folded = await talk.texts(connection, said, guild_id=guild_id, channel_id=channel_id)
        carried = await carried_into(
            connection, self._boundaries, talk, guild_id=guild_id, channel_id=channel_id
        )
        return _Step(
            guild_id=guild_id,
            place=f"channel {channel_id}",
            memory_epoch=memory_epoch,
            messages=[*(carried.messages if carried is not None else ()), *folded],
            channel_id=channel_id,
            talk=talk,
            folded=folded,
            covers_up_to=said[-1].message_id,
            goes_on=talk.summary is not None and not is_poor,
            carried=carried,
        )

    async def given(self, sources: _Step) -> RollingInput:
        """Return the summary to go on from, and what is new."""
        guild = await self._needs.directory.guild(sources.guild_id)
        kept, carried = sources.talk.summary, sources.carried
        before = carried.text if carried is not None else kept.content if kept is not None else ""
        return RollingInput(
            previous=before if sources.goes_on or carried is not None else "",
            messages=sources.folded,
            members=await self._needs.members_in(
                sources.folded, before, guild_id=sources.guild_id, audiences=sources.talk.audiences
            ),
            time_zone=guild.time_zone if guild is not None else "UTC",
            kept=before,
            kept_up_to=sources.talk.covers_up_to,
        )

    async def store(
        self, connection: Connection, sources: _Step, told: tuple[RollingInput, Outcome[RolledText]]
    ) -> bool:
        """Store the summary in the place of the one that was read."""
        given, outcome = told
        text = outcome.value.text if outcome.model is None else summary_of(given, outcome.value)
        summary = self._summary(sources, await self.redacted(connection, sources, text), outcome)
        saved = await repository.save_summary(
            connection,
            summary,
            guild_id=sources.guild_id,
            channel_id=sources.channel_id,
            before=sources.talk.running.summary,
            memory_epoch=sources.memory_epoch,
            now=self._needs.clock.now(),
        )
        if saved and summary.degraded and summary.failures < REFUSED:
            await jobs.enqueue(
                connection,
                guild_id=sources.guild_id,
                kind=ROLLING_JOB,
                work_key=str(sources.channel_id),
                pause=backoff(summary.failures, first=_FIRST_PAUSE, longest=_LONGEST_PAUSE),
            )
        return saved

    def _summary(self, step: _Step, content: str, outcome: Outcome[RolledText]) -> RollingSummary:
        kept, carried, running = step.talk.summary, step.carried, step.talk.running
        first_id = kept.conversation_id if kept is not None and step.goes_on else running.conversation_id
        audiences = [message.audience for message in step.folded]
        audiences += [one.audience for one in (carried, kept) if one is not None]
        failures = kept.failures + 1 if kept is not None and kept.degraded else 1
        return RollingSummary(
            conversation_id=carried.from_id if carried is not None else first_id,
            audience=max(audiences, default=OPEN),
            content=content,
            covers_up_to=step.covers_up_to,
            covered=step.talk.said_up_to(step.covers_up_to),
            degraded=outcome.degraded,
            failures=0 if not outcome.degraded else REFUSED if outcome.unusable else failures,
        )
