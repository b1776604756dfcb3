"""Russian statements in the first person become statements about their author, by a dictionary of word
forms.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from bot.text.languages import Rewritten
from bot.text.ru.declension import Case, case_at
from bot.text.ru.dictionary import parses, plain
from bot.text.tokens import PROTECTED, words

if TYPE_CHECKING:
    from pymorphy3.analyzer import Parse
    from pymorphy3.tagset import OpencorporaTag


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
_OF_ANOTHER_CLAUSE: Final = words("где как когда чтобы пока если кто что куда откуда почему сколько хотя")
"""Behind these the subject is another one, and what is the author's is no more "свой"."""
_BESIDE_A_VERB: Final = words(
    "не бы уже еще всегда часто иногда редко обычно никогда очень тоже также просто сейчас"
)
_HOMOGRAPHS: Final = {"пою": "поёт", "вожу": "водит", "держу": "держит", "фанатею": "фанатеет"}
"""Verbs of which the dictionary holds a rarer reading to be as likely, or no reading at all."""

_UNSURE_HOMOGRAPHS: Final = words("вожу мою")
_OTHERS: Final = words(
    """ты вы тебя тебе тобой вас вам вами твой твоя твое твои твоего твоей твоих твоему твою ваш ваша ваше ваши вашего
    мы нас нам нами наш наша наше наши нашего нашей наших нашему нашу нашим"""
)
"""Persons who are not the author alone, whom nobody but the author can mean."""

_AFTER_A_PREPOSITION: Final = {
    Case.GENITIVE: words("у без от из до для кроме около возле после ради против вместо среди мимо напротив"),
    Case.ACCUSATIVE: words("про через за на в"),
}
_BEFORE_A_PREPOSITIONAL: Final = words("о об обо на в во при")
_DOUBTFUL: Final = re.compile(
    r"[?\n]|[.!…;]\s+\S|\b(?:i|i'm|my|me|mine)\b"
    r"|\b(?:называется|песн\w+|фильм\w*|книг\w+|альбом\w*|групп\w+|игр\w+)\b.*\bя\b",
    re.IGNORECASE,
)
"""What makes it unsure who says what of whom, or which words are a title."""

_LIKELY: Final = 0.2
"""How likely a reading of a word must be to be reckoned with."""

_WORDS: Final = re.compile(r"<@!?\d+>|\w+|[^\w\s]")
_OF_THE_AUTHOR: Final = re.compile(r"^[а-я]+[ую](?:сь)?$")
_PAST_ENDING: Final = re.compile(r"л(?:а|о|и|ся|ась|ось|ись)?$|(?:[гкрсзб]|ез)$")
_CALL_ME: Final = re.compile(
    r"(?:(?:пожалуйста|просто|можешь|можете|можно),?\s+)*(?P<call>зов|зва|назыв)(?:и|ите|ать|ай|айте)\s+меня\s+(?=\S)",
    re.IGNORECASE,
)

_ARE_CALLED: Final = re.compile(r"зовут\s+меня\s+[А-ЯЁA-Z]", re.IGNORECASE)


def mentions_author(tokens: list[str]) -> bool:
    """Return whether some token is a Russian pronoun or a verb of the first person, singular."""
    return any(
        plain(token) in _PERSONAL | _POSSESSIVES or _verb_of_the_author(plain(token)) is not None
        for token in tokens
    )


def speaks_of_author(tokens: list[str]) -> bool:
    """Return whether the words of a statement, with "" for quotations and the like, speak of its author."""
    said = [plain(token) for token in tokens if token and not token.isspace()]
    return _past_without_subject(said) or any(
        word in _PERSONAL | _POSSESSIVES
        or _verb_of_the_author(word) is not None
        or (word == "мы" and said[at + 1 : at + 2] in (["с"], ["со"]))
        for at, word in enumerate(said)
    )


def _past_without_subject(said: list[str]) -> bool:
    """Return whether a statement begins with a verb in the past that names no subject: "родилась в мае"."""
    first = next((at for at, word in enumerate(said) if not _stands_beside(word)), len(said))
    if first == len(said) or not said[first].isalpha():
        return False
    verb = parses(said[first])[0].tag
    if not ({"VERB", "past", "sing"} in verb and verb.gender in {"masc", "femn"}):
        return False
    return not any(
        _may_be_subject(word, of=verb) and "PREP" not in parses(before)[0].tag
        for before, word in pairwise(said[first:])
    )


def _stands_beside(word: str) -> bool:
    """Return whether `word` can stand before a verb without being its subject: «не», "вчера"."""
    return word in _BESIDE_A_VERB or (word.isalpha() and parses(word)[0].tag.POS == "ADVB")


def _may_be_subject(word: str, *, of: "OpencorporaTag") -> bool:
    """Return whether `word` can be the subject of a verb rather than its object."""
    if word.startswith("<@"):
        return True
    if not word.isalpha():
        return False
    tags = [parse.tag for parse in parses(word) if parse.score >= _LIKELY]
    nominative = any(
        tag.POS in {"NOUN", "NPRO"} and tag.case == "nomn" and tag.number == "sing" for tag in tags
    )
    object_too = "tran" in of and any(tag.POS == "NOUN" and tag.case == "accs" for tag in tags)
    return nominative and not object_too


def third_person(tokens: list[str], *, mention: str) -> Rewritten:
    """Return the tokens of a statement with its author as `mention`, and whether every form is surely right.

    Joined, `tokens` are the whole text; those that are no words (quotations, mentions) stay as they are.
    """
    text = "".join(tokens)
    called = _CALL_ME.match(text)
    if called is None:
        # "Зовут меня Ольга" says what "меня зовут Ольга" does, in the order that can be read.
        turned = (
            [tokens[2].lower(), " ", tokens[0].lower(), *tokens[3:]] if _ARE_CALLED.match(text) else tokens
        )
        return _Rewriting(list(turned), mention).run()
    rest = list(tokens)
    while "".join(rest) and len(text) - len("".join(rest)) < called.end():
        del rest[0]
    verb = "называть" if called["call"].lower() == "назыв" else "звать"
    sure = len([token for token in rest if token.isalnum()]) == 1 and rest[0][0].isupper()
    return Rewritten([f"{mention} просит {verb} себя ", *_Rewriting(rest, mention).run().tokens], sure=sure)


def with_subject(text: str) -> str | None:
    """Return `text` with the subject that was left out put before its verb; `None` if none was left out."""
    return f"я {text[0].lower()}{text[1:]}" if _past_without_subject(_WORDS.findall(plain(text))) else None


def _verb_of_the_author(word: str, *, surely: bool = False) -> "Parse | None":
    """Return the reading of `word` as a verb of the first person singular; any reading if it is surely a verb."""
    if not word.isalpha() or not word.endswith(("у", "ю", "м", "усь", "юсь")):
        return None
    for parse in parses(word) if surely else parses(word)[:1]:
        if {"VERB", "1per", "sing"} in parse.tag:
            return parse
    return None


def _has_one_form(word: str) -> bool:
    """Return whether all readings of `word` as a verb of the first person have one form in the third."""
    forms = {
        inflected.word
        for parse in parses(word)
        if {"VERB", "1per", "sing"} in parse.tag and (inflected := parse.inflect({"3per", "sing"}))
    }
    return len(forms) == 1


def _is_of_several(word: str) -> bool:
    """Return whether `word` is a verb of the first person plural: "любим"."""
    return word.isalpha() and {"VERB", "1per", "plur"} in parses(word)[0].tag


def _is_request(words: list[str]) -> bool:
    """Return whether somebody is asked to do something: "напомни мне"."""
    first = next((word for word in words if word not in _BESIDE_A_VERB), "")
    return first.isalpha() and {"VERB", "impr"} in parses(first)[0].tag


def _agree(possessive: str, noun: str) -> bool:
    """Return whether `possessive` can belong to `noun`: not in "у сестры моей день рождения"."""
    tags = [parse.tag for parse in parses(possessive)]
    return any(
        tag.case == thing.case
        and tag.number == thing.number
        and (tag.number == "plur" or tag.gender == thing.gender or "ms-f" in thing)
        for thing in (parse.tag for parse in parses(noun))
        for tag in tags
    )


def _is_thing_of(possessive: str, before: str) -> bool:
    """Return whether `possessive` may belong to the noun before it: "у брата моего"."""
    return before.isalpha() and "NOUN" in parses(before)[0].tag and _agree(possessive, before)


def _is_unknown_verb(words: list[str]) -> bool:
    """Return whether nothing is known of the word that says what the author does: "я кодю"."""
    behind = words[words.index("я") + 1 :] if "я" in words else []
    verb = next((word for word in behind if word not in _BESIDE_A_VERB), "")
    return bool(_OF_THE_AUTHOR.search(verb)) and verb not in _HOMOGRAPHS and not parses(verb)[0].is_known


def _is_in_a_title(said: list[str], at: int) -> bool:
    """Return whether a pronoun inside a sentence has a capital: "песня Я свободен"."""
    word = said[at]
    inside = any(token.isalpha() for token in said[:at])
    is_shouted = "".join(said).isupper()
    return inside and not is_shouted and word[:1].isupper() and plain(word) in _PERSONAL | _POSSESSIVES


def _may_be_of_the_author(words: list[str], at: int) -> bool:
    """Return whether the word at `at` was taken for no verb of the author but may be one: "еду", "стримлю"."""
    word = words[at]
    if _verb_of_the_author(word) is not None or word in _POSSESSIVES:
        return False
    verb = _verb_of_the_author(word, surely=True)
    if verb is None or (verb.is_known and verb.score < _LIKELY):
        return False
    before = next((word for word in reversed(words[:at]) if word not in _BESIDE_A_VERB), "")
    if before == "я":
        return False
    parts = {"VERB", "INFN", "PREP", "ADJF", "NUMR", "NOUN"}
    return not (verb.is_known and before.isalpha() and str(parses(before)[0].tag.POS) in parts)


def _is_finite(word: str) -> bool:
    """Return whether `word` is most likely a verb with a subject, or a short predicate."""
    return word.isalpha() and str(parses(word)[0].tag.POS) in {"VERB", "ADJS", "PRED", "PRTS"}


def is_past_form(word: str) -> bool:
    """Return whether `word`, in lower case, is the past form of a verb."""
    return bool(_PAST_ENDING.search(word)) and {"VERB", "past"} in parses(word)[0].tag


@dataclass(slots=True)
class _Rewriting:
    """One pass over the tokens, each of which keeps its place."""

    tokens: list[str]
    mention: str
    sure: bool = field(default=True, init=False)
    _cases: dict[int, Case | None] = field(default_factory=dict, init=False)
    """In which case the author stands at which token."""

    def run(self) -> Rewritten:
        """Rewrite verbs while the pronouns still stand, then what is the author's, then the author."""
        said = ["" if PROTECTED.fullmatch(token) else token for token in self.tokens]
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
                self._cases[at] = self._case_of(word, at)
                if self._word(before) in _BEFORE_ME:
                    self.tokens[before] = _cased_as(_BEFORE_ME[self._word(before)], self.tokens[before])
                self.tokens[at] = self.mention
        if self._cases:
            self.sure &= not self._is_doubtful(said) and self._is_read_right()
        return Rewritten(self.tokens, self.sure)

    def _is_doubtful(self, said: list[str]) -> bool:
        """Return whether something in the words as they were said leaves it open who is meant by what."""
        words = [plain(token) for token in said if token and not token.isspace()]
        return (
            len(self._cases) > 1
            or bool(_DOUBTFUL.search("".join(said).strip()))
            or any(word in _OTHERS for word in words)
            or any(_is_of_several(word) for word in words)
            or any(_is_in_a_title(said, at) for at in range(len(said)))
            or any(
                word == "я" and ({"и", "или", "с"} & {*words[max(0, at - 1) : at], *words[at + 1 : at + 2]})
                for at, word in enumerate(words)
            )
            or _is_request(words)
            or _is_unknown_verb(words)
            or any(_may_be_of_the_author(words, at) for at in range(len(words)))
        )

    def _is_read_right(self) -> bool:
        """Return whether a reader who puts in a name puts it into the cases in which the author was said."""
        text = "".join(self.tokens)
        places = [found.span() for found in re.finditer(re.escape(self.mention), text)]
        wanted = [self._cases[at] for at in sorted(self._cases)]
        return wanted == [case_at(text[:start], text[end:]) for start, end in places]

    def _case_of(self, word: str, at: int) -> Case | None:
        """Return the case of a pronoun of the author, where its form and what stands around it tell; else doubt."""
        before = self._word(self._previous(at))
        if word == "я":
            return None
        if word == "мне":
            return Case.PREPOSITIONAL if before in _BEFORE_A_PREPOSITIONAL else Case.DATIVE
        if word in {"мной", "мною"}:
            return Case.INSTRUMENTAL
        for case, prepositions in _AFTER_A_PREPOSITION.items():
            if before in prepositions:
                return case
        words = [plain(token) for token in self.tokens if token and not token.isspace()]
        if "нет" in words or "не" in words:
            self.sure &= before not in words or "нет" in words
            return Case.GENITIVE
        near = {before, self._word(self._next(at))}
        self.sure &= any(word.isalpha() and {"VERB", "tran"} in parses(word)[0].tag for word in near)
        return Case.ACCUSATIVE

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
        self.sure &= word == "мою" or (
            word not in _UNSURE_HOMOGRAPHS
            and (word in _HOMOGRAPHS or (verb.is_known and _has_one_form(word)))
        )
        self.tokens[at] = _cased_as(_HOMOGRAPHS.get(word, inflected.word), self.tokens[at])
        return True

    def _name_before(self, at: int) -> None:
        """Put the author before the verb at `at`, whose form alone said whose it was."""
        if self._word(self._previous(at)) == "не":
            at = self._previous(at)
        first = not "".join(self.tokens[:at]).strip()
        verb = self.tokens[at].lower() if first and not self.tokens[at].isupper() else self.tokens[at]
        self.tokens[at] = f"{self.mention} {verb}"
        self._cases[at] = None

    def _rewrite_possessive(self, at: int) -> None:
        """Say whose it is: "свой" of the subject, "у <@id>" at the start of a clause, else after the thing."""
        start = self._clause_start(at)
        word = self._word(at)
        noun = self._noun_after(at)
        behind = self._word(self._previous(at))
        self.sure &= noun is None or (_agree(word, self._word(noun)) and not _is_thing_of(word, behind))
        owner = next((plain(token) for token in self.tokens[start:at] if plain(token) in _OWNERS), "")
        if owner or any(self.mention in token for token in self.tokens[start:at]):
            before = {plain(token) for token in self.tokens[start:at]}
            self.sure &= owner == "я" and word != "моя" and before.isdisjoint(_OF_ANOTHER_CLAUSE)
            self.tokens[at] = _cased_as("сво" + self.tokens[at].lower()[2:], self.tokens[at])
        elif noun is None:
            self._cases[at] = Case.DATIVE
            self.sure &= word in _NOMINATIVE and not self._word(self._next(at))
            self.tokens[at] = f"принадлежит {self.mention}" if word in _NOMINATIVE else self.mention
        elif word in _NOMINATIVE and not self._has_a_subject(start, at) and not self._follows_a_dash(start):
            self._cases[at] = Case.GENITIVE
            self.tokens[at] = _cased_as("у", self.tokens[at]) + f" {self.mention}"
        else:
            last = self._end_of_thing(noun)
            self._cases[last] = Case.GENITIVE
            self.tokens[last] += f" {self.mention}"
            following = self._next(at)
            self.tokens[following] = _cased_as(self.tokens[following], self.tokens[at])
            self.tokens[at:following] = [""] * (following - at)

    def _end_of_thing(self, noun: int) -> int:
        """Return where the thing ends that begins with the noun at `noun`: with "зодиака" in "знак зодиака"."""
        following = self._next(noun)
        if following == noun + 1 or not self._word(following).isalpha():
            return noun
        tag = parses(self._word(following))[0].tag
        return following if {"NOUN", "gent"} in tag and self.tokens[following].islower() else noun

    def _follows_a_dash(self, start: int) -> bool:
        """Return whether a dash stands before `start` with something before it: "роза — мой любимый цветок"."""
        return start > 1 and self.tokens[start - 1] in {"—", "–"}

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
