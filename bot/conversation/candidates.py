"""Which members a model is told of: those who take part, and those whom a text may name in any spelling."""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.conversation.names.mentions import with_mentions
from bot.conversation.names.roster import Roster, name_key
from bot.conversation.names.vocabulary import is_function_word
from bot.domain import Member
from bot.language.local_mentions import mentioned_in
from bot.language.tongues import TONGUES, words_of

MOST_MEMBERS: Final = 30
"""More would make the prompt of every message dearer, and small models lose their way in it."""

_MOST_WORDS: Final = 40
"""So many words of a text are held against names."""

_SHORTEST: Final = 3
_ENDING: Final = 3
"""So many letters more or less may another case of a name have: Боб, Бобом."""

_ABBREVIATED: Final = 4
"""So many first letters stand for a longer name: Gruz for gruzilkin."""

_LETTERS: Final = dict(zip("абвгдезийклмнопрстуфыэіґ", "abvgdeziyklmnoprstufyeig", strict=True))
_PAIRS: Final = "ж zh х kh ц ts ч ch ш sh щ sch ю yu я ya ї yi є e".split()
_IN_ROMAN_LETTERS: Final = str.maketrans(
    _LETTERS | dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)) | dict.fromkeys("ъь", "")
)


def candidates(first: Iterable[int], texts: Sequence[str], roster: Roster) -> tuple[Member, ...]:
    """Return the members of `first`, then those whom `texts` name, those of the first text before the others.

    Nobody twice, and `MOST_MEMBERS` at most.
    """
    by_id = {member.user_id: member for member in roster}
    wanted = dict.fromkeys(first)
    for text in texts:
        wanted |= dict.fromkeys(named_in(text, roster))
    known = [by_id[user_id] for user_id in wanted if user_id in by_id]
    return tuple(known[:MOST_MEMBERS])


def named_in(text: str, members: Sequence[Member]) -> list[int]:
    """Return the members whom `text` mentions or may name: declined, shortened, or in the other alphabet."""
    roster = Roster.of(members)
    named = dict.fromkeys(mentioned_in(with_mentions(text, roster)))
    words = [word for word in dict.fromkeys(words_of(text)) if _may_be_a_name(word)][:_MOST_WORDS]
    for word in words:
        close_id = roster.close(word)
        exact = roster.named(word) or roster.declined(word) or (() if close_id is None else (close_id,))
        named |= dict.fromkeys(exact)
    romans = [_roman(word) for word in words]
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


def _may_be_a_name(word: str) -> bool:
    return (
        len(word) >= _SHORTEST
        and not is_function_word(word)
        and not any(word in tongue.words for tongue in TONGUES)
    )


def _parts(member: Member) -> frozenset[str]:
    return frozenset(_roman(part) for part in name_parts(member) if len(part) >= _SHORTEST)


def _roman(word: str) -> str:
    return word.translate(_IN_ROMAN_LETTERS)


def _is_like(word: str, part: str) -> bool:
    """Tell whether one of two words begins like the other and may be a form or a short form of it."""
    short, long = sorted((word.removesuffix("'s"), part), key=len)
    if not long.startswith(short):
        # Маша, Машу: only the ending differs.
        stem = part[:-1]
        return len(stem) >= _SHORTEST and word.startswith(stem) and len(word) - len(part) <= _ENDING
    return len(long) - len(short) <= _ENDING or (len(word) >= _ABBREVIATED and part.startswith(word))
