"""`keepsake chat`: a terminal gets a prompt with history and completion, anything else on standard input
is read as a transcript.
"""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot import __version__
from bot.adapters.console.guild import DEFAULT_NAME
from bot.adapters.console.messages import NOTICED, JsonPrinter, LineOutcome, PlainPrinter, Printer, printable
from bot.adapters.console.session import Session, open_session
from bot.adapters.console.transcript import (
    DIRECTIVES,
    PRIVACY,
    SUBCOMMANDS,
    WORDS,
    PostMessage,
    SetTime,
    Step,
    form_or_message,
    read_line,
    read_moment,
    read_steps,
)
from bot.core.errors import InvalidInputError, KeepsakeError, TranscriptError
from bot.core.settings import Settings


@dataclass(frozen=True, slots=True)
class SpeakAs:
    """`/as NAME`."""

    name: str


@dataclass(frozen=True, slots=True)
class SpeakIn:
    """`/in #channel`; `None` is the speaker's direct messages, `/in @`."""

    channel: str | None


@dataclass(frozen=True, slots=True)
class PromptHelp:
    """`/help`."""


@dataclass(frozen=True, slots=True)
class PromptQuit:
    """`/quit`."""


PromptCommand: TypeAlias = SpeakAs | SpeakIn | PromptHelp | PromptQuit

COMMANDS: Final = ("/as", "/in", "/help", "/quit", *WORDS, PRIVACY, *DIRECTIVES)
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
    said = PostMessage(channel=channel, author=speaker, text=text)
    if text.split(maxsplit=1)[0] in (*WORDS, PRIVACY):
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
            return PromptHelp()
        case "/quit" | "/exit":
            return PromptQuit()
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


_SPEAKER: Final = "alice"
_CHANNEL: Final = "general"
_HISTORY_FILE: Final = "console_history"

_HELP: Final = (
    ("Bot, remember that Anna is allergic to nuts", "the bot keeps it; “Бот, запомни, что …” works too"),
    ("Bot, what do you know about Anna?", "what it knows, who told it and when"),
    ("Bot, no, I said Tuesday", "within 10 minutes: corrects what it has just stored"),
    ("Bot, forget that Anna is allergic to nuts", "gone, for good"),
    ("Bot, when did we talk about ramen?", "looks through all messages"),
    ("/memory show @bob", "what it knows about bob, numbered; without a name about the server"),
    ("/memory stats   /memory stats server", "how much is kept of you; of the server, for its managers"),
    ("/memory remember @bob likes tea", "as the words do, without calling it"),
    ("/memory forget 2", "forgets line 2 of what was shown last"),
    (
        "/memory forgotten   /memory forgotten delete",
        "what your last forgetting took; ends what I said of it",
    ),
    ("/memory search ramen last week", "what was said, is known or was left behind about it, the best first"),
    ("/memory why 3   /memory not-me 1", "what the answer to message 3 rests on; line 1 was not you"),
    ("/memory catchup #general 2 hours", "what was said there; without anything since your last message"),
    (
        "/memory off   /memory on   /memory private",
        "nothing of you is kept; it is again; others are told nothing",
    ),
    (
        "/memory categories event 30   /memory erase",
        "how long one kind is kept; the end of all that is yours",
    ),
    ("/memory export mine.json", "a file of all that is kept about you"),
    ("/memory settings   /memory set persona a grumpy cook", "the settings, and how to change one"),
    ("/memory persona cat", "hear a persona; without a name, all that there are"),
    ("/memory channel answers never", "or always, addressed; hearing off: nothing said here is kept"),
    ("/memory quiet 1h   /memory help", "no answers here for a while; what there is"),
    ("/as NAME", "speak as somebody else"),
    ("/in #channel", "speak there; /in @ is a direct message to the bot"),
    ("#general bob: text", "one message by somebody else; @bob: text is bob's direct message"),
    ("#general bob > 3: text", "as a reply to message 3; > 3! to the bot's answer to it"),
    ("/edit 3 text   /delete 3", "change or delete message 3"),
    ("/channel mods closed", "a channel that only its members can read; or open"),
    ("/member bob moderator", "bob may do what moderators may, or managers; /member bob ends it"),
    ("/bot NAME", "another bot, which is heard and never answered"),
    ("/attach FILE", "goes with your next message"),
    ("/at 2026-03-02T10:00", "sets the clock; from then on each message takes a second"),
    ("/restart", "restarts the bot: what it still knows, it has stored"),
    ("/quit", "leaves, as Ctrl-D does; Ctrl-C gives up an answer or a line"),
)


async def run_terminal(settings: Settings, *, guild_name: str, at: datetime | None) -> None:
    """Talk at the prompt until the user leaves; raises as `open_session` does."""
    console = Console(highlight=False, markup=False, emoji=False)
    starting = console.status(Text("starting the database ..."))
    starting.start()
    try:
        async with open_session(settings, guild_name=guild_name, at=at, live=True) as session:
            starting.stop()
            await _Screen(session, console, _history(settings.keepsake_home)).run()
    finally:
        starting.stop()


class _Screen:
    """One terminal, with the current speaker and channel."""

    def __init__(self, session: Session, console: Console, history: History) -> None:
        self._session = session
        self._console = console
        self._names = _NameCompleter()
        self._prompt: PromptSession[str] = PromptSession(
            history=history, completer=self._names, complete_while_typing=True, reserve_space_for_menu=4
        )
        self._speaker = _SPEAKER
        self._channel: str | None = _CHANNEL

    async def run(self) -> None:
        """Greet, then answer line after line until the user leaves."""
        await self._session.guild.member(self._speaker)
        await self._session.guild.channel(_CHANNEL)
        self._greet()
        while True:
            await self._names.renew(self._session)
            try:
                # What is logged meanwhile is written above the prompt, which is drawn anew below it.
                with patch_stdout(raw=True):
                    text = await self._prompt.prompt_async(f"{self._speaker} {self._place}> ")
                if not await self._handle(text):
                    return
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
            except KeepsakeError as error:
                self._console.print(Text(printable(str(error)), style="red"))

    @property
    def _place(self) -> str:
        return "@" if self._channel is None else f"#{self._channel}"

    async def _handle(self, text: str) -> bool:
        """Do what was typed; `False` ends the session."""
        for typed in read_typed(text, speaker=self._speaker, channel=self._channel):
            match typed:
                case PromptQuit():
                    return False
                case PromptHelp():
                    self._help()
                case SpeakAs():
                    await self._session.guild.member(typed.name)
                    self._speaker = typed.name
                case SpeakIn():
                    self._channel = typed.channel
                case _:
                    await self._carry_out(typed)
        return True

    async def _carry_out(self, step: Step) -> None:
        """Do `step` and show what became of it; Ctrl-C gives it up."""
        given_up = False
        doing = asyncio.create_task(self._session.carry_out(step))

        def give_up() -> None:
            nonlocal given_up
            given_up = True
            doing.cancel()

        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, give_up)
        try:
            with self._console.status(Text("thinking ...")) as status:
                self._session.show = lambda beginning: status.update(Text(printable(beginning)))
                told = await doing
        except asyncio.CancelledError:
            if not given_up:
                raise
            self._console.print(Text("given up", style="dim"))
        else:
            if told is not None:
                self._show(told)
            for line in self._session.log.taken():
                self._console.print(Text(printable(line), style="dim"))
        finally:
            loop.remove_signal_handler(signal.SIGINT)

    def _show(self, told: LineOutcome) -> None:
        number = Text("" if told.number is None else f"({told.number})", style="dim")
        if told.reply is None:
            self._console.print(
                Text.assemble("  ", (NOTICED if told.is_noticed else "heard", "dim"), " ", number)
            )
            return
        # Two columns, so that a long reply stays beside the name and does not run below it.
        reply = Table.grid(padding=(0, 1, 0, 0))
        reply.add_row(
            Text(f"  {self._session.guild.bot_name}:", style="bold cyan"), printable(told.reply), number
        )
        self._console.print(reply)

    def _greet(self) -> None:
        guild = self._session.guild
        name = guild.bot_name
        self._console.print(
            Text.assemble(
                ("Keepsake ", "bold"), __version__, f" in the guild “{printable(guild.guild.name)}”"
            )
        )
        self._console.print(
            f"Talk as in any chat: it hears everything, and answers what begins with “{name}”. Try:"
        )
        for example in (
            "remember that I like pizza",
            "what do you know about me?",
            "forget that I like pizza",
        ):
            self._console.print(Text(f"  {name}, {example}", style="cyan"))
        self._console.print(Text("/help lists everything, Ctrl-D leaves.", style="dim"))

    def _help(self) -> None:
        table = Table.grid(padding=(0, 2, 0, 0))
        for usage, meaning in _HELP:
            table.add_row(Text(f"  {usage}", style="cyan"), meaning)
        self._console.print(table)
        self._console.print(
            Text("The number behind a message or a reply is the one to name it by.", style="dim")
        )


class _NameCompleter(Completer):
    """Completes @members, #channels and /commands."""

    def __init__(self) -> None:
        self._members: tuple[str, ...] = ()
        self._channels: tuple[str, ...] = ()

    async def renew(self, session: Session) -> None:
        """Learn the names that there are by now."""
        self._members = tuple(sorted(member.name for member in await session.guild.members()))
        self._channels = tuple(channel.name for channel in await session.guild.channels())

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield what may stand where the cursor is."""
        before = document.text_before_cursor
        word = document.get_word_before_cursor(WORD=True)
        if before.startswith("/") and " " not in before:
            yield from _beginning(before, COMMANDS)
        elif before.startswith(("/as ", "/member ", "/bot ")):
            yield from _beginning(before.split(" ", 1)[1], self._members)
        elif word.startswith("@"):
            yield from _beginning(word, (f"@{name}" for name in self._members))
        elif word.startswith("#") or before.startswith("/in "):
            yield from _beginning(word, (f"#{name}" for name in self._channels))
        elif before.startswith(tuple(f"{word} " for word in WORDS)) and before.count(" ") == 1:
            yield from _beginning(before.split(" ", 1)[1], SUBCOMMANDS)
        elif before.startswith("/channel "):
            yield from _beginning(word, self._channels)


def _beginning(typed: str, choices: Iterable[str]) -> Iterator[Completion]:
    for choice in choices:
        if choice.casefold().startswith(typed.casefold()):
            yield Completion(choice, start_position=-len(typed))


def _history(home: Path) -> History:
    """Return the history of earlier sessions, readable by its owner alone; a new one where it cannot be kept."""
    file = home.expanduser() / _HISTORY_FILE
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_CREAT | os.O_RDWR, 0o600)
        os.fchmod(descriptor, 0o600)
        os.close(descriptor)
        return FileHistory(str(file))
    return InMemoryHistory()


_CHUNK_BYTES: Final = 65_536


async def run(
    settings: Settings, *, guild_name: str = DEFAULT_NAME, at: str | None = None, as_json: bool = False
) -> int:
    """Talk until the input ends, and return the exit status 0.

    `at` is an ISO time that the clock is set to. Raises `TranscriptError` for a line that cannot be read or
    carried out, after all lines before it, and other `KeepsakeError` if the bot cannot start.
    """
    moment = None if at is None else read_moment(at)
    if sys.stdin is None:
        raise InvalidInputError("standard input is closed: chat needs a terminal or a transcript")
    if sys.stdin.isatty() and sys.stdout.isatty() and not as_json:
        await run_terminal(settings, guild_name=guild_name, at=moment)
    else:
        await _run_transcript(settings, guild_name=guild_name, at=moment, as_json=as_json)
    return 0


async def _run_transcript(settings: Settings, *, guild_name: str, at: datetime | None, as_json: bool) -> None:
    lines = _lines_of(sys.stdin.fileno())
    opening, begins = await _opening(lines)
    async with open_session(settings, guild_name=guild_name, at=at, begins=begins) as session:
        printer: Printer = JsonPrinter() if as_json else PlainPrinter(session.guild.bot_name)
        numbers = count(1)
        for text in opening:
            await _carry_out(session, printer, next(numbers), text)
        async for text in lines:
            await _carry_out(session, printer, next(numbers), text)


async def _carry_out(session: Session, printer: Printer, line_number: int, text: str) -> None:
    for step in read_line(line_number, text):
        try:
            told = await session.carry_out(step)
        except InvalidInputError as error:
            raise TranscriptError(line_number, str(error)) from error
        if told is not None:
            printer.show(told)
        for line in session.log.taken():
            printer.note(line)


async def _opening(lines: AsyncIterator[str]) -> tuple[list[str], datetime | None]:
    """Return the lines up to the first that happens at some time, and the time that it names, if it does."""
    opening: list[str] = []
    async for text in lines:
        opening.append(text)
        try:
            steps = read_line(len(opening), text)
        except TranscriptError:
            break
        timed = [step.moment for step in steps if isinstance(step, PostMessage | SetTime)]
        if timed:
            return opening, timed[0]
    return opening, None


async def _lines_of(descriptor: int) -> AsyncIterator[str]:
    """Yield the lines of a file as they come; bytes that are no UTF-8 become lone surrogates."""
    rest = b""
    while chunk := await _read(descriptor):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.decode(errors="surrogateescape")
    if rest:
        yield rest.decode(errors="surrogateescape")


async def _read(descriptor: int) -> bytes:
    """Return what a file has next, nothing at its end, and wait for it without keeping others waiting."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    try:
        loop.add_reader(descriptor, ready.set)
    except PermissionError:
        # The kernel has no waiting for files on a disk: they are always ready.
        return os.read(descriptor, _CHUNK_BYTES)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, _CHUNK_BYTES)
