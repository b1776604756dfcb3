"""What is said in the hour: guilds whose channels repeat real help channels, with questions, edits and deletions."""

import heapq
import itertools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bench.recall_large import DATA, FILES
from tests.servers.discord import posting
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.posting import Draft
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeChannel, FakeMember, FakeMessage, Reference

MEMBERS: Final = 300
"""Of each guild."""

ASKED_SHARE: Final = 0.015
"""Of all messages those that address the bot: 90 questions a day among 6,000 messages, as docs/cost.md counts them."""

EDITED_SHARE: Final = 0.02
DELETED_SHARE: Final = 0.01

_ACCOUNTS: Final = 1_000
"""Of which each guild has some: people are in several guilds."""
_LATER_SECONDS: Final = (3.0, 60.0)
"""How much later a message is edited or deleted."""
_REPLIED_TO: Final = 60
"""Messages of a channel that may still be replied to."""
_THINGS: Final = "tea coffee chess climbing ramen sailing knitting jazz orchids cycling pottery opera".split()


@dataclass(frozen=True, slots=True)
class Line:
    """A message as it was really said."""

    line_id: str
    author: int
    text: str
    reply_to: str | None
    after_seconds: float
    """How long after the one before it."""


def lines() -> list[Line]:
    """Return what was said in the help channels, one file after the other, with the pauses between messages.

    The log of these channels tells the minute of each; those of one minute are spread over it.
    """
    return [
        line
        for name in FILES
        for _, minute in itertools.groupby(
            json.loads((DATA / name).read_text(encoding="utf-8"))["messages"], key=_minute_of
        )
        for line in _spread(list(minute))
    ]


def _minute_of(message: Mapping[str, str]) -> str:
    return message["timestamp"][: len("2025-04-23T04:46")]


def _spread(minute: Sequence[Mapping[str, dict[str, str]]]) -> Iterator[Line]:
    for message in minute:
        reference = message.get("reference")
        yield Line(
            line_id=str(message["id"]),
            author=int(message["author"]["id"]) % MEMBERS,
            text=str(message["content"]) or "…",
            reply_to=reference["messageId"] if reference else None,
            after_seconds=60 / len(minute),
        )


def a_busy_hour(said: Sequence[Line]) -> float:
    """Return how many messages such a channel has in an hour, on average."""
    return len(said) / sum(line.after_seconds for line in said) * 3_600


@dataclass(slots=True)
class _Room:
    """One channel, and where in the real talk it is."""

    channel: FakeChannel
    members: Sequence[FakeMember]
    place: int
    recent: dict[str, FakeMessage] = field(default_factory=dict)

    def reference(self, line: Line) -> Reference | None:
        """Return what `line` replies to, if that was said here lately."""
        known = self.recent.get(line.reply_to or "")
        if known is None or known.deleted:
            return None
        return Reference(
            message_id=known.message_id, channel_id=self.channel.channel_id, guild_id=self.channel.guild_id
        )

    def keep(self, line: Line, message: FakeMessage) -> None:
        """Note that `line` was said, and forget the oldest."""
        self.recent[line.line_id] = message
        if len(self.recent) > _REPLIED_TO:
            del self.recent[next(iter(self.recent))]


@dataclass(frozen=True, slots=True)
class Asked:
    """A message to the bot."""

    message: FakeMessage
    number: int
    is_free: bool
    """Whether a model answers it; else it is a command."""


@dataclass(slots=True)
class Said:
    """All that was said, by its id."""

    messages: dict[int, int] = field(default_factory=dict)
    """The guild of each message, oldest first."""
    asked: dict[int, Asked] = field(default_factory=dict)
    edited: dict[int, str] = field(default_factory=dict)
    """What stands at the end of the newest text."""
    deleted: set[int] = field(default_factory=set)


class Talk:
    """Has everything said when it is due; everything follows from the seed."""

    def __init__(
        self,
        server: DiscordServer,
        said: Sequence[Line],
        *,
        guilds: int,
        channels: int,
        pace: float,
        seed: int = 3,
    ) -> None:
        """`channels` of each guild have the talk of one busy channel each, `pace` times as fast as it was."""
        self.said: Final = Said()
        self._server = server
        self._lines = said
        self._pace = pace
        self._chance = random.Random(seed)
        self._rooms = [room for guild in self._guilds(guilds, channels) for room in guild]
        self._due: list[tuple[float, int]] = []
        self._later: list[tuple[float, int, FakeMessage]] = []
        self._liked: dict[int, list[str]] = {}
        """What each account said to like, by the member's guild and id."""

    def begin(self, now: float) -> None:
        """Let each channel begin within the pause that it is in."""
        for number, room in enumerate(self._rooms):
            heapq.heappush(self._due, (now + self._pause(room) * self._chance.random(), number))

    def say_due(self, now: float) -> float:
        """Say, edit and delete what is due, and return when more is; at most a few hundred at once."""
        for _ in range(200):
            if not self._due or self._due[0][0] > now:
                break
            moment, number = self._due[0]
            room = self._rooms[number]
            self._say(room, now)
            heapq.heapreplace(self._due, (moment + self._pause(room), number))
        while self._later and self._later[0][0] <= now:
            self._change(heapq.heappop(self._later)[2])
        return self._due[0][0]

    def _pause(self, room: _Room) -> float:
        return self._lines[room.place].after_seconds / self._pace

    def _say(self, room: _Room, now: float) -> None:
        line = self._lines[room.place]
        room.place = (room.place + 1) % len(self._lines)
        author = room.members[line.author]
        if self._chance.random() < ASKED_SHARE:
            self._ask(room, author, line)
            return
        message = self._post(room, author, Draft(text=line.text, reference=room.reference(line)))
        room.keep(line, message)
        if self._chance.random() < EDITED_SHARE + DELETED_SHARE:
            moment = now + self._chance.uniform(*_LATER_SECONDS)
            heapq.heappush(self._later, (moment, message.message_id, message))

    def _post(self, room: _Room, author: FakeMember, draft: Draft) -> FakeMessage:
        message = posting.post(self._server.world, room.channel, author.user, draft)
        self.said.messages[message.message_id] = room.channel.guild_id or 0
        return message

    def _ask(self, room: _Room, author: FakeMember, line: Line) -> None:
        number = len(self.said.asked) + 1
        text, is_free = self._question(room, author, line, number)
        message = self._post(room, author, Draft(text=text))
        self.said.asked[message.message_id] = Asked(message, number, is_free)

    def _question(self, room: _Room, author: FakeMember, line: Line, number: int) -> tuple[str, bool]:
        """Return what is asked: of ten questions five are free, and the others commands of each kind."""
        key = hash((room.channel.guild_id, author.user_id))
        other = self._chance.choice(room.members)
        liked = self._liked.setdefault(key, [])
        kind = number % 10
        if kind == 0:
            return f"Bot, what do you know about {other.mention}?", False
        if kind in (2, 4):
            thing = f"{self._chance.choice(_THINGS)} number {number}"
            liked.append(thing)
            return f"Bot, remember that I like {thing}", False
        if kind == 6:
            return f"Bot, forget that I like {liked.pop() if liked else self._chance.choice(_THINGS)}", False
        if kind == 8:
            words = [word for word in line.text.split() if word.isalpha()]
            return f"Bot, who said {max(words, key=len, default='ubuntu')}?", False
        return f"Bot, {line.text.rstrip('?!. ')} (case {number})?", True

    def _change(self, message: FakeMessage) -> None:
        if self._chance.random() < DELETED_SHARE / (EDITED_SHARE + DELETED_SHARE):
            posting.remove(self._server.world, [message])
            self.said.deleted.add(message.message_id)
            return
        end = f"edited {len(self.said.edited)}"
        posting.change(self._server.world, message, f"{message.text} ({end})")
        self.said.edited[message.message_id] = end

    def _guilds(self, guilds: int, channels: int) -> Iterator[list[_Room]]:
        """Make the guilds, which nobody is told of yet."""
        pauses = [line.after_seconds for line in self._lines]
        accounts = [f"person{number}" for number in range(_ACCOUNTS)]
        for number in range(guilds):
            guild = self._server.add_guild(
                f"Guild {number}",
                # One after the other goes to each shard.
                guild_id=(1_000_000 + number) << 22,
                members=tuple(self._chance.sample(accounts, MEMBERS)),
                channels=tuple(f"room-{room}" for room in range(channels)),
            )
            yield [
                _Room(channel, _people(guild), self._chance.choices(range(len(self._lines)), pauses)[0])
                for channel in guild.channels.values()
            ]


def _people(guild: FakeGuild) -> list[FakeMember]:
    return [member for member in guild.members.values() if member.user.name.startswith("person")]


def guilds_of(said: Mapping[int, int]) -> dict[int, set[int]]:
    """Return the ids of messages by guild."""
    found: dict[int, set[int]] = {}
    for message_id, guild_id in said.items():
        found.setdefault(guild_id, set()).add(message_id)
    return found
