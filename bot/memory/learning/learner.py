"""Learning about a member as background work: read, ask without holding anything, save what still stands."""

from dataclasses import dataclass, field
from typing import Final

from bot.clock import Clock
from bot.errors import DatabaseError, ModelError
from bot.language.local_mentions import mentioned_in
from bot.language.operation import Asker, Operations
from bot.memory import lifecycle
from bot.memory.directory import Directory
from bot.memory.hashing import Hasher
from bot.memory.learning.facts import new_facts
from bot.memory.learning.portion import Portion, read_portion
from bot.memory.learning.question import LEARN_PROFILE, Learned, Learning, is_shrunken, profile_in
from bot.memory.learning.turns import KIND
from bot.memory.sayable import of_present, sayable
from bot.memory.secrets import masked
from bot.memory.sensitive import without_sensitive
from bot.store import guilds, profiles, turns, work
from bot.store.database import Connection, Database
from bot.store.profiles import Profile, Standing
from bot.store.work import Task

_TRIES: Final = 3
"""So often a member is learned about anew when something changes meanwhile; then after a pause."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read before a model is asked."""

    standing: Standing
    portion: Portion
    text: str = ""
    """The profile as it stands, as far as it may be told; blank if there is none."""
    time_zone: str = field(default="UTC")


class Learner:
    """Learns about members; `learns` is whether the installation wants that at all."""

    def __init__(
        self,
        database: Database,
        directory: Directory,
        operations: Operations,
        clock: Clock,
        hasher: Hasher,
        *,
        learns: bool,
    ) -> None:
        self._database = database
        self._directory = directory
        self._operations = operations
        self._clock = clock
        self._hasher = hasher
        self._learns = learns

    async def learn(self, task: Task) -> None:
        """Learn from a portion of what a member said in the turns that are due; for the rest ask once more.

        Raises `ModelError` when no model told anything that may be kept, so that it is tried again after a
        pause: until then everything stays as it was. Without any model there is nothing to do.
        """
        guild_id, user_id = task.guild_id, int(task.work_key)
        for _ in range(_TRIES):
            read = await self._read(guild_id, user_id) if self._learns else None
            if read is None:
                return
            given = await self._given(guild_id, user_id, read)
            learned = None
            if read.portion.has_words:
                if not self._operations.has_models:
                    return
                learned = await self._asked(given)
            if await self._save(given, read, learned, guild_id=guild_id):
                return
        raise DatabaseError(f"what is known of member {user_id} changed too often to be learned from")

    async def _read(self, guild_id: int, user_id: int) -> _Read | None:
        """Return what there is to learn from; `None` if that is nothing, or nothing may be learned."""

        async def read(connection: Connection) -> _Read | None:
            # The standing first: what changes after this look is found out when the profile is saved.
            standing = await profiles.standing(connection, guild_id=guild_id, user_id=user_id)
            if standing is None or not standing.may_be_learned:
                return None
            portion = await read_portion(connection, guild_id=guild_id, user_id=user_id)
            if portion is None:
                return None
            newest = await profiles.newest(connection, guild_ids=[guild_id], user_ids=[user_id])
            texts = await of_present(
                connection,
                guild_id=guild_id,
                texts=[one.content for one in newest],
                whose=[user_id] * len(newest),
            )
            guild = await guilds.guild(connection, guild_id=guild_id)
            return _Read(
                standing,
                portion,
                texts[0] if texts else "",
                guild.time_zone if guild is not None else "UTC",
            )

        return await self._database.read(read)

    async def _given(self, guild_id: int, user_id: int, read: _Read) -> Learning:
        everyone = await self._directory.members(guild_id)
        return Learning(
            user_id=user_id,
            profile=read.text,
            messages=read.portion.messages,
            members={member.user_id: member for member in everyone},
            time_zone=read.time_zone,
        )

    async def _asked(self, given: Learning) -> Learned:
        asker = Asker(guild_id=given.messages[0].guild_id, user_id=given.user_id)
        outcome = await self._operations.run(LEARN_PROFILE, given, asker=asker)
        if outcome.model is None:
            raise ModelError(f"no model learned about member {given.user_id}")
        return outcome.value

    async def _save(self, given: Learning, read: _Read, learned: Learned | None, *, guild_id: int) -> bool:
        """Save what was learned and lower the count; `False`, and nothing done, if something changed meanwhile."""
        user_id = given.user_id
        now = self._clock.now()

        async def save(connection: Connection) -> bool:
            standing = await profiles.hold(connection, guild_id=guild_id, user_id=user_id)
            if standing != read.standing or not await turns.are_unchanged(
                connection, guild_id=guild_id, messages=given.messages
            ):
                return False
            if learned is not None:
                version = read.standing.version + 1
                profile = Profile(
                    guild_id=guild_id,
                    user_id=user_id,
                    version=version,
                    content=await self._kept(connection, given, learned, guild_id=guild_id),
                    covers_up_to=max(read.portion.turn_ids),
                    learned_at=now,
                )
                await profiles.put(connection, profile, memory_epoch=read.standing.memory_epoch)
                await lifecycle.learn(
                    connection, self._hasher, new_facts(learned, given, version=version), now=now
                )
            await turns.cover(
                connection, guild_id=guild_id, user_id=user_id, message_ids=read.portion.turn_ids
            )
            if not read.portion.is_last:
                await work.ask(connection, guild_id=guild_id, kind=KIND, work_key=str(user_id))
            return True

        return await self._database.write(save)

    async def _kept(self, connection: Connection, given: Learning, learned: Learned, *, guild_id: int) -> str:
        """Return what of a new profile may be kept; the old one where too little of it is left."""
        told = masked(without_sensitive(profile_in(learned, given)))
        text = await sayable(
            connection,
            self._hasher,
            guild_id=guild_id,
            subject_ids=[given.user_id, *mentioned_in(told)],
            text=told,
            whose=given.user_id,
        )
        return given.profile if not text or is_shrunken(text, given.profile) else text
