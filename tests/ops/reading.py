"""What is in a database: every row of every table, or what of it must be the same in two homes."""

from typing import Final

from bot.db import copying

_COMPARED: Final = {
    "facts": ("updated_at", "lexemes", "last_used_at"),
    "fact_sources": (),
    "fact_about": (),
    "chat_history": ("lexemes",),
    "answers": ("holder", "leased_until"),
    "members": ("turns", "unlearned"),
    "kept_categories": (),
    "erased": (),
    "absences": (),
    "unheard": (),
    "tombstones": ("tombstone_id",),
    "decisions": ("decision_id",),
    "channels": (),
    "profiles": (),
    "episodes": (),
}
"""Tables of what is kept and decided, with the columns that only count or say when something was done. What is told
anew from these at any time is not among them."""


async def everything(dsn: str) -> dict[str, list[str]]:
    """Return all rows of all tables as text."""
    async with copying.session(dsn) as connection:
        return {
            table.name: [
                row["one"]
                for row in await connection.fetch(f'SELECT t::text AS one FROM "{table.name}" t ORDER BY 1')
            ]
            for table in await copying.copied_tables(connection)
        }


async def state(dsn: str) -> dict[str, set[str]]:
    """Return all rows as text of what must be the same in two databases in which the same was decided."""
    async with copying.session(dsn) as connection:
        found = {}
        for table in await copying.copied_tables(connection):
            if table.name in _COMPARED:
                columns = [f'"{one}"' for one in table.columns if one not in _COMPARED[table.name]]
                rows = await connection.fetch(
                    f'SELECT ROW({", ".join(columns)})::text AS one FROM "{table.name}"'
                )
                found[table.name] = {row["one"] for row in rows}
        return found


async def text_of(dsn: str) -> str:
    """Return all that is in a database as one text."""
    return "\n".join(line for lines in (await everything(dsn)).values() for line in lines)
