"""Guilds, their channels, roles, members and open threads."""

from typing import TYPE_CHECKING

from aiohttp import web

from tests.servers.discord import errors
from tests.servers.discord.errors import DiscordError
from tests.servers.discord.member_requests import matching
from tests.servers.discord.render import (
    channel_json,
    guild_json,
    member_json,
    role_json,
    thread_json,
    thread_member_json,
)
from tests.servers.discord.rest import answer, guild_of, number_in, snowflake_in
from tests.servers.discord.world import World

if TYPE_CHECKING:
    from tests.servers.discord.state import Json


class GuildRoutes:
    """The routes below `/guilds`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[web.RouteDef]:
        """Return the routes, their paths below the API's address."""
        return [
            web.get("/guilds/{guild_id}", self._guild),
            web.get("/guilds/{guild_id}/channels", self._channels),
            web.get("/guilds/{guild_id}/roles", self._roles),
            web.get("/guilds/{guild_id}/roles/member-counts", self._member_counts),
            web.get("/guilds/{guild_id}/members", self._members),
            web.get("/guilds/{guild_id}/members/search", self._search),
            web.get("/guilds/{guild_id}/members/{user_id:[0-9]+}", self._member),
            web.get("/guilds/{guild_id}/threads/active", self._threads),
        ]

    async def _guild(self, request: web.Request) -> web.Response:
        guild = guild_of(self._world, request)
        body = guild_json(guild)
        if request.query.get("with_counts") in ("1", "true"):
            body |= {"approximate_member_count": len(guild.members), "approximate_presence_count": 1}
        return answer(body)

    async def _channels(self, request: web.Request) -> web.Response:
        guild = guild_of(self._world, request)
        return answer([channel_json(channel, self._world) for channel in guild.channels.values()])

    async def _roles(self, request: web.Request) -> web.Response:
        return answer([role_json(role) for role in guild_of(self._world, request).roles.values()])

    async def _member_counts(self, request: web.Request) -> web.Response:
        guild = guild_of(self._world, request)
        return answer(
            {
                str(role_id): sum(role_id in member.role_ids for member in guild.members.values())
                for role_id in guild.roles
                if role_id != guild.guild_id
            }
        )

    async def _members(self, request: web.Request) -> web.Response:
        guild = guild_of(self._world, request)
        if not self._world.portal.members_intent:
            raise DiscordError(*errors.MISSING_ACCESS)
        limit = number_in(request, "limit", default=1, most=1000)
        after = snowflake_in(request, "after") or 0
        ids = sorted(user_id for user_id in guild.members if user_id > after)[:limit]
        return answer([member_json(guild.members[user_id]) for user_id in ids])

    async def _search(self, request: web.Request) -> web.Response:
        guild = guild_of(self._world, request)
        query = request.query.get("query")
        if not query:
            raise errors.invalid("query", "BASE_TYPE_REQUIRED", "This field is required")
        limit = number_in(request, "limit", default=1, most=1000)
        return answer([member_json(member) for member in matching(guild, query, limit)])

    async def _member(self, request: web.Request) -> web.Response:
        guild = guild_of(self._world, request)
        user_id = int(request.match_info["user_id"])
        if user_id not in guild.members:
            known = user_id in self._world.users
            raise DiscordError(*(errors.UNKNOWN_MEMBER if known else errors.UNKNOWN_USER))
        return answer(member_json(guild.members[user_id]))

    async def _threads(self, request: web.Request) -> web.Response:
        guild = guild_of(self._world, request)
        threads = sorted(guild.visible_threads(), key=lambda one: -one.channel_id)
        bot_id = self._world.bot.user_id
        body: Json = {
            "threads": [thread_json(thread, self._world) for thread in threads],
            "members": [
                thread_member_json(thread, bot_id) for thread in threads if bot_id in thread.thread_members
            ],
            "has_more": False,
        }
        return answer(body)
