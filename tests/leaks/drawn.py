"""What chance chooses for an act, and what an act is."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass

from bot.app import Keepsake
from tests.leaks.canaries import Way
from tests.leaks.hunt import Hunt
from tests.leaks.looking import Step
from tests.leaks.world import MEMBERS, Place, speakers


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What chance has chosen for an act; most need only some of it."""

    process: int
    place: Place
    who: int
    about: int
    way: Way
    thing: str
    picked: int
    flag: bool

    @property
    def step(self) -> Step:
        """Who speaks where."""
        return Step(self.place, self.who_in(self.place))

    def who_in(self, place: Place) -> int:
        """Return who speaks in a place."""
        there = speakers(place)
        return there[self.who % len(there)]

    @property
    def about_id(self) -> int:
        """Somebody."""
        return MEMBERS[self.about]


Act = Callable[[Hunt, Drawn], Coroutine[None, None, None]]


def process_of(hunt: Hunt, drawn: Drawn) -> Keepsake:
    """Return the process that was drawn."""
    return hunt.world.processes[drawn.process]


def named(often: Mapping[Act, int]) -> dict[str, Act]:
    """Return acts by name; those that are taken often have several."""
    return {
        f"{act.__name__} {number}" if number else act.__name__: act
        for act, times in often.items()
        for number in range(times)
    }
