"""The machine: any order of whatever people and managers do, over two processes of the bot."""

import asyncio
from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from bot.core.domain import MAX_ID
from tests.leaks.canaries import THINGS, Way
from tests.leaks.drawn import Drawn
from tests.leaks.hunt import Hunt
from tests.leaks.standing_acts import ACTS
from tests.leaks.world import GENERAL, LOUNGE, MODS, PLACES

_OFTEN: Final = (GENERAL, GENERAL, GENERAL, LOUNGE, LOUNGE, LOUNGE, MODS, MODS)
_BUSY: Final = [place for channel_id in _OFTEN for place in PLACES if place.channel_id == channel_id]

DRAWN: Final = st.builds(
    Drawn,
    process=st.integers(0, 1),
    place=st.sampled_from([*_BUSY, *PLACES]),
    who=st.integers(0, 2),
    about=st.integers(0, 2),
    way=st.sampled_from([Way.ORDER, Way.LIKING, Way.TALK]),
    thing=st.sampled_from(THINGS),
    picked=st.integers(0, MAX_ID),
    flag=st.booleans(),
)
"""Everything that any act may need."""

_ACTS: Final = list(ACTS.values())
_STRIDE: Final = 7


class LeakHunt(RuleBasedStateMachine):
    """One rule for all acts, which are many: rules of their own would be left out of most runs for variety's sake.

    `open_world` gives the hunt in a new world, and what ends that.
    """

    open_world: Callable[[asyncio.Runner], tuple[Hunt, Callable[[], None]]]

    def __init__(self) -> None:
        super().__init__()
        self._acts = 0
        self._runner = asyncio.Runner()
        self._hunt, self._close = type(self).open_world(self._runner)

    def teardown(self) -> None:
        try:
            self._runner.run(self._hunt.finish())
        finally:
            self._close()
            self._runner.close()

    @rule(number=st.integers(0, len(ACTS) - 1), drawn=DRAWN)
    def act(self, number: int, drawn: Drawn) -> None:
        """Do something, wait for all that follows from it, and look everywhere."""
        # Counted on from step to step, so that the simplest run of all, which comes first, is one of many acts too.
        self._acts += 1
        act = _ACTS[(number + _STRIDE * self._acts) % len(_ACTS)]
        self._runner.run(act(self._hunt, drawn))
