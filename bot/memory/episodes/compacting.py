"""Keeping to what a channel may hold: one decision of a model, carried out if it can be, and counted again."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.clock import Clock
from bot.domain import GUILD_SUBJECT, Episode
from bot.errors import DatabaseError
from bot.language.local_mentions import mentioned_in
from bot.language.operation import Asker, Operations
from bot.log import trace
from bot.memory.episodes import deciding
from bot.memory.episodes.deciding import COMPACT, Crowd, Delete, Merge
from bot.memory.hashing import Hasher
from bot.memory.sayable import of_present, sayable
from bot.settings import Settings
from bot.store import episodes, told_conversations
from bot.store.database import Connection, Database
from bot.store.work import Task

logger = logging.getLogger(__name__)

KIND: Final = "episodes"
"""The kind of background work that makes room in a channel; its key is the channel."""

_ROUNDS: Final = 2
"""So often a decision is asked for anew when the episodes changed meanwhile; then none is waited for."""


class Compactor:
    """Makes room as background work. Nothing but the episodes of the one channel is ever offered or touched."""

    def __init__(
        self, database: Database, operations: Operations, clock: Clock, settings: Settings, hasher: Hasher
    ) -> None:
        self._database = database
        self._operations = operations
        self._clock = clock
        self._hasher = hasher
        self._most = settings.episodes_per_channel

    async def compact(self, task: Task) -> None:
        """Bring a channel down to as many episodes as it may have.

        A model decides once what goes or is merged. While there are still too many, the oldest of the least
        important goes.
        """
        guild_id, channel_id = task.guild_id, int(task.work_key)
        for _ in range(_ROUNDS):
            crowd = await self._database.read(
                lambda connection: episodes.everywhere(connection, guild_id=guild_id, channel_id=channel_id)
            )
            if len(crowd) <= self._most:
                return
            given = Crowd(await self._tellable(crowd), self._most)
            outcome = await self._operations.run(COMPACT, given, asker=Asker(guild_id=guild_id))
            wanted = deciding.read(given, outcome.value)
            if outcome.model is None and outcome.degraded:
                logger.warning("channel %d of guild %d: no model made room", channel_id, guild_id)
            if await self._again_once(guild_id, channel_id, crowd, wanted):
                return
        await self._again_once(guild_id, channel_id, (), None)

    async def _tellable(self, crowd: Sequence[Episode]) -> list[Episode]:
        """Return the episodes as a model may be shown them."""
        guild_id, texts = crowd[0].guild_id, [one.content for one in crowd]
        left = await self._database.read(
            lambda connection: of_present(connection, guild_id=guild_id, texts=texts)
        )
        return [replace(one, content=text) for one, text in zip(crowd, left, strict=True)]

    async def _again_once(
        self, guild_id: int, channel_id: int, crowd: Sequence[Episode], wanted: Delete | Merge | None
    ) -> bool:
        """Carry out what is `wanted`, in a second try if the database fails at the first."""
        try:
            return await self._carried_out(guild_id, channel_id, crowd, wanted)
        except DatabaseError as error:
            logger.warning(
                "channel %d of guild %d: room is made again: %s", channel_id, guild_id, trace(error)
            )
            return await self._carried_out(guild_id, channel_id, crowd, wanted)

    async def _carried_out(
        self, guild_id: int, channel_id: int, crowd: Sequence[Episode], wanted: Delete | Merge | None
    ) -> bool:
        """Do what is `wanted` and remove what is still too much; `False` if the episodes are not `crowd` any more."""

        async def change(connection: Connection) -> list[tuple[str, int]] | None:
            done: list[tuple[str, int]] = []
            standing = await episodes.lock(connection, guild_id=guild_id, channel_id=channel_id)
            if wanted is not None:
                if _by_id(standing) != _by_id(crowd):
                    return None
                done.append(await self._do(connection, wanted, audience=max(one.audience for one in crowd)))
                standing = await episodes.lock(connection, guild_id=guild_id, channel_id=channel_id)
            while len(standing) > self._most:
                least = deciding.least(standing)
                await _remove(connection, least)
                standing.remove(least)
                done.append(("removed", least.episode_id))
            return done

        done = await self._database.write(change)
        for action, episode_id in done or ():
            logger.info("channel %d of guild %d: %s episode %d", channel_id, guild_id, action, episode_id)
        return done is not None

    async def _do(self, connection: Connection, wanted: Delete | Merge, *, audience: int) -> tuple[str, int]:
        match wanted:
            case Delete(target):
                await _remove(connection, target)
                return "deleted", target.episode_id
            case Merge(target, merged, content):
                left = await sayable(
                    connection,
                    self._hasher,
                    guild_id=target.guild_id,
                    subject_ids=[GUILD_SUBJECT, *mentioned_in(content)],
                    text=content,
                )
                if not left:
                    await _remove(connection, merged)
                    return "deleted", merged.episode_id
                # The text was written with all of them in sight: it belongs to the narrowest.
                await episodes.merge(
                    connection,
                    target=target,
                    merged=merged,
                    content=left,
                    audience=audience,
                    now=self._clock.now(),
                )
                await told_conversations.merged(
                    connection,
                    guild_id=target.guild_id,
                    episode_id=merged.episode_id,
                    into_id=target.episode_id,
                )
                return "edited", target.episode_id


async def _remove(connection: Connection, episode: Episode) -> None:
    await episodes.remove(
        connection,
        guild_id=episode.guild_id,
        channel_id=episode.channel_id,
        episode_ids=[episode.episode_id],
    )


def _by_id(crowd: Sequence[Episode]) -> dict[int, Episode]:
    return {episode.episode_id: episode for episode in crowd}
