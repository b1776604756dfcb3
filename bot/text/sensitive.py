"""Whether a text speaks of health, religion, politics, orientation or money: matters that are told of
nobody who did not ask for it.
"""

import re
from typing import Final

from bot.core.domain import GUILD_SUBJECT, Fact, Language
from bot.text.languages import either
from bot.text.tokens import shared_stems, stems

_MATTERS: Final = (
    either("sensitive_health"),
    either("sensitive_religion"),
    either("sensitive_politics"),
    either("sensitive_orientation"),
    either("sensitive_money"),
)


def _any(*tables: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w<@])(?:{'|'.join(tables)})(?!\w)")


_ANY: Final = _any(*_MATTERS)
_EACH: Final = [_any(words) for words in _MATTERS]
_SENTENCE: Final = re.compile(r"[^.!?…\n]*[.!?…\n]*\s*")


def says_sensitive(text: str) -> bool:
    """Tell whether `text` speaks of somebody's health, religion, politics, orientation or money."""
    return _ANY.search(_plain(text)) is not None


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
        for found in words.finditer(_plain(sentence)):
            said = stems(found[0])
            if said and shared_stems(said, known) == said:
                continue
            if not (is_translated and words.search(_plain(asked))):
                return False
    return True


def _plain(text: str) -> str:
    # Five times as fast as to ignore the case while looking.
    return text.lower().replace("ё", "е")
