"""Channels, threads and their archives, typing, and the files of messages."""

from datetime import datetime

from aiohttp import web

from tests.servers.discord import errors
from tests.servers.discord.errors import DiscordError
from tests.servers.discord.permissions import Permission
from tests.servers.discord.render import channel_json, thread_json, thread_member_json
from tests.servers.discord.rest import answer, bot_may, channel_of, done, number_in
from tests.servers.discord.snowflakes import moment
from tests.servers.discord.state import FakeChannel, Json
from tests.servers.discord.world import Event, Intent, Typing, World


class ChannelRoutes:
    """The routes below `/channels` that concern no single message."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[web.RouteDef]:
        """Return the routes, their paths below the API's address."""
        return [
            web.get("/channels/{channel_id}", self._channel),
            web.post("/channels/{channel_id}/typing", self._type),
            web.put("/channels/{channel_id}/thread-members/@me", self._join),
            web.delete("/channels/{channel_id}/thread-members/@me", self._leave),
            web.get("/channels/{channel_id}/thread-members", self._thread_members),
            web.get("/channels/{channel_id}/threads/archived/public", self._archived_public),
            web.get("/channels/{channel_id}/threads/archived/private", self._archived_private),
            web.get("/channels/{channel_id}/users/@me/threads/archived/private", self._archived_joined),
        ]

    async def file(self, request: web.Request) -> web.Response:
        """Serve a file that hangs on a message, as Discord's CDN does, without a token."""
        channel = self._world.channels.get(int(request.match_info["channel_id"]))
        for message in () if channel is None else channel.messages.values():
            for attachment in message.attachments:
                if str(attachment.attachment_id) == request.match_info["attachment_id"]:
                    kind = attachment.content_type or "application/octet-stream"
                    return web.Response(body=attachment.content, headers={"Content-Type": kind})
        return web.Response(status=404, text="This content is no longer available.")

    async def _channel(self, request: web.Request) -> web.Response:
        return answer(channel_json(channel_of(self._world, request), self._world))

    async def _type(self, request: web.Request) -> web.Response:
        channel = channel_of(self._world, request)
        if not bot_may(channel, Permission.SEND_MESSAGES):
            raise DiscordError(*errors.MISSING_PERMISSIONS)
        self._world.typing.append(Typing(channel, self._world.snowflakes.now()))
        return done()

    async def _join(self, request: web.Request) -> web.Response:
        thread = self._thread(request)
        if thread.archived:
            raise DiscordError(*errors.THREAD_ARCHIVED)
        bot_id = self._world.bot.user_id
        if bot_id not in thread.thread_members:
            thread.thread_members[bot_id] = self._world.snowflakes.now()
            self._announce_members(thread, {"added_members": [thread_member_json(thread, bot_id)]})
        return done()

    async def _leave(self, request: web.Request) -> web.Response:
        thread = self._thread(request)
        bot_id = self._world.bot.user_id
        self._announce_members(thread, {"removed_member_ids": [str(bot_id)]})
        thread.thread_members.pop(bot_id, None)
        return done()

    async def _thread_members(self, request: web.Request) -> web.Response:
        thread = self._thread(request)
        return answer([thread_member_json(thread, user_id) for user_id in thread.thread_members])

    async def _archived_public(self, request: web.Request) -> web.Response:
        return self._archived(request, private=False, joined=False)

    async def _archived_private(self, request: web.Request) -> web.Response:
        if not bot_may(channel_of(self._world, request), Permission.MANAGE_THREADS):
            raise DiscordError(*errors.MISSING_PERMISSIONS)
        return self._archived(request, private=True, joined=False)

    async def _archived_joined(self, request: web.Request) -> web.Response:
        return self._archived(request, private=True, joined=True)

    def _archived(self, request: web.Request, *, private: bool, joined: bool) -> web.Response:
        parent = channel_of(self._world, request)
        if not bot_may(parent, Permission.READ_MESSAGE_HISTORY):
            raise DiscordError(*errors.MISSING_PERMISSIONS)
        limit = number_in(request, "limit", default=50, most=100)
        bot_id = self._world.bot.user_id
        found = [
            thread
            for thread in (parent.guild.threads.values() if parent.guild is not None else ())
            if thread.parent is parent
            and thread.archived
            and thread.is_private_thread is private
            and (not joined or bot_id in thread.thread_members)
            and _is_before(thread, request.query.get("before"))
        ]
        found.sort(key=(lambda one: one.channel_id) if joined else _archived_at, reverse=True)
        page = found[:limit]
        return answer(
            {
                "threads": [thread_json(thread, self._world) for thread in page],
                "members": [
                    thread_member_json(thread, bot_id) for thread in page if bot_id in thread.thread_members
                ],
                "has_more": len(found) > len(page),
            }
        )

    def _thread(self, request: web.Request) -> FakeChannel:
        thread = channel_of(self._world, request)
        if not thread.is_thread:
            raise DiscordError(400, 50024, "Cannot execute action on this channel type")
        return thread

    def _announce_members(self, thread: FakeChannel, change: Json) -> None:
        body: Json = {
            "id": str(thread.channel_id),
            "guild_id": str(thread.guild_id),
            "member_count": len(thread.thread_members),
            **change,
        }
        self._world.announce(
            Event(
                name="THREAD_MEMBERS_UPDATE",
                data=body,
                guild_id=thread.guild_id,
                channel=thread,
                intent=Intent.GUILDS,
            )
        )


def _archived_at(thread: FakeChannel) -> datetime:
    return thread.archived_at or moment(thread.channel_id)


def _is_before(thread: FakeChannel, before: str | None) -> bool:
    """Return whether a thread was archived before a moment (or has an id before one), as pages of archives are cut."""
    if before is None:
        return True
    if before.isdigit():
        return thread.channel_id < int(before)
    try:
        return _archived_at(thread) < datetime.fromisoformat(before)
    except ValueError:
        raise errors.invalid("before", "DATE_TIME_TYPE_PARSE", f"Could not parse {before}.") from None
