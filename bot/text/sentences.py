"""What the bot says, found by key and language in `bot/locale/<code>.toml`, or `bot/locale/abroad/<code>.toml`.

A file has a table for each part of the bot and a line for each sentence in it. `section.name` is the key. A sentence
that counts has one form for each plural category of its language, as CLDR names them: `one`, `few`, `many`, `other`.
Abroad are the languages in which a model alone understands what is said: they have what is said in answer to that, and
the words of a yes and a no.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypeAlias

from babel import Locale

from bot.core.domain import Language
from bot.text.language_detection import detect_language, language_by_letters

Key: TypeAlias = str
"""The key of a sentence. `tests/text/test_sentences.py` finds what is passed as one and looks it up."""

LOCALE: Final = Path(__file__).parents[1] / "locale"
"""The folder with one file for each language."""

ABROAD: Final = tuple(sorted(path.stem for path in (LOCALE / "abroad").glob("*.toml")))
"""The codes of the languages in which a model alone understands what is said."""


@cache
def sentences(language: str) -> Mapping[Key, str | Mapping[str, str]]:
    """Return all sentences of `language`, a code, by their keys; those that count as forms by plural category.

    What is never said abroad is English there.
    """
    if language not in ABROAD:
        return _read(LOCALE / f"{language}.toml")
    return {**sentences(Language.ENGLISH), **sentences_abroad(language)}


@cache
def sentences_abroad(language: str) -> Mapping[Key, str | Mapping[str, str]]:
    """Return the sentences that a language of `ABROAD` has itself."""
    return _read(LOCALE / "abroad" / f"{language}.toml")


def _read(file: Path) -> Mapping[Key, str | Mapping[str, str]]:
    return {
        f"{section}.{name}": sentence
        for section, named in tomllib.loads(file.read_text(encoding="utf-8")).items()
        for name, sentence in named.items()
    }


@cache
def plural_category(language: str) -> Callable[[int], str]:
    """Return the CLDR rule that gives a number's plural category in `language`.

    Only the data of this language are loaded, when something is counted for the first time.
    """
    return Locale.parse(language).plural_form


def say(key: Key, language: str, **values: str | int) -> str:
    """Return a sentence with `values` put in; of one that counts the form for `count`, which must be an `int`.

    `language` is a `Language`, or a code of `ABROAD`. Raises `KeyError` if there is no such sentence, or it needs a
    value that is not given.
    """
    sentence = sentences(language)[key]
    if not isinstance(sentence, str):
        # Some languages have a form for millions alone.
        sentence = sentence.get(plural_category(language)(int(values["count"]))) or sentence["other"]
    return sentence.format(**values)


def speech_of(text: str, *, is_order: bool = False) -> str:
    """Return the code of the language to answer `text` in: by its commonest words if they tell, else by its script.

    Of an order one such word is enough, or a letter that no other language has.
    """
    found = (
        detect_language(text, at_least=1) or language_by_letters(text) if is_order else detect_language(text)
    )
    return found.code if found is not None and found.code in ABROAD else Language.of(text)


@cache
def heard_abroad(answer: Literal["yes", "no", "all", "none"]) -> frozenset[str]:
    """Return the words that mean `answer` in any language of `ABROAD`."""
    return frozenset(
        word for language in ABROAD for word in str(sentences_abroad(language)[f"heard.{answer}"]).split()
    )
