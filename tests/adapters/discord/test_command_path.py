"""The path of a command that `docs/architecture.md` shows is the one that it takes, from Discord's event to the row."""

import re
import traceback
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import pytest

import bot
from bot.db.pool import Connection, Database
from bot.memory.manager import MemoryManager
from bot.memory.outbox.answers import DeferredWrite
from bot.memory.rights.forgetting import repository
from bot.memory.rights.forgetting.repository import Forgotten
from bot.memory.rights.forgetting.search import Reach
from tests.adapters.discord.bots import running_bot
from tests.servers.discord.server import DiscordServer

ROOT: Final = Path(bot.__file__).parent.parent
ANY_WRITE: Final = "bot/db/"
"""What opens the transaction of every write, whatever is written."""


def callers() -> list[str]:
    """Return the files of the bot that this is called from, the outermost first, each once."""
    places = [Path(frame.f_code.co_filename) for frame, _ in traceback.walk_stack(None)]
    named = [str(place.relative_to(ROOT)) for place in reversed(places) if place.is_relative_to(ROOT / "bot")]
    return [place for place in dict.fromkeys(named) if not place.startswith(ANY_WRITE)]


async def test_a_forgetting_goes_through_the_files_that_are_named_and_no_other(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_the_way: list[str] = []
    order, empty = MemoryManager.forgetting, repository.empty_facts

    def ordered(memory: MemoryManager, reaches: Sequence[Reach]) -> DeferredWrite[Forgotten]:
        on_the_way.extend(callers())
        return order(memory, reaches)

    async def emptied(
        connection: Connection,
        *,
        guild_id: int,
        fact_ids: Sequence[int],
        buried_keys: Sequence[str],
        now: datetime,
    ) -> None:
        on_the_way.extend(callers())
        await empty(connection, guild_id=guild_id, fact_ids=fact_ids, buried_keys=buried_keys, now=now)

    monkeypatch.setattr(MemoryManager, "forgetting", ordered)
    monkeypatch.setattr(repository, "empty_facts", emptied)
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database):
        for text in ("Bot, remember that I like pizza", "Bot, forget that I like pizza"):
            told = await discord_server.answer_to(await guild.say("alice", "general", text))
    assert told.text.startswith("Forgotten: I removed 1 fact.")
    row = str(Path(repository.__file__).relative_to(ROOT))
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").partition("## A command\n")[2]
    named = re.findall(r"^\| (\d) \| `(bot/[^`]+)`", page.partition("\n## ")[0], re.MULTILINE)
    assert [file for _, file in named] == [*dict.fromkeys([*on_the_way, row])]
    assert len(named) <= 8
