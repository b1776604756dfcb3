"""Where a guild stands at the moment of a read: three statements, however many members are asked about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from bot.memory.days import Situation
from bot.store import day_marks, guilds, known
from bot.store.database import Connection
from bot.store.day_marks import Mark

PAST_DAYS: Final = 6
"""Yesterday and the five before: days 2 to 7."""


_WATCHED_DAYS: Final = 2 * PAST_DAYS
"""So far back it is known what was taken back: a text of some days ago may stand in for one that is not ready."""

_UNKNOWN_GUILDS_ZONE: Final = "UTC"
"""In this zone the days of a guild are marked that has not been taken up."""


@dataclass(frozen=True, slots=True)
class Fence:
    """What must not have changed since a text was told, for it to be served still."""

    memory_epoch: int
    taken_back: frozenset[tuple[date, int]]
    """Of each day that it may tell of: the version at which something was last taken back."""
    expires_at: datetime | None
    """When the first fact that it may tell holds no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A guild, its days of the last week and the versions of what is known of the members asked about."""

    situation: Situation
    marks: Sequence[Mark]
    """Of the days that count: the current one and the six before."""
    watched: Sequence[Mark]
    """Of those and the days before them."""
    versions: Mapping[tuple[int, int], str]
    """By subject and audience."""
    expiries: Mapping[tuple[int, int], datetime]
    """By subject and audience, when the first fact expires."""

    def fence(self, audience: int) -> Fence:
        """Return what a text of this audience is told behind now."""
        expiries = (moment for (_, within), moment in self.expiries.items() if within == audience)
        return Fence(
            self.situation.memory_epoch, _taken_back(self.marks, audience), min(expiries, default=None)
        )

    def allows(self, fence: Fence, audience: int) -> bool:
        """Tell whether nothing was taken back of what a text behind this fence may tell, and nothing expired."""
        if fence.expires_at is not None and fence.expires_at <= self.situation.now:
            return False
        return fence.memory_epoch == self.situation.memory_epoch and fence.taken_back <= _taken_back(
            self.watched, audience
        )


def _taken_back(marks: Sequence[Mark], audience: int) -> frozenset[tuple[date, int]]:
    return frozenset((mark.day, mark.taken_back) for mark in marks if mark.audience == audience)


async def read_state(
    connection: Connection,
    *,
    guild_id: int,
    audiences: Sequence[int],
    user_ids: Sequence[int],
    now: datetime,
    model_chain: str,
) -> State:
    """Read it, also of a guild that is not known."""
    guild = await guilds.guild(connection, guild_id=guild_id)
    situation = Situation(
        guild_id=guild_id,
        time_zone=guild.time_zone if guild else _UNKNOWN_GUILDS_ZONE,
        memory_epoch=guild.memory_epoch if guild else 0,
        model_chain=model_chain,
        now=now,
    )
    watched = await day_marks.marks(
        connection,
        guild_id=guild_id,
        audiences=audiences,
        first=situation.today - timedelta(days=_WATCHED_DAYS),
        last=situation.today,
    )
    versions = await known.versions(
        connection, guild_id=guild_id, audiences=audiences, subject_ids=user_ids, now=now
    )
    return State(
        situation=situation,
        marks=[mark for mark in watched if mark.day >= situation.today - timedelta(days=PAST_DAYS)],
        watched=watched,
        # Of the same facts another text is told when something is kept of somebody whom they name, or no more.
        versions={
            (one.subject_id, one.audience): f"{situation.memory_epoch} {one.version}" for one in versions
        },
        expiries={
            (one.subject_id, one.audience): one.expires_at for one in versions if one.expires_at is not None
        },
    )
