"""Counting turns: in the transaction that notes an answer as sent, and never twice."""

from collections.abc import Callable, Sequence
from typing import Final

from bot.clock import Clock
from bot.memory import forgetting
from bot.store import sending, turns, work
from bot.store.database import Connection, Database

KIND: Final = "learn"
"""The kind of background work that learns about one member; its key is their id."""


class Turns:
    """Notes that answers were sent; `notify` is called after a commit that asked for a learning.

    It is asked for after every `every` turns that no learning has covered, unless nothing `learns`.
    """

    def __init__(
        self, database: Database, clock: Clock, *, learns: bool, every: int, notify: Callable[[], None]
    ) -> None:
        self._database = database
        self._clock = clock
        self._learns = learns
        self._every = every
        self._notify = notify

    async def sent(self, *, guild_id: int, message_id: int, sent_ids: Sequence[int]) -> None:
        """Note under which ids the answer to a message was sent; if it is a turn, it is counted with that.

        If what it tells was forgotten while it was on its way, it is withheld as it would have been before.
        """

        async def note(connection: Connection) -> bool:
            stands = await sending.sent(
                connection, guild_id=guild_id, message_id=message_id, sent_ids=sent_ids
            )
            if not stands and sent_ids:
                await forgetting.withhold(
                    connection, guild_id=guild_id, message_ids=sent_ids, now=self._clock.now()
                )
            return await self._count(connection, guild_id=guild_id, message_id=message_id)

        if await self._database.write(note):
            self._notify()

    async def _count(self, connection: Connection, *, guild_id: int, message_id: int) -> bool:
        """Count a turn, and tell whether it is time to learn."""
        counted = await turns.count(connection, guild_id=guild_id, message_id=message_id, learns=self._learns)
        # Not at each turn beyond: whoever asks anew takes the growing pauses from a learning that failed.
        if counted is None or not counted.unlearned or counted.unlearned % self._every:
            return False
        await work.ask(connection, guild_id=guild_id, kind=KIND, work_key=str(counted.user_id))
        return True
