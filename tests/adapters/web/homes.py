"""A small installation to look at by the API: a guild with an open and a closed room, and direct messages."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import httpx

from bot.adapters.web.running import WebServer, serving
from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Channel, Guild, Member, Message
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.memory.rights.access.records import AccessScope
from tests.memory.rights.erasing import lived
from tests.memory.summaries.episodes.kept import keep

GUILD, GENERAL, CLOSED = 1_210_000_000_000_000_001, 1_220_000_000_000_000_001, 1_220_000_000_000_000_002
DIRECT = 1_230_000_000_000_000_001
ALICE, BOB, PRIVATE = 1_110_000_000_000_000_001, 1_110_000_000_000_000_002, 1_110_000_000_000_000_003

AT_HOME = f"/api/v1/guilds/{GUILD}"
OF_ALICE = f"{AT_HOME}/members/{ALICE}"
OF_GENERAL = f"{AT_HOME}/channels/{GENERAL}"
OF_CLOSED = f"{AT_HOME}/channels/{CLOSED}"

NOON = lived.NOON
TALKS_BEGAN = NOON - timedelta(days=20)
"""Before the conversations that left memories behind."""


@dataclass
class Home:
    """The bot with its web server, and what was put there."""

    keepsake: Keepsake
    database: Database
    server: WebServer
    told: list[str]
    """The lines of the start."""
    tokens: dict[AccessScope, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    @property
    def link(self) -> str:
        """The link of the start."""
        return next(word for line in self.told for word in line.split() if "/enter?code=" in word)

    def client(self, token: str = "", **headers: str) -> httpx.AsyncClient:
        """Return a client that comes with this token, or with nothing."""
        given = headers | ({"Authorization": f"Bearer {token}"} if token else {})
        return httpx.AsyncClient(base_url=self.url, headers=given, trust_env=False, timeout=60)

    async def operator(self, scope: AccessScope = AccessScope.WRITE) -> httpx.AsyncClient:
        """Return a client of an operator who was let in by a token of this scope."""
        if scope not in self.tokens:
            self.tokens[scope] = await self.keepsake.memory.access.create_token(f"{scope}-token", scope)
        return self.client(self.tokens[scope])


@asynccontextmanager
async def home(database: Database, clock: SetClock, **settings: str | int) -> AsyncIterator[Home]:
    """Serve an empty installation on any free port."""
    chosen = Settings(_env_file=None, **({"web_port": 0} | settings))  # type: ignore[arg-type]
    told: list[str] = []
    async with assembled(chosen, clock, database) as keepsake, serving(keepsake, tell=told.append) as server:
        yield Home(keepsake, database, server, told)


def said(
    text: str, minute: int, *, user_id: int = ALICE, channel_id: int = GENERAL, audience: int = OPEN
) -> Message:
    return lived.said(
        text,
        minute,
        user_id=user_id,
        channel_id=channel_id,
        audience=audience,
        guild_id=DIRECT if channel_id == DIRECT else GUILD,
    )


async def remember(home: Home, message: Message, statement: str, *, subject_id: int) -> int:
    """Have something remembered by a message, which is heard, and return the id of the fact."""
    await home.keepsake.memory.ingest_message(message)
    remembered = await home.keepsake.memory.remember(lived.note(message, statement, subject_id=subject_id))
    assert remembered.fact_id is not None
    return remembered.fact_id


async def settle(home: Home) -> None:
    """Make the guilds, channels and members known."""
    directory = home.keepsake.directory
    await directory.add_guild(Guild(guild_id=GUILD, name="Home"))
    await directory.add_guild(Guild(guild_id=DIRECT, name="", direct=True))
    await directory.put_channels(
        [
            Channel(guild_id=GUILD, channel_id=GENERAL, name="general"),
            Channel(guild_id=GUILD, channel_id=CLOSED, name="secret-plans", audience=CLOSED),
            Channel(guild_id=DIRECT, channel_id=DIRECT, name="alice"),
        ]
    )
    await directory.put_members(
        [
            Member(guild_id=GUILD, user_id=ALICE, user_name="alice", nickname="Allie"),
            Member(guild_id=GUILD, user_id=BOB, user_name="bob_100%"),
            Member(guild_id=GUILD, user_id=PRIVATE, user_name="pat"),
            Member(guild_id=DIRECT, user_id=ALICE, user_name="alice"),
        ]
    )


async def live(home: Home) -> dict[str, int]:
    """Settle, have something remembered everywhere, and return the ids of facts and memories by what they say."""
    await settle(home)
    ids = {
        "tea": await remember(
            home, said("Bot, remember that I like oolong", 1), "I like oolong", subject_id=ALICE
        ),
        "plan": await remember(
            home,
            said("Bot, remember that I plan a coup", 2, channel_id=CLOSED, audience=CLOSED),
            "I plan a coup",
            subject_id=ALICE,
        ),
        "whisper": await remember(
            home,
            said("Bot, remember that I fear whales", 3, channel_id=DIRECT),
            "I fear whales",
            subject_id=ALICE,
        ),
        "hush": await remember(
            home,
            said("Bot, remember that I own a yacht", 4, user_id=PRIVATE),
            "I own a yacht",
            subject_id=PRIVATE,
        ),
    }
    await home.keepsake.memory.consent.set_private(guild_id=GUILD, user_id=PRIVATE, private=True)
    for name, content, channel_id, guild_id, audience, number in (
        ("picnic", f"<@{ALICE}> and <@{BOB}> planned a picnic.", GENERAL, GUILD, OPEN, 1),
        ("cake", f"<@{BOB}> baked a cake.", GENERAL, GUILD, OPEN, 2),
        ("coup", f"<@{ALICE}> drew up the coup.", CLOSED, GUILD, CLOSED, 3),
        ("whales", f"<@{ALICE}> spoke of whales.", DIRECT, DIRECT, OPEN, 4),
    ):
        ids[name] = await keep(
            home.database,
            content,
            guild_id=guild_id,
            channel_id=channel_id,
            audience=audience,
            number=number,
            beginning=TALKS_BEGAN,
        )
    return ids


def places(ids: dict[str, int]) -> dict[str, int]:
    """Return what stands in the addresses of routes: all of them are there, and open."""
    return {
        "guild_id": GUILD,
        "channel_id": GENERAL,
        "user_id": ALICE,
        "fact_id": ids["tea"],
        "memory_id": ids["picnic"],
    }


async def reveal(client: httpx.AsyncClient, **place: int) -> httpx.Response:
    """Have a closed place shown."""
    body = {name: str(value) for name, value in place.items()}
    return await client.post("/api/v1/reveals", json={"reason": "a member complained", **body})
