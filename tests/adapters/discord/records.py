"""What is kept after a day and what should be, in words that are the same whenever the day is played."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from bot.db.pool import Database
from tests.adapters.discord import day
from tests.adapters.discord.bots import guild_id_of
from tests.adapters.discord.playing import Player, without_news_of_gaps
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeChannel, FakeMessage, FakeUser, MessageType

_SAID = frozenset({MessageType.DEFAULT, MessageType.REPLY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A message as it is kept, with names in the place of ids."""

    number: int
    """Its place among all messages of the day."""
    where: str
    who: str
    audience: str
    """`open`, or the name of the channel that it belongs to."""
    kind: str
    text: str
    carries: tuple[str, ...]
    is_edited: bool
    reply_to: int | None
    """The place of the message that it replies to."""
    withheld: str | None


class Register:
    """The names of everything on `server`, where `player` has played a day."""

    def __init__(self, server: DiscordServer, player: Player) -> None:
        self._server = server
        self._player = player
        self._numbers = {one.message_id: number for number, one in enumerate(player.messages)}
        authors: list[FakeUser] = [one.author for one in player.messages]
        self._users = {one.user_id: one.name for one in (*server.world.users.values(), *authors)}
        rooms: list[FakeChannel] = [one.channel for one in player.messages]
        self._rooms = {one.channel_id: _named(one) for one in rooms}
        self._guild_ids = list({guild_id_of(one) for one in rooms})

    def expected(self) -> list[Record]:
        """Return what is to be kept, told from what Discord has."""
        forgotten = {self._player.said[label].message_id for label in day.FORGOTTEN}
        return [self._expected(message, forgotten) for message in self._player.messages]

    async def kept(self, database: Database) -> list[Record]:
        """Return what is kept."""
        rows = await database.read(
            lambda connection: connection.fetch(
                "SELECT * FROM chat_history WHERE guild_id = ANY($1) ORDER BY message_id", self._guild_ids
            )
        )
        return [self._kept(dict(row)) for row in rows]

    async def facts(self, database: Database) -> list[tuple[str, ...]]:
        """Return the facts as they stand, without those that were forgotten: of these no text is left."""
        rows = await database.read(
            lambda connection: connection.fetch(
                "SELECT guild_id, subject_id, audience, content, status, source_message_id FROM facts "
                "WHERE status <> 'forgotten' AND guild_id = ANY($1) ORDER BY source_message_id, fact_id",
                self._guild_ids,
            )
        )
        return [
            (
                self._users.get(row["subject_id"], "the server"),
                self._rooms.get(row["audience"], "open"),
                self._named(row["content"]),
                row["status"],
                str(self._numbers.get(row["source_message_id"])),
            )
            for row in rows
        ]

    def answers(self) -> list[tuple[str, str, str]]:
        """Return where the bot said what, and to which message."""
        said = {message.message_id: message for message in self._player.messages}
        return [
            (
                _named(one.channel),
                self._named(one.text),
                self._named(said[one.reply_to_id].text) if one.reply_to_id in said else "",
            )
            for one in self._server.sent
            if not one.ephemeral
        ]

    def _expected(self, message: FakeMessage, forgotten: Collection[int]) -> Record:
        is_said = message.kind in _SAID
        withheld = _withheld(message, forgotten)
        titled = message.kind == MessageType.THREAD_CREATED
        is_own = message.author is self._server.world.bot
        is_kept = withheld is None
        return Record(
            number=self._numbers[message.message_id],
            where=_named(message.channel),
            who=message.author.name,
            audience=_audience(message.channel),
            kind=_kind(message) if is_said else "system",
            text=self._named(message.text) if is_kept and (is_said or titled) else "",
            carries=self._player.carried.get(message.message_id, ()) if is_kept else (),
            is_edited=message.edited_at is not None and not is_own,
            reply_to=self._numbers.get(message.reply_to_id or 0) if is_said else None,
            withheld=withheld,
        )

    def _kept(self, row: Mapping[str, object]) -> Record:
        message = next((one for one in self._player.messages if one.message_id == row["message_id"]), None)
        is_own = row["user_id"] == self._server.bot_user_id
        text = str(row["message_text"])
        if is_own and message is not None and _reads_as(text, message.text):
            # The bot's own words are kept with ids in the place of names.
            text = message.text
        attachments, audience = row["attachments"], row["audience"]
        assert isinstance(attachments, list)
        assert isinstance(audience, int)
        is_placed = message is None or (row["guild_id"], row["channel_id"]) == (
            guild_id_of(message.channel),
            message.channel.channel_id,
        )
        return Record(
            number=self._numbers.get(int(str(row["message_id"])), -1),
            where=self._rooms.get(int(str(row["channel_id"])), "?") if is_placed else "elsewhere",
            who=self._users.get(int(str(row["user_id"])), "?"),
            audience=self._rooms.get(audience, "?") if audience else "open",
            kind=str(row["kind"]),
            text=self._named(text),
            carries=tuple(attachments),
            is_edited=row["edited_at"] is not None and not is_own,
            reply_to=self._numbers.get(int(str(row["reply_to_id"] or 0))),
            withheld=None if row["withheld"] is None else str(row["withheld"]),
        )

    def _named(self, text: str) -> str:
        """Return `text` with names for ids and links, without dates and what a model or an extract sums up."""
        told = without_news_of_gaps(text)
        named = re.sub(r"<@(\d+)>", lambda found: f"@{self._users.get(int(found[1]), '?')}", told)
        placed = re.sub(
            r"https://discord\.com/channels/(?:\d+|@me)/\d+/(\d+)",
            lambda found: f"message {self._numbers.get(int(found[1]), '?')}",
            named,
        )
        return re.sub(r"\[\d{4}-[^]]*\]", "[…]", placed).partition("\nLately:")[0]


def differences(wanted: Sequence[object], found: Sequence[object]) -> list[str]:
    """Return what is only in one of the two, or more often, in their order."""
    left = [str(one) for one in wanted]
    right = [str(one) for one in found]
    missing = [f"missing: {one}" for one in dict.fromkeys(left) if left.count(one) > right.count(one)]
    return missing + [
        f"too much: {one}" for one in dict.fromkeys(right) if right.count(one) > left.count(one)
    ]


def _named(channel: FakeChannel) -> str:
    return channel.name or f"direct messages of {channel.recipient.name if channel.recipient else '?'}"


def _audience(channel: FakeChannel) -> str:
    if channel.is_thread and not channel.is_private_thread and channel.parent is not None:
        return _audience(channel.parent)
    is_closed = channel.is_private_thread or channel.name == day.CLOSED
    return _named(channel) if is_closed else "open"


def _kind(message: FakeMessage) -> str:
    if message.webhook_id is not None:
        return "webhook"
    return "bot" if message.author.is_bot else "member"


def _withheld(message: FakeMessage, forgotten: Collection[int]) -> str | None:
    if message.message_id in forgotten:
        return "forgotten"
    return "deleted" if message.deleted else None


def _reads_as(kept: str, said: str) -> bool:
    """Tell whether `said` is `kept` with names put in."""
    parts = [re.escape(part) for part in re.split(r"<@\d+>", kept)]
    return re.fullmatch("[^\n]+?".join(parts), said) is not None
