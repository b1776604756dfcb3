"""The digest for a member who was away: the unread messages are read, summed up by one call to a model,
and checked once more.
"""

import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.core.domain import Language, Message
from bot.db.pool import Connection
from bot.db.rows import rows_as
from bot.llm.operation import Asker, Patience
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.messages.repository import MESSAGE_COLUMNS
from bot.memory.policy.disclosure import without_naming
from bot.memory.policy.permissions import ReadScope
from bot.memory.policy.redaction import without_opted_out
from bot.memory.policy.repository import of_present
from bot.memory.summaries.digest_prompt import (
    TELL_DIGEST,
    DigestInput,
    DigestTopics,
    by_busiest,
    talks_of,
    text_of,
)
from bot.text.sensitive import without_sensitive

logger = logging.getLogger(__name__)


_LOOKED_THROUGH: Final = 4_000
"""The newest messages of a guild that are looked through at most, whatever may be told of them."""

_PER_CHANNEL: Final = 150
"""Messages of one channel, so that a busy one leaves room for the others."""

_GREETING: Final = (
    r"^\W*((hi|hey|hello|hiya|yo|sup|good|morning|afternoon|evening|back|again|i'?m|all|everyone|everybody|folks|there|guys"
    r"|привет|приветик|здравствуй|здравствуйте|добрый|доброе|доброго|утро|утра|день|дня|вечер|вечера|всем|хай|ку"
    r"|я|снова|опять|тут|здесь|вернул(ся|ась))\W*)+$"
)
"""Who only greets has come back, and asks next what was said before that."""

_LONGEST_GREETING: Final = 40


@dataclass(frozen=True, slots=True)
class UnreadMessages:
    """What somebody has not read yet."""

    messages: Sequence[Message]
    """The newest, oldest first."""
    total: int
    """How many there are with those that were left out."""


async def unread_messages(
    connection: Connection,
    *,
    guild_id: int,
    asker_id: int,
    audiences: Sequence[int],
    channel_id: int | None,
    since: datetime,
    whole: bool,
    before_message_id: int,
    readable_ids: Collection[int] | None = None,
    limit: int,
) -> UnreadMessages:
    """Return what members said since the asker's own last message in each channel, `since` a moment at most.

    Where the asker said nothing since then, their last message anywhere counts. With `whole` everything since that
    moment is told, the asker's own messages too. Only what was said
    in `readable_ids`, if these are known. `channel_id` narrows it down to a channel with its threads. Only what
    `audiences` may see in channels that they may see today; commands to the bot, visitors' words, and those of members
    of whom nothing is kept or others are told nothing are no part of it.
    """
    rows = await connection.fetch(
        f"""
        WITH own AS MATERIALIZED (
            SELECT channel_id, max(message_id) AS last_id FROM chat_history h
            WHERE guild_id = $1 AND user_id = $2 AND timestamp >= $5 AND message_id < $7 AND NOT $6
              AND NOT (char_length(message_text) BETWEEN 1 AND {_LONGEST_GREETING} AND message_text ~* $9)
              AND NOT EXISTS (
                  SELECT FROM answers a
                  WHERE a.guild_id = $1 AND a.message_id = h.message_id AND a.route = 'catch_up'
              )
            GROUP BY channel_id
        ), latest AS MATERIALIZED (
            SELECT {MESSAGE_COLUMNS} FROM chat_history
            WHERE guild_id = $1 AND timestamp >= $5 AND message_id < $7
              AND ($4::bigint IS NULL OR channel_id = $4 OR channel_id IN (
                  SELECT c.channel_id FROM channels c WHERE c.guild_id = $1 AND c.parent_id = $4
              ))
            ORDER BY timestamp DESC, message_id DESC LIMIT {_LOOKED_THROUGH}
        ), missed AS (
            SELECT h.*, count(*) OVER () AS total,
                   row_number() OVER (PARTITION BY h.channel_id ORDER BY h.message_id DESC) AS place
            FROM latest h
            LEFT JOIN channels c ON c.guild_id = $1 AND c.channel_id = h.channel_id
            LEFT JOIN own ON own.channel_id = h.channel_id
            WHERE h.kind = 'member' AND h.withheld IS NULL AND NOT h.from_visitor
              AND h.audience = ANY($3::bigint[])
              AND ($10::bigint[] IS NULL OR h.channel_id = ANY($10))
              AND (c.channel_id IS NULL OR c.audience = ANY($3::bigint[]) AND c.deleted_at IS NULL)
              AND ($6 OR h.user_id <> $2
                   AND h.message_id > coalesce(own.last_id, (SELECT max(last_id) FROM own), 0))
              AND {of_present("h.user_id")}
              AND (h.user_id = $2 OR NOT EXISTS (
                  SELECT FROM members m WHERE m.guild_id = $1 AND m.user_id = h.user_id AND m.private
              ))
              AND NOT EXISTS (
                  SELECT FROM answers a
                  WHERE a.guild_id = $1 AND a.message_id = h.message_id AND a.route NOT IN ('chat', 'none')
              )
        )
        SELECT * FROM missed WHERE place <= {_PER_CHANNEL}
        ORDER BY message_id DESC LIMIT $8
        """,
        guild_id, asker_id, list(audiences), channel_id, since, whole, before_message_id, limit, _GREETING,
        None if readable_ids is None else list(readable_ids),
    )  # fmt: skip
    return UnreadMessages(messages=rows_as(Message, rows[::-1]), total=rows[0]["total"] if rows else 0)


LONGEST_AWAY: Final = timedelta(days=7)
"""Nobody is told of more."""

_MOST_MESSAGES: Final = 400
"""Messages that are told of at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestRequest:
    """Who wants to catch up, and with what."""

    view: ReadScope
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
class DigestEntry:
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
class Digest:
    """What was missed."""

    told: tuple[DigestEntry, ...] = ()
    by_topic: bool = False
    """A model told it; else these are the busiest conversations, each by its first words."""
    not_told: int = 0
    """How many messages before these are left out."""
    message_ids: tuple[int, ...] = ()
    """The messages that it is told from."""
    degraded: bool = False


class Digests:
    """Tells what was missed."""

    def __init__(self, needs: MemoryDependencies) -> None:
        self._needs = needs

    async def missed(self, wanted: DigestRequest) -> Digest:
        """Return what was said while somebody was away, as far as the view of the place shows it.

        What is taken back while a model thinks is told by nobody: then the conversations stand as they are now.
        Raises `DatabaseError`.
        """
        unread = await self._read(wanted)
        absence = await self._absence(wanted, unread)
        if not absence.talks:
            return Digest()
        outcome = await self._needs.operations.run(
            TELL_DIGEST,
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
                    return Digest(
                        told=told,
                        by_topic=True,
                        not_told=_total(absence, unread) - len(absence.offered),
                        message_ids=tuple(absence.offered),
                    )
            unread, absence = now, await self._absence(wanted, now)
        missed = _as_they_are(absence, unread, degraded=outcome.degraded or outcome.model is not None)
        return replace(missed, told=await self._tellable(wanted, missed.told))

    async def _read(self, wanted: DigestRequest) -> UnreadMessages:
        if not wanted.view.audiences:
            return UnreadMessages((), 0)
        earliest = self._needs.clock.now() - LONGEST_AWAY
        return await self._needs.database.read(
            unread_messages,
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

    async def _tellable(self, wanted: DigestRequest, told: Sequence[DigestEntry]) -> tuple[DigestEntry, ...]:
        """Return `told` without the sentences that name members of whom nothing is kept or told to others."""
        guild_id = wanted.view.guild_id
        left = await self._needs.database.read(
            without_opted_out, guild_id=guild_id, texts=[one.text for one in told]
        )
        private_ids = await self._needs.directory.private_ids(guild_id) - {wanted.asker_id}
        texts = [without_naming(text, private_ids) for text in left]
        return tuple(replace(one, text=text) for one, text in zip(told, texts, strict=True) if text)

    async def _absence(self, wanted: DigestRequest, unread: UnreadMessages) -> DigestInput:
        talks = talks_of(unread.messages, asker_id=wanted.asker_id, gap=self._needs.gap)
        if not talks:
            return DigestInput((), {}, {}, wanted.language)
        guild_id = wanted.view.guild_id
        everyone = await self._needs.directory.members(guild_id, audiences=wanted.view.audiences)
        return DigestInput(
            talks=talks,
            members={member.user_id: member for member in everyone},
            channel_names={
                channel.channel_id: channel.name for channel in await self._needs.directory.channels(guild_id)
            },
            language=wanted.language,
            time_zone=wanted.time_zone,
        )


def _total(absence: DigestInput, unread: UnreadMessages) -> int:
    """Count what was missed: in the conversations that are told of, and what is older than all of them."""
    older = unread.total - len(unread.messages)
    return older + sum(len(talk.messages) for talk in absence.talks)


def _still_stand(told: Iterable[Message], now: UnreadMessages) -> bool:
    texts = {message.message_id: message.text for message in now.messages}
    return all(texts.get(message.message_id) == message.text for message in told)


def _by_topic(absence: DigestInput, topics: DigestTopics) -> tuple[DigestEntry, ...]:
    """Return what a model told, without what is nobody else's business; it may be nothing."""
    told = []
    for topic in topics.topics:
        text = without_sensitive(text_of(absence, topic))
        if text:
            told.append(_told(absence, text, absence.ids.long(topic.message)))
    return tuple(told)


def _as_they_are(absence: DigestInput, unread: UnreadMessages, *, degraded: bool) -> Digest:
    told = tuple(
        _told(absence, topic.text, absence.ids.long(topic.message)) for topic in by_busiest(absence).topics
    )
    return Digest(
        told=told,
        not_told=_total(absence, unread) - sum(one.messages for one in told),
        message_ids=tuple(one.begins.message_id for one in told),
        degraded=degraded,
    )


def _told(absence: DigestInput, text: str, message_id: int) -> DigestEntry:
    talk = absence.talk_of(message_id)
    return DigestEntry(
        text=text,
        begins=next(one for one in talk.messages if one.message_id == message_id),
        channel_name=absence.channel_names.get(talk.first.channel_id, ""),
        people=talk.people,
        messages=len(talk.messages),
    )
