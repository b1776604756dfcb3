"""Where Discord is: its own addresses, or those of the settings. Nothing else touches the library's."""

from ipaddress import ip_address
from typing import Final

import aiohttp
import discord
import yarl
from discord.asset import Asset
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route

from bot.settings import Settings

_API: Final = Route.BASE
_GATEWAY: Final = DiscordWebSocket.DEFAULT_GATEWAY
_PICTURES: Final = Asset.BASE


def point_at(settings: Settings) -> None:
    """Let every client of this process that starts from now on talk to the addresses of `settings`.

    What they leave out is Discord's own.
    """
    api = settings.discord_api_url
    Route.BASE = api.rstrip("/") if api else _API
    gateway = settings.discord_gateway_url
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway) if gateway else _GATEWAY
    # A proxy of the REST API serves no pictures; a Discord on this machine is one altogether.
    Asset.BASE = str(yarl.URL(api).origin()) if api and _is_this_machine(yarl.URL(api)) else _PICTURES


def keep_to_gateway(client: discord.Client, settings: Settings) -> None:
    """Let `client` open every connection at the gateway of `settings`, if they name one.

    Discord itself says where to resume, and where to begin: without this the token would go there.
    """
    if settings.discord_gateway_url is None:
        return
    gateway = yarl.URL(settings.discord_gateway_url)
    http: HTTPClient = client.http
    connect = http.ws_connect

    async def ws_connect(url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        return await connect(str(gateway.with_query(yarl.URL(url).query)), compress=compress)

    # The client makes its own, and looks the method up at each connection.
    http.ws_connect = ws_connect  # type: ignore[method-assign]


def _is_this_machine(url: yarl.URL) -> bool:
    if url.host == "localhost":
        return True
    try:
        return ip_address(url.host or "").is_loopback
    except ValueError:
        return False
