"""Whom a fact is about besides its subject: names in it that belong to no member yet, and what changes for facts when
such a name becomes a member's.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.core.domain import OF_A_NAME, mention_of
from bot.memory.members.names import spelling_of, spellings_of
from bot.memory.members.roster import POSSESSIVE
from bot.text.grammar.words import is_calendar_word


class AboutRole(StrEnum):
    """What somebody has to do with a fact."""

    SUBJECT = "subject"
    TELLER = "teller"
    NAMED = "named"


def is_of(guilds: str, users: str, names: str) -> str:
    """Return the condition that a fact is about one of the members in an array, names one, or is of one of the names.

    0 is the guild itself, without what is said of names that are nobody's.
    """
    return f"""(guild_id, fact_id) IN (
        SELECT a.guild_id, a.fact_id FROM fact_about a
        WHERE a.guild_id = ANY({guilds}::bigint[]) AND a.role <> '{AboutRole.TELLER}' AND (
            (a.name = '' AND a.user_id = ANY({users}::bigint[])) OR (a.name <> '' AND a.name = ANY({names}::text[]))
        )
    )"""


@dataclass(frozen=True, slots=True)
class AboutName:
    """A name that a fact is about, or names, in one of the spellings that it may be another case of."""

    role: AboutRole
    name: str


_WORD: Final = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")


def about_names(names: Sequence[str], *, is_subject: bool) -> list[AboutName]:
    """Return what is noted of the `names` of a fact; the first is what it `is_subject` of, if it is."""
    return [
        AboutName(AboutRole.NAMED if place or not is_subject else AboutRole.SUBJECT, spelling)
        for place, name in enumerate(names)
        for spelling in spellings_of(name)
    ]


def key_of_name(name: str, key: str) -> str:
    """Return the key under which a fact stands that is about a name, by the key that it would have of a member."""
    return f"{OF_A_NAME}{spelling_of(name).replace('|', ' ')}|{key}"


def says_a_name(key: str) -> bool:
    """Tell whether a fact under this key says what its subject is called."""
    return key == "name" or key.startswith("alias:")


def bare_key(key: str) -> str:
    """Return the key that a fact has, or would have if the name that it is about were a member's."""
    return key.partition("|")[2] if key.startswith(OF_A_NAME) else key


def with_member(text: str, name: str, user_id: int) -> str:
    """Return `text` with a member in place of `name`, in any case and spelling.

    If the name also occurs capitalised, lower-case occurrences stay: "Hope says hope dies last". For names of months
    and days only the first occurrence is replaced: "May was born in May".
    """
    found = _meant(text, name)
    if is_calendar_word(spelling_of(name)):
        found = found[:1]
    for _, start, end in reversed(found):
        text = f"{text[:start]}{mention_of(user_id)}{text[end:]}"
    return text


def surfaces_of(text: str, name: str) -> list[str]:
    """Return how `name` is written where it stands in `text`."""
    return [word for word, _, _ in _meant(text, name)]


def _meant(text: str, name: str) -> list[tuple[str, int, int]]:
    """Return where `name` occurs in `text`; lower-case occurrences only if there are no others."""
    if not name:
        return []
    meant = set(spellings_of(name))
    found = [
        one for one in _places(text, words=len(name.split())) if meant.intersection(spellings_of(one[0]))
    ]
    written = [one for one in found if not one[0][:1].islower()]
    return written or found


def _places(text: str, *, words: int) -> list[tuple[str, int, int]]:
    """Return what so many words in a row say, and where, none that overlap in one that is a mention."""
    single = [
        (start, start + len(POSSESSIVE.sub("", one.group())))
        for one in _WORD.finditer(text)
        if text[max(0, (start := one.start()) - 2) : start] not in {"<@", "@!"}
    ]
    runs = (single[place : place + words] for place in range(len(single) - words + 1))
    return [(text[run[0][0] : run[-1][1]], run[0][0], run[-1][1]) for run in runs]
