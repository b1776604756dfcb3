"""The command line: its arguments, and the function that carries out each command. Nothing heavy is
imported before a command needs it, so that help comes at once.
"""

import argparse
import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from bot import __version__
from bot.cli_values import date_of, id_of, shards_of, whole
from bot.core.errors import KeepsakeError

if TYPE_CHECKING:
    from bot.core.settings import Settings


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

Run: TypeAlias = Callable[[argparse.Namespace], int | Coroutine[object, object, int]]
"""Carries a command out, and returns the exit status."""


_WRONG_USE: Final = 2
_KILLED: Final = 128
"""What shells add to the number of the signal that ended a process."""


_GARBAGE: Final = (50_000, 5, 5)
"""How many new objects, collections of these, and of those that were left, until Python looks for cyclic garbage.

By its own 700 it looks 35 times a second, and through everything every four: in 100 busy guilds a fifth of the
processor time, up to 0.4 seconds at once.
"""


_TURN_SECONDS: Final = 0.0005
"""How long a thread may keep the others from Python: texts of models are checked in some, and by its own five
milliseconds the event loop would wait so long for each thing that it does meanwhile.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command in `argv` (the process's own if `None`) and return its exit status."""
    gc.set_threshold(*_GARBAGE)
    sys.setswitchinterval(_TURN_SECONDS)
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.run is None:
        parser.print_help(sys.stderr)
        return _WRONG_USE
    try:
        run: Run = arguments.run
        work = run(arguments)
        return work if isinstance(work, int) else _until_stopped(work)
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


def _settings() -> "Settings":
    """Return the settings, with the log as they want it."""
    from bot.core import log
    from bot.core.settings import Settings, warn_of_unknown_names
    from bot.db import outages

    settings = Settings.load()
    log.configure(settings.log_level, settings.log_format)
    log.suppress_errors(outages.is_told_once)
    warn_of_unknown_names()
    return settings


def _until_stopped(
    work: Coroutine[object, object, int], new_loop: Callable[[], asyncio.AbstractEventLoop] | None = None
) -> int:
    """Run `work` to its end, or until the process is told to end; then clean up first.

    `new_loop` makes the event loop; by default asyncio's own is used.
    """
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
        with asyncio.Runner(loop_factory=new_loop) as runner:
            return runner.run(stoppable())
    except asyncio.CancelledError:
        return _KILLED + received[0]


def _discord(given: argparse.Namespace) -> int:
    import uvloop

    from bot.adapters.discord import running

    settings = _settings()
    if given.shards is not None:
        settings = settings.model_copy(update={"discord_shards": given.shards})
    return _until_stopped(running.run(settings), uvloop.new_event_loop)


def _write_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8")


async def _chat(given: argparse.Namespace) -> int:
    from bot.adapters.console import app

    _write_utf8()
    return await app.run(_settings(), guild_name=given.guild, at=given.at, as_json=given.json)


async def _backfill(given: argparse.Namespace) -> int:
    from bot.adapters.discord.backfill import past
    from bot.adapters.discord.rest import logged_in
    from bot.app import open_keepsake
    from bot.core.clock import SystemClock

    settings = _settings()
    wanted = past.BackfillRequest(guild_id=given.guild, channel=given.channel, since=given.since)
    async with logged_in(settings) as client, open_keepsake(settings, SystemClock()) as keepsake:
        return await past.run_backfill(client, keepsake, wanted)


def _import(given: argparse.Namespace) -> int:
    from bot.adapters.archive import importing

    return importing.run(_settings(), given.files, given.retention)


async def _episodes(given: argparse.Namespace) -> int:
    from bot.adapters import operator
    from bot.app import open_database
    from bot.memory.members.directory import Directory
    from bot.memory.summaries.episodes import KeptEpisodes

    async with open_database(_settings()) as database:
        kept = KeptEpisodes(database)
        if given.action == "purge":
            return await operator.purge_episodes(kept, given.guild, given.channel, given.episode)
        return await operator.list_episodes(kept, Directory(database), given.guild, given.channel)


async def _stats(given: argparse.Namespace) -> int:
    from bot.adapters import stats
    from bot.app import open_database
    from bot.core.clock import SystemClock
    from bot.memory.members.directory import Directory
    from bot.memory.rights.counting.counting import Counting

    _write_utf8()
    settings = _settings()
    async with open_database(settings) as database:
        return await stats.show_stats(
            Counting(database),
            Directory(database),
            settings,
            guild_id=given.guild,
            days=given.days,
            as_json=given.json,
            now=SystemClock().now(),
        )


async def _erase(given: argparse.Namespace) -> int:
    from bot.adapters import operator
    from bot.app import open_database
    from bot.core.clock import SystemClock
    from bot.memory.rights.erasing.erasing import Erasing

    settings = _settings()
    async with open_database(settings) as database:
        erasing = Erasing(database, SystemClock(), settings)
        return await operator.erase_member(
            erasing, given.user, given.guild, everywhere=given.everywhere, confirmed=given.yes
        )


async def _export(given: argparse.Namespace) -> int:
    from bot.adapters import operator
    from bot.app import open_database
    from bot.core.clock import SystemClock
    from bot.memory.rights.exporting.exporting import Exporting

    async with open_database(_settings()) as database:
        exporting = Exporting(database, SystemClock())
        return await operator.export_member(
            exporting, given.user, given.guild, given.file, everything=given.everything
        )


async def _web(_: argparse.Namespace) -> int:
    from bot.adapters.serving import serving_web
    from bot.app import open_keepsake
    from bot.core.clock import SystemClock

    async with open_keepsake(_settings(), SystemClock()) as keepsake, serving_web(keepsake):
        await asyncio.get_running_loop().create_future()
    return 0


async def _token(given: argparse.Namespace) -> int:
    from bot.adapters import operator
    from bot.app import open_database
    from bot.memory.rights.access.access import OperatorAccess

    async with open_database(_settings()) as database:
        access = OperatorAccess(database)
        match given.action:
            case "create":
                return await operator.create_token(access, given.name, given.scope)
            case "revoke":
                return await operator.revoke_token(access, given.name)
            case _:
                return await operator.list_tokens(access)


async def _work(given: argparse.Namespace) -> int:
    from bot.app import open_database
    from bot.ops import failed_work

    async with open_database(_settings()) as database:
        if given.action == "retry":
            return await failed_work.retry_work(database)
        return await failed_work.list_failed_work(database)


async def _backup(given: argparse.Namespace) -> int:
    from bot.ops import owner

    return await owner.back_up(_settings(), given.file)


async def _restore(given: argparse.Namespace) -> int:
    from bot.ops import owner

    return await owner.restore(
        _settings(),
        given.file,
        decision_path=given.decisions,
        replace=given.replace,
        despite_gaps=given.despite_gaps,
    )


async def _decisions(given: argparse.Namespace) -> int:
    from bot.ops import owner

    return await owner.export_decisions(_settings(), given.file, after=given.after)


async def _status(given: argparse.Namespace) -> int:
    from bot.core import log
    from bot.ops import status

    log.configure("WARNING")
    return await status.run(as_json=given.json)


async def _migrate(_: argparse.Namespace) -> int:
    from bot.app import open_database

    async with open_database(_settings()):
        return 0


async def _doctor(_: argparse.Namespace) -> int:
    from bot import doctor
    from bot.core import log

    # It reads the settings itself: a wrong one is something that it finds.
    log.configure("WARNING")
    return await doctor.run()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="keepsake",
        description="A Discord bot with a memory that can be trusted.",
        epilog="Example: keepsake chat",
    )
    parser.add_argument("--version", action="version", version=f"keepsake {__version__}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    run = _add(
        commands,
        "run",
        _discord,
        "answer on Discord",
        "Connect to Discord and answer there until told to stop. DISCORD_TOKEN must be set.",
    )
    shards = "those of this process and how many there are, as in 0-3/16; without it DISCORD_SHARDS"
    run.add_argument("--shards", metavar="SHARDS", type=shards_of, help=shards)
    chat = _add(
        commands,
        "chat",
        _chat,
        "talk to the bot in the terminal, or feed it a transcript",
        "Talk to the bot in a simulated guild. Standard input that is no terminal is a transcript.",
        example="--json < tests/transcripts/first.txt",
    )
    chat.add_argument("--guild", metavar="NAME", default="Keepsake", help="guild to talk in (%(default)s)")
    chat.add_argument("--at", metavar="TIME", help="set the clock, as in 2026-03-01T09:00")
    chat.add_argument("--json", action="store_true", help="print one JSON object for each message")
    backfill = _add(
        commands,
        "backfill",
        _backfill,
        "read the past of channels on Discord",
        "Read what was said on Discord before the bot came, as far back as messages are kept."
        " Nothing of it is answered. It goes on where it was stopped, and the bot may run meanwhile.",
        example="--channel general --since 2026-01-31",
    )
    backfill.add_argument("--guild", metavar="ID", type=id_of, help="read only this server")
    backfill.add_argument("--channel", metavar="NAME_OR_ID", help="read only this channel, with its threads")
    since = "how far back, as in 2026-01-31, also further than is kept"
    backfill.add_argument("--since", metavar="DATE", type=date_of, help=since)
    imported = _add(
        commands,
        "import",
        _import,
        "take in the JSON files of DiscordChatExporter",
        "Take in the history of channels, one JSON file of DiscordChatExporter for each.",
        example="general.json random.json",
    )
    imported.add_argument("files", metavar="FILE", nargs="+", type=Path, help="an exported channel")
    days = "days a new guild's messages are kept (for ever)"
    imported.add_argument(
        "--retention", metavar="DAYS", type=whole(0, 36_500, "days: 0 (for ever) to 36500"), help=days
    )
    stats = _add(
        commands,
        "stats",
        _stats,
        "show how much is kept of each server, and what models took",
        "Show how much is kept of each server, by kind and day, and what models were asked for it: calls, tokens, and"
        " money as far as MODEL_PRICES says. Closed channels count; no text is shown. The bot may run meanwhile.",
        example="--guild 1200000000000000001 --days 7",
    )
    stats.add_argument("--guild", metavar="ID", type=id_of, help="only this server")
    days = "days told by themselves, 1 to 366 (%(default)s)"
    stats.add_argument("--days", metavar="N", type=whole(1, 366, "days: 1 to 366"), default=30, help=days)
    stats.add_argument("--json", action="store_true", help="print it as JSON")
    _add_episodes(commands)
    erase = _add(
        commands,
        "erase",
        _erase,
        "erase a member: their words, and what is known about them",
        "Erase a member: what they said, wherever it was, and what is known about them from open channels."
        " What others keep about them in closed channels waits for a manager of the server, unless --all is given."
        " The bot may run meanwhile. Nothing brings back what was said until then, no backfill and no import.",
        example="--guild 1200000000000000001 --user 1100000000000000001",
    )
    where = "the server; only with --all it may be left out"
    erase.add_argument("--guild", metavar="ID", type=id_of, help=where)
    erase.add_argument("--user", metavar="ID", type=id_of, required=True, help="whom to erase")
    also = "also what others keep in closed channels; without --guild in all servers and direct messages"
    erase.add_argument("--all", action="store_true", dest="everywhere", help=also)
    erase.add_argument("--yes", action="store_true", help="do not ask whether it is really meant")
    export = _add(
        commands,
        "export",
        _export,
        "write all that is kept about a member into a file",
        "Write what is kept about a member into a new file of JSON, as docs/export.md describes it: what"
        " is open to everyone on the server, with --all what belongs to closed channels as well. The bot may run"
        " meanwhile.",
        example="--guild 1200000000000000001 --user 1100000000000000001 member.json",
    )
    where = "the server; without it all that keep anything of the member"
    export.add_argument("--guild", metavar="ID", type=id_of, help=where)
    export.add_argument("--user", metavar="ID", type=id_of, required=True, help="whose memory")
    also = "also what belongs to closed channels and may not be shown to the member as it is"
    export.add_argument("--all", action="store_true", dest="everything", help=also)
    file = "a new file; one that ends in .zip is packed, a server each"
    export.add_argument("file", metavar="FILE", type=Path, help=file)
    _add_backups(commands)
    _add(
        commands,
        "web",
        _web,
        "serve the admin API, without Discord",
        "Serve the admin API on WEB_HOST and WEB_PORT until told to stop. The bot may run meanwhile; WEB_ENABLED=true"
        " has 'keepsake run' serve it.",
    )
    _add_tokens(commands)
    _add_work(commands)
    _add(
        commands,
        "migrate",
        _migrate,
        "bring the database to the newest form",
        "Bring the database to the newest form. Every start does the same; this does nothing else.",
    )
    status = _add(
        commands,
        "status",
        _status,
        "say in a few lines, or as JSON, whether all is well, for scripts and alerts",
        "Say whether all is well: database, backups, services, work and answers that wait, disk. Nothing is asked of"
        " Discord or of models, and nothing is changed. The exit status is 1 if something must be done.",
        example="--json",
    )
    status.add_argument("--json", action="store_true", help="print one JSON object")
    _add(
        commands,
        "doctor",
        _doctor,
        "check settings, database, Discord, models, clock and disk",
        "Check everything that Keepsake needs: one line each, with what to do. Each model gets one tiny"
        " question. The exit status is 1 if something must be done.",
    )
    return parser


def _add_backups(commands: Commands) -> None:
    backup = _add(
        commands,
        "backup",
        _backup,
        "write all that is kept into a file, while the bot runs",
        "Write all that is kept into a new file, from one moment, while the bot runs. The file holds everything that"
        " members said and keepsake knows of them: keep it as you keep the database.",
        example="/var/backups/keepsake-2026-01-31.backup",
    )
    backup.add_argument("file", metavar="FILE", type=Path, help="a new file")
    restored = _add(
        commands,
        "restore",
        _restore,
        "put a backup in the place of the database, and obey what was decided since",
        "Put a backup into an empty database, of whatever version from Postgres 16 on, while no bot runs. What was"
        " forgotten, erased, opted out of or taken back since the backup was made is so again afterwards, if a file of"
        " decisions is given, or if the database that is replaced knows them.",
        example="keepsake.backup --decisions keepsake.decisions",
    )
    restored.add_argument("file", metavar="FILE", type=Path, help="a file that 'keepsake backup' wrote")
    since = "what 'keepsake decisions export' wrote, the newer the better"
    restored.add_argument("--decisions", metavar="FILE", type=Path, help=since)
    gone = "let all go that the database holds now"
    restored.add_argument("--replace", action="store_true", help=gone)
    lost = "restore a backup that is older than the decisions that are known"
    restored.add_argument("--despite-gaps", action="store_true", help=lost)
    decisions = _add(
        commands,
        "decisions",
        _decisions,
        "copy what members decided into a file that restored backups obey",
        "Copy what was decided about what is kept (forgetting, erasing, opting out and in, privacy, undos) into a file"
        " of ids and keyed hashes, without texts.",
        example="export keepsake.decisions",
    )
    actions = decisions.add_subparsers(dest="action", metavar="ACTION", required=True)
    export = actions.add_parser(
        "export",
        help="append to a file all decisions that it does not have yet",
        epilog="Example: keepsake decisions export keepsake.decisions",
    )
    export.add_argument("file", metavar="FILE", type=Path, help="the file, new or written before")
    export.add_argument(
        "--after",
        metavar="N",
        type=whole(0, 10**18 - 1, "a decision: 0 or more"),
        help="begin a new file behind this number (0)",
    )


def _add_episodes(commands: Commands) -> None:
    about = "List or remove what conversations left behind: one episode, or all of a channel."
    episodes = _add(
        commands,
        "episodes",
        _episodes,
        "list or remove what conversations left behind",
        about,
        example="list",
    )
    actions = episodes.add_subparsers(dest="action", metavar="ACTION", required=True)
    for action, told, example in (
        ("list", "show them by guild and channel, with their ids", "list --channel 1200000000000000001"),
        ("purge", "remove one, or all of a channel, and say how many went", "purge 17"),
    ):
        parser = actions.add_parser(action, help=told, epilog=f"Example: keepsake episodes {example}")
        if action == "purge":
            one = "id of one, as the list shows it"
            parser.add_argument("episode", metavar="EPISODE", nargs="?", type=id_of, help=one)
        parser.add_argument("--guild", metavar="ID", type=id_of, help="only of this guild")
        parser.add_argument("--channel", metavar="ID", type=id_of, help="only of this channel")


def _add_tokens(commands: Commands) -> None:
    about = "Make, list or revoke the tokens that let programs and people into the admin API."
    tokens = _add(
        commands, "token", _token, "make, list or revoke tokens of the admin API", about, example="list"
    )
    actions = tokens.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = actions.add_parser(
        "create",
        help="make one and show it, once",
        epilog="Example: keepsake token create laptop --scope write",
    )
    create.add_argument("name", metavar="NAME", help="what it is called in lists and in the audit")
    scope = "read; or write: also change, delete, and have closed texts shown"
    create.add_argument("--scope", choices=["read", "write"], default="read", help=f"{scope} (%(default)s)")
    actions.add_parser(
        "list", help="show them, with when each was used", epilog="Example: keepsake token list"
    )
    revoke = actions.add_parser(
        "revoke", help="let one in no more", epilog="Example: keepsake token revoke laptop"
    )
    revoke.add_argument("name", metavar="NAME", help="which one")


def _add_work(commands: Commands) -> None:
    about = (
        "List background work that failed, or have what was given up tried anew. The bot may run meanwhile."
    )
    work = _add(commands, "work", _work, "list or retry background work that failed", about, example="list")
    actions = work.add_subparsers(dest="action", metavar="ACTION", required=True)
    for action, told in (
        ("list", "show what failed, with the error and where it came from"),
        ("retry", "try anew what was given up"),
    ):
        actions.add_parser(action, help=told, epilog=f"Example: keepsake work {action}")


def _add(
    commands: Commands, name: str, run: Run, told: str, description: str, *, example: str = ""
) -> argparse.ArgumentParser:
    """Add `keepsake name`, and return its parser, for its options."""
    epilog = f"Example: keepsake {name} {example}".rstrip()
    parser = commands.add_parser(name, help=told, description=description, epilog=epilog)
    parser.set_defaults(run=run)
    return parser
