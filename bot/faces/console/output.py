"""What a transcript prints: the conversation to read, or one JSON object for each message."""

import json
import sys
import unicodedata
from typing import Final, Protocol

from rich.console import Console
from rich.text import Text

from bot.faces.console.told import Told
from bot.faces.console.transcript import write_said

_INDENT: Final = "  "


class Printer(Protocol):
    """Whatever can show what became of a message."""

    def show(self, told: Told) -> None:
        """Show one message and the reply to it."""

    def note(self, line: str) -> None:
        """Show one line of the log channel."""


class JsonPrinter:
    """One object for each message and for each line of the log channel, on a line of its own, and nothing else."""

    def show(self, told: Told) -> None:
        """Print `told` as an object."""
        line = {
            "n": told.number,
            "channel": told.said.place,
            "author": told.said.author,
            "text": told.said.text,
            "reply": told.reply,
            "degraded": told.degraded,
            "route": told.route,
            "seconds": told.seconds,
        }
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
        sys.stdout.flush()

    def note(self, line: str) -> None:
        """Print a line of the log channel as an object."""
        sys.stdout.write(json.dumps({"log": line}, ensure_ascii=False) + "\n")
        sys.stdout.flush()


class PlainPrinter:
    """The conversation as people read it: each message, and the bot's reply indented below."""

    def __init__(self, bot_name: str) -> None:
        self._console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
        self._bot_name = bot_name

    def show(self, told: Told) -> None:
        """Print the message and the reply to it."""
        said = write_said(told.said, with_moment=False)
        self._console.print(Text(printable(" ".join([said, *told.attachments]))))
        if told.reply is not None:
            head = f"{_INDENT}{self._bot_name}: "
            reply = printable(told.reply).replace("\n", "\n" + " " * len(head))
            self._console.print(Text.assemble((head, "bold cyan"), reply))

    def note(self, line: str) -> None:
        """Print a line of the log channel."""
        self._console.print(Text(printable(line), style="dim"))


def printable(text: str) -> str:
    """Return `text` without control characters but line breaks: they could rule the terminal."""
    return "".join(
        letter if letter in "\n\t" or unicodedata.category(letter) != "Cc" else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )
