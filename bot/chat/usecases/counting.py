"""Counts what is kept about a server, for its managers."""

from zoneinfo import ZoneInfo

from bot.chat.figures import Figures, guild_figures
from bot.chat.own_rights import audiences_in_guild
from bot.chat.usecases.context import FormAccess, FormTurn
from bot.llm.providers import usage_limits_of


async def count_guild(turn: FormTurn, access: FormAccess) -> Figures:
    """Tell a manager how much is kept of the server, and what models took for it.

    What is in closed channels counts where they can read it: that there is something tells of them, too.
    """
    counts = await access.memory.counting.of_guild(
        guild_id=turn.message.guild_id,
        audiences=await audiences_in_guild(turn.message.guild_id, turn),
        now=turn.asked_at,
        time_zone=turn.time_zone,
    )
    prices = usage_limits_of(access.settings).prices
    return guild_figures(counts, prices, turn.language, zone=ZoneInfo(turn.time_zone))
