"""The engine of derived texts: reads the sources, asks a model without holding a connection, and stores the result only
if all sources still stand.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from itertools import accumulate
from typing import Final, Generic, Protocol, TypeVar
from zoneinfo import ZoneInfo

from markupsafe import Markup

from bot.core.clock import Clock
from bot.core.domain import GUILD_SUBJECT, OPEN, Member, Message, MessageKind
from bot.core.errors import DatabaseError
from bot.core.log import trace
from bot.core.metering import TextMade
from bot.core.settings import Settings
from bot.db.clock_watch import ClockWatch
from bot.db.jobs import Job
from bot.db.pool import Connection, Database
from bot.db.service import Services
from bot.llm import framing
from bot.llm.framing import LocalIds, estimated_tokens, mentioned_in, shortened
from bot.llm.operation import AnswerT, Asker, GivenT, Operation, Operations, Outcome, Patience
from bot.memory.derived.checking import MemberInput
from bot.memory.derived.grounding import Grounds, Said, said_in
from bot.memory.members.directory import Directory
from bot.memory.members.roster import names_of
from bot.memory.policy.redaction import redacted
from bot.memory.policy.tombstones import Hasher

logger = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class TalkInput(MemberInput):
    """What an operation is given that tells of messages."""

    messages: Sequence[Message] = ()
    """Oldest first."""
    members: Mapping[int, Member] = field(default_factory=dict)
    """Those who are met in it, by id, and all with whom they share a name."""
    time_zone: str = "UTC"
    """The guild's, by its IANA name."""

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The names that one member of the guild alone bears, of those who are met here."""
        return names_of(self.users, self.members.values())

    def mentioned(self, texts: Iterable[str]) -> list[int]:
        """Return the known members whom `texts` mention, in order."""
        return [user_id for text in texts for user_id in mentioned_in(text) if user_id in self.members]

    @cached_property
    def called(self) -> Mapping[int, Sequence[str]]:
        """The names of the members whom the prompt offers."""
        known = (member for member in self.members.values() if member.user_id in self.users)
        return {member.user_id: (member.name, *member.aliases) for member in known}

    @property
    def told_before(self) -> Sequence[Said]:
        """What was told before these messages."""
        return ()

    @cached_property
    def grounds(self) -> Grounds:
        """What was said, and what was told before it."""
        said = said_in(self.messages, time_zone=self.time_zone)
        return Grounds([*self.told_before, *said], names=self.called)

    def grounds_of(self, whose: int | None) -> Grounds:
        """Return what was said, and what was told before it."""
        return self.grounds

    def at(self, message: Message, form: str = "%H:%M") -> str:
        """Return when a message was written, in the guild's time."""
        return format(message.timestamp.astimezone(ZoneInfo(self.time_zone)), form)

    def line(
        self, message: Message, words: str, *, at: str | None, by: str | None = None, **ids: str | None
    ) -> Markup:
        """Return `words` of a message as a line; its author is signed by the short id, or as `by`."""
        author = by or self.users.short(message.user_id)
        return framing.said(shortened(words, self.users), by=author, at=at, **ids)

    def talk(
        self,
        said: Sequence[tuple[Message, str]],
        *,
        form: str = "%H:%M",
        channels: Mapping[int, str] | None = None,
    ) -> Markup:
        """Return messages with their words as lines, oldest first.

        Ids stand where one answers another, the time (if there is a `form` for it) and the channel where they change.
        """
        here = {message.message_id for message, _ in said}
        answered = {message.reply_to_id for message, _ in said if message.reply_to_id in here}
        ids = LocalIds("m")
        sayings = (
            framing.Saying(
                text=shortened(words, self.users),
                by=self.users.short(message.user_id),
                at=self.at(message, form) if form else "",
                short_id=ids.short(message.message_id) if message.message_id in answered else None,
                reply_to=ids.short(replied) if (replied := message.reply_to_id) and replied in here else None,
                under=channels.get(message.channel_id, "") if channels else "",
            )
            for message, words in said
        )
        return framing.block("messages", framing.talk(sayings))

    def member_tags(self, kinds: Mapping[int, MessageKind | None]) -> Markup:
        """Return for each member the tag that says who it is; the kind is of what they said."""
        return framing.lines(self.member_tag(user_id, kind) for user_id, kind in kinds.items())

    def member_tag(
        self, user_id: int, kind: MessageKind | None = None, *, also_known_as: str | None = None
    ) -> Markup:
        """Return the tag that says who a short id is; `kind` is of what they said, if that is not a member's."""
        return framing.tag(
            "member",
            id=self.users.short(user_id),
            name=self.members[user_id].name if user_id in self.members else None,
            also_known_as=also_known_as,
            kind=None if kind is MessageKind.MEMBER else kind,
        )


def words_of(message: Message, *, most: int) -> str:
    """Return the text and the attachments of a message; of what is longer than `most` characters its beginning."""
    words = " ".join(one[:most] for one in (message.text, *message.attachments))
    return words if len(message.text) <= most else f"{words}…"


def message_tokens(message: Message, *, most: int, head: int) -> int:
    """Return about how many tokens `words_of` a message take on a line whose head takes `head` of them itself."""
    return head + estimated_tokens(words_of(message, most=most))


def leading(costs: Iterable[int], limit: int, *, least: int = 0) -> int:
    """Return how many of `costs`, the first ones, come to `limit` at most together; `least` if that is more."""
    count = 0
    for total in accumulate(costs):
        if total > limit and count >= least:
            break
        count += 1
    return count


def whole_lines(
    lines: Iterable[tuple[T, str]], *, limit: int, allowed: Callable[[str], bool] | None = None
) -> list[T]:
    """Return what stands beside those `lines`, the best first, that have room in `limit` characters, each whole.

    Of those that would have room only such as are `allowed`; of others that is not even asked.
    """
    kept: list[T] = []
    left = limit
    for one, line in lines:
        if len(line) < left and (allowed is None or allowed(line)):
            kept.append(one)
            left -= len(line) + 1
    return kept


_ROUNDS: Final = 3
"""So often a text is made anew when something of its sources is taken back meanwhile; then it waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDependencies:
    """What every part of the memory may need."""

    database: Database
    directory: Directory
    operations: Operations
    clock: Clock
    clock_watch: ClockWatch
    settings: Settings
    hasher: Hasher
    notify: Callable[[], None]
    """Called after a commit that asked for background work."""
    services: Services
    """What runs the loops of the process."""

    @property
    def gap(self) -> timedelta:
        """After a silence of this length a conversation is over."""
        return timedelta(minutes=self.settings.conversation_gap_minutes)

    async def members_in(
        self,
        messages: Iterable[Message],
        *texts: str,
        guild_id: int,
        audiences: Sequence[int] = (OPEN,),
        user_ids: Iterable[int] = (),
    ) -> dict[int, Member]:
        """Return by id the authors of `messages`, everybody mentioned in them or in `texts`, and these members.

        Members who share a name with one of them are added; all have the aliases that facts of these audiences give
        them.
        """
        ids = set(user_ids)
        for message in messages:
            ids |= {message.user_id, *mentioned_in(" ".join((message.text, *message.attachments)))}
        ids.update(user_id for text in texts for user_id in mentioned_in(text))
        known = await self.directory.members_with_ids(guild_id, ids, audiences=audiences)
        return {member.user_id: member for member in known}


ANY_EPOCH: Final = -1
"""Of a text that a forgetting elsewhere in the guild does not touch: its `store` looks for what was taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What one text is made from, as it was read; each kind adds what else it needs."""

    guild_id: int
    place: str
    """Which text it is, for the log: ids alone."""
    memory_epoch: int = ANY_EPOCH
    """As it was before the rest was read."""
    messages: Sequence[Message] = ()
    """All whose words were read."""
    told_ids: Sequence[int] = ()
    """Further messages, of which an older text tells that was read."""
    user_id: int = 0
    """On whose account a model is asked; 0 for nobody's."""
    patience: Patience = Patience.BACKGROUND
    """Whether somebody waits for what a model tells."""


async def epoch_of(connection: Connection, *, guild_id: int) -> int:
    """Return the epoch of a guild's memory, to be read before what may be taken back; 0 if the guild is not known."""
    found: int | None = await connection.fetchval(
        "SELECT memory_epoch FROM guilds WHERE guild_id = $1", guild_id
    )
    return found or 0


async def still_stand(connection: Connection, sources: Sources) -> bool:
    """Tell whether nothing was forgotten since the epoch of `sources`, and all messages still say the same in the same
    place.

    Everything is locked until commit: whoever takes something back meanwhile waits, and then finds what was stored.
    """
    if sources.memory_epoch != ANY_EPOCH:
        epoch: int = await connection.fetchval(
            "SELECT coalesce((SELECT memory_epoch FROM guilds WHERE guild_id = $1 FOR SHARE), 0)",
            sources.guild_id,
        )
        if epoch != sources.memory_epoch:
            return False
    read = {message.message_id: message for message in sources.messages}
    ids = sorted({*read, *sources.told_ids})
    if not ids:
        return True
    standing: int = await connection.fetchval(
        """
        SELECT count(*) FROM (
            SELECT FROM chat_history said
            JOIN unnest($2::bigint[], $3::bigint[], $4::timestamptz[]) AS read (message_id, audience, edited_at)
                USING (message_id)
            WHERE said.guild_id = $1 AND said.withheld IS NULL AND (read.audience IS NULL
                OR said.audience = read.audience AND said.edited_at IS NOT DISTINCT FROM read.edited_at)
            ORDER BY message_id FOR SHARE OF said
        ) AS held
        """,
        sources.guild_id, ids, [read[one].audience if one in read else None for one in ids],
        [read[one].edited_at if one in read else None for one in ids],
    )  # fmt: skip
    return standing == len(ids)


KeyT = TypeVar("KeyT")
SourcesT = TypeVar("SourcesT", bound=Sources)
ToldT = TypeVar("ToldT")


class JobMaker(Protocol):
    """What makes texts as background work."""

    async def make(self, key: Job) -> None:
        """Make the text that the job names."""


class Maker(ABC, Generic[KeyT, SourcesT, ToldT]):
    """Makes the texts of one kind; a subclass says what is read, asked and stored.

    The caller of `make` must ensure that a text is made only once at a time, as the job queue and `SingleFlight` do.
    """

    def __init__(self, needs: MemoryDependencies) -> None:
        self._needs = needs

    @abstractmethod
    async def read(self, connection: Connection, key: KeyT) -> SourcesT | None:
        """Return what the text that `key` names is made from; `None` if there is nothing to do."""

    @abstractmethod
    async def tell(self, sources: SourcesT) -> ToldT:
        """Return the text made from the sources, by a model or without; no connection is held meanwhile."""

    @abstractmethod
    async def store(self, connection: Connection, sources: SourcesT, told: ToldT) -> bool:
        """Store the text; return `False`, and do nothing, to have it made again.

        It is called in the transaction in which the sources were found to be unchanged. It may be called twice.
        """

    async def sources(self, key: KeyT) -> SourcesT | None:
        """Return what `read` does, on a connection of its own."""
        return await self._needs.database.read(self.read, key)

    def stored(self, sources: SourcesT, told: ToldT) -> None:
        """Do what follows the commit. What it raises has a job tried again after a pause."""

    async def make(self, key: KeyT) -> None:
        """Make one text. Raises `DatabaseError` if its sources change faster than that, or it cannot be stored."""
        place = ""
        for _ in range(_ROUNDS):
            sources = await self.sources(key)
            if sources is None:
                return
            told = await self.tell(sources)
            if await self._is_stored(sources, told):
                self.stored(sources, told)
                return
            place = sources.place
        raise DatabaseError(f"{place} changes faster than it is told")

    async def redacted(
        self, connection: Connection, sources: SourcesT, text: str, *, whose: int | None = None
    ) -> str:
        """Return `text` without the sentences that may not be kept about those it may be about."""
        subject_ids = {*(message.user_id for message in sources.messages), *mentioned_in(text)}
        return await redacted(
            connection,
            self._needs.hasher,
            guild_id=sources.guild_id,
            subject_ids=[GUILD_SUBJECT, *sorted(subject_ids)],
            text=text,
            whose=whose,
        )

    async def _is_stored(self, sources: SourcesT, told: ToldT) -> bool:
        """Store it, in a second try if the database fails at the first: what a model told is not asked for twice."""
        try:
            return await self._needs.database.write(self._store, sources, told)
        except DatabaseError as error:
            logger.warning(
                "%s of guild %d is stored again: %s", sources.place, sources.guild_id, trace(error)
            )
            return await self._needs.database.write(self._store, sources, told)

    async def _store(self, connection: Connection, sources: SourcesT, told: ToldT) -> bool:
        return await still_stand(connection, sources) and await self.store(connection, sources, told)


class Teller(ABC, Generic[SourcesT, GivenT, AnswerT]):
    """Tells texts by one question; what is told is what the operation was given, and how it ended."""

    def __init__(self, needs: MemoryDependencies, operation: Operation[GivenT, AnswerT]) -> None:
        self._needs = needs
        self._operation = operation

    @abstractmethod
    async def given(self, sources: SourcesT) -> GivenT:
        """Return what the operation is given."""

    def is_worth_asking(self, sources: SourcesT) -> bool:
        """Tell whether a model is asked about it; else the fallback answers at once."""
        return True

    async def tell(self, sources: SourcesT) -> tuple[GivenT, Outcome[AnswerT]]:
        """Ask the question."""
        given = await self.given(sources)
        operations = self._needs.operations if self.is_worth_asking(sources) else Operations()
        asker = Asker(guild_id=sources.guild_id, user_id=sources.user_id, patience=sources.patience)
        outcome = await operations.run(self._operation, given, asker=asker)
        logger.info(
            "%s of guild %d: %s from %d messages, %d tokens, %.1f s%s",
            sources.place,
            sources.guild_id,
            self._operation.name,
            len(sources.messages),
            outcome.tokens,
            outcome.seconds,
            ", by no model" if outcome.degraded else "",
        )
        return given, outcome


class OperationMaker(
    Teller[SourcesT, GivenT, AnswerT],
    Maker[KeyT, SourcesT, tuple[GivenT, Outcome[AnswerT]]],
    Generic[KeyT, SourcesT, GivenT, AnswerT],
):
    """Makes texts that one question tells."""

    async def _is_stored(self, sources: SourcesT, told: tuple[GivenT, Outcome[AnswerT]]) -> bool:
        is_stored = await super()._is_stored(sources, told)
        if is_stored:
            made = TextMade(operation=self._operation.name, by_model=told[1].model is not None)
            self._needs.database.meter.note(made)
        return is_stored
