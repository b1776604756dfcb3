"""Members inside texts that go into a prompt and come back: `<@id>` becomes `@u3`, and `@u3` becomes `<@id>`."""

import re
from typing import Final

from bot.domain import mention_of
from bot.language.local_ids import LocalIds

STRANGER: Final = "@someone"
"""Who is mentioned and not offered: a model has no use for the number."""

_MENTION: Final = re.compile(r"<@!?([0-9]{1,19})>")
_END: Final = r"(?![0-9A-Za-z_])"
"""Where an id ends; scripts without blanks go on right behind it."""

_LOOK_ALIKE: Final = re.compile(rf"@(?=u\d+{_END})")
_SHORT: Final = re.compile(rf"@(u\d+){_END}")
_BARE: Final = re.compile(rf"(?<![0-9A-Za-z_@.\-/])u\d+{_END}(?![\-/])")


def mentioned_in(text: str) -> list[int]:
    """Return the ids that `text` mentions, each once, in order."""
    return list(dict.fromkeys(int(found) for found in _MENTION.findall(text)))


def shortened(text: str, users: LocalIds) -> str:
    """Return `text` with every mention of an offered member as `@u3`; whoever was not offered is a stranger.

    An `@u3` that somebody typed is taken apart: nobody is meant by it.
    """
    typed = _LOOK_ALIKE.sub("@ ", text)
    return _MENTION.sub(lambda found: _short(int(found[1]), users), typed)


def lengthened(text: str, users: LocalIds, *, known: str = "") -> str:
    """Return `text` of a model with members as `<@id>`; raises `ValueError` for an id that was not offered.

    Small models drop the @: a bare `u3` counts too, unless `known`, what people wrote, speaks of a u3.
    """
    text = _SHORT.sub(lambda found: mention_of(users.long(found[1])), text)
    return _BARE.sub(lambda found: _long_unless_a_word(found[0], users, known), text)


def _short(user_id: int, users: LocalIds) -> str:
    return f"@{users.short(user_id)}" if user_id in users else STRANGER


def _long_unless_a_word(word: str, users: LocalIds, known: str) -> str:
    if re.search(rf"(?<![\w@]){word}(?!\w)", known):
        return word
    try:
        return mention_of(users.long(word))
    except ValueError:
        return word
