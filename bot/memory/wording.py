"""What a text says, as words that can be compared: stems, identifiers in one spelling, and whether it denies.

The words of a fact are all that a sentence must hold to say it. Both go by the stems of the guild's text search, so
that tombstones, which keep hashes alone, know it again.
"""

import re
from collections.abc import Sequence
from typing import Final

from bot.memory import identifiers
from bot.memory.tokens import is_negated
from bot.store import unsaying
from bot.store.database import Connection

_IDENTIFIER: Final = "="
"""Begins an identifier among the words."""

_SAYS: Final = "!yes"
_DENIES: Final = "!not"
_TONES: Final = frozenset({_SAYS, _DENIES})

_SEVERAL_CLAUSES: Final = re.compile(
    r"[,;:—–]|\s(?:and|but|while|because|though|although|и|а|но|хотя|зато|потому)\s", re.IGNORECASE
)
"""In such a sentence one clause may deny what the other says."""


def content(words: frozenset[str]) -> frozenset[str]:
    """Return `words` without whether something is denied."""
    return words - _TONES


def stems(words: frozenset[str]) -> frozenset[str]:
    """Return those of `words` that a text search has: neither identifiers nor whether something is denied."""
    return frozenset(word for word in words if word[0] not in (_IDENTIFIER, _SAYS[0]))


def names_one(word: str) -> bool:
    """Tell whether one of the words of a text is an identifier, which means one thing alone."""
    return word.startswith(_IDENTIFIER)


def tones(text: str) -> frozenset[str]:
    """Return whether `text` says, denies, or may do both in different clauses."""
    if not is_negated(text):
        return frozenset({_SAYS})
    return _TONES if _SEVERAL_CLAUSES.search(text) else frozenset({_DENIES})


async def words_of(
    connection: Connection, *, guild_id: int, texts: Sequence[str], subject_ids: Sequence[int]
) -> list[frozenset[str]]:
    """Return for each of `texts`, about the subject beside it, all words that a sentence must hold to say it."""
    plain = await matters_of(connection, guild_id=guild_id, texts=texts)
    return [
        (words - {str(subject_id)}) | {_DENIES if is_negated(text) else _SAYS}
        for text, subject_id, words in zip(texts, subject_ids, plain, strict=True)
    ]


async def matters_of(connection: Connection, *, guild_id: int, texts: Sequence[str]) -> list[frozenset[str]]:
    """Return the words of each of `texts`, which is no sentence: whether it denies anything is no matter."""
    found = await unsaying.stems_of(
        connection, guild_id=guild_id, sentences=[identifiers.respelt(text, blank=True) for text in texts]
    )
    # A dash between blanks is a word to the text search.
    return [
        frozenset(filter(_has_a_letter, stemmed)) | _spelt(identifiers.named(text))
        for text, stemmed in zip(texts, found, strict=True)
    ]


async def said_in(connection: Connection, *, guild_id: int, texts: Sequence[str]) -> list[frozenset[str]]:
    """Return for each of `texts` all words that it may be held to say, in whatever spelling."""
    found = await unsaying.stems_of(
        connection, guild_id=guild_id, sentences=[identifiers.respelt(text, blank=True) for text in texts]
    )
    return [
        frozenset(stemmed) | _spelt(identifiers.possible(text)) | tones(text)
        for text, stemmed in zip(texts, found, strict=True)
    ]


def _has_a_letter(stem: str) -> bool:
    return any(map(str.isalnum, stem))


def _spelt(spellings: frozenset[str]) -> frozenset[str]:
    return frozenset(_IDENTIFIER + spelling for spelling in spellings)
