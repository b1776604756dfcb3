"""Erasing a member from the message log, the bot's answers, and what others said."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.domain import RedactionReason
from bot.db.pool import Connection
from bot.db.rows import row_as
from bot.memory.messages import repository_writing
from bot.memory.outbox import repository as outbox_repository
from bot.memory.recall import lexicon
from bot.memory.rights.erasing import repository
from bot.memory.rights.erasing.batches import BATCH_ROWS, SCANNED_ROWS, Batches, Erased, ErasingScope
from bot.memory.rights.forgetting import apply
from bot.memory.summaries import repository as summaries_repository
from bot.text import tokens

_ZONE = "coalesce((SELECT time_zone FROM guilds WHERE guild_id = $1), 'UTC')"
_CONFIGURATION = "coalesce((SELECT text_search FROM guilds WHERE guild_id = $1), 'russian')"

# Days of which something was taken away, in the audience where it stood.
_MARK = f"""
    INSERT INTO day_marks AS mark (guild_id, audience, day, rewritten, taken_back)
    SELECT DISTINCT $1::bigint, audience, (timestamp AT TIME ZONE {_ZONE})::date AS day, 1, 1
    FROM changed WHERE is_told ORDER BY 2, 3
    ON CONFLICT (guild_id, audience, day) DO UPDATE SET
        version = mark.version + 1, rewritten = mark.version + 1, taken_back = mark.version + 1
"""

# What finds the member in the bot's words: $4 the names, in whatever case, $5 the id as a word.
_NAMED = f"""
    SELECT string_agg('(' || query::text || ')', ' | ')::tsquery AS query
    FROM (
        SELECT phraseto_tsquery({_CONFIGURATION}, searchable(name)) AS query FROM unnest($4::text[]) AS name
        UNION ALL SELECT $5::text::tsquery
    ) one
    WHERE numnode(query) > 0
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenMessages:
    """Messages that a batch took."""

    message_ids: Sequence[int] = ()
    told: int = 0
    """How many of them had a text until now."""


async def take_own(connection: Connection, scope: ErasingScope) -> TakenMessages:
    """Take text and author from a batch of what a member wrote, the oldest first; the rows stay.

    Nothing that comes late revives them.
    """
    rows = await connection.fetch(
        f"""
        WITH mine AS (
            SELECT message_id, withheld IS NULL AS is_told FROM chat_history
            WHERE guild_id = $1 AND user_id = $2 AND timestamp <= $3
            ORDER BY timestamp LIMIT $4 FOR UPDATE
        ), changed AS (
            UPDATE chat_history h
            SET user_id = 0, withheld = 'opted_out', message_text = '', attachments = '{{}}', lexemes = '',
                edited_at = NULL, reply_to_id = NULL, forwarded_guild_id = NULL, forwarded_message_id = NULL
            FROM mine WHERE h.guild_id = $1 AND h.message_id = mine.message_id
            RETURNING h.message_id, h.audience, h.timestamp, mine.is_told
        ), unread AS (
            DELETE FROM unextracted
            WHERE guild_id = $1 AND message_id IN (SELECT message_id FROM changed)
        ), marked AS ({_MARK})
        SELECT message_id, is_told FROM changed ORDER BY message_id
        """,
        scope.guild_id, scope.user_id, scope.up_to, BATCH_ROWS,
    )  # fmt: skip
    return TakenMessages(
        message_ids=[row["message_id"] for row in rows], told=sum(row["is_told"] for row in rows)
    )


async def _unname_messages(
    connection: Connection, scope: ErasingScope, after_id: int
) -> tuple[int, int | None]:
    """Let a member be nobody in what others wrote: their mentions read `<@0>`.

    Looks at the next messages after `after_id` that have the id among their words, or at the next of all if all is to
    go: an address may hold an id that is no word of its own. Returns how many named the member, and the last one that
    was looked at; `None` if that was the end.
    """
    everything = scope.audiences is None
    among = "" if everything else "AND lexemes @@ $7::text::tsquery"
    row = await connection.fetchrow(
        f"""
        WITH batch AS (
            SELECT message_id FROM chat_history
            WHERE guild_id = $1 AND message_id > $4 AND withheld IS NULL {among}
            ORDER BY message_id LIMIT $5
        ), naming AS (
            SELECT message_id FROM chat_history h JOIN batch USING (message_id)
            WHERE h.guild_id = $1 AND timestamp <= $3
              AND (strpos(message_text, $6) > 0 OR (attachments <> '{{}}' AND strpos(attachments::text, $6) > 0))
              AND (without_id(message_text, $2) <> message_text
                   OR without_id(attachments::text, $2) <> attachments::text)
            ORDER BY message_id FOR UPDATE OF h
        ), changed AS (
            UPDATE chat_history h SET
                message_text = without_id(message_text, $2),
                attachments = ARRAY(SELECT without_id(one, $2) FROM unnest(attachments) AS one),
                lexemes = lexemes_of({_CONFIGURATION}, without_id(message_text, $2),
                                     ARRAY(SELECT without_id(one, $2) FROM unnest(attachments) AS one))
            FROM naming WHERE h.guild_id = $1 AND h.message_id = naming.message_id
            RETURNING h.message_id, h.audience, h.timestamp, true AS is_told
        ), marked AS ({_MARK})
        SELECT (SELECT max(message_id) FROM batch) AS last_id, (SELECT count(*) FROM batch) AS looked_at,
               (SELECT count(*) FROM changed) AS changed
        """,
        scope.guild_id, scope.user_id, scope.up_to, after_id, SCANNED_ROWS, str(scope.user_id),
        *(() if everything else (lexicon.quoted(str(scope.user_id)),)),
    )  # fmt: skip
    if row is None:
        raise AssertionError("aggregates without a row")
    return row["changed"], row["last_id"] if row["looked_at"] == SCANNED_ROWS else None


async def count_of_member(connection: Connection, *, guild_id: int, user_id: int) -> Erased:
    """Return what erasing a member would take, facts left out; of the bot's messages the answers to them alone."""
    row = await connection.fetchrow(
        """
        SELECT (SELECT count(*) FROM chat_history
                WHERE guild_id = $1 AND user_id = $2 AND withheld IS NULL) AS messages,
               (SELECT count(*) FROM chat_history
                WHERE guild_id = $1 AND user_id <> $2 AND withheld IS NULL AND kind <> 'bot'
                  AND lexemes @@ $3::text::tsquery
                  AND without_id(message_text || attachments::text, $2) <> message_text || attachments::text
               ) AS mentions,
               (SELECT count(*) FROM answers
                WHERE guild_id = $1 AND user_id = $2 AND cardinality(parts) > 0) AS answers,
               (SELECT count(DISTINCT e.episode_id) FROM ended_conversations e, unnest(e.told_ids) AS told_id
                JOIN chat_history h ON h.guild_id = $1 AND h.message_id = told_id AND h.user_id = $2
                WHERE e.guild_id = $1 AND e.episode_id IS NOT NULL) AS episodes,
               (SELECT count(*) FROM profiles WHERE guild_id = $1 AND user_id = $2) AS profiles,
               (SELECT count(*) FROM distillations WHERE guild_id = $1 AND subject_id = $2)
               + (SELECT count(*) FROM user_facts WHERE guild_id = $1 AND user_id = $2) AS texts
        """,
        guild_id, user_id, lexicon.quoted(str(user_id)),
    )  # fmt: skip
    if row is None:
        raise AssertionError("aggregates without a row")
    return row_as(Erased, row)


async def _bots_words(connection: Connection, scope: ErasingScope, names: Sequence[str]) -> list[int]:
    """Return a batch of messages of the bot that name a member, by id or by one of these names in whatever case.

    In direct messages with the member that is all that the bot ever said.
    """
    rows = await connection.fetch(
        f"""
        WITH named AS ({_NAMED})
        SELECT message_id FROM chat_history, named
        WHERE guild_id = $1 AND kind = 'bot' AND user_id <> $2 AND withheld IS NULL AND timestamp <= $3
          AND (lexemes @@ named.query
               OR EXISTS (SELECT FROM guilds g JOIN members m USING (guild_id)
                          WHERE g.guild_id = $1 AND g.direct AND m.user_id = $2))
        ORDER BY message_id LIMIT $6
        """,
        scope.guild_id, scope.user_id, scope.up_to, list(names), lexicon.quoted(str(scope.user_id)), BATCH_ROWS,
    )  # fmt: skip
    return [row["message_id"] for row in rows]


async def _wipe_answers(
    connection: Connection, scope: ErasingScope, names: Sequence[str], after_id: int
) -> tuple[list[int], int | None]:
    """Take the text from answers to others that name a member, by id or name, among the next of them all.

    Returns the ids under which they were sent, and the last answer that was looked at; `None` if that was the end.
    """
    rows = await connection.fetch(
        f"""
        WITH named AS ({_NAMED}), batch AS (
            SELECT message_id, answered_at, array_to_string(parts, ' ') AS told, coalesce(question::text, '') AS asked
            FROM answers
            WHERE guild_id = $1 AND message_id > $6 AND user_id <> $2
            ORDER BY message_id LIMIT $7
        ), naming AS (
            SELECT message_id FROM batch, named
            WHERE answered_at <= $3 AND (
                (told <> '' AND lexemes_of({_CONFIGURATION}, told) @@ named.query)
                OR (asked <> '' AND lexemes_of({_CONFIGURATION}, asked) @@ named.query)
                OR without_id(told || asked, $2) <> told || asked
            )
        ), wiped AS (
            UPDATE answers a SET parts = '{{}}', question = NULL
            FROM naming WHERE a.guild_id = $1 AND a.message_id = naming.message_id
            RETURNING a.message_id, a.sent_ids
        )
        SELECT batch.message_id, coalesce(wiped.sent_ids, '{{}}') AS sent_ids
        FROM batch LEFT JOIN wiped USING (message_id) ORDER BY batch.message_id
        """,
        scope.guild_id, scope.user_id, scope.up_to, list(names), lexicon.quoted(str(scope.user_id)), after_id,
        SCANNED_ROWS,
    )  # fmt: skip
    sent = [sent_id for row in rows for sent_id in row["sent_ids"]]
    return sent, rows[-1]["message_id"] if len(rows) == SCANNED_ROWS else None


async def withhold_messages(
    connection: Connection, scope: ErasingScope, message_ids: Sequence[int]
) -> Erased:
    """Take the text from messages that the member did not write: the bot's, and commands that told of the member."""
    if not message_ids:
        return Erased()
    told = await repository_writing.withhold(
        connection, guild_id=scope.guild_id, message_ids=message_ids, reason=RedactionReason.FORGOTTEN
    )
    taken = await apply.take_back_told(
        connection, guild_id=scope.guild_id, message_ids=message_ids, now=scope.now
    )
    return Erased(answers=told, episodes=taken.summaries)


_SHORTEST_NAME: Final = 2
"""Letters of a name that the bot's own words are searched for."""


async def erase_answers_to_them(batches: Batches, scope: ErasingScope) -> Erased:
    """Take text, member and all that they rest on from the answers to a member.

    The rows stay, so that nothing is answered twice.
    """

    async def batch(connection: Connection) -> Erased | None:
        answered = await connection.fetch(
            """
            WITH mine AS (
                SELECT message_id FROM answers
                WHERE guild_id = $1 AND user_id = $2 AND answered_at <= $3
                ORDER BY message_id LIMIT $4 FOR UPDATE
            )
            UPDATE answers a
            SET user_id = 0, parts = '{}', question = NULL, fact_ids = '{}', memory_ids = '{}', quoted_ids = '{}',
                episode_ids = '{}', turn = NULL
            FROM mine WHERE a.guild_id = $1 AND a.message_id = mine.message_id
            RETURNING a.message_id, a.sent_ids
            """,
            scope.guild_id, scope.user_id, scope.up_to, BATCH_ROWS,
        )  # fmt: skip
        if not answered:
            return None
        replies = await repository_writing.bots_answers_to(
            connection, guild_id=scope.guild_id, message_ids=[row["message_id"] for row in answered]
        )
        sent = [sent_id for row in answered for sent_id in row["sent_ids"]]
        return await withhold_messages(connection, scope, [*sent, *replies])

    return await batches.until_none(batch)


async def erase_words_of_the_bot(batches: Batches, scope: ErasingScope) -> Erased:
    """Take the bot's messages to others that tell of the member by name, and the answers that were sent as these."""
    names = await _names(batches, scope)

    async def batch(connection: Connection) -> Erased | None:
        found = await _bots_words(connection, scope, names)
        if not found:
            return None
        await connection.execute(
            """
            UPDATE answers SET parts = '{}', question = NULL
            WHERE guild_id = $1 AND sent_ids && $2::bigint[] AND (cardinality(parts) > 0 OR question IS NOT NULL)
            """,
            scope.guild_id, found,
        )  # fmt: skip
        return await withhold_messages(connection, scope, found)

    return await batches.until_none(batch)


async def erase_answers_to_others(batches: Batches, scope: ErasingScope) -> Erased:
    """Take the answers to others that tell of the member, as they are written down beside the log."""
    names = await _names(batches, scope)

    async def batch(connection: Connection, after_id: int) -> tuple[Erased, int | None]:
        sent, last_id = await _wipe_answers(connection, scope, names, after_id)
        return await withhold_messages(connection, scope, sent), last_id

    return await batches.through(batch)


async def _names(batches: Batches, scope: ErasingScope) -> Sequence[str]:
    """Return the names by which the bot may have told of the member.

    "The" may well be somebody's name: by such words alone nobody is told of.
    """
    known = await batches.run(repository.names_of, guild_id=scope.guild_id, user_id=scope.user_id)
    return [name for name in known if len(name.strip()) >= _SHORTEST_NAME and tokens.content_stems(name)]


async def erase_own_messages(batches: Batches, scope: ErasingScope) -> Erased:
    """Take what the member wrote, and what rests on it."""

    async def batch(connection: Connection) -> Erased | None:
        taken = await take_own(connection, scope)
        if not taken.message_ids:
            return None
        wiped = await outbox_repository.wipe_answers(
            connection, guild_id=scope.guild_id, fact_ids=(), message_ids=taken.message_ids
        )
        gone = await apply.take_back_told(
            connection, guild_id=scope.guild_id, message_ids=taken.message_ids, now=scope.now
        )
        withheld = await withhold_messages(connection, scope, wiped.sent_ids)
        return Erased(messages=taken.told, episodes=gone.summaries) + withheld

    return await batches.until_none(batch)


async def erase_mentions(batches: Batches, scope: ErasingScope) -> Erased:
    """Let the member be nobody in what others wrote; if all is to go, also inside of addresses."""

    async def batch(connection: Connection, after_id: int) -> tuple[Erased, int | None]:
        named, last_id = await _unname_messages(connection, scope, after_id)
        if named:
            await summaries_repository.drop_days_taken_back(connection, guild_id=scope.guild_id)
        return Erased(mentions=named), last_id

    return await batches.through(batch)
