"""Canaries: words that nobody else says, and the model of who may still see which of them, and where."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.core.domain import OPEN, mention_of

GUILD_ID: Final = 1_000

CANARY: Final = re.compile(r"(?:[bdfgklmnprt][aeiou]){3}quazk", re.IGNORECASE)
"""Every canary, in whatever case: no stemmer shortens one, and no two begin so that they pass for one word."""

PATTERN: Final = "([bdfgklmnprt][aeiou]){3}quazk"
"""The same for Postgres."""

THINGS: Final = ("boat", "garden", "guitar", "kettle", "tent")
"""What canaries are the names of: whoever asks about one of these finds them without saying a canary."""

_CONSONANTS, _VOWELS = "bdfgklmnprt", "aeiou"
_SYLLABLES: Final = len(_CONSONANTS) * len(_VOWELS)


def words() -> Iterator[str]:
    """Return canaries, each once."""
    for number in range(_SYLLABLES**3):
        scattered = number * 7_919 % _SYLLABLES**3
        syllables = ""
        for _ in range(3):
            scattered, one = divmod(scattered, _SYLLABLES)
            syllables += _CONSONANTS[one // len(_VOWELS)] + _VOWELS[one % len(_VOWELS)]
        yield f"{syllables}quazk"


def canaries_in(text: str) -> set[str]:
    """Return the canaries that stand in `text`."""
    return {found.lower() for found in CANARY.findall(text)}


class Way(StrEnum):
    """How a canary is said."""

    TALK = "talk"
    """A sentence that nothing is picked up from."""
    LIKING = "liking"
    """One from which a fact is picked up."""
    ORDER = "order"
    """A command to remember it."""


class State(StrEnum):
    """What has become of a canary."""

    TOLD = "told"
    UNSAID = "unsaid"
    """Its message is deleted, or says something else now: what rests on that goes, what told of it besides may stay."""
    GONE = "gone"
    """Forgotten, erased, or never to be kept: it stands nowhere."""


@dataclass(frozen=True, slots=True)
class Room:
    """Where words stand: a guild and an audience of it."""

    guild_id: int
    audience: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """One message that holds a canary as it is kept."""

    room: Room
    channel_id: int
    author_id: int
    names_subject: bool


@dataclass(slots=True, kw_only=True)
class Canary:
    """A word, who said it of whom, and the places where it may still be seen."""

    word: str
    way: Way
    thing: str
    author_id: int
    subject_id: int
    from_visitor: bool = False
    of_absent: bool = False
    """It was only ever said of a member by others while nothing was kept of that member."""
    state: State = State.TOLD
    sayings: dict[int, Saying] = field(default_factory=dict)
    """By message, those that stand."""
    noted: set[Room] = field(default_factory=set)
    """Where it was asked to be remembered, which outlives its message."""
    lingers: set[Room] = field(default_factory=set)
    """Where something may still tell of it although the message that said it there does not."""
    rooms_ever: set[Room] = field(default_factory=set)
    told_by_bot: bool = False
    """The bot has repeated it: what it said outlives a deletion, though no forgetting."""
    is_edited_away: bool = False
    """Its message says something else now: what told of it is told anew later, if at all."""
    said_by_bot_in: set[tuple[int, int]] = field(default_factory=set)
    """The channels, with the audience then, in which it did."""
    exposed_to: set[int] = field(default_factory=set)
    """Members in whose open turns it stood: their profiles may tell of it, to themselves wherever they are."""

    @property
    def sentence(self) -> str:
        """What its author says."""
        whose = "my" if self.subject_id == self.author_id else f"{mention_of(self.subject_id)}'s"
        match self.way:
            case Way.LIKING:
                return f"I like {self.word}"
            case _:
                return f"{whose} {self.thing} is called {self.word}"

    @property
    def retold(self) -> str:
        """What others say of it."""
        if self.way is Way.LIKING:
            return f"{mention_of(self.subject_id)} likes {self.word}"
        return f"{mention_of(self.subject_id)}'s {self.thing} is called {self.word}"

    @property
    def rooms(self) -> set[Room]:
        """The rooms to which it belongs."""
        return {saying.room for saying in self.sayings.values()} | self.noted | self.lingers

    @property
    def may_linger(self) -> bool:
        """Whether something may tell of it that does not go with its message."""
        return self.told_by_bot or self.is_edited_away or bool(self.exposed_to)

    def is_visible(self, room: Room, *, owner_id: int | None = None) -> bool:
        """Tell whether it may stand in `room`, which is a direct message with `owner_id` if that is given."""
        if self.state is State.GONE:
            return False
        if any(one.guild_id == room.guild_id and one.audience in (OPEN, room.audience) for one in self.rooms):
            return True
        is_own = self.subject_id == owner_id or owner_id in self.exposed_to
        return owner_id is not None and is_own and Room(GUILD_ID, OPEN) in self.rooms

    def is_visible_to_visitor(self, channel_id: int, audience: int) -> bool:
        """Tell whether a visitor may be told it in a channel: only what was said there, as it is read now."""
        here = {(one.channel_id, one.room.audience) for one in self.sayings.values()} | self.said_by_bot_in
        return self.state is not State.GONE and (channel_id, audience) in here

    def instead(self, word: str) -> "Canary":
        """Return a canary of whom this one is, which nobody has said yet."""
        return Canary(
            word=word, way=self.way, thing=self.thing, author_id=self.author_id, subject_id=self.subject_id
        )

    def say(self, message_id: int, saying: Saying) -> None:
        """Note that a message says it."""
        self.sayings[message_id] = saying
        self.rooms_ever.add(saying.room)

    def note(self, room: Room) -> None:
        """Note that it was asked to be remembered there."""
        self.noted.add(room)
        self.rooms_ever.add(room)

    def unsay(self, message_id: int) -> None:
        """Note that a message does not say it any more."""
        saying = self.sayings.pop(message_id)
        if self.may_linger:
            self.lingers.add(saying.room)
        if not self.sayings and not self.noted and self.state is State.TOLD:
            self.state = State.UNSAID

    def forget(self, audiences: Iterable[int], *, guild_id: int, asker_id: int) -> None:
        """Note that it was forgotten in these audiences: by its subject with others' words, else by its teller."""
        reached = {Room(guild_id, audience) for audience in audiences}
        self.noted -= reached
        self.lingers -= reached
        is_own = asker_id == self.subject_id
        self.sayings = {
            message_id: saying
            for message_id, saying in self.sayings.items()
            if saying.room not in reached
            or not (saying.author_id == asker_id or (is_own and saying.names_subject))
        }
        self.end_if_nowhere()

    def disown(self, audiences: Iterable[int], *, guild_id: int) -> None:
        """Note that its subject took it off in these audiences: messages keep their words."""
        self.noted -= {Room(guild_id, audience) for audience in audiences}
        self.end_if_nowhere()

    def erase(self, user_id: int, guild_ids: Iterable[int]) -> None:
        """Note that a member was erased from these guilds; what others wrote stands, and names nobody.

        What the bot repeated of words that had been taken back before is nobody's any more, and stays.
        """
        erased = {one for one in self.rooms if one.guild_id in guild_ids}
        if user_id in {self.author_id, self.subject_id}:
            self.noted -= erased
        # What others said of them names nobody now, so that it may be told as anything else of its teller's.
        self.of_absent &= user_id != self.subject_id
        gone = [
            message_id
            for message_id, saying in self.sayings.items()
            if saying.room in erased and saying.author_id == user_id
        ]
        for message_id in gone:
            room = self.sayings.pop(message_id).room
            if user_id not in {self.author_id, self.subject_id} and self.may_linger:
                self.lingers.add(room)
        self.end_if_nowhere()

    def end_if_nowhere(self) -> None:
        """Note that it is gone if nothing is left of it."""
        if not self.rooms:
            self.state = State.GONE
