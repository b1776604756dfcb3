"""Large forgettings: plans of ids and limits, carried out batch by batch, so that a crash or a stop loses nothing."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict, TypeAdapter

from bot.core.clock import Clock
from bot.core.domain import LEARNED, OPEN, FactOrigin
from bot.db import jobs
from bot.db.jobs import Handler, Job
from bot.db.pool import Connection, Database
from bot.memory.facts import repository as facts_repository
from bot.memory.guilds import repository as guilds_repository
from bot.memory.outbox.removal_log import Remover
from bot.memory.policy.tombstones import Hasher
from bot.memory.profiles.profiles import forget_profile
from bot.memory.rights.forgetting import repository
from bot.memory.rights.forgetting.apply import forget, preview
from bot.memory.rights.forgetting.repository import ForgettingReport, Forgotten, MessageSelection
from bot.memory.rights.forgetting.search import Reach
from bot.memory.rights.forgetting.withholding import take_answers, withdraw


class FactShare(BaseModel):
    """Facts of one guild that are taken alike."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fact_ids: tuple[int, ...]
    author_ids: tuple[int, ...] | None = None
    """Whose messages that say them lose their text, beside the bot's own; `None`: whoever wrote them."""
    audiences: tuple[int, ...] = (OPEN,)
    """Where those messages may stand."""


class FactPlan(BaseModel):
    """Which facts of one guild are meant, with what goes beside them at the end."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    shares: tuple[FactShare, ...]
    message_ids: tuple[int, ...] = ()
    audiences: tuple[int, ...] = (OPEN,)
    """Where the command was said."""
    profile_of: int | None = None
    """Whose profile goes too."""


ForgettingPlan = MessageSelection | FactPlan
_PLANS: Final[TypeAdapter[MessageSelection | FactPlan]] = TypeAdapter(MessageSelection | FactPlan)


def plan_in(stored: str) -> ForgettingPlan:
    """Return a plan from its JSON."""
    return _PLANS.validate_json(stored)


def some_of(share: FactShare, left: Sequence[int], *, at_most: int) -> FactShare:
    """Return the first facts of `share` that are among those `left`."""
    among = set(left)
    first = [fact_id for fact_id in share.fact_ids if fact_id in among][:at_most]
    return share.model_copy(update={"fact_ids": tuple(first)})


BATCH: Final = 200
"""Messages that one transaction takes at most, so that nobody waits long for the rows that it holds."""

FACTS_BATCH: Final = 20
"""Facts that one transaction takes at most: each of them is looked for in all that was said."""

_MOST_COUNTED: Final = 10_000

AT_ONCE_SECONDS: Final = 5.0
"""Real seconds that who asked waits at most; what is left by then is taken behind."""


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
        return {repository.FORGETTING_JOB: self.go_on}

    async def preview(
        self,
        *,
        guild_id: int,
        fact_ids: Sequence[int],
        author_ids: Sequence[int] | None,
        audiences: Sequence[int],
    ) -> Forgotten:
        """Return how many of these facts, and of the messages that say them, `forget` would take."""
        reach = Reach(guild_id=guild_id, fact_ids=fact_ids, author_ids=author_ids, audiences=audiences)
        return await self._database.read(preview, reach)

    async def count_sayings(self, reach: Reach) -> int:
        """Return how many messages of the asker's `reach` would take that say what no fact says; nothing is changed."""
        return (await self._database.read(preview, reach)).sayings

    async def count(self, selection: MessageSelection, *, guild_id: int) -> Forgotten:
        """Return how many messages are meant, and how many facts rest on them alone; nothing is changed."""

        async def read(connection: Connection) -> Forgotten:
            resting = await repository.facts_resting_on(
                connection, guild_id=guild_id, selection=selection, limit=_MOST_COUNTED
            )
            messages = await repository.count_messages(connection, guild_id=guild_id, selection=selection)
            return Forgotten(facts=len(resting), messages=messages)

        return await self._database.survey(read)

    async def take(
        self, selection: MessageSelection, *, guild_id: int, by: Remover, seconds: float = AT_ONCE_SECONDS
    ) -> ForgettingReport:
        """Forget the messages that are meant and what rests on them; returns how far that came in so many seconds.

        What is left is taken behind, by whichever process comes to it.
        """
        await self._begin({guild_id: selection}, by=by)
        return await self._take_for(seconds, [guild_id], by)

    async def take_facts(
        self,
        plans: Mapping[int, FactPlan],
        *,
        words: Reach,
        facts: int,
        by: Remover,
        seconds: float = AT_ONCE_SECONDS,
    ) -> ForgettingReport:
        """Forget the facts that are meant, by guild, as `take` does; `facts` is what is told of their number.

        What has `words` alone is done at the beginning.
        """
        await self._begin(plans, by=by, facts=facts, first=words)
        return await self._take_for(seconds, sorted(plans), by)

    async def resumed(
        self, *, guild_ids: Sequence[int], by: Remover, seconds: float = AT_ONCE_SECONDS
    ) -> ForgettingReport | None:
        """Go on with what this very command began in these guilds before; `None` if it began nothing."""
        begun = await self.told(guild_ids=guild_ids, user_id=by.user_id, audiences=(), cause=by.cause)
        return None if begun is None else await self._take_for(seconds, guild_ids, by)

    async def _begin(
        self, plans: Mapping[int, ForgettingPlan], *, by: Remover, facts: int = 0, first: Reach | None = None
    ) -> None:
        async def begin(connection: Connection) -> None:
            if first is not None:
                await forget(connection, self._hasher, reach=first, now=self._clock.now())
            for place, guild_id in enumerate(sorted(plans)):
                await repository.begin_forgetting(
                    connection,
                    guild_id=guild_id,
                    cause=by.cause,
                    user_id=by.user_id,
                    selection=plans[guild_id].model_dump_json(),
                    facts=facts if place == 0 else 0,
                    now=self._clock.now(),
                )
                await jobs.enqueue(
                    connection, guild_id=guild_id, kind=repository.FORGETTING_JOB, work_key=by.cause
                )

        await self._database.write(begin)

    async def _take_for(self, seconds: float, guild_ids: Sequence[int], by: Remover) -> ForgettingReport:
        """Take for so many seconds what a command means in these guilds, and return how far that came."""
        until = time.monotonic() + seconds
        for guild_id in guild_ids:
            while time.monotonic() < until and await self._take_some(guild_id, by.cause):
                pass
        self._notify()
        told = await self.told(guild_ids=guild_ids, user_id=by.user_id, audiences=(), cause=by.cause)
        return told or ForgettingReport(taken=Forgotten(), own=(), left=(), is_done=True)

    async def go_on(self, task: Job) -> None:
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
    ) -> ForgettingReport | None:
        """Return what a member had forgotten by a command, by the last one if none is named; `None` if nothing.

        Messages of others are among it as far as `audiences` may see them.
        """
        return await self._database.read(
            repository.forgetting_report,
            guild_ids=guild_ids,
            user_id=user_id,
            audiences=audiences,
            cause=cause,
        )

    async def deleted(self, *, guild_id: int, user_id: int, message_ids: Sequence[int]) -> None:
        """Note that messages of the bot that told what a member had forgotten stand in their channels no longer."""
        await self._database.write(
            repository.note_deleted, guild_id=guild_id, user_id=user_id, message_ids=message_ids
        )

    async def _take_some(self, guild_id: int, cause: str) -> bool:
        """Take a batch of what a command means; `False` if nothing was left."""
        return await self._database.write(self._batch, guild_id, cause)

    async def _batch(self, connection: Connection, guild_id: int, cause: str) -> bool:
        begun = await repository.stored_plan(connection, guild_id=guild_id, cause=cause)
        if begun is None:
            return False
        user_id, stored = begun
        plan, by = plan_in(stored), Remover(user_id=user_id, cause=cause)
        match plan:
            case MessageSelection():
                is_left = await self._some_words(connection, guild_id, plan, by)
            case FactPlan():
                is_left = await self._some_facts(connection, guild_id, plan, by)
        if not is_left:
            await repository.finish_forgetting(connection, guild_id=guild_id, cause=cause)
        return is_left

    async def _some_facts(self, connection: Connection, guild_id: int, plan: FactPlan, by: Remover) -> bool:
        """Take some of the facts that are meant, or when none is left what goes beside them; `False` then."""
        now = self._clock.now()
        meant = [fact_id for share in plan.shares for fact_id in share.fact_ids]
        left = [
            one.fact_id
            for one in await facts_repository.lock_for_forgetting(
                connection, guild_id=guild_id, fact_ids=meant
            )
        ]
        for share in plan.shares:
            some = some_of(share, left, at_most=FACTS_BATCH)
            if some.fact_ids:
                reach = Reach(
                    guild_id=guild_id,
                    fact_ids=some.fact_ids,
                    author_ids=some.author_ids,
                    audiences=some.audiences,
                    is_counted=False,
                    by=by,
                )
                await forget(connection, self._hasher, reach=reach, now=now)
                return True
        if plan.profile_of is not None:
            await forget_profile(
                connection, guild_id=guild_id, user_id=plan.profile_of, take_answers=take_answers, now=now
            )
        reach = Reach(guild_id=guild_id, message_ids=plan.message_ids, audiences=plan.audiences, by=by)
        await forget(connection, self._hasher, reach=reach, now=now)
        return False

    async def _some_words(
        self, connection: Connection, guild_id: int, selection: MessageSelection, by: Remover
    ) -> bool:
        """Take some of the messages that are meant with what rests on them; `False` if none was left."""
        # Facts go before the messages that they rest on: what is known by then must not come back.
        fact_ids = await repository.facts_resting_on(
            connection, guild_id=guild_id, selection=selection, limit=FACTS_BATCH
        )
        message_ids = (
            await repository.some_messages(connection, guild_id=guild_id, selection=selection, limit=BATCH)
            if not fact_ids
            else []
        )
        if not fact_ids and not message_ids:
            return False
        now = self._clock.now()
        await forget(
            connection,
            self._hasher,
            reach=Reach(
                guild_id=guild_id,
                fact_ids=fact_ids,
                message_ids=message_ids,
                author_ids=None if selection.author_id is None else [selection.author_id],
                audiences=selection.audiences,
                by=by,
            ),
            now=now,
        )
        # What is said elsewhere too is known from there; only what these messages say of it goes.
        await withdraw(
            connection,
            guild_id=guild_id,
            message_ids=message_ids,
            now=now,
            origins=LEARNED if selection.spares_others else frozenset(FactOrigin),
        )
        await guilds_repository.bump_epoch(connection, guild_id=guild_id)
        return True
