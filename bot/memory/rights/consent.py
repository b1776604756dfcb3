"""What members let a guild keep: opting out and in, being private, choosing categories."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from bot.core.clock import Clock
from bot.core.domain import FactCategory
from bot.core.errors import InvalidInputError
from bot.db.clock_watch import ClockWatch
from bot.db.pool import Connection, Database
from bot.memory.guilds import repository as guilds_repository
from bot.memory.policy import consent
from bot.memory.policy.consent import PROFILE, KeptCategory, MemberConsent
from bot.memory.policy.redaction import take_out_of_days
from bot.memory.profiles import repository as profiles_repository
from bot.memory.profiles.profiles import forget_profile
from bot.memory.rights.forgetting import withholding
from bot.memory.rights.personal_data import Window
from bot.memory.rights.retention import remove_old
from bot.memory.rights.rows import remove_texts_about
from bot.memory.summaries import repository as summaries_repository

CATEGORIES: Final = (*(category.value for category in FactCategory), PROFILE)
"""The kinds of memory that a member may have kept or not."""

_MOST_DAYS: Final = 36_500


async def opt_out_member(connection: Connection, *, guild_id: int, user_id: int, at: datetime) -> None:
    """Keep nothing of a member from `at` on, in one transaction with what follows from it."""
    # First of all, since whoever tells or learns meanwhile holds the epoch until it has saved.
    await guilds_repository.bump_epoch(connection, guild_id=guild_id)
    await consent.opt_out(connection, guild_id=guild_id, user_id=user_id, at=at)
    await profiles_repository.hold_learning_state(connection, guild_id=guild_id, user_id=user_id)
    await profiles_repository.pass_over_turns(connection, guild_id=guild_id, user_id=user_id)
    await remove_texts_about(connection, guild_id=guild_id, user_id=user_id)
    await take_out_of_days(connection, guild_id=guild_id, user_id=user_id)
    await summaries_repository.drop_summaries_of(connection, guild_id=guild_id, user_id=user_id)
    await withholding.withhold_forwards_of(connection, guild_id=guild_id, user_id=user_id, now=at)


async def opt_in_member(connection: Connection, *, guild_id: int, user_id: int, at: datetime) -> None:
    """Keep something of a member again from `at` on."""
    await guilds_repository.bump_epoch(connection, guild_id=guild_id)
    await consent.opt_in(connection, guild_id=guild_id, user_id=user_id, at=at)


async def set_private_member(connection: Connection, *, guild_id: int, user_id: int, private: bool) -> None:
    """Set whether others may be told nothing about a member, in a new epoch."""
    await guilds_repository.bump_epoch(connection, guild_id=guild_id)
    await consent.set_private(connection, guild_id=guild_id, user_id=user_id, private=private)


async def choose_category(
    connection: Connection,
    *,
    guild_id: int,
    user_id: int,
    category: str,
    chosen: KeptCategory,
    now: datetime,
    is_believed: bool,
) -> None:
    """Set what a member wants of one kind of memory, and remove what that forbids; for its age if `now` is believed."""
    await guilds_repository.bump_epoch(connection, guild_id=guild_id)
    await consent.keep_category(
        connection, guild_id=guild_id, user_id=user_id, category=category, chosen=chosen
    )
    if not chosen.kept and category == PROFILE:
        await forget_profile(
            connection, guild_id=guild_id, user_id=user_id, take_answers=withholding.take_answers, now=now
        )
    await remove_old(connection, guild_id, Window.CHOSEN, {"now": now if is_believed else None}, now=now)


class Consent:
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

    async def of(self, *, guild_id: int, user_id: int) -> MemberConsent:
        """Return where a member stands, also one who is not known."""
        return await self._database.read(consent.consent_of, guild_id=guild_id, user_id=user_id)

    async def absent(self, *, guild_id: int, user_ids: Sequence[int]) -> frozenset[int]:
        """Return those of these members about whom nothing is kept."""
        return await self._database.read(consent.opted_out, guild_id=guild_id, user_ids=user_ids)

    async def opt_out(self, *, guild_id: int, user_id: int) -> None:
        """Keep nothing of a member from now on: no messages, no facts, no texts about them.

        What is known stays until it is erased, and is neither told nor used; what others forwarded of it goes.
        Done again, it changes nothing.
        """
        await self._database.write(opt_out_member, guild_id=guild_id, user_id=user_id, at=self._clock.now())

    async def opt_in(self, *, guild_id: int, user_id: int) -> None:
        """Keep something of a member again from now on; what was said while nothing was kept never is."""
        await self._database.write(opt_in_member, guild_id=guild_id, user_id=user_id, at=self._clock.now())

    async def set_private(self, *, guild_id: int, user_id: int, private: bool) -> None:
        """Set whether others may be told nothing about a member."""
        await self._database.write(set_private_member, guild_id=guild_id, user_id=user_id, private=private)

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

        await self._database.write(
            choose_category,
            guild_id=guild_id,
            user_id=user_id,
            category=category,
            chosen=KeptCategory(kept=kept, days=days),
            now=self._clock.now(),
            is_believed=await self._watch.doubt() is None,
        )
        self._notify()
