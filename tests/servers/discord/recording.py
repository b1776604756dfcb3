"""A record of the bodies that went over the wire, for who wants to judge them."""

import json
from dataclasses import dataclass

from aiohttp import web

from tests.servers.discord.rest import API, PAYLOAD
from tests.servers.discord.server import DiscordServer


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request and its answer."""

    method: str
    path: str
    """Below the API's address, without the query."""
    sent: object
    """The JSON that was sent, of an upload the part `payload_json`; `None`: nothing."""
    status: int
    answered: object
    """The JSON that was answered; `None`: nothing."""


def recorded(server: DiscordServer) -> list[Exchange]:
    """Return a list that every exchange of `server` is added to from now on.

    Left out is what nobody was answered, and what tells of something garbled, which is not meant to be described.
    """
    exchanges: list[Exchange] = []

    async def take(request: web.Request, response: web.StreamResponse) -> None:
        if request.transport is None or request.transport.is_closing():
            # The connection was dropped: nobody was answered.
            return
        body = response.body if isinstance(response, web.Response) else None
        is_json = response.content_type == "application/json"
        answered = json.loads(body) if isinstance(body, bytes) and body and is_json else None
        if not _ids_in(answered).isdisjoint(_garbled_ids(server)):
            return
        sent = request.get(PAYLOAD)
        if sent is None and not request.content_type.startswith("multipart/"):
            text = await request.text()
            sent = json.loads(text) if text else None
        exchanges.append(
            Exchange(
                method=request.method,
                path=request.path.removeprefix(API),
                sent=sent,
                status=response.status,
                answered=answered,
            )
        )

    server.rest.on_answered.append(take)
    return exchanges


def _garbled_ids(server: DiscordServer) -> set[str]:
    """Return the ids of what no client can read."""
    channels = server.world.channels.values()
    threads = (channel.channel_id for channel in channels if channel.garbled)
    messages = (one.message_id for channel in channels for one in channel.messages.values() if one.garbled)
    return {str(one) for one in (*threads, *messages)}


def _ids_in(answered: object) -> set[str]:
    """Return the ids of the objects that an answer tells of."""
    match answered:
        case dict():
            own = {answered["id"]} if isinstance(answered.get("id"), str) else set()
            return own.union(*map(_ids_in, answered.values()))
        case list():
            return set().union(*map(_ids_in, answered))
        case _:
            return set()
