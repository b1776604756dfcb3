"""What guilds are told once: noted before and after, so that no restart and no second process tells it again."""

from datetime import datetime

from bot.store import told
from bot.store.database import Database
from bot.store.told import Telling

__all__ = ["Telling", "Tellings"]


class Tellings:
    """What guilds were told. Every method may raise `DatabaseError`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(
        self, *, guild_id: int, kind: str, channel_id: int, joined_at: datetime
    ) -> Telling | None:
        """Return how a guild is to be told something now, in a channel; `None` if it was told.

        Who was told before the bot joined at `joined_at` (aware) is told again. A telling that was begun and not
        noted as `done` is repeated, in its channel: whether it was sent the caller must find out.
        """
        return await self._database.write(
            lambda connection: told.begin(
                connection, guild_id=guild_id, kind=kind, channel_id=channel_id, joined_at=joined_at
            )
        )

    async def move(self, *, guild_id: int, kind: str, channel_id: int) -> None:
        """Note that it is sent to another channel, since the one before is gone."""
        await self._database.write(
            lambda connection: told.move(connection, guild_id=guild_id, kind=kind, channel_id=channel_id)
        )

    async def done(self, *, guild_id: int, kind: str, message_id: int) -> None:
        """Note that a guild was told something, by this message."""
        await self._database.write(
            lambda connection: told.done(connection, guild_id=guild_id, kind=kind, message_id=message_id)
        )
