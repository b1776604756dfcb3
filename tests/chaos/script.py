"""What members do, from the first act to the last: drawn from a seed, and never from what the bot answers."""

import heapq
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from tests.chaos.stories import ASKED, Kind, Step, story
from tests.leaks.canaries import words

GUILDS: Final = ("Harbour", "Гавань", "Attic")
ROOMS: Final = ("general", "games", "plans")
CLOSED: Final = "staff"
"""A channel that only moderators see."""
THREAD: Final = "lunch"
"""A thread that is started in the first room, by the first act in each guild."""

SPEAKERS: Final[Mapping[str, str]] = {
    "alice": "en",
    "bob": "en",
    "carol": "en",
    "masha": "ru",
    "grisha": "ru",
    "olga": "ru",
}
"""Who gives commands, and in which language."""
TALKERS: Final = ("dan", "erin", "frank", "hugo")
"""Who talks, and never to the bot."""
MODERATOR: Final = "maria"
"""Gives commands in the closed channel."""

_COMMANDS: Final = 0.05
"""The share of commands; nobody gives them faster than `_APART_SECONDS` apart, since the bot slows such down."""
_APART_SECONDS: Final = 4.0
_LATER_SECONDS: Final = (1.0, 8.0)
"""When something is edited or deleted that was said."""
_SHARES: Final = {"chatter": 88, "liking": 4, "deleted": 4, "edited": 4}

Chain = tuple[str, str]
"""The guild and the member who gives commands one after another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """A member says something; to the bot if there is a `step`."""

    guild: str
    who: str
    where: str
    text: str
    step: Step | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What was said in act `of` gets another text."""

    of: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletes:
    """What was said in act `of` is taken away."""

    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Starts:
    """The thread of a guild begins."""

    guild: str


Act = Says | Edits | Deletes | Starts


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """All acts, and what is to be true in the end."""

    seed: int
    per_second: float
    acts: tuple[Act, ...]
    ended: Mapping[str, int]
    """Words that were deleted or forgotten by an act, with its number. Edits are not followed by every summary."""

    @property
    def commands(self) -> dict[int, Says]:
        """What is said to the bot, by the number of the act."""
        said = ((number, act) for number, act in enumerate(self.acts) if isinstance(act, Says))
        return {number: act for number, act in said if act.step is not None}

    @property
    def chains(self) -> dict[Chain, list[int]]:
        """The numbers of the commands of each member, in order."""
        chains: dict[Chain, list[int]] = {}
        for number, act in self.commands.items():
            chains.setdefault((act.guild, act.who), []).append(number)
        return chains


def last_questions() -> list[Says]:
    """Return what everybody who gave commands asks when all is over."""
    asked = [
        Says(guild=guild, who=who, where="general", text=ASKED[language])
        for guild in GUILDS
        for who, language in SPEAKERS.items()
    ]
    return asked + [Says(guild=guild, who=MODERATOR, where=CLOSED, text=ASKED["en"]) for guild in GUILDS]


def drawn(seed: int, *, seconds: float, per_second: float) -> Script:
    """Return the script of `seed`: so many acts a second, for so long."""
    return _Drawing(seed, per_second).script(int(seconds * per_second))


class _Drawing:
    def __init__(self, seed: int, per_second: float) -> None:
        self._seed = seed
        self._chance = Random(seed)
        self._per_second = per_second
        self._words = itertools.islice(words(), self._chance.randrange(1_000), None)
        self._acts: list[Act] = []
        self._ended: dict[str, int] = {}
        self._later: list[tuple[float, int, Edits | Deletes, tuple[str, ...]]] = []
        people = [*SPEAKERS, MODERATOR]
        self._free_at = {(guild, who): self._chance.uniform(0, 4) for guild in GUILDS for who in people}
        self._stories: dict[Chain, Iterator[Step]] = {chain: self._steps(chain) for chain in self._free_at}
        self._rooms: dict[Chain, str] = {}

    def script(self, count: int) -> Script:
        self._acts += [Starts(guild=guild) for guild in GUILDS]
        while len(self._acts) < count:
            self._act(len(self._acts) / self._per_second)
        # What was begun is ended: nobody leaves a story half told.
        while self._later:
            self._change()
        return Script(seed=self._seed, per_second=self._per_second, acts=tuple(self._acts), ended=self._ended)

    def _act(self, at: float) -> None:
        if self._later and self._later[0][0] <= at:
            self._change()
            return
        free = [chain for chain, free_at in self._free_at.items() if free_at <= at]
        if free and self._chance.random() < _COMMANDS * 2:
            self._command(self._chance.choice(free), at)
        else:
            self._talk(at)

    def _change(self) -> None:
        _, _, change, ended = heapq.heappop(self._later)
        self._end(ended)
        self._acts.append(change)

    def _command(self, chain: Chain, at: float) -> None:
        guild, who = chain
        step = next(self._stories[chain])
        if chain not in self._rooms or step.elsewhere:
            others = [room for room in (*ROOMS, THREAD) if room != self._rooms.get(chain)]
            self._rooms[chain] = self._chance.choice(others)
        where = CLOSED if who == MODERATOR else self._rooms[chain]
        self._end(step.ends)
        if step.is_edit:
            raise AssertionError("an edit is put in line with what it changes")
        number = len(self._acts)
        self._acts.append(Says(guild=guild, who=who, where=where, text=step.text, step=step))
        self._free_at[chain] = at + _APART_SECONDS
        self._edit_later(chain, number, at)

    def _edit_later(self, chain: Chain, number: int, at: float) -> None:
        following = next(self._stories[chain])
        if not following.is_edit:
            self._stories[chain] = itertools.chain([following], self._stories[chain])
            return
        edited_at = at + self._chance.uniform(*_LATER_SECONDS)
        self._put_off(edited_at, Edits(of=number, text=following.text))
        self._free_at[chain] = edited_at + _APART_SECONDS

    def _talk(self, at: float) -> None:
        guild, who = self._chance.choice(GUILDS), self._chance.choice(TALKERS)
        where = self._chance.choice((*ROOMS, THREAD))
        number = len(self._acts)
        kind = self._chance.choices(tuple(_SHARES), tuple(_SHARES.values()))[0]
        if kind == "chatter":
            says = f"chatter {number} of {who}" if self._chance.random() < 0.6 else f"болтовня {number}"
            self._acts.append(Says(guild=guild, who=who, where=where, text=says))
            return
        word, likes = next(self._words), self._chance.random() < 0.5
        said = "I like" if likes else "somebody left a note that says"
        self._acts.append(Says(guild=guild, who=who, where=where, text=f"{said} {word}"))
        later = at + self._chance.uniform(*_LATER_SECONDS)
        if kind == "deleted":
            self._put_off(later, Deletes(of=number), (word,))
        elif kind == "edited":
            self._put_off(later, Edits(of=number, text=f"{said} {next(self._words)}"))

    def _put_off(self, at: float, change: Edits | Deletes, ended: tuple[str, ...] = ()) -> None:
        heapq.heappush(self._later, (at, change.of, change, ended))

    def _end(self, ended: tuple[str, ...]) -> None:
        self._ended.update(dict.fromkeys(ended, len(self._acts)))

    def _steps(self, chain: Chain) -> Iterator[Step]:
        language = SPEAKERS.get(chain[1], "en")
        while True:
            yield from story(self._chance, self._words, language)


def counted(script: Script) -> dict[str, int]:
    """Return how many acts there are of each kind."""
    commands = list(script.commands.values())
    told = {kind: sum(act.step is not None and act.step.kind is kind for act in commands) for kind in Kind}
    return {
        "messages": sum(isinstance(act, Says) for act in script.acts),
        "commands": len(commands),
        **{f"commands to {kind}": count for kind, count in told.items()},
        "edits": sum(isinstance(act, Edits) for act in script.acts),
        "deletions": sum(isinstance(act, Deletes) for act in script.acts),
    }
