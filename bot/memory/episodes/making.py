"""Telling of a conversation that has ended: read, ask without holding anything, store what still stands."""

import functools
import logging
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from bot.clock import Clock
from bot.domain import GUILD_SUBJECT, MessageKind
from bot.errors import DatabaseError
from bot.language.local_mentions import mentioned_in
from bot.language.operation import Asker, Operations, Outcome
from bot.log import trace
from bot.memory.directory import Directory
from bot.memory.episodes import compacting
from bot.memory.episodes.question import MAKE, Left, Talk, content_of, tags_of
from bot.memory.hashing import Hasher
from bot.memory.sayable import sayable
from bot.settings import Settings
from bot.store import episodes, told_conversations, work
from bot.store.database import Connection, Database
from bot.store.episodes import NewEpisode
from bot.store.told_conversations import ToTell
from bot.store.work import Task

logger = logging.getLogger(__name__)

_ROUNDS: Final = 3
"""So often a conversation is told anew when something of it is taken back meanwhile; then it waits."""

_TRIES: Final = 3
"""So often models are asked about one conversation that none of them tells; then it leaves no episode."""

_PAUSES: Final = (timedelta(minutes=1), timedelta(minutes=10))
"""Real time between those tries."""


class Maker:
    """Makes episodes as background work; `notify` is called after a commit that asked for more of it."""

    def __init__(
        self,
        database: Database,
        directory: Directory,
        operations: Operations,
        clock: Clock,
        settings: Settings,
        hasher: Hasher,
        *,
        notify: Callable[[], None],
    ) -> None:
        self._database = database
        self._directory = directory
        self._operations = operations
        self._clock = clock
        self._settings = settings
        self._hasher = hasher
        self._notify = notify

    async def make(self, task: Task) -> None:
        """Make the episode of the conversation that `task` names, unless it is settled.

        What models refuse, or fail at three times, leaves no episode. Raises `DatabaseError` if it could not be
        stored: then it is told again after a pause.
        """
        channel_id, first_message_id = (int(part) for part in task.work_key.split(":"))
        read = functools.partial(
            told_conversations.to_tell,
            guild_id=task.guild_id,
            channel_id=channel_id,
            first_message_id=first_message_id,
        )
        for _ in range(_ROUNDS):
            told = await self._database.read(read)
            if told is None or await self._is_done(told):
                return
        raise DatabaseError(f"conversation {first_message_id} changes faster than it is told")

    async def _is_done(self, told: ToTell) -> bool:
        """Ask about a conversation and store what comes back; `False` if it must be read once more."""
        is_purged = told.channel_is_deleted and self._settings.purge_episodes_of_deleted_channels
        if is_purged or not any(message.kind is MessageKind.MEMBER for message in told.messages):
            await self._give_up(told)
            return True
        began = time.monotonic()
        talk = await self._talk(told)
        asker = Asker(guild_id=told.ended.guild_id)
        outcome = await self._operations.run(MAKE, talk, asker=asker)
        if outcome.model is None:
            await self._failed(told, outcome)
            return True
        try:
            done = await self._save(told, talk, outcome.value)
        except DatabaseError as error:
            logger.warning("episode of conversation %d is stored again: %s", _id(told), trace(error))
            done = await self._save(told, talk, outcome.value)
        if done:
            logger.info(
                "conversation %d of channel %d, guild %d: episode from %d messages, %d tokens, %.1f s, %.1f s of these"
                " for the model",
                _id(told),
                told.ended.channel_id,
                told.ended.guild_id,
                len(told.messages),
                outcome.tokens,
                time.monotonic() - began,
                outcome.seconds,
            )
            self._notify()
        return done

    async def _talk(self, told: ToTell) -> Talk:
        everyone = await self._directory.members(
            told.ended.guild_id, audiences=sorted({message.audience for message in told.messages})
        )
        return Talk(
            messages=told.messages,
            summary=told.summary,
            covers_up_to=told.covers_up_to,
            members={member.user_id: member for member in everyone},
            time_zone=told.time_zone,
        )

    async def _save(self, told: ToTell, talk: Talk, left: Left) -> bool:
        """Store the episode, once; `False`, and nothing done, if something of it was taken back meanwhile."""
        content = content_of(talk, left)

        async def save(connection: Connection) -> bool:
            if not await told_conversations.may_be_stored(connection, told):
                return False
            left_over = await self._sayable(connection, told, content)
            if not left_over:
                await told_conversations.settle(connection, told.ended)
                return True
            await self._store(connection, told, left_over, left)
            return True

        return await self._database.write(save)

    async def _store(self, connection: Connection, told: ToTell, content: str, left: Left) -> None:
        """Store the episode unless another process did, and ask for room to be made where there are too many."""
        # Taken first, so that of two who tell the same conversation the second waits here and finds it settled.
        if not await told_conversations.settle(connection, told.ended):
            return
        episode_id = await episodes.add(
            connection,
            NewEpisode(
                guild_id=told.ended.guild_id,
                channel_id=told.ended.channel_id,
                audience=max(told.summary_audience, *(message.audience for message in told.messages)),
                content=content,
                importance=left.importance,
                tags=tags_of(left),
                first_message_id=told.ended.first_message_id,
                last_message_id=told.ended.last_message_id,
                memory_epoch=told.memory_epoch,
                created_at=told.ended.ended_at,
            ),
            now=self._clock.now(),
        )
        if episode_id is None:
            return
        await told_conversations.told_by(
            connection,
            told.ended,
            episode_id=episode_id,
            told_ids=told.resting_ids,
        )
        await work.ask(
            connection,
            guild_id=told.ended.guild_id,
            kind=compacting.KIND,
            work_key=str(told.ended.channel_id),
        )

    async def _sayable(self, connection: Connection, told: ToTell, content: str) -> str:
        """Return `content` without sentences that may not be kept about one of those it may be about."""
        subject_ids = {message.user_id for message in told.messages} | set(mentioned_in(content))
        return await sayable(
            connection,
            self._hasher,
            guild_id=told.ended.guild_id,
            subject_ids=[GUILD_SUBJECT, *sorted(subject_ids)],
            text=content,
        )

    async def _failed(self, told: ToTell, outcome: Outcome[Left]) -> None:
        """Note that no model told of a conversation, and ask again later if that may help."""

        async def note(connection: Connection) -> bool:
            attempts = await told_conversations.failed(connection, told.ended)
            is_final = not outcome.degraded or outcome.refused or attempts >= _TRIES
            if is_final:
                await told_conversations.settle(connection, told.ended)
            else:
                await told_conversations.ask_again(connection, told.ended, pause=_PAUSES[attempts - 1])
            return is_final

        is_final = await self._database.write(note)
        if outcome.degraded:
            logger.warning(
                "conversation %d of channel %d, guild %d: no model told of it, %s",
                _id(told),
                told.ended.channel_id,
                told.ended.guild_id,
                "it leaves no episode" if is_final else "asked again later",
            )

    async def _give_up(self, told: ToTell) -> None:
        await self._database.write(lambda connection: told_conversations.settle(connection, told.ended))


def _id(told: ToTell) -> int:
    return told.ended.first_message_id
