"""Names in sentences: mentions in stored text, and whom a statement is about."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bot.core.domain import GUILD_SUBJECT, MAX_ID, Member, mention_of
from bot.memory.members.roster import AmbiguousName, Roster, UnknownName
from bot.text.grammar.words import (
    BELONGINGS,
    DETERMINERS,
    PERSON_VERBS,
    is_calendar_word,
    is_function_word,
    leading_time,
    may_start_with_name,
)
from bot.text.languages import either, every_word
from bot.text.ru.declension import case_at, in_case

SOMEONE: Final = "someone"
"""What a member is called whose name is not known any more."""

MOST_WORDS: Final = 4
"""Words of a name that is looked for inside a text."""

_SHORTEST_BARE: Final = 3
_MENTION: Final = re.compile(r"<@!?([0-9]{1,19})>")
_CHUNK: Final = re.compile(r"\S+")
_OPENING_MARKS: Final = "([{\"'«“‘*_~"
_CLOSING_MARKS: Final = re.compile(r"(?:['’]s)?[.,!?;:)\]}\"'»”’*_~…]*$")


def rendered(text: str, names: Mapping[int, str]) -> str:
    """Return `text` with each `<@id>` replaced by its name in `names`; unknown ids are "someone".

    Names come in word for word, but for Russian ones in a Russian sentence, which take the case that it wants.
    """
    parts: list[str] = []
    done, case = 0, None
    for mention in _MENTION.finditer(text):
        line = text.rfind("\n", 0, mention.start()) + 1
        joined = case is not None and text[done : mention.start()] == " и "
        case = case if joined else case_at(text[line : mention.start()], text[mention.end() :])
        name = names.get(int(mention[1]), SOMEONE)
        parts += (text[done : mention.start()], name if case is None else in_case(name, case))
        done = mention.end()
    return "".join((*parts, text[done:]))


def with_mentions(text: str, members: Sequence[Member]) -> str:
    """Return `text` with the members that it names written as `<@id>`.

    "@name" always counts (the longest name that fits), a bare name only as it is written by its bearer.
    Names that two members share, and names inside longer tokens (`alice@acme.io`), stay as they are.
    """
    roster = Roster.of(members)
    chunks = list(_CHUNK.finditer(text))
    parts: list[str] = []
    done = index = 0
    while index < len(chunks):
        before = chunks[index - 1].group() if index else ""
        for length in range(min(MOST_WORDS, len(chunks) - index), 0, -1):
            start, end = chunks[index].start(), chunks[index + length - 1].end()
            if found := _named(text[start:end], roster, before=before):
                offset, name, user_id = found
                parts += (text[done : start + offset], mention_of(user_id))
                done = start + offset + len(name)
                index += length
                break
        else:
            index += 1
    return "".join((*parts, text[done:]))


def _named(words: str, roster: Roster, *, before: str) -> tuple[int, str, int] | None:
    """Return where in `words` a name stands, the name and whose it is; marks around it do not count."""
    opened = len(words) - len(words.lstrip(_OPENING_MARKS))
    closing = _CLOSING_MARKS.search(words, opened)
    bare = words[opened : closing.start()] if closing else words[opened:]
    for offset, name in dict.fromkeys(((0, words), (opened, bare))):
        user_ids = roster.named(name) if name.startswith("@") else _as_written(name, roster, before=before)
        if len(user_ids) == 1:
            return offset, name, user_ids[0]
    return None


def _as_written(name: str, roster: Roster, *, before: str) -> tuple[int, ...]:
    """Return whose name this is letter for letter, unless it may well be an ordinary word."""
    if sum(map(str.isalpha, name)) < _SHORTEST_BARE or is_function_word(name):
        return ()
    if name.islower() and before.lower() in DETERMINERS:
        return ()
    return roster.written(name)


@dataclass(frozen=True, slots=True)
class StatementSubject:
    """Whom a statement is about, and the statement with members as `<@id>`."""

    user_id: int
    """`GUILD_SUBJECT` when it is about nobody in particular."""
    statement: str
    unsure_name: str = field(default="", compare=False)
    """A first word that may be the name of somebody who is not known here: "alice" in "alice likes tea"."""


class _Opening(NamedTuple):
    """A name at the start of a statement: where it stands and what follows it."""

    start: int
    end: int
    name: str
    user_ids: tuple[int, ...]


_FIRST_PERSON: Final = re.compile(either("speaks_of_oneself"), re.IGNORECASE)
_BEFORE_A_NAME: Final = re.compile(rf"{either('before_a_name')}\s+(?=\S)", re.IGNORECASE)
_WORD: Final = re.compile(r"\S+")
_WHOSE: Final = re.compile(rf"(?:\S+\s+){{0,4}}?{either('is_mine')}(?![\w-])", re.IGNORECASE)
"""What is somebody's is told of them: "Rex is my dog", «Рекс — мой пёс»."""
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_TRAILING: Final = re.compile(r"[,;:.!?]+$")
_BETWEEN: Final = every_word("between_name_and_verb")
_EVERYONE: Final = frozenset({"everyone", "here"})
_LEAST_FUZZY_LETTERS: Final = 5


def subject_of(
    statement: str, *, members: Sequence[Member], author_id: int
) -> StatementSubject | AmbiguousName | UnknownName:
    """Return whom `statement`, said by `author_id`, is about.

    A leading name, also declined or possessive, becomes `<@id>`; the author's own first person stays.
    `AmbiguousName` when several members answer to the leading name, `UnknownName` when it is clearly a name that
    nobody here bears ("Zoltan likes tea", "@zoltan ..."); what begins with no name is about the guild.
    """
    roster = Roster.of(members)
    text = statement.strip()
    if mention := _MENTION.match(text):
        user_id = int(mention[1])
        if 0 < user_id <= MAX_ID:
            return _about(user_id, text, start=0, end=mention.end(), roster=roster)
    if _FIRST_PERSON.match(text):
        return StatementSubject(author_id, with_mentions(text, roster))
    opening = _opening(text, roster)
    if opening is None and (dated := leading_time(text)):
        told = subject_of(text[dated:], members=roster, author_id=author_id)
        if isinstance(told, StatementSubject):
            return StatementSubject(told.user_id, text[:dated] + told.statement)
        return (
            told
            if isinstance(told, AmbiguousName)
            else StatementSubject(GUILD_SUBJECT, with_mentions(text, roster))
        )
    if opening is None:
        return _unnamed(text, roster, author_id=author_id)
    if len(opening.user_ids) > 1:
        return AmbiguousName(opening.user_ids, opening.name)
    return _about(opening.user_ids[0], text, start=opening.start, end=opening.end, roster=roster)


def _about(user_id: int, text: str, *, start: int, end: int, roster: Roster) -> StatementSubject:
    return StatementSubject(
        user_id, f"{text[:start]}{mention_of(user_id)}{with_mentions(text[end:], roster)}"
    )


def _opening(text: str, roster: Roster) -> _Opening | None:
    """Return the longest name of members at the start of `text`, also after «у» and «для»."""
    preposition = _BEFORE_A_NAME.match(text)
    for offset in (0, preposition.end()) if preposition else (0,):
        words = list(_WORD.finditer(text, offset))
        for count in range(min(MOST_WORDS, len(words)), 0, -1):
            written = text[offset : words[count - 1].end()]
            after = words[count].group() if count < len(words) else ""
            if count == 1 and _is_ordinary(_spellings(written)[-1], after=after):
                continue
            if found := _bearers(written, roster):
                name, user_ids = found
                return _Opening(offset, offset + len(name), name, user_ids)
    return None


def _bearers(written: str, roster: Roster) -> tuple[str, tuple[int, ...]] | None:
    """Return the name in `written` and who answers to it, or `None` when nobody does."""
    spellings = _spellings(written)
    for name in spellings:
        if user_ids := roster.named(name):
            return name, tuple(dict.fromkeys((*user_ids, *roster.declined(spellings[-1]))))
    user_ids = roster.declined(spellings[-1])
    return (spellings[-1], user_ids) if user_ids else None


def _spellings(written: str) -> tuple[str, ...]:
    """Return `written` as it is, and without the marks and the possessive at its end."""
    bare = _TRAILING.sub("", written)
    return tuple(dict.fromkeys(name for name in (written, bare, _POSSESSIVE.sub("", bare)) if name))


def _is_ordinary(word: str, *, after: str) -> bool:
    """Return whether a first word is not taken for a name although somebody may be called so."""
    lower = word.lower().replace("ё", "е")
    if word.startswith("@"):
        return lower[1:] in _EVERYONE
    if is_calendar_word(lower):
        return not _is_person_verb(after)
    return is_function_word(lower)


def _unnamed(text: str, roster: Roster, *, author_id: int) -> StatementSubject | AmbiguousName | UnknownName:
    """Return the subject of a `text` that begins with no member's name: a misspelt one, an unknown one, none."""
    if _WHOSE.match(text):
        return StatementSubject(author_id, with_mentions(text, roster))
    words = list(_WORD.finditer(text))
    first = words[0].group() if words else ""
    bare = _TRAILING.sub("", first)
    name = _POSSESSIVE.sub("", bare)
    tagged = name.startswith("@") and len(name) > 1 and name[1:].lower() not in _EVERYONE
    if tagged or _does_what_people_do(words, possessive=bare != name):
        shown = name.removeprefix("@")
        if user_ids := roster.first_named(shown):
            if len(user_ids) > 1:
                return AmbiguousName(user_ids, name)
            return _about(user_ids[0], text, start=0, end=len(name), roster=roster)
        letters = sum(map(str.isalpha, shown))
        close_id = roster.close(shown) if letters >= _LEAST_FUZZY_LETTERS else None
        if close_id is not None:
            return _about(close_id, text, start=0, end=len(name), roster=roster)
        if tagged or (shown[:1].isupper() and shown.isalpha() and may_start_with_name(shown)):
            return UnknownName(shown, roster.closest(shown))
        if may_start_with_name(shown):
            return StatementSubject(GUILD_SUBJECT, with_mentions(text, roster), shown)
    return StatementSubject(GUILD_SUBJECT, with_mentions(text, roster))


def _does_what_people_do(words: Sequence[re.Match[str]], *, possessive: bool) -> bool:
    following = [word.group() for word in words[1:3]]
    if not following:
        return False
    if possessive:
        return _TRAILING.sub("", following[0]).lower() in BELONGINGS
    if following[0].lower() in _BETWEEN and len(following) > 1:
        return _is_person_verb(following[1])
    return _is_person_verb(following[0])


def _is_person_verb(word: str) -> bool:
    return _TRAILING.sub("", word).lower().replace("ё", "е") in PERSON_VERBS
