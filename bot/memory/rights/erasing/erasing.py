"""Erases members who ask for it or who left, guilds that removed the bot, and the notes that wait for a manager.

Every step finds the remaining rows by itself, so repeating the steps continues after a crash. The bot's own messages go
first, while the names that they used for the member are still known.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.core.clock import Clock
from bot.core.domain import OPEN
from bot.core.settings import Settings
from bot.db import jobs
from bot.db.jobs import LEASE, Handler, Job
from bot.db.pool import Connection, Database
from bot.memory.facts import repository_narratives
from bot.memory.guilds import repository as guilds_repository
from bot.memory.policy import consent, decisions, redaction
from bot.memory.policy.decisions import DecisionKind
from bot.memory.recall.lexicon import LEXICON_JOB as LEXICON
from bot.memory.rights import rows
from bot.memory.rights.erasing import batches as erasing_batches
from bot.memory.rights.erasing import repository
from bot.memory.rights.erasing.batches import TURN_BATCHES, Batches, Erased, ErasingOrder
from bot.memory.rights.erasing.steps import (
    WaitingNotes,
    count_of_member,
    follow,
    notes_about,
    notes_left,
    query_naming,
)
from bot.memory.rights.personal_data import OfGuild, Table, tables_where
from bot.memory.rights.rows import ERASING_JOB, ErasingScope

logger = logging.getLogger(__name__)


async def erase_member_rows(batches: Batches, scope: ErasingScope, *, work_key: str) -> Erased:
    """Erase a member, and return what went; the work of `work_key` is finished then."""
    erased, named = await batches.run(_texts, scope)
    erased += await batches.carry_out(rows.STEPS, replace(scope, named=named), follow)
    return erased + await batches.run(_rest, scope, work_key)


async def erase_notes_about(batches: Batches, scope: ErasingScope, *, work_key: str) -> Erased:
    """Erase what others keep about a member who was erased before, and return what went."""
    of_notes = [one for one in rows.STEPS if one[0].of_notes]
    erased = await batches.carry_out(of_notes, scope, follow)

    async def settle(connection: Connection) -> None:
        await guilds_repository.bump_epoch(connection, guild_id=scope.guild_id)
        await repository.drop_waiting(connection, guild_id=scope.guild_id, user_id=scope.user_id)
        await repository.finish_job(connection, guild_id=scope.guild_id, work_key=work_key)

    await batches.run(settle)
    return erased


async def _texts(connection: Connection, scope: ErasingScope) -> tuple[Erased, str | None]:
    """Take the days, weeks, contexts and narratives about the member; return also the query of `ErasingScope.named`."""
    removed = await rows.remove_texts_about(connection, guild_id=scope.guild_id, user_id=scope.user_id)
    named = await query_naming(connection, guild_id=scope.guild_id, user_id=scope.user_id)
    return Erased(texts=removed), named


async def _rest(connection: Connection, scope: ErasingScope, work_key: str) -> Erased:
    """Take the texts about the member, what names them elsewhere, and their name."""
    guild_id, user_id = scope.guild_id, scope.user_id
    await guilds_repository.bump_epoch(connection, guild_id=guild_id)
    await redaction.take_out_member(connection, guild_id=guild_id, user_id=user_id)
    removed = await rows.remove_member_rows(connection, guild_id=guild_id, user_id=user_id)
    await repository_narratives.ask_for_narratives(connection, guild_id=guild_id, wanted=removed.retold)
    await jobs.enqueue(connection, guild_id=guild_id, kind=LEXICON, work_key="")
    waiting = await _let_wait(connection, scope)
    await repository.finish_job(connection, guild_id=guild_id, work_key=work_key)
    if scope.audiences is None:
        await repository.drop_covered(connection, guild_id=guild_id, user_id=user_id, up_to=scope.up_to)
    return _erased(removed.counts) + Erased(waiting=waiting)


async def _let_wait(connection: Connection, scope: ErasingScope) -> int:
    """Note what others keep where the member cannot read, and return how many facts that is."""
    guild_id, user_id = scope.guild_id, scope.user_id
    notes = await notes_left(connection, scope)
    if scope.audiences is None:
        await repository.drop_waiting(connection, guild_id=guild_id, user_id=user_id)
    elif notes.facts:
        await repository.put_waiting(connection, guild_id=guild_id, user_id=user_id, erased_up_to=scope.up_to)
    told = [(user_id, audience) for audience in notes.audiences]
    await repository_narratives.ask_for_narratives(connection, guild_id=guild_id, wanted=told)
    return notes.facts


_BATCH_ROWS: Final = 2_000


async def erase_guild_rows(
    batches: Batches, *, guild_id: int, work_key: str, left_before: datetime | None = None
) -> Erased:
    """Remove all that is kept of a guild but keyed hashes: those of who opted out, was erased, or had it forgotten.

    With `left_before` it stops as soon as the bot is back in the guild.
    """
    counts: dict[str, int] = {}

    async def begin(connection: Connection) -> None:
        await decisions.note(connection, DecisionKind.ERASE_GUILD, guild_id=guild_id)
        # First of all: members are what it is read from.
        await repository.keep_choices(connection, guild_id=guild_id)
        await guilds_repository.bump_epoch(connection, guild_id=guild_id, with_texts=False)

    async def is_wanted(connection: Connection) -> bool:
        if left_before is None:
            return True
        return await repository.guild_has_left(connection, guild_id=guild_id, before=left_before)

    async def empty(connection: Connection, table: Table) -> int:
        if not await is_wanted(connection):
            return 0
        return len(await rows.remove_rows(connection, table, guild_id=guild_id, limit=_BATCH_ROWS))

    if await batches.run(is_wanted):
        await batches.run(begin)
    for table in tables_where(of_guild=OfGuild.EMPTIED):
        while removed := await batches.run(partial(empty, table=table)):
            counts[table.name] = counts.get(table.name, 0) + removed

    async def drop(connection: Connection) -> None:
        if await is_wanted(connection):
            await repository.drop_guild(connection, guild_id=guild_id)
        await repository.finish_job(connection, guild_id=guild_id, work_key=work_key)

    await batches.run(drop)
    return _erased(counts)


def _erased(counts: Mapping[str, int]) -> Erased:
    """Return what went, by what went from each table."""
    return Erased(
        messages=counts.get("chat_history", 0),
        answers=counts.get("answers", 0),
        facts=counts.get("facts", 0),
        profiles=counts.get("profiles", 0),
        texts=sum(
            counts.get(table, 0) for table in ("distillations", "user_facts", "conversation_summaries")
        ),
        episodes=counts.get("episodes", 0),
    )


async def waiting_notes(connection: Connection, *, guild_id: int) -> list[WaitingNotes]:
    """Return the notes of a guild that wait; meanwhile they may all have been forgotten, or have expired."""
    waiting = await repository.waiting_members(connection, guild_id=guild_id)
    return await notes_about(
        connection,
        guild_id=guild_id,
        user_ids=[user_id for user_id, _ in waiting],
        up_to=[up_to for _, up_to in waiting],
    )


async def untold_waiting_notes(connection: Connection, *, guild_id: int, now: datetime) -> list[WaitingNotes]:
    """Return the waiting notes that nobody has been told about, and note that somebody is told now."""
    untold = await repository.take_untold(connection, guild_id=guild_id, now=now)
    return [one for one in await waiting_notes(connection, guild_id=guild_id) if one.user_id in untold]


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
        return {ERASING_JOB: self.go_on}

    async def guild_ids(self) -> Sequence[int]:
        """Return all guilds that have any data; a direct message is a guild too."""
        return await self._database.read(repository.all_guild_ids)

    async def counted(self, *, guild_id: int, user_id: int, audiences: Sequence[int] | None) -> Erased:
        """Return what `erase_member` would take; of the bot's own messages the answers to the member alone."""
        now = self._clock.now()

        async def count(connection: Connection) -> Erased:
            scope = ErasingScope(
                guild_id=guild_id,
                user_id=user_id,
                audiences=None if audiences is None else tuple({OPEN, *audiences}),
                up_to=await repository.erased_until(connection, guild_id=guild_id, user_id=user_id, now=now),
                now=now,
            )
            waiting = await notes_left(connection, scope)
            return replace(await count_of_member(connection, scope), waiting=waiting.facts)

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
        asked = ErasingOrder(user_id=user_id, audiences=readable)
        return await self._erase_member(guild_id, asked, opted_out=opted_out)

    async def erase_guild(self, *, guild_id: int) -> Erased:
        """Erase a guild, and return what went. Keyed hashes stay of who opted out, was erased or had it forgotten."""
        return await self._erase_guild(guild_id, ErasingOrder())

    async def waiting(self, *, guild_id: int) -> list[WaitingNotes]:
        """Return the notes about erased members that wait for a manager of a guild."""
        return await self._database.read(waiting_notes, guild_id=guild_id)

    async def untold_guild_ids(self) -> Sequence[int]:
        """Return the guilds with waiting notes that no manager has been told about."""
        return await self._database.read(repository.untold_guild_ids)

    async def untold_waiting(self, *, guild_id: int) -> list[WaitingNotes]:
        """Return the waiting notes that no manager has been told about, and note that one is told now."""
        now = self._clock.now()
        return await self._database.write(untold_waiting_notes, guild_id=guild_id, now=now)

    async def settle_waiting(self, *, guild_id: int, user_id: int, erase: bool) -> Erased:
        """Do what a manager decided about the notes on a member: erase them, or keep them. Returns what went."""
        waiting = dict(await self._database.read(repository.waiting_members, guild_id=guild_id))
        if user_id not in waiting:
            return Erased()
        if erase:
            asked = ErasingOrder(user_id=user_id, up_to=waiting[user_id], notes_only=True)
            return await self._erase_member(guild_id, asked)
        await self._database.write(repository.drop_waiting, guild_id=guild_id, user_id=user_id)
        return Erased()

    async def erased_since(self, *, guild_id: int, seen_at: Mapping[int, datetime]) -> frozenset[int]:
        """Return the members who were erased since they were seen: reading back must not name them again."""
        gone = await self._database.read(
            consent.were_erased, guild_id=guild_id, user_ids=[*seen_at], seen_at=[*seen_at.values()]
        )
        return frozenset(user_id for user_id, is_gone in zip(seen_at, gone, strict=True) if is_gone)

    async def note_left_guilds(
        self, *, bot_id: int, present_ids: Sequence[int], shard_ids: Sequence[int], shard_count: int
    ) -> int:
        """Note which guilds of these shards removed the bot while it was away; returns how many.

        `present_ids` are all guilds that it is in, also those that an outage hides from it.
        """
        return await self._database.write(
            repository.note_left_guilds,
            bot_id=bot_id,
            present_ids=present_ids,
            shard_ids=shard_ids,
            shard_count=shard_count,
            at=self._clock.now(),
        )

    async def ask_for_who_left(self, guild_id: int, now: datetime) -> None:
        """Ask for everybody to be erased whose grace is over at `now`: members who left, or the guild itself."""
        before = now - self._grace

        async def ask(connection: Connection) -> int:
            gone = not self._keeps_left_guilds and await repository.guild_has_left(
                connection, guild_id=guild_id, before=before
            )
            user_ids = await repository.who_left(
                connection, guild_id=guild_id, before=before, limit=_WHO_LEFT_AT_ONCE
            )
            wanted = (
                [ErasingOrder(left_before=before)]
                if gone
                else [
                    ErasingOrder(user_id=user_id, audiences=(OPEN,), left_before=before)
                    for user_id in user_ids
                ]
            )
            for one in wanted:
                await jobs.enqueue(connection, guild_id=guild_id, kind=ERASING_JOB, work_key=one.as_key())
            return len(wanted)

        if count := await self._database.write(ask):
            logger.info("guild %d: %d erasings of who left are asked for", guild_id, count)
            self._notify()

    async def go_on(self, task: Job) -> None:
        """Do, or go on with, the erasing that `task` names; what is more than a turn is asked for once more."""
        asked = ErasingOrder.of_key(task.work_key)
        if asked.is_of_guild:
            await self._erase_guild(task.guild_id, asked, limit=TURN_BATCHES)
        else:
            await self._erase_member(task.guild_id, asked, limit=TURN_BATCHES)

    async def _erase_member(
        self, guild_id: int, asked: ErasingOrder, *, opted_out: bool = False, limit: int | None = None
    ) -> Erased:
        now = self._clock.now()
        scope = await self._database.write(_begun, guild_id, asked, opted_out=opted_out, now=now)
        if scope is None:
            return Erased()
        begun = _as_begun(asked, scope)
        if (
            still_open := await erasing_batches.wait_for_older(self._database, older_than=begun.older_than)
        ) is not None:
            await self._wait_behind(guild_id, begun, still_open)
            return Erased(unfinished=1)
        batches = Batches(self._database, guild_id=guild_id, asked=begun, limit=limit)
        erase = erase_notes_about if asked.notes_only else erase_member_rows
        erased = await batches.in_turn(lambda turn: erase(turn, scope, work_key=begun.as_key()))
        logger.info("guild %d: erased a member: %s", guild_id, erased)
        self._notify()
        return erased

    async def _wait_behind(
        self, guild_id: int, begun: ErasingOrder, still_open: erasing_batches.OlderTransactions
    ) -> None:
        """Give back an erasing that must not go on yet: what those transactions write would outlive it."""
        logger.warning(
            "guild %d: an erasing has waited %.0f s for %d older transactions to end (server processes %s),"
            " and looks again in %s",
            guild_id,
            still_open.waited.total_seconds(),
            len(still_open.backend_pids),
            ", ".join(map(str, still_open.backend_pids)),
            erasing_batches.LOOK_AGAIN,
        )
        goes_on_as = replace(begun, older_than=still_open.since, turn=begun.turn + 1)
        await self._database.write(
            repository.give_back_job,
            guild_id=guild_id,
            work_key=begun.as_key(),
            goes_on_as=goes_on_as.as_key(),
            pause=erasing_batches.LOOK_AGAIN,
        )

    async def _erase_guild(self, guild_id: int, asked: ErasingOrder, *, limit: int | None = None) -> Erased:
        key = asked.as_key()
        await self._database.write(repository.take_up_job, guild_id=guild_id, work_key=key, lease=LEASE)
        batches = Batches(self._database, guild_id=guild_id, asked=asked, limit=limit)
        erased = await batches.in_turn(
            lambda turn: erase_guild_rows(
                turn, guild_id=guild_id, work_key=key, left_before=asked.left_before
            )
        )
        logger.info("guild %d: erased as a whole: %s", guild_id, erased)
        self._notify()
        return erased


async def _begun(
    connection: Connection, guild_id: int, asked: ErasingOrder, *, opted_out: bool, now: datetime
) -> ErasingScope | None:
    """Begin an erasing, or take it up again, and return its scope; `None` for who left and is back."""
    up_to = asked.up_to or await repository.begin_erasing(
        connection,
        guild_id=guild_id,
        user_id=asked.user_id,
        opted_out=opted_out,
        now=now,
        left_before=asked.left_before,
    )
    if up_to is None:
        return None
    if asked.up_to is None or (asked.notes_only and not asked.step and not asked.turn):
        await decisions.note(
            connection,
            DecisionKind.ERASE,
            guild_id=guild_id,
            user_id=asked.user_id,
            up_to=up_to,
            audiences=None if asked.audiences is None else list(asked.audiences),
            notes_only=asked.notes_only,
        )
    scope = ErasingScope(
        guild_id=guild_id, user_id=asked.user_id, audiences=asked.audiences, up_to=up_to, now=now
    )
    await repository.take_up_job(
        connection, guild_id=guild_id, work_key=_as_begun(asked, scope).as_key(), lease=LEASE
    )
    # No text that was told before is served from here on, and none that is being told is stored.
    await guilds_repository.bump_epoch(connection, guild_id=guild_id, with_texts=False)
    return scope


def _as_begun(asked: ErasingOrder, scope: ErasingScope) -> ErasingOrder:
    """Return an erasing as it goes on once it has begun: whether or not the member is back."""
    return replace(asked, up_to=scope.up_to, left_before=None)
