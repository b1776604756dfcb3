"""What somebody has said of themselves so that others take care, and who has to know it: of an allergy who cooks, of a
member who cannot swim who plans a day at the lake. The table is `bot/text/dangers.toml`.
"""

import re
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from bot.text.deeds import speaks_of_others
from bot.text.kinds import harm_in, plain

_TABLE: Final = tomllib.loads(Path(__file__).with_name("dangers.toml").read_text(encoding="utf-8"))


class Plan(StrEnum):
    """What somebody plans, so that they have to know what may harm those who take part."""

    FOOD = "food"
    TRIP = "trip"
    WATER = "water"
    LIGHTS = "lights"
    EFFORT = "effort"
    STORY = "story"
    """A game or a film that may frighten."""
    ANIMALS = "animals"


@dataclass(frozen=True, slots=True)
class _Danger:
    """A row of the table; its head says what each column means."""

    needed_for: frozenset[Plan]
    is_safety: bool
    words: re.Pattern[str]
    found_by: tuple[str, ...]


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern.replace(chr(10), '').replace('ё', 'е')})(?!\w)")


_DANGERS: Final = tuple(
    _Danger(
        frozenset(map(Plan, row["needed_for"])),
        row["safety"],
        _whole(row["words"]),
        tuple(row["found_by"].split()),
    )
    for row in _TABLE["dangers"].values()
)
_PLANS: Final = {plan: _whole(_TABLE["plans"][plan]) for plan in Plan}
_MENTION: Final = re.compile(r"<@!?(\d+)>")
_OF_THEMSELVES: Final = re.compile(rf"\A\W*(?:{_TABLE['before_subject']} )?<@!?\d+>(?!'s)")


def plans_of(text: str) -> frozenset[Plan]:
    """Return what whoever says `text` plans; of who is merely curious nothing."""
    said = plain(text)
    return frozenset(plan for plan, words in _PLANS.items() if words.search(said))


def words_to_find(plans: Collection[Plan]) -> Iterator[str]:
    """Yield the words by which notes are found of what may harm somebody who takes part in `plans`."""
    for danger in _DANGERS:
        if not danger.needed_for.isdisjoint(plans):
            yield from danger.found_by


def endangers(text: str) -> bool:
    """Tell whether `text` says of somebody what may harm them if others do not know it, such as an allergy."""
    said = plain(text)
    return any(danger.is_safety and danger.words.search(said) for danger in _DANGERS)


def is_needed(text: str, *, subject_id: int, plans: Collection[Plan]) -> bool:
    """Tell whether who plans `plans` has to know `text`, which `subject_id` said of themselves.

    It says that something may harm them there, or what they do not eat, and nothing beside it that is theirs alone.
    """
    said = plain(text)
    found = [danger for danger in _DANGERS if danger.words.search(said)]
    if all(danger.needed_for.isdisjoint(plans) for danger in found) or not _is_about(subject_id, said):
        return False
    beside = said
    for danger in found:
        beside = danger.words.sub(" ", beside)
    return harm_in(beside) is None and not speaks_of_others(beside)


def _is_about(subject_id: int, said: str) -> bool:
    """Tell whether `said` is about a member themselves and about no other: not about "<@12>'s son"."""
    return _OF_THEMSELVES.match(said) is not None and set(_MENTION.findall(said)) == {str(subject_id)}
