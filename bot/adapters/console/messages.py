"""The messages of a console by their numbers: attachments, outcomes, and how they are printed."""

import json
import mimetypes
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from rich.console import Console
from rich.text import Text

from bot.adapters.console.transcript import PostMessage, write_said
from bot.core.domain import Channel, Message
from bot.core.errors import InvalidInputError
from bot.llm.operation import Image

_LARGEST_BYTES: Final = 8 * 1024 * 1024
"""What a model is shown of one message at most; a larger file is not worth reading."""


def describe_file(path: str) -> str:
    """Return how an attached file is kept: its name and whether it is an image. It need not be there."""
    name = Path(path).name
    return f"[{'image' if _type_of(name).startswith('image/') else 'file'}: {name}]"


def image_in(path: str) -> tuple[Image, ...]:
    """Return the picture in a file, or nothing if it is none, is not there, or is too large."""
    file = Path(path)
    media_type = _type_of(file.name)
    if not media_type.startswith("image/") or not file.is_file() or file.stat().st_size > _LARGEST_BYTES:
        return ()
    return (Image(content=file.read_bytes(), media_type=media_type),)


def _type_of(name: str) -> str:
    return mimetypes.guess_type(name)[0] or ""


@dataclass(frozen=True, slots=True)
class Attached:
    """What goes with the next message: what it is called, and the pictures of it."""

    descriptions: tuple[str, ...] = ()
    images: tuple[Image, ...] = ()


@dataclass(slots=True)
class ConsoleMessage:
    """A numbered message as it stands, and where the bot's answer to it is."""

    message: Message
    said: PostMessage
    is_deleted: bool = False
    answer_id: int | None = None
    images: tuple[Image, ...] = ()


class ConsoleMessages:
    """What was said so far, numbered from 1 in the order given."""

    def __init__(self) -> None:
        self._spoken: list[ConsoleMessage] = []

    def add(self, spoken: ConsoleMessage) -> int:
        """Take up `spoken` and return its number."""
        self._spoken.append(spoken)
        return len(self._spoken)

    def numbered(self, number: int) -> ConsoleMessage:
        """Return the message of this number; raises `InvalidInputError` if there is none."""
        if not 1 <= number <= len(self._spoken):
            raise InvalidInputError(
                f"there is no message {number}: {len(self._spoken)} have been said so far, numbered from 1"
            )
        return self._spoken[number - 1]

    def answer_to(self, number: int | None, *, channel_id: int) -> int:
        """Return the id of the bot's answer to a message, else (`None`) of its last answer in a channel.

        Raises `InvalidInputError` if there is none.
        """
        if number is not None:
            answer_id = self.numbered(number).answer_id
            if answer_id is None:
                raise InvalidInputError(f"the bot did not answer message {number}")
            return answer_id
        answer_ids = [
            one.answer_id
            for one in self._spoken
            if one.answer_id is not None and one.message.channel_id == channel_id
        ]
        if not answer_ids:
            raise InvalidInputError("the bot has answered nothing in this channel so far")
        return max(answer_ids)

    def replied_to(self, said: PostMessage, channel: Channel) -> int | None:
        """Return the id of the message that `said`, in `channel`, replies to; `None` if it is no reply.

        Raises `InvalidInputError` if that message is not there, or in another channel.
        """
        if said.reply_to is None:
            return None
        spoken = self.numbered(said.reply_to)
        if spoken.message.channel_id != channel.channel_id:
            raise InvalidInputError(
                f"message {said.reply_to} was said in {spoken.said.place}: it cannot be replied to"
                f" from {said.place}, only there"
            )
        if not said.to_answer:
            return spoken.message.message_id
        if spoken.answer_id is None:
            raise InvalidInputError(
                f"the bot did not answer message {said.reply_to}, so nobody can reply to that"
            )
        return spoken.answer_id


MEMORY_ROUTE: Final = "memory"
"""The way that a command given by a form goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOutcome:
    """What became of one message line, or of a command given by a form."""

    number: int | None
    """`None` for a command given by a form, which is no message."""
    said: PostMessage
    attachments: tuple[str, ...]
    reply: str | None
    route: str
    degraded: bool
    seconds: float
    """How long the answer took, in real time."""
    is_noticed: bool = False
    """Without a reply, whoever called the bot is shown that it heard."""


_INDENT: Final = "  "
NOTICED: Final = "noticed"
"""What is printed where Discord shows a reaction."""


class JsonPrinter:
    """One object for each message and for each line of the log channel, on a line of its own, and nothing else."""

    def show(self, told: LineOutcome) -> None:
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
        if told.is_noticed:
            line["noticed"] = True
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

    def show(self, told: LineOutcome) -> None:
        """Print the message and the reply to it."""
        said = write_said(told.said, with_moment=False)
        self._console.print(Text(printable(" ".join([said, *told.attachments]))))
        if told.reply is not None:
            head = f"{_INDENT}{self._bot_name}: "
            reply = printable(told.reply).replace("\n", "\n" + " " * len(head))
            self._console.print(Text.assemble((head, "bold cyan"), reply))
        elif told.is_noticed:
            self._console.print(Text(f"{_INDENT}{self._bot_name} {NOTICED}", style="dim"))

    def note(self, line: str) -> None:
        """Print a line of the log channel."""
        self._console.print(Text(printable(line), style="dim"))


Printer: TypeAlias = JsonPrinter | PlainPrinter
"""Shows what became of each message."""


def printable(text: str) -> str:
    """Return `text` without control characters but line breaks: they could rule the terminal."""
    return "".join(
        letter if letter in "\n\t" or unicodedata.category(letter) != "Cc" else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )
