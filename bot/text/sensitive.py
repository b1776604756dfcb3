"""Whether a text speaks of health, religion, politics, orientation or money: matters that are told of
nobody who did not ask for it.
"""

import re
from typing import Final

from bot.core.domain import GUILD_SUBJECT, Fact, Language
from bot.text.kinds import KINDS, Nature, plain
from bot.text.tokens import shared_stems, stems

_EACH: Final = [kind.words for kind in KINDS if kind.nature is Nature.SENSITIVE and kind.words is not None]
_SENTENCE: Final = re.compile(r"[^.!?…\n]*[.!?…\n]*\s*")


def says_sensitive(text: str) -> bool:
    """Tell whether `text` speaks of somebody's health, religion, politics, orientation or money."""
    said = plain(text)
    return any(words.search(said) is not None for words in _EACH)


def without_sensitive(text: str, *, asked: str = "") -> str:
    """Return `text` without the sentences that speak of such matters; it may be empty then.

    What stands in `asked`, which those whom it is about asked to have remembered, may be told again: by the same
    words, or in another alphabet by words of the same matter.
    """
    if not says_sensitive(text):
        return text
    return "".join(
        one for one in _SENTENCE.findall(text) if not says_sensitive(one) or _is_borne_out(one, asked)
    ).strip()


def may_be_told(fact: Fact) -> bool:
    """Tell whether a text about its subject may tell `fact`: of such matters only what they asked for themselves."""
    if not says_sensitive(fact.content):
        return True
    # What the server itself holds dear is nobody's own affair.
    return fact.is_explicit and fact.subject_id in (fact.author_id, GUILD_SUBJECT)


def _is_borne_out(sentence: str, asked: str) -> bool:
    """Tell whether everything sensitive that a sentence says stands in `asked`."""
    if not asked:
        return False
    known = stems(asked)
    is_translated = Language.of(sentence) is not Language.of(asked)
    for words in _EACH:
        for found in words.finditer(plain(sentence)):
            said = stems(found[0])
            if said and shared_stems(said, known) == said:
                continue
            if not (is_translated and words.search(plain(asked))):
                return False
    return True
