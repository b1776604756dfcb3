"""The door to catching up: what was missed is read, told by one call to a model, and looked at once more."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock
from bot.domain import Language, Message
from bot.language.operation import Asker, Operations, Patience
from bot.memory.audience import View
from bot.memory.catchup.question import CATCH_UP, Absence, Topics, by_busiest, text_of
from bot.memory.catchup.talks import talks_of
from bot.memory.directory import Directory
from bot.memory.sayable import of_present
from bot.memory.sensitive import without_sensitive
from bot.memory.telling_others import without_naming
from bot.store import catchup
from bot.store.catchup import Unread
from bot.store.database import Database

logger = logging.getLogger(__name__)

LONGEST_AWAY: Final = timedelta(days=7)
"""Nobody is told of more."""

_MOST_MESSAGES: Final = 400
"""Messages that are told of at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Who wants to catch up, and with what."""

    view: View
    """What may be told where it is asked; nothing to a visitor."""
    asker_id: int
    before_message_id: int
    """The question itself, or an id of its moment."""
    language: Language
    time_zone: str
    channel_id: int | None = None
    """Only this channel, with its threads."""
    readable_ids: frozenset[int] | None = None
    """The channels that the asker can read now; `None` where nobody knows."""
    since: datetime | None = None
    """Everything since then, aware; `None`: since the asker's own last message in each channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A topic, or a conversation by its first words."""

    text: str
    """Members as `<@id>`."""
    begins: Message
    """The message with which it begins."""
    channel_name: str
    """Empty for a channel that is not known."""
    people: tuple[int, ...]
    """Who took part in the conversation that it belongs to, whoever said most first."""
    messages: int
    """How many messages of that conversation were missed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """What was missed."""

    told: tuple[Told, ...] = ()
    by_topic: bool = False
    """A model told it; else these are the busiest conversations, each by its first words."""
    not_told: int = 0
    """How many messages before these are left out."""
    message_ids: tuple[int, ...] = ()
    """The messages that it is told from."""
    degraded: bool = False


class CatchUp:
    """Tells what was missed. After a silence of `gap` a conversation is over."""

    def __init__(
        self,
        database: Database,
        directory: Directory,
        operations: Operations,
        clock: Clock,
        *,
        gap: timedelta,
    ) -> None:
        self._database = database
        self._directory = directory
        self._operations = operations
        self._clock = clock
        self._gap = gap

    async def missed(self, wanted: Wanted) -> Missed:
        """Return what was said while somebody was away, as far as the view of the place shows it.

        What is taken back while a model thinks is told by nobody: then the conversations stand as they are now.
        Raises `DatabaseError`.
        """
        unread = await self._read(wanted)
        absence = await self._absence(wanted, unread)
        if not absence.talks:
            return Missed()
        outcome = await self._operations.run(
            CATCH_UP,
            absence,
            asker=Asker(guild_id=wanted.view.guild_id, user_id=wanted.asker_id, patience=Patience.FOREGROUND),
        )
        logger.info(
            "guild %d, member %d: caught up with %d of %d messages, %s, %.1f s",
            wanted.view.guild_id,
            wanted.asker_id,
            len(absence.offered) if outcome.model else len(unread.messages),
            unread.total,
            "by topic" if outcome.model else "by the busiest conversations",
            outcome.seconds,
        )
        if outcome.model is not None:
            now = await self._read(wanted)
            if _still_stand(absence.offered.values(), now):
                told = await self._tellable(wanted, _by_topic(absence, outcome.value))
                if told:
                    return Missed(
                        told=told,
                        by_topic=True,
                        not_told=_total(absence, unread) - len(absence.offered),
                        message_ids=tuple(absence.offered),
                    )
            unread, absence = now, await self._absence(wanted, now)
        missed = _as_they_are(absence, unread, degraded=outcome.degraded or outcome.model is not None)
        return replace(missed, told=await self._tellable(wanted, missed.told))

    async def _read(self, wanted: Wanted) -> Unread:
        if not wanted.view.audiences:
            return Unread((), 0)
        earliest = self._clock.now() - LONGEST_AWAY
        return await self._database.read(
            lambda connection: catchup.unread(
                connection,
                guild_id=wanted.view.guild_id,
                asker_id=wanted.asker_id,
                audiences=wanted.view.audiences,
                channel_id=wanted.channel_id,
                since=max(earliest, wanted.since or earliest),
                whole=wanted.since is not None,
                before_message_id=wanted.before_message_id,
                readable_ids=wanted.readable_ids,
                limit=_MOST_MESSAGES,
            )
        )

    async def _tellable(self, wanted: Wanted, told: Sequence[Told]) -> tuple[Told, ...]:
        """Return `told` without the sentences that name members of whom nothing is kept or told to others."""
        guild_id = wanted.view.guild_id
        left = await self._database.read(
            lambda connection: of_present(connection, guild_id=guild_id, texts=[one.text for one in told])
        )
        private_ids = await self._directory.private_ids(guild_id) - {wanted.asker_id}
        texts = [without_naming(text, private_ids) for text in left]
        return tuple(replace(one, text=text) for one, text in zip(told, texts, strict=True) if text)

    async def _absence(self, wanted: Wanted, unread: Unread) -> Absence:
        talks = talks_of(unread.messages, asker_id=wanted.asker_id, gap=self._gap)
        if not talks:
            return Absence((), {}, {}, wanted.language)
        guild_id = wanted.view.guild_id
        everyone = await self._directory.members(guild_id, audiences=wanted.view.audiences)
        return Absence(
            talks=talks,
            members={member.user_id: member for member in everyone},
            channel_names={
                channel.channel_id: channel.name for channel in await self._directory.channels(guild_id)
            },
            language=wanted.language,
            time_zone=wanted.time_zone,
        )


def _total(absence: Absence, unread: Unread) -> int:
    """Count what was missed: in the conversations that are told of, and what is older than all of them."""
    older = unread.total - len(unread.messages)
    return older + sum(len(talk.messages) for talk in absence.talks)


def _still_stand(told: Iterable[Message], now: Unread) -> bool:
    texts = {message.message_id: message.text for message in now.messages}
    return all(texts.get(message.message_id) == message.text for message in told)


def _by_topic(absence: Absence, topics: Topics) -> tuple[Told, ...]:
    """Return what a model told, without what is nobody else's business; it may be nothing."""
    told = []
    for topic in topics.topics:
        text = without_sensitive(text_of(absence, topic))
        if text:
            told.append(_told(absence, text, absence.ids.long(topic.message)))
    return tuple(told)


def _as_they_are(absence: Absence, unread: Unread, *, degraded: bool) -> Missed:
    told = tuple(
        _told(absence, topic.text, absence.ids.long(topic.message)) for topic in by_busiest(absence).topics
    )
    return Missed(
        told=told,
        not_told=_total(absence, unread) - sum(one.messages for one in told),
        message_ids=tuple(one.begins.message_id for one in told),
        degraded=degraded,
    )


def _told(absence: Absence, text: str, message_id: int) -> Told:
    talk = absence.talk_of(message_id)
    return Told(
        text=text,
        begins=next(one for one in talk.messages if one.message_id == message_id),
        channel_name=absence.channel_names.get(talk.first.channel_id, ""),
        people=talk.people,
        messages=len(talk.messages),
    )
