"""Noticing that a conversation with the bot has ended, as soon as that is so and once in all processes.

The ends themselves are derived from what is stored: what is held here only says when to look where.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock, SystemClock
from bot.domain import MAX_ID, Message, MessageKind, snowflake_at
from bot.memory.conversations import CONVERSATION_MESSAGES, ended_conversations, ends_conversation
from bot.service import Service, Services
from bot.settings import Settings
from bot.store import ended
from bot.store.database import Connection, Database

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 30.0
"""Real seconds between two looks at all channels: for ends that another process heard of and did not note."""

_LEAST_SECONDS: Final = 0.1
"""Real seconds between two looks."""

_ANSWERED_SECONDS: Final = 0.5
"""Real seconds after which a message is looked at once more that may have ended a conversation."""

_LOOK_BACK_AT_START: Final = timedelta(days=30)
"""How far back ends are looked for that no process was there to notice."""

_LOOK_BACK: Final = timedelta(days=2)
"""How far back they are looked for from then on."""

_Place = tuple[int, int]
"""A guild and a channel of it."""


@dataclass(slots=True)
class _Running:
    """What is known of a conversation that is running."""

    last_at: datetime
    messages: int


class Ends:
    """Watches the channels in which the bot has answered; `notify` is called after a commit that asked for work.

    All channels are never looked at by a clock that is ahead of the `machine`'s: a transcript that plays next
    year must not end what others are talking about.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        settings: Settings,
        *,
        notify: Callable[[], None],
        machine: Clock | None = None,
        services: Services | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._machine = machine or SystemClock()
        self._notify = notify
        self._is_on = settings.episodes
        self._gap = timedelta(minutes=settings.conversation_gap_minutes)
        self._running: dict[_Place, _Running] = {}
        self._unseen: set[_Place] = set()
        self._guild_ids: set[int] = set()
        """Where the clock holds, since something was heard by it."""
        self._wake = asyncio.Event()
        self._looking = asyncio.Lock()
        self._looked_at = 0.0
        self._services = services or Services()
        self._service: Service | None = None

    async def start(self) -> None:
        """Note whether conversations leave episodes, look for ends that nobody noticed, and go on to look."""
        await self._database.write(
            lambda connection: ended.switch(
                connection, on=self._is_on, next_message_id=min(snowflake_at(self._clock.now()), MAX_ID)
            )
        )
        if self._is_on:
            await self._look_everywhere(_LOOK_BACK_AT_START)
            self._looked_at = asyncio.get_running_loop().time()
            self._service = self._services.start("ends of conversations", self._watch)

    async def stop(self) -> None:
        """End; what was not noticed is noticed by whoever comes next."""
        if self._service is not None:
            await self._service.stop()
            self._service = None

    def heard(self, messages: Sequence[Message]) -> None:
        """Take note of what was stored; waits for nothing."""
        if not self._is_on:
            return
        self._guild_ids.update(message.guild_id for message in messages)
        for message in messages:
            place = (message.guild_id, message.channel_id)
            running = self._running.get(place)
            if message.kind is MessageKind.BOT:
                self._unseen.add(place)
            elif running is not None:
                running.last_at = max(running.last_at, message.timestamp)
                running.messages += 1
                if running.messages >= CONVERSATION_MESSAGES:
                    self._unseen.add(place)
                elif ends_conversation(message.text):
                    self._unseen.add(place)
                    # Whether it was said to the bot shows when the bot begins to answer, if only by silence.
                    asyncio.get_running_loop().call_later(_ANSWERED_SECONDS, self._see, place)
        if self._unseen:
            self._wake.set()

    def _see(self, place: _Place) -> None:
        self._unseen.add(place)
        self._wake.set()

    async def settled(self, guild_id: int | None = None) -> None:
        """Return when every end has been noted that what was heard and the clock show by now.

        `guild_id` names a guild in which the clock holds although nothing was heard there yet.
        """
        if not self._is_on:
            return
        if guild_id is not None:
            self._guild_ids.add(guild_id)
        async with self._looking:
            if places := self._due():
                await self._look(places)

    def _due(self) -> list[_Place]:
        """Return where an end may have come."""
        here, elsewhere = self._clock.now() - self._gap, self._everywhere() - self._gap
        silent = {
            place
            for place, running in self._running.items()
            if running.last_at <= (here if place[0] in self._guild_ids else elsewhere)
        }
        return sorted(silent | self._unseen)

    def _everywhere(self) -> datetime:
        """Return the time that holds in all guilds."""
        return min(self._clock.now(), self._machine.now())

    def _seconds(self) -> float:
        """Return the real seconds until the next conversation ends by silence, as far as can be known."""
        if not self._running:
            return LOOK_SECONDS
        next_end = min(running.last_at for running in self._running.values()) + self._gap
        return min(LOOK_SECONDS, max(_LEAST_SECONDS, (next_end - self._clock.now()).total_seconds()))

    async def _watch(self) -> None:
        while True:
            self._wake.clear()
            await self.settled()
            if (now := asyncio.get_running_loop().time()) >= self._looked_at + LOOK_SECONDS:
                await self._look_everywhere(_LOOK_BACK)
                self._looked_at = now
            await asyncio.sleep(_LEAST_SECONDS)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._seconds()):
                    await self._wake.wait()

    async def _look_everywhere(self, back: timedelta) -> None:
        now = self._everywhere()
        async with self._looking:
            await self._note(None, now=now, since=now - back)

    async def _look(self, places: Sequence[_Place]) -> None:
        now = self._clock.now()
        self._unseen.difference_update(places)
        try:
            await self._note(places, now=now, since=now - _LOOK_BACK)
        except BaseException:
            self._unseen.update(places)
            raise

    async def _note(self, places: Sequence[_Place] | None, *, now: datetime, since: datetime) -> None:
        """Note the ends in `places`, or everywhere, and find out what is still running there."""

        async def look(connection: Connection) -> tuple[int, list[ended.Running]]:
            over = await ended_conversations(connection, now=now, gap=self._gap, since=since, places=places)
            asked = await ended.note(connection, over)
            return asked, await ended.running(connection, gap=self._gap, since=since, places=places)

        asked, running = await self._database.write(look)
        for place in [*self._running] if places is None else places:
            self._running.pop(place, None)
        for one in running:
            # What is silent for so long and has no end will have none: nothing is to be looked for there.
            if one.last_at > now - self._gap:
                self._running[one.guild_id, one.channel_id] = _Running(one.last_at, one.messages)
        if asked:
            logger.info("%d conversations have ended", asked)
            self._notify()
