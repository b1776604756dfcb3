"""Which members a model is told about, and whether a text supports what a model read from it."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from bot.core.domain import Member, mention_of
from bot.llm.framing import mentioned_in
from bot.memory.members.name_index import SHORTEST_BEGUN, may_be_a_name
from bot.memory.members.names import in_roman_letters
from bot.memory.members.roster import Roster, name_key
from bot.memory.members.subjects import with_mentions
from bot.text.grammar.parser import is_question
from bot.text.language_detection import words_of
from bot.text.languages import either
from bot.text.orders import Order, content_of, is_foreign, orders, own_words
from bot.text.tokens import LOOSELY_ALIKE, shared_stems, stems, telling_stems

MOST_MEMBERS: Final = 30
"""More would make the prompt of every message dearer, and small models lose their way in it."""

_MOST_WORDS: Final = 40
"""So many words of a text are held against names."""

_ENDING: Final = 3
"""So many letters more or less may another case of a name have: Боб, Бобом."""

_ABBREVIATED: Final = 4
"""So many first letters stand for a longer name: Gruz for gruzilkin."""


def candidates(first: Iterable[int], texts: Sequence[str], roster: Roster) -> tuple[Member, ...]:
    """Return the members of `first`, then those named in `texts`, in the order of the texts.

    Each member once, and at most `MOST_MEMBERS`.
    """
    by_id = {member.user_id: member for member in roster}
    wanted = dict.fromkeys(first)
    for text in texts:
        wanted |= dict.fromkeys(named_in(text, roster))
    known = [by_id[user_id] for user_id in wanted if user_id in by_id]
    return tuple(known[:MOST_MEMBERS])


def named_in(text: str, members: Sequence[Member]) -> list[int]:
    """Return the members whom `text` mentions or may name: declined, shortened, or in another alphabet."""
    roster = Roster.of(members)
    named = dict.fromkeys(mentioned_in(with_mentions(text, roster)))
    words = [word for word in dict.fromkeys(words_of(text)) if may_be_a_name(word)][:_MOST_WORDS]
    for word in words:
        close_id = roster.close(word)
        exact = roster.named(word) or roster.declined(word) or (() if close_id is None else (close_id,))
        named |= dict.fromkeys(exact)
    romans = [in_roman_letters(word) for word in words]
    for member in roster:
        if member.user_id not in named and any(
            _is_like(word, part) for part in _parts(member) for word in romans
        ):
            named[member.user_id] = None
    return list(named)


def name_parts(member: Member) -> frozenset[str]:
    """Return the words of all names of `member`, as they are spelt."""
    names = (member.nickname, member.display_name, member.user_name, *member.aliases, *member.old_names)
    return frozenset(part for name in names for part in words_of(name)) | {
        name_key(name) for name in names if name
    }


def _parts(member: Member) -> frozenset[str]:
    return frozenset(in_roman_letters(part) for part in name_parts(member) if len(part) >= SHORTEST_BEGUN)


def _is_like(word: str, part: str) -> bool:
    """Tell whether one of two words begins like the other and may be a form or a short form of it."""
    short, long = sorted((word.removesuffix("'s"), part), key=len)
    if not long.startswith(short):
        # Маша, Машу: only the ending differs.
        stem = part[:-1]
        return len(stem) >= SHORTEST_BEGUN and word.startswith(stem) and len(word) - len(part) <= _ENDING
    return len(long) - len(short) <= _ENDING or (len(word) >= _ABBREVIATED and part.startswith(word))


LEAST_OVERLAP: Final = 1 / 3
"""So much of a fact must have been said; the rest is grammar, or put in other words."""

MOST_NEW: Final = 3
"""More new words than these, and than a third, were put in by the model, or by somebody through it."""

_CLAUSE: Final = re.compile(
    rf"[,;:.!?…\n—–()]+|\s-\s|\s(?:{either('joins_clauses')}|und|aber|y|pero|et|mais|oraz|ale)\s",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"(?<=[.!?…])\s+|\n+")
_ASKS: Final = re.compile(r"[?？][\s.!?)…\"'»”]*$")
_CHANGED: Final = re.compile(rf"(?<!\w){either('changed')}(?!\w)|n['’]t(?!\w)", re.IGNORECASE)
"""What says that something is so no longer."""


def like(some: Iterable[str], among: Iterable[str]) -> frozenset[str]:
    """Return those of `some` stems that have their like `among` others, whatever language inflects them."""
    return shared_stems(some, among, common_part=LOOSELY_ALIKE)


def share(fact: frozenset[str], said: Iterable[str]) -> float:
    """Return how much of the stems of `fact`, which has some, was said: 0 to 1."""
    return len(like(fact, said)) / len(fact)


def is_supported(fact: frozenset[str], of_it: float) -> bool:
    """Tell whether a fact may be kept in a model's words if this share of it was said."""
    new = len(fact) * (1 - of_it)
    return of_it >= LEAST_OVERLAP and new <= max(MOST_NEW, len(fact) * LEAST_OVERLAP)


def namings(subject_id: int, members: Sequence[Member]) -> frozenset[str]:
    """Return the stems that name a subject: a fact must contain more than these."""
    subjects = [member for member in members if member.user_id == subject_id]
    return stems(" ".join([mention_of(subject_id), *(part for one in subjects for part in name_parts(one))]))


def stated(text: str) -> list[str]:
    """Return the clauses of `text` that its author states in their own words, none of a question.

    In a sentence that states and then asks ("I'm allergic to nuts, what can I eat?") the last clause asks.
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
    """Tell whether `text` supports `content`: it has more than half of its words, and nothing is negated or added.

    A fact that the author denies is not supported, nor is one that negates what they say.
    """
    fact = telling_stems(content) - stems("not") - namings(subject_id, members)
    clauses = stated(text)
    said = frozenset().union(*(content_of(clause) | stems(clause) for clause in clauses))
    if not fact or not said or not 2 * share(fact, said) > 1 or not is_supported(fact, share(fact, said)):
        return False
    best = max(clauses, key=lambda clause: share(fact, stems(clause)))
    return is_denied(best) == is_denied(content)


def may_end(text: str, content: str, *, subject_id: int, members: Sequence[Member]) -> bool:
    """Tell whether what `text` states may mean that `content` is so no longer: it speaks of it, and of a change."""
    fact = telling_stems(content) - stems("not") - namings(subject_id, members)
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
