"""The profile at the console: shown with numbers, a sentence removed by its number, learning switched."""

import re

import pytest
from pydantic import SecretStr

from bot.adapters.console.session import open_session
from bot.adapters.console.transcript import FormCall, read_memory_command
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from bot.db.pool import Database
from tests.adapters.console.sessions import play_on


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/memory profile", FormCall("profile")),
        ("/memory profile remove 2", FormCall("profile", {"remove": "2"})),
        ("/memory profile learning off", FormCall("profile", {"learning": "off"})),
        ("/memory profile learning on", FormCall("profile", {"learning": "on"})),
    ],
)
def test_a_command_is_read_as_it_is_written(text: str, command: FormCall) -> None:
    assert read_memory_command(text) == command


@pytest.mark.parametrize("argument", ["remove", "remove tea", "learning", "learning maybe", "off"])
def test_a_command_that_cannot_be_read_says_how_it_is_written(argument: str) -> None:
    with pytest.raises(InvalidInputError, match=re.escape("profile [remove N] [learning on|off]")):
        read_memory_command(f"/memory profile {argument}")


async def test_a_speaker_reads_their_profile_and_takes_sentences_out_of_it(
    address: str, database: Database
) -> None:
    settings = Settings(_env_file=None, database_url=SecretStr(address))
    async with open_session(settings) as session:
        await play_on(session, "#general alice: hello")
        await database.write(
            lambda connection: connection.execute(
                """
                INSERT INTO profiles (guild_id, user_id, version, content, covers_up_to, learned_at)
                SELECT guild_id, user_id, 1, 'Alice builds boats. She prefers green tea.', 1, now()
                FROM members WHERE user_name = 'alice'
                """
            )
        )
        told = await play_on(session, """
            #general alice: /memory profile
            #general alice: /memory profile remove 2
            #general alice: /memory profile learning off
            #general alice: /memory profile
            #general bob: /memory profile
            #general alice: /memory show me
        """)  # fmt: skip
        replies = [one.reply or "" for one in told]
        assert replies[0].splitlines()[1:3] == ["1. Alice builds boats.", "2. She prefers green tea."]
        assert replies[1].startswith("Removed")
        assert replies[2].startswith("From now on I learn nothing")
        first, told_on, *last = replies[3].splitlines()[1:]
        assert told_on.startswith("Last told anew on this server on 20")
        assert [first, *last] == [
            "1. Alice builds boats.",
            "I learn nothing from our talks, as you wished. You can switch it on again.",
        ]
        assert replies[4].startswith("I have learned nothing about you")
        assert "Alice builds boats." in replies[5]
        with pytest.raises(InvalidInputError, match="there is no sentence 3: 1 were shown last"):
            await play_on(session, "#general alice: /memory profile remove 3")
