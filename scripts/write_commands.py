"""Write the table of commands in `docs/discord.md` from the entries in the code: `--write`, else it is printed."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from bot.chat.commands import COMMANDS, CommandGroup  # noqa: E402
from bot.core.domain import Language  # noqa: E402
from bot.text.sentences import Key, say  # noqa: E402

PAGE: Final = ROOT / "docs/discord.md"
BEGIN: Final = "<!-- written by scripts/write_commands.py -->\n"
END: Final = "<!-- end of the table -->"

MENUS: Final[dict[Key, str]] = {
    "command.remember_this": "In the menu of a message",
    "command.forget_this": "In the menu of a message",
    "command.why": "What an answer rests on, with Forget and Not me",
    "command.what_do_you_know": "In the menu of a member",
}


def row(what: str, label: Key, begins: dict[Language, str] | None = None) -> str:
    """Return the row of what is called `label` in each language, behind what it `begins` with."""
    names = [f"`{(begins or {}).get(language, '')}{say(label, language)}`" for language in Language]
    return f"| {what} | {' | '.join(names)} |"


def rows() -> Iterator[str]:
    """Yield the table line by line."""
    yield "| | English | Russian |"
    yield "|---|---|---|"
    groups = {
        CommandGroup.EVERYBODY: {one: f"/{say('command.memory', one)} " for one in Language},
        CommandGroup.MANAGERS: {one: f"/{say('command.managers', one)} " for one in Language},
        CommandGroup.ALONE: dict.fromkeys(Language, "/"),
    }
    for name, command in COMMANDS.items():
        if not command.typed_only:
            what = say(f"command_what.{name}", Language.ENGLISH)
            yield row(what, f"command_name.{name}", groups[command.group])
    for label, what in MENUS.items():
        yield row(what, label)


def table() -> str:
    """Return the table."""
    return "\n".join([*rows(), ""])


if __name__ == "__main__":
    if "--write" not in sys.argv:
        sys.exit(print(table()))
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}{table()}{END}{rest.partition(END)[2]}", encoding="utf-8")
