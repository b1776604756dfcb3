"""What a session is told first: who the bot is, and its guilds, at once or late and one by one."""

import asyncio
import json
from typing import TYPE_CHECKING

from tests.servers.discord.render import guild_create_json, self_json
from tests.servers.discord.sessions import Session
from tests.servers.discord.state import Json
from tests.servers.discord.world import Intent, World

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.servers.discord.guild import FakeGuild


class Greeting:
    """Greets sessions that begin."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.members_in_guilds = False
        """Whether a guild comes with all of its members, as it does for those who are told presences."""
        self.guild_pause_seconds = 0.0
        """Before each guild; a session hears nothing of what happens in one that it was not told of yet."""
        self._telling: set[asyncio.Task[None]] = set()

    def greet(self, session: Session) -> None:
        """Tell `session` that it has begun, and then of its guilds."""
        guilds = [
            one
            for one in self._world.guilds.values()
            if one.has_bot and (one.guild_id >> 22) % session.shard_count == session.shard_id
        ]
        session.dispatch("READY", json.dumps(self._ready(session, guilds)))
        if not session.intents & Intent.GUILDS:
            return
        if not self.guild_pause_seconds:
            for guild in guilds:
                self._tell(session, guild)
            return
        session.untold = {guild.guild_id for guild in guilds}
        telling = asyncio.create_task(self._tell_one_by_one(session, guilds))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    def end(self) -> None:
        """Tell nobody of what is still to come."""
        for telling in self._telling:
            telling.cancel()

    async def _tell_one_by_one(self, session: Session, guilds: "Sequence[FakeGuild]") -> None:
        for guild in guilds:
            await asyncio.sleep(self.guild_pause_seconds)
            self._tell(session, guild)

    def _tell(self, session: Session, guild: "FakeGuild") -> None:
        session.untold.discard(guild.guild_id)
        if not guild.unavailable and guild.has_bot:
            with_members = self.members_in_guilds or bool(session.intents & Intent.PRESENCES)
            body = guild_create_json(guild, all_members=with_members)
            session.dispatch("GUILD_CREATE", json.dumps(body, ensure_ascii=False))

    def _ready(self, session: Session, guilds: "Sequence[FakeGuild]") -> Json:
        world = self._world
        return {
            "v": 10,
            "user": self_json(world.bot),
            "guilds": [{"id": str(one.guild_id), "unavailable": True} for one in guilds],
            "session_id": session.session_id,
            "session_type": "normal",
            "resume_gateway_url": world.address.replace("http", "ws", 1),
            "shard": [session.shard_id, session.shard_count],
            "application": {"id": str(world.application_id), "flags": application_flags(world)},
            "private_channels": [],
            "relationships": [],
            "user_settings": {},
            "_trace": ["loopback"],
        }


def application_flags(world: World) -> int:
    """Return the flags of the application: which privileged intents the portal grants."""
    members = (1 << 15) if world.portal.members_intent else 0
    return members | ((1 << 19) if world.portal.message_content_intent else 0)
