"""Every table that grows with guilds can be distributed by guild, by the statements of `docs/scaling.md`."""

import re
from pathlib import Path

import asyncpg

DOCUMENT = Path(__file__).parents[2] / "docs" / "scaling.md"

OF_INSTALLATION = frozenset(
    {"alembic_version", "audit", "installation", "services", "shard_leases", "web_sessions", "web_tokens"}
)
"""Tables that stay where they are; none grows with guilds."""

NUMBERED = frozenset({"decisions_number_key"})
"""What is unique for the whole installation, and says so on the page."""


async def test_the_page_distributes_every_table_and_each_of_its_keys_has_the_guild(dsn: str) -> None:
    connection = await asyncpg.connect(dsn)
    rows = await connection.fetch(
        """
        SELECT c.relname AS name, array_agg(i.indexrelid::regclass::text) FILTER (
                   WHERE i.indisunique AND NOT coalesce(a.attnum = ANY(i.indkey), false)
               ) AS without_guild
        FROM pg_class c
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'guild_id'
        LEFT JOIN pg_index i ON i.indrelid = c.oid
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
        GROUP BY c.relname
        """
    )
    await connection.close()
    without_guild = {row["name"]: set(row["without_guild"] or ()) for row in rows}
    distributed = without_guild.keys() - OF_INSTALLATION
    assert set.union(*(without_guild[name] for name in distributed)) == NUMBERED
    told = re.findall(r"create_distributed_table\('(\w+)', 'guild_id'", DOCUMENT.read_text(encoding="utf-8"))
    assert sorted(told) == sorted(distributed)
