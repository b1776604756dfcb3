"""The loopback Discord: REST API, gateway and files on one free port of 127.0.0.1."""

from datetime import datetime
from email.utils import format_datetime
from types import TracebackType
from typing import Self

from aiohttp import web

from tests.servers.discord import posting
from tests.servers.discord.faults import Faults
from tests.servers.discord.gateway import Gateway
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interactions import Interactions
from tests.servers.discord.limits import Limits
from tests.servers.discord.permissions import TALKING
from tests.servers.discord.posting import File
from tests.servers.discord.rest import API, Requested, Rest
from tests.servers.discord.rest_accounts import AccountRoutes
from tests.servers.discord.rest_channels import ChannelRoutes
from tests.servers.discord.rest_guilds import GuildRoutes
from tests.servers.discord.rest_interactions import InteractionRoutes
from tests.servers.discord.rest_messages import MessageRoutes
from tests.servers.discord.snowflakes import LONG_AGO
from tests.servers.discord.state import FakeChannel, FakeMessage, FakeUser
from tests.servers.discord.waiting import PATIENCE_SECONDS, Waiting, until
from tests.servers.discord.world import Portal, Typing, World

_TOKEN = "bG9vcGJhY2s.Gx4zQd.aGVsbG8tZnJvbS10aGUtbG9vcGJhY2s"
_MOST_BYTES = 32 * 1024 * 1024


class DiscordServer(Waiting):
    """A Discord for one bot, from `async with` on until its end."""

    def __init__(self, *, port: int = 0, token: str = _TOKEN) -> None:
        """Listen on `port` (0: any that is free) and accept only this `token`."""
        self.world = World(token)
        self.world.interactions = Interactions(self.world)
        super().__init__(self.world)
        self.unexpected: list[str] = []
        """Requests and frames that no Discord would know; a test should see none."""
        self.limits = Limits(self.world.snowflakes.now)
        """The limits of the real Discord, off until a test switches them on."""
        self.gateway = Gateway(self.world, self.limits, self.unexpected)
        self.faults = Faults(self.gateway)
        self.rest = Rest(self.world, self.faults, self.limits, self.unexpected)
        self._port = port
        self._runner: web.AppRunner | None = None

    @property
    def api_url(self) -> str:
        """The address of the REST API, as the setting DISCORD_API_URL takes it."""
        return f"{self.world.address}{API}"

    @property
    def gateway_url(self) -> str:
        """The address of the gateway, as the setting DISCORD_GATEWAY_URL takes it."""
        return self.world.address.replace("http", "ws", 1)

    @property
    def token(self) -> str:
        """The bot's token."""
        return self.world.token

    @property
    def application_id(self) -> int:
        """The id of the bot's application."""
        return self.world.application_id

    @property
    def bot_user_id(self) -> int:
        """The id of the bot's account."""
        return self.world.bot.user_id

    @property
    def owner_id(self) -> int:
        """The id of the account that owns the application, and every guild."""
        return self.world.owner.user_id

    @property
    def portal(self) -> Portal:
        """The switches of the Developer Portal, and the number of shards advised."""
        return self.world.portal

    @property
    def sent(self) -> list[FakeMessage]:
        """What the bot sent, in order."""
        return self.world.sent

    @property
    def typing(self) -> list[Typing]:
        """Where and when the bot was seen typing."""
        return self.world.typing

    @property
    def interactions(self) -> Interactions:
        """The bot's commands, all interactions, and how long the bot may take to answer."""
        return self.world.interactions

    @property
    def requests(self) -> list[Requested]:
        """Every request to the REST API, in order of arrival."""
        return self.rest.requests

    def add_guild(
        self,
        name: str,
        *,
        members: tuple[str, ...] = ("alice", "bob"),
        channels: tuple[str, ...] = ("general",),
        everyone: int = TALKING,
        bot_permissions: int = TALKING,
        locale: str = "en-US",
        guild_id: int | None = None,
    ) -> FakeGuild:
        """Make a guild with the bot in it and return it; a bot that is connected is told.

        `everyone` is what @everyone may do: without `Permission.VIEW_CHANNEL` the guild is gated.
        """
        guild = FakeGuild(
            self.world,
            name,
            guild_id=guild_id,
            everyone=everyone,
            bot_permissions=bot_permissions,
            locale=locale,
        )
        # Nothing of it is told before it is whole.
        guild.has_bot = False
        self.world.guilds[guild.guild_id] = guild
        for member in members:
            guild.add_member(member)
        for channel in channels:
            guild.add_channel(channel)
        guild.invite_bot()
        if not self.gateway.connections:
            # Whoever was not there to be told of it finds a guild in which the bot has been for long.
            guild.bot.joined_at = LONG_AGO
        return guild

    def user(self, name: str) -> FakeUser:
        """Return the account with this name, made if there is none."""
        return self.world.user(name)

    def direct(self, user: FakeUser | str) -> FakeChannel:
        """Return the direct messages between a user and the bot."""
        return self.world.direct_channel(self.user(user) if isinstance(user, str) else user)

    async def say_directly(
        self,
        author: FakeUser | str,
        text: str = "",
        *,
        attachments: tuple[File, ...] = (),
        said_at: datetime | None = None,
    ) -> FakeMessage:
        """Let a user, a member of some guild or of none, write the bot a direct message; `said_at` puts it back."""
        user = self.user(author) if isinstance(author, str) else author
        files = posting.files(self.world, attachments)
        draft = posting.Draft(text=text, attachments=files, sent_at=said_at)
        return posting.post(self.world, self.direct(user), user, draft)

    async def connected(self, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until every shard of the bot has a session."""
        await until(self.gateway.ready, seconds, what="the bot has connected")

    async def __aenter__(self) -> Self:
        application = web.Application(client_max_size=_MOST_BYTES, middlewares=[self.rest.frame])
        files = ChannelRoutes(self.world)
        below = [
            *AccountRoutes(self.world).routes(),
            *GuildRoutes(self.world).routes(),
            *files.routes(),
            *MessageRoutes(self.world).routes(),
            *InteractionRoutes(self.world).routes(),
        ]
        application.on_response_prepare.append(self._date)
        application.add_routes(
            [web.RouteDef(one.method, API + one.path, one.handler, one.kwargs) for one in below]
        )
        application.router.add_get("/attachments/{channel_id}/{attachment_id}/{filename}", files.file)
        application.router.add_get("/", self.gateway.handle)
        application.router.add_route("*", "/{rest:.*}", self.rest.unknown)
        self._runner = web.AppRunner(application, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        self._port = self._runner.addresses[0][1]
        self.world.address = f"http://127.0.0.1:{self._port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.gateway.end()
        if self._runner is not None:
            await self._runner.cleanup()
        # The client was only told that something failed; here is what.
        if self.rest.mistakes and error is None:
            raise self.rest.mistakes[0]

    async def _date(self, _request: web.Request, response: web.StreamResponse) -> None:
        """Put Discord's own date on every answer, also on those of the gateway, of files and of aiohttp itself."""
        response.headers["Date"] = format_datetime(self.world.snowflakes.now(), usegmt=True)
