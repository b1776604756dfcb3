"""Russian statements in the first person become statements about their author, by a dictionary of word
forms.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from bot.text.tokens import words

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer
    from pymorphy3.analyzer import Parse


_NOMINATIVE: Final = words("мой моя мое мои")
_POSSESSIVES: Final = _NOMINATIVE | words("моего моей моих моему моим мою моею моими моем")
_PERSONAL: Final = words("я мне меня мной мною")
_OWNERS: Final = words("я мне меня")
"""Pronouns after which, in the same clause, what is the author's is "свой"."""

_BEFORE_ME: Final = {
    "ко": "к",
    "обо": "о",
    "со": "с",
    "надо": "над",
    "передо": "перед",
    "подо": "под",
    "во": "в",
}
_CLAUSE_ENDS: Final = frozenset(",.;:!?()\n—–")
_JOINING: Final = words("и а но или да что")
_BESIDE_A_VERB: Final = words(
    "не бы уже еще всегда часто иногда редко обычно никогда очень тоже также просто сейчас"
)
_HOMOGRAPHS: Final = {"пою": "поёт", "вожу": "водит"}
"""Verbs of which the dictionary holds a rarer reading to be as likely."""

_PAST_ENDING: Final = re.compile(r"л(?:а|о|и|ся|ась|ось|ись)?$|(?:[гкрсзб]|ез)$")
_CALL_ME: Final = re.compile(
    r"(?:(?:пожалуйста|просто|можешь|можете|можно),?\s+)*(?P<call>зов|зва|назыв)[а-я]+\s+меня\s+(?=\S)",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _analyser() -> "MorphAnalyzer":
    """Return the dictionary, which takes a moment and some memory to load."""
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer(lang="ru")


@lru_cache(maxsize=4096)
def parses(word: str) -> "tuple[Parse, ...]":
    """Return the readings of a word in lower case, the likeliest first."""
    return tuple(_analyser().parse(word))


def mentions_author(tokens: list[str]) -> bool:
    """Return whether some token is a Russian pronoun or a verb of the first person, singular."""
    return any(
        plain(token) in _PERSONAL | _POSSESSIVES or _verb_of_the_author(plain(token)) is not None
        for token in tokens
    )


def third_person(tokens: list[str], *, mention: str) -> list[str]:
    """Return the tokens of a statement with its author as `mention`.

    Joined, `tokens` are the whole text; those that are no words (quotations, mentions) stay as they are.
    """
    called = _CALL_ME.match("".join(tokens))
    if called:
        rest = list(tokens)
        while "".join(rest) and len("".join(tokens)) - len("".join(rest)) < called.end():
            del rest[0]
        verb = "называть" if called["call"].lower() == "назыв" else "звать"
        return [f"{mention} просит {verb} себя ", *_Rewriting(rest, mention).run()]
    return _Rewriting(list(tokens), mention).run()


def plain(word: str) -> str:
    """Return `word` in lower case and with е for ё, as the tables have it."""
    return word.lower().replace("ё", "е")


def _verb_of_the_author(word: str, *, surely: bool = False) -> "Parse | None":
    """Return the reading of `word` as a verb of the first person singular; any reading if it is surely a verb."""
    if not word.isalpha() or not word.endswith(("у", "ю", "м", "усь", "юсь")):
        return None
    for parse in parses(word) if surely else parses(word)[:1]:
        if {"VERB", "1per", "sing"} in parse.tag:
            return parse
    return None


def _is_finite(word: str) -> bool:
    """Return whether `word` is most likely a verb with a subject, or a short predicate."""
    return word.isalpha() and str(parses(word)[0].tag.POS) in {"VERB", "ADJS", "PRED", "PRTS"}


def is_past_form(word: str) -> bool:
    """Return whether `word`, in lower case, is the past form of a verb."""
    return bool(_PAST_ENDING.search(word)) and {"VERB", "past"} in parses(word)[0].tag


@dataclass(slots=True)
class _Rewriting:
    """One pass over the tokens."""

    tokens: list[str]
    mention: str

    def run(self) -> list[str]:
        """Rewrite verbs while the pronouns still stand, then what is the author's, then the author."""
        verbs = [at for at in range(len(self.tokens)) if self._rewrite_verb(at)]
        if verbs and not any(plain(token) in _OWNERS for token in self.tokens):
            self._name_before(verbs[0])
        for at, token in enumerate(self.tokens):
            if plain(token) in _POSSESSIVES:
                self._rewrite_possessive(at)
        for at, token in enumerate(self.tokens):
            word = plain(token)
            if word in _PERSONAL:
                before = self._previous(at)
                if self._word(before) in _BEFORE_ME:
                    self.tokens[before] = _cased_as(_BEFORE_ME[self._word(before)], self.tokens[before])
                self.tokens[at] = self.mention
        return self.tokens

    def _rewrite_verb(self, at: int) -> bool:
        """Put the verb at `at` into the third person if it is the author's, and return whether it was."""
        word = self._word(at)
        before = self._previous(at)
        while self._word(before) in _BESIDE_A_VERB:
            before = self._previous(before)
        follows = self._word(before) == "я"
        if word in _POSSESSIVES and not (word == "мою" and follows and not self._verb_follows(at)):
            return False
        verb = _verb_of_the_author(word, surely=follows)
        if verb is None:
            return False
        inflected = verb.inflect({"3per", "sing"})
        if inflected is None:
            return False
        self.tokens[at] = _cased_as(_HOMOGRAPHS.get(word, inflected.word), self.tokens[at])
        return True

    def _name_before(self, at: int) -> None:
        """Put the author before the verb at `at`, whose form alone said whose it was."""
        if self._word(self._previous(at)) == "не":
            at = self._previous(at)
        first = not "".join(self.tokens[:at]).strip()
        verb = self.tokens[at].lower() if first and not self.tokens[at].isupper() else self.tokens[at]
        self.tokens[at : at + 1] = [self.mention, " ", verb]

    def _rewrite_possessive(self, at: int) -> None:
        """Say whose it is: "свой" of the subject, "у <@id>" at the start of a clause, else after the thing."""
        start = self._clause_start(at)
        word = self._word(at)
        noun = self._noun_after(at)
        if any(plain(token) in _OWNERS or token == self.mention for token in self.tokens[start:at]):
            self.tokens[at] = _cased_as("сво" + self.tokens[at].lower()[2:], self.tokens[at])
        elif noun is None:
            self.tokens[at] = f"принадлежит {self.mention}" if word in _NOMINATIVE else self.mention
        elif word in _NOMINATIVE and not self._has_a_subject(start, at):
            self.tokens[at] = _cased_as("у", self.tokens[at]) + f" {self.mention}"
        else:
            self.tokens[noun] += f" {self.mention}"
            following = self._next(at)
            self.tokens[following] = _cased_as(self.tokens[following], self.tokens[at])
            del self.tokens[at:following]
            self.tokens[at:at] = [""] * (following - at)

    def _clause_start(self, at: int) -> int:
        """Return where the clause of the word at `at` begins."""
        joined = self._word(at) not in _NOMINATIVE or self._verb_follows(at)
        for start in range(at - 1, -1, -1):
            if self.tokens[start] in _CLAUSE_ENDS or (joined and self._word(start) in _JOINING):
                return start + 1
        return 0

    def _verb_follows(self, at: int) -> bool:
        """Return whether a verb or a dash comes after the word at `at` in its clause."""
        for following in self.tokens[at + 1 :]:
            if following in {"—", "–"} or _is_finite(plain(following)):
                return True
            if following in _CLAUSE_ENDS or plain(following) in _JOINING:
                return False
        return False

    def _noun_after(self, at: int) -> int | None:
        """Return where the thing is that the possessive at `at` belongs to, or `None`."""
        at = self._next(at)
        while at < len(self.tokens) and self.tokens[at].isalpha():
            part = str(parses(self._word(at))[0].tag.POS)
            if part not in {"ADJF", "PRTF", "NUMR"}:
                return at if part == "NOUN" or part == "None" else None
            at = self._next(at)
        return None

    def _has_a_subject(self, start: int, end: int) -> bool:
        """Return whether something other than an adverb is said between `start` and `end`."""
        return any(
            token.startswith("<@")
            or (
                token.isalpha()
                and str(parses(plain(token))[0].tag.POS) in {"NOUN", "NPRO", "ADJF", "VERB", "PREP"}
            )
            or plain(token) == "это"
            for token in self.tokens[start:end]
        )

    def _word(self, at: int) -> str:
        """Return the word at `at` as the tables have it, or nothing outside the text."""
        return plain(self.tokens[at]) if 0 <= at < len(self.tokens) else ""

    def _next(self, at: int) -> int:
        """Return where the word after `at` is if only white space is between."""
        return at + 2 if at + 1 < len(self.tokens) and self.tokens[at + 1].isspace() else at + 1

    def _previous(self, at: int) -> int:
        """Return where the word before `at` is if only white space is between."""
        return at - 2 if at >= 1 and self.tokens[at - 1].isspace() else at - 1


def _cased_as(word: str, old: str) -> str:
    """Return `word` with the capitals of `old`."""
    if len(old) > 1 and old.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if old[:1].isupper() else word
