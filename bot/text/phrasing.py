"""What somebody says about themselves, put into the third person in which it is stored; each language has
its own rules.
"""

import re
from typing import Final

from bot.core.domain import mention_of
from bot.text.languages import in_each_language
from bot.text.tokens import PROTECTED

_WORD: Final = re.compile(r"\w+(?:['’-]\w+)*|\s+|[^\w\s]")
_LANGUAGES: Final = in_each_language("phrasing")


def third_person(statement: str, *, author_id: int) -> str:
    """Return `statement` as others would tell it: what its author says of themselves is said of `<@author_id>`.

    "I love my dog" becomes "<@1> loves their dog", "у меня есть кот" becomes "у <@1> есть кот". Quotations,
    code, addresses and whatever is said of others stay as they are. White space and full stops around the
    statement go. The first word that names its author tells the language; a title in the other one stays.
    Nothing is raised, whatever the text; done twice it changes nothing more, for which a text in both scripts
    that mentions its author already counts as rewritten.
    """
    text = statement.strip().rstrip(". \t\n\r\f\v")
    for _ in _LANGUAGES:
        text = _rewritten(text, mention_of(author_id))
    return text


def _rewritten(text: str, mention: str) -> str:
    """Return `text` rewritten in the language of the first word that names its author."""
    tokens = _tokens(text)
    plain = _unprotected(tokens)
    letters = set("".join(plain).lower())
    if mention in tokens and not any(
        letters.isdisjoint(words.LETTERS) for words in in_each_language("words")
    ):
        return text
    spoken = next(
        (language for token in plain for language in _LANGUAGES if language.mentions_author([token])), None
    )
    return text if spoken is None else "".join(spoken.third_person(tokens, mention=mention)).strip()


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
