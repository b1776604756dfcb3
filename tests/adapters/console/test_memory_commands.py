"""The commands of the memory at the console: read strictly, carried out as on Discord, and no messages."""

import re
import subprocess
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.adapters.console.app import read_typed
from bot.adapters.console.session import open_session
from bot.adapters.console.transcript import FillIn, FormCall, PostMessage, read_memory_command, read_steps
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from tests.adapters.console.sessions import COMMAND, TRANSCRIPTS, chat, environment, play, play_on

DOCUMENT = Path(__file__).parents[3] / "docs/transcripts.md"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/memory", FormCall("help")),
        ("/memory help", FormCall("help")),
        ("/memory show", FormCall("show")),
        ("/memory show @Anna Smith", FormCall("show", {"member": "@Anna Smith"})),
        ("/memory remember @bob likes  tea", FormCall("remember", {"text": "@bob likes  tea"})),
        ("/memory remember", FormCall("remember")),
        ("/memory forget 12", FormCall("forget", {"fact": "12"})),
        ("/memory settings", FormCall("settings")),
        ("/memory set persona a grumpy cook", FormCall("set", {"name": "persona", "value": "a grumpy cook"})),
        ("/memory set persona", FormCall("set", {"name": "persona"})),
        ("/memory channel", FormCall("channel")),
        ("/memory channel hearing off", FormCall("channel", {"hearing": "off"})),
        ("/memory channel answers never", FormCall("channel", {"answers": "never"})),
        (
            "/memory channel hearing on answers always",
            FormCall("channel", {"hearing": "on", "answers": "always"}),
        ),
        ("/memory quiet 1 hour", FormCall("quiet", {"duration": "1 hour"})),
        ("/memoryful words", None),
        ("hello /memory show", None),
    ],
)
def test_a_command_is_read_as_it_is_written(text: str, command: FormCall | None) -> None:
    assert read_memory_command(text) == command
    typed = read_typed(text, speaker="alice", channel="general") if command else ()
    said = PostMessage(channel="general", author="alice", text=text)
    assert typed == ((FillIn(said, command),) if command else ())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("/memory wipe", "use /memory with one of show, stats, remember, forget"),
        ("/memory forget", "write '/memory forget N'"),
        ("/memory forget pizza", "write '/memory forget N'"),
        ("/memory settings all", "write '/memory settings'"),
        ("/memory set", "write '/memory set NAME VALUE'"),
        ("/memory channel off", "write '/memory channel [hearing on|off]"),
        ("/memory channel hearing onanswers never", "write '/memory channel [hearing on|off]"),
        ("/memory quiet", "write '/memory quiet 1h'"),
    ],
)
def test_a_command_that_cannot_be_read_says_how_it_is_written(text: str, reason: str) -> None:
    with pytest.raises(InvalidInputError, match=re.escape(reason)):
        read_memory_command(text)
    with pytest.raises(InvalidInputError, match=re.escape(reason)):
        read_typed(text, speaker="alice", channel=None)


@pytest.mark.parametrize("line", ["/memory show", "#general alice > 1: /memory show"])
def test_a_command_needs_somebody_who_gives_it_and_replies_to_nothing(line: str) -> None:
    with pytest.raises(InvalidInputError, match="/memory"):
        read_steps(line)


@pytest.mark.processes
def test_the_page_on_transcripts_shows_what_its_transcript_prints(address: str) -> None:
    with (TRANSCRIPTS / "forms.txt").open("rb") as transcript:
        ended = subprocess.run(
            [*COMMAND, "chat"],
            stdin=transcript,
            capture_output=True,
            env=environment(DATABASE_URL=address),
            timeout=120,
        )
    assert ended.returncode == 0, ended.stderr.decode()
    shown = re.findall(r"^```console\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    assert [ended.stdout.decode()] == shown


async def test_commands_are_no_messages_and_leave_the_numbers_alone(address: str) -> None:
    told = await play(address, """
        #general alice: hello
        #general alice: /memory remember I like pizza
        #general alice: Bot, what do you know about me?
        #general bob > 2!: Bot, what do you know about @alice
        #general bob: good evening
        #general bob: /memory show me
        #general alice: /memory show @bob
    """)  # fmt: skip
    assert [one.number for one in told] == [1, None, 2, 3, 4, None, None]
    assert [one.route for one in told[:4]] == ["none", "memory", "ask_memory", "ask_memory"]
    assert "alice likes pizza" in (told[2].reply or "")
    assert "bob has written 1 message here" in (told[6].reply or ""), "commands are none"


async def test_two_commands_at_one_moment_are_two_and_a_restart_forgets_only_what_was_shown(
    address: str,
) -> None:
    settings = Settings(_env_file=None, database_url=SecretStr(address))
    async with open_session(settings) as session:
        moment = "[2026-03-02T18:00]"
        told = await play_on(session, f"""
            {moment} #general alice: /memory remember I like pizza
            {moment} #general alice: /memory remember I like tea
            {moment} #general alice: /memory show me
            {moment} #general alice: /memory forget 1
            {moment} #general alice: /memory remember I like tea
            /restart
            {moment} #general bob: /memory show alice
        """)  # fmt: skip
        assert told[2].reply == (
            "What I know about alice:\n1. [2026-03-02] alice likes tea\n2. [2026-03-02] alice likes pizza"
        )
        assert told[5].reply == told[2].reply
        with pytest.raises(InvalidInputError, match="there is no line 3: 2 were shown last"):
            await play_on(session, "#general bob: /memory forget 3")
        with pytest.raises(InvalidInputError, match="nobody is called 'zoltan' here"):
            await play_on(session, "#general bob: /memory show @zoltan")


async def test_closed_channels_and_direct_messages_keep_to_themselves(address: str) -> None:
    told = await play(address, """
        /channel mods closed
        #mods alice: /memory remember I want to quit
        #general bob: /memory show @alice
        #mods bob: /memory show @alice
        @alice: /memory remember I like tea
        @alice: /memory show me
        #general bob: /memory show @alice
        @alice: /memory channel hearing off
    """)  # fmt: skip
    replies = [one.reply or "" for one in told]
    assert replies[1] == "I have nothing noted about alice yet."
    assert "alice wants to quit" in replies[2]
    assert "alice likes tea" in replies[4]
    assert "quit" not in replies[4]
    assert replies[5] == replies[1]
    assert replies[6].startswith(("Only those who may manage", "A direct message"))


async def test_who_may_do_what_is_declared(address: str) -> None:
    told = await play(address, """
        #general alice: /memory quiet 1h
        /member alice moderator
        #general alice: /memory quiet 1h
        #general alice: /memory set pings on
        /member alice manager
        #general alice: /memory set pings on
        #general alice: /memory channel answers always
        /member alice
        #general alice: /memory set pings off
        #general alice: /memory show alice
        #general bob: /memory quiet два часа
    """)  # fmt: skip
    replies = [one.reply or "" for one in told]
    assert replies[0].startswith("Only moderators")
    assert replies[1].startswith("I am quiet here until")
    assert replies[2].startswith("Only those who may manage")
    assert replies[3] == "Ping on reply: on from now on."
    assert replies[4].startswith("What is said in this channel is kept. I answer every message here.")
    assert replies[5].startswith("Only those who may manage")
    assert replies[7].startswith("Просить меня помолчать могут только модераторы")


@pytest.mark.processes
def test_in_json_a_command_has_no_number(address: str) -> None:
    ended = chat(address, "#general alice: /memory remember I like pizza\n")
    assert (ended.status, ended.errors) == (0, "")
    assert [line | {"seconds": 0} for line in ended.lines] == [
        {
            "n": None,
            "channel": "#general",
            "author": "alice",
            "text": "/memory remember I like pizza",
            "reply": "Remembered: alice likes pizza.",
            "degraded": False,
            "route": "memory",
            "seconds": 0,
        }
    ]
