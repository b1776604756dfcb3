"""Finding the messages that hold given words and have to do with a member: theirs, naming them, answering them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.domain import MessageKind
from bot.store.database import Connection, Row

_CONFIGURATION: Final = "coalesce((SELECT text_search FROM guilds WHERE guild_id = $1), 'russian')::regconfig"
_HOLDS: Final = """(cardinality($3::text[]) = 0 OR lexemes @@ (
    SELECT string_agg(quote_literal(stem), ' & ')::tsquery FROM unnest($3::text[]) AS stem
))"""
_SPOKEN: Final = "guild_id = $1 AND audience = ANY($2::bigint[]) AND withheld IS NULL AND kind <> 'system'"
_REACHED: Final = """guild_id = $1 AND (audience = ANY($2::bigint[]) OR kind = 'bot')
    AND withheld IS NULL AND kind <> 'system'"""
"""What the bot repeated is reached wherever it did: it may have told what is open in a closed room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A message that may say something."""

    message_id: int
    user_id: int
    kind: MessageKind
    text: str
    """What was written, and what its attachments are."""


async def around(
    connection: Connection,
    *,
    guild_id: int,
    audiences: Sequence[int],
    stems: Sequence[str],
    subject_id: int,
    names: Sequence[str],
    limit: int,
) -> list[Saying]:
    """Return the newest messages that hold all of `stems` and are by a member, name them, or answer them."""
    rows = await connection.fetch(
        f"""
        WITH called AS (
            SELECT string_agg('(' || query::text || ')', ' | ')::tsquery AS query
            FROM (
                SELECT phraseto_tsquery({_CONFIGURATION}, name) AS query FROM unnest($5::text[]) AS name
                UNION ALL SELECT quote_literal($4::bigint::text)::tsquery
            ) name WHERE numnode(query) > 0
        )
        SELECT message_id, user_id, kind, concat_ws(E'\\n', message_text, array_to_string(attachments, E'\\n')) AS text
        FROM chat_history said
        WHERE {_REACHED} AND {_HOLDS}
          AND (user_id = $4 OR lexemes @@ (SELECT query FROM called) OR EXISTS (
              SELECT FROM chat_history asked
              WHERE asked.guild_id = $1 AND asked.message_id = said.reply_to_id AND asked.user_id = $4
          ))
        ORDER BY timestamp DESC LIMIT $6
        """,
        guild_id, list(audiences), list(stems), subject_id, list(names), limit,
    )  # fmt: skip
    return list(map(_saying, rows))


async def anywhere(
    connection: Connection, *, guild_id: int, audiences: Sequence[int], stems: Sequence[str], limit: int
) -> list[Saying]:
    """Return the newest messages that hold all of `stems`, of which there must be one at least."""
    rows = await connection.fetch(
        f"""
        SELECT message_id, user_id, kind, concat_ws(E'\\n', message_text, array_to_string(attachments, E'\\n')) AS text
        FROM chat_history WHERE {_REACHED} AND {_HOLDS}
        ORDER BY timestamp DESC LIMIT $4
        """,
        guild_id, list(audiences), list(stems), limit,
    )  # fmt: skip
    return list(map(_saying, rows))


async def guilds_told(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> list[int]:
    """Return the other guilds, which are direct messages, in which the bot has told any of these facts."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT guild_id FROM answers
        WHERE memory_ids && $2::bigint[] AND guild_id <> $1 ORDER BY guild_id
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return [row["guild_id"] for row in rows]


async def share_of(
    connection: Connection, *, guild_id: int, audiences: Sequence[int], stem: str
) -> tuple[int, int]:
    """Return how many messages hold `stem`, and how many there are."""
    holding, messages = await connection.fetchval(
        f"""
        SELECT ARRAY[count(*) FILTER (WHERE {_HOLDS}), count(*)] FROM chat_history WHERE {_SPOKEN}
        """,
        guild_id, list(audiences), [stem],
    )  # fmt: skip
    return holding, messages


async def names_of(
    connection: Connection, *, guild_id: int, user_ids: Sequence[int], audiences: Sequence[int]
) -> Mapping[int, Sequence[str]]:
    """Return the names by which these members are known, also those that they gave up or that facts give them.

    A name that several members bear means none of them for sure, and is left out.
    """
    rows = await connection.fetch(
        """
        WITH called AS (
            SELECT user_id, unnest(ARRAY[user_name, display_name, nickname] || old_names) AS name
            FROM members WHERE guild_id = $1
            UNION
            SELECT subject_id, value FROM facts
            WHERE guild_id = $1 AND audience = ANY($3::bigint[])
              AND status = 'active' AND (key = 'name' OR key LIKE 'alias:%')
        ), clear AS (
            SELECT lower(name) AS name FROM called WHERE name <> ''
            GROUP BY 1 HAVING count(DISTINCT user_id) = 1
        )
        SELECT user_id, array_agg(DISTINCT called.name) AS names
        FROM called JOIN clear ON clear.name = lower(called.name)
        WHERE user_id = ANY($2::bigint[]) GROUP BY user_id
        """,
        guild_id, list(user_ids), list(audiences),
    )  # fmt: skip
    return {row["user_id"]: tuple(row["names"]) for row in rows}


def _saying(row: Row) -> Saying:
    return Saying(
        message_id=row["message_id"],
        user_id=row["user_id"],
        kind=MessageKind(row["kind"]),
        text=row["text"],
    )
