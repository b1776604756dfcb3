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


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A guild, its days of the last week and the versions of what is known of the members asked about."""

    situation: Situation
    marks: Sequence[Mark]
    versions: Mapping[tuple[int, int], str]
    """By subject and audience."""

    @property
    def first_day(self) -> date:
        """The oldest day that counts."""
        return self.situation.today - timedelta(days=PAST_DAYS)

    def fence(self, audience: int) -> tuple[int, ...]:
        """Return what a text of this audience must have been told behind: it changes when anything is taken back."""
        taken_back = (mark.taken_back for mark in self.marks if mark.audience == audience)
        return (self.situation.memory_epoch, *taken_back)


async def read_state(
    connection: Connection,
    *,
    guild_id: int,
    audiences: Sequence[int],
    user_ids: Sequence[int],
    now: datetime,
    time_zone: str,
    model_chain: str,
) -> State:
    """Read it; `time_zone` is the installation's, for a guild that is not known."""
    guild = await guilds.guild(connection, guild_id=guild_id)
    situation = Situation(
        guild_id=guild_id,
        time_zone=guild.time_zone if guild else time_zone,
        memory_epoch=guild.memory_epoch if guild else 0,
        model_chain=model_chain,
        now=now,
    )
    marks = await day_marks.marks(
        connection,
        guild_id=guild_id,
        audiences=audiences,
        first=situation.today - timedelta(days=PAST_DAYS),
        last=situation.today,
    )
    versions = await known.versions(
        connection, guild_id=guild_id, audiences=audiences, subject_ids=user_ids, now=now
    )
    return State(
        situation=situation,
        marks=marks,
        versions={(one.subject_id, one.audience): one.version for one in versions},
    )
