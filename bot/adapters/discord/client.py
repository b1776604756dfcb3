"""The Discord client: discord.py with its intents and limits, connected to the parts of this adapter, and its report
when it is ready.
"""

import asyncio
import json
import logging
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands
from discord.http import Route

from bot import __version__
from bot.adapters.discord.audiences import bot_can_read, bot_can_write, is_hidden
from bot.adapters.discord.backfill.gaps import GapBackfill
from bot.adapters.discord.backfill.past import PastReader
from bot.adapters.discord.base_role import propose_base_role
from bot.adapters.discord.commands.buttons import install_buttons
from bot.adapters.discord.commands.interactions import InteractionHandler, RequestContexts, tell_failure
from bot.adapters.discord.commands.menus import menu_entries
from bot.adapters.discord.commands.slash import slash_commands
from bot.adapters.discord.delivery import Delivery, TypingSign
from bot.adapters.discord.departures import Departures
from bot.adapters.discord.events import EventHandler
from bot.adapters.discord.guilds import GuildRegistry, Room, note_removals, rooms_of
from bot.adapters.discord.library import (
    cap_reconnect_pauses,
    discord_outages,
    guard_events,
    ids_in,
    survive_broken_frames,
    tell_of_removals,
)
from bot.adapters.discord.members import Introductions
from bot.adapters.discord.message_handler import MessageHandler, Watchdog
from bot.adapters.discord.notices import LogChannels, OwnerNotices, Troubles, WaitingNotesNotifier
from bot.adapters.discord.rest import DiscordTime, Requests, TimeListener, ignore_time, keep_to_gateway
from bot.adapters.discord.sentences import SentenceTranslator, listed
from bot.adapters.discord.under_way import UnderWay
from bot.adapters.discord.welcome import WelcomeNotices
from bot.chat.keepsake import Keepsake
from bot.core.log import trace
from bot.core.settings import Settings
from bot.llm.capabilities import KnownCapabilities
from bot.llm.chain import ModelName, parse_chain
from bot.llm.providers import NO_MODEL, access_of

logger = logging.getLogger(__name__)


_TELLING: Final = (
    "name", "description", "required", "autocomplete", "min_value", "max_value", "min_length", "max_length",
    "value", "nsfw", "name_localizations", "description_localizations", "default_member_permissions",
)  # fmt: skip
"""Fields that make two commands differ; what Discord leaves out or fills in is the same as nothing."""

_UNORDERED: Final = ("contexts", "integration_types")
_INNER: Final = ("options", "choices")


async def sync_commands(client: discord.Client, tree: app_commands.CommandTree[Any]) -> dict[str, str]:
    """Update the commands at Discord where they differ from `tree`.

    Returns how each is mentioned, by its English name ("/memory show"). If Discord refuses, that is logged and the
    previous commands stay; messages do not wait for it.
    """
    try:
        known, wanted = await _fetched(client), await _wanted(tree)
        if _plain(known) != _plain(wanted):
            known = [{**command.to_dict()} for command in await tree.sync()]
            logger.info("%d commands were put up", len(known))
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        logger.error("the commands could not be put up: %s", trace(error))
        return {}
    return {name: mention for command in known for name, mention in _mentions(command)}


async def _fetched(client: discord.Client) -> list[dict[str, Any]]:
    # The library's own question leaves out the other languages.
    route = Route("GET", "/applications/{application_id}/commands", application_id=client.application_id)
    found: list[dict[str, Any]] = await client.http.request(route, params={"with_localizations": "true"})
    return found


async def _wanted(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    commands = [
        *tree.get_commands(type=discord.AppCommandType.chat_input),
        *tree.get_commands(type=discord.AppCommandType.user),
        *tree.get_commands(type=discord.AppCommandType.message),
    ]
    translator = tree.translator
    if translator is None:
        return [command.to_dict(tree) for command in commands]
    return [await command.get_translated_payload(tree, translator) for command in commands]


def _mentions(command: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the clickable forms of a command's subcommands."""
    written = [f"/{command['name']} {option['name']}" for option in command.get("options") or ()]
    return [(name, f"<{name}:{command['id']}>") for name in written]


def _plain(commands: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return commands in a form that is equal where they are, in any order."""
    return sorted(json.dumps(_plain_one(command), sort_keys=True) for command in commands)


def _plain_one(thing: Mapping[str, Any]) -> dict[str, Any]:
    plain = {name: thing[name] for name in _TELLING if thing.get(name)}
    if "type" in thing:
        plain["type"] = int(thing["type"])
    if "default_member_permissions" in plain:
        plain["default_member_permissions"] = str(plain["default_member_permissions"])
    for name in _UNORDERED:
        if thing.get(name):
            plain[name] = sorted(thing[name])
    for name in _INNER:
        if thing.get(name):
            plain[name] = [_plain_one(inner) for inner in thing[name]]
    return plain


async def install_commands(
    client: commands.AutoShardedBot,
    dependencies: Keepsake,
    rooms: GuildRegistry,
    introductions: Introductions,
    past: PastReader,
    under_way: UnderWay,
    *,
    erased: Callable[[int], None],
) -> None:
    """Register the commands with `client`, and with Discord if they differ; once, before the first event.

    `erased` is called with users who had their data erased.
    """
    contexts = RequestContexts(client, rooms, introductions)
    handler = InteractionHandler(dependencies, contexts, past, under_way, erased=erased)
    install_buttons(client, handler)
    tree: app_commands.CommandTree[Any] = client.tree
    for entry in (*slash_commands(handler), *menu_entries(handler)):
        tree.add_command(entry)
    tree.error(_failed)
    await tree.set_translator(SentenceTranslator())
    handler.mentions = await sync_commands(client, tree)


async def _failed(interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
    await tell_failure(interaction, error)


PERMISSIONS: Final = discord.Permissions(
    view_channel=True,
    read_message_history=True,
    send_messages=True,
    send_messages_in_threads=True,
    attach_files=True,
    add_reactions=True,
)
"""The least that the bot needs: to hear, to catch up, to answer, to send the rest of a long answer, and to show that it
heard."""

_MOST_GUILDS: Final = 50
"""Guilds that are told one by one; of further ones only those where something is wrong, and then how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildReport:
    """What the bot cannot do in one guild, by names of channels."""

    name: str
    guild_id: int
    unreadable: Sequence[str] = ()
    unwritable: Sequence[str] = ()
    """Those that it can read, but not answer in."""


def invite_link(application_id: int) -> str:
    """Return the address at which a manager adds the bot to a server."""
    return discord.utils.oauth_url(
        application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands")
    )


def chat_models(settings: Settings) -> list[ModelName]:
    """Return the models that answer, in the order in which they are tried; none without access to any."""
    access = access_of(settings)
    return [model for model in parse_chain(settings.model_chat) if model.provider in access]


def opening_lines(*, version: str, application_id: int, settings: Settings) -> list[str]:
    """Return what is known before the first guild is: the version, how to invite the bot, who answers."""
    models = [str(model) for model in chat_models(settings)]
    answering = f"{models[0]}" if models else NO_MODEL
    if models[1:]:
        answering += f" (then {', '.join(models[1:])})"
    return [
        f"Keepsake {version}",
        f"invite: {invite_link(application_id)}",
        f"model: {answering}",
    ]


def report_of(guild: discord.Guild) -> GuildReport:
    """Return what the bot cannot do in `guild` now."""
    rooms = rooms_of(guild)
    return GuildReport(
        name=guild.name,
        guild_id=guild.id,
        unreadable=_names(room for room in rooms if not bot_can_read(room)),
        unwritable=_names(room for room in rooms if bot_can_read(room) and not _can_answer(room)),
    )


def guild_lines(reports: Sequence[GuildReport]) -> list[str]:
    """Return a line for each guild, those first where something is wrong."""
    if not reports:
        return ["servers: none yet; open the invite link to add the bot to one"]
    ordered = sorted(reports, key=lambda report: not (report.unreadable or report.unwritable))
    faulty = sum(bool(report.unreadable or report.unwritable) for report in reports)
    shown = ordered[: max(_MOST_GUILDS, faulty)]
    lines = [_line(report) for report in shown]
    if len(ordered) > len(shown):
        lines.append(f"and {len(ordered) - len(shown)} more servers, where all is well")
    return lines


def _line(report: GuildReport) -> str:
    told = []
    if report.unreadable:
        told.append(f"cannot read {listed(report.unreadable)}")
    if report.unwritable:
        told.append(f"cannot write in {listed(report.unwritable)}")
    return (
        f"server {report.name} ({report.guild_id}): {'; '.join(told) or 'reads and writes in every channel'}"
    )


def _can_answer(room: Room) -> bool:
    if isinstance(room, discord.ForumChannel):
        return room.permissions_for(room.guild.me).send_messages_in_threads
    return bot_can_write(room)


def _names(rooms: Iterable[Room]) -> tuple[str, ...]:
    """Return the names; of channels whose names Discord hides from the bot, how many there are."""
    every = list(rooms)
    hidden = sum(is_hidden(room) for room in every)
    named = [f"#{room.name}" for room in every if not is_hidden(room)]
    return (*named, f"{hidden} hidden") if hidden else tuple(named)


READY_SECONDS: Final = 2.0
"""Real seconds without another guild after which the library takes a start for complete."""

_ANSWERS_SECONDS: Final = 2.0
"""Real seconds that answers and commands under way get at the end; the log of messages is written in any case."""

_REQUESTS_SECONDS: Final = 1.0
"""Real seconds for requests that nobody waits for any more: each may have done its work already."""

_CLOSING_SECONDS: Final = 2.0
"""Real seconds for Discord to close the connections in good order."""

Tell = Callable[[str], None]


def intents() -> discord.Intents:
    """Return what the bot listens to: guilds, their members, messages with their text, and nothing else."""
    return discord.Intents(
        guilds=True, members=True, guild_messages=True, dm_messages=True, message_content=True
    )


class KeepsakeClient(commands.AutoShardedBot):
    """The bot on Discord. `tell` takes the lines that are printed at the start, `told_time` Discord's time."""

    def __init__(
        self,
        dependencies: Keepsake,
        *,
        troubles: Troubles | None = None,
        tell: Tell = print,
        told_time: TimeListener = ignore_time,
        ready_seconds: float = READY_SECONDS,
    ) -> None:
        survive_broken_frames()
        super().__init__(
            # No text is a command of the library's: the conversation alone reads what is said.
            command_prefix=(),
            help_command=None,
            intents=intents(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=ready_seconds,
            http_trace=(discord_time := DiscordTime(told_time)).watch(),
        )
        self.dependencies: Final = dependencies
        self.discord_time: Final = discord_time
        self.requests: Final = Requests()
        self.requests.guard(self)
        self.rooms: Final = GuildRegistry(self, dependencies)
        troubles = troubles or Troubles()
        self.owner: Final = OwnerNotices(self, dependencies, troubles)
        self.waiting: Final = WaitingNotesNotifier(self, dependencies, self.owner)
        delivery = Delivery(dependencies.conversation, forbidden=self._forbidden, meter=dependencies.meter)
        sees = any(KnownCapabilities().of(model).images for model in chat_models(dependencies.settings))
        self.introductions: Final = Introductions(dependencies)
        self.under_way: Final = UnderWay()
        self.message_handler: Final = MessageHandler(
            self,
            dependencies,
            self.rooms,
            self.introductions,
            delivery,
            TypingSign(self.requests),
            self.under_way,
            sees=sees,
            erased=self.erased,
            open_gaps=lambda: self.catch_up.open_gaps,
        )
        self.watchdog: Final = Watchdog(self, dependencies, self.message_handler, troubles, self.requests)
        self.catch_up: Final = GapBackfill(
            self,
            dependencies,
            self.message_handler,
            is_known=self.rooms.is_known,
            tell=lambda caught_up: tell(str(caught_up)),
        )
        self.past: Final = PastReader(self, dependencies)
        self.departures: Final = Departures(
            self, dependencies, self.introductions, calm=self.catch_up.settled
        )
        self._welcoming = WelcomeNotices(dependencies)
        self._tell = tell
        self.is_reported = False
        """Whether the lines of the start were told: the first connection is complete then."""
        self._is_finished = False
        keep_to_gateway(self, dependencies.settings)
        cap_reconnect_pauses()
        guard_events(self, self._connection.parsers, unread=self._unread)
        tell_of_removals(self, self._connection.parsers)

    async def setup_hook(self) -> None:
        """Join the parts, once, before the first event comes."""
        self.discord_time.ask_by(self)
        self.dependencies.clock_watch.attach(self.discord_time, alarm=self.owner.clock_is_off)
        await install_commands(
            self,
            self.dependencies,
            self.rooms,
            self.introductions,
            self.past,
            self.under_way,
            erased=self.erased,
        )
        self.rooms.met.append(self.catch_up.meet)
        propose = partial(propose_base_role, dependencies=self.dependencies)
        self.rooms.taken_up.extend((self.catch_up.taken_up, self._welcoming.welcome, propose))
        self.rooms.lost.append(self.owner.permission_lost)
        self.rooms.start()
        self.catch_up.start()
        self.departures.start()
        self._welcoming.start()
        await self.add_cog(
            EventHandler(
                self,
                self.dependencies,
                self.rooms,
                self.introductions,
                self.message_handler,
                self.catch_up,
                self.departures,
            )
        )
        for line in opening_lines(
            version=__version__, application_id=self._application_id(), settings=self.dependencies.settings
        ):
            self._tell(line)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect all shards, and stay connected until the client is closed."""
        # Whatever handles an interaction descends from this task.
        self.requests.guard_interactions()
        await super().connect(reconnect=reconnect)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait between connections that begin anew, as Discord asks."""
        if not initial:
            await asyncio.sleep(self.dependencies.settings.discord_identify_pause_seconds)

    async def on_message(self, message: discord.Message, /) -> None:
        """Leave messages to those who listen; the library would look for commands of its own."""
        self.discord_time.heard(message.id)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Take note that Discord can be reached."""
        discord_outages.succeeded()

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Take note that Discord can be reached again."""
        discord_outages.succeeded()

    async def on_ready(self) -> None:
        """Read back what may be missing: this is a start, or a connection that could not be resumed."""
        await self.rooms.settled()
        await self.dependencies.memory.removal_log.attach(LogChannels(self))
        await note_removals(self, self.dependencies)
        if not self.is_reported:
            welcome = [guild for guild in self.guilds if self.rooms.is_welcome(guild.id)]
            for line in guild_lines([report_of(guild) for guild in welcome if not guild.unavailable]):
                self._tell(line)
            self.owner.start()
            self.waiting.start()
            self.watchdog.start()
        self.catch_up.gap()
        self.is_reported = True

    async def on_error(self, event_method: str, /, *args: object, **_kwargs: object) -> None:
        """Log what went wrong with one event, by its ids alone; the next one is not its business."""
        error = sys.exc_info()[1]
        if error is not None:
            logger.error("%s (%s) failed: %s", event_method, ids_in(*args), trace(error))

    async def finish(self) -> None:
        """Hear nothing more, let answers and commands under way end, and close the connections; bounded in time."""
        if self._is_finished:
            return
        self._is_finished = True
        try:
            async with asyncio.timeout(_CLOSING_SECONDS):
                await self._close_gateway()
        except TimeoutError:
            logger.info("Discord did not close the connections in time")
        for hearing in (self.catch_up, self.past, self.departures, self.watchdog):
            await hearing.stop()
        await self.under_way.finish(_ANSWERS_SECONDS)
        for part in (self.owner, self._welcoming, self.waiting, self.rooms):
            await part.stop()
        await self.requests.settled(_REQUESTS_SECONDS)
        try:
            async with asyncio.timeout(_CLOSING_SECONDS):
                await self.close()
        except TimeoutError:
            logger.info("the client did not close in time")
        await self.requests.abandon()

    async def _close_gateway(self) -> None:
        # What is sent in answer still needs the REST API, which `close` would close too.
        for shard in self.shards.values():
            await shard.disconnect()

    def erased(self, user_id: int) -> None:
        """Take note that a user may have had erased what is kept of them: they are to be met anew."""
        self.introductions.forget_everywhere(user_id)
        self.waiting.look_soon()

    def _unread(self, event: str, guild_id: int | None, channel_id: int | None) -> None:
        if not self.rooms.is_welcome(guild_id):
            return
        if event == "MESSAGE_CREATE" and channel_id is not None:
            self.catch_up.missed(channel_id)
        else:
            self.catch_up.unread(guild_id=guild_id, channel_id=channel_id)

    async def _forbidden(self, message: discord.Message) -> None:
        channel = message.channel
        if message.guild is not None and not isinstance(
            channel, discord.DMChannel | discord.GroupChannel | discord.PartialMessageable
        ):
            await self.owner.permission_lost(message.guild, [channel])

    def _application_id(self) -> int:
        if self.application_id is None:
            raise AssertionError("the library learns the application's id before it calls the hook")
        return self.application_id
