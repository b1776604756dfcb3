"""Keeps attribution: a sentence that repeats what somebody said about another member, without saying who said it, is
replaced by the one that it was made from.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.core.domain import Fact, Language, mention_of
from bot.llm.framing import mentioned_in
from bot.memory.policy.redaction import sentences_of
from bot.text.sentences import say
from bot.text.tokens import LOOSELY_ALIKE, shared_stems, stems, telling_stems

_DAY: Final = re.compile(r"^\[\d{4}-\d\d-\d\d\]\s*")

_MOSTLY: Final = 0.5
"""So much of what a sentence says, said again, is that sentence in other words."""


def with_teller(fact: Fact) -> str:
    """Return the content of a fact, attributed to its teller unless that is its subject."""
    if not fact.is_hearsay or fact.content.startswith(f"{mention_of(fact.author_id)}:"):
        return fact.content
    language = Language.of(fact.content)
    return say("fact.told_by", language, teller=mention_of(fact.author_id), told=fact.content)


def keeping_tellers(text: str, sources: Sequence[str], *, subject_id: int) -> str:
    """Return `text` about a member with no sentence that leaves out whom the one of `sources` names that it retells.

    Such a sentence gives way to all sentences of `sources` that it retells. What is put in other words altogether is
    not recognised: what has no word in common with a source has to be refused by who looks for its sources.
    """
    said = [_Said.of(sentence, subject_id) for source in sources for sentence in sources_of(source)]
    if not any(one.names for one in said):
        return text
    pieces: list[str] = []
    for sentence in sentences_of(text):
        retold = _retold(_Said.of(sentence, subject_id), said)
        if not retold:
            pieces.append(sentence)
            continue
        blank = sentence[len(sentence.rstrip()) :] or " "
        pieces += [f"{_ended(one)}{blank}" for one in retold if one not in "".join(pieces)]
    return "".join(pieces).strip()


def sources_of(text: str) -> list[str]:
    """Return the sentences of a source, without the days before them."""
    return [one for sentence in sentences_of(text) if (one := _DAY.sub("", sentence.strip()))]


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence, its words, and the members whom it names besides its subject."""

    text: str
    words: frozenset[str]
    names: frozenset[int]

    @classmethod
    def of(cls, sentence: str, subject_id: int) -> "_Said":
        """Return `sentence` taken apart."""
        named = frozenset(mentioned_in(sentence)) - {subject_id}
        mentions = {mention_of(user_id) for user_id in (subject_id, *named)}
        return cls(sentence, telling_stems(sentence) - mentions - _says(), named)

    def shared_with(self, other: "_Said") -> frozenset[str]:
        """Return the words of this one that `other` says as well, in whatever form."""
        return shared_stems(self.words, other.words, common_part=LOOSELY_ALIKE)


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", "…")) else f"{sentence}."


@cache
def _says() -> frozenset[str]:
    told = (say("fact.told_by", language, teller="", told="") for language in Language)
    return frozenset().union(*map(stems, told))


def _retold(sentence: _Said, sources: Sequence[_Said]) -> list[str]:
    """Return the sentences that `sentence` retells, if it leaves out whom one of them names; else nothing."""
    shared = {one: one.shared_with(sentence) for one in sources}
    mostly = [one for one, words in shared.items() if words and len(words) >= _MOSTLY * len(one.words)]
    whole = [one for one in mostly if one.names <= sentence.names]
    nameless = [one for one in mostly if one not in whole and not _explained(shared[one], whole)]
    return [one.text for one in mostly if one in whole or one in nameless] if nameless else []


def _explained(words: Collection[str], whole: Sequence[_Said]) -> bool:
    return any(shared_stems(words, one.words, common_part=LOOSELY_ALIKE) == frozenset(words) for one in whole)
