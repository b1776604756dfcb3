"""Bodies of answers, typed exactly as Discord types them: its clients look for the bare word."""

import json
from collections.abc import Mapping, Sequence

from aiohttp import web

from tests.servers.discord.state import Json


def with_body(
    body: Json | Sequence[Json], status: int = 200, headers: Mapping[str, str] | None = None
) -> web.Response:
    """Return a response with a body of JSON."""
    text = json.dumps(body, ensure_ascii=False)
    return web.Response(
        body=text.encode(), status=status, headers={"Content-Type": "application/json", **(headers or {})}
    )
