"""Writing what was heard into the log, in one transaction, with all that follows from edits and deletions."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.domain import Message, Withheld
from bot.memory import forgetting, forwards, lifecycle
from bot.store import messages, quarantine, summaries
from bot.store.database import Connection
from bot.store.messages import Changed


async def hear(connection: Connection, batch: Sequence[Message], *, now: datetime) -> list[bool]:
    """Write `batch` in rounds, since one statement cannot touch one row twice; tell which were new."""
    rounds: list[dict[tuple[int, int], int]] = []
    for position, message in enumerate(batch):
        key = (message.guild_id, message.message_id)
        free = next((one for one in rounds if key not in one), None)
        if free is None:
            free = {}
            rounds.append(free)
        free[key] = position
    new = [False] * len(batch)
    for one in rounds:
        heard = [batch[position] for position in one.values()]
        changed = await messages.hear(connection, heard)
        gone = {(row.guild_id, row.message_id) for row in changed if row.is_withheld and not row.is_new}
        await _follow_deletions(
            connection,
            [
                replace(message, withheld=Withheld.OPTED_OUT)
                if (message.guild_id, message.message_id) in gone
                else message
                for message in heard
            ],
            now=now,
        )
        await _follow_late_origins(connection, changed, now=now)
        await summaries.follow_edits(connection, heard)
        await quarantine.superseded(connection, heard)
        for row in changed:
            new[one[row.guild_id, row.message_id]] = row.is_new
    return new


async def _follow_deletions(connection: Connection, heard: Sequence[Message], *, now: datetime) -> None:
    """Take what was deleted out of the bot's answers as well, which may have quoted it, and out of what was learned."""
    gone: dict[int, list[int]] = {}
    for message in heard:
        if message.withheld is not None:
            gone.setdefault(message.guild_id, []).append(message.message_id)
    for guild_id, message_ids in gone.items():
        await forgetting.withhold(connection, guild_id=guild_id, message_ids=message_ids, now=now)
        await lifecycle.withdraw(connection, guild_id=guild_id, message_ids=message_ids, now=now)


async def _follow_late_origins(connection: Connection, changed: Sequence[Changed], *, now: datetime) -> None:
    """Withhold what repeats messages that come without a text only now: what is read back comes in any order."""
    bare: dict[int, list[int]] = {}
    for row in changed:
        if row.is_new and row.is_withheld:
            bare.setdefault(row.guild_id, []).append(row.message_id)
    for guild_id, message_ids in bare.items():
        await forwards.follow(connection, guild_id=guild_id, message_ids=message_ids, now=now)
