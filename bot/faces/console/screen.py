"""The terminal: a prompt with history and completion, and replies that are pleasant to read."""

import asyncio
import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot import __version__
from bot.errors import KeepsakeError
from bot.faces.console.memory_commands import SUBCOMMANDS, WORD
from bot.faces.console.output import printable
from bot.faces.console.session import Session, open_session
from bot.faces.console.told import Told
from bot.faces.console.transcript import Step
from bot.faces.console.typed import COMMANDS, Help, Quit, SpeakAs, SpeakIn, read_typed
from bot.settings import Settings

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
    """One terminal, with whoever speaks at it and where."""

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
                case Quit():
                    return False
                case Help():
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
            with self._console.status(Text("thinking ...")):
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

    def _show(self, told: Told) -> None:
        number = Text("" if told.number is None else f"({told.number})", style="dim")
        if told.reply is None:
            self._console.print(Text.assemble("  ", ("heard", "dim"), " ", number))
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
        elif before.startswith(f"{WORD} ") and before.count(" ") == 1:
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
