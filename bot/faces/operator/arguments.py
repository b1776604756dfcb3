"""The commands of an operator as the command line takes them; light, since every command line reads this."""

import argparse
from datetime import date, timedelta
from pathlib import Path
from typing import TypeAlias

from bot.domain import MAX_ID

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_episodes(commands: Commands) -> None:
    """Add `keepsake episodes`."""
    episodes = commands.add_parser(
        "episodes",
        help="list or remove what conversations left behind",
        description="List or remove what conversations left behind: one episode, or all of a channel.",
        epilog="Example: keepsake episodes list",
    )
    actions = episodes.add_subparsers(dest="action", metavar="ACTION", required=True)
    listed = actions.add_parser(
        "list",
        help="show them by guild and channel, with their ids",
        epilog="Example: keepsake episodes list --channel 1200000000000000001",
    )
    purged = actions.add_parser(
        "purge",
        help="remove one, or all of a channel, and say how many went",
        epilog="Example: keepsake episodes purge 17",
    )
    purged.add_argument(
        "episode", metavar="EPISODE", nargs="?", type=id_of, help="id of one, as the list shows it"
    )
    for parser in (listed, purged):
        parser.add_argument("--guild", metavar="ID", type=id_of, help="only of this guild")
        parser.add_argument("--channel", metavar="ID", type=id_of, help="only of this channel")


def add_erase(commands: Commands) -> None:
    """Add `keepsake erase`."""
    erase = commands.add_parser(
        "erase",
        help="erase a member: their words, and what is known about them",
        description="Erase a member: what they said, wherever it was, and what is known about them from open channels."
        " What others keep about them in closed channels waits for a manager of the server, unless --all is given."
        " The bot may run meanwhile. Nothing brings back what was said until then, no backfill and no import.",
        epilog="Example: keepsake erase --guild 1200000000000000001 --user 1100000000000000001",
    )
    erase.add_argument(
        "--guild", metavar="ID", type=id_of, help="the server; only with --all it may be left out"
    )
    erase.add_argument("--user", metavar="ID", type=id_of, required=True, help="whom to erase")
    erase.add_argument(
        "--all",
        action="store_true",
        dest="everywhere",
        help="also what others keep in closed channels; without --guild in all servers and direct messages",
    )
    erase.add_argument("--yes", action="store_true", help="do not ask whether it is really meant")


def add_export(commands: Commands) -> None:
    """Add `keepsake export`."""
    export = commands.add_parser(
        "export",
        help="write all that is kept about a member into a file",
        description="Write what is kept about a member into a new file of JSON, as docs/export.md describes it: what"
        " is open to everyone on the server, with --all what belongs to closed channels as well. The bot may run"
        " meanwhile.",
        epilog="Example: keepsake export --guild 1200000000000000001 --user 1100000000000000001 member.json",
    )
    export.add_argument(
        "--guild",
        metavar="ID",
        type=id_of,
        help="the server; without it all that keep anything of the member",
    )
    export.add_argument("--user", metavar="ID", type=id_of, required=True, help="whose memory")
    export.add_argument(
        "--all",
        action="store_true",
        dest="everything",
        help="also what belongs to closed channels and may not be shown to the member as it is",
    )
    export.add_argument(
        "file", metavar="FILE", type=Path, help="a new file; one that ends in .zip is packed, a server each"
    )


def id_of(text: str) -> int:
    """Return the id in `text`, for argparse; raises its `ArgumentTypeError`."""
    if not (text.isascii() and text.isdigit() and 0 < int(text[:20]) <= MAX_ID):
        raise argparse.ArgumentTypeError(f"{text!r} is no id: ids are whole numbers, as Discord copies them")
    return int(text)


def date_of(text: str) -> date:
    """Return the date in `text`, which must not be in the future."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day > date.today() + timedelta(days=1):
        raise argparse.ArgumentTypeError(f"{text!r} is no day that has come: write it as in 2026-01-31")
    return day


def days_of(text: str) -> int:
    """Return the whole number in `text`, from 0 (for ever) to 36500."""
    if not (text.isascii() and text.isdigit() and int(text[:6]) <= 36_500 and len(text) <= 5):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days: 0 (for ever) to 36500")
    return int(text)
