"""Forgetting a set of messages with all that rests on them, a batch at a time: a crash or a stop loses none of it."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from pydantic import BaseModel, ConfigDict

from bot.clock import Clock
from bot.domain import LEARNED, FactOrigin
from bot.memory.forgetting.reach import Forgotten, Reach
from bot.memory.forgetting.taking import forget, preview
from bot.memory.hashing import Hasher
from bot.memory.lifecycle import learning
from bot.memory.removals import Remover
from bot.store import distillations, forgettings, forgotten_words, guilds, work
from bot.store.database import Connection, Database
from bot.store.forgettings import Standing, Told
from bot.store.forgotten_words import Words
from bot.store.work import Task
from bot.work import Handler

__all__ = ["Forgettings", "Selection", "Standing", "Told"]

BATCH: Final = 200
"""Messages that one transaction takes at most, so that nobody waits long for the rows that it holds."""

FACTS_BATCH: Final = 20
"""Facts that one transaction takes at most: each of them is looked for in all that was said."""

_MOST_COUNTED: Final = 10_000

AT_ONCE_SECONDS: Final = 5.0
"""Real seconds that who asked waits at most; what is left by then is taken behind."""


class Selection(BaseModel):
    """Which messages are meant, in a form that outlives the process."""

    model_config = ConfigDict(frozen=True)

    audiences: tuple[int, ...]
    author_id: int | None = None
    """Whose; `None`: whoever wrote them."""
    channel_id: int | None = None
    """Of which channel; `None`: wherever they stand in `audiences`."""
    since: datetime | None = None
    """From when on, aware; `None`: from the beginning."""
    up_to_id: int
    """What is said later is not meant."""

    spares_others: bool = False
    """What the author told about others stays known: they have no right to have that forgotten."""

    @property
    def words(self) -> Words:
        """The same as the store takes it."""
        return Words(
            audiences=self.audiences,
            author_id=self.author_id,
            channel_id=self.channel_id,
            since=self.since,
            up_to_id=self.up_to_id,
            spares_others=self.spares_others,
        )


class Forgettings:
    """Sets, what a forgetting would take, and what one took. `notify` is called after a commit that asked for work."""

    def __init__(
        self, database: Database, clock: Clock, hasher: Hasher, *, notify: Callable[[], None]
    ) -> None:
        self._database = database
        self._clock = clock
        self._hasher = hasher
        self._notify = notify

    def handlers(self) -> Mapping[str, Handler]:
        """Return who goes on with large forgettings."""
        return {forgettings.KIND: self.go_on}

    async def preview(
        self,
        *,
        guild_id: int,
        fact_ids: Sequence[int],
        author_ids: Sequence[int] | None,
        audiences: Sequence[int],
    ) -> Forgotten:
        """Return how many of these facts, and of the messages that say them, `forget` would take."""
        reach = Reach(fact_ids=fact_ids, author_ids=author_ids, audiences=audiences)
        return await self._database.read(
            lambda connection: preview(connection, guild_id=guild_id, reach=reach)
        )

    async def count(self, selection: Selection, *, guild_id: int) -> Forgotten:
        """Return how many messages are meant, and how many facts rest on them alone; nothing is changed."""

        async def read(connection: Connection) -> Forgotten:
            resting = await forgotten_words.facts_resting(
                connection, guild_id=guild_id, words=selection.words, limit=_MOST_COUNTED
            )
            messages = await forgotten_words.count(connection, guild_id=guild_id, words=selection.words)
            return Forgotten(facts=len(resting), messages=messages)

        return await self._database.read(read)

    async def take(
        self, selection: Selection, *, guild_id: int, by: Remover, seconds: float = AT_ONCE_SECONDS
    ) -> Told:
        """Forget the messages that are meant and what rests on them; returns how far that came in so many seconds.

        What is left is taken behind, by whichever process comes to it.
        """
        until = time.monotonic() + seconds

        async def begin(connection: Connection) -> None:
            await forgettings.begin(
                connection,
                guild_id=guild_id,
                cause=by.cause,
                user_id=by.user_id,
                selection=selection.model_dump_json(),
                now=self._clock.now(),
            )
            await work.ask(connection, guild_id=guild_id, kind=forgettings.KIND, work_key=by.cause)

        await self._database.write(begin)
        while await self._take_some(guild_id, by.cause) and time.monotonic() < until:
            pass
        self._notify()
        told = await self.told(guild_ids=[guild_id], user_id=by.user_id, audiences=(), cause=by.cause)
        return told or Told(taken=Forgotten(), own=(), left=(), is_done=True)

    async def go_on(self, task: Task) -> None:
        """Take what is left of a forgetting that was begun."""
        while await self._take_some(task.guild_id, task.work_key):
            pass

    async def told(
        self,
        *,
        guild_ids: Sequence[int],
        user_id: int,
        audiences: Sequence[int],
        cause: str | None = None,
    ) -> Told | None:
        """Return what a member had forgotten by a command, by the last one if none is named; `None` if nothing.

        Messages of others are among it as far as `audiences` may see them.
        """
        return await self._database.read(
            lambda connection: forgettings.told(
                connection, guild_ids=guild_ids, user_id=user_id, audiences=audiences, cause=cause
            )
        )

    async def deleted(self, *, guild_id: int, user_id: int, message_ids: Sequence[int]) -> None:
        """Note that messages of the bot that told what a member had forgotten stand in their channels no longer."""
        await self._database.write(
            lambda connection: forgettings.deleted(
                connection, guild_id=guild_id, user_id=user_id, message_ids=message_ids
            )
        )

    async def _take_some(self, guild_id: int, cause: str) -> bool:
        """Take a batch of what a command means; `False` if nothing was left."""
        return await self._database.write(lambda connection: self._batch(connection, guild_id, cause))

    async def _batch(self, connection: Connection, guild_id: int, cause: str) -> bool:
        begun = await forgettings.selection(connection, guild_id=guild_id, cause=cause)
        if begun is None:
            return False
        user_id, stored = begun
        selection = Selection.model_validate_json(stored)
        words, by = selection.words, Remover(user_id=user_id, cause=cause)
        # Facts go before the messages that they rest on: what is known by then must not come back.
        fact_ids = await forgotten_words.facts_resting(
            connection, guild_id=guild_id, words=words, limit=FACTS_BATCH
        )
        message_ids = (
            await forgotten_words.some(connection, guild_id=guild_id, words=words, limit=BATCH)
            if not fact_ids
            else []
        )
        if not fact_ids and not message_ids:
            await forgettings.finish(connection, guild_id=guild_id, cause=cause)
            return False
        now = self._clock.now()
        await forget(
            connection,
            self._hasher,
            guild_id=guild_id,
            reach=Reach(
                fact_ids=fact_ids,
                message_ids=message_ids,
                author_ids=None if selection.author_id is None else [selection.author_id],
                audiences=selection.audiences,
                by=by,
            ),
            now=now,
        )
        # What is said elsewhere too is known from there; only what these messages say of it goes.
        await learning.withdraw(
            connection,
            guild_id=guild_id,
            message_ids=message_ids,
            now=now,
            origins=LEARNED if selection.spares_others else frozenset(FactOrigin),
        )
        await guilds.bump_epoch(connection, guild_id=guild_id)
        await distillations.drop_merged(connection, guild_id=guild_id)
        return True
