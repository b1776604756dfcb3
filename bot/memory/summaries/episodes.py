"""Episodes: detects, once across all processes, that a conversation with the bot has ended; and reads and removes
episodes.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Concatenate, Final, ParamSpec

from bot.core.clock import SystemClock
from bot.core.domain import MAX_ID, Episode, Message, MessageKind, snowflake_at
from bot.db.pool import Connection, Database
from bot.db.signs import woken
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.messages.conversations import (
    CONVERSATION_MESSAGES,
    BotConversations,
    RunningConversation,
    conversations_with_bot,
    ends_conversation,
)
from bot.memory.policy.redaction import without_opted_out
from bot.memory.summaries import repository_episodes

logger = logging.getLogger(__name__)

P = ParamSpec("P")


async def _tellable(
    connection: Connection,
    query: Callable[Concatenate[Connection, P], Awaitable[Sequence[Episode]]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> list[Episode]:
    """Return what `query` finds in one guild, without the sentences that name members about whom nothing is kept."""
    found = await query(connection, *args, **kwargs)
    if not found:
        return []
    left = await without_opted_out(
        connection, guild_id=found[0].guild_id, texts=[one.content for one in found]
    )
    return [replace(one, content=text) for one, text in zip(found, left, strict=True) if text]


class KeptEpisodes:
    """Reads and removes episodes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_channel(self, *, guild_id: int, channel_id: int, audiences: Sequence[int]) -> list[Episode]:
        """Return the episodes of a channel that these audiences may see, newest first."""
        found = await self._database.read(
            _tellable,
            repository_episodes.episodes_of_channel,
            guild_id=guild_id,
            channel_id=channel_id,
            audiences=audiences,
        )
        logger.info("channel %d of guild %d: %d episodes read", channel_id, guild_id, len(found))
        return found

    async def with_ids(
        self, *, guild_id: int, episode_ids: Sequence[int], audiences: Sequence[int]
    ) -> list[Episode]:
        """Return those of these episodes that these audiences may see, newest first."""
        return await self._database.read(
            _tellable,
            repository_episodes.episodes_with_ids,
            guild_id=guild_id,
            episode_ids=episode_ids,
            audiences=audiences,
        )

    async def resting_on(self, *, guild_id: int, user_ids: Sequence[int]) -> frozenset[int]:
        """Return the ids of all episodes of a guild that rest on words of one of these members."""
        return await self._database.read(
            repository_episodes.episodes_resting_on, guild_id=guild_id, user_ids=user_ids
        )

    async def everywhere(
        self, *, guild_id: int | None = None, channel_id: int | None = None, episode_id: int | None = None
    ) -> list[Episode]:
        """Return all episodes, those of a guild, of a channel, or one; for operators, whom no audience binds."""
        return await self._database.read(
            repository_episodes.episodes_everywhere,
            guild_id=guild_id,
            channel_id=channel_id,
            episode_id=episode_id,
        )

    async def remove(
        self, *, guild_id: int, channel_id: int, episode_id: int, audiences: Sequence[int]
    ) -> bool:
        """Remove an episode of a channel that these audiences may see; `False` if there is none such.

        Its conversation leaves no other one.
        """
        return await self._removed(guild_id, channel_id, [episode_id], audiences) > 0

    async def purge(self, *, guild_id: int, channel_id: int, episode_id: int | None = None) -> int:
        """Remove one episode of a channel, or all, regardless of audiences, and return how many were removed."""
        return await self._removed(guild_id, channel_id, None if episode_id is None else [episode_id], None)

    async def _removed(
        self,
        guild_id: int,
        channel_id: int,
        episode_ids: Sequence[int] | None,
        audiences: Sequence[int] | None,
    ) -> int:
        count = await self._database.write(
            repository_episodes.remove_episodes,
            guild_id=guild_id,
            channel_id=channel_id,
            episode_ids=episode_ids,
            audiences=audiences,
            is_decided=True,
        )
        logger.info("channel %d of guild %d: %d episodes removed on request", channel_id, guild_id, count)
        return count


LOOK_SECONDS: Final = 30.0
"""Real seconds between two looks at all channels: for ends that another process heard of and did not note. Where people
talk on, that is noted when they fall silent, or by whoever starts next: to read the end of every channel that talks
would cost each process as much as its own guilds."""

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


class ConversationEnds:
    """Watches the channels in which the bot has answered, and asks for an episode where a conversation has ended.

    All channels are never looked at by a clock that is ahead of the machine's: a transcript that plays next
    year must not end what others are talking about.
    """

    def __init__(self, needs: MemoryDependencies) -> None:
        self._needs = needs
        self._database = needs.database
        self._clock = needs.clock
        self._machine = SystemClock()
        self._is_on = needs.settings.episodes
        self._gap = needs.gap
        self._running: dict[_Place, RunningConversation] = {}
        self._closing: set[_Place] = set()
        """Where somebody said that this is all, maybe to the bot: with its answer the conversation is over."""
        self._unseen: set[_Place] = set()
        """Where an end may have come, or a conversation with the bot begun."""
        self._guild_ids: set[int] = set()
        """Where the clock holds, since something was heard by it."""
        self._wake = asyncio.Event()
        self._looking = asyncio.Lock()
        self._looked_at = 0.0

    async def start(self) -> None:
        """Note whether conversations leave episodes, look for ends that nobody noticed, and go on to look."""
        await self._database.write(
            repository_episodes.switch_episodes,
            on=self._is_on,
            next_message_id=min(snowflake_at(self._clock.now()), MAX_ID),
        )
        if self._is_on:
            await self._look_everywhere(_LOOK_BACK_AT_START, are_silent=False)
            self._looked_at = asyncio.get_running_loop().time()
            self._needs.services.start("ends of conversations", self._watch)

    async def stop(self) -> None:
        """End; what was not detected is left to the next process."""
        await self._needs.services.stop(self._watch)

    def heard(self, messages: Sequence[Message]) -> None:
        """Take note of what was stored; waits for nothing."""
        if not self._is_on:
            return
        self._guild_ids.update(message.guild_id for message in messages)
        for message in messages:
            place = (message.guild_id, message.channel_id)
            running = self._running.get(place)
            may_close = self._may_close(place, message)
            if running is None:
                is_to_be_seen = message.kind is MessageKind.BOT
            else:
                is_to_be_seen = self._is_over(running, message) or may_close
            if is_to_be_seen:
                self._unseen.add(place)
        if self._unseen:
            self._wake.set()

    def _may_close(self, place: _Place, message: Message) -> bool:
        """Note that it says that this is all, and tell whether it does, or is what the bot says after that."""
        if message.kind is MessageKind.BOT:
            return place in self._closing
        if not ends_conversation(message.text):
            return False
        self._closing.add(place)
        if place in self._running:
            # Whether it was said to the bot shows when the bot begins to answer, if only by silence.
            asyncio.get_running_loop().call_later(_ANSWERED_SECONDS, self._see, place)
        return True

    def _is_over(self, running: RunningConversation, message: Message) -> bool:
        """Count `message`, and tell whether a conversation is over by a pause before it or by its length."""
        is_pause = message.timestamp - running.last_at >= self._gap
        running.last_at = max(running.last_at, message.timestamp)
        running.messages += 1
        return is_pause or running.messages >= CONVERSATION_MESSAGES

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
                await self._look_everywhere(_LOOK_BACK, are_silent=True)
                self._looked_at = now
            await asyncio.sleep(_LEAST_SECONDS)
            await woken(self._wake, seconds=self._seconds())

    async def _look_everywhere(self, back: timedelta, *, are_silent: bool) -> None:
        now = self._everywhere()
        async with self._looking:
            await self._note(None, now=now, since=now - back, are_silent=are_silent)

    async def _look(self, places: Sequence[_Place]) -> None:
        now = self._clock.now()
        self._unseen.difference_update(places)
        try:
            await self._note(places, now=now, since=now - _LOOK_BACK)
        except BaseException:
            self._unseen.update(places)
            raise

    async def _note(
        self, places: Sequence[_Place] | None, *, now: datetime, since: datetime, are_silent: bool = False
    ) -> None:
        """Note the ends in `places`, or everywhere, and find out what is still running there.

        Of all channels perhaps only in those that `are_silent`.
        """

        async def look(connection: Connection) -> tuple[int, BotConversations]:
            found = await conversations_with_bot(
                connection, now=now, gap=self._gap, since=since, places=places, are_silent=are_silent
            )
            return await repository_episodes.note_ended(connection, found.over), found

        asked, found = await self._database.write(look)
        ended = [(one.guild_id, one.channel_id) for one in found.over]
        self._closing.difference_update(ended)
        for place in [*(places or ()), *ended]:
            self._running.pop(place, None)
        for one in found.running:
            self._running[one.guild_id, one.channel_id] = one
        self._closing.intersection_update(self._running.keys() | self._unseen)
        if asked:
            logger.info("%d conversations have ended", asked)
            self._needs.notify()


class Episodes(KeptEpisodes, ConversationEnds):
    """Reads and removes episodes, and sees to it that conversations leave them: `start`, and `stop` in the end."""

    def __init__(self, needs: MemoryDependencies) -> None:
        KeptEpisodes.__init__(self, needs.database)
        ConversationEnds.__init__(self, needs)
