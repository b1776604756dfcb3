"""Keyed hashes of what must not be learned again, and the secret that they are keyed with."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """Hashes of a forgotten fact's subject, key and content stems; no text."""

    subject_hash: bytes
    key_hash: bytes
    stem_hashes: tuple[bytes, ...]
    buried_at: datetime | None = None
    """When the order to forget it was given; `None` before it is set up."""


async def hash_secret(connection: Connection) -> bytes:
    """Return the secret of this installation."""
    secret: bytes = await connection.fetchval("SELECT hash_secret FROM installation WHERE guild_id = 0")
    return secret


async def bury(
    connection: Connection, *, guild_id: int, tombstones: Sequence[Tombstone], at: datetime
) -> None:
    """Set up `tombstones` for an order that was given `at` this moment."""
    await connection.executemany(
        """
        INSERT INTO tombstones (guild_id, subject_hash, key_hash, stem_hashes, buried_at)
        VALUES ($1, $2, $3, $4, $5)
        """,
        [(guild_id, stone.subject_hash, stone.key_hash, list(stone.stem_hashes), at) for stone in tombstones],
    )


async def lift(connection: Connection, *, guild_id: int, stone: Tombstone, said: Sequence[bytes]) -> None:
    """Take down the tombstones of what `stone` says, since somebody explicitly asked to have it remembered.

    Under its key all go whose stems are among the hashes `said`, under any other key those of just its stems.
    Another value under the same key stays buried: its stems are others.
    """
    await connection.execute(
        """
        DELETE FROM tombstones
        WHERE guild_id = $1 AND subject_hash = $2
          AND ((key_hash = $3 AND stem_hashes <@ $5::bytea[])
               OR (stem_hashes <@ $4::bytea[] AND stem_hashes @> $4::bytea[]))
        """,
        guild_id, stone.subject_hash, stone.key_hash, list(stone.stem_hashes), list(said),
    )  # fmt: skip


async def of_subjects(
    connection: Connection,
    *,
    guild_id: int,
    subject_hashes: Sequence[bytes],
    since: datetime | None = None,
) -> list[Tombstone]:
    """Return the tombstones of these subjects, those `since` a moment if one is given."""
    rows = await connection.fetch(
        """
        SELECT subject_hash, key_hash, stem_hashes, buried_at FROM tombstones
        WHERE guild_id = $1 AND subject_hash = ANY($2::bytea[])
          AND ($3::timestamptz IS NULL OR buried_at > $3) ORDER BY tombstone_id
        """,
        guild_id, list(subject_hashes), since,
    )  # fmt: skip
    return [
        Tombstone(
            subject_hash=row["subject_hash"],
            key_hash=row["key_hash"],
            stem_hashes=tuple(row["stem_hashes"]),
            buried_at=row["buried_at"],
        )
        for row in rows
    ]
