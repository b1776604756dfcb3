"""The disclosure policy: what a member is told about another one, by the settings of the guild, the kind
of the fact and the words that it uses.
"""

import re
from collections.abc import Collection
from enum import IntEnum
from functools import cache
from typing import Final, assert_never

from bot.core.domain import GUILD_SUBJECT, DisclosurePolicy, Fact, FactCategory, FactOrigin, Guild
from bot.memory.policy.redaction import sentences_of
from bot.text.en.extraction import PARTS as ENGLISH
from bot.text.extraction import is_private
from bot.text.languages import either, every_word
from bot.text.ru.extraction import PARTS as RUSSIAN
from bot.text.sensitive import says_sensitive
from bot.text.tokens import content_stems
from bot.text.topics import Topic, stems_about

_MATTERS: Final = (
    either("matter_medicines"),
    either("matter_the_body"),
    either("matter_despair"),
    either("matter_quarrels"),
    either("matter_drink_and_play"),
    either("matter_the_law"),
    either("matter_pay"),
    either("matter_being_away"),
    either("matter_insults"),
)

_ANY: Final = re.compile(rf"(?<![\w<@])(?:{'|'.join(_MATTERS)})(?!\w)")


def is_private_matter(text: str) -> bool:
    """Tell whether `text` speaks of medicines, the body, despair, quarrels, drink, the law, pay, absence or abuse."""
    return _ANY.search(text.lower().replace("’", "'")) is not None


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
    """Tell whether a fact that was read out of plain words is of a kind that may be told to others."""
    kind, _, thing = fact.key.partition(":")
    match kind:
        case "name" | "alias" | "pronouns" | "birthday":
            return True
        case "lives_in":
            return _is_place(fact.value)
        case "works_as":
            return _all_in(fact.value, _jobs())
        case "studies":
            return _all_in(fact.value, _subjects())
        case "likes":
            return _all_in(thing, _things())
        case "favorite":
            return _all_in(thing, _favourite_things()) and len(fact.value.split()) <= _MOST_WORDS
        case _:
            return False


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


_FELT: Final = (ENGLISH["moods"], *(RUSSIAN[part] for part in ("moods", "states", "as_felt")), either("felt"))
_PERSONAL: Final = re.compile(rf"(?<![\w<@])(?:{'|'.join((*_FELT, either('loved'), either('hours')))})(?!\w)")
_SOMEBODY: Final = re.compile(rf"(?<![\w']){either('somebody')}(?![\w'])|<@!?\d+>")
_MENTION: Final = re.compile(r"<@!?(\d{1,19})>")


class DisclosureLevel(IntEnum):
    """How much about somebody may be told to one who asks; of two the smaller one holds."""

    NOTHING = 0
    SAID = 1
    """What was said openly and what they did."""
    ALL = 2
    """Whatever may be seen where it is asked."""


def disclosure_level(
    guild: Guild | None, *, asker_id: int, subject_id: int, from_moderator: bool, is_private: bool
) -> DisclosureLevel:
    """Return how much about `subject_id` may be told to `asker_id`.

    Of oneself and of the guild all; of those who are private nothing; of others as the guild's managers set it.
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


def may_be_disclosed(fact: Fact, how: DisclosureLevel, *, asker_id: int) -> bool:
    """Tell whether a fact may be told to `asker_id`, who may know about its subject as `how` says.

    Whoever told it knows it, and must see it to have it forgotten. What nobody asked to have remembered is told
    where it is of a kind that is known to be harmless.
    """
    if how is not DisclosureLevel.SAID or fact.author_id == asker_id:
        return how is not DisclosureLevel.NOTHING
    return may_be_prompted(fact, how, asker_id=asker_id) and (
        fact.origin is not FactOrigin.PATTERN or is_harmless(fact)
    )


def may_be_prompted(fact: Fact, how: DisclosureLevel, *, asker_id: int) -> bool:
    """Tell whether a model that replies to `asker_id` may be given a fact, whose words it does not repeat as such."""
    if how is not DisclosureLevel.SAID or fact.author_id == asker_id:
        return how is not DisclosureLevel.NOTHING
    guessed = fact.origin is FactOrigin.LEARNING and fact.tentative
    return not guessed and fact.category is not FactCategory.FEELING and not says_personal(fact.content)


def told_openly(text: str, how: DisclosureLevel) -> str:
    """Return of a text about somebody the sentences that may be told to one who may know as `how` says."""
    match how:
        case DisclosureLevel.ALL:
            return text
        case DisclosureLevel.NOTHING:
            return ""
        case DisclosureLevel.SAID:
            return "".join(one for one in sentences_of(text) if not says_personal(one)).strip()
    assert_never(how)


def without_naming(text: str, user_ids: Collection[int]) -> str:
    """Return `text` without the sentences that name one of these members."""
    if not user_ids or not any(int(found[1]) in user_ids for found in _MENTION.finditer(text)):
        return text
    kept = (
        one
        for one in sentences_of(text)
        if not any(int(found[1]) in user_ids for found in _MENTION.finditer(one))
    )
    return "".join(kept).strip()


def says_personal(text: str) -> bool:
    """Tell whether `text` speaks of feelings, love, what is sensitive or private, or of when somebody is there."""
    return _PERSONAL.search(text.lower()) is not None or says_sensitive(text) or is_private_matter(text)


def speaks_of_somebody(text: str) -> bool:
    """Tell whether `text` speaks of whoever says it, or of another single person."""
    return _SOMEBODY.search(text.lower().replace("’", "'")) is not None


def may_be_quoted(text: str) -> bool:
    """Tell whether what somebody said in a channel may be quoted to those who can read it there."""
    return not says_personal(text) and not is_private(text)
