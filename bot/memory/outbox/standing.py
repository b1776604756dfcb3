"""Whether what an answer tells still has its text when the answer is written down.

Whoever forgets or deletes something takes its text first, or holds it, and then looks for the answers that told it.
Whoever writes an answer down holds what it tells until commit: one of the two finds what the other has done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from bot.db.pool import Connection
from bot.db.rows import row_as


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What an answer tells as it was read before."""

    fact_ids: tuple[int, ...] = ()
    message_ids: tuple[int, ...] = ()
    episode_ids: tuple[int, ...] = ()

    @classmethod
    def of_all(cls, some: Sequence["Standing"]) -> Self:
        """Return what all of these tell."""
        return cls(
            fact_ids=tuple(fact_id for one in some for fact_id in one.fact_ids),
            message_ids=tuple(message_id for one in some for message_id in one.message_ids),
            episode_ids=tuple(episode_id for one in some for episode_id in one.episode_ids),
        )

    @property
    def parameters(self) -> tuple[list[int], list[int], list[int]]:
        """The parameters of `holding`: facts, messages and episodes, each once."""
        return sorted(set(self.fact_ids)), sorted(set(self.message_ids)), sorted(set(self.episode_ids))


def holding(first: int) -> str:
    """Return what lets no fact of those in `$first` lose its text, no message and no episode of those in the next.

    A fact that has no row any more is gone, or was put into another row that says the same: then nothing was
    forgotten in the guild since the epoch behind these three.
    """
    return f"""
    WITH told AS MATERIALIZED (
        SELECT content <> '' AS has_text FROM facts WHERE guild_id = $1 AND fact_id = ANY(${first}::bigint[])
        ORDER BY fact_id FOR SHARE
    ), since AS MATERIALIZED (
        -- Read as of now, also where what removed the fact was waited for.
        SELECT memory_epoch FROM guilds
        WHERE guild_id = $1 AND (SELECT count(*) FROM told) < cardinality(${first}::bigint[]) FOR SHARE
    ), quoted AS MATERIALIZED (
        SELECT FROM chat_history WHERE guild_id = $1 AND message_id = ANY(${first + 1}::bigint[]) AND withheld IS NULL
        ORDER BY message_id FOR SHARE
    ), given AS MATERIALIZED (
        SELECT FROM episodes WHERE guild_id = $1 AND episode_id = ANY(${first + 2}::bigint[])
        ORDER BY episode_id FOR SHARE
    )
    """


def all_held(first: int) -> str:
    """Return whether each of them has its text."""
    return f"""
    (SELECT bool_and(has_text) FROM told) IS NOT false
    AND ((SELECT count(*) FROM told) = cardinality(${first}::bigint[])
         OR (SELECT memory_epoch FROM since) = ${first + 3}::bigint)
    AND (SELECT count(*) FROM quoted) = cardinality(${first + 1}::bigint[])
    AND (SELECT count(*) FROM given) = cardinality(${first + 2}::bigint[])
    """


async def stands(
    connection: Connection,
    told: Standing,
    *,
    guild_id: int,
    own_guild_ids: Sequence[int],
    memory_epoch: int | None,
) -> bool:
    """Tell whether all that was told has its text, here or in one of `own_guild_ids`, and keeps it until commit.

    `memory_epoch` is that of the guild, and says nothing of others. Guild by guild, since each may be stored on a
    server of its own.
    """
    if told == Standing():
        return True
    wanted = told.parameters
    held = [0] * len(wanted)
    epoch = None if own_guild_ids else memory_epoch
    for one_guild_id in sorted({guild_id, *own_guild_ids}):
        row = await connection.fetchrow(
            f"""
            {holding(2)}
            SELECT (SELECT count(*) FILTER (WHERE has_text) FROM told) AS facts,
                   (SELECT count(*) FROM quoted) AS messages, (SELECT count(*) FROM given) AS episodes,
                   {all_held(2)} AS all_held
            """,
            one_guild_id, *wanted, epoch,
        )  # fmt: skip
        if row is None:
            raise AssertionError("a SELECT without FROM gave no row")
        if row["all_held"]:
            return True
        held = [
            before + row[found] for before, found in zip(held, ("facts", "messages", "episodes"), strict=True)
        ]
    return all(found >= len(ids) for found, ids in zip(held, wanted, strict=True))


async def with_text(connection: Connection, told: Standing, *, guild_id: int) -> Standing:
    """Return what of all that was told has its text now, in this guild."""
    row = await connection.fetchrow(
        """
        SELECT ARRAY(
            SELECT fact_id FROM facts WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]) AND content <> ''
        ) AS fact_ids, ARRAY(
            SELECT message_id FROM chat_history
            WHERE guild_id = $1 AND message_id = ANY($3::bigint[]) AND withheld IS NULL
        ) AS message_ids, ARRAY(
            SELECT episode_id FROM episodes WHERE guild_id = $1 AND episode_id = ANY($4::bigint[])
        ) AS episode_ids
        """,
        guild_id, *told.parameters,
    )  # fmt: skip
    if row is None:
        raise AssertionError("a SELECT without FROM gave no row")
    return row_as(Standing, row)
