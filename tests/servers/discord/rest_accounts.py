"""The bot itself, its application, users, direct messages, and the way to the gateway."""

from typing import TYPE_CHECKING

from aiohttp import web

from tests.servers.discord import errors
from tests.servers.discord.errors import DiscordError
from tests.servers.discord.greeting import application_flags
from tests.servers.discord.permissions import guild_permissions
from tests.servers.discord.render import channel_json, self_json, user_json
from tests.servers.discord.rest import answer, done, guild_of
from tests.servers.discord.world import World

if TYPE_CHECKING:
    from tests.servers.discord.state import Json


class AccountRoutes:
    """The routes that concern no guild."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[web.RouteDef]:
        """Return the routes, their paths below the API's address."""
        return [
            web.get("/users/@me", self._me),
            web.get("/oauth2/applications/@me", self._application),
            web.get("/applications/@me", self._application),
            web.get("/gateway", self._gateway),
            web.get("/gateway/bot", self._gateway_of_bots),
            web.post("/users/@me/channels", self._open_direct),
            web.get("/users/@me/guilds", self._guilds),
            web.delete("/users/@me/guilds/{guild_id}", self._leave),
            web.get("/users/{user_id:[0-9]+}", self._user),
        ]

    async def _me(self, _: web.Request) -> web.Response:
        return answer(self_json(self._world.bot))

    async def _application(self, _: web.Request) -> web.Response:
        world = self._world
        return answer(
            {
                "id": str(world.application_id),
                "name": world.bot.name,
                "icon": None,
                "description": "",
                "type": None,
                "bot": user_json(world.bot),
                "bot_public": world.portal.public,
                "bot_require_code_grant": False,
                "verify_key": "0" * 64,
                "flags": application_flags(world),
                "flags_new": str(application_flags(world)),
                "redirect_uris": [],
                "interactions_endpoint_url": None,
                "role_connections_verification_url": None,
                "owner": user_json(world.owner),
                "approximate_guild_count": len(world.guilds),
                "approximate_user_install_count": 0,
                "approximate_user_authorization_count": 0,
                "explicit_content_filter": 0,
                "team": None,
                "eligible_oauth2_scopes": [],
            }
        )

    async def _gateway(self, _: web.Request) -> web.Response:
        return answer({"url": self._gateway_url()})

    async def _gateway_of_bots(self, _: web.Request) -> web.Response:
        portal = self._world.portal
        limit: Json = {
            "total": 1000,
            "remaining": portal.identifies_left,
            "reset_after": 86_400_000,
            "max_concurrency": portal.max_concurrency,
        }
        return answer({"url": self._gateway_url(), "shards": portal.shards, "session_start_limit": limit})

    async def _open_direct(self, request: web.Request) -> web.Response:
        body = await request.json()
        user = self._world.users.get(int(str(body.get("recipient_id", 0))))
        if user is None or user is self._world.bot:
            raise DiscordError(*errors.UNKNOWN_USER)
        return answer(channel_json(self._world.direct_channel(user), self._world))

    async def _guilds(self, _: web.Request) -> web.Response:
        return answer(
            [
                {
                    "id": str(guild.guild_id),
                    "name": guild.name,
                    "icon": None,
                    "banner": None,
                    "owner": False,
                    "permissions": str(guild_permissions(guild.bot)),
                    "features": [],
                }
                for guild in self._world.guilds.values()
                if guild.has_bot
            ]
        )

    async def _leave(self, request: web.Request) -> web.Response:
        guild_of(self._world, request).remove_bot()
        return done()

    async def _user(self, request: web.Request) -> web.Response:
        user = self._world.users.get(int(request.match_info["user_id"]))
        if user is None:
            raise DiscordError(*errors.UNKNOWN_USER)
        return answer(user_json(user))

    def _gateway_url(self) -> str:
        return self._world.address.replace("http", "ws", 1)
