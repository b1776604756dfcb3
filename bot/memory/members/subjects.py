"""Names in sentences: mentions in stored text, and whom a statement is about."""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.core.domain import GUILD_SUBJECT, MAX_ID, MENTION, NOBODY, Member, mention_of
from bot.memory.members.roster import AmbiguousName, Roster, UnknownName, name_key
from bot.text.grammar.words import DETERMINERS, is_function_word, may_start_with_name
from bot.text.languages import either
from bot.text.names import SpokenSentence
from bot.text.phrasing import speaks_of_author, third_person
from bot.text.ru.declension import JOINED, Case, before_name, case_at, in_case, nominative

SOMEONE: Final = "someone"
"""What a member is called whose name is not known any more."""

MOST_WORDS: Final = 4
"""Words of a name that is looked for inside a text."""

_SHORTEST_BARE: Final = 3
_CHUNK: Final = re.compile(r"\S+")
_OPENING_MARKS: Final = "([{\"'«“‘*_~"
_CLOSING_MARKS: Final = re.compile(r"(?:['’]s)?[.,!?;:)\]}\"'»”’*_~…]*$")


def rendered(text: str, names: Mapping[int, str]) -> str:
    """Return `text` with each `<@id>` replaced by its name in `names`; unknown ids are "someone".

    Names come in word for word, but for Russian ones in a Russian sentence, which take the case that it wants.
    """
    parts: list[str] = []
    done = 0
    for case, mention in zip(cases_in(text), MENTION.finditer(text), strict=True):
        before, name = text[done : mention.start()], names.get(int(mention[1]), SOMEONE)
        parts += (before, name) if case is None else (before_name(before, name), in_case(name, case))
        done = mention.end()
    return "".join((*parts, text[done:]))


def cases_in(text: str) -> list[Case | None]:
    """Return the case of each `<@id>` in `text`, in Russian sentences; names that "и" joins share theirs."""
    mentions = list(MENTION.finditer(text))
    cases: list[Case | None] = []
    while len(cases) < len(mentions):
        first = last = len(cases)
        while last + 1 < len(mentions) and JOINED.fullmatch(
            text, mentions[last].end(), mentions[last + 1].start()
        ):
            last += 1
        line = text.rfind("\n", 0, mentions[first].start()) + 1
        case = case_at(
            text[line : mentions[first].start()], text[mentions[last].end() :], is_one=first == last
        )
        cases += [case] * (last - first + 1)
    return cases


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
    """The subject of a statement, and the statement with members as `<@id>`."""

    user_id: int
    """`GUILD_SUBJECT` when it is about nobody in particular."""
    statement: str
    names: tuple[str, ...] = ()
    """What looks like persons' names and is no member's, in the nominative: "Zoltan" in "Zoltan likes tea".

    If the statement is about one of them, `user_id` is `GUILD_SUBJECT` and that name comes first.
    """

    @property
    def of_whom(self) -> int:
        """Whose leave it takes to keep it: of a name that is no member's `NOBODY`, who is another than the guild."""
        return NOBODY if self.names and self.user_id == GUILD_SUBJECT else self.user_id


@dataclass(frozen=True, slots=True)
class _Person:
    """Somebody who is named in a statement, by a name or a pronoun."""

    start: int
    end: int
    user_ids: tuple[int, ...]
    """Who may be meant; nobody who is known here, if there is none."""
    is_sure: bool = True
    is_beside: bool = False
    """Whether the statement is not about them if it is about anybody else: "with Bob I play chess"."""
    is_tagged: bool = False
    is_author: bool = False
    is_written: bool = True
    """Whether a mention can stand in their place: not in that of «Петин»."""


_AUTHOR: Final = re.compile(
    rf"(?<![\w'’-])(?:{either('acts')}|{either('of_oneself')})(?![\w'’/-])", re.IGNORECASE
)
_IS_ALSO: Final = re.compile(rf"\s+{either('is_also')}\s+", re.IGNORECASE)
"""Between two names it tells that both are one's: "bob is Robert"."""
_PART_OF_NAME: Final = re.compile(r"(?:\bI/|/I\b)")
"""In "I/O" nobody speaks of themselves."""
_WHOSE: Final = re.compile(rf"(?:\S+\s+){{0,4}}?{either('is_mine')}(?![\w-])", re.IGNORECASE)
"""What is somebody's is told of them: "Rex is my dog", «Рекс — мой пёс»."""
_JOINED: Final = re.compile(either("between_people"), re.IGNORECASE)
_EVERYONE: Final = frozenset({"everyone", "here"})
_LEAST_FUZZY_LETTERS: Final = 4
_PERHAPS: Final = 75
"""Likeness from which a name may be a member's, misspelt."""


def subject_of(
    statement: str, *, members: Sequence[Member], author_id: int, is_settled: bool = False
) -> StatementSubject | AmbiguousName | UnknownName:
    """Return whom `statement`, said by `author_id`, is about, wherever they stand in it.

    That is the first whom it names, by a name in any case or by "I"; who is only beside what is spoken of ("with
    Bob") comes after everybody else, and is not the subject of what belongs to all ("the raid is at Bob's").
    Whoever of the members is named becomes `<@id>`, but where a Russian form could not be put in again.
    `AmbiguousName` if several members may be meant by the subject's name, or if that may be a word or somebody else's
    name, for which `GUILD_SUBJECT` is among the candidates; not where `is_settled` says that a member is meant.
    `UnknownName` for a name with an @ that nobody bears.
    """
    roster = Roster.of(members)
    sentence = _sentence(statement.strip(), roster)
    text = sentence.with_owner_behind(roster.owner_of)
    sentence = sentence if text == sentence.text else _sentence(text, roster)
    people = _people(sentence, roster, author_id=author_id)
    subject = _subject_among(people, sentence)
    if sentence.names_own or (not people and not sentence.is_about_all and sentence.speaks_of_own):
        return StatementSubject(author_id, text)
    if subject is None:
        return StatementSubject(GUILD_SUBJECT, _with_mentions(text, people, roster, author_id=author_id))
    written = text[subject.start : subject.end]
    if subject.is_tagged and not subject.user_ids:
        return UnknownName(written.removeprefix("@"), roster.closest(written))
    if len(subject.user_ids) > 1:
        return AmbiguousName(subject.user_ids, written)
    if not (subject.is_sure or is_settled):
        return AmbiguousName((*subject.user_ids, GUILD_SUBJECT), written)
    people = [replace(one, is_sure=True) if one is subject else one for one in people]
    told = _with_mentions(text, people, roster, author_id=author_id)
    strangers = [one for one in people if not one.user_ids]
    strangers.sort(key=lambda one: one.start != subject.start)
    names = tuple(dict.fromkeys(nominative(text[one.start : one.end]) for one in strangers))
    return StatementSubject(subject.user_ids[0] if subject.user_ids else GUILD_SUBJECT, told, names=names)


def _sentence(text: str, roster: Roster) -> SpokenSentence:
    return SpokenSentence(text, is_known=lambda name: bool(roster.meant(name)))


def _subject_among(people: Sequence[_Person], sentence: SpokenSentence) -> _Person | None:
    """Return the subject of the sentence; `None` if it is about nobody, or about what belongs to all."""
    foremost = [one for one in people if not one.is_beside]
    if not foremost:
        return None if not people or sentence.is_about_all else people[0]
    first = foremost[0]
    author = next((one for one in foremost if one.is_author), None)
    if author is None:
        return first
    until_author = people[people.index(first) : people.index(author) + 1]
    joined = all(
        _JOINED.fullmatch(sentence.text, one.end, other.start)
        for one, other in itertools.pairwise(until_author)
    )
    is_theirs = not first.user_ids and _WHOSE.match(sentence.text)
    return author if joined or is_theirs else first


def _people(sentence: SpokenSentence, roster: Roster, *, author_id: int) -> list[_Person]:
    """Return everybody who is named in the sentence, in order, its author among them."""
    found = [_mentioned(mention, sentence) for mention in MENTION.finditer(sentence.text)]
    found += _authors(sentence, author_id=author_id)
    taken = [(one.start, one.end) for one in found]
    at = 0
    while at < len(sentence.words):
        word = sentence.words[at]
        used = 1
        if not any(start < word.end and word.start < end for start, end in taken):
            person, used = _named_at(at, sentence, roster)
            found += [] if person is None else [person]
        at += used
    found.sort(key=lambda one: one.start)
    return [
        one
        for place, one in enumerate(found)
        if one.is_author or not (place and _is_same(found[place - 1], one, sentence.text))
    ]


def _is_same(one: _Person, other: _Person, text: str) -> bool:
    """Return whether two that are named behind each other are one: "bob is Robert", "I go by Ali", "I'm Dave"."""
    between = text[one.end : other.start]
    return _IS_ALSO.fullmatch(between) is not None or (
        one.is_author and one.end > 0 and not other.user_ids and between.isspace()
    )


def _mentioned(mention: re.Match[str], sentence: SpokenSentence) -> _Person:
    user_id = int(mention[1])
    at = next(at for at, word in enumerate(sentence.words) if word.chunk_end > mention.start())
    return _Person(
        mention.start(),
        mention.end(),
        (user_id,) if 0 < user_id <= MAX_ID else (),
        is_beside=sentence.is_beside(at),
        is_tagged=True,
    )


def _authors(sentence: SpokenSentence, *, author_id: int) -> list[_Person]:
    """Return where the sentence speaks of its author: by a word, else by a verb without a subject, from its start."""
    text = sentence.text
    if speaks_of_author(text):
        said = [one for one in _AUTHOR.finditer(text) if not sentence.is_quoted(one.start())]
        if said:
            return [
                _Person(one.start(), one.end(), (author_id,), is_author=True, is_written=False)
                for one in said
            ]
        if not _PART_OF_NAME.search(text):
            return [_Person(0, 0, (author_id,), is_author=True, is_written=False)]
    if sentence.speaks_of_us:
        return [_Person(0, 0, (author_id,), is_author=True, is_written=False)]
    return []


def _named_at(at: int, sentence: SpokenSentence, roster: Roster) -> tuple[_Person | None, int]:
    """Return who is named from the word at index `at` on, by the most words that are a name, and how many these are."""
    for count in range(min(MOST_WORDS, len(sentence.words) - at), 0, -1):
        if (person := _member_at(at, at + count - 1, sentence, roster)) is not None:
            return person, count
    used = sentence.stranger_at(at)
    if used and not roster.meant(sentence.bare(at)[0]):
        first, last = sentence.words[at], sentence.words[at + used - 1]
        end = first.start + len(sentence.bare(at)[0]) if used == 1 else last.end
        return _Person(first.start, end, (), is_beside=sentence.is_beside(at)), used
    return None, 1


def _member_at(first: int, last: int, sentence: SpokenSentence, roster: Roster) -> _Person | None:
    """Return the member whose name the words from `first` to `last` are, if they mean a person here."""
    opening, closing = sentence.words[first], sentence.words[last]
    is_one = first == last
    if is_one and opening.text.startswith("@"):
        return _tagged(first, sentence, roster)
    bare, suffix = sentence.bare(first, last)
    raw = sentence.text[opening.chunk_start : closing.chunk_end]
    written = opening.start
    user_ids = roster.meant(bare)
    if not user_ids and (user_ids := roster.named(raw)):
        bare, suffix, written = raw, "", opening.chunk_start
    if not user_ids and is_one and sentence.owns(first):
        user_ids = roster.owning(bare)
        if user_ids and not (sentence.is_quoted(written)):
            return _Person(written, written + len(bare), user_ids, is_written=False)
    sense = sentence.is_person(first, last, suffix, is_word=_is_word(bare, user_ids, sentence, roster))
    if is_one and not user_ids and sense and (bare[:1].isupper() or sentence.shows_person(first, suffix)):
        user_ids = roster.first_named(bare) if sentence.is_name(first) or bare[:1].isupper() else ()
        user_ids = user_ids or roster.familiar(bare)
    if is_one and not user_ids and sentence.shows_person(first, suffix):
        return _misspelt(bare, written, first, sentence, roster)
    if not user_ids or sense is False or sentence.is_quoted(written):
        return None
    return _Person(
        written,
        written + len(bare),
        user_ids,
        is_sure=bool(sense),
        is_beside=sentence.is_beside(first),
    )


def _tagged(at: int, sentence: SpokenSentence, roster: Roster) -> _Person | None:
    """Return whom a name with an @ means."""
    bare, _ = sentence.bare(at)
    start = sentence.words[at].start
    if bare[1:].lower() in _EVERYONE or len(bare) == 1:
        return None
    user_ids = roster.meant(bare) or roster.first_named(bare)
    if not user_ids and (close_id := roster.close(bare)) is not None:
        user_ids = (close_id,)
    beside = sentence.is_beside(at)
    return _Person(start, start + len(bare), user_ids, is_beside=beside, is_tagged=True)


def _misspelt(bare: str, start: int, at: int, sentence: SpokenSentence, roster: Roster) -> _Person | None:
    """Return the member whose name `bare` is but for a slip, surely or perhaps."""
    if sum(map(str.isalpha, bare)) < _LEAST_FUZZY_LETTERS or sentence.is_quoted(start):
        return None
    end, beside = start + len(bare), sentence.is_beside(at)
    if (close_id := roster.close(bare)) is not None:
        return _Person(start, end, (close_id,), is_beside=beside)
    closest_id = None if sentence.is_name(at) else roster.closest(bare, at_least=_PERHAPS)
    if closest_id is None or sentence.is_word(name_key(bare)) or not may_start_with_name(bare):
        return None
    return _Person(start, end, (closest_id,), is_sure=False, is_beside=beside)


def _is_word(bare: str, user_ids: Sequence[int], sentence: SpokenSentence, roster: Roster) -> bool:
    """Return whether a name may as well be a word, as it is written or as its bearer writes it."""
    names = [name_key(bare)]
    names += [name for user_id in user_ids for name in roster.keys_of(user_id) if name[:2] == names[0][:2]]
    return any(sentence.is_word(name) for name in names if " " not in name)


def _with_mentions(text: str, people: Sequence[_Person], roster: Roster, *, author_id: int) -> str:
    """Return `text` with `<@id>` for everybody who can stand so in it: in the case that the name had, too."""
    chosen = [one for one in people if one.is_written and len(one.user_ids) == 1 and one.is_sure]
    while True:
        told = _replaced(text, chosen)
        unfit = [
            one
            for variant in (told, third_person(told, author_id=author_id))
            for one in _unfit(variant, chosen, text, roster, author_id=author_id)
        ]
        if not unfit:
            return told
        chosen = [one for one in chosen if one not in unfit]


def _replaced(text: str, people: Sequence[_Person]) -> str:
    parts: list[str] = []
    done = 0
    for one in people:
        parts += (text[done : one.start], mention_of(one.user_ids[0]))
        done = one.end
    return "".join((*parts, text[done:]))


def _unfit(
    told: str, people: Sequence[_Person], text: str, roster: Roster, *, author_id: int
) -> list[_Person]:
    """Return whose names would not come out of `told` in the case in which they were said."""
    placed = [
        (int(mention[1]), case) for mention, case in zip(MENTION.finditer(told), cases_in(told), strict=True)
    ]
    others = list(people)
    if len(placed) > len(others):
        # The author has come in for a pronoun.
        others = [one for one in others if one.user_ids[0] != author_id]
        placed = [one for one in placed if one[0] != author_id]
    if [user_id for user_id, _ in placed] != [one.user_ids[0] for one in others]:
        return []
    return [
        one
        for one, (user_id, case) in zip(others, placed, strict=True)
        if not one.is_tagged and not roster.is_called(user_id, text[one.start : one.end], case)
    ]
