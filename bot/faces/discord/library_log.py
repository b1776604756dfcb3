"""What discord.py logs, in single lines of our own log: its traces quote what people say, its addresses tokens."""

import logging
import re
import time
from typing import Final

import discord

from bot.faces.discord.start_errors import UNREACHABLE
from bot.log import leave_out, trace
from bot.outage_report import OutageReport

logger = logging.getLogger(__name__)

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


def take_over() -> None:
    """Let everything that discord.py logs go through here from now on."""
    # The bot has no voice, so nobody needs to be told what that would take.
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False
    library = logging.getLogger("discord")
    library.propagate = False
    library.handlers = [LibraryLines()]
    leave_out(_is_told_once)


def _is_told_once(error: BaseException) -> bool:
    return isinstance(error, UNREACHABLE) and discord_outages.is_on
