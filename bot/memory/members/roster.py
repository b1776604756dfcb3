"""The members of a guild by all their names, and whom a name means."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final, TypeAlias, overload

from rapidfuzz import fuzz, process

from bot.core.domain import MAX_ID, MENTION, Member
from bot.llm.framing import LocalIds
from bot.text.languages import either
from bot.text.names import relatives, without_accents
from bot.text.ru.declension import Case, in_case, is_russian, nominatives, owners, spelt_in_case

CLOSE_SCORE: Final = 88
"""Likeness (0 to 100) of a slip of the pen; Martin and Marvin have 83, Sasha and Dasha 80."""

CLOSEST_SCORE: Final = 60
"""Likeness from which a name is worth offering: "do you mean ...?"."""

SHORTEST_CLOSE: Final = 6
"""Letters of names that may be misspelt and still be known: among short names every slip is another name."""

POSSESSIVE: Final = re.compile(r"['’]s?$")
_FEWEST_LETTERS: Final = 2
_DECORATION: Final = re.compile(r"[^\w\s.'’-]+")


NAMES_KEPT: Final = 16_384
"""Names whose key is kept: those of a few large guilds, so that a new roster of the same people is cheap."""


@lru_cache(maxsize=NAMES_KEPT)
def name_key(name: str) -> str:
    """Return what two spellings of one name share: no leading @, one case, no accents, single blanks."""
    folded = without_accents(unicodedata.normalize("NFKC", name).casefold())
    folded = " ".join(folded.split())
    return folded.lstrip("@").lstrip() or folded


@lru_cache(maxsize=NAMES_KEPT)
def undecorated_key(name: str) -> str:
    """Return the key of the words of a name without signs: "luna" for "🌸 Luna ✨"; "" for a name without any."""
    bare = _DECORATION.sub(" ", name)
    if bare == name:
        return ""
    key = name_key(bare)
    return key if sum(map(str.isalnum, key)) >= _FEWEST_LETTERS else ""


class Roster(Sequence[Member]):
    """Members with lookups that are built once, at first use.

    It is a sequence of members: callers that ask about one guild repeatedly should pass the same roster.
    """

    def __init__(self, members: Iterable[Member]) -> None:
        self._members: Final = tuple(members)

    @classmethod
    def of(cls, members: Sequence[Member]) -> "Roster":
        """Return `members` as a roster; a roster is returned as it is."""
        return members if isinstance(members, Roster) else cls(members)

    @overload
    def __getitem__(self, index: int) -> Member: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Member]: ...
    def __getitem__(self, index: int | slice) -> Member | Sequence[Member]:
        return self._members[index]

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Member]:
        return iter(self._members)

    @cached_property
    def user_ids(self) -> frozenset[int]:
        """The ids of all members."""
        return frozenset(self._by_id)

    def named(self, name: str) -> tuple[int, ...]:
        """Return all members called `name` by a current name, else by a former one; () if there are none.

        All kinds of names are equal: taking somebody's name as a nickname does not make one them.
        """
        key = name_key(name)
        return self._first_hit((key,)) if key else ()

    def declined(self, name: str) -> tuple[int, ...]:
        """Return the members whose name has `name` as another case («Маше») or as its possessive ("Bob's")."""
        key = name_key(name)
        owner = POSSESSIVE.sub("", key)
        if owner != key and (hit := self._first_hit((owner,))):
            return hit
        return self._first_hit(nominatives(owner))

    def meant(self, name: str) -> tuple[int, ...]:
        """Return the members whom `name` may mean, as it is or as a grammatical case of their names."""
        return tuple(dict.fromkeys((*self.named(name), *self.declined(name))))

    def owning(self, adjective: str) -> tuple[int, ...]:
        """Return the members whose possessive `adjective` is: «Петин» is Петя's."""
        return self._first_hit(owners(name_key(adjective)))

    def owner_of(self, adjective: str) -> str | None:
        """Return the genitive of the name whose possessive `adjective` is: «Пети» for «Петин»; `None` for nobody's."""
        name = next((one for one in owners(name_key(adjective)) if self.named(one)), None)
        return None if name is None else in_case(name.capitalize(), Case.GENITIVE)

    def familiar(self, name: str) -> tuple[int, ...]:
        """Return the members who go by another form of `name`, also declined: «Шура» is Саша, "Liz" Elizabeth."""
        key = POSSESSIVE.sub("", name_key(name))
        others = {other for one in (key, *nominatives(key)) for other in relatives(one)}
        hits = self._first_hit(sorted(others))
        return hits or tuple(
            dict.fromkeys(hit for other in sorted(others) for hit in self.first_named(other))
        )

    def first_named(self, name: str) -> tuple[int, ...]:
        """Return the members whose name of several words begins with `name`, also declined: "Anna" is Anna Smith."""
        key = POSSESSIVE.sub("", name_key(name))
        keys = {key, *nominatives(key)} - {""}
        return tuple(
            member.user_id
            for member in self._members
            if any(
                first in keys
                for called in (member.nickname, member.display_name, member.user_name)
                for first, *others in [name_key(called).split() or [""]]
                if others
            )
        )

    def close(self, name: str) -> int | None:
        """Return the one member whose name differs from `name` by a slip only, else `None`."""
        key = name_key(name)
        if len(key) < SHORTEST_CLOSE:
            return None
        alike = process.extract(key, self._keys, scorer=fuzz.ratio, score_cutoff=CLOSE_SCORE, limit=None)
        # A slip seldom hits the first or last letter; Daniel and Daniela, Christine and Christina differ there.
        meant = {
            user_id
            for candidate, _, _ in alike
            if len(candidate) >= SHORTEST_CLOSE and (candidate[0], candidate[-1]) == (key[0], key[-1])
            for user_id in self._first_hit((candidate,))
        }
        return meant.pop() if len(meant) == 1 else None

    def closest(self, name: str, *, at_least: int = CLOSEST_SCORE) -> int | None:
        """Return the member whose name is most similar to `name`, or `None` if none is similar.

        Former names do not count, since offering them would reveal them.
        """
        best = process.extractOne(
            name_key(name), self._present_keys, scorer=fuzz.ratio, score_cutoff=at_least
        )
        return self._first_hit((best[0],))[0] if best else None

    def keys_of(self, user_id: int) -> list[str]:
        """Return the keys of all names of a member."""
        member = self._by_id.get(user_id)
        names = (
            () if member is None else (one for level in range(_LEVELS) for one in _names_at(member, level))
        )
        return [name_key(name) for name in names]

    def is_called(self, user_id: int, written: str, case: Case | None) -> bool:
        """Return whether a name of a member, or the first word of one, is `written` so in a Russian `case`.

        Names in other letters have no cases.
        """
        member = self._by_id.get(user_id)
        if member is None or not is_russian(written):
            return True
        return any(
            spelt_in_case(spelling, case, written)
            for level in range(_LEVELS)
            for name in _names_at(member, level)
            for first in name.split()[:1]
            for spelling in (name, first, *relatives(name_key(first)))
        )

    def written(self, name: str) -> tuple[int, ...]:
        """Return the members called `name` exactly as it is written, when no other member answers to it.

        Aliases do not count: they are words of facts ("gruzilkin is Sergey") and stay words.
        """
        user_ids = self.named(name)
        exactly = (
            len(user_ids) == 1
            and any(name in _names_at(self._by_id[user_ids[0]], level) for level in range(_ALIASES))
            and self.meant(name) == user_ids
        )
        return user_ids if exactly else ()

    @cached_property
    def _by_id(self) -> dict[int, Member]:
        return {member.user_id: member for member in self._members}

    @cached_property
    def _keys(self) -> tuple[str, ...]:
        return self._keys_of(_LEVELS)

    @cached_property
    def _present_keys(self) -> tuple[str, ...]:
        return self._keys_of(_OLD_NAMES)

    def _keys_of(self, levels: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(key for level in range(levels) for key in self._level(level)))

    def _first_hit(self, keys: Sequence[str]) -> tuple[int, ...]:
        """Return the members with one of `keys` among their names of now, else among those that they gave up."""
        if not keys:
            return ()
        for levels in (range(_OLD_NAMES), range(_OLD_NAMES, _LEVELS)):
            names = [self._level(level) for level in levels]
            if hits := dict.fromkeys(
                user_id for one in names for key in keys for user_id in one.get(key, ())
            ):
                return tuple(hits)
        return ()

    def _level(self, level: int) -> dict[str, tuple[int, ...]]:
        """Return the names of one level, built when it is first needed: most names are found at the first."""
        while len(self._built) <= level:
            self._built.append(self._names_of(len(self._built)))
        return self._built[level]

    def _names_of(self, level: int) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        for member in self._members:
            for name in _names_at(member, level):
                for key in {name_key(name), undecorated_key(name)} - {""}:
                    known = found.get(key, ())
                    if member.user_id not in known:
                        found[key] = (*known, member.user_id)
        return found

    @cached_property
    def _built(self) -> list[dict[str, tuple[int, ...]]]:
        return []


_ALIASES: Final = 3
_OLD_NAMES: Final = 4
_LEVELS: Final = 5


def _names_at(member: Member, level: int) -> tuple[str, ...]:
    if level >= _ALIASES:
        return member.aliases if level == _ALIASES else member.old_names
    name = (member.nickname, member.display_name, member.user_name)[level]
    return (name,) if name else ()


def names_of(users: LocalIds, members: Iterable[Member]) -> dict[str, str]:
    """Return the names that one of `members` alone bears now, each with its bearer's id in a prompt that offers it."""
    bearers: dict[str, set[int]] = {}
    for member in members:
        for name in (one for level in range(_OLD_NAMES) for one in _names_at(member, level)):
            bearers.setdefault(name.casefold(), set()).add(member.user_id)
    alone = {name: min(user_ids) for name, user_ids in bearers.items() if len(user_ids) == 1}
    return {name: users.short(user_id) for name, user_id in alone.items() if user_id in users}


@dataclass(frozen=True, slots=True)
class FoundMember:
    """One member is meant."""

    user_id: int


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """Several members answer to the name; somebody has to say which."""

    candidates: tuple[int, ...]
    name: str = field(default="", compare=False)
    """The name as it was written: what a mention replaces once it is settled who is meant."""


@dataclass(frozen=True, slots=True)
class UnknownName:
    """Nobody is called so; `closest_id` is the member whose name is most like it, if any is."""

    name: str
    closest_id: int | None


ResolvedName: TypeAlias = FoundMember | AmbiguousName | UnknownName

_RAW_ID: Final = re.compile(r"[0-9]{1,19}")
_AUTHOR: Final = re.compile(either("oneself"))
_MARKS: Final = " \t\r\n?!.,:;\"'«»“”()"


def resolve(name: str, *, members: Sequence[Member], author_id: int) -> ResolvedName:
    """Return which member `name` means when `author_id` says it.

    The first of these that fits decides: a mention, the author ("me", «обо мне»), an id, any name of now or
    another case of one, the first of several names, a unique close match; where it fits several, none does. Pass
    a `Roster` as `members` when the same guild is asked about repeatedly. A mention is taken at its word,
    also of one who left.
    """
    trimmed = name.strip()
    mention = MENTION.fullmatch(trimmed)
    if mention and 0 < int(mention[1]) <= MAX_ID:
        return FoundMember(int(mention[1]))
    roster = Roster.of(members)
    bare = trimmed.strip(_MARKS)
    if _AUTHOR.fullmatch(name_key(bare)) and not trimmed.startswith("@"):
        return FoundMember(author_id)
    if _RAW_ID.fullmatch(bare) and int(bare) in roster.user_ids:
        return FoundMember(int(bare))
    for spelling in dict.fromkeys((trimmed, bare)):
        if user_ids := roster.meant(spelling):
            return settled(user_ids, name=bare)
    if user_ids := roster.first_named(bare) or roster.familiar(bare):
        return settled(user_ids, name=bare)
    close_id = roster.close(bare)
    return UnknownName(bare, roster.closest(bare)) if close_id is None else FoundMember(close_id)


def settled(user_ids: tuple[int, ...], *, name: str) -> FoundMember | AmbiguousName:
    """Return who of one or more `user_ids` is meant by `name`."""
    return FoundMember(user_ids[0]) if len(user_ids) == 1 else AmbiguousName(user_ids, name)
