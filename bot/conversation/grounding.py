"""Whether a member's own words bear out what a model wants kept: most of it must have been said by them."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from bot.conversation.candidates import name_parts, named_in
from bot.conversation.grammar import is_question
from bot.conversation.orders import Order, content_of, is_foreign, orders, own_words
from bot.domain import Member, mention_of
from bot.memory.overlap import LOOSELY_ALIKE, shared, stems, telling

LEAST_OVERLAP: Final = 1 / 3
"""So much of a fact must have been said; the rest is grammar, or put in other words."""

MOST_NEW: Final = 3
"""More new words than these, and than a third, were put in by the model, or by somebody through it."""

_CLAUSE: Final = re.compile(
    r"[,;:.!?…\n—–()]+|\s-\s|\s(?:and|but|so|because|и|но|а|потому что|und|aber|y|pero|et|mais|oraz|ale)\s",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"(?<=[.!?…])\s+|\n+")
_ASKS: Final = re.compile(r"[?？][\s.!?)…\"'»”]*$")
_CHANGED: Final = re.compile(
    r"""(?<!\w)(?:no\ longer|any\ ?more|not|never|now|nowadays|actually|instead|quit|stopped|gave\ up|broke\ up|left
    |moved|switched|changed|used\ to|over|wrong|hate
    |больше|уже|теперь|сейчас|раньше|бросил\w*|перестал\w*|расстал\w*|ушел|ушла|переехал\w*|сменил\w*|поменял\w*
    |перешел|перешла|на\ самом\ деле|вообще-то|разлюбил\w*|не|нет)(?!\w)|n['’]t(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
"""What says that something is so no longer."""


def like(some: Iterable[str], among: Iterable[str]) -> frozenset[str]:
    """Return those of `some` stems that have their like `among` others, whatever language inflects them."""
    return shared(some, among, common_part=LOOSELY_ALIKE)


def share(fact: frozenset[str], said: Iterable[str]) -> float:
    """Return how much of the stems of `fact`, which has some, was said: 0 to 1."""
    return len(like(fact, said)) / len(fact)


def is_supported(fact: frozenset[str], of_it: float) -> bool:
    """Tell whether a fact of which so large a part was said may be kept in a model's words."""
    new = len(fact) * (1 - of_it)
    return of_it >= LEAST_OVERLAP and new <= max(MOST_NEW, len(fact) * LEAST_OVERLAP)


def namings(subject_id: int, members: Sequence[Member]) -> frozenset[str]:
    """Return the stems by which a subject is named: a fact must say more than whom it is about."""
    subjects = [member for member in members if member.user_id == subject_id]
    return stems(" ".join([mention_of(subject_id), *(part for one in subjects for part in name_parts(one))]))


def stated(text: str) -> list[str]:
    """Return the clauses of `text` in which its author states something in their own words: none of a question's.

    Of a sentence that states and then asks ("I'm allergic to nuts, what can I eat?") the last clause asks.
    """
    if is_question(text):
        return []
    found: list[str] = []
    for sentence in _SENTENCE.split(own_words(text)):
        clauses = [clause for clause in _CLAUSE.split(sentence) if clause and clause.strip()]
        if is_question(sentence):
            continue
        found += clauses[:-1] if _ASKS.search(sentence) else clauses
    return found


def bears_out(text: str, content: str, *, subject_id: int, members: Sequence[Member]) -> bool:
    """Tell whether what `text` states bears out `content`: more than half of its words, and nothing denied or added.

    A fact that the author denies is not borne out, nor is one that denies what they say.
    """
    fact = telling(content) - stems("not") - namings(subject_id, members)
    clauses = stated(text)
    said = frozenset().union(*(content_of(clause) | stems(clause) for clause in clauses))
    if not fact or not said or not 2 * share(fact, said) > 1 or not is_supported(fact, share(fact, said)):
        return False
    best = max(clauses, key=lambda clause: share(fact, stems(clause)))
    return is_denied(best) == is_denied(content)


def may_end(text: str, content: str, *, subject_id: int, members: Sequence[Member]) -> bool:
    """Tell whether what `text` states may mean that `content` is so no longer: it speaks of it, and of a change."""
    fact = telling(content) - stems("not") - namings(subject_id, members)
    clauses = stated(text)
    speaks = any(like(fact, stems(clause)) for clause in clauses)
    changes = (
        any(_CHANGED.search(clause) for clause in clauses)
        or orders(text, Order.FORGET)
        or orders(text, Order.CORRECT)
        or is_foreign(text)
    )
    return speaks and changes


def is_denied(text: str) -> bool:
    """Tell whether `text` denies something."""
    return "not" in stems(text)


def is_named(subject_id: int, text: str, members: Sequence[Member]) -> bool:
    """Tell whether the author of `text` names a member in their own words."""
    return subject_id in named_in(own_words(text), members)
