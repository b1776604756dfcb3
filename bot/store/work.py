"""What is done behind: asked for in the transaction that makes it necessary, claimed by lease, never lost."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds:
    """Kinds of work: only these, or with `others` all but these."""

    named: Collection[str] = ()
    others: bool = True


ALL_KINDS: Final = Kinds()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A piece of work that was claimed; `wanted` tells later whether it was asked for again."""

    guild_id: int
    kind: str
    work_key: str
    wanted: int
    attempts: int


async def ask(connection: Connection, *, guild_id: int, kind: str, work_key: str) -> None:
    """Ask for a piece of work, now; asking again while it is under way has it done once more."""
    await connection.execute(
        """
        INSERT INTO work AS known (guild_id, kind, work_key, due_at) VALUES ($1, $2, $3, clock_timestamp())
        ON CONFLICT (guild_id, kind, work_key) DO UPDATE SET
            wanted = known.wanted + 1, attempts = 0, due_at = excluded.due_at
        """,
        guild_id, kind, work_key,
    )  # fmt: skip


async def claim(connection: Connection, *, lease: timedelta, kinds: Kinds = ALL_KINDS) -> Task | None:
    """Claim the piece of work of these kinds that has been due longest, for the real time of `lease`."""
    row = await connection.fetchrow(
        """
        UPDATE work SET leased_until = clock_timestamp() + $1, attempts = attempts + 1
        WHERE (guild_id, kind, work_key) = (
            SELECT guild_id, kind, work_key FROM work
            WHERE due_at <= clock_timestamp() AND (leased_until IS NULL OR leased_until < clock_timestamp())
              AND (kind = ANY($2)) <> $3
            ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING guild_id, kind, work_key, wanted, attempts
        """,
        lease, list(kinds.named), kinds.others,
    )  # fmt: skip
    if row is None:
        return None
    return Task(
        guild_id=row["guild_id"],
        kind=row["kind"],
        work_key=row["work_key"],
        wanted=row["wanted"],
        attempts=row["attempts"],
    )


async def finish(connection: Connection, task: Task) -> None:
    """Take `task` off the list, unless it was asked for again meanwhile: then it is free to be claimed."""
    await connection.execute(
        """
        WITH done AS (
            DELETE FROM work WHERE guild_id = $1 AND kind = $2 AND work_key = $3 AND wanted = $4
        )
        UPDATE work SET leased_until = NULL
        WHERE guild_id = $1 AND kind = $2 AND work_key = $3 AND wanted <> $4
        """,
        task.guild_id, task.kind, task.work_key, task.wanted,
    )  # fmt: skip


async def postpone(connection: Connection, task: Task, *, pause: timedelta) -> None:
    """Give `task` back, to be tried again after `pause` of real time; at once if it was asked for meanwhile."""
    await connection.execute(
        """
        UPDATE work
        SET leased_until = NULL,
            due_at = CASE WHEN wanted = $4 THEN clock_timestamp() + $5 ELSE due_at END
        WHERE guild_id = $1 AND kind = $2 AND work_key = $3
        """,
        task.guild_id, task.kind, task.work_key, task.wanted, pause,
    )  # fmt: skip


async def is_claimable(connection: Connection) -> bool:
    """Tell whether anything is due that nobody has claimed."""
    due: bool = await connection.fetchval(
        """
        SELECT EXISTS (
            SELECT 1 FROM work
            WHERE due_at <= clock_timestamp() AND (leased_until IS NULL OR leased_until < clock_timestamp())
        )
        """
    )
    return due
