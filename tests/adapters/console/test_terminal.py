"""The terminal: what is typed at the prompt, and the process itself behind a pseudo-terminal."""

import asyncio
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pexpect
import pytest

from bot.adapters.console.app import PromptCommand, PromptHelp, PromptQuit, SpeakAs, SpeakIn, read_typed
from bot.adapters.console.transcript import Delete, Edit, PostMessage, Step
from bot.core.errors import InvalidInputError
from tests.adapters.console.sessions import COMMAND, environment
from tests.adapters.discord.slow_model import FIRST, SECOND, WHOLE, SlowModel
from tests.databases import until_awaited
from tests.servers.gemini import GeminiServer

_DEADLINE_SECONDS = 60


def _plain(text: str) -> PostMessage:
    return PostMessage(channel="general", author="you", text=text)


@pytest.mark.parametrize(
    ("typed", "steps"),
    [
        ("Bot, remember that I like pizza", [_plain("Bot, remember that I like pizza")]),
        ("#general bob: hello", [PostMessage(channel="general", author="bob", text="hello")]),
        ("#general is a nice channel", [_plain("#general is a nice channel")]),
        ("@bob how are you", [_plain("@bob how are you")]),
        ("@bob: hello", [PostMessage(channel=None, author="bob", text="hello")]),
        ("[sic] is Latin: thus", [_plain("[sic] is Latin: thus")]),
        ("two  # signs", [_plain("two  # signs")]),
        ("first\nsecond", [_plain("first\nsecond")]),
        ("/edit 1 text   /delete 2", [Edit(1, "text"), Delete(2)]),
        ("#a bob: pasted\n\nplain\n/delete 1", [
            PostMessage(channel="a", author="bob", text="pasted"), _plain("plain"), Delete(1)]),
        ("/as Маша Иванова", [SpeakAs("Маша Иванова")]),
        ("/in #mods", [SpeakIn("mods")]),
        ("/in mods", [SpeakIn("mods")]),
        ("/in @", [SpeakIn(None)]),
        ("/help", [PromptHelp()]),
        ("/quit", [PromptQuit()]),
        ("   ", []),
    ],
)  # fmt: skip
def test_what_is_typed_is_understood(typed: str, steps: list[Step | PromptCommand]) -> None:
    assert list(read_typed(typed, speaker="you", channel="general")) == steps


@pytest.mark.parametrize("typed", ["/dance", "/as", "/in two words", "[2026-13-01] #general bob: hello"])
def test_a_wrong_command_is_refused(typed: str) -> None:
    with pytest.raises(InvalidInputError):
        read_typed(typed, speaker="you", channel="general")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def terminal(address: str, home: Path) -> Iterator["pexpect.spawn[str]"]:
    """`keepsake chat` behind a pseudo-terminal of 100 columns."""
    with opened_terminal(DATABASE_URL=address, KEEPSAKE_HOME=str(home)) as child:
        yield child


@contextmanager
def opened_terminal(**settings: str) -> Iterator["pexpect.spawn[str]"]:
    child: pexpect.spawn[str] = pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], "chat"],
        env={
            **environment(**settings),
            "TERM": "xterm",
            # Nobody here answers when the terminal is asked where its cursor is.
            "PROMPT_TOOLKIT_NO_CPR": "1",
        },
        encoding="utf-8",
        timeout=_DEADLINE_SECONDS,
        dimensions=(40, 100),
    )
    yield child
    child.close(force=True)


@pytest.mark.processes
def test_a_whole_visit_in_a_terminal(terminal: "pexpect.spawn[str]", home: Path) -> None:
    terminal.expect_exact("starting the database")
    terminal.expect_exact("/help lists everything")
    terminal.expect_exact("alice #general>")
    terminal.send("Bot, remember that I like pizza\r")
    terminal.expect_exact("Remembered: ")
    terminal.expect_exact("(1)")

    terminal.expect_exact("alice #general>")
    terminal.send("/dance\r")
    terminal.expect_exact("'/dance' is no directive")

    terminal.expect_exact("alice #general>")
    terminal.send("half a line\x03")
    terminal.expect_exact("alice #general>")
    terminal.send("/as bob\r")
    terminal.expect_exact("bob #general>")
    terminal.send("/in @\r")
    terminal.expect_exact("bob @>")
    terminal.send("/in #gen")
    terminal.expect_exact("#general")
    terminal.send("\t\r")
    terminal.expect_exact("bob #general>")
    terminal.send("nice weather today\r")
    terminal.expect_exact("heard")
    terminal.expect_exact("(2)")

    terminal.expect_exact("bob #general>")
    terminal.send("/restart\r")
    terminal.expect_exact("bob #general>")
    terminal.send("Bot, what do you know about @alice?\r")
    terminal.expect_exact("What I know about alice")
    terminal.expect_exact("pizza")

    terminal.expect_exact("bob #general>")
    terminal.send("/help\r")
    terminal.expect_exact("/channel mods closed")
    terminal.expect_exact("bob #general>")
    terminal.sendeof()
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0

    history = home / "console_history"
    assert "nice weather today" in history.read_text()
    assert stat.S_IMODE(history.stat().st_mode) == 0o600


@pytest.mark.processes
async def test_a_reply_that_takes_long_appears_while_it_is_written(address: str, home: Path) -> None:
    async with GeminiServer() as gemini:
        gemini.answer("route", {"kind": "chat", "confident": True})
        gemini.answer("reply", WHOLE)
        go_on = SlowModel(gemini).stop_after(FIRST)
        keys = {"GEMINI_API_KEY": "key", "GEMINI_BASE_URL": gemini.url}
        with opened_terminal(DATABASE_URL=address, KEEPSAKE_HOME=str(home), **keys) as terminal:
            await asyncio.to_thread(terminal.expect_exact, "alice #general>")
            terminal.send("Bot, what are narwhals?\r")
            await asyncio.to_thread(terminal.expect_exact, FIRST)
            assert "(1)" not in str(terminal.before)
            go_on.set()
            await asyncio.to_thread(terminal.expect_exact, f"{FIRST} {SECOND}")
            await asyncio.to_thread(terminal.expect_exact, "(1)")


@pytest.mark.processes
async def test_ctrl_c_gives_up_an_answer_and_leaves_the_terminal_in_order(
    terminal: "pexpect.spawn[str]", dsn: str
) -> None:
    terminal.expect_exact("alice #general>")
    holder = await asyncpg.connect(dsn)
    async with holder.transaction():
        await holder.execute("LOCK TABLE answers IN ACCESS EXCLUSIVE MODE")
        terminal.send("Bot, remember that I like pizza\r")
        terminal.expect_exact("thinking")
        await until_awaited(holder)
        terminal.send("\x03")
        terminal.expect_exact("given up")
    await holder.close()
    terminal.expect_exact("alice #general>")
    terminal.send("Bot, remember that I like tea\r")
    terminal.expect_exact("tea.")
    terminal.expect_exact("(2)")
    terminal.expect_exact("alice #general>")
    terminal.send("/quit\r")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


@pytest.mark.processes
async def test_what_is_told_of_an_outage_does_not_break_into_what_is_typed(
    terminal: "pexpect.spawn[str]", dsn: str
) -> None:
    terminal.expect_exact("alice #general>")
    admin = await asyncpg.connect(dsn)
    name = await admin.fetchval("SELECT current_database()")
    terminal.send("Bot, remember that I li")
    terminal.expect_exact("that I li")
    await admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    await admin.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()",
        name,
    )
    await asyncio.to_thread(terminal.expect_exact, "the database: it takes no writes")
    # The prompt stands below the line again, with what was typed before it.
    await asyncio.to_thread(terminal.expect_exact, "alice #general>")
    await asyncio.to_thread(terminal.expect_exact, "Bot, remember that I li")
    terminal.send("ke pizza\r")
    await asyncio.to_thread(terminal.expect_exact, "thinking")
    await admin.execute("SET default_transaction_read_only = off")
    await admin.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    await admin.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()",
        name,
    )
    await admin.close()
    await asyncio.to_thread(terminal.expect_exact, "Remembered: alice likes pizza.")
    await asyncio.to_thread(terminal.expect_exact, "alice #general>")
    terminal.send("/quit\r")
    await asyncio.to_thread(terminal.expect, pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0
