"""Notices: to those who run the bot each kind once a day, to members once; whichever process has them to tell."""

from uuid import uuid4

from bot.store import notices
from bot.store.database import Database


class Notices:
    """What was told already."""

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

    async def first_to_member(self, *, guild_id: int, user_id: int, kind: str) -> bool:
        """Tell whether to tell this to a member now: true once for each, over all processes.

        What is kept of that is no id. Raises `DatabaseUnavailableError`.
        """
        told_by = uuid4()
        return await self._database.write(
            lambda connection: notices.first_to_member(
                connection, guild_id=guild_id, user_id=user_id, kind=kind, told_by=told_by
            )
        )
