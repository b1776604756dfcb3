"""Notes of others about erased members in closed rooms: a manager decides what becomes of them."""

from collections.abc import Sequence
from datetime import datetime

from bot.domain import OPEN
from bot.memory.erasing.asked import Waiting
from bot.store import erasing_facts, waiting_notes
from bot.store.database import Connection
from bot.store.waiting_notes import WaitingMember


async def all_notes(connection: Connection, *, guild_id: int) -> list[Waiting]:
    """Return all notes of a guild that wait."""
    return await _notes_about(
        connection, guild_id, await waiting_notes.of_guild(connection, guild_id=guild_id)
    )


async def untold_notes(connection: Connection, *, guild_id: int, now: datetime) -> list[Waiting]:
    """Return the notes that wait without that anybody was told, and note that somebody is told now."""
    return await _notes_about(
        connection, guild_id, await waiting_notes.tell(connection, guild_id=guild_id, now=now)
    )


async def _notes_about(
    connection: Connection, guild_id: int, found: Sequence[WaitingMember]
) -> list[Waiting]:
    waiting: list[Waiting] = []
    for one in found:
        notes = await erasing_facts.notes(
            connection, guild_id=guild_id, user_id=one.user_id, up_to=one.erased_up_to, audiences=[OPEN]
        )
        # Meanwhile they may all have been forgotten, or have expired.
        if notes.facts:
            waiting.append(Waiting(user_id=one.user_id, facts=notes.facts, audiences=notes.audiences))
    return waiting
