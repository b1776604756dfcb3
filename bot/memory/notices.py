"""Notices to those who run the bot: each kind once a day, whichever process meets the trouble."""

from uuid import uuid4

from bot.store import notices
from bot.store.database import Database


class Notices:
    """What was told today."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def first_today(self, *, guild_id: int, kind: str) -> bool:
        """Tell whether to tell this now: true once for a guild, a kind and a day in UTC, over all processes.

        Guild 0 is the installation itself. Raises `DatabaseUnavailableError`.
        """
        told_by = uuid4()
        return await self._database.write(
            lambda connection: notices.first_today(connection, guild_id=guild_id, kind=kind, told_by=told_by)
        )
