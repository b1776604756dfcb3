"""The index of names: finds the members whose names may occur in a text, however many members a guild has.

A name is stored by `keys_of`, and a text is searched by `probes_in`: anybody whom a `Roster` of all members would find
in the text shares a key with it. The index finds candidates; a roster of these decides who is meant.
"""

import hashlib
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from bot.core.domain import Member
from bot.memory.members.names import in_roman_letters, names_borne
from bot.memory.members.roster import (
    CLOSE_SCORE,
    POSSESSIVE,
    SHORTEST_CLOSE,
    name_key,
    undecorated_key,
)
from bot.text.grammar.words import is_function_word
from bot.text.language_detection import COMMON_WORDS, words_of
from bot.text.names import relatives
from bot.text.ru.declension import nominatives, owners

SHORTEST_BEGUN: Final = 3
"""Letters of a word that may begin a name, or be begun by one."""

MOST_BEARERS: Final = 25
"""Members that one name finds: a question which of more is meant would help nobody."""

_MOST_OF_A_PAIR: Final = 50
"""Of names of several words the first two are looked up, and more names begin alike than are alike."""

_MOST_SLIPPED: Final = 50
_MOST_BEGUN: Final = 10
"""Of those whose name only begins like a word, few are ever told of."""

_MOST_WORDS: Final = 1_000
_MOST_SLIPS_SOUGHT: Final = 80
"""Words of a text, and those of them that may be misspelt names: what is far behind is seldom asked about."""

_MOST_JOINED: Final = 3
"""Words that are looked at together for a slip in a name of several words."""

_WORDS_KEPT: Final = 4_096
"""Words of texts of which it is kept what names they may stand for. The common ones come again and again; the others
are as many as is talked, and of each up to two kilobytes are kept."""

_ENDS: Final = 3
"""Letters at the beginning or the end of a name that one slip leaves as they are."""

_BETWEEN: Final = range(1, 6)
"""Letters before what two slips leave as it is."""

_CHUNK: Final = re.compile(r"\S+")
_OUTER: Final = re.compile(r"^[^\w@]+|[^\w]+$")
_PIECES: Final = tuple(map(re.compile, (r"[\w'’-]+", r"[\w-]+", r"\w+", r"[^\W\d_]+(?:['’][^\W\d_]+)*")))

_OWNING: Final = ("'", "’", "'s", "’s")
"""What is taken for the ending of an owner where a name itself ends so."""

Probes = Mapping[int, int]
"""How many members at most are to be found by each key."""


def keys_of(member: Member) -> list[int]:
    """Return the keys by which a member is found, by names borne now and by those given up.

    Those of whole names, which whoever bears the same has too, are above 0, and all others below.
    """
    found: set[int] = set()
    for name in (*names_borne(member), *member.old_names):
        for key in {name_key(name), undecorated_key(name)} - {""}:
            found.update(_keys_of_name(key))
        for part in {name_key(name), *words_of(name)}:
            if len(part) >= SHORTEST_BEGUN:
                found.update(map(_other, _begun_by_name(in_roman_letters(part))))
    return sorted(found)


def _keys_of_name(key: str) -> Iterator[int]:
    yield _of_whole(key)
    first, *others = key.split()
    if others:
        yield _other(f"1{first}")
    size = len(key)
    if size >= SHORTEST_CLOSE:
        yield _other(f"s{size}{key[:_ENDS]}{key[-1]}")
        yield _other(f"t{size}{key[0]}{key[-_ENDS:]}")
    if size > 2 * _ENDS + 1:
        yield _other(f"m{size}{key[0]}{key[-1]}{key[_ENDS:-_ENDS]}")


def probes_in(texts: Iterable[str]) -> Probes:
    """Return the keys of all names that may stand in `texts`, in any case and with a slip."""
    found: dict[int, int] = {}
    for text in texts:
        for key, most in itertools.chain(_of_words(text), _of_slips(text), _of_beginnings(text)):
            found[key] = max(most, found.get(key, 0))
    return found


def probes_of(names: Iterable[str]) -> Probes:
    """Return the keys of those who bear one of these names, or one that begins with the same two words."""
    keys = {name_key(name) for name in names} - {""}
    return {_of_whole(key): MOST_BEARERS for name in keys for key in (name, *(name + end for end in _OWNING))}


def _of_words(text: str) -> Iterator[tuple[int, int]]:
    chunks = list(dict.fromkeys(_CHUNK.findall(text)[:_MOST_WORDS]))
    for form in {form for chunk in chunks for form in _forms(chunk)}:
        yield _whole(form), MOST_BEARERS
        yield _other(f"1{form}"), MOST_BEARERS
    for one, other in dict.fromkeys(itertools.pairwise(_CHUNK.findall(text)[:_MOST_WORDS])):
        for first, second in itertools.product(_cases(one), _cases(other)):
            yield _whole(f"{first} {second}"), _MOST_OF_A_PAIR


@lru_cache(maxsize=_WORDS_KEPT)
def _spellings(chunk: str) -> frozenset[str]:
    """Return what stands between blanks, as a name and without what may stand around or behind one."""
    keys = {name_key(chunk), name_key(_OUTER.sub("", chunk))}
    return frozenset(keys | {POSSESSIVE.sub("", key) for key in keys}) - {""}


@lru_cache(maxsize=_WORDS_KEPT)
def _cases(chunk: str) -> frozenset[str]:
    """Return the spellings of a word of a name, and all of which it may be another case."""
    spellings = _spellings(chunk)
    return spellings.union(*map(nominatives, spellings))


@lru_cache(maxsize=_WORDS_KEPT)
def _forms(chunk: str) -> frozenset[str]:
    """Return all names that a word may stand for: in another case, of an owner, in a familiar form."""
    pieces = {name_key(piece) for pattern in _PIECES for piece in pattern.findall(chunk)}
    pieces |= {POSSESSIVE.sub("", piece) for piece in pieces}
    # "annas bday" is typed for "Anna's".
    pieces |= {piece[:-1] for piece in pieces if piece.endswith("s")}
    found = _cases(chunk).union(pieces, *map(nominatives, pieces))
    found = found.union(*map(owners, _spellings(chunk) | pieces))
    others = frozenset[str]().union(*map(relatives, found))
    return found.union(others, *map(nominatives, others)) - {""}


def _of_slips(text: str) -> Iterator[tuple[int, int]]:
    chunks = _CHUNK.findall(text)[:_MOST_SLIPS_SOUGHT]
    windows = (
        chunks[at : at + count]
        for count in range(1, _MOST_JOINED + 1)
        for at in range(len(chunks) - count + 1)
    )
    for words in dict.fromkeys(" ".join(window) for window in windows):
        pieces = (
            set(_PIECES[0].findall(words)) | set(_PIECES[2].findall(words)) if " " not in words else set()
        )
        for key in _spellings(words) | frozenset(map(name_key, pieces)):
            for slip in _slips(key):
                yield slip, _MOST_SLIPPED


@lru_cache(maxsize=_WORDS_KEPT)
def _slips(written: str) -> tuple[int, ...]:
    """Return the keys of names that begin and end like `written`, and differ by slips at two places at most."""
    size = len(written)
    if size < SHORTEST_CLOSE:
        return ()
    found: list[str] = []
    for other in range(SHORTEST_CLOSE, 2 * size):
        most_changed = (size + other) * (100 - CLOSE_SCORE) // 100
        if abs(size - other) > most_changed:
            continue
        found.append(f"s{other}{written[:_ENDS]}{written[-1]}")
        found.append(f"t{other}{written[0]}{written[-_ENDS:]}")
        between = other - 2 * _ENDS
        if most_changed > 1:
            found += [
                f"m{other}{written[0]}{written[-1]}{written[start : start + between]}"
                for start in _BETWEEN
                if start + between < size
            ]
    return tuple(map(_other, dict.fromkeys(found)))


def may_be_a_name(word: str) -> bool:
    """Tell whether a word, as `words_of` gives it, may be a name or begin one: it is long, and no common word."""
    return (
        len(word) >= SHORTEST_BEGUN
        and not is_function_word(word)
        and not any(word in tongue.words for tongue in COMMON_WORDS)
    )


def _of_beginnings(text: str) -> Iterator[tuple[int, int]]:
    for word in list(filter(may_be_a_name, dict.fromkeys(words_of(text))))[:_MOST_SLIPS_SOUGHT]:
        roman = in_roman_letters(word)
        for spelling in {roman, roman.removesuffix("'s")}:
            yield from ((_other(key), _MOST_BEGUN) for key in _begun_by_word(spelling))


def _begun_by_name(part: str) -> list[str]:
    """Return by which letters a word of a name is found that may be a form or a short form of another."""
    if len(part) <= SHORTEST_BEGUN + 1:
        return [f"3{part[:3]}"]
    return [f"4{part[:4]}", *([f"5{part[:3]}"] if len(part) <= 2 * SHORTEST_BEGUN else [])]


def _begun_by_word(word: str) -> list[str]:
    if len(word) <= SHORTEST_BEGUN:
        return [f"3{word[:3]}", f"5{word[:3]}"]
    return [f"3{word[:3]}", f"4{word[:4]}"]


def _of_whole(key: str) -> int:
    """Return the key of a name of one word, or of all names that begin with the same two."""
    return _whole(" ".join(key.split()[:2]))


def _whole(name: str) -> int:
    return _hashed(f"={name}")


def _other(key: str) -> int:
    return -_hashed(key)


def _hashed(key: str) -> int:
    """Return a number from 1 to 2^62 for a key; that two have the same is as rare as it is harmless."""
    return (int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest()) >> 2) + 1
