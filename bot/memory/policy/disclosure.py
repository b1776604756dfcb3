"""The disclosure policy: what a member may be told about another one, by the guild's settings, the kind of the fact and
its words.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from enum import IntEnum
from functools import cache
from typing import Final, assert_never

from bot.core.domain import GUILD_SUBJECT, NOBODY, DisclosurePolicy, Fact, FactCategory, FactOrigin, Guild
from bot.llm.framing import mentioned_in
from bot.memory.policy.redaction import kept_sentences, sentences_of
from bot.text import kinds
from bot.text.accusations import speaks_of_misdeeds
from bot.text.dangers import Plan, is_needed
from bot.text.deeds import may_be_told
from bot.text.en.extraction import PARTS as ENGLISH
from bot.text.extraction import is_private, was
from bot.text.instructions import instructs
from bot.text.languages import either, every_word
from bot.text.ru.extraction import PARTS as RUSSIAN
from bot.text.tokens import content_stems, is_negated
from bot.text.topics import Topic, stems_about

_LIKED: Final = (
    Topic.FOOD,
    Topic.DRINK,
    Topic.MUSIC,
    Topic.GAMES,
    Topic.SCREEN,
    Topic.READING,
    Topic.SPORT,
    Topic.TRAVEL,
    Topic.PETS,
    Topic.COMPUTERS,
)
_NOT_LIKED: Final = every_word("not_only_taste")
"""Of those topics what may say more of somebody than their taste."""

_BESIDES: Final = every_word("besides_topics")
_FAVOURITE: Final = every_word("favourites")
_QUALIFIED: Final = every_word("beside_a_job")
_LETTERS: Final = re.compile(r"[^\W\d_]{3,}")

_MOST_WORDS: Final = 4
"""A favourite in more words is a story."""

_JOINING: Final = every_word("joins_a_place")


def is_harmless(fact: Fact) -> bool:
    """Tell whether a fact that nobody asked to have remembered is of a kind that may be told to others."""
    kind, _, thing = fact.key.partition(":")
    if says_personal(fact.content):
        return False
    match kind:
        case "lives_in":
            return _is_place(was(fact.value) or fact.value)
        case "works_as":
            return _all_in(was(fact.value) or fact.value, _jobs())
        case "studies":
            return _all_in(was(fact.value) or fact.value, _subjects())
        case "likes":
            return _all_in(thing, _things())
        case "favorite":
            return _all_in(thing, _favourite_things()) and len(fact.value.split()) <= _MOST_WORDS
        case "event" | "note" | "profile" | "place":
            return kinds.is_harmless(fact.content)
        case _:
            return kind in _KEYS


def _all_in(words: str, known: frozenset[str]) -> bool:
    stems = content_stems(words)
    return bool(stems) and stems <= known


def _is_place(value: str) -> bool:
    """Tell whether a value is the name of a town or country: "Portland, Oregon", not "poverty"."""
    names = [word for word in value.replace(",", " ").split() if word.lower() not in _JOINING]
    return 0 < len(names) <= _MOST_WORDS and all(
        name[0].isupper() and not any(map(str.isdigit, name)) for name in names
    )


@cache
def _things() -> frozenset[str]:
    return (stems_about(_LIKED) | content_stems(" ".join(_BESIDES))) - content_stems(" ".join(_NOT_LIKED))


@cache
def _favourite_things() -> frozenset[str]:
    return _things() | content_stems(" ".join(_FAVOURITE))


@cache
def _jobs() -> frozenset[str]:
    listed = _LETTERS.findall(f"{ENGLISH['jobs']} {RUSSIAN['jobs']}")
    return content_stems(" ".join(listed)) | content_stems(" ".join(_QUALIFIED))


@cache
def _subjects() -> frozenset[str]:
    listed = _LETTERS.findall(f"{ENGLISH['subjects']} {RUSSIAN['studied']}")
    return content_stems(" ".join(listed)) | content_stems("computer science")


_KEYS: Final = frozenset(key for kind in kinds.HARMLESS for key in kind.keys)
_YEAR: Final = re.compile(
    rf",?\ (?:19|20)\d\d\b(?:\ {either('after_a_year')})?|\b(?:19|20)\d\d-(?=\d\d-\d\d)"
)
_SOMEBODY: Final = re.compile(rf"(?<![\w']){either('somebody')}(?![\w'])|<@!?\d+>")


class DisclosureLevel(IntEnum):
    """How much about a member may be told to an asker; of two levels the smaller one applies."""

    NOTHING = 0
    SAID = 1
    """What was said openly and what they did."""
    ALL = 2
    """Whatever may be seen where it is asked."""


def disclosure_level(
    guild: Guild | None, *, asker_id: int, subject_id: int, from_moderator: bool, is_private: bool
) -> DisclosureLevel:
    """Return how much about `subject_id` may be told to `asker_id`.

    Everything about oneself and the guild, nothing about private members, and about others as the guild's managers set
    it.
    """
    if subject_id in {asker_id, GUILD_SUBJECT}:
        return DisclosureLevel.ALL
    if is_private:
        return DisclosureLevel.NOTHING
    telling = DisclosurePolicy.SAID if guild is None else guild.telling_others
    match telling:
        case DisclosurePolicy.OPEN:
            return DisclosureLevel.ALL
        case DisclosurePolicy.SAID:
            return DisclosureLevel.SAID
        case DisclosurePolicy.MODERATORS:
            return DisclosureLevel.SAID if from_moderator else DisclosureLevel.NOTHING
    assert_never(telling)


def may_be_disclosed(
    fact: Fact, how: DisclosureLevel, *, asker_id: int, plans: Collection[Plan] = ()
) -> bool:
    """Tell whether a fact may be told to `asker_id`, to whom the disclosure level `how` applies.

    Its teller knows it, and must see it to have it forgotten. What somebody asked to have remembered is told, except
    for kinds that are for the subject only; what was picked up is told only if its kind is harmless. An asker who plans
    `plans` is also told what they must know to keep the subject safe.
    """
    if how is not DisclosureLevel.SAID or fact.author_id == asker_id:
        return how is not DisclosureLevel.NOTHING
    if fact.category is FactCategory.FEELING:
        return False
    if not fact.is_explicit:
        return not (fact.origin is FactOrigin.LEARNING and fact.tentative) and is_harmless(fact)
    if fact.author_id == fact.subject_id:
        return kinds.kept_alone(fact.content) is None or is_needed(
            fact.content, subject_id=fact.subject_id, plans=plans
        )
    return not any(kind.is_refused or not kind.is_own_told for kind in kinds.harms_in(fact.content))


def as_disclosed(fact: Fact, *, asker_id: int) -> Fact:
    """Return a fact as others are told it: without the year of a birthday that nobody asked to have remembered."""
    if (
        fact.is_explicit
        or not fact.key.startswith("birthday")
        or asker_id in (fact.subject_id, fact.author_id)
    ):
        return fact
    return replace(fact, content=_YEAR.sub("", fact.content), value=_YEAR.sub("", fact.value))


def told_openly(
    text: str,
    how: DisclosureLevel,
    *,
    subject_id: int = NOBODY,
    plans: Collection[Plan] = (),
    facts: Collection[Fact] = (),
) -> str:
    """Return the sentences of a text about `subject_id` that may be told to an asker with the disclosure level `how`.

    A sentence that only repeats one of the `facts`, which are told anyway, may be told. An asker who plans `plans` is
    told what they must know to keep `subject_id` safe.
    """
    match how:
        case DisclosureLevel.ALL:
            return text
        case DisclosureLevel.NOTHING:
            return ""
        case DisclosureLevel.SAID:
            told = [(_matter(fact.content), is_negated(fact.content)) for fact in facts]
            return "".join(
                one
                for one in sentences_of(text)
                if may_be_told(one)
                or any(frozenset() < _matter(one) <= matter and is_negated(one) is no for matter, no in told)
                or is_needed(one, subject_id=subject_id, plans=plans)
            ).strip()
    assert_never(how)


def _matter(text: str) -> frozenset[str]:
    """Return the words that say something, in whatever form, and whom a text names."""
    return content_stems(text) | frozenset(map(str, mentioned_in(text)))


def without_naming(text: str, user_ids: Collection[int]) -> str:
    """Return `text` without the sentences that name one of these members."""
    named = frozenset(user_ids)
    return kept_sentences(text, lambda sentence: named.isdisjoint(mentioned_in(sentence)))


def is_said_by_or_names(user_ids: Collection[int], text: str, *, author_id: int) -> bool:
    """Tell whether one of these members wrote a message, or is named in its `text`."""
    return author_id in user_ids or not frozenset(user_ids).isdisjoint(mentioned_in(text))


def says_personal(text: str) -> bool:
    """Tell whether `text` speaks of anything that is sensitive, private or unkind."""
    return kinds.harm_in(text) is not None


def speaks_of_somebody(text: str) -> bool:
    """Tell whether `text` speaks of whoever says it, or of another single person."""
    return _SOMEBODY.search(text.lower().replace("’", "'")) is not None


def may_be_quoted(text: str) -> bool:
    """Tell whether what somebody said in a channel may be quoted to those who can read it there."""
    return not (says_personal(text) or is_private(text) or instructs(text) or speaks_of_misdeeds(text))
