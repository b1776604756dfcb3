"""Whom a statement is about: its author, the member that it begins with, or else the guild."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bot.conversation.grammar.words import PERSON_VERBS, is_calendar_word, word_set
from bot.conversation.names.mentions import MOST_WORDS, with_mentions
from bot.conversation.names.resolve import Ambiguous, Unknown
from bot.conversation.names.roster import Roster
from bot.conversation.names.times import leading_time
from bot.conversation.names.vocabulary import BELONGINGS, is_function_word, may_start_with_name
from bot.domain import GUILD_SUBJECT, MAX_ID, Member, mention_of


@dataclass(frozen=True, slots=True)
class Subject:
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


_FIRST_PERSON: Final = re.compile(
    r"(?:(?:i|im|me|my|mine|myself|i['’](?:m|ve|d|ll))(?![\w'’/-])"
    r"|(?:(?:у|для|со|с|обо|от|ко|за|про|по)\s+)?"
    r"(?:я|мне|меня|мной|мною|мо[йяеёию]|моего|моей|моему|моим|моих|моими|моём|моем)(?![\w-]))",
    re.IGNORECASE,
)
_MENTION: Final = re.compile(r"<@!?([0-9]{1,19})>")
_BEFORE_A_NAME: Final = re.compile(r"(?:у|для)\s+(?=\S)", re.IGNORECASE)
_WORD: Final = re.compile(r"\S+")
_WHOSE: Final = re.compile(
    r"(?:\S+\s+){0,4}?(?:(?:is|are|was|were|it's|that's|today's|tomorrow's)\s+(?:my|mine)"
    r"|(?:—|–|-|это)\s+(?:мой|моя|мо[её]|мои))(?![\w-])",
    re.IGNORECASE,
)
"""What is somebody's is told of them: "Rex is my dog", «Рекс — мой пёс»."""
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_TRAILING: Final = re.compile(r"[,;:.!?]+$")
_BETWEEN: Final = word_set(
    "really also always never often usually still actually очень тоже всегда никогда часто не и"
)
_EVERYONE: Final = frozenset({"everyone", "here"})
_LEAST_FUZZY_LETTERS: Final = 5


def subject_of(statement: str, *, members: Sequence[Member], author_id: int) -> Subject | Ambiguous | Unknown:
    """Return whom `statement`, said by `author_id`, is about.

    A leading name, also declined or possessive, becomes `<@id>`; the author's own first person stays.
    `Ambiguous` when several members answer to the leading name, `Unknown` when it is clearly a name that
    nobody here bears ("Zoltan likes tea", "@zoltan ..."); what begins with no name is about the guild.
    """
    roster = Roster.of(members)
    text = statement.strip()
    if mention := _MENTION.match(text):
        user_id = int(mention[1])
        if 0 < user_id <= MAX_ID:
            return _about(user_id, text, start=0, end=mention.end(), roster=roster)
    if _FIRST_PERSON.match(text):
        return Subject(author_id, with_mentions(text, roster))
    opening = _opening(text, roster)
    if opening is None and (dated := leading_time(text)):
        told = subject_of(text[dated:], members=roster, author_id=author_id)
        if isinstance(told, Subject):
            return Subject(told.user_id, text[:dated] + told.statement)
        return told if isinstance(told, Ambiguous) else Subject(GUILD_SUBJECT, with_mentions(text, roster))
    if opening is None:
        return _unnamed(text, roster, author_id=author_id)
    if len(opening.user_ids) > 1:
        return Ambiguous(opening.user_ids, opening.name)
    return _about(opening.user_ids[0], text, start=opening.start, end=opening.end, roster=roster)


def _about(user_id: int, text: str, *, start: int, end: int, roster: Roster) -> Subject:
    return Subject(user_id, f"{text[:start]}{mention_of(user_id)}{with_mentions(text[end:], roster)}")


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


def _unnamed(text: str, roster: Roster, *, author_id: int) -> Subject | Ambiguous | Unknown:
    """Return the subject of a `text` that begins with no member's name: a misspelt one, an unknown one, none."""
    if _WHOSE.match(text):
        return Subject(author_id, with_mentions(text, roster))
    words = list(_WORD.finditer(text))
    first = words[0].group() if words else ""
    bare = _TRAILING.sub("", first)
    name = _POSSESSIVE.sub("", bare)
    tagged = name.startswith("@") and len(name) > 1 and name[1:].lower() not in _EVERYONE
    if tagged or _does_what_people_do(words, possessive=bare != name):
        shown = name.removeprefix("@")
        if user_ids := roster.first_named(shown):
            if len(user_ids) > 1:
                return Ambiguous(user_ids, name)
            return _about(user_ids[0], text, start=0, end=len(name), roster=roster)
        letters = sum(map(str.isalpha, shown))
        close_id = roster.close(shown) if letters >= _LEAST_FUZZY_LETTERS else None
        if close_id is not None:
            return _about(close_id, text, start=0, end=len(name), roster=roster)
        if tagged or (shown[:1].isupper() and shown.isalpha() and may_start_with_name(shown)):
            return Unknown(shown, roster.closest(shown))
        if may_start_with_name(shown):
            return Subject(GUILD_SUBJECT, with_mentions(text, roster), shown)
    return Subject(GUILD_SUBJECT, with_mentions(text, roster))


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
