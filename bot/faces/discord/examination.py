"""Asking Discord whether it lets the bot in and lets it read, and what time it is there."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.errors import DiscordError
from bot.faces.discord.discord_time import DiscordTime
from bot.faces.discord.from_outside import logged_in
from bot.faces.discord.start_errors import INTENTS, how_to_switch_on
from bot.settings import Settings

_SECONDS: Final = 40.0
"""Real seconds for all of it; the library tries again what fails, for some fifteen of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What Discord said."""

    told: str
    """One sentence without its full stop: what is well, or what is wrong and what to do."""
    is_well: bool
    told_at: datetime | None = None
    """What time it is now on Discord; `None` if it did not answer."""


async def examine(settings: Settings) -> Examined:
    """Log in by the token of the settings, look what the application may read, and connect to nothing."""
    discord_time = DiscordTime()
    try:
        # The client is closed when the time is up, so a request that is cut off hinders no other.
        async with asyncio.timeout(_SECONDS), logged_in(settings, http_trace=discord_time.watch()) as client:
            flags = client.application_flags
            granted = (
                flags.gateway_guild_members or flags.gateway_guild_members_limited,
                flags.gateway_message_content or flags.gateway_message_content_limited,
            )
            name = str(client.user)
    except TimeoutError:
        told, is_well = f"it does not answer within {_SECONDS:.0f} seconds: look at the network", False
    except DiscordError as error:
        told, is_well = str(error), False
    else:
        missing = [switch for switch, is_on in zip(INTENTS, granted, strict=True) if not is_on]
        is_well = not missing
        told = f"the token is that of {name}, which may read members and messages"
        if missing:
            told = f"the token is that of {name}, which may not read: {how_to_switch_on(*missing)}"
    return Examined(told=told, is_well=is_well, told_at=max(discord_time.told(), default=None))
