"""Guards around discord.py: its log lines and start errors in our own words, frames and events that it cannot read, and
its pauses before reconnecting.
"""

import asyncio
import logging
import random
import re
import time
import zlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

import aiohttp
import discord
from discord import shard
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.core.errors import DiscordError
from bot.core.log import suppress_errors, trace
from bot.core.settings import Settings
from bot.db.outages import OutageReport

if TYPE_CHECKING:
    from discord.types.gateway import ReadyEvent

logger = logging.getLogger(__name__)


PORTAL: Final = "https://discord.com/developers/applications"

_WRONG_TOKEN: Final = 4004
_WRONG_SHARD: Final = frozenset({4010, 4011})
_MISSING_INTENT: Final = 4014

UNREACHABLE: Final = (
    discord.DiscordServerError,
    discord.GatewayNotFound,
    aiohttp.ClientError,
    asyncio.TimeoutError,
    OSError,
)
"""What says nothing about us: Discord, or the way to it, is down, and later it will not be."""


INTENTS: Final = ("Server Members Intent", "Message Content Intent")
"""The switches of the portal without which the bot is not let in, or reads nothing."""


def how_to_switch_on(*switches: str) -> str:
    """Return what to click for these switches of the portal."""
    named = " and ".join(f"“{switch}”" for switch in switches)
    return f"open {PORTAL}, choose your application, click “Bot”, switch on {named}, and click “Save Changes”"


def token_of(settings: Settings) -> str:
    """Return the token of the bot, or raise `DiscordError` if it is missing or cannot be one."""
    if settings.discord_token is None:
        raise DiscordError(
            f"DISCORD_TOKEN is not set: open {PORTAL}, choose your application, click “Bot”, then “Reset Token”,"
            " and set DISCORD_TOKEN to what is shown"
        )
    token = settings.discord_token.get_secret_value().strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise DiscordError(
            "DISCORD_TOKEN (kept secret) cannot be a token: copy it anew, it has no blanks and only"
            " letters, digits, dots, dashes and underscores"
        )
    return token


def explain_start_error(error: Exception) -> Exception:
    """Return `error`, with which a client ended, as a `DiscordError` if there is something to click."""
    code = error.code if isinstance(error, discord.ConnectionClosed) else None
    if isinstance(error, discord.LoginFailure) or code == _WRONG_TOKEN:
        return DiscordError(
            f"Discord refuses DISCORD_TOKEN: open {PORTAL}, choose your application, click “Bot”, then"
            " “Reset Token”, and set DISCORD_TOKEN to what is shown"
        )
    if isinstance(error, discord.PrivilegedIntentsRequired) or code == _MISSING_INTENT:
        return DiscordError(f"Discord does not let the bot read: {how_to_switch_on(*INTENTS)}")
    if code in _WRONG_SHARD:
        return DiscordError(
            "Discord does not accept the shards: leave DISCORD_SHARDS empty for as many as Discord advises, or"
            " name more of them, such as 0-3/4"
        )
    if isinstance(error, discord.HTTPException):
        return DiscordError(f"Discord answered with status {error.status} and code {error.code}")
    if code is not None:
        return DiscordError(f"Discord closed the connection for good, with code {code}")
    return error


_TOKEN_IN_PATH: Final = re.compile(r"((?:webhooks|interactions)/[0-9]+)/[^/\s?]+")

discord_outages: Final = OutageReport("Discord", logger)
"""What this process tells of outages of Discord."""

UNREACHABLE_SAYS: Final = "it cannot be reached, which is tried again until it can"

_RECONNECTS: Final = "Attempting a reconnect"
"""How the library begins each time what it says of a connection that could not be made."""

_REPEATED_SECONDS: Final = 60.0
"""Real seconds in which a line that says the same again is left out: the library retries every few seconds."""


class LibraryLines(logging.Handler):
    """Takes the library's records, from WARNING up, and says each in one line."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._said_at: dict[str, float] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Log `record` without its trace's text and without tokens, unless the same was said a moment ago."""
        if record.msg.startswith(_RECONNECTS):
            discord_outages.failed(UNREACHABLE_SAYS)
            return
        now = time.monotonic()
        said = f"{record.name}:{record.msg}"
        if now - self._said_at.get(said, -_REPEATED_SECONDS) < _REPEATED_SECONDS:
            return
        self._said_at[said] = now
        error = record.exc_info[1] if record.exc_info else None
        ending = f" ({trace(error)})" if error is not None else ""
        told = _TOKEN_IN_PATH.sub(r"\1/(token)", record.getMessage())
        logger.log(record.levelno, "%s: %s%s", record.name, told, ending)


def take_over_library_log() -> None:
    """Route everything that discord.py logs through this module."""
    # The bot has no voice, so nobody needs to be told what that would take.
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False
    library = logging.getLogger("discord")
    library.propagate = False
    library.handlers = [LibraryLines()]
    suppress_errors(_is_told_once)


def _is_told_once(error: BaseException) -> bool:
    return isinstance(error, UNREACHABLE) and discord_outages.is_on


_UNREADABLE: Final = (ValueError, zlib.error, AttributeError, KeyError, TypeError)
"""What the library raises for bytes that cannot be unpacked, text that is no JSON, and JSON that is no frame."""

_PAUSE_SECONDS: Final = 1.0
"""Before a session begins anew: a Discord whose every frame is broken must not be asked without a pause."""

_Place = tuple[str | None, int | None]
"""A session and how far it was heard."""

_receive = DiscordWebSocket.received_message
_broken_at: dict[int | None, _Place] = {}


def survive_broken_frames() -> None:
    """Make all clients of this process continue after a frame that cannot be read.

    The session is resumed, and Discord repeats the frame. If it is broken again in the same place, the session is given
    up: what was said meanwhile is read back from history, as after every lost session.
    """
    DiscordWebSocket.received_message = _received  # type: ignore[method-assign]


async def _received(socket: DiscordWebSocket, message: object, /) -> None:
    try:
        await _receive(socket, message)
    except _UNREADABLE as error:
        shard_id = socket.shard_id
        place = (socket.session_id, socket.sequence)
        is_again = _broken_at.get(shard_id) == place
        _broken_at[shard_id] = place
        logger.warning("shard %s connects anew, since a frame cannot be read: %s", shard_id, trace(error))
        if is_again:
            await socket.close(code=1000)
            await asyncio.sleep(_PAUSE_SECONDS)
            socket.sequence = socket.session_id = None
            raise ReconnectWebSocket(shard_id, resume=False) from error
        await socket.close()
        raise ReconnectWebSocket(shard_id) from error


SILENT_SECONDS: Final = 75.0
"""Real seconds without a frame after which a connection is taken for dead: Discord answers a heartbeat every 41."""


def is_silent(client: discord.AutoShardedClient, *, now: Callable[[], float] = time.perf_counter) -> bool:
    """Tell whether a shard of `client` hears nothing, or not all of them have connected yet."""
    shards = client.shards.values()
    if not client.is_ready() or len(shards) < len(client.shard_ids or shards):
        return True
    # The library tells how fast a heartbeat was answered, and nowhere when.
    beats = [shard._parent.ws._keep_alive for shard in shards]
    return any(beat is None or now() - beat._last_recv > SILENT_SECONDS for beat in beats)


Parse: TypeAlias = Callable[[Mapping[str, object]], None]

Unread: TypeAlias = Callable[[str, int | None, int | None], None]
"""Told of an event that could not be read, its guild and its channel; without one it is of the guild itself."""

_OF_THE_SESSION: Final = frozenset({"READY", "RESUMED"})
_OF_A_MESSAGE: Final = "MESSAGE_"
_OF_A_GUILD: Final = ("CHANNEL_", "THREAD_", "GUILD_ROLE_")
"""How those events are called from which it follows what there is to hear in a guild."""


def guard_events(client: discord.Client, parsers: dict[str, Parse], *, unread: Unread) -> None:
    """Keep the library's `parsers` from ending the `client`, and report to `unread` what could not be read.

    The library updates a member that it does not know yet without an event; this dispatches that event.
    """
    for event, parse in list(parsers.items()):
        if event not in _OF_THE_SESSION:
            parsers[event] = _guarded(event, parse, unread)
    renew = parsers["GUILD_MEMBER_UPDATE"]

    def renew_member(data: Mapping[str, object]) -> None:
        renew(data)
        user = data.get("user")
        if isinstance(user, Mapping):
            client.dispatch("any_member_update", int(str(data["guild_id"])), int(user["id"]))

    parsers["GUILD_MEMBER_UPDATE"] = renew_member


def tell_of_removals(client: discord.AutoShardedClient, parsers: dict[str, Parse]) -> None:
    """Dispatch removals of the bot that happened while it was not connected, as if they happened now.

    A session begins with the ids of all guilds of its shard, including those hidden by an outage. Otherwise the library
    would keep its state of other guilds as long as the process runs.
    """
    begin, remove = parsers["READY"], parsers["GUILD_DELETE"]

    def begin_session(data: Mapping[str, object]) -> None:
        begin(data)
        session = cast("ReadyEvent", data)
        named = {int(guild["id"]) for guild in session["guilds"]}
        for guild in list(client.guilds):
            if guild.shard_id == session["shard"][0] and guild.id not in named:
                remove({"id": str(guild.id)})

    parsers["READY"] = begin_session


def ids_in(*parts: object) -> str:
    """Return the ids in the arguments of an event, for the log."""
    told = []
    for part in parts:
        for name in ("guild_id", "channel_id", "message_id", "id"):
            value = part.get(name) if isinstance(part, Mapping) else getattr(part, name, None)
            if isinstance(value, int) or (isinstance(value, str) and value.isdigit()):
                told.append(f"{name} {value}")
    return ", ".join(told) or "no ids"


def _guarded(event: str, parse: Parse, unread: Unread) -> Parse:
    def guarded(data: Mapping[str, object]) -> None:
        try:
            parse(data)
        except Exception as error:
            logger.error("the event %s (%s) cannot be read: %s", event, ids_in(data), trace(error))
            if event.startswith(_OF_A_MESSAGE):
                unread(event, _id(data, "guild_id"), _id(data, "channel_id"))
            elif event.startswith(_OF_A_GUILD):
                unread(event, _id(data, "guild_id"), None)

    return guarded


def _id(data: Mapping[str, object], name: str) -> int | None:
    value = data.get(name) if isinstance(data, Mapping) else None
    return int(value) if isinstance(value, str) and value.isdigit() else None


LONGEST_SECONDS: Final = 60.0
"""Between two tries: the library's own pauses grow to 17 minutes, and do not shrink for half an hour after."""


class Backoff(ExponentialBackoff[Literal[False]]):
    """Pauses that grow as the library's do, up to `LONGEST_SECONDS`."""

    def delay(self) -> float:
        """Return the seconds to wait before the next try; the longest ones differ, so that not all come at once."""
        return min(super().delay(), random.uniform(LONGEST_SECONDS / 2, LONGEST_SECONDS))  # noqa: S311 - jitter, no secret


def cap_reconnect_pauses() -> None:
    """Limit the reconnect pauses of all future connections of this process to `LONGEST_SECONDS`."""
    # A shard makes its own, and looks the class up in its module.
    shard.ExponentialBackoff = Backoff  # type: ignore[assignment, attr-defined]
