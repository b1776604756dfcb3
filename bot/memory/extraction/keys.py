"""Under which key a sentence about somebody stands, so that the same thing said anew finds what was said before."""

import hashlib
from typing import Final

from bot.memory.extraction import english, russian
from bot.memory.extraction.shapes import Kind, Told, Tongue
from bot.memory.tokens import normalised

TONGUES: Final[tuple[Tongue, ...]] = (english.TONGUE, russian.TONGUE)
"""The languages that are understood; one more is one more file like these two, and one more name here."""

_LONGEST: Final = 200
"""Characters of a sentence with a key; what is longer says more than one thing."""


def key_and_value_of(content: str) -> tuple[str, str] | None:
    """Return the key of a sentence in the third person, and what it says there; `None` if it has none of its own.

    "<@7>'s favorite food is ramen" stands under `favorite:food` and says "ramen"; "<@7> doesn't like pizza" stands
    under `likes:pizza` and says "dislikes". Only sentences that say one such thing and nothing else have a key.
    Feelings and events have none here, since what was asked to be remembered does not pass.
    """
    content = content.strip().rstrip(".!")
    if len(content) > _LONGEST or not content:
        return None
    for tongue in TONGUES:
        for told in tongue.told:
            found = told.shape.fullmatch(content)
            if found is None:
                continue
            said = found["value"].strip()
            if tongue.clean[told.kind](said) == (said,):
                return _key_and_value(told, tongue, value=said, thing=found.groupdict().get("thing") or "")
    return None


def event_key(content: str) -> str:
    """Return the key of something that happened: it replaces nothing but itself."""
    return f"event:{hashlib.sha256(normalised(content).encode()).hexdigest()[:16]}"


def _key_and_value(told: Told, tongue: Tongue, *, value: str, thing: str) -> tuple[str, str]:
    """Return key and value of what is told in `tongue`."""
    kind = told.kind
    if kind in {Kind.LIKES, Kind.DISLIKES}:
        return f"likes:{tongue.keyed(kind, normalised(value))}", kind.value
    if kind is Kind.FAVORITE:
        return f"favorite:{tongue.keyed(kind, normalised(thing))}", value.strip('"')
    if kind is Kind.ALIAS:
        return f"alias:{normalised(value)}", value
    if kind in {Kind.PRONOUNS, Kind.BIRTHDAY, Kind.WORKS_AS}:
        return kind.value, tongue.keyed(kind, normalised(value))
    return kind.value, value
