"""How much is kept about a guild or a member, and how models were used for a guild: counts only, never a text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.db.pool import Connection, Database
from bot.llm.budget import Spent
from bot.llm.ledger import usage_of_guild, usage_since
from bot.memory.rights.counting import repository
from bot.memory.rights.counting.repository import FactCount, MessageCount, TextCount

MOST_COUNTED: Final = 500_000
"""Facts and texts that are counted, and messages of the days of all guilds, which takes some tenths of a second on a
small machine."""

COUNTED_DAYS: Final = 30
"""Days of which each is told by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCounts:
    """How much is kept."""

    messages: MessageCount
    by_day: Mapping[date, int]
    """Messages of the last days, by every one of these days, earliest first."""
    facts: Mapping[str, FactCount]
    """By category, of those of which there are any."""
    texts: TextCount

    @property
    def all_facts(self) -> int:
        """The facts of all kinds."""
        return sum(one.facts for one in self.facts.values())


def counts_together(counted: Sequence[KeptCounts]) -> KeptCounts:
    """Return the counts of several guilds as one; there must be at least one."""
    kinds = {kind for one in counted for kind in one.facts}
    first = [one.messages.first_at for one in counted if one.messages.first_at is not None]
    nothing = FactCount(facts=0, closed=0)
    return KeptCounts(
        messages=MessageCount(
            messages=sum(one.messages.messages for one in counted),
            closed=sum(one.messages.closed for one in counted),
            first_at=min(first, default=None),
        ),
        by_day={day: sum(one.by_day.get(day, 0) for one in counted) for day in counted[0].by_day},
        facts={
            kind: FactCount(
                facts=sum(one.facts.get(kind, nothing).facts for one in counted),
                closed=sum(one.facts.get(kind, nothing).closed for one in counted),
            )
            for kind in kinds
        },
        texts=TextCount(
            days=sum(one.texts.days for one in counted),
            episodes=sum(one.texts.episodes for one in counted),
            profiles=sum(one.texts.profiles for one in counted),
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildCounts:
    """How much is kept of a guild, and what models were asked for it in the last days."""

    kept: KeptCounts
    usage: Sequence[Spent] = field(default_factory=tuple)


class Counting:
    """Counts what is kept in audiences, in all of them if these are `None`: what somebody may not see is left out."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def guild_ids(self) -> list[int]:
        """Return the ids of all guilds that are known, by id, without direct messages."""
        return await self._database.read(repository.guild_ids)

    async def usage_everywhere(self, since: date) -> list[Spent]:
        """Return what models were asked since a day, for all guilds and direct messages."""
        return await self._database.read(usage_since, since)

    async def of_guild(
        self,
        *,
        guild_id: int,
        audiences: Sequence[int] | None,
        now: datetime,
        time_zone: str,
        days: int = COUNTED_DAYS,
    ) -> GuildCounts:
        """Return the counts of a guild, its days told by themselves up to that of `now` in `time_zone`."""

        async def read(connection: Connection) -> GuildCounts:
            kept = await _kept(
                connection,
                guild_id=guild_id,
                audiences=audiences,
                user_id=None,
                now=now,
                time_zone=time_zone,
                days=days,
            )
            since = last_days(now, time_zone, days)[0]
            usage = await usage_of_guild(connection, since, guild_id=guild_id)
            return GuildCounts(kept=kept, usage=usage)

        return await self._database.survey(read)

    async def of_all(self, *, now: datetime, time_zone: str, days: int = COUNTED_DAYS) -> KeptCounts:
        """Return the counts of all guilds and audiences together, for the operator.

        It reads up to `MOST_COUNTED` rows of each kind, and one row for each channel in which somebody wrote, so
        callers that show it often should cache it.
        """
        return await self._database.survey(
            _kept, guild_id=None, audiences=None, user_id=None, now=now, time_zone=time_zone, days=days
        )

    async def of_member(
        self,
        *,
        guild_id: int,
        audiences: Sequence[int] | None,
        user_id: int,
        now: datetime,
        time_zone: str,
        days: int = COUNTED_DAYS,
    ) -> KeptCounts:
        """Return the counts of what a member said, of the facts about them, and of what was told of them."""
        return await self._database.survey(
            _kept,
            guild_id=guild_id,
            audiences=audiences,
            user_id=user_id,
            now=now,
            time_zone=time_zone,
            days=days,
        )


def last_days(now: datetime, time_zone: str, days: int) -> list[date]:
    """Return the last `days` days in `time_zone`, earliest first; the last is that of the aware `now`."""
    today = now.astimezone(ZoneInfo(time_zone)).date()
    return [today - timedelta(days=before) for before in range(days - 1, -1, -1)]


async def _kept(
    connection: Connection,
    *,
    guild_id: int | None,
    audiences: Sequence[int] | None,
    user_id: int | None,
    now: datetime,
    time_zone: str,
    days: int,
) -> KeptCounts:
    shown = last_days(now, time_zone, days)
    since = datetime.combine(shown[0], time.min, ZoneInfo(time_zone))
    seen = None if audiences is None else list(audiences)
    if guild_id is None:
        by_day = await repository.all_messages_by_day(
            connection, since=since, time_zone=time_zone, most=MOST_COUNTED
        )
    else:
        by_day = await repository.messages_by_day(
            connection, guild_id=guild_id, audiences=seen, user_id=user_id, since=since, time_zone=time_zone
        )
    messages = await repository.count_messages(connection, guild_id=guild_id, audiences=seen, user_id=user_id)
    facts = await repository.facts_by_kind(
        connection, guild_id=guild_id, audiences=seen, subject_id=user_id, now=now, most=MOST_COUNTED
    )
    texts = await repository.count_texts(
        connection, guild_id=guild_id, audiences=seen, user_id=user_id, most=MOST_COUNTED
    )
    return KeptCounts(
        messages=messages,
        by_day={day: by_day.get(day, 0) for day in shown},
        facts=facts,
        texts=texts,
    )
