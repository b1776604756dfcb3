"""Whether a text tells a fact, how a fact is told without a model, and what of it all a prompt gets."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from bot.domain import Fact, Language, mention_of
from bot.memory.overlap import LOOSELY_ALIKE, shared, telling

PROMPT_CHARACTERS: Final = 2_000
"""What is remembered of one subject takes about so much of a prompt, so that one does not crowd out the others."""

_ONE_MAY_LACK: Final = 5
"""Of so many words one may have been put differently; identifiers never."""

_INVENTED: Final = 3
"""From so many words on, and from half of a sentence on, new words are more than another way to put it."""

_SENTENCE_END: Final = re.compile(r"(?<=[.!?…。！？;])\s+|\n+|(?<=[。！？])")


def dated(fact: Fact) -> str:
    """Return a fact as a sentence with the day on which it was said, and whether it is uncertain."""
    doubt = " (not certain)" if fact.tentative else ""
    return f"[{fact.said_at.date().isoformat()}] {fact.content}{doubt}"


def is_told(fact: Fact, text: str) -> bool:
    """Tell whether one sentence of `text`, or two beside each other, hold the content of `fact`.

    Numbers, dates, members and addresses must be there as they are; words in any form, and of five or more one
    may be missing. The member whom the fact is about need not be named. Only for a text in the fact's language.
    """
    needed = telling(fact.content) - {mention_of(fact.subject_id)}
    identifiers, words = identifiers_of(needed), needed - identifiers_of(needed)
    return any(
        identifiers <= said
        and len(words) - len(shared(words, said)) <= (1 if len(words) >= _ONE_MAY_LACK else 0)
        for said in _passages(text)
    )


def invented(text: str, sources: Sequence[str]) -> list[str]:
    """Return the sentences of `text` that say a good deal more than `sources` do, in the same language."""
    known = frozenset().union(*(telling(source) for source in sources))
    return [sentence for sentence in _sentences(text) if _says_more(telling(sentence), known)]


def names_the_same(fact: Fact, text: str) -> bool:
    """Tell whether `text`, in another language than `fact`, holds what no translation changes: numbers, members."""
    needed = identifiers_of(telling(fact.content) - {mention_of(fact.subject_id)})
    return needed <= telling(text)


def identifiers_of(stems: frozenset[str]) -> frozenset[str]:
    """Return the stems that are no words: numbers, dates, mentions, addresses."""
    return frozenset(stem for stem in stems if not stem.replace("'", "").isalpha())


def is_foreign(fact: Fact, language: Language) -> bool:
    """Tell whether `fact` is written in another alphabet than `language`."""
    return Language.of(fact.content) is not language


def for_prompt(narrative: str | None, facts: Sequence[Fact], *, limit: int = PROMPT_CHARACTERS) -> str:
    """Return what a prompt tells about a subject, `limit` characters at most.

    That is the `narrative` if there is one and it is short enough, else the facts as dated sentences, the most
    important and newest first, each whole or not at all.
    """
    if narrative and len(narrative) <= limit:
        return narrative
    told: list[str] = []
    left = limit
    for fact in sorted(facts, key=lambda one: (one.importance, one.said_at, one.fact_id), reverse=True):
        sentence = dated(fact)
        if len(sentence) < left:
            told.append(sentence)
            left -= len(sentence) + 1
    return "\n".join(told)


def _says_more(said: frozenset[str], known: frozenset[str]) -> bool:
    new = len(said) - len(shared(said, known, common_part=LOOSELY_ALIKE))
    return new >= _INVENTED and 2 * new > len(said)


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCE_END.split(text) if sentence and sentence.strip()]


def _passages(text: str) -> list[frozenset[str]]:
    sentences = [telling(sentence) for sentence in _sentences(text)]
    if len(sentences) < 2:
        return sentences
    return [one | next_one for one, next_one in pairwise(sentences)]
