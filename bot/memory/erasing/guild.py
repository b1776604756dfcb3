"""Erasing whole guilds."""

from datetime import datetime
from functools import partial
from typing import Final

from bot.memory.erasing.asked import Erased
from bot.memory.erasing.batches import Batches
from bot.store import erasing, erasing_guilds, guilds
from bot.store.database import Connection

_BATCH_ROWS: Final = 2_000


async def erase(
    batches: Batches, *, guild_id: int, work_key: str, left_before: datetime | None = None
) -> Erased:
    """Remove all that is kept of a guild but keyed hashes: those of who opted out, was erased, or had it forgotten.

    With `left_before` it stops as soon as the bot is back in the guild.
    """
    counts: dict[str, int] = {}

    async def begin(connection: Connection) -> None:
        # First of all: members are what it is read from.
        await erasing_guilds.keep_choices(connection, guild_id=guild_id)
        await guilds.bump_epoch(connection, guild_id=guild_id)

    async def is_wanted(connection: Connection) -> bool:
        if left_before is None:
            return True
        return await erasing_guilds.has_left(connection, guild_id=guild_id, before=left_before)

    async def empty(connection: Connection, table: str) -> int:
        if not await is_wanted(connection):
            return 0
        return await erasing_guilds.empty(connection, guild_id=guild_id, table=table, limit=_BATCH_ROWS)

    if await batches.run(is_wanted):
        await batches.run(begin)
    for table in erasing_guilds.EMPTIED:
        while removed := await batches.run(partial(empty, table=table)):
            counts[table] = counts.get(table, 0) + removed

    async def drop(connection: Connection) -> None:
        if await is_wanted(connection):
            await erasing_guilds.drop(connection, guild_id=guild_id)
        await erasing.done(connection, guild_id=guild_id, work_key=work_key)

    await batches.run(drop)
    return _erased(counts)


def _erased(counts: dict[str, int]) -> Erased:
    return Erased(
        messages=counts.get("chat_history", 0),
        answers=counts.get("answers", 0),
        facts=counts.get("facts", 0),
        profiles=counts.get("profiles", 0),
        texts=sum(
            counts.get(table, 0) for table in ("distillations", "user_facts", "conversation_summaries")
        ),
        episodes=counts.get("episodes", 0),
    )
