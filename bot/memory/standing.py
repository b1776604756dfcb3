"""The door to what members let a guild keep: opting out and in, being private, choosing categories."""

from collections.abc import Callable, Sequence
from typing import Final

from bot.clock import Clock
from bot.domain import FactCategory
from bot.errors import InvalidInputError
from bot.memory import forwards
from bot.memory.clock_watch import ClockWatch
from bot.memory.retention import remove_unwanted
from bot.memory.sayable import take_out_of_days
from bot.store import distillations, guilds, narratives, profiles, standing, summaries, turns
from bot.store.database import Connection, Database
from bot.store.standing import PROFILE, KeptCategory, MemberStanding

__all__ = ["CATEGORIES", "PROFILE", "KeptCategory", "MemberStanding", "Standing"]

CATEGORIES: Final = (*(category.value for category in FactCategory), PROFILE)
"""The kinds of memory that a member may have kept or not."""

_MOST_DAYS: Final = 36_500


class Standing:
    """Where members stand. Every change holds at once, and ends what is being told by another standing.

    Nothing goes for its age while the `watch` does not believe the machine's clock. `notify` is called after a
    commit that asked for background work.
    """

    def __init__(
        self, database: Database, clock: Clock, watch: ClockWatch, *, notify: Callable[[], None]
    ) -> None:
        self._database = database
        self._clock = clock
        self._watch = watch
        self._notify = notify

    async def of(self, *, guild_id: int, user_id: int) -> MemberStanding:
        """Return where a member stands, also one who is not known."""
        return await self._database.read(
            lambda connection: standing.of_member(connection, guild_id=guild_id, user_id=user_id)
        )

    async def absent(self, *, guild_id: int, user_ids: Sequence[int]) -> frozenset[int]:
        """Return those of these members of whom nothing is kept."""
        return await self._database.read(
            lambda connection: standing.absent(connection, guild_id=guild_id, user_ids=user_ids)
        )

    async def private(self, *, guild_id: int, user_ids: Sequence[int]) -> frozenset[int]:
        """Return those of these members about whom others are told nothing."""
        return await self._database.read(
            lambda connection: standing.private(connection, guild_id=guild_id, user_ids=user_ids)
        )

    async def opt_out(self, *, guild_id: int, user_id: int) -> None:
        """Keep nothing of a member from now on: no messages, no facts, no texts about them.

        What is known stays until it is erased, and is neither told nor used; what others forwarded of it goes.
        Done again, it changes nothing.
        """

        async def change(connection: Connection) -> None:
            # First of all, since whoever tells or learns meanwhile holds the epoch until it has saved.
            await guilds.bump_epoch(connection, guild_id=guild_id)
            await standing.opt_out(connection, guild_id=guild_id, user_id=user_id, at=self._clock.now())
            await profiles.hold(connection, guild_id=guild_id, user_id=user_id)
            await turns.pass_over(connection, guild_id=guild_id, user_id=user_id)
            await self._drop_texts(connection, guild_id=guild_id, user_id=user_id)
            await forwards.follow_member(
                connection, guild_id=guild_id, user_id=user_id, now=self._clock.now()
            )

        await self._database.write(change)

    async def opt_in(self, *, guild_id: int, user_id: int) -> None:
        """Keep something of a member again from now on; what was said while nothing was kept never is."""

        async def change(connection: Connection) -> None:
            await guilds.bump_epoch(connection, guild_id=guild_id)
            await standing.opt_in(connection, guild_id=guild_id, user_id=user_id, at=self._clock.now())
            await distillations.drop_merged(connection, guild_id=guild_id)

        await self._database.write(change)

    async def set_private(self, *, guild_id: int, user_id: int, private: bool) -> None:
        """Set whether others are told nothing about a member."""

        async def change(connection: Connection) -> None:
            await guilds.bump_epoch(connection, guild_id=guild_id)
            await standing.set_private(connection, guild_id=guild_id, user_id=user_id, private=private)

        await self._database.write(change)

    async def keep_category(
        self, *, guild_id: int, user_id: int, category: str, kept: bool, days: int | None = None
    ) -> None:
        """Set whether one kind of memory is kept of a member, and after how many days it goes.

        `days` is `None` for as long as everything else is kept. What is known of a category that is not kept any
        more goes at once, what is too old with it, if the clock is believed. Raises `InvalidInputError` for an
        unknown category or impossible days.
        """
        if category not in CATEGORIES:
            raise InvalidInputError(
                f"there is no category {category!r}: it must be one of {', '.join(CATEGORIES)}"
            )
        if days is not None and not 1 <= days <= _MOST_DAYS:
            raise InvalidInputError(f"days is {days}, but must lie between 1 and {_MOST_DAYS}")

        by_age = await self._watch.doubt() is None

        async def change(connection: Connection) -> None:
            await guilds.bump_epoch(connection, guild_id=guild_id)
            await standing.keep_category(
                connection,
                guild_id=guild_id,
                user_id=user_id,
                category=category,
                chosen=KeptCategory(kept=kept, days=days),
            )
            if not kept and category == PROFILE:
                await profiles.hold(connection, guild_id=guild_id, user_id=user_id)
                await turns.pass_over(connection, guild_id=guild_id, user_id=user_id)
            await remove_unwanted(connection, guild_id=guild_id, now=self._clock.now(), by_age=by_age)

        await self._database.write(change)
        self._notify()

    async def _drop_texts(self, connection: Connection, *, guild_id: int, user_id: int) -> None:
        """Remove what was told about a member, what others' days say of them, and what was merged of it."""
        await distillations.drop_of(connection, guild_id=guild_id, user_id=user_id)
        await take_out_of_days(connection, guild_id=guild_id, user_id=user_id)
        await summaries.drop_of(connection, guild_id=guild_id, user_id=user_id)
        await distillations.drop_merged(connection, guild_id=guild_id)
        await narratives.drop_of(connection, guild_id=guild_id, subject_id=user_id)
