"""Count by form what is kept: for members of themselves, for managers of their server."""

from zoneinfo import ZoneInfo

from bot.chat.figures import Figures, guild_figures, own_figures
from bot.chat.own_rights import audiences_in_guild
from bot.chat.usecases.context import FormAccess, FormTurn
from bot.llm.providers import usage_limits_of
from bot.memory.rights.counting.counting import KeptCounts, counts_together


async def count_own(turn: FormTurn, access: FormAccess) -> Figures:
    """Tell the visitor how much is kept of them here; in a direct message there and on all servers shared.

    What is in closed channels counts where they can read it.
    """
    guild_ids = (turn.message.guild_id, *turn.view.own_guild_ids)
    counted = [await _own_in(guild_id, turn, access) for guild_id in guild_ids]
    return own_figures(counts_together(counted), turn.language, zone=ZoneInfo(turn.time_zone))


async def _own_in(guild_id: int, turn: FormTurn, access: FormAccess) -> KeptCounts:
    return await access.memory.counting.of_member(
        guild_id=guild_id,
        audiences=await audiences_in_guild(guild_id, turn),
        user_id=turn.message.user_id,
        now=turn.asked_at,
        time_zone=turn.time_zone,
    )


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
