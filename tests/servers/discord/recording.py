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
    """Return a list that every exchange of `server` is added to from now on."""
    exchanges: list[Exchange] = []

    async def take(request: web.Request, response: web.StreamResponse) -> None:
        if request.transport is None or request.transport.is_closing():
            # The connection was dropped: nobody was answered.
            return
        body = response.body if isinstance(response, web.Response) else None
        is_json = response.content_type == "application/json"
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
                answered=json.loads(body) if isinstance(body, bytes) and body and is_json else None,
            )
        )

    server.rest.on_answered.append(take)
    return exchanges
