"""Exports as DiscordChatExporter writes them, made up for the tests."""

import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from bot.core.domain import DISCORD_EPOCH, snowflake_at

GUILD_ID = 1001
CHANNEL_ID = 2001
ALICE = {"id": "11", "name": "alice", "discriminator": "0000", "nickname": "Alice", "isBot": False}
BOB = {"id": "12", "name": "bob_the_2nd", "discriminator": "0000", "nickname": "Bob", "isBot": False}
ROBOT = {"id": "13", "name": "robot", "discriminator": "4242", "nickname": "Robot", "isBot": True}

IRC_FILES = ("irc-ubuntu.json", "irc-ubuntu-2006.json")
IRC_GUILD_ID = 880000000000000001
IRC_MESSAGES = 3660


def record(number: int, content: object = "hello", **fields: object) -> dict[str, object]:
    """Return the record of message `number`, said in the minute of that number."""
    moment = DISCORD_EPOCH + timedelta(days=3000, minutes=number)
    return {
        "id": str(snowflake_at(moment) + number),
        "type": "Default",
        "timestamp": moment.isoformat(),
        "timestampEdited": None,
        "callEndedTimestamp": None,
        "isPinned": False,
        "content": content,
        "author": ALICE,
        "attachments": [],
        "embeds": [],
        "stickers": [],
        "reactions": [],
        "mentions": [],
        **fields,
    }


def document(records: Sequence[object], **fields: object) -> dict[str, object]:
    """Return a whole export of these records."""
    return {
        "guild": {"id": str(GUILD_ID), "name": "Test guild", "iconUrl": ""},
        "channel": {"id": str(CHANNEL_ID), "type": "GuildTextChat", "name": "general", "topic": None},
        "dateRange": {"after": None, "before": None},
        "exportedAt": "2026-01-01T00:00:00+00:00",
        "messages": list(records),
        "messageCount": len(records),
        **fields,
    }


def write(folder: Path, content: object, name: str = "export.json") -> Path:
    """Write `content` as JSON into a file of `folder`."""
    file = folder / name
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


def irc_files() -> list[Path]:
    """Return the real exports that lie beside the repository, or skip the test."""
    folder = Path(__file__).parents[4] / "shared/data"
    files = [folder / name for name in IRC_FILES]
    for file in files:
        if not file.exists():
            pytest.skip(f"{file} is absent: the real exports lie beside the repository, not in it")
    return files
