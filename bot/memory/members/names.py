"""The spellings by which names are compared that are nobody's yet."""

from collections.abc import Collection, Iterable

from bot.core.domain import Member
from bot.memory.members.roster import POSSESSIVE, name_key
from bot.text.ru.declension import nominatives


def spelling_of(name: str) -> str:
    """Return what all spellings of one name share, also where it owns something: "Anna's" is Anna."""
    return POSSESSIVE.sub("", name_key(name))


def spellings_of(word: str) -> tuple[str, ...]:
    """Return the spelling of a name as it stands in a text, and those of all names of which it may be another case."""
    spelling = spelling_of(word)
    return tuple(dict.fromkeys((spelling, *nominatives(spelling)))) if spelling else ()


def names_borne(member: Member) -> tuple[str, ...]:
    """Return the names that a member bears now."""
    called = (member.user_name, member.display_name, member.nickname)
    return tuple(dict.fromkeys(name for name in called if name))


def spellings_borne(members: Iterable[Member], user_ids: Collection[int]) -> frozenset[str]:
    """Return the spellings of all names that these of `members` bear now."""
    return frozenset(
        spelling_of(name) for member in members if member.user_id in user_ids for name in names_borne(member)
    )
