"""What is printed at the start says who answers, how to invite the bot, and what it cannot do."""

import logging

import discord
import pytest
from pydantic import SecretStr

from bot.adapters.discord.client import GuildReport, guild_lines, invite_link, opening_lines
from bot.adapters.discord.library import LibraryLines
from bot.core.settings import Settings
from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.servers.discord.permissions import Permission
from tests.servers.discord.server import DiscordServer


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, "model: none is configured, which is no fault"),
        (
            {"gemini_api_key": SecretStr("k")},
            "model: google:gemini-flash-latest (then google:gemma-4-31b-it)",
        ),
        (
            {"openai_api_key": SecretStr("k"), "model_chat": "gemini-flash-latest,openai:one"},
            "model: openai:one",
        ),
    ],
)
def test_the_start_says_which_model_answers_or_why_none(settings: dict[str, object], told: str) -> None:
    configured = Settings(_env_file=None, **settings)  # type: ignore[arg-type]
    first, invite, model = opening_lines(version="1.2.3", application_id=77, settings=configured)
    assert first == "Keepsake 1.2.3"
    assert invite.startswith("invite: https://discord.com/")
    assert model.startswith(told)


def test_the_invite_asks_for_the_least_that_is_needed() -> None:
    link = invite_link(77)
    assert "client_id=77" in link
    assert "scope=bot+applications.commands" in link
    granted = discord.Permissions(int(link.partition("permissions=")[2].partition("&")[0]))
    assert {name for name, is_granted in granted if is_granted} == {
        "view_channel",
        "read_messages",
        "read_message_history",
        "send_messages",
        "send_messages_in_threads",
        "attach_files",
        "add_reactions",
    } & {name for name, _ in granted}


def test_guilds_where_something_is_wrong_come_first_and_lists_are_bounded() -> None:
    fine = [GuildReport(name=f"Fine {number}", guild_id=number) for number in range(60)]
    wrong = GuildReport(
        name="Wrong",
        guild_id=99,
        unreadable=[f"#room-{number}" for number in range(12)],
        unwritable=["#rules"],
    )
    lines = guild_lines([*fine, wrong])
    assert lines[0] == (
        "server Wrong (99): cannot read #room-0, #room-1, #room-2, #room-3, #room-4, #room-5, #room-6, #room-7,"
        " #room-8, #room-9 (+2); cannot write in #rules"
    )
    assert lines[1] == "server Fine 0 (0): reads and writes in every channel"
    assert lines[-1] == "and 11 more servers, where all is well"
    assert len(lines) == 51
    assert guild_lines([]) == ["servers: none yet; open the invite link to add the bot to one"]


async def test_each_guild_is_told_with_what_the_bot_cannot_do_there(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "rules"))
    guild.forbid("rules", guild.bot_role.name, Permission.SEND_MESSAGES)
    guild.add_channel("staff", visible_to=(), bot_sees=False)
    guild.add_channel("help", kind="forum")
    discord_server.add_guild("Garden")
    async with running_bot(discord_server, database) as bot:
        told = [line for line in bot.lines if line.startswith("server ")]
    assert len(told) == 2
    assert told[0].startswith("server Home")
    assert "cannot write in #rules" in told[0]
    assert "cannot read" in told[0]
    assert "help" not in told[0]
    assert "every channel" in told[1]


def test_what_the_library_logs_is_one_line_without_text_and_tokens(
    caplog: pytest.LogCaptureFixture,
) -> None:
    handler = LibraryLines()
    with caplog.at_level(logging.WARNING):
        try:
            raise ValueError("what somebody said")
        except ValueError as error:
            trouble = (ValueError, error, error.__traceback__)
        url = "https://discord.com/api/v10/webhooks/77/aVeryLongToken/messages/@original"
        for _ in range(3):
            handler.handle(
                logging.LogRecord(
                    "discord.http", logging.WARNING, __file__, 1, "limited: %s in %.1f s", (url, 0.5), trouble
                )
            )
    [line] = [record.getMessage() for record in caplog.records]
    assert "webhooks/77/(token)/messages/@original in 0.5 s" in line
    assert "ValueError" in line
    assert "somebody" not in caplog.text
    assert "aVeryLongToken" not in caplog.text
