"""`keepsake stats`: an operator sees how much is kept and what it costs, in numbers alone."""

import asyncio
import json
from dataclasses import replace

import pytest
from pydantic import SecretStr

from bot import cli
from bot.core.clock import SystemClock
from bot.core.domain import Guild, Message, snowflake_at
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.llm.budget import Spent
from bot.llm.ledger import add_usage
from bot.memory.members.directory import Directory
from bot.memory.messages import repository_writing
from tests.memory.summaries.episodes.kept import keep

GUILD, OTHER, DIRECT, CLOSED = 1_000, 1_001, 1_002, 3_000
PRICED = "google:gemini-flash-latest"


@pytest.fixture(autouse=True)
def without_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    # Signals are for the main thread, where the test itself runs.
    monkeypatch.setattr(cli, "_until_stopped", asyncio.run)


@pytest.fixture
async def kept(database: Database, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two servers and a direct message; on the first an open and a closed message, an episode, and calls."""
    settings = Settings(
        _env_file=None, database_url=SecretStr(dsn), model_prices="gemini-flash-latest=1.00/2.00"
    )
    monkeypatch.setattr(Settings, "load", lambda: settings)
    directory, now = Directory(database), SystemClock().now()
    await directory.add_guild(Guild(guild_id=GUILD, name="Home"))
    await directory.add_guild(Guild(guild_id=OTHER, name="Empty"))
    await directory.add_guild(Guild(guild_id=DIRECT, name="", direct=True))
    said = Message(
        guild_id=GUILD, channel_id=2_000, message_id=snowflake_at(now), user_id=7, text="rain", timestamp=now
    )
    closed = replace(said, channel_id=CLOSED, message_id=said.message_id + 1, audience=CLOSED)
    await database.write(repository_writing.write_messages, [said, closed])
    await keep(database, "They decided.", guild_id=GUILD, channel_id=2_000)
    for guild_id in (GUILD, DIRECT):
        used = Spent(
            guild_id=guild_id, day=now.date(), operation="reply", model=PRICED, calls=3, failures=1,
            input_tokens=1_000_000, output_tokens=500_000,
        )  # fmt: skip
        await database.write(add_usage, used)


async def stats(*arguments: str) -> int:
    return await asyncio.to_thread(cli.main, ["stats", *arguments])


@pytest.mark.usefixtures("kept")
async def test_every_server_is_shown_with_bars_and_what_all_took_together(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert await stats() == 0
    printed = capsys.readouterr().out
    home, empty, together = printed.strip().split("\n\n")
    assert home.startswith("guild 1000 (Home):\n- Messages: 2, the oldest of ")
    assert "- In closed channels, of these: messages 1, memories 0" in home
    assert "- Past conversations: 1" in home
    assert "- That cost 2.00, by the prices that are set" in home
    assert "█" in home
    assert empty.startswith("guild 1001 (Empty):\n- Messages: none")
    assert "█" not in empty
    assert together.startswith("all servers and direct messages together:\n")
    assert "calls 6, failed 2" in together
    assert "rain" not in printed


@pytest.mark.usefixtures("kept")
async def test_one_server_some_days_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert await stats("--guild", str(GUILD), "--days", "7", "--json") == 0
    [shown] = json.loads(capsys.readouterr().out)
    assert (shown["guild_id"], shown["name"], shown["messages"], shown["closed_messages"]) == (
        str(GUILD), "Home", 2, 1,
    )  # fmt: skip
    assert len(shown["messages_by_day"]) == 7
    [spent] = shown["spent_by_day"].values()
    assert (spent["calls"], spent["money"], spent["unpriced"]) == (3, 2.0, [])


@pytest.mark.usefixtures("kept")
async def test_a_server_that_is_not_known_is_told_and_so_is_a_wrong_number_of_days(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert await stats("--guild", "5") != 0
    assert "nothing is kept of a guild 5" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        await stats("--days", "0")
    assert "'0' is no number of days: 1 to 366" in capsys.readouterr().err
