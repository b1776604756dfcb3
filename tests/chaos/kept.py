"""What is left of a run: rows, facts, words that should be gone, and answers, with names in the place of ids."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from bot.db.pool import Database
from tests.chaos.stage import Stage
from tests.leaks.searches import rows_with_canaries

_DATED: Final = re.compile(r"\[\d{4}-[^]]*\]|\[[^]]*\d{4}[^]]*\]")
_LINK: Final = re.compile(r"https://discord\.com/channels/\S+")

_LATELY: Final = re.compile(r"\n(?:Lately:|В последнее время:|.* The latest:|.* Последнее:)\n(?s:.*)")

Fact = tuple[str, ...]
"""Guild, subject, audience, content, and the number of the act that it came from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A message as it is kept."""

    where: str
    who: str
    text: str | None
    """`None`: withheld."""


class Names:
    """The names of everything on a stage."""

    def __init__(self, stage: Stage) -> None:
        world = stage.server.world
        self._users = {user.user_id: user.name for user in world.users.values()}
        self._rooms = {channel.channel_id: channel.name for channel in world.channels.values()}
        self._guilds = {guild.guild_id: guild.name for guild in world.guilds.values()}
        self.acts = {message.message_id: number for number, message in stage.said.items()}

    def user(self, user_id: int) -> str:
        """Return the name of a member; that of the guild has no name."""
        return self._users.get(user_id, "the server")

    def guild(self, guild_id: int) -> str:
        """Return the name of a guild."""
        return self._guilds.get(guild_id, "?")

    def room(self, channel_id: int) -> str:
        """Return the name of a channel; where everybody reads it is none."""
        return self._rooms.get(channel_id, "open")

    def text(self, text: str) -> str:
        """Return a text with names for ids, and without dates, links, and what was said lately.

        What was said lately are rows, which are compared by themselves; which of them the bot answered depends on how
        late it read them.
        """
        named = re.sub(r"<@!?(\d+)>", lambda found: f"@{self.user(int(found[1]))}", text)
        return _LATELY.sub("", _LINK.sub("[link]", _DATED.sub("[date]", named)))


async def rows(database: Database, names: Names) -> dict[int, Row]:
    """Return what members said as it is kept, by the number of the act; what nobody said stands under -1 and less."""
    found = await database.read(
        lambda connection: connection.fetch(
            "SELECT guild_id, channel_id, message_id, user_id, message_text, withheld FROM chat_history"
            " WHERE kind = 'member' ORDER BY message_id"
        )
    )
    return {
        names.acts.get(row["message_id"], -1 - number): Row(
            where=f"{names.guild(row['guild_id'])} #{names.room(row['channel_id'])}",
            who=names.user(row["user_id"]),
            text=None if row["withheld"] else row["message_text"],
        )
        for number, row in enumerate(found)
    }


async def facts(database: Database, names: Names) -> list[Fact]:
    """Return the facts that hold."""
    found = await database.read(
        lambda connection: connection.fetch(
            "SELECT guild_id, subject_id, audience, content, source_message_id FROM facts"
            " WHERE status = 'active'"
        )
    )
    return sorted(
        (
            names.guild(row["guild_id"]),
            names.user(row["subject_id"]),
            names.room(row["audience"]),
            names.text(row["content"]),
            str(names.acts.get(row["source_message_id"])),
        )
        for row in found
    )


async def answered(database: Database, names: Names) -> set[int]:
    """Return the commands to which an answer of the bot's is kept as a message."""
    found = await database.read(
        lambda connection: connection.fetch("SELECT reply_to_id FROM chat_history WHERE kind = 'bot'")
    )
    return {names.acts.get(row["reply_to_id"], -1) for row in found}


async def revived(database: Database, ended: Collection[str]) -> dict[str, set[str]]:
    """Return the words that should be gone and still stand somewhere, with the tables in which they do."""
    stand: dict[str, set[str]] = {}
    for row in await rows_with_canaries(database):
        for word in row.words & set(ended):
            kind = f" ({row.row['kind']})" if "kind" in row.row else ""
            stand.setdefault(word, set()).add(f"{row.table}.{'+'.join(row.columns)}{kind}")
    return stand
