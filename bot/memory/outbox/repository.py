"""SQL of answers: one claim per message, what is written before anything is sent, what was sent, edits,
and questions that wait for a reply.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Final
from uuid import UUID

from bot.core.domain import Message, Waiting
from bot.db.leases import is_free
from bot.db.pool import Connection, Row
from bot.db.rows import columns_of, row_as, rows_as
from bot.memory.guilds.repository import PLACE_COLUMNS, PLACE_TABLES, Place
from bot.memory.messages import repository_writing
from bot.memory.outbox.standing import Standing, all_held, holding


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer as it is kept."""

    guild_id: int
    message_id: int
    """The message that is answered."""
    channel_id: int
    user_id: int
    route: str
    state: str
    fact_ids: tuple[int, ...]
    """The facts that it wrote."""
    memory_ids: tuple[int, ...]
    """The facts that it told, or was given."""
    quoted_ids: tuple[int, ...]
    """The messages that it quoted, or that were found for it."""
    episode_ids: tuple[int, ...]
    """The episodes that it was given."""
    question: str | None
    """What the bot asked back, as JSON, until it is settled."""
    settled_by: int | None
    """The message that settled it."""
    parts: tuple[str, ...]
    sent_ids: tuple[int, ...]
    nonce: str | None
    """Under which its beginning was sent before it was whole; `None` if it is shown as a whole only."""
    degraded: bool
    edited_at: datetime | None
    """When the version of the message was written that is answered; `None` for the first."""
    answered_at: datetime

    @property
    def is_written(self) -> bool:
        """Whether it was written down as a whole, be it to stay silent."""
        return self.state != "claimed"

    @property
    def is_begun(self) -> bool:
        """Whether its beginning may stand where it is to be said, in `sent_ids` as far as they were noted."""
        return self.nonce is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAnswer:
    """What will be sent in answer to a message, and what it wrote, tells, quotes and asks."""

    route: str
    parts: tuple[str, ...] = ()
    fact_ids: tuple[int, ...] = ()
    memory_ids: tuple[int, ...] = ()
    quoted_ids: tuple[int, ...] = ()
    episode_ids: tuple[int, ...] = ()
    question: str | None = None
    degraded: bool = False
    is_turn: bool = False
    """It is a turn of the member as soon as it is delivered."""


ANSWER_COLUMNS: Final = columns_of(Answer, question="question::text")

_UNFINISHED: Final = """
    (state = 'written' AND cardinality(parts) > 0 OR state = 'claimed' AND nonce IS NOT NULL)
"""
"""Written down and not sent, or shown in part. Partial indexes find both."""


async def claim_answer(
    connection: Connection,
    *,
    guild_id: int,
    message_id: int,
    channel_id: int,
    user_id: int,
    holder: UUID,
    lease: timedelta,
    edited_at: datetime | None,
    now: datetime,
    living: Sequence[UUID] | None = None,
) -> Answer | None:
    """Claim the answer to a message for `holder`; `None` if somebody else answers or has answered it.

    A claim whose `lease` has run out in real time, since its holder died, may be taken over; if `living` are all
    holders that can be alive, then at once. What the dead one had written down and not sent is in what is returned.
    """
    row = await connection.fetchrow(
        f"""
        INSERT INTO answers AS known
            (guild_id, message_id, channel_id, user_id, route, state, holder, leased_until, edited_at, answered_at)
        VALUES ($1, $2, $3, $4, 'none', 'claimed', $5, clock_timestamp() + $6, $7, $8)
        ON CONFLICT (guild_id, message_id) DO UPDATE
            SET holder = excluded.holder, leased_until = excluded.leased_until
        WHERE known.state IN ('claimed', 'written')
          AND (known.holder = excluded.holder OR {is_free("known")}
               OR known.holder <> ALL($9::uuid[]))
        RETURNING {ANSWER_COLUMNS}
        """,
        guild_id, message_id, channel_id, user_id, holder, lease, edited_at, now,
        None if living is None else list(living),
    )  # fmt: skip
    return row_as(Answer, row)


async def held_answer(
    connection: Connection, *, guild_id: int, message_id: int, holder: UUID
) -> Answer | None:
    """Return the answer that `holder` has claimed, and let nobody take it over before commit; `None` if it is not."""
    row = await connection.fetchrow(
        f"SELECT {ANSWER_COLUMNS} FROM answers WHERE guild_id = $1 AND message_id = $2 AND holder = $3 FOR UPDATE",
        guild_id, message_id, holder,
    )  # fmt: skip
    return row_as(Answer, row)


async def take_over_answer(
    connection: Connection,
    *,
    guild_id: int,
    message_id: int,
    holder: UUID,
    lease: timedelta,
    living: Sequence[UUID],
) -> Answer | None:
    """Claim for `holder` an answer that was written down and not sent, or shown in part; `None` without one.

    Neither one of `living` claimed it, or their lease of it has run out.
    """
    row = await connection.fetchrow(
        f"""
        UPDATE answers SET holder = $3, leased_until = clock_timestamp() + $4
        WHERE guild_id = $1 AND message_id = $2 AND {_UNFINISHED}
          AND (holder <> ALL($5::uuid[]) OR {is_free("answers")})
        RETURNING {ANSWER_COLUMNS}
        """,
        guild_id, message_id, holder, lease, list(living),
    )  # fmt: skip
    return row_as(Answer, row)


async def write_answer(
    connection: Connection,
    *,
    guild_id: int,
    message_id: int,
    holder: UUID,
    written: NewAnswer,
    told: Standing | None = None,
    memory_epoch: int | None = None,
) -> bool:
    """Write down what will be sent in answer to a message; without parts it stays silent.

    A silent one to a member of whom nothing is kept is to nobody. `False`, and nothing done, if the claim is no longer
    `holder`'s, if the answer is written down already, or if something that it has `told` lost its text
    since `memory_epoch` was read.
    """
    told = told or Standing()
    # An answer that tells nothing waits for nobody who writes.
    held = ("", "true") if told == Standing() else (holding(13), all_held(13))
    kept = await connection.fetchval(
        f"""
        {held[0]}
        UPDATE answers
        SET route = $4, parts = $5, fact_ids = $6, memory_ids = $7, quoted_ids = $8, question = $9::text::jsonb,
            degraded = $10, state = CASE WHEN cardinality($5::text[]) > 0 THEN 'written' ELSE 'silent' END,
            turn = CASE WHEN $11 THEN 'awaited' END, episode_ids = $12,
            user_id = CASE WHEN cardinality($5::text[]) = 0 AND keeps_nothing(guild_id, user_id)
                THEN 0 ELSE user_id END
        WHERE guild_id = $1 AND message_id = $2 AND holder = $3 AND state = 'claimed'
          AND {held[1]}
        RETURNING true
        """,
        guild_id, message_id, holder, written.route, list(written.parts), list(written.fact_ids),
        list(written.memory_ids), list(written.quoted_ids), written.question, written.degraded, written.is_turn,
        list(written.episode_ids), *(() if told == Standing() else (*told.parameters, memory_epoch)),
    )  # fmt: skip
    return bool(kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class WipedAnswers:
    """What lost its text with some facts and messages."""

    sent_ids: tuple[int, ...]
    """The bot's messages that are one of the answers."""
    elsewhere: tuple[int, ...]
    """The other guilds, which are direct messages, in which the bot has told any of the facts."""


async def commands_of(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> list[int]:
    """Return the messages of members whose answers wrote one of these facts by a command that said it."""
    rows = await connection.fetch(
        """
        SELECT message_id FROM answers
        WHERE guild_id = $1 AND route IN ('remember', 'correct')
          AND (fact_ids && $2::bigint[] OR memory_ids && $2::bigint[])
        ORDER BY message_id
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return [row["message_id"] for row in rows]


async def wipe_answers(
    connection: Connection,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    message_ids: Sequence[int],
    episode_ids: Sequence[int] = (),
) -> WipedAnswers:
    """Take the text from the answers that told these facts or episodes, quoted, answered or are one of these messages.

    Facts and episodes have lost their text before; the messages are held until they do. So whoever writes such an
    answer down at this moment has done it before, or finds that what it tells is gone.
    """
    if message_ids:
        await repository_writing.hold_messages(connection, guild_id=guild_id, message_ids=message_ids)
    row = await connection.fetchrow(
        """
        WITH wiped AS (
            UPDATE answers SET parts = '{}', question = NULL
            WHERE guild_id = $1
              AND (message_id = ANY($3::bigint[]) OR quoted_ids && $3::bigint[] OR sent_ids && $3::bigint[]
                   OR fact_ids && $2::bigint[] OR memory_ids && $2::bigint[] OR episode_ids && $4::bigint[])
            RETURNING message_id, sent_ids
        )
        SELECT ARRAY(SELECT unnest(sent_ids) FROM wiped) || ARRAY(
                   -- One that was sent and whose ids were never noted, since its process died, is found as a reply.
                   SELECT message_id FROM chat_history
                   WHERE guild_id = $1 AND kind = 'bot' AND withheld IS NULL
                     AND reply_to_id = ANY(ARRAY(SELECT message_id FROM wiped))
               ) AS sent_ids,
               ARRAY(
                   SELECT DISTINCT guild_id FROM answers
                   WHERE cardinality($2::bigint[]) > 0 AND memory_ids && $2::bigint[] AND guild_id <> $1
                   ORDER BY guild_id
               ) AS elsewhere
        """,
        guild_id, list(fact_ids), list(message_ids), list(episode_ids),
    )  # fmt: skip
    if row is None:
        raise AssertionError("a SELECT without FROM gave no row")
    return row_as(WipedAnswers, row)


async def empty_answers_sent_as(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> None:
    """Take the text from the answers that were sent as these messages of the bot."""
    await connection.execute(
        """
        UPDATE answers SET parts = '{}', question = NULL
        WHERE guild_id = $1 AND sent_ids && $2::bigint[] AND (cardinality(parts) > 0 OR question IS NOT NULL)
        """,
        guild_id, list(message_ids),
    )  # fmt: skip


async def wipe_answers_repeating(
    connection: Connection, *, guild_id: int, text: str, author_id: int, message_ids: Sequence[int]
) -> list[int]:
    """Take the text from later answers that repeat `text`, which a member said in these messages.

    They are answers to the member, or name them, and hold all of it, as whole words in any case. What confirms an
    order has words of its own. Returns the ids under which they were sent.
    """
    words = r"\s+".join(map(re.escape, text.split()))
    if not words:
        return []
    rows = await connection.fetch(
        r"""
        UPDATE answers SET parts = '{}', question = NULL
        WHERE guild_id = $1 AND message_id > (SELECT min(said_id) FROM unnest($2::bigint[]) AS said_id)
          AND (user_id = $4 OR array_to_string(parts, E'\n') LIKE '%<@' || $4::bigint || '>%')
          AND route NOT IN ('remember', 'correct')
          AND array_to_string(parts, E'\n') ~* ('(?<!\w)' || $3 || '(?!\w)')
        RETURNING message_id, sent_ids
        """,
        guild_id, list(message_ids), words, author_id,
    )  # fmt: skip
    return await _sent_as(connection, rows, guild_id=guild_id)


async def _sent_as(connection: Connection, rows: Sequence[Row], *, guild_id: int) -> list[int]:
    """Return the ids of the bot's messages that are these answers."""
    sent = [sent_id for row in rows for sent_id in row["sent_ids"]]
    # One that was sent and whose ids were never noted, since its process died, is found as a reply.
    answered = [row["message_id"] for row in rows]
    return sent + await repository_writing.bots_answers_to(
        connection, guild_id=guild_id, message_ids=answered
    )


async def answer_to(connection: Connection, *, guild_id: int, message_id: int) -> Answer | None:
    """Return the answer to a message."""
    row = await connection.fetchrow(
        f"SELECT {ANSWER_COLUMNS} FROM answers WHERE guild_id = $1 AND message_id = $2", guild_id, message_id
    )
    return row_as(Answer, row)


async def answer_sent_as(
    connection: Connection, *, guild_id: int, channel_id: int, sent_id: int
) -> Answer | None:
    """Return the answer of which a message of the bot is a part."""
    row = await connection.fetchrow(
        f"SELECT {ANSWER_COLUMNS} FROM answers WHERE guild_id = $1 AND channel_id = $2 AND $3 = ANY(sent_ids) LIMIT 1",
        guild_id, channel_id, sent_id,
    )  # fmt: skip
    return row_as(Answer, row)


class AnswerKind(Enum):
    """Which answers to messages of a channel are looked for; $3 is a member."""

    WROTE = "user_id = $3 AND cardinality(fact_ids) > 0"
    """Those by which the member had facts written."""
    WROTE_OR_TOLD = f"({WROTE} OR user_id = $3 AND route = 'ask_memory' AND cardinality(memory_ids) < 2)"
    """Those too that told the member a single fact, or none."""
    OTHERS_WROTE = "user_id <> $3 AND cardinality(fact_ids) > 0"
    """Those by which anybody else had."""
    WROTE_OR_FORGOT = "user_id = $3 AND (route = 'forget' OR cardinality(fact_ids) > 0)"
    LISTED = "user_id = $3 AND cardinality(memory_ids) > 1 AND cardinality(fact_ids) = 0"
    """Those that told the member several facts."""


async def last_answer(
    connection: Connection,
    kind: AnswerKind,
    *,
    guild_id: int,
    channel_id: int,
    user_id: int,
    before_message_id: int,
    since: datetime,
) -> Answer | None:
    """Return the last answer of a kind since `since` in this channel, to a message before this one.

    The last is the one whose message was said last: what is read back is answered later than what was said after it.
    """
    row = await connection.fetchrow(
        f"""
        SELECT {ANSWER_COLUMNS} FROM answers
        WHERE guild_id = $1 AND channel_id = $2 AND {kind.value} AND answered_at >= $4 AND message_id < $5
        ORDER BY message_id DESC LIMIT 1
        """,
        guild_id, channel_id, user_id, since, before_message_id,
    )  # fmt: skip
    return row_as(Answer, row)


async def was_said_since(
    connection: Connection, *, guild_id: int, channel_id: int, texts: Sequence[str], since: datetime
) -> bool:
    """Tell whether one of `texts` was an answer in a channel since `since`."""
    said: bool = await connection.fetchval(
        """
        SELECT EXISTS (
            SELECT 1 FROM answers
            WHERE guild_id = $1 AND channel_id = $2 AND parts && $3::text[] AND answered_at > $4
              AND state IN ('written', 'sent')
        )
        """,
        guild_id, channel_id, list(texts), since,
    )  # fmt: skip
    return said


async def may_rewrite(connection: Connection, *, guild_id: int, message_id: int, edited_at: datetime) -> bool:
    """Tell whether this version of a message is newer than what was answered; nobody changes that before commit."""
    may: bool | None = await connection.fetchval(
        """
        SELECT edited_at IS NULL OR edited_at < $3 FROM answers
        WHERE guild_id = $1 AND message_id = $2 FOR UPDATE
        """,
        guild_id, message_id, edited_at,
    )  # fmt: skip
    return bool(may)


async def rewrite_answer(
    connection: Connection,
    *,
    guild_id: int,
    message_id: int,
    edited_at: datetime,
    written: NewAnswer,
) -> bool:
    """Write down what takes the place of the answer to a message that was edited.

    `False` if this version or a later one was answered before.
    """
    kept = await connection.fetchval(
        """
        UPDATE answers
        SET route = $4, parts = $5, fact_ids = $6, memory_ids = $7, quoted_ids = $8, question = $9::text::jsonb,
            degraded = $10, edited_at = $3, episode_ids = $11
        WHERE guild_id = $1 AND message_id = $2 AND (edited_at IS NULL OR edited_at < $3)
        RETURNING true
        """,
        guild_id, message_id, edited_at, written.route, list(written.parts), list(written.fact_ids),
        list(written.memory_ids), list(written.quoted_ids), written.question, written.degraded,
        list(written.episode_ids),
    )  # fmt: skip
    return bool(kept)


async def settle_question(connection: Connection, *, guild_id: int, message_id: int, settled_by: int) -> bool:
    """Move the question that the bot asked back to the claim of the message that settles it.

    There a process that dies leaves it to the next one. `False` if another message settled it already. Whom it asked
    is nobody then, if nothing is kept of them.
    """
    if message_id == settled_by:
        return True
    settled = await connection.fetchval(
        """
        WITH asked AS (
            SELECT question FROM answers WHERE guild_id = $1 AND message_id = $2 AND question IS NOT NULL
        ), moved AS (
            UPDATE answers SET question = asked.question FROM asked
            WHERE answers.guild_id = $1 AND answers.message_id = $3 AND state = 'claimed'
        )
        UPDATE answers SET question = NULL, settled_by = $3,
            user_id = CASE WHEN keeps_nothing(guild_id, user_id) THEN 0 ELSE user_id END
        WHERE guild_id = $1 AND message_id = $2 AND (question IS NOT NULL OR settled_by = $3) RETURNING true
        """,
        guild_id, message_id, settled_by,
    )  # fmt: skip
    return bool(settled)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What is stored of where a message was said."""

    place: Place
    kept: Message | None
    """The message itself, as it reads now."""
    question: Answer | None
    """The newest answer that asks its author back there, if still open, or the newer one to a command of theirs.

    What a message has begun to settle is open to that message alone, heard again; once its own answer is written
    down and perhaps not sent, it is that.
    """


async def surroundings(connection: Connection, message: Message, *, since: datetime) -> Surroundings:
    """Return what is stored of where `message` was said, with what was asked back there since `since`."""
    row = await connection.fetchrow(
        f"""
        SELECT {PLACE_COLUMNS}, {columns_of(Message, "h", into="kept", text="h.message_text")},
               {columns_of(Answer, "asking", into="question", question="asking.question::text")}
        FROM {PLACE_TABLES}
        LEFT JOIN chat_history h ON h.guild_id = $1 AND h.message_id = $3
        LEFT JOIN LATERAL (
            SELECT * FROM answers a
            WHERE a.guild_id = $1 AND a.channel_id = $2 AND a.user_id = $4 AND a.answered_at >= $5
              -- Who has given another command since is not asked any more; a chat in between changes nothing.
              AND ((a.question IS NOT NULL OR a.route NOT IN ('none', 'chat')) AND a.state <> 'claimed'
                   OR a.message_id = $3 AND (a.question IS NOT NULL OR a.state = 'written'))
            ORDER BY a.message_id = $3 DESC, a.answered_at DESC, a.message_id DESC LIMIT 1
        ) asking ON true
        """,
        message.guild_id, message.channel_id, message.message_id, message.user_id, since,
    )  # fmt: skip
    if row is None:
        raise AssertionError("a row of one value is always there")
    return row_as(Surroundings, row)


async def may_concern_bot(
    connection: Connection, messages: Sequence[Message], *, since: datetime
) -> list[bool]:
    """Tell of each message, of any guild, that calls nobody whether it may be for the bot even so.

    That is where everything is answered, in reply to a bot, and where the bot answered its author since `since`.
    """
    rows = await connection.fetch(
        """
        SELECT said.number
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
            WITH ORDINALITY AS said (guild_id, channel_id, user_id, reply_to_id, number)
        LEFT JOIN channels c ON c.guild_id = said.guild_id AND c.channel_id = said.channel_id
        LEFT JOIN channels p ON p.guild_id = c.guild_id AND p.channel_id = c.parent_id
        WHERE coalesce(c.answering, p.answering) = 'always'
           OR EXISTS (
               SELECT FROM answers a
               WHERE a.guild_id = said.guild_id AND a.channel_id = said.channel_id AND a.user_id = said.user_id
                 AND a.answered_at >= $5
           )
           OR EXISTS (
               SELECT FROM chat_history h
               WHERE h.guild_id = said.guild_id AND h.message_id = said.reply_to_id AND h.kind = 'bot'
           )
        """,
        [one.guild_id for one in messages], [one.channel_id for one in messages],
        [one.user_id for one in messages], [one.reply_to_id for one in messages], since,
    )  # fmt: skip
    concerned = {row["number"] for row in rows}
    return [number in concerned for number in range(1, len(messages) + 1)]


async def has_settled_question(
    connection: Connection, *, guild_id: int, channel_id: int, message_id: int, since: datetime
) -> bool:
    """Tell whether a message settled a question that the bot asked in this channel since `since`."""
    settled: bool = await connection.fetchval(
        """
        SELECT EXISTS (
            SELECT 1 FROM answers
            WHERE guild_id = $1 AND channel_id = $2 AND answered_at >= $4 AND settled_by = $3
        )
        """,
        guild_id, channel_id, message_id, since,
    )  # fmt: skip
    return settled


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsentAnswer:
    """An answer that is written down and was not sent, or shown in part and never finished."""

    guild_id: int
    channel_id: int
    message_id: int
    """The message that is answered."""


async def unsent_answers(
    connection: Connection,
    *,
    guild_ids: Sequence[int],
    with_direct: bool,
    unleased_for: timedelta,
    since: datetime,
    most: int,
) -> list[UnsentAnswer]:
    """Return unfinished answers in these guilds, `with_direct` in direct messages too, oldest first.

    They were claimed after `since`, and nobody has had a lease of them for `unleased_for` in real time.
    """
    rows = await connection.fetch(
        f"""
        SELECT a.guild_id, a.channel_id, a.message_id FROM answers a JOIN guilds g USING (guild_id)
        WHERE {_UNFINISHED} AND a.answered_at > $3
          AND a.leased_until < clock_timestamp() - $4::interval
          AND (a.guild_id = ANY($1::bigint[]) OR ($2 AND g.direct))
        ORDER BY a.answered_at, a.message_id LIMIT $5
        """,
        list(guild_ids), with_direct, since, unleased_for, most,
    )  # fmt: skip
    return rows_as(UnsentAnswer, rows)


async def waiting_answers(connection: Connection) -> Waiting:
    """Return how many answers of the last day nobody sends, and since when nobody has tried to, in real time."""
    row = await connection.fetchrow(
        f"""
        SELECT count(*) AS count,
               coalesce(extract(epoch FROM clock_timestamp() - min(leased_until)), 0)::float8 AS oldest_seconds
        FROM answers
        WHERE {_UNFINISHED} AND leased_until < clock_timestamp()
          AND leased_until > clock_timestamp() - interval '1 day'
        """
    )
    return row_as(Waiting, row) or Waiting()


async def all_unsent(connection: Connection, *, now: datetime) -> Waiting:
    """Return how many answers of the last day are unfinished, also those that are being sent, and since when."""
    row = await connection.fetchrow(
        f"""
        SELECT count(*) AS count,
               coalesce(extract(epoch FROM $1 - min(answered_at)), 0)::float8 AS oldest_seconds
        FROM answers WHERE {_UNFINISHED} AND answered_at > $1 - interval '1 day'
        """,
        now,
    )
    return row_as(Waiting, row) or Waiting()
