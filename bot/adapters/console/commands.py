"""Reads `/memory ...` as it is typed at the console; Discord has the same as slash commands."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.chat.commands import COMMANDS
from bot.core.errors import InvalidInputError

WORD: Final = "/memory"
"""What these commands begin with."""

PRIVACY: Final = "/privacy"
"""The one that stands by itself."""

IN_PLACE: Final = "in"
"""`/memory in N`: the speaker's last command, for guild N of those between which they were asked to choose."""

_SYNTAX: Final[Mapping[str, tuple[str, str]]] = {
    **{name: (command.usage, command.pattern) for name, command in COMMANDS.items()},
    IN_PLACE: (
        "in N', N being a server of those that were listed last, as in '/memory in 1",
        "(?P<place>[0-9]{1,9})",
    ),
}
"""How each command is written, and the pattern of what follows its name."""

SUBCOMMANDS: Final = tuple(dict.fromkeys(name.split()[0] for name in _SYNTAX if f"/{name}" != PRIVACY))
"""What may follow `/memory`."""


@dataclass(frozen=True, slots=True)
class FormCall:
    """A command as it was typed."""

    name: str
    """Of the table."""
    values: Mapping[str, str] = field(default_factory=dict)
    """What was written for its options: a member by name, a line by its number."""


def read_memory_command(text: str) -> FormCall | None:
    """Return the command that `text` is, `None` if it begins neither with `/memory` nor with `/privacy`.

    Raises `InvalidInputError` if it does and cannot be read.
    """
    first, *rest = text.split(maxsplit=2)
    if first == PRIVACY:
        if rest:
            raise InvalidInputError(f"{text[:60]!r} cannot be read: write '{PRIVACY}'")
        return FormCall(PRIVACY.removeprefix("/"))
    if first != WORD:
        return None
    word, argument = (rest[0] if rest else "help"), (rest[1].strip() if len(rest) > 1 else "")
    if word not in SUBCOMMANDS:
        raise InvalidInputError(
            f"'{WORD} {word[:60]}' is no command: use {WORD} with one of {', '.join(SUBCOMMANDS)}"
        )
    for name, (_, pattern) in _SYNTAX.items():
        begins, _, more = name.partition(" ")
        found = re.fullmatch(rf"{more}\s*{pattern}", argument, re.DOTALL) if begins == word else None
        if found is not None:
            return FormCall(name, {option: value for option, value in found.groupdict().items() if value})
    raise InvalidInputError(f"{text[:60]!r} cannot be read: write '{WORD} {_SYNTAX[word][0]}'")
