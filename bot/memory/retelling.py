"""Asking for narratives to be told anew, in the transaction that changes the facts they tell."""

from typing import Final

from bot.store import work
from bot.store.database import Connection

KIND: Final = "narrative"
"""The kind of background work that builds narratives; its key is `<subject>:<audience>`."""


async def ask(connection: Connection, *, guild_id: int, subject_id: int, audience: int) -> None:
    """Ask, in the transaction that changes the facts of a subject, for its narrative to be told anew."""
    await work.ask(connection, guild_id=guild_id, kind=KIND, work_key=f"{subject_id}:{audience}")
