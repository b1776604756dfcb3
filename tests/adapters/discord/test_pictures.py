"""Pictures come from Discord's hosts alone, whole or not at all, and nothing else is ever fetched."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import discord
import pytest
from aiohttp import web

from bot.adapters.discord import messages
from bot.adapters.discord.messages import DISCORD_CDN, images_of, message_of, origins_for
from bot.chat.reply import MOST_BYTES
from bot.llm.operation import Image
from tests.adapters.discord.payloads import attached, posted, snapshot
from tests.adapters.discord.sight import Sight, harbour

CAT = b"\x89PNG a cat"


@dataclass
class Host:
    """A server of files that notes which were asked for."""

    origin: str
    asked: list[str] = field(default_factory=list)
    released: asyncio.Event = field(default_factory=asyncio.Event)
    """Until then what is asked for at /slow is not answered."""

    def picture(
        self, path: str, content_type: str | None = "image/png", size: int = len(CAT)
    ) -> dict[str, Any]:
        """Return an attachment that lies at `path` of this server."""
        url = f"{self.origin}/{path}"
        return attached(path.rpartition("/")[2], content_type, url=url, proxy_url=url, size=size)


@asynccontextmanager
async def serving() -> AsyncIterator[Host]:
    host = Host("")

    async def serve(request: web.Request) -> web.Response:
        host.asked.append(request.path)
        if request.path.startswith("/gone"):
            raise web.HTTPNotFound
        if request.path.startswith("/slow"):
            await host.released.wait()
        if request.path.startswith("/moved"):
            raise web.HTTPFound("/cat.png")
        return web.Response(body=CAT, content_type="application/octet-stream")

    app = web.Application()
    app.router.add_get("/{path:.*}", serve)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    host.origin = f"http://127.0.0.1:{port}"
    try:
        yield host
    finally:
        host.released.set()
        await runner.cleanup()


@pytest.fixture
async def host() -> AsyncIterator[Host]:
    async with serving() as host:
        yield host


def heard(**fields: Any) -> discord.Message:
    sight = Sight()
    sight.enter(harbour())
    return sight.hear(posted(**fields))


async def test_pictures_are_shown_in_the_order_in_which_they_were_attached(host: Host) -> None:
    message = heard(attachments=[host.picture("cat.png"), host.picture("dog.jpg", "image/jpeg")])
    assert await images_of(message, origins={host.origin}) == (
        Image(content=CAT, media_type="image/png"),
        Image(content=CAT, media_type="image/jpeg"),
    )


async def test_a_picture_that_is_forwarded_is_shown(host: Host) -> None:
    message = heard(message_snapshots=[snapshot(attachments=[host.picture("cat.png", None)])])
    assert await images_of(message, origins={host.origin}) == (Image(content=CAT, media_type="image/png"),)


async def test_no_address_that_somebody_wrote_is_ever_fetched(host: Host) -> None:
    there = f"{host.origin}/cat.png"
    media = {"url": there, "proxy_url": there, "width": 1, "height": 1}
    message = heard(
        content=f"look at {there} and ![this]({there})",
        embeds=[{"type": "image", "url": there, "image": media, "thumbnail": media, "video": media}],
        components=[
            {"type": 12, "id": 1, "items": [{"media": media, "description": there, "spoiler": False}]}
        ],
        message_snapshots=[snapshot(there, embeds=[{"type": "image", "url": there, "thumbnail": media}])],
        # As if Discord had been made to say that a file lies elsewhere.
        attachments=[host.picture("cat.png")],
    )
    message_of(message, audience=0)
    assert await images_of(message) == ()
    assert host.asked == []


@pytest.mark.parametrize(
    "origin",
    [
        "https://cdn.discordapp.com.example.com",
        "https://cdn.discordapp.com@127.0.0.1",
        "http://cdn.discordapp.com",
        "https://cdn.discordapp.com:8443",
        "https://example.com/cdn.discordapp.com",
        "https://images-ext-1.discordapp.net",
        "file://cdn.discordapp.com",
        "https://[",
        "",
    ],
)
async def test_what_only_looks_like_discords_host_is_not(
    origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    async def refuse(*args: object, **_: object) -> None:
        asked.append(args)
        raise OSError("no test goes out to the net")

    monkeypatch.setattr("aiohttp.ClientSession._request", refuse)
    url = f"{origin}/attachments/1/2/cat.png"
    assert await images_of(heard(attachments=[attached("cat.png", "image/png", url=url)])) == ()
    assert asked == []
    # The same picture at the right place would have been asked for.
    assert await images_of(heard(attachments=[attached("cat.png", "image/png")])) == ()
    assert len(asked) == 1


@pytest.mark.parametrize("path", ["gone.png", "moved.png"])
async def test_a_picture_that_cannot_be_had_is_none(host: Host, path: str) -> None:
    message = heard(attachments=[host.picture(path), host.picture("cat.png")])
    assert await images_of(message, origins={host.origin}) == (Image(content=CAT, media_type="image/png"),)
    # No redirect is followed, not even within the host.
    assert sorted(host.asked) == sorted([f"/{path}", "/cat.png"])


async def test_a_slow_picture_does_not_hold_up_those_that_are_there(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "_SECONDS", 0.5)
    message = heard(attachments=[host.picture("slow.png"), host.picture("cat.png")])
    assert await images_of(message, origins={host.origin}) == (Image(content=CAT, media_type="image/png"),)
    assert sorted(host.asked) == ["/cat.png", "/slow.png"]


async def test_a_host_that_does_not_answer_means_no_picture() -> None:
    async with serving() as host:
        message = heard(attachments=[host.picture("cat.png")])
    assert await images_of(message, origins={host.origin}) == ()


@pytest.mark.parametrize(
    ("content_type", "size"),
    [
        ("video/mp4", len(CAT)),
        ("image/svg+xml", len(CAT)),
        ("text/html", len(CAT)),
        ("image/png", MOST_BYTES + 1),
        ("image/png", 0),
    ],
)
async def test_what_is_no_picture_or_too_large_is_not_asked_for(
    host: Host, content_type: str, size: int
) -> None:
    message = heard(attachments=[host.picture("cat.png", content_type, size)])
    assert await images_of(message, origins={host.origin}) == ()
    assert host.asked == []


async def test_a_file_that_is_larger_than_was_said_is_not_read_on(host: Host) -> None:
    message = heard(attachments=[host.picture("cat.png", size=len(CAT) - 1)])
    assert await images_of(message, origins={host.origin}) == ()


async def test_four_pictures_are_shown_at_most(host: Host) -> None:
    message = heard(attachments=[host.picture(f"{number}.png") for number in range(6)])
    assert len(await images_of(message, origins={host.origin})) == 4
    assert sorted(host.asked) == ["/0.png", "/1.png", "/2.png", "/3.png"]


@pytest.mark.parametrize(
    ("api_url", "more"),
    [
        (None, set()),
        ("http://127.0.0.1:8080/api/v10", {"http://127.0.0.1:8080"}),
        ("http://localhost:8080/api/v10", {"http://localhost:8080"}),
        ("http://[::1]:8080/api/v10", {"http://[::1]:8080"}),
        ("https://proxy.example.com/api/v10", set()),
        ("http://10.0.0.7:8080/api/v10", set()),
    ],
)
def test_pictures_come_from_a_stand_in_for_discord_only_on_this_machine(
    api_url: str | None, more: set[str]
) -> None:
    assert origins_for(api_url) == DISCORD_CDN | more
