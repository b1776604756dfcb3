"""Who may do what, by which way and under which setting, as one table: `+` may, `-` may not, `.` is no case.

What is done is done to a fact that bob told about alice. florent moderates, gruzilkin is anybody, Саша is a visitor,
and Маша has opted out: nothing is kept of her words, but by the menu she may have kept what somebody else said of
themselves. Nobody here is a manager.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

SUBJECT, TELLER, OTHER, MODERATOR, VISITOR, ABSENT = "alice", "bob", "gruzilkin", "florent", "Саша", "Маша"
ACTORS: Final = (SUBJECT, TELLER, OTHER, MODERATOR, VISITOR, ABSENT)

TABLE: Final = """
what             way     setting                     alice bob gruz flor visi abse
remember         words   remember_others=everyone    +     +   +    +    -    -
remember         words   remember_others=moderators  +     -   -    +    -    -
remember         words   remember_others=nobody      +     -   -    -    -    -
remember         desk    remember_others=everyone    +     +   +    +    -    -
remember         desk    remember_others=moderators  +     -   -    +    -    -
remember         desk    remember_others=nobody      +     -   -    -    -    -
remember         menu    remember_others=everyone    +     +   +    +    -    +
remember         menu    remember_others=moderators  +     -   -    +    -    -
remember         menu    remember_others=nobody      +     -   -    -    -    -
remember         tool    remember_others=everyone    +     +   +    +    -    -
remember         tool    remember_others=moderators  +     -   -    +    -    -
remember         tool    remember_others=nobody      +     -   -    -    -    -
remember-absent  words   remember_others=everyone    -     -   -    -    -    -
remember-absent  desk    remember_others=everyone    -     -   -    -    -    -
correct          words   forget_others=tellers       +     +   -    +    -    -
correct          words   forget_others=moderators    +     -   -    +    -    -
take-back        words   forget_others=tellers       +     +   -    +    -    -
take-back        words   forget_others=moderators    +     -   -    +    -    -
forget           words   forget_others=tellers       +     +   -    +    -    -
forget           words   forget_others=moderators    +     -   -    +    -    -
forget-this      words   forget_others=tellers       +     +   -    +    -    -
forget-this      words   forget_others=moderators    +     -   -    +    -    -
forget-all       words   forget_others=tellers       +     +   -    +    -    -
forget-all       words   forget_others=moderators    +     -   -    +    -    -
forget           desk    forget_others=tellers       +     +   -    +    -    -
forget           desk    forget_others=moderators    +     -   -    +    -    -
forget           menu    forget_others=tellers       +     +   -    +    -    -
forget           menu    forget_others=moderators    +     -   -    +    -    -
set-aside        tool    forget_others=tellers       +     -   -    -    -    -
set-aside        tool    forget_others=moderators    +     -   -    -    -    -
undo             button  forget_others=tellers       +     +   -    +    -    -
undo             button  forget_others=moderators    +     -   -    +    -    -
undo             desk    forget_others=tellers       +     +   -    +    -    -
undo             desk    forget_others=moderators    +     -   -    +    -    -
disown           desk    forget_others=tellers       +     -   -    -    -    -
disown           desk    forget_others=moderators    +     -   -    -    -    -
settings         desk    forget_others=tellers       -     -   -    -    -    -
count-own        desk    forget_others=tellers       +     +   +    +    +    +
count-guild      desk    forget_others=tellers       -     -   -    -    -    -
see              words   tell_others=said            +     +   +    +    -    +
see              words   tell_others=moderators      +     -   -    +    -    -
see              desk    tell_others=said            +     +   +    +    -    +
see              desk    tell_others=moderators      +     -   -    +    -    -
"""

FOR_VISITORS: Final = set("""
    stats off on be_private categories export erasable erase forgotten deleted ask channel_state
""".split())  # fmt: skip
"""What somebody without the base role may do by form: what is about themselves, and asking what is kept."""


@dataclass(frozen=True, slots=True)
class Case:
    """One cell of the table."""

    what: str
    way: str
    setting: str
    value: str
    actor: str
    may: bool


def cases() -> Iterator[Case]:
    """Yield the cells, row by row."""
    _, _, *rows = TABLE.splitlines()
    for row in rows:
        what, way, setting, *cells = row.split()
        name, _, value = setting.partition("=")
        for actor, cell in zip(ACTORS, cells, strict=True):
            if cell != ".":
                yield Case(what, way, name, value, actor, cell == "+")
