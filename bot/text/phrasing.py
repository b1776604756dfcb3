"""What somebody says about themselves, put into the third person in which it is stored; each language has
its own rules.
"""

import re
from typing import Final, NamedTuple

from bot.core.domain import Language, mention_of
from bot.text.languages import Rewritten, in_each_language
from bot.text.tokens import PROTECTED

_WORD: Final = re.compile(r"\w+(?:['’-]\w+)*|\s+|[^\w\s]")
_LANGUAGES: Final = in_each_language("phrasing")
_MARKS: Final = {
    Language.ENGLISH: ("“", "”", str.maketrans("“”", "‘’")),
    Language.RUSSIAN: ("«", "»", str.maketrans("«»", "„“")),
}
"""How each language opens and closes a quotation, and what it makes of such marks inside of one."""

_SHOUTED: Final = re.compile(r"(?<![\w/:.@])[^\W\d_]{2,}(?![\w/:@]|\.\w)")
_LEAST_SHOUTED: Final = 2
"""Longer words in capitals that make a shout; a single one may be a name or an abbreviation."""

_CODE: Final = re.compile(r"(?<![@\d])\d")

_QUOTED: Final = re.compile(r": [“«].*[”»]", re.DOTALL)


class Told(NamedTuple):
    """A statement as others would tell it."""

    text: str
    sure: bool
    """Whether every form in it is right for certain; else it stands for the words as they were said only where
    nobody reads it."""


def third_person(statement: str, *, author_id: int) -> str:
    """Return `statement` as others would tell it: what its author says of themselves is said of `<@author_id>`.

    "I love my dog" becomes "<@1> loves their dog", "у меня есть кот" becomes "у <@1> есть кот". Quotations,
    code, addresses and whatever is said of others stay as they are. White space and full stops around the
    statement go. The first word that names its author tells the language; a title in the other one stays.
    Nothing is raised, whatever the text; done twice it changes nothing more, for which a text in both scripts
    that mentions its author already counts as rewritten.
    """
    return _told(_trimmed(statement), author_id).text


def told(statement: str, *, author_id: int) -> Told:
    """Return a whole `statement` in the third person, as `third_person` does, and whether it is surely right.

    A subject that was left out is put in: "hate olives" is told as "I hate olives" is, "родилась в мае" as
    "я родилась в мае".
    """
    text = _trimmed(statement)
    found = _told(text, author_id)
    if text and mention_of(author_id) not in found.text:
        whole = next((whole for language in _LANGUAGES if (whole := language.with_subject(text))), None)
        return found if whole is None else _told(whole, author_id)
    return found


def quotation(words: str, *, teller_id: int) -> str:
    """Return `words` as what `<@teller_id>` said, in one line and in the quotation marks of their language."""
    said = " / ".join(filter(None, (line.strip() for line in _trimmed(words).splitlines())))
    opening, closing, inner = _MARKS[Language.of(said)]
    return f"{mention_of(teller_id)}: {opening}{said.translate(inner)}{closing}"


def is_quoted_from(content: str, teller_id: int) -> bool:
    """Return whether `content` is a quotation of `<@teller_id>`, so that it says itself who told it."""
    return bool(_QUOTED.match(content.removeprefix(mention_of(teller_id)))) and content.startswith("<@")


def in_marks(words: str) -> str:
    """Return `words` in the quotation marks of their language."""
    opening, closing, _ = _MARKS[Language.of(words)]
    return f"{opening}{words}{closing}"


def _trimmed(statement: str) -> str:
    """Return a statement without what surrounds it, and said calmly: in capitals throughout, it was shouted."""
    text = statement.strip().rstrip(". \t\n\r\f\v")
    long = [word for word in _SHOUTED.findall(text) if len(word) > 2]
    is_shouted = text.upper() == text and len(long) >= _LEAST_SHOUTED and not _CODE.search(text)
    return _SHOUTED.sub(lambda word: word[0].lower(), text) if is_shouted else text


def _told(text: str, author_id: int) -> Told:
    sure = True
    for _ in _LANGUAGES:
        found = _rewritten(text, mention_of(author_id))
        text, sure = found.text, sure and found.sure
    return Told(text, sure)


def speaks_of_author(statement: str) -> bool:
    """Return whether `statement` speaks of its author anywhere, outside of quotations, code and titles.

    By a pronoun of the first person singular in any case ("coffee makes me sick", "день рождения у меня 4 июля"),
    by «мы с братом», or by a verb that can have no other subject: "живу в Казани", "родилась 12 марта", "hate olives".
    Nothing is raised, whatever the text.
    """
    tokens = [
        "" if PROTECTED.fullmatch(token) and not token.startswith("<@") else token
        for token in _tokens(statement.strip())
    ]
    return any(language.speaks_of_author(tokens) for language in _LANGUAGES)


def _rewritten(text: str, mention: str) -> Told:
    """Return `text` rewritten in the language of the first word that names its author."""
    tokens = _tokens(text)
    plain = _unprotected(tokens)
    letters = set("".join(plain).lower())
    if mention in tokens and not any(
        letters.isdisjoint(words.LETTERS) for words in in_each_language("words")
    ):
        return Told(text, sure=True)
    spoken = next(
        (language for token in plain for language in _LANGUAGES if language.mentions_author([token])), None
    )
    if spoken is None:
        return Told(text, sure=True)
    rewritten: Rewritten = spoken.third_person(tokens, mention=mention)
    return Told("".join(rewritten.tokens).strip(), rewritten.sure)


def _unprotected(tokens: list[str]) -> list[str]:
    """Return the tokens that may be rewritten."""
    return [token for token in tokens if not PROTECTED.fullmatch(token)]


def _tokens(text: str) -> list[str]:
    """Return the words, gaps and protected spans of `text`, which joined are the text again."""
    tokens: list[str] = []
    end = 0
    for span in PROTECTED.finditer(text):
        tokens += _WORD.findall(text[end : span.start()])
        tokens.append(span[0])
        end = span.end()
    return tokens + _WORD.findall(text[end:])
