"""What somebody types at the prompt becomes: transcript steps, words of the speaker, or a command of the prompt."""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.errors import InvalidInputError
from bot.faces.console.memory_commands import PRIVACY, WORD
from bot.faces.console.transcript import DIRECTIVES, Said, Step, form_or_message, read_steps


@dataclass(frozen=True, slots=True)
class SpeakAs:
    """`/as NAME`."""

    name: str


@dataclass(frozen=True, slots=True)
class SpeakIn:
    """`/in #channel`; `None` is the speaker's direct messages, `/in @`."""

    channel: str | None


@dataclass(frozen=True, slots=True)
class Help:
    """`/help`."""


@dataclass(frozen=True, slots=True)
class Quit:
    """`/quit`."""


PromptCommand: TypeAlias = SpeakAs | SpeakIn | Help | Quit

COMMANDS: Final = ("/as", "/in", "/help", "/quit", WORD, PRIVACY, *DIRECTIVES)
"""Everything that may follow a slash at the prompt."""

_MESSAGE_LINE: Final = re.compile(r"\[\d|[#@]")
"""How a line begins that may name its own channel and author."""


def read_typed(text: str, *, speaker: str, channel: str | None) -> tuple[Step | PromptCommand, ...]:
    """Return what `text` asks for when `speaker` types it in `channel` (`None`: direct messages).

    Raises `InvalidInputError` if it begins as a command or with a time and cannot be read.
    """
    text = text.strip()
    lines = text.splitlines()
    if len(lines) > 1 and (text.startswith("/") or _MESSAGE_LINE.match(text)):
        # A piece of a transcript was pasted.
        return tuple(step for line in lines for step in read_typed(line, speaker=speaker, channel=channel))
    if not text:
        return ()
    said = Said(channel=channel, author=speaker, text=text)
    if text.split(maxsplit=1)[0] in (WORD, PRIVACY):
        return (form_or_message(said),)
    if text.startswith("/"):
        command = _prompt_command(text)
        return read_steps(text) if command is None else (command,)
    if _MESSAGE_LINE.match(text):
        try:
            return read_steps(text)
        except InvalidInputError:
            if text.startswith("["):
                raise
    return (said,)


def _prompt_command(text: str) -> PromptCommand | None:
    word, *rest = text.split(maxsplit=1)
    argument = rest[0] if rest else ""
    match word:
        case "/help":
            return Help()
        case "/quit" | "/exit":
            return Quit()
        case "/as":
            if not re.fullmatch(r"@?[^\s:>@][^:>]{0,100}", argument):
                raise InvalidInputError(f"{text!r} cannot be read: write '/as NAME'")
            return SpeakAs(argument.removeprefix("@"))
        case "/in":
            if not re.fullmatch(r"@|#?[^\s:#@]+", argument):
                raise InvalidInputError(
                    f"{text!r} cannot be read: write '/in #channel', or '/in @' for direct messages"
                )
            return SpeakIn(None if argument == "@" else argument.removeprefix("#"))
        case _:
            return None
