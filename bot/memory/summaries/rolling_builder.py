"""Rolling summaries as background work: which messages of a running conversation are summed up next, and
what is carried into it from the ones before.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Final

from bot.core.clock import Clock
from bot.core.domain import GUILD_SUBJECT, MAX_ID, OPEN, Message
from bot.core.errors import DatabaseError
from bot.db.jobs import Job
from bot.db.pool import Connection, Database
from bot.llm.framing import mentioned_in
from bot.llm.operation import Asker, Operations, Outcome
from bot.memory.members.directory import Directory
from bot.memory.messages import conversations
from bot.memory.messages import repository as messages_repository
from bot.memory.messages.conversations import Boundaries, CurrentConversation
from bot.memory.messages.repository import ConversationMessage
from bot.memory.policy.redaction import redacted
from bot.memory.policy.tombstones import Hasher
from bot.memory.summaries import repository, repository_episodes
from bot.memory.summaries.extractive import extract_conversation
from bot.memory.summaries.repository import RollingSummary
from bot.memory.summaries.rolling_prompt import ROLL_CONVERSATION, RolledText, RollingInput, summary_of

logger = logging.getLogger(__name__)


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
    `following` is said after the talk. No statement in an ordinary conversation, else four.
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
    previous = await conversations.running_conversation(
        connection,
        boundaries,
        guild_id=guild_id,
        channel_id=channel_id,
        up_to_id=running.before[-1].message_id,
    )
    told_up_to = await repository_episodes.covered_by_episodes_up_to(
        connection, guild_id=guild_id, channel_id=channel_id, before_id=running.conversation_id
    )
    if kept is not None and (kept.covers_up_to <= told_up_to or kept.audience not in talk.audiences):
        kept = None
    said = RollingConversation(previous, talk.audiences).readable if previous is not None else ()
    known_up_to = max(told_up_to, kept.covers_up_to if kept is not None else 0)
    rest = [one for one in said if one.message_id > known_up_to]
    messages = (
        await messages_repository.conversation_messages(
            connection,
            guild_id=guild_id,
            channel_id=channel_id,
            from_id=rest[0].message_id,
            to_id=rest[-1].message_id,
            audiences=talk.audiences,
        )
        if rest
        else []
    )
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


_ROUNDS: Final = 3
"""So often a conversation is summed up anew when something of it is taken back meanwhile; then it waits."""

_FIRST_PAUSE: Final = timedelta(minutes=1)
_LONGEST_PAUSE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """What was read before a model is asked."""

    guild_id: int
    channel_id: int
    talk: RollingConversation
    memory_epoch: int
    said: Sequence[ConversationMessage]
    """What is to be folded in, oldest first."""
    goes_on: bool
    """It is folded into the summary that stands; else that one is made anew."""
    messages: Sequence[Message]
    carried: CarriedText | None
    """What ended before, if the summary is the first of its conversation."""

    @property
    def sources(self) -> Sequence[Message]:
        """All messages that were read for it."""
        return [*(self.carried.messages if self.carried is not None else ()), *self.messages]


class RollingBuilder:
    """Makes the summaries, as background work; `every` is how many messages go into one at least."""

    def __init__(
        self,
        database: Database,
        directory: Directory,
        operations: Operations,
        clock: Clock,
        hasher: Hasher,
        boundaries: Boundaries,
        *,
        every: int,
    ) -> None:
        self._database = database
        self._directory = directory
        self._operations = operations
        self._clock = clock
        self._hasher = hasher
        self._boundaries = boundaries
        self._every = every

    async def roll(self, task: Job) -> None:
        """Fold what is due of the running conversation of the channel that `task` names into its summary.

        Nothing is done for a conversation that is over. What no model tells is told by an extract, and asked for
        again as long as the conversation runs. Raises `DatabaseError` if it changes faster than it is told.
        """
        channel_id = int(task.work_key)
        for _ in range(_ROUNDS):
            step = await self._database.read(self._read, task, channel_id)
            if step is None:
                return
            given = await self._given(step)
            outcome = await self._operations.run(
                ROLL_CONVERSATION, given, asker=Asker(guild_id=step.guild_id)
            )
            if await self._save(step, given, outcome):
                logger.info(
                    "conversation %d of channel %d, guild %d: %d messages summed up, %d tokens%s",
                    step.talk.running.conversation_id,
                    channel_id,
                    step.guild_id,
                    len(step.messages),
                    outcome.tokens,
                    ", by no model" if outcome.degraded else "",
                )
                return
        raise DatabaseError(f"the talk in channel {channel_id} changes faster than it is summed up")

    async def _read(self, connection: Connection, task: Job, channel_id: int) -> _Step | None:
        """Return what is to be done; `None` if there is nothing."""
        # Before the messages: whoever forgets one of them from now on begins a new epoch.
        memory_epoch = await repository.epoch_of(connection, guild_id=task.guild_id)
        running = await conversations.running_conversation(
            connection,
            self._boundaries,
            guild_id=task.guild_id,
            channel_id=channel_id,
            up_to_id=MAX_ID,
        )
        if running is None or conversations.is_over(running, self._boundaries, now=self._clock.now()):
            return None
        talk = RollingConversation(running, tuple({OPEN, running.said[-1].audience}))
        is_poor = talk.summary is not None and talk.summary.degraded and self._operations.has_models
        is_poor = is_poor and talk.summary is not None and talk.summary.failures < REFUSED
        # What it carries on from before cannot be read again: such a one is only gone on from.
        is_poor = (
            is_poor and talk.summary is not None and talk.summary.conversation_id == running.conversation_id
        )
        said = talk.to_fold(every=self._every)
        if is_poor:
            up_to_id = said[-1].message_id if said else talk.covers_up_to
            said = [one for one in talk.readable if one.message_id <= up_to_id]
        if not said:
            return None
        return _Step(
            guild_id=task.guild_id,
            channel_id=channel_id,
            talk=talk,
            memory_epoch=memory_epoch,
            said=said,
            goes_on=talk.summary is not None and not is_poor,
            messages=await messages_repository.conversation_messages(
                connection,
                guild_id=task.guild_id,
                channel_id=channel_id,
                from_id=said[0].message_id,
                to_id=said[-1].message_id,
                audiences=talk.audiences,
            ),
            carried=await carried_into(
                connection, self._boundaries, talk, guild_id=task.guild_id, channel_id=channel_id
            ),
        )

    async def _given(self, step: _Step) -> RollingInput:
        everyone = await self._directory.members(step.guild_id, audiences=step.talk.audiences)
        guild = await self._directory.guild(step.guild_id)
        kept = step.talk.summary
        before = step.carried.text if step.carried is not None else kept.content if kept is not None else ""
        return RollingInput(
            previous=before if step.goes_on or step.carried is not None else "",
            messages=step.messages,
            members={member.user_id: member for member in everyone},
            time_zone=guild.time_zone if guild is not None else "UTC",
            kept=before,
            kept_up_to=step.talk.covers_up_to,
        )

    async def _save(self, step: _Step, given: RollingInput, outcome: Outcome[RolledText]) -> bool:
        """Store the summary; `False`, and nothing done, if what it was made from stands no more."""
        text = outcome.value.text if outcome.model is None else summary_of(given, outcome.value)
        subject_ids = {message.user_id for message in step.sources} | set(mentioned_in(text))

        async def save(connection: Connection) -> bool:
            stands = await repository.still_stands(
                connection,
                guild_id=step.guild_id,
                memory_epoch=step.memory_epoch,
                audiences={message.message_id: message.audience for message in step.sources},
            )
            if not stands:
                return False
            left = await redacted(
                connection,
                self._hasher,
                guild_id=step.guild_id,
                subject_ids=[GUILD_SUBJECT, *sorted(subject_ids)],
                text=text,
            )
            told = self._told(step, left, outcome)
            saved = await repository.save_summary(
                connection,
                told,
                guild_id=step.guild_id,
                channel_id=step.channel_id,
                before=step.talk.running.summary,
                memory_epoch=step.memory_epoch,
                now=self._clock.now(),
            )
            if saved and told.degraded and told.failures < REFUSED:
                await repository.ask_to_roll_again(
                    connection,
                    guild_id=step.guild_id,
                    channel_id=step.channel_id,
                    pause=_pause_after(told.failures),
                )
            return saved

        return await self._database.write(save)

    def _told(self, step: _Step, content: str, outcome: Outcome[RolledText]) -> RollingSummary:
        kept = step.talk.summary
        covers_up_to = step.said[-1].message_id
        audiences = [message.audience for message in step.messages]
        audiences += [step.carried.audience] if step.carried is not None else []
        first_id = (
            kept.conversation_id if kept is not None and step.goes_on else step.talk.running.conversation_id
        )
        failures = kept.failures + 1 if kept is not None and kept.degraded else 1
        return RollingSummary(
            conversation_id=step.carried.from_id if step.carried is not None else first_id,
            audience=max([*audiences, *([kept.audience] if kept is not None else [])], default=OPEN),
            content=content,
            covers_up_to=covers_up_to,
            covered=step.talk.said_up_to(covers_up_to),
            degraded=outcome.degraded,
            failures=0 if not outcome.degraded else REFUSED if outcome.refused else failures,
        )


def _pause_after(failures: int) -> timedelta:
    """Return the real time after which models are asked again: a minute, doubled each time, an hour at most."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * (1 << min(failures - 1, 10)))
