"""Why Discord does not let the bot in, as one sentence that says what to click."""

import asyncio
from typing import Final

import aiohttp
import discord

from bot.errors import DiscordError
from bot.settings import Settings

PORTAL: Final = "https://discord.com/developers/applications"

_WRONG_TOKEN: Final = 4004
_WRONG_SHARD: Final = frozenset({4010, 4011})
_MISSING_INTENT: Final = 4014

UNREACHABLE: Final = (
    discord.DiscordServerError,
    discord.GatewayNotFound,
    aiohttp.ClientError,
    asyncio.TimeoutError,
    OSError,
)
"""What says nothing about us: Discord, or the way to it, is down, and later it will not be."""


INTENTS: Final = ("Server Members Intent", "Message Content Intent")
"""The switches of the portal without which the bot is not let in, or reads nothing."""


def how_to_switch_on(*switches: str) -> str:
    """Return what to click for these switches of the portal."""
    named = " and ".join(f"“{switch}”" for switch in switches)
    return f"open {PORTAL}, choose your application, click “Bot”, switch on {named}, and click “Save Changes”"


def token_of(settings: Settings) -> str:
    """Return the token of the bot, or raise `DiscordError` if it is missing or cannot be one."""
    if settings.discord_token is None:
        raise DiscordError(
            f"DISCORD_TOKEN is not set: open {PORTAL}, choose your application, click “Bot”, then “Reset Token”,"
            " and set DISCORD_TOKEN to what is shown"
        )
    token = settings.discord_token.get_secret_value().strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise DiscordError(
            "DISCORD_TOKEN (kept secret) cannot be a token: copy it anew, it has no blanks and only"
            " letters, digits, dots, dashes and underscores"
        )
    return token


def explained(error: Exception) -> Exception:
    """Return `error`, with which a client ended, as a `DiscordError` if there is something to click."""
    code = error.code if isinstance(error, discord.ConnectionClosed) else None
    if isinstance(error, discord.LoginFailure) or code == _WRONG_TOKEN:
        return DiscordError(
            f"Discord refuses DISCORD_TOKEN: open {PORTAL}, choose your application, click “Bot”, then"
            " “Reset Token”, and set DISCORD_TOKEN to what is shown"
        )
    if isinstance(error, discord.PrivilegedIntentsRequired) or code == _MISSING_INTENT:
        return DiscordError(f"Discord does not let the bot read: {how_to_switch_on(*INTENTS)}")
    if code in _WRONG_SHARD:
        return DiscordError(
            "Discord does not accept the shards: leave DISCORD_SHARDS empty for as many as Discord advises, or"
            " name more of them, such as 0-3/4"
        )
    if isinstance(error, discord.HTTPException):
        return DiscordError(f"Discord answered with status {error.status} and code {error.code}")
    if code is not None:
        return DiscordError(f"Discord closed the connection for good, with code {code}")
    return error
