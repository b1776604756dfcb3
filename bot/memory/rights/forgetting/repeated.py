"""Finds answers that do not name what they rest on: those that repeat what the bot had said in their channel before,
and those that tell somebody in their own words what they did lately.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from bot.db.pool import Connection
from bot.db.rows import rows_as
from bot.memory.policy.redaction import (
    STEM_QUERIES,
    ForbiddenWords,
    content_words,
    searchable_stems,
    sentences_of,
    stemmed,
)
from bot.memory.policy.repository import TEXT_SEARCH
from bot.memory.summaries.extractive import as_days_quote
from bot.text.orders import Order, orders


async def answers_repeating(
    connection: Connection,
    *,
    guild_id: int,
    said: Iterable[ForbiddenWords],
    fact_ids: Sequence[int],
    message_ids: Sequence[int],
) -> list[int]:
    """Return the messages whose answers say any of `said` after an earlier one in their channel had told it.

    Told were these facts, or these messages were quoted. A model sees what the bot said there before, and answers
    that repeat it name no fact and no message on which they rest.
    """
    # So few words as name a matter may be said of anything.
    gone = [one for one in said if not one.named and content_words(one.words)]
    if not gone:
        return []
    stems = [sorted(searchable_stems(one.words)) for one in gone]
    later = await answers_after(
        connection, guild_id=guild_id, fact_ids=fact_ids, message_ids=message_ids, stems=stems
    )
    if not later:
        return []
    told = {message_id: _told_in(text) for message_id, text in later.items()}
    words = await stemmed(connection, guild_id=guild_id, texts=chain.from_iterable(told.values()))
    return [
        message_id
        for message_id, sentences in told.items()
        if any(
            one.is_told_in(sentence, words.said(sentence), whose=None)
            for sentence in sentences
            for one in gone
        )
    ]


def _told_in(text: str) -> list[str]:
    """Return the sentences of an answer, without those that show how the bot is told something, as its help does."""
    return [
        sentence
        for line in text.splitlines()
        for sentence in sentences_of(line)
        if not (orders(sentence, Order.REMEMBER) or orders(sentence, Order.FORGET))
    ]


async def answers_after(
    connection: Connection,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    message_ids: Sequence[int],
    stems: Sequence[Sequence[str]],
) -> dict[int, str]:
    """Return answers that hold all stems of one of these lists, by the message that each answers.

    They were given in a channel where an earlier one had told one of these facts, or quoted one of these messages, and
    do neither themselves.
    """
    rows = await connection.fetch(
        f"""
        WITH told AS MATERIALIZED (
            SELECT channel_id, min(message_id) AS message_id FROM answers
            WHERE guild_id = $1 AND (fact_ids && $3::bigint[] OR memory_ids && $3::bigint[]
                                     OR quoted_ids && $4::bigint[])
            GROUP BY channel_id
        ), later AS (
            SELECT answers.message_id, array_to_string(parts, E'\n') AS text
            FROM answers JOIN told USING (channel_id)
            WHERE guild_id = $1 AND answers.message_id > told.message_id AND cardinality(parts) > 0
              AND NOT (fact_ids && $3::bigint[] OR memory_ids && $3::bigint[] OR quoted_ids && $4::bigint[])
        )
        SELECT message_id, text FROM later WHERE EXISTS (
            SELECT FROM ({STEM_QUERIES}) said WHERE lexemes_of({TEXT_SEARCH}, text) @@ said.query
        )
        """,
        guild_id, json.dumps([list(one) for one in stems if one]), list(fact_ids), list(message_ids),
    )  # fmt: skip
    return {row["message_id"]: row["text"] for row in rows}


@dataclass(frozen=True, slots=True, kw_only=True)
class _SaidAndTold:
    """What one member said in some messages, and what they were answered since."""

    said: tuple[str, ...]
    message_ids: tuple[int, ...]
    """The messages that were answered."""
    answers: tuple[str, ...]


async def answers_quoting(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> list[int]:
    """Return the messages whose answers quote a sentence of these to the member who said it, as days do.

    Without a model the days of a member are made of their own sentences, and nobody notes of which messages.
    """
    rows = await connection.fetch(
        """
        WITH said AS MATERIALIZED (
            SELECT user_id, array_agg(message_text) AS said, min(message_id) AS since FROM chat_history
            WHERE guild_id = $1 AND message_id = ANY($2::bigint[]) AND kind = 'member' AND withheld IS NULL
            GROUP BY user_id
        ), told AS MATERIALIZED (
            SELECT user_id, message_id, array_to_string(parts, E'\n') AS answer FROM answers JOIN said USING (user_id)
            WHERE guild_id = $1 AND message_id > since AND cardinality(parts) > 0
        )
        SELECT said, array_agg(message_id) AS message_ids, array_agg(answer) AS answers
        FROM said JOIN told USING (user_id)
        WHERE strpos(answer, '<@' || user_id || '>: ') > 0
        GROUP BY user_id, said
        """,
        guild_id, list(message_ids),
    )  # fmt: skip
    return [
        message_id
        for one in rows_as(_SaidAndTold, rows)
        for quoted in [[sentence for text in one.said for sentence in as_days_quote(text)]]
        for message_id, answer in zip(one.message_ids, one.answers, strict=True)
        if any(sentence in answer for sentence in quoted)
    ]
