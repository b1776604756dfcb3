"""Learning about members as background work: turns are counted, the oldest unlearned ones are put to a
model, and the profile and the facts that it returns are saved.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final

from bot.core.clock import Clock
from bot.core.domain import OPEN, FactCategory, FactOrigin, Language, Message, MessageKind, mention_of
from bot.core.errors import DatabaseError, InvalidInputError, ModelError
from bot.db import jobs
from bot.db.jobs import Job
from bot.db.pool import Connection, Database
from bot.llm.framing import mentioned_in
from bot.llm.operation import Asker, Operations
from bot.memory.facts import lifecycle, statements
from bot.memory.facts.narrative import invented
from bot.memory.facts.repository import NewFact
from bot.memory.facts.statements import Note
from bot.memory.guilds import repository as guilds_repository
from bot.memory.members.directory import Directory
from bot.memory.outbox import repository as outbox_repository
from bot.memory.policy.redaction import redacted, without_opted_out
from bot.memory.policy.tombstones import Hasher
from bot.memory.profiles import repository
from bot.memory.profiles.prompt import (
    LEARN_PROFILE,
    MOST_FACTS,
    LearnedProfile,
    LearningInput,
    facts_in,
    is_shrunken,
    message_tokens,
    profile_in,
)
from bot.memory.profiles.repository import LearningState, Profile, TurnIds
from bot.memory.rights.forgetting import apply
from bot.text.secrets.masking import masked
from bot.text.sensitive import says_sensitive, without_sensitive

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
            tokens=PORTION_TOKENS - sum(map(message_tokens, messages)),
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


def _fitting(due: Sequence[TurnIds], by_turn: Mapping[int, Sequence[Message]]) -> list[TurnIds]:
    """Return the oldest turns that fit into one question; at least one."""
    taken: list[TurnIds] = []
    messages = tokens = 0
    for turn in due[:MOST_MESSAGES]:
        said = by_turn[turn.message_id]
        messages += len(said)
        tokens += sum(map(message_tokens, said))
        if taken and (messages > MOST_MESSAGES or tokens > PORTION_TOKENS):
            break
        taken.append(turn)
    return taken


def _latest(
    before: Sequence[TurnIds], by_turn: Mapping[int, Sequence[Message]], *, room: int, tokens: int
) -> list[Message]:
    """Return the messages of the last turns until there are at least `room` of them, as far as `tokens` reach."""
    messages: list[Message] = []
    for turn in reversed(before):
        tokens -= sum(map(message_tokens, by_turn[turn.message_id]))
        if len(messages) >= room or tokens < 0:
            break
        messages += by_turn[turn.message_id]
    return messages


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
    if mention_of(given.user_id) not in content or says_sensitive(content) or masked(content) != content:
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


LEARNING_JOB: Final = "learn"
"""The kind of background work that learns about one member; its key is their id."""


class Turns:
    """Notes that answers were sent; `notify` is called after a commit that asked for a learning.

    It is asked for after every `every` turns that no learning has covered, unless nothing `learns`.
    """

    def __init__(
        self, database: Database, clock: Clock, *, learns: bool, every: int, notify: Callable[[], None]
    ) -> None:
        self._database = database
        self._clock = clock
        self._learns = learns
        self._every = every
        self._notify = notify

    async def sent(self, *, guild_id: int, message_id: int, sent_ids: Sequence[int]) -> None:
        """Note under which ids the answer to a message was sent; if it is a turn, it is counted with that.

        If what it tells was forgotten while it was on its way, it is withheld as it would have been before.
        """

        async def note(connection: Connection) -> bool:
            sent = await outbox_repository.note_sent(
                connection, guild_id=guild_id, message_id=message_id, sent_ids=sent_ids
            )
            if not sent.still_stands and sent_ids:
                await apply.withhold(
                    connection, guild_id=guild_id, message_ids=sent_ids, now=self._clock.now()
                )
            if not sent.is_turn:
                return False
            return await self._count(connection, guild_id=guild_id, message_id=message_id)

        if await self._database.write(note):
            self._notify()

    async def _count(self, connection: Connection, *, guild_id: int, message_id: int) -> bool:
        """Count a turn, and tell whether it is time to learn."""
        counted = await repository.count_turn(
            connection, guild_id=guild_id, message_id=message_id, learns=self._learns
        )
        # Not at each turn beyond: whoever asks anew takes the growing pauses from a learning that failed.
        if counted is None or not counted.unlearned or counted.unlearned % self._every:
            return False
        await jobs.enqueue(connection, guild_id=guild_id, kind=LEARNING_JOB, work_key=str(counted.user_id))
        return True


_TRIES: Final = 3
"""So often a member is learned about anew when something changes meanwhile; then after a pause."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read before a model is asked."""

    standing: LearningState
    portion: LearningPortion
    text: str = ""
    """The profile as it stands, as far as it may be told; blank if there is none."""
    time_zone: str = field(default="UTC")


class Learner:
    """Learns about members; `learns` is whether the installation wants that at all."""

    def __init__(
        self,
        database: Database,
        directory: Directory,
        operations: Operations,
        clock: Clock,
        hasher: Hasher,
        *,
        learns: bool,
    ) -> None:
        self._database = database
        self._directory = directory
        self._operations = operations
        self._clock = clock
        self._hasher = hasher
        self._learns = learns

    async def learn(self, task: Job) -> None:
        """Learn from a portion of what a member said in the turns that are due; for the rest ask once more.

        Raises `ModelError` when no model told anything that may be kept, so that it is tried again after a
        pause: until then everything stays as it was. Without any model there is nothing to do.
        """
        guild_id, user_id = task.guild_id, int(task.work_key)
        for _ in range(_TRIES):
            read = await self._read(guild_id, user_id) if self._learns else None
            if read is None:
                return
            given = await self._given(guild_id, user_id, read)
            learned = None
            if read.portion.has_words:
                if not self._operations.has_models:
                    return
                learned = await self._asked(given)
            if await self._save(given, read, learned, guild_id=guild_id):
                return
        raise DatabaseError(f"what is known of member {user_id} changed too often to be learned from")

    async def _read(self, guild_id: int, user_id: int) -> _Read | None:
        """Return what there is to learn from; `None` if that is nothing, or nothing may be learned."""

        async def read(connection: Connection) -> _Read | None:
            # The standing first: what changes after this look is found out when the profile is saved.
            standing = await repository.learning_state(connection, guild_id=guild_id, user_id=user_id)
            if standing is None or not standing.may_be_learned:
                return None
            portion = await read_portion(connection, guild_id=guild_id, user_id=user_id)
            if portion is None:
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
                standing,
                portion,
                texts[0] if texts else "",
                guild.time_zone if guild is not None else "UTC",
            )

        return await self._database.read(read)

    async def _given(self, guild_id: int, user_id: int, read: _Read) -> LearningInput:
        everyone = await self._directory.members(guild_id)
        return LearningInput(
            user_id=user_id,
            profile=read.text,
            messages=read.portion.messages,
            members={member.user_id: member for member in everyone},
            time_zone=read.time_zone,
        )

    async def _asked(self, given: LearningInput) -> LearnedProfile:
        asker = Asker(guild_id=given.messages[0].guild_id, user_id=given.user_id)
        outcome = await self._operations.run(LEARN_PROFILE, given, asker=asker)
        if outcome.model is None:
            raise ModelError(f"no model learned about member {given.user_id}")
        return outcome.value

    async def _save(
        self, given: LearningInput, read: _Read, learned: LearnedProfile | None, *, guild_id: int
    ) -> bool:
        """Save what was learned and lower the count; `False`, and nothing done, if something changed meanwhile."""
        user_id = given.user_id
        now = self._clock.now()

        async def save(connection: Connection) -> bool:
            standing = await repository.hold_learning_state(connection, guild_id=guild_id, user_id=user_id)
            if standing != read.standing or not await repository.are_unchanged(
                connection, guild_id=guild_id, messages=given.messages
            ):
                return False
            if learned is not None:
                version = read.standing.version + 1
                profile = Profile(
                    guild_id=guild_id,
                    user_id=user_id,
                    version=version,
                    content=await self._kept(connection, given, learned, guild_id=guild_id),
                    covers_up_to=max(read.portion.turn_ids),
                    learned_at=now,
                )
                await repository.add_version(connection, profile, memory_epoch=read.standing.memory_epoch)
                await lifecycle.learn_facts(
                    connection, self._hasher, new_facts(learned, given, version=version), now=now
                )
            await repository.cover_turns(
                connection, guild_id=guild_id, user_id=user_id, message_ids=read.portion.turn_ids
            )
            if not read.portion.is_last:
                await jobs.enqueue(connection, guild_id=guild_id, kind=LEARNING_JOB, work_key=str(user_id))
            return True

        return await self._database.write(save)

    async def _kept(
        self, connection: Connection, given: LearningInput, learned: LearnedProfile, *, guild_id: int
    ) -> str:
        """Return what of a new profile may be kept; the old one where too little of it is left."""
        told = masked(without_sensitive(profile_in(learned, given)))
        text = await redacted(
            connection,
            self._hasher,
            guild_id=guild_id,
            subject_ids=[given.user_id, *mentioned_in(told)],
            text=told,
            whose=given.user_id,
        )
        return given.profile if not text or is_shrunken(text, given.profile) else text
