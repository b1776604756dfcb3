"""Which words of a sentence name a person, by the grammar around them and by what kind of words they are."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Final

from bot.text.grammar.words import DETERMINERS, is_calendar_word, is_function_word, may_start_with_name
from bot.text.languages import every_word, in_each_language
from bot.text.tokens import PROTECTED

_ACCENTS: Final = re.compile(r"(?<=[^\W\d_\u0400-\u04ff])[\u0300-\u036f]+|\u0301", re.IGNORECASE)
_LANGUAGES: Final = in_each_language("names")
_CHUNK: Final = re.compile(r"\S+")
_CONJUNCTIONS: Final = every_word("joins_a_clause")
_BE: Final = every_word("after_a_spoken_time")
_SHORT_WORD: Final = 3
_JOINING: Final = every_word("and")
_RELATIVE: Final = every_word("who")
_DASHES: Final = frozenset("—–")
_FEWEST_LETTERS: Final = 2
_LEAST_LOWER: Final = 3
_OPENING: Final = re.compile(r"[(\[{\"'«“‘„*_~|`>,;:—–-]*")
_CLOSING: Final = re.compile(r"[.,!?;:)\]}\"'»”’“*_~|`…—–-]*$")
_LETTERS: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ENDS_SENTENCE: Final = re.compile(r"[.!?…][)\"'»”]*$")


def without_accents(text: str) -> str:
    """Return `text` with "e" for "ë" and е for ё; й stays, which is a letter of its own."""
    if text.isascii():
        return text
    split = _ACCENTS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", split).replace("ё", "е").replace("Ё", "Е")


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """A word of a sentence, without the marks around it."""

    start: int
    end: int
    chunk_start: int
    chunk_end: int
    """Where the marks around it begin and end."""
    text: str
    lower: str
    """In lower case and without accents."""
    opens: bool
    """Whether it begins a sentence, where a capital letter says nothing."""
    ends_clause: bool

    @property
    def is_said(self) -> bool:
        """Whether it is more than a sign: a dash stands for a verb, an emoji for nothing."""
        return self.text.isascii() or any(map(str.isalnum, self.text)) or self.text in _DASHES

    @property
    def is_capitalised(self) -> bool:
        """Whether it is written like a name."""
        return self.text[:1].isupper()


class SpokenSentence:
    """The words of a statement, and what stands around each."""

    def __init__(self, text: str, *, is_known: Callable[[str], bool] = lambda _: False) -> None:
        self.text: Final = text
        self._is_known: Final = is_known

    @cached_property
    def words(self) -> tuple[SpokenWord, ...]:
        """The words in their order; what consists of signs alone stays what it is."""
        found: list[SpokenWord] = []
        opens = True
        for chunk in _CHUNK.finditer(self.text):
            opening = _OPENING.match(chunk[0])
            start = chunk.start() + (opening.end() if opening else 0)
            closing = _CLOSING.search(self.text, start, chunk.end())
            end = closing.start() if closing else chunk.end()
            if start >= end:
                start, end = chunk.span()
            bare = self.text[start:end]
            ends = self.text[end : chunk.end()]
            found.append(
                SpokenWord(
                    start,
                    end,
                    *chunk.span(),
                    bare,
                    without_accents(bare.casefold()),
                    opens,
                    bool(ends.strip("*_~|`\"'»”)")),
                )
            )
            opens = _ENDS_SENTENCE.search(ends) is not None
        return tuple(found)

    @cached_property
    def quoted(self) -> tuple[tuple[int, int], ...]:
        """Where something of several words is quoted, or stands in code: who is named there is no subject."""
        return tuple(
            span.span()
            for span in PROTECTED.finditer(self.text)
            if not span[0].startswith("<") and (" " in span[0] or span[0].startswith("`") or "/" in span[0])
        )

    def is_quoted(self, at: int) -> bool:
        """Return whether what stands at `at` is quoted."""
        return any(start <= at < end for start, end in self.quoted)

    def bare(self, first: int, last: int | None = None) -> tuple[str, str]:
        """Return the words from `first` to `last` without what is glued to the last of them, and that."""
        word, closing = self.words[first], self.words[first if last is None else last]
        language = self.language_of(closing.lower)
        name, suffix = closing.text, ""
        if language is not None:
            after = self.after(first if last is None else last)
            name, suffix = language.split_suffix(closing.text, closing.lower, after)
        return self.text[word.start : closing.start] + name, suffix

    def before(self, first: int) -> list[str]:
        """Return the words before the one at index `first` in its sentence."""
        return [word.lower for word in self.words[:first]]

    def after(self, last: int) -> list[str]:
        """Return the words of the same clause behind the one at index `last`."""
        if self.words[last].ends_clause:
            return []
        said: list[str] = []
        for word in self.words[last + 1 :]:
            if word.is_said:
                said.append(word.lower)
            if word.ends_clause:
                break
        return said

    def language_of(self, word: str) -> ModuleType | None:
        """Return the rules of the language in whose letters `word` is written."""
        return next((language for language in _LANGUAGES if language.is_spoken(word)), None)

    def is_word(self, name: str) -> bool:
        """Return whether `name`, in lower case, may be an ordinary word or a place."""
        language = self.language_of(name)
        return language is not None and (language.is_word(name) or is_function_word(name))

    def is_name(self, at: int) -> bool:
        """Return whether people are called what the word at index `at` says, in whatever case."""
        bare = without_accents(self.bare(at)[0].casefold())
        language = self.language_of(bare)
        return language is not None and bool(language.is_first_name(bare))

    def is_beside(self, at: int) -> bool:
        """Return whether who is named at index `at` is only beside what is spoken of: "with Bob"."""
        if at == 0:
            return False
        before = self.before(at)
        language = self.language_of(before[-1])
        if language is None or not language.is_beside(before):
            return False
        return not (at == 1 and language.is_of_topic(before[-1]))

    def owns(self, at: int) -> bool:
        """Return whether the word at index `at` says whose the thing behind it is, as «Петин» does."""
        return self._words_owned(at) > 0

    def _words_owned(self, at: int) -> int:
        """Return how many words are the thing of which the word at index `at` says whose it is."""
        word = self.words[at]
        language = self.language_of(word.lower)
        return 0 if language is None else int(language.words_owned(word.text, self.after(at)))

    def with_owner_behind(self, genitive_of: Callable[[str], str | None]) -> str:
        """Return the text with the owner behind the thing that it begins with: «кот Пети» for «Петин кот».

        `genitive_of` says what «Петин» is behind the thing; `None` if it is nobody's.
        """
        count = self._words_owned(0) if self.words else 0
        if not count:
            return self.text
        adjective = self.words[0]
        owner = genitive_of(adjective.text)
        if owner is None or adjective.end != adjective.chunk_end:
            return self.text
        start, end = self.words[1].chunk_start, self.words[count].end
        return f"{self.text[: adjective.start]}{self.text[start:end]} {owner}{self.text[end:]}"

    def shows_person(self, at: int, suffix: str) -> bool:
        """Return whether the grammar around the word at index `at` shows that it is somebody."""
        word = self.words[at]
        language = self.language_of(word.lower)
        if language is None or not may_start_with_name(self.bare(at)[0]):
            return False
        before = self.before(at)
        return bool(language.is_person(before, suffix, self.after(at))) and not language.is_place(before)

    @cached_property
    def is_about_all(self) -> bool:
        """Return whether the sentence is about something that belongs to all: the raid, the server."""
        said = [word.lower for word in self.words]
        return any(language.is_guild_thing(said) for language in _LANGUAGES)

    @cached_property
    def speaks_of_us(self) -> bool:
        """Return whether the sentence is about the family of its author: "our cat"."""
        said = [word.lower for word in self.words]
        return any(language.speaks_of_us(said) for language in _LANGUAGES)

    @cached_property
    def names_own(self) -> bool:
        """Return whether the sentence begins by how somebody of the author's is called."""
        said = [word.lower for word in self.words]
        return any(language.names_own(said) for language in _LANGUAGES)

    @cached_property
    def speaks_of_own(self) -> bool:
        """Return whether the sentence, which names nobody, leaves out that it is about its author."""
        said = [word.lower for word in self.words]
        return any(language.speaks_of_own(said) for language in _LANGUAGES)

    def stranger_at(self, at: int) -> int:
        """Return how many words from index `at` on are the name of somebody, as far as grammar tells; 0 if none."""
        word = self.words[at]
        bare, suffix = self.bare(at)
        language = self.language_of(word.lower)
        if language is None or self.is_quoted(word.start) or not _LETTERS.fullmatch(bare):
            return 0
        if not may_start_with_name(bare) or len(bare) < _FEWEST_LETTERS or not self._is_stranger(at, suffix):
            return 0
        return 2 if self._goes_on_as_name(at, suffix) else 1

    def _is_stranger(self, at: int, suffix: str) -> bool:
        word, before = self.words[at], self.before(at)
        lower = without_accents(self.bare(at)[0].casefold())
        language = self.language_of(lower)
        after = self.after(at)
        if (
            language is None
            or language.is_anothers_name(before)
            or language.is_person(before, suffix, after) is False
        ):
            return False
        shown = self.shows_person(at, suffix)
        is_written = word.is_capitalised and word.text[1:].islower()
        is_kins = bool(before) and (
            bool(language.is_kin(before[-1])) or language.is_anothers_name(before) is False
        )
        if language.is_first_name(lower):
            if not self.is_word(lower):
                return not language.is_place(before)
            return shown or (
                is_written
                and not word.opens
                and not language.is_place(before)
                and not is_calendar_word(lower)
            )
        if self.is_word(lower):
            return False
        if word.opens or not word.is_capitalised:
            return shown and word.opens and (is_written or len(lower) >= _LEAST_LOWER)
        return is_written and (shown or is_kins)

    def is_person(self, first: int, last: int, suffix: str, *, is_word: bool) -> bool | None:
        """Return whether words that somebody bears as a name, from `first` to `last`, mean a person here.

        `None` if that is not sure; `is_word`: the name may also be a word.
        """
        word = self.words[first]
        language = self.language_of(word.lower)
        if language is None:
            return True
        before, after = self.before(first), self.after(last)
        if language.is_anothers_name(before):
            return False
        calendar = is_calendar_word(word.lower)
        is_small = word.text.islower()
        if is_small and before and before[-1] in DETERMINERS - _CONJUNCTIONS:
            return False
        if self._goes_on_as_name(last, suffix):
            return None
        if not (is_word or calendar or is_function_word(word.lower)):
            return True
        told: bool | None = language.is_person(before, suffix, after)
        if told is None and self._is_joined(last):
            told = True
        if told is not None:
            if told and is_small and language.is_living(word.lower):
                return None
            return told and not (calendar and language.is_beside(before) and not suffix)
        if word.opens and self.words[last].ends_clause:
            return None if word.is_capitalised else False
        if word.opens:
            is_no_name = language.is_used_as_word(after, is_capitalised=not is_small)
            return False if is_no_name or (calendar and after[0] not in _BE) else None
        if self._has_no_capitals:
            return False
        return word.is_capitalised and not calendar and not language.is_place(before)

    def _is_joined(self, last: int) -> bool:
        """Return whether somebody who is known here, or what they do, follows: "Hope and Bob", "Hope, who"."""
        follows = self.words[last + 1 : last + 3]
        if not follows or not (self.words[last].ends_clause or follows[0].lower in _JOINING):
            return False
        then = follows[-1] if follows[0].lower in _JOINING else follows[0]
        if then.lower in _RELATIVE:
            return True
        if then.is_capitalised and self.is_name(self.words.index(then)):
            return True
        return (then.is_capitalised or not self.is_word(then.lower)) and self._is_known(then.text)

    def _goes_on_as_name(self, last: int, suffix: str) -> bool:
        """Return whether another capitalised word follows, so that this may be somebody else: "Will Smith"."""
        word, then = self.words[last], self.words[last + 1 : last + 2]
        return bool(
            not suffix
            and then
            and word.end == word.chunk_end
            and word.is_capitalised
            and not self._is_title
            and then[0].is_capitalised
            and then[0].text.isalpha()
            and then[0].text[1:].islower()
            and not is_function_word(then[0].lower)
            and not is_calendar_word(then[0].lower)
            and self.language_of(word.lower) is self.language_of(then[0].lower)
        )

    @cached_property
    def _is_title(self) -> bool:
        """Return whether all longer words have capital letters, which say nothing then."""
        return all(word.is_capitalised for word in self.words if len(word.text) > _SHORT_WORD)

    @cached_property
    def _has_no_capitals(self) -> bool:
        return self.text.islower() or self.text.isupper()


def relatives(name: str) -> frozenset[str]:
    """Return what else somebody called `name` (lower case, no accents) is called: Саша, Шура and Александр."""
    return frozenset(one for family in _FAMILIES if name in family for one in family if name != one)


_FAMILIES: Final = tuple(family for language in _LANGUAGES for family in language.families())
