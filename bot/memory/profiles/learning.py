"""Learning about members as background work: turns are counted, a model is given the oldest unlearned ones, and the
profile and facts that it returns are stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property, partial
from typing import Annotated, Final

from markupsafe import Markup
from pydantic import BaseModel, Field

from bot.core.domain import OPEN, FactCategory, FactOrigin, Language, Message, MessageKind, mention_of
from bot.core.errors import InvalidInputError, ModelError
from bot.db import jobs
from bot.db.jobs import Job
from bot.db.pool import Connection
from bot.llm import framing
from bot.llm.framing import LocalIds, estimated_tokens, shortened
from bot.llm.lines import PARAGRAPHS
from bot.llm.operation import Operation, Outcome, Role
from bot.memory.derived.engine import MemoryDependencies, OperationMaker, Sources, TalkInput, leading
from bot.memory.derived.grounding import Said
from bot.memory.facts import lifecycle, statements
from bot.memory.facts.narrative import invented
from bot.memory.facts.repository import NewFact
from bot.memory.facts.statements import Note
from bot.memory.guilds import repository as guilds_repository
from bot.memory.policy.redaction import without_opted_out
from bot.memory.profiles import repository
from bot.memory.profiles.repository import LEARNING_JOB, LearningState, Profile, SentAnswer, TurnIds
from bot.memory.rights.forgetting import withholding
from bot.text.instructions import instructs
from bot.text.secrets.masking import masked
from bot.text.sensitive import says_sensitive, without_sensitive

LONGEST_PROFILE: Final = 1_500
"""Characters: it stands in every reply's prompt."""

LONG_PROFILE: Final = 300
"""From so many characters on, a profile that loses more than half of them was not rewritten but lost."""

MOST_FACTS: Final = 5
"""Facts that one learning brings at most."""

_SAID_CHARACTERS: Final = 1_200
"""Of a longer message the beginning tells what it was about."""

_ANSWER_CHARACTERS: Final = 400
"""Of what the bot said: it only says what the member answers to."""

_HEAD_TOKENS: Final = 7


class LearnedFact(BaseModel):
    """A fact that a message tells."""

    message: str = Field(description="id of the member's message that says it, such as m3")
    text: str = Field(description="the fact, in the third person, about the member as @u1")


class LearnedProfile(BaseModel):
    """What the learning operation returns."""

    profile: Annotated[str, PARAGRAPHS] = Field(description="the whole new profile, in short paragraphs")
    facts: list[LearnedFact] = Field(default_factory=list, description="at most 5 facts, none is fine")


@dataclass(frozen=True, kw_only=True)
class LearningInput(TalkInput):
    """What the operation is given: a member, what is known, and what they and the bot said in their turns."""

    user_id: int
    profile: str
    """As it stands, with members as `<@id>`; blank if there is none."""

    @property
    def tells_manner(self) -> bool:
        """A profile tells how somebody thinks and talks, too."""
        return True

    @cached_property
    def users(self) -> LocalIds:
        """The short ids: `u1` is the member, then come those who are mentioned."""
        return LocalIds("u", [self.user_id, *self.mentioned(self.wrote)])

    @cached_property
    def own(self) -> LocalIds:
        """The short ids of the member's own messages; the bot's have none, so nothing can rest on them."""
        own = (message for message in self.messages if message.kind is MessageKind.MEMBER)
        return LocalIds("m", (message.message_id for message in own))

    @property
    def told_before(self) -> Sequence[Said]:
        """The profile as it stands."""
        return [Said(self.profile, self.user_id)]

    @property
    def wrote(self) -> Sequence[str]:
        """The profile and the messages."""
        return [self.profile, *(message.text for message in self.messages)]


def shown(message: Message) -> str:
    """Return as much of a message as the prompt has, without the secrets in it."""
    limit = _SAID_CHARACTERS if message.kind is MessageKind.MEMBER else _ANSWER_CHARACTERS
    text = masked(message.text)
    words = " ".join([text[:limit], *map(masked, message.attachments)])
    return words if len(text) <= limit else f"{words}…"


def message_tokens(message: Message) -> int:
    """Return about how many tokens a message takes in the prompt."""
    return _HEAD_TOKENS + estimated_tokens(shown(message))


def profile_in(answer: LearnedProfile, given: LearningInput) -> str:
    """Return the profile of an answer with members as `<@id>`; raises `ValueError` for an id that was not offered."""
    return given.with_ids(answer.profile.strip())


def facts_in(answer: LearnedProfile, given: LearningInput) -> list[tuple[int, str]]:
    """Return the facts of an answer: the id of the message that says it, and what it says with members as `<@id>`.

    Raises `ValueError` for ids that were not offered.
    """
    return [(given.own.long(fact.message), given.with_ids(fact.text.strip())) for fact in answer.facts]


def _frame(given: LearningInput) -> Mapping[str, object]:
    people = [given.user_id, *(user_id for user_id in given.members if user_id != given.user_id)]
    return {
        "members": given.member_tags(dict.fromkeys(one for one in people if one in given.users)),
        "profile": framing.tag("profile", shortened(given.profile, given.users)),
        "messages": framing.block("messages", (_message(given, message) for message in given.messages)),
        "characters": LONGEST_PROFILE,
        "facts": MOST_FACTS,
    }


def _message(given: LearningInput, message: Message) -> Markup:
    is_own = message.kind is MessageKind.MEMBER
    return given.line(
        message,
        shown(message),
        at=given.at(message, "%Y-%m-%d %H:%M"),
        by=given.users.short(given.user_id) if is_own else "bot",
        short_id=given.own.short(message.message_id) if is_own else None,
    )


def _mend(given: LearningInput, answer: LearnedProfile) -> LearnedProfile:
    """Leave out facts that no message of the member says, and those that name who was not offered."""
    own = {given.own.short(one.message_id) for one in given.messages if one.kind is MessageKind.MEMBER}
    facts = [
        one
        for one in answer.facts
        if one.message in own
        and given.fitting(one.text, longest=len(one.text) + 1, whose=given.user_id) == one.text.strip()
    ]
    return LearnedProfile(
        profile=given.fitting(answer.profile, longest=LONGEST_PROFILE, whose=given.user_id),
        facts=facts[:MOST_FACTS],
    )


def _check(given: LearningInput, answer: LearnedProfile) -> None:
    text = profile_in(answer, given)
    given.check(text, longest=LONGEST_PROFILE, name="the profile")
    facts_in(answer, given)
    if is_shrunken(text, given.profile):
        raise ValueError(
            f"the profile has {len(text)} characters of {len(given.profile)}: keep what is not contradicted"
        )


def is_shrunken(text: str, before: str) -> bool:
    """Tell whether `text` has lost so much of the profile `before` that it cannot take its place."""
    return len(before) > LONG_PROFILE and 2 * len(text) < len(before)


def _fallback(given: LearningInput) -> LearnedProfile:
    """Keep what there was."""
    return LearnedProfile(profile=shortened(given.profile, given.users))


LEARN_PROFILE: Final = Operation(
    name="learn_profile",
    role=Role.LEARNING,
    answer=LearnedProfile,
    frame=_frame,
    mend=_mend,
    check=_check,
    fallback=_fallback,
    deadline_seconds=80.0,
)


MOST_TRIES: Final = 3
"""Times that turns are learned from of which every model tells what cannot be kept: at temperature 0 that is enough."""

MOST_MESSAGES: Final = 60
"""Messages of one question; more are asked about one portion after the other."""

LEAST_MESSAGES: Final = 20
"""With fewer, turns that were learned from before say what is talked about."""

PORTION_TOKENS: Final = 8_000
"""Estimated tokens of messages in one question: a free-tier model takes 15,000 a minute, all told."""


@dataclass(frozen=True, slots=True)
class LearningPortion:
    """The turns of one question."""

    turn_ids: tuple[int, ...]
    """The messages that began the turns which it covers."""
    messages: tuple[Message, ...]
    """What was said, oldest first; of turns that were learned from before, too."""
    is_last: bool
    """It covers all that was due when it was read."""

    @property
    def has_words(self) -> bool:
        """Whether there is anything that the member said, and that may be learned from."""
        return any(message.kind is MessageKind.MEMBER for message in self.messages)


async def read_portion(connection: Connection, *, guild_id: int, user_id: int) -> LearningPortion | None:
    """Return the next portion of what is due to be learned about a member; `None` if nothing is."""
    due = await repository.due_turns(connection, guild_id=guild_id, user_id=user_id)
    if not due:
        return None
    said = await repository.messages_of_turns(
        connection, guild_id=guild_id, user_id=user_id, turns=due[:MOST_MESSAGES]
    )
    by_turn = _by_turn(due, said)
    taken = _fitting(due, by_turn)
    messages = [message for turn in taken for message in by_turn[turn.message_id]]
    if len(messages) < LEAST_MESSAGES:
        before = await repository.learned_turns_before(
            connection,
            guild_id=guild_id,
            user_id=user_id,
            message_id=taken[0].message_id,
            limit=LEAST_MESSAGES,
        )
        earlier = await repository.messages_of_turns(
            connection, guild_id=guild_id, user_id=user_id, turns=before
        )
        messages += _latest(
            before,
            _by_turn(before, earlier),
            room=LEAST_MESSAGES - len(messages),
            tokens=PORTION_TOKENS - _tokens(messages),
        )
    return LearningPortion(
        turn_ids=tuple(turn.message_id for turn in taken),
        messages=tuple(sorted(messages, key=lambda message: message.message_id)),
        is_last=len(taken) == len(due) and len(due) < repository.MOST_READ,
    )


def _by_turn(wanted: Sequence[TurnIds], said: Sequence[Message]) -> Mapping[int, list[Message]]:
    """Return the messages of each turn; a turn whose question may not be learned from has none."""
    by_id = {message.message_id: message for message in said}
    return {
        turn.message_id: [
            by_id[message_id] for message_id in (turn.message_id, *turn.sent_ids) if message_id in by_id
        ]
        if turn.message_id in by_id
        else []
        for turn in wanted
    }


def _tokens(said: Sequence[Message]) -> int:
    return sum(map(message_tokens, said))


def _fitting(due: Sequence[TurnIds], by_turn: Mapping[int, Sequence[Message]]) -> Sequence[TurnIds]:
    """Return the oldest turns that fit into one question; at least one."""
    said = [by_turn[turn.message_id] for turn in due[:MOST_MESSAGES]]
    return due[
        : min(
            leading(map(len, said), MOST_MESSAGES, least=1),
            leading(map(_tokens, said), PORTION_TOKENS, least=1),
        )
    ]


def _latest(
    before: Sequence[TurnIds], by_turn: Mapping[int, Sequence[Message]], *, room: int, tokens: int
) -> list[Message]:
    """Return the messages of the last turns until there are at least `room` of them, as far as `tokens` reach."""
    said = [by_turn[turn.message_id] for turn in reversed(before)]
    count = min(1 + leading(map(len, said), room - 1), leading(map(_tokens, said), tokens))
    return [message for turn in said[:count] for message in turn]


CONFIDENCE: Final = 0.85
"""A model read it out of what was said."""

IMPORTANCE: Final = 60
"""Below what members' own words are plainly read to say, above a passing mention."""

EVENT_LIFE: Final = timedelta(days=7)
"""An event that nobody asked to have remembered passes, counted from when it was told."""

_PREFERENCES: Final = ("likes:", "favorite:")


def new_facts(answer: LearnedProfile, given: LearningInput, *, version: int) -> list[NewFact]:
    """Return the facts of a checked answer that may be kept, five at most; `version` is that of the profile."""
    said = {message.message_id: message for message in given.messages}
    return [
        fact
        for message_id, content in facts_in(answer, given)[:MOST_FACTS]
        if (fact := _fact(content, said[message_id], given, version)) is not None
    ]


def _fact(content: str, message: Message, given: LearningInput, version: int) -> NewFact | None:
    """Return what a message tells about its author; `None` if it does not, or tells what is not to be kept."""
    content = content.rstrip(".")
    if mention_of(given.user_id) not in content or masked(content) != content:
        return None
    if says_sensitive(content) or instructs(content):
        return None
    if not _is_said(content, message, given):
        return None
    try:
        fact = statements.new_fact(
            Note(
                guild_id=message.guild_id,
                subject_id=given.user_id,
                author_id=given.user_id,
                speaker_id=given.user_id,
                audience=OPEN,
                statement=content,
                cause=f"l:{version}",
                channel_id=message.channel_id,
                message_id=message.message_id,
                said_at=message.timestamp,
                time_zone=given.time_zone,
                origin=FactOrigin.LEARNING,
            )
        )
    except InvalidInputError:
        return None
    is_event = fact.category is FactCategory.EVENT
    return replace(
        fact,
        category=FactCategory.PREFERENCE if fact.key.startswith(_PREFERENCES) else fact.category,
        raw_content=masked(message.text),
        importance=IMPORTANCE,
        confidence=CONFIDENCE,
        expires_at=message.timestamp + EVENT_LIFE if is_event else None,
    )


def _is_said(content: str, message: Message, given: LearningInput) -> bool:
    """Tell whether a fact says no more than its message; in another language nobody can tell by words."""
    if Language.of(message.text) is not Language.of(content):
        return True
    return not invented(content.replace(mention_of(given.user_id), ""), [message.text])


class Turns:
    """Notes that answers were sent, and asks for a learning after every few turns that none has covered."""

    def __init__(self, needs: MemoryDependencies) -> None:
        self._needs = needs

    async def sent(self, *, guild_id: int, message_id: int, sent_ids: Sequence[int]) -> None:
        """Note under which ids the answer to a message was sent; if it is a turn, it is counted with that.

        If what it tells was forgotten while it was on its way, it is withheld as it would have been before.
        """

        note = partial(
            repository.note_sent,
            guild_id=guild_id,
            message_id=message_id,
            sent_ids=sent_ids,
            learns=self._needs.settings.learning,
            every=self._needs.settings.learn_every_turns,
        )

        async def withdraw(connection: Connection) -> SentAnswer | None:
            sent = await note(connection, only_standing=False)
            if sent is not None and not sent.still_stands and sent_ids:
                await withholding.withhold(
                    connection, guild_id=guild_id, message_ids=sent_ids, now=self._needs.clock.now()
                )
            return sent

        sent = await self._needs.database.write_one(
            note, only_standing=True
        ) or await self._needs.database.write(withdraw)
        if sent is not None and sent.is_due:
            self._needs.notify()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read(Sources):
    """What is learned from; its `messages` are those of the portion."""

    standing: LearningState
    attempts: int
    """How often it was tried, this time too."""
    portion: LearningPortion
    text: str
    """The profile as it stands, as far as it may be told; blank if there is none."""
    time_zone: str


class Learner(OperationMaker[Job, _Read, LearningInput, LearnedProfile]):
    """Learns from a portion of what a member said in the turns that are due; for the rest it is asked for once more.

    When no model tells anything that may be kept, everything stays as it was, and it is tried again after a pause;
    where all of them told what cannot be kept, or refused, only a few times: those turns are not learned from.
    Without any model there is nothing to do.
    """

    def __init__(self, needs: MemoryDependencies) -> None:
        super().__init__(needs, LEARN_PROFILE)

    async def read(self, connection: Connection, key: Job) -> _Read | None:
        """Return what there is to learn from; `None` if that is nothing, or nothing may be learned."""
        guild_id, user_id = key.guild_id, int(key.work_key)
        # The standing first: what changes after this look is found out when the profile is saved.
        standing = await repository.learning_state(connection, guild_id=guild_id, user_id=user_id)
        if standing is None or not standing.may_be_learned or not self._needs.settings.learning:
            return None
        portion = await read_portion(connection, guild_id=guild_id, user_id=user_id)
        if portion is None or (portion.has_words and not self._needs.operations.has_models):
            return None
        newest = await repository.newest_profiles(connection, guild_ids=[guild_id], user_ids=[user_id])
        texts = await without_opted_out(
            connection,
            guild_id=guild_id,
            texts=[one.content for one in newest],
            whose=[user_id] * len(newest),
        )
        guild = await guilds_repository.guild(connection, guild_id=guild_id)
        return _Read(
            guild_id=guild_id,
            place=f"member {user_id}",
            memory_epoch=standing.memory_epoch,
            messages=portion.messages,
            user_id=user_id,
            standing=standing,
            attempts=key.attempts,
            portion=portion,
            text=texts[0] if texts else "",
            time_zone=guild.time_zone if guild is not None else "UTC",
        )

    def is_worth_asking(self, sources: _Read) -> bool:
        """Tell whether the member said anything."""
        return sources.portion.has_words

    async def given(self, sources: _Read) -> LearningInput:
        """Return the member, their profile and what was said."""
        return LearningInput(
            user_id=sources.user_id,
            profile=sources.text,
            messages=sources.messages,
            members=await self._needs.members_in(
                sources.messages, sources.text, guild_id=sources.guild_id, user_ids=[sources.user_id]
            ),
            time_zone=sources.time_zone,
        )

    async def store(
        self, connection: Connection, sources: _Read, told: tuple[LearningInput, Outcome[LearnedProfile]]
    ) -> bool:
        """Save what was learned and lower the count."""
        given, outcome = told
        if outcome.degraded and not (outcome.unusable and sources.attempts >= MOST_TRIES):
            raise ModelError(f"no model learned about member {sources.user_id}")
        member = {"guild_id": sources.guild_id, "user_id": sources.user_id}
        if await repository.hold_learning_state(connection, **member) != sources.standing:
            return False
        if outcome.model is not None:
            now = self._needs.clock.now()
            profile = Profile(
                **member,
                version=sources.standing.version + 1,
                content=await self._kept(connection, sources, given, outcome.value),
                covers_up_to=max(sources.portion.turn_ids),
                learned_at=now,
            )
            await repository.add_version(connection, profile, memory_epoch=sources.standing.memory_epoch)
            facts = new_facts(outcome.value, given, version=profile.version)
            await lifecycle.learn_facts(connection, self._needs.hasher, facts, now=now)
        await repository.cover_turns(connection, **member, message_ids=sources.portion.turn_ids)
        if not sources.portion.is_last:
            await jobs.enqueue(
                connection, guild_id=sources.guild_id, kind=LEARNING_JOB, work_key=str(sources.user_id)
            )
        return True

    async def _kept(
        self, connection: Connection, sources: _Read, given: LearningInput, learned: LearnedProfile
    ) -> str:
        """Return what of a new profile may be kept; the old one where too little of it is left."""
        told = masked(without_sensitive(profile_in(learned, given)))
        text = await self.redacted(connection, sources, told, whose=sources.user_id)
        return given.profile if not text or is_shrunken(text, given.profile) else text
