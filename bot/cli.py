"""The command line: its arguments, and the function that carries out each command. Nothing heavy is
imported before a command needs it, so that help comes at once.
"""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Coroutine, Sequence
from datetime import date, timedelta
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from bot import __version__
from bot.core.domain import MAX_ID
from bot.core.errors import KeepsakeError

if TYPE_CHECKING:
    from bot.core.settings import Settings


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


_WRONG_USE: Final = 2
_KILLED: Final = 128
"""What shells add to the number of the signal that ended a process."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command in `argv` (the process's own if `None`) and return its exit status."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return _WRONG_USE
    try:
        return _run(arguments)
    except KeepsakeError as error:
        sys.stdout.flush()
        print(f"keepsake: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        return _KILLED + signal.SIGINT
    except BrokenPipeError:
        # Whoever read the output has gone; what is still buffered must not be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _KILLED + signal.SIGPIPE


def _run(arguments: argparse.Namespace) -> int:
    if arguments.command == "doctor":
        # A wrong setting is a finding of his, so he reads them himself.
        return _doctor()
    from bot.core import log
    from bot.core.settings import Settings, warn_of_unknown_names
    from bot.db import outages

    settings = Settings.load()
    log.configure(settings.log_level)
    log.suppress_errors(outages.is_told_once)
    warn_of_unknown_names()
    match arguments.command:
        case "run":
            return _discord(settings)
        case "chat":
            return _chat(settings, arguments)
        case "backfill":
            return _backfill(settings, arguments)
        case "import":
            return _import(settings, arguments)
        case "episodes":
            return _episodes(settings, arguments)
        case "erase":
            return _erase(settings, arguments)
        case "export":
            return _export(settings, arguments)
        case "migrate":
            return _migrate(settings)
        case unknown:
            raise AssertionError(f"no such command: {unknown}")


def _discord(settings: "Settings") -> int:
    from bot.adapters.discord import running

    return _until_stopped(running.run(settings))


def _chat(settings: "Settings", arguments: argparse.Namespace) -> int:
    from bot.adapters.console import app

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    return _until_stopped(
        app.run(settings, guild_name=arguments.guild, at=arguments.at, as_json=arguments.json)
    )


def _backfill(settings: "Settings", arguments: argparse.Namespace) -> int:
    from bot.adapters.discord.backfill import past
    from bot.adapters.discord.backfill.past import BackfillRequest
    from bot.adapters.discord.rest import logged_in
    from bot.app import open_keepsake
    from bot.core.clock import SystemClock

    wanted = BackfillRequest(guild_id=arguments.guild, channel=arguments.channel, since=arguments.since)

    async def read() -> int:
        async with logged_in(settings) as client, open_keepsake(settings, SystemClock()) as keepsake:
            return await past.run_backfill(
                client, keepsake.memory, keepsake.directory, keepsake.library, settings, wanted
            )

    return _until_stopped(read())


def _import(settings: "Settings", arguments: argparse.Namespace) -> int:
    from bot.adapters.archive import importing

    return importing.run(settings, arguments.files, arguments.retention)


def _episodes(settings: "Settings", arguments: argparse.Namespace) -> int:
    from bot.adapters import operator
    from bot.app import open_database
    from bot.memory.members.directory import Directory
    from bot.memory.summaries.episodes import KeptEpisodes

    chosen = operator.EpisodeSelection(
        arguments.guild, arguments.channel, getattr(arguments, "episode", None)
    )

    async def done() -> int:
        async with open_database(settings) as database:
            kept = KeptEpisodes(database)
            if arguments.action == "purge":
                return await operator.purge_episodes(kept, chosen, show=print)
            return await operator.list_episodes(kept, Directory(database), chosen, show=print)

    return _until_stopped(done())


def _erase(settings: "Settings", arguments: argparse.Namespace) -> int:
    from bot.adapters import operator
    from bot.app import open_database
    from bot.core.clock import SystemClock
    from bot.memory.rights.erasing.erasing import Erasing

    chosen = operator.EraseRequest(
        user_id=arguments.user,
        guild_id=arguments.guild,
        everywhere=arguments.everywhere,
        confirmed=arguments.yes,
    )

    async def done() -> int:
        async with open_database(settings) as database:
            door = Erasing(database, SystemClock(), settings)
            return await operator.erase_member(door, chosen, show=print, ask=input)

    return _until_stopped(done())


def _export(settings: "Settings", arguments: argparse.Namespace) -> int:
    from bot.adapters import operator
    from bot.app import open_database
    from bot.core.clock import SystemClock
    from bot.memory.rights.exporting.exporting import Exporting

    wanted = operator.ExportRequest(arguments.user, arguments.guild, arguments.everything)

    async def done() -> int:
        async with open_database(settings) as database:
            door = Exporting(database, SystemClock())
            return await operator.export_member(door, wanted, arguments.file, show=print)

    return _until_stopped(done())


def _migrate(settings: "Settings") -> int:
    from bot.app import migrate

    async def migrated() -> int:
        await migrate(settings)
        return 0

    return _until_stopped(migrated())


def _doctor() -> int:
    from bot import doctor
    from bot.core import log

    log.configure("WARNING")
    return _until_stopped(doctor.run())


def _until_stopped(work: Coroutine[object, object, int]) -> int:
    """Run `work` to its end, or until the process is told to end: then it cleans up behind itself first."""
    received: list[int] = []

    async def stoppable() -> int:
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()

        def stop(number: int) -> None:
            received.append(number)
            if task is not None:
                task.cancel()

        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, stop, number)
        return await work

    try:
        return asyncio.run(stoppable())
    except asyncio.CancelledError:
        return _KILLED + received[0]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="keepsake",
        description="A Discord bot with a memory that can be trusted.",
        epilog="Example: keepsake chat",
    )
    parser.add_argument("--version", action="version", version=f"keepsake {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    commands.add_parser(
        "run",
        help="answer on Discord",
        description="Connect to Discord and answer there until told to stop. DISCORD_TOKEN must be set.",
        epilog="Example: keepsake run",
    )
    chat = commands.add_parser(
        "chat",
        help="talk to the bot in the terminal, or feed it a transcript",
        description="Talk to the bot in a simulated guild. Standard input that is no terminal is a transcript.",
        epilog="Example: keepsake chat --json < tests/transcripts/first.txt",
    )
    chat.add_argument("--guild", metavar="NAME", default="Keepsake", help="guild to talk in (%(default)s)")
    chat.add_argument("--at", metavar="TIME", help="set the clock, as in 2026-03-01T09:00")
    chat.add_argument("--json", action="store_true", help="print one JSON object for each message")
    backfill = commands.add_parser(
        "backfill",
        help="read the past of channels on Discord",
        description="Read what was said on Discord before the bot came, as far back as messages are kept."
        " Nothing of it is answered. It goes on where it was stopped, and the bot may run meanwhile.",
        epilog="Example: keepsake backfill --channel general --since 2026-01-31",
    )
    backfill.add_argument("--guild", metavar="ID", type=id_of, help="read only this server")
    backfill.add_argument("--channel", metavar="NAME_OR_ID", help="read only this channel, with its threads")
    backfill.add_argument(
        "--since",
        metavar="DATE",
        type=date_of,
        help="how far back, as in 2026-01-31, also further than is kept",
    )
    imported = commands.add_parser(
        "import",
        help="take in the JSON files of DiscordChatExporter",
        description="Take in the history of channels, one JSON file of DiscordChatExporter for each.",
        epilog="Example: keepsake import general.json random.json",
    )
    imported.add_argument("files", metavar="FILE", nargs="+", type=Path, help="an exported channel")
    imported.add_argument(
        "--retention", metavar="DAYS", type=days_of, help="days a new guild's messages are kept (for ever)"
    )
    add_episodes(commands)
    add_erase(commands)
    add_export(commands)
    commands.add_parser(
        "migrate",
        help="bring the database to the newest form",
        description="Bring the database to the newest form. Every start does the same; this does nothing else.",
        epilog="Example: keepsake migrate",
    )
    commands.add_parser(
        "doctor",
        help="check settings, database, Discord, models, clock and disk",
        description="Check everything that Keepsake needs: one line each, with what to do. Each model gets one tiny"
        " question. The exit status is 1 if something must be done.",
        epilog="Example: keepsake doctor",
    )
    return parser
