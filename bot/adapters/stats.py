"""`keepsake stats`: how much is kept for each server, and what models used for it, for the operator."""

import json
from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.adapters.bars import drawn
from bot.chat.figures import guild_figures, spending_lines
from bot.core.domain import Guild, Language
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from bot.llm.budget import Price
from bot.llm.chain import ModelName
from bot.llm.providers import usage_limits_of
from bot.llm.spending import spending_by_day
from bot.memory.members.directory import Directory
from bot.memory.rights.counting.counting import Counting, GuildCounts, last_days


async def show_stats(
    counting: Counting,
    directory: Directory,
    settings: Settings,
    *,
    guild_id: int | None,
    days: int,
    as_json: bool,
    now: datetime,
) -> int:
    """Show the figures of a server, or of all and what models took for them together; return the exit status.

    What is in closed channels counts: that there is something is what an operator may know. Raises
    `InvalidInputError` for a guild that is not known.
    """
    guilds = await _guilds(counting, directory, guild_id)
    prices = usage_limits_of(settings).prices
    found = [
        await counting.of_guild(
            guild_id=guild.guild_id, audiences=None, now=now, time_zone=guild.time_zone, days=days
        )
        for guild in guilds
    ]
    if as_json:
        shown = [_as_json(guild, counts, prices) for guild, counts in zip(guilds, found, strict=True)]
        print(json.dumps(shown, ensure_ascii=False, indent=2))
        return 0
    for guild, counts in zip(guilds, found, strict=True):
        title = f"guild {guild.guild_id} ({guild.name or 'unnamed'}):"
        zone = ZoneInfo(guild.time_zone)
        figures = guild_figures(counts, prices, Language.ENGLISH, zone=zone, title=title)
        print("\n".join([figures.text, *map(drawn, figures.charts)]), end="\n\n")
    if guild_id is None:
        everywhere = await counting.usage_everywhere(last_days(now, settings.time_zone, days)[0])
        print("all servers and direct messages together:")
        print("\n".join(spending_lines(everywhere, prices, Language.ENGLISH, days=days)))
    return 0


async def _guilds(counting: Counting, directory: Directory, guild_id: int | None) -> list[Guild]:
    wanted = await counting.guild_ids() if guild_id is None else [guild_id]
    found = [await directory.guild(one) for one in wanted]
    known = [guild for guild in found if guild is not None]
    if guild_id is not None and not known:
        raise InvalidInputError(
            f"nothing is kept of a guild {guild_id}: it must be the id of a server that the bot has heard"
        )
    return known


def _as_json(guild: Guild, counts: GuildCounts, prices: Mapping[ModelName, Price]) -> Mapping[str, object]:
    kept = counts.kept
    return {
        "guild_id": str(guild.guild_id),
        "name": guild.name,
        "messages": kept.messages.messages,
        "closed_messages": kept.messages.closed,
        "first_at": kept.messages.first_at.isoformat() if kept.messages.first_at else None,
        "messages_by_day": {day.isoformat(): many for day, many in kept.by_day.items()},
        "facts": {kind: one.facts for kind, one in sorted(kept.facts.items())},
        "closed_facts": sum(one.closed for one in kept.facts.values()),
        "days_told": kept.texts.days,
        "episodes": kept.texts.episodes,
        "profiles": kept.texts.profiles,
        "spent_by_day": {
            day.isoformat(): {
                "calls": spent.calls,
                "failures": spent.failures,
                "input_tokens": spent.input_tokens,
                "cached_tokens": spent.cached_tokens,
                "output_tokens": spent.output_tokens,
                "money": round(spent.money, 6) if spent.is_priced else None,
                "unpriced": sorted(spent.unpriced),
            }
            for day, spent in spending_by_day(counts.usage, prices).items()
        },
    }
