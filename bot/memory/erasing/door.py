"""The door to erasing: members who ask for it or who left, guilds that the bot left, notes that wait for a manager."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock
from bot.domain import OPEN
from bot.memory.erasing import guild as whole_guild
from bot.memory.erasing import member, older
from bot.memory.erasing import waiting as waiting_for_managers
from bot.memory.erasing.asked import Asked, Erased, Scope, Waiting
from bot.memory.erasing.batches import TURN_BATCHES, Batches
from bot.settings import Settings
from bot.store import (
    erasing,
    erasing_facts,
    erasing_guilds,
    erasing_messages,
    guilds,
    waiting_notes,
    work,
)
from bot.store.database import Connection, Database
from bot.store.erasing import KIND
from bot.store.work import Task
from bot.work import LEASE, Handler

logger = logging.getLogger(__name__)

_WHO_LEFT_AT_ONCE: Final = 1_000
"""Members who left that one sweep of a guild asks to erase."""


class Erasing:
    """Erases. `notify` is called after a commit that asked for background work."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        settings: Settings,
        *,
        notify: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._grace = timedelta(days=settings.left_member_grace_days)
        self._keeps_left_guilds = settings.keep_left_guilds
        self._notify = notify

    def handlers(self) -> Mapping[str, Handler]:
        """Return who does the background work of erasing, by its kind."""
        return {KIND: self.go_on}

    async def guild_ids(self) -> Sequence[int]:
        """Return all guilds of which anything is kept; a direct message is one too."""
        return await self._database.read(erasing.guild_ids)

    async def counted(self, *, guild_id: int, user_id: int, audiences: Sequence[int] | None) -> Erased:
        """Return what `erase_member` would take; of the bot's own messages the answers to the member alone."""
        now = self._clock.now()

        async def count(connection: Connection) -> Erased:
            found = await erasing_messages.counted(connection, guild_id=guild_id, user_id=user_id)
            newest = await erasing.newest_at(connection, guild_id=guild_id, user_id=user_id)
            up_to = max(now, newest or now)
            facts = await erasing_facts.counted(
                connection, guild_id=guild_id, user_id=user_id, up_to=up_to, audiences=audiences
            )
            waiting = 0
            if audiences is not None:
                notes = await erasing_facts.notes(
                    connection,
                    guild_id=guild_id,
                    user_id=user_id,
                    up_to=up_to,
                    audiences=[OPEN, *audiences],
                )
                waiting = notes.facts
            return Erased(
                messages=found.own,
                mentions=found.naming,
                answers=found.answers,
                facts=facts,
                profiles=found.profiles,
                texts=found.texts,
                episodes=found.episodes,
                waiting=waiting,
            )

        return await self._database.read(count)

    async def erase_member(
        self, *, guild_id: int, user_id: int, audiences: Sequence[int] | None, opted_out: bool
    ) -> Erased:
        """Erase a member of a guild, and return what went: their own words everywhere, and what is known about them.

        What others keep about them goes where they can read, which is what is open and `audiences`; elsewhere it
        waits for a manager. `None` takes it everywhere, at once. What remains is a keyed hash with the moment, by
        which nothing of it is ever stored again, and whether they opted out: `opted_out`, or done before. If this
        is interrupted, or must wait for an older transaction (`Erased.unfinished`), whoever comes next goes on.
        """
        readable = None if audiences is None else tuple(sorted({OPEN, *audiences}))
        asked = Asked(user_id=user_id, audiences=readable)
        return await self._erase_member(guild_id, asked, opted_out=opted_out)

    async def erase_guild(self, *, guild_id: int) -> Erased:
        """Erase a guild, and return what went. Keyed hashes stay of who opted out, was erased or had it forgotten."""
        return await self._erase_guild(guild_id, Asked())

    async def waiting(self, *, guild_id: int) -> list[Waiting]:
        """Return the notes about erased members that wait for a manager of a guild."""
        return await self._database.read(
            lambda connection: waiting_for_managers.all_notes(connection, guild_id=guild_id)
        )

    async def untold_guild_ids(self) -> Sequence[int]:
        """Return the guilds in which notes wait of which no manager was told."""
        return await self._database.read(waiting_notes.untold_guild_ids)

    async def untold_waiting(self, *, guild_id: int) -> list[Waiting]:
        """Return those of the notes that wait of which no manager was told, and note that one is told now."""
        now = self._clock.now()
        return await self._database.write(
            lambda connection: waiting_for_managers.untold_notes(connection, guild_id=guild_id, now=now)
        )

    async def settle_waiting(self, *, guild_id: int, user_id: int, erase: bool) -> Erased:
        """Do what a manager decided about the notes on a member: erase them, or keep them. Returns what went."""
        found = await self._database.read(
            lambda connection: waiting_notes.waits(connection, guild_id=guild_id, user_id=user_id)
        )
        if found is None:
            return Erased()
        if erase:
            asked = Asked(user_id=user_id, up_to=found.erased_up_to, notes_only=True)
            return await self._erase_member(guild_id, asked)
        await self._database.write(
            lambda connection: waiting_notes.drop(connection, guild_id=guild_id, user_id=user_id)
        )
        return Erased()

    async def erased_since(self, *, guild_id: int, seen_at: Mapping[int, datetime]) -> frozenset[int]:
        """Return the members who were erased since they were seen: what is read back must not name them anew."""
        gone = await self._database.read(
            lambda connection: erasing.were_erased(
                connection, guild_id=guild_id, user_ids=[*seen_at], seen_at=[*seen_at.values()]
            )
        )
        return frozenset(user_id for user_id, is_gone in zip(seen_at, gone, strict=True) if is_gone)

    async def note_left_guilds(
        self, *, bot_id: int, present_ids: Sequence[int], shard_ids: Sequence[int], shard_count: int
    ) -> int:
        """Note which guilds of these shards removed the bot while it was away; returns how many.

        `present_ids` are all guilds that it is in, also those that an outage hides from it.
        """
        return await self._database.write(
            lambda connection: erasing_guilds.note_left(
                connection,
                bot_id=bot_id,
                present_ids=present_ids,
                shard_ids=shard_ids,
                shard_count=shard_count,
                at=self._clock.now(),
            )
        )

    async def ask_for_who_left(self, guild_id: int, now: datetime) -> None:
        """Ask for everybody to be erased whose grace is over at `now`: members who left, or the guild itself."""
        before = now - self._grace

        async def ask(connection: Connection) -> int:
            gone = not self._keeps_left_guilds and await erasing_guilds.has_left(
                connection, guild_id=guild_id, before=before
            )
            user_ids = await erasing.who_left(
                connection, guild_id=guild_id, before=before, limit=_WHO_LEFT_AT_ONCE
            )
            wanted = (
                [Asked(left_before=before)]
                if gone
                else [Asked(user_id=user_id, audiences=(OPEN,), left_before=before) for user_id in user_ids]
            )
            for one in wanted:
                await work.ask(connection, guild_id=guild_id, kind=KIND, work_key=one.as_key())
            return len(wanted)

        if count := await self._database.write(ask):
            logger.info("guild %d: %d erasings of who left are asked for", guild_id, count)
            self._notify()

    async def go_on(self, task: Task) -> None:
        """Do, or go on with, the erasing that `task` names; what is more than a turn is asked for once more."""
        asked = Asked.of_key(task.work_key)
        if asked.is_of_guild:
            await self._erase_guild(task.guild_id, asked, limit=TURN_BATCHES)
        else:
            await self._erase_member(task.guild_id, asked, limit=TURN_BATCHES)

    async def _erase_member(
        self, guild_id: int, asked: Asked, *, opted_out: bool = False, limit: int | None = None
    ) -> Erased:
        now = self._clock.now()
        scope = await self._database.write(
            lambda connection: _begun(connection, guild_id, asked, opted_out=opted_out, now=now)
        )
        if scope is None:
            return Erased()
        begun = _as_begun(asked, scope)
        if (still_open := await older.wait(self._database, older_than=begun.older_than)) is not None:
            await self._wait_behind(guild_id, begun, still_open)
            return Erased(unfinished=1)
        batches = Batches(self._database, guild_id=guild_id, asked=begun, limit=limit)
        erase = member.erase_notes if asked.notes_only else member.erase
        erased = await batches.in_turn(lambda turn: erase(turn, scope, work_key=begun.as_key()))
        logger.info("guild %d: erased a member: %s", guild_id, erased)
        self._notify()
        return erased

    async def _wait_behind(self, guild_id: int, begun: Asked, still_open: older.StillOpen) -> None:
        """Give back an erasing that must not go on yet: what those transactions write would outlive it."""
        logger.warning(
            "guild %d: an erasing has waited %.0f s for %d older transactions to end (server processes %s),"
            " and looks again in %s",
            guild_id,
            still_open.waited.total_seconds(),
            len(still_open.backend_pids),
            ", ".join(map(str, still_open.backend_pids)),
            older.LOOK_AGAIN,
        )
        goes_on_as = replace(begun, older_than=still_open.since, turn=begun.turn + 1)
        await self._database.write(
            lambda connection: erasing.give_back(
                connection,
                guild_id=guild_id,
                work_key=begun.as_key(),
                goes_on_as=goes_on_as.as_key(),
                pause=older.LOOK_AGAIN,
            )
        )

    async def _erase_guild(self, guild_id: int, asked: Asked, *, limit: int | None = None) -> Erased:
        key = asked.as_key()
        await self._database.write(
            lambda connection: erasing.take_up(connection, guild_id=guild_id, work_key=key, lease=LEASE)
        )
        batches = Batches(self._database, guild_id=guild_id, asked=asked, limit=limit)
        erased = await batches.in_turn(
            lambda turn: whole_guild.erase(
                turn, guild_id=guild_id, work_key=key, left_before=asked.left_before
            )
        )
        logger.info("guild %d: erased as a whole: %s", guild_id, erased)
        self._notify()
        return erased


async def _begun(
    connection: Connection, guild_id: int, asked: Asked, *, opted_out: bool, now: datetime
) -> Scope | None:
    """Begin an erasing, or take it up again, and return its scope; `None` for who left and is back."""
    up_to = asked.up_to or await erasing.begin(
        connection,
        guild_id=guild_id,
        user_id=asked.user_id,
        opted_out=opted_out,
        now=now,
        left_before=asked.left_before,
    )
    if up_to is None:
        return None
    scope = Scope(guild_id=guild_id, user_id=asked.user_id, audiences=asked.audiences, up_to=up_to, now=now)
    await erasing.take_up(
        connection, guild_id=guild_id, work_key=_as_begun(asked, scope).as_key(), lease=LEASE
    )
    # No text that was told before is served from here on, and none that is being told is stored.
    await guilds.bump_epoch(connection, guild_id=guild_id)
    return scope


def _as_begun(asked: Asked, scope: Scope) -> Asked:
    """Return an erasing as it goes on once it has begun: whether or not the member is back."""
    return replace(asked, up_to=scope.up_to, left_before=None)
