"""What the database holds after an import."""

from bot.db.pool import Database


async def rows(database: Database) -> list[tuple[object, ...]]:
    """Return every message, channel, guild and member as it is kept."""
    kept: list[tuple[object, ...]] = []
    for table in ("chat_history", "channels", "guilds", "members"):
        query = f"SELECT * FROM {table} ORDER BY 1, 2, 3"
        found = await database.read(lambda connection, query=query: connection.fetch(query))  # type: ignore[misc]
        kept += [(table, *row) for row in found]
    return kept


async def column(database: Database, name: str) -> list[object]:
    """Return one column of the message log, in the order of the messages."""
    query = f"SELECT {name} FROM chat_history ORDER BY message_id"
    return [row[0] for row in await database.read(lambda connection: connection.fetch(query))]
