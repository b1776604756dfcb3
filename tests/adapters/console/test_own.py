"""What a speaker decides at the console about what is kept of them."""

import json
import re
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.adapters.console.session import open_session
from bot.adapters.console.transcript import FormCall, read_memory_command
from bot.core.domain import Guild, Member
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.memory.members.directory import Directory
from tests.adapters.console.sessions import play, play_on


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/memory off", FormCall("off")),
        ("/memory on", FormCall("on")),
        ("/memory private", FormCall("private")),
        ("/memory private off", FormCall("private", {"state": "off"})),
        ("/memory categories", FormCall("categories")),
        ("/memory categories event 30", FormCall("categories", {"category": "event", "days": "30"})),
        ("/memory categories event 1 day", FormCall("categories", {"category": "event", "days": "1"})),
        ("/memory categories feeling off", FormCall("categories", {"category": "feeling", "keep": "off"})),
        ("/memory categories feeling on", FormCall("categories", {"category": "feeling", "keep": "on"})),
        ("/memory export", FormCall("export")),
        ("/memory export my file.json", FormCall("export", {"file": "my file.json"})),
        ("/memory erase", FormCall("erase")),
        ("/memory erase yes", FormCall("erase", {"confirmed": "yes"})),
        ("/memory in 2", FormCall("in", {"place": "2"})),
        ("/memory waiting", FormCall("waiting")),
        ("/memory waiting keep 1", FormCall("waiting", {"act": "keep", "member": "1"})),
    ],
)
def test_a_command_is_read_as_it_is_written(text: str, command: FormCall) -> None:
    assert read_memory_command(text) == command


@pytest.mark.parametrize(
    ("text", "usage"),
    [
        ("/memory off now", "off"),
        ("/memory private maybe", "private [on|off]"),
        ("/memory categories event soon", "categories [KIND on|off|DAYS]"),
        ("/memory erase everything", "erase yes"),
        ("/memory in two", "in N"),
        ("/memory waiting 1", "waiting [erase|keep N]"),
    ],
)
def test_a_command_that_cannot_be_read_says_how_it_is_written(text: str, usage: str) -> None:
    with pytest.raises(InvalidInputError, match=re.escape(usage)):
        read_memory_command(text)


async def test_all_of_them_are_carried_out(address: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    told = await play(address, f"""
        #general alice: Bot, remember that I like pizza
        #general alice: /memory export {file}
        #general alice: /memory categories event 30
        #general alice: /memory categories
        #general alice: /memory private
        #general bob: Bot, what do you know about alice?
        #general alice: /memory erase
        #general alice: /memory erase yes
        #general alice: /memory off
        #general alice: Bot, remember that I like ramen
        #general alice: /memory on
        #general alice: Bot, remember that I like ramen
    """)  # fmt: skip
    replies = [one.reply or "" for one in told]
    assert replies[1].endswith(f"for your eyes alone.\n{file}")
    assert json.loads(file.read_text(encoding="utf-8"))
    assert "pizza" in file.read_text(encoding="utf-8")
    assert replies[2].startswith("Done: events about you are kept on this server for 30 days")
    assert "- events: kept for 30 days" in replies[3]
    assert replies[4].startswith("Done: on this server I tell others nothing about you")
    assert "pizza" not in replies[5]
    assert replies[6].startswith("This erases 1 message of yours, 1 fact about you")
    assert replies[6].endswith("\n/memory erase yes")
    assert replies[7].startswith("Erased on this server: 1 message of yours, 1 fact about you")
    assert replies[8].endswith("\n/memory erase")
    assert replies[9].startswith("I keep nothing about you")
    assert replies[10].startswith("Done: from now on what you say on this server is kept again")
    assert replies[11] == "Remembered: alice likes ramen."


async def test_no_file_is_written_over(address: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text("something else", encoding="utf-8")
    with pytest.raises(InvalidInputError, match="is there already: name a file that is not"):
        await play(address, f"#general alice: /memory export {file}")
    with pytest.raises(InvalidInputError, match="cannot be written"):
        await play(address, f"#general alice: /memory export {tmp_path / 'no' / 'mine.json'}")
    assert file.read_text(encoding="utf-8") == "something else"


async def test_in_a_direct_message_one_of_several_servers_is_chosen(address: str, database: Database) -> None:
    settings = Settings(_env_file=None, database_url=SecretStr(address))
    async with open_session(settings) as session:
        await play_on(session, "#general alice: hello")
        alice = await session.guild.member("alice")
        directory = Directory(database)
        await directory.add_guild(Guild(guild_id=7, name="Elsewhere"))
        await directory.put_members([Member(guild_id=7, user_id=alice.user_id, user_name="alice")])
        told = await play_on(session, """
            @alice: /memory off
            @alice: /memory in 1
        """)  # fmt: skip
        asked, chosen = (one.reply or "" for one in told)
        assert asked.splitlines()[-2:] == ["3. everywhere, here too", "/memory in N"]
        assert chosen.startswith("Done: from now on nothing that you say on Elsewhere")
        with pytest.raises(InvalidInputError, match="there is no server 9: 0 were listed last"):
            await play_on(session, "@alice: /memory in 9")


async def test_what_nobody_lists_is_not_settled(address: str) -> None:
    told = await play(address, """
        /member mona manager
        #general mona: /memory waiting
        #general bob: /memory waiting
    """)  # fmt: skip
    assert told[0].reply == "No notes about erased members are waiting."
    assert (told[1].reply or "").startswith("Only those who may manage this server")
    with pytest.raises(InvalidInputError, match="there is no line 1: 0 were listed last"):
        await play(address, "#general mona: /memory waiting erase 1")
