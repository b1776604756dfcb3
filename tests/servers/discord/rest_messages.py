"""Messages: history, single ones, and what the bot sends, edits and deletes."""

import bisect
import time
from collections.abc import Sequence

from aiohttp import web

from tests.servers.discord import drafts, errors, posting
from tests.servers.discord.errors import DiscordError
from tests.servers.discord.permissions import Permission
from tests.servers.discord.render_messages import blanked, message_json
from tests.servers.discord.rest import answer, bot_may, channel_of, done, message_of, number_in, snowflake_in
from tests.servers.discord.state import FakeChannel, FakeMessage, Json
from tests.servers.discord.world import World

NONCE_SECONDS = 300.0
"""For how long the same nonce means the same message."""


class MessageRoutes:
    """The routes below `/channels/.../messages`."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._by_nonce: dict[str, tuple[float, FakeMessage]] = {}

    def routes(self) -> list[web.RouteDef]:
        """Return the routes, their paths below the API's address."""
        messages = "/channels/{channel_id}/messages"
        return [
            web.get(messages, self._history),
            web.post(messages, self._create),
            web.post(f"{messages}/bulk-delete", self._delete_many),
            web.get(f"{messages}/pins", self._pins),
            web.get(f"{messages}/{{message_id:[0-9]+}}", self._message),
            web.patch(f"{messages}/{{message_id:[0-9]+}}", self._edit),
            web.delete(f"{messages}/{{message_id:[0-9]+}}", self._delete),
            web.put(f"{messages}/{{message_id:[0-9]+}}/reactions/{{emoji}}/@me", self._react),
        ]

    async def _history(self, request: web.Request) -> web.Response:
        channel = channel_of(self._world, request)
        limit = number_in(request, "limit", default=50, most=100)
        if not bot_may(channel, Permission.READ_MESSAGE_HISTORY):
            return answer([])
        shown = channel.order[: len(channel.order) - self._world.unkind.history_lag]
        page = [channel.messages[one] for one in _page(shown, request, limit)]
        return answer([self._body(message) for message in page if not message.ephemeral])

    async def _pins(self, request: web.Request) -> web.Response:
        channel_of(self._world, request)
        return answer({"items": [], "has_more": False})

    async def _message(self, request: web.Request) -> web.Response:
        return answer(self._body(message_of(self._world, request)))

    async def _create(self, request: web.Request) -> web.Response:
        channel = channel_of(self._world, request)
        asked = await drafts.read(request)
        self._check_may_send(channel, asked)
        draft = drafts.draft(self._world, channel, asked)
        nonce = None if draft.nonce is None else str(draft.nonce)
        if nonce is not None and asked.body.get("enforce_nonce"):
            at, earlier = self._by_nonce.get(nonce, (0.0, None))
            if earlier is not None and time.monotonic() - at < NONCE_SECONDS:
                return answer(self._body(earlier))
        message = posting.post(self._world, channel, self._world.bot, draft)
        if nonce is not None:
            self._by_nonce[nonce] = (time.monotonic(), message)
        return answer(self._body(message))

    async def _edit(self, request: web.Request) -> web.Response:
        message = message_of(self._world, request)
        if message.author is not self._world.bot:
            raise DiscordError(*errors.NOT_ITS_AUTHOR)
        drafts.edit(self._world, message, await drafts.read(request))
        return answer(self._body(message))

    async def _react(self, request: web.Request) -> web.Response:
        message = message_of(self._world, request)
        if not bot_may(message.channel, Permission.ADD_REACTIONS):
            raise DiscordError(*errors.MISSING_PERMISSIONS)
        message.reactions.append(request.match_info["emoji"])
        return done()

    async def _delete(self, request: web.Request) -> web.Response:
        message = message_of(self._world, request)
        own = message.author is self._world.bot
        if not own and (
            message.channel.guild is None or not bot_may(message.channel, Permission.MANAGE_MESSAGES)
        ):
            raise DiscordError(*errors.MISSING_PERMISSIONS)
        posting.remove(self._world, [message])
        return done()

    async def _delete_many(self, request: web.Request) -> web.Response:
        channel = channel_of(self._world, request)
        if channel.guild is None or not bot_may(channel, Permission.MANAGE_MESSAGES):
            raise DiscordError(*errors.MISSING_PERMISSIONS)
        ids = [int(one) for one in (await request.json())["messages"]]
        if not 2 <= len(ids) <= 100:
            raise errors.invalid("messages", "BASE_TYPE_BAD_LENGTH", "Must be between 2 and 100 in length.")
        found = [channel.messages[one] for one in ids if one in channel.messages]
        posting.remove(self._world, found, in_bulk=True)
        return done()

    def _check_may_send(self, channel: FakeChannel, asked: drafts.AskedMessage) -> None:
        if channel.recipient is not None and channel.recipient.refuses_direct_messages:
            raise DiscordError(*errors.REFUSES_DIRECT)
        if not bot_may(channel, Permission.SEND_MESSAGES):
            raise DiscordError(*errors.MISSING_PERMISSIONS)
        if asked.files and not bot_may(channel, Permission.ATTACH_FILES):
            raise DiscordError(*errors.MISSING_PERMISSIONS)
        if channel.is_thread and channel.archived and channel.locked:
            raise DiscordError(*errors.THREAD_ARCHIVED)

    def _body(self, message: FakeMessage) -> Json:
        body = message_json(message, self._world)
        if self._world.portal.message_content_intent:
            return body
        return blanked(body, message, self._world)


def _page(ids: Sequence[int], request: web.Request, limit: int) -> Sequence[int]:
    """Return those of `ids` that a question for history means, the newest first."""
    before, after = snowflake_in(request, "before"), snowflake_in(request, "after")
    around = snowflake_in(request, "around")
    if sum(one is not None for one in (before, after, around)) > 1:
        raise DiscordError(400, 50035, "Invalid Form Body: only one of before, after and around")
    if around is not None:
        middle = bisect.bisect_left(ids, around)
        start = max(0, middle - limit // 2)
        chosen = ids[start : start + limit]
    elif after is not None:
        start = bisect.bisect_right(ids, after)
        chosen = ids[start : start + limit]
    else:
        end = len(ids) if before is None else bisect.bisect_left(ids, before)
        chosen = ids[max(0, end - limit) : end]
    return chosen[::-1]
