"""The digest for a member who was away: reads the unread messages, has a model summarise them in one call, and checks
the result.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.core.domain import Language, Message
from bot.db.pool import Connection
from bot.db.rows import rows_as
from bot.llm.operation import Patience
from bot.memory.derived.engine import MemoryDependencies, Sources, Teller
from bot.memory.messages.repository import MESSAGE_COLUMNS
from bot.memory.policy.disclosure import without_naming
from bot.memory.policy.permissions import ReadScope
from bot.memory.policy.redaction import without_opted_out
from bot.memory.policy.repository import asked_of_bot, of_present
from bot.memory.summaries.digest_prompt import (
    TELL_DIGEST,
    DigestInput,
    DigestTopic,
    DigestTopics,
    MissedTalk,
    by_busiest,
    talks_of,
    text_of,
)
from bot.text.languages import either
from bot.text.sensitive import without_sensitive

_LOOKED_THROUGH: Final = 4_000
"""The newest messages of a guild that are looked through at most, whatever may be told of them."""

_PER_CHANNEL: Final = 150
"""Messages of one channel, so that a busy one leaves room for the others."""

_GREETING: Final = rf"^\W*({either('only_greets')}\W*)+$"
"""Who only greets has come back, and asks next what was said before that."""

_LONGEST_GREETING: Final = 40


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


async def unread_messages(
    connection: Connection, wanted: DigestRequest, *, now: datetime
) -> tuple[list[Message], int]:
    """Return what members said since the asker's own last message in each channel, and how much that is in all.

    The newest messages come, oldest first. Where the asker said nothing for as long as anybody is told of, their last
    message anywhere counts. If a moment is asked for, everything since then is told, the asker's own messages too. Only
    what the view shows, in channels that it shows today; commands and questions to the bot, visitors' words, and those
    of members of whom nothing is kept or others are told nothing are no part of it.
    """
    earliest = now - LONGEST_AWAY
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
                  WHERE a.guild_id = $1 AND a.message_id = h.message_id AND {asked_of_bot("h", text="text")}
              )
        )
        SELECT * FROM missed WHERE place <= {_PER_CHANNEL}
        ORDER BY message_id DESC LIMIT $8
        """,
        wanted.view.guild_id, wanted.asker_id, list(wanted.view.audiences), wanted.channel_id,
        max(earliest, wanted.since or earliest), wanted.since is not None, wanted.before_message_id, _MOST_MESSAGES,
        _GREETING, None if wanted.readable_ids is None else list(wanted.readable_ids),
    )  # fmt: skip
    return rows_as(Message, rows[::-1]), rows[0]["total"] if rows else 0


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Missed(Sources):
    """What was missed, as it was read; its `messages` are the newest of them."""

    wanted: DigestRequest
    talks: Sequence[MissedTalk]
    total: int
    """How many messages were missed: in the talks, and what is older than all of them."""


class Digests(Teller[_Missed, DigestInput, DigestTopics]):
    """Tells what a member missed. A digest is made for one reader and not stored."""

    def __init__(self, needs: MemoryDependencies) -> None:
        super().__init__(needs, TELL_DIGEST)

    async def missed(self, wanted: DigestRequest) -> Digest:
        """Return what was said while somebody was away, as far as the view of the place shows it.

        What is taken back while a model thinks is told by nobody: then the conversations stand as they are now.
        Raises `DatabaseError`.
        """
        missed = await self._read(wanted)
        if not missed.talks:
            return Digest()
        given, outcome = await self.tell(missed)
        if outcome.model is not None:
            now = await self._read(wanted)
            texts = {message.message_id: message.text for message in now.messages}
            if all(texts.get(one.message_id) == one.text for one in given.offered.values()):
                told = await self._tellable(wanted, _by_topic(given, outcome.value))
                if told:
                    return Digest(
                        told=told,
                        by_topic=True,
                        not_told=missed.total - len(given.offered),
                        message_ids=tuple(given.offered),
                    )
            missed, given = now, await self.given(now)
        entries = [_told(given, topic.text, topic) for topic in by_busiest(given).topics]
        return Digest(
            told=await self._tellable(wanted, entries),
            not_told=missed.total - sum(one.messages for one in entries),
            message_ids=tuple(one.begins.message_id for one in entries),
            degraded=outcome.degraded or outcome.model is not None,
        )

    async def given(self, sources: _Missed) -> DigestInput:
        """Return the conversations that were missed."""
        wanted, guild_id = sources.wanted, sources.guild_id
        return DigestInput(
            talks=sources.talks,
            members=await self._needs.members_in(
                sources.messages, guild_id=guild_id, audiences=wanted.view.audiences
            ),
            channel_names={
                channel.channel_id: channel.name for channel in await self._needs.directory.channels(guild_id)
            },
            language=wanted.language,
            time_zone=wanted.time_zone,
        )

    async def _read(self, wanted: DigestRequest) -> _Missed:
        messages: list[Message] = []
        total = 0
        if wanted.view.audiences:
            messages, total = await self._needs.database.survey(
                unread_messages, wanted, now=self._needs.clock.now()
            )
        talks = talks_of(messages, asker_id=wanted.asker_id, gap=self._needs.gap)
        return _Missed(
            guild_id=wanted.view.guild_id,
            place=f"what member {wanted.asker_id} missed",
            messages=messages,
            user_id=wanted.asker_id,
            patience=Patience.FOREGROUND,
            wanted=wanted,
            talks=talks,
            total=total - len(messages) + sum(len(talk.messages) for talk in talks),
        )

    async def _tellable(self, wanted: DigestRequest, told: Sequence[DigestEntry]) -> tuple[DigestEntry, ...]:
        """Return `told` without the sentences that name members about whom nothing is kept or told to others."""
        guild_id = wanted.view.guild_id
        left = await self._needs.database.read(
            without_opted_out, guild_id=guild_id, texts=[one.text for one in told]
        )
        private_ids = await self._needs.directory.private_ids(guild_id) - {wanted.asker_id}
        texts = [without_naming(text, private_ids) for text in left]
        return tuple(replace(one, text=text) for one, text in zip(told, texts, strict=True) if text)


def _by_topic(given: DigestInput, topics: DigestTopics) -> list[DigestEntry]:
    """Return what a model told, without what is nobody else's business; it may be nothing."""
    told = ((topic, without_sensitive(text_of(given, topic))) for topic in topics.topics)
    return [_told(given, text, topic) for topic, text in told if text]


def _told(given: DigestInput, text: str, topic: DigestTopic) -> DigestEntry:
    message_id = given.ids.long(topic.message)
    talk = given.talk_of(message_id)
    return DigestEntry(
        text=text,
        begins=next(one for one in talk.messages if one.message_id == message_id),
        channel_name=given.channel_names.get(talk.first.channel_id, ""),
        people=talk.people,
        messages=len(talk.messages),
    )
