"""What the bot says, found by key and language in `bot/locale/<code>.toml`.

A file has a table for each part of the bot and a line for each sentence in it. `section.name` is the key. A sentence
that counts has one form for each plural category of its language, as CLDR names them: `one`, `few`, `many`, `other`.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from babel import Locale

from bot.core.domain import Language

Key: TypeAlias = str
"""The key of a sentence. `tests/text/test_sentences.py` finds what is passed as one and looks it up."""

LOCALE: Final = Path(__file__).parents[1] / "locale"
"""The folder with one file for each language."""


@cache
def sentences(language: Language) -> Mapping[Key, str | Mapping[str, str]]:
    """Return all sentences of `language` by their keys; those that count as forms by plural category."""
    sections = tomllib.loads((LOCALE / f"{language}.toml").read_text(encoding="utf-8"))
    return {
        f"{section}.{name}": sentence
        for section, named in sections.items()
        for name, sentence in named.items()
    }


@cache
def plural_category(language: Language) -> Callable[[int], str]:
    """Return the CLDR rule that gives a number's plural category in `language`.

    Only the data of this language are loaded, when something is counted for the first time.
    """
    return Locale.parse(language.value).plural_form


def say(key: Key, language: Language, **values: str | int) -> str:
    """Return a sentence with `values` put in; of one that counts the form for `count`, which must be an `int`.

    Raises `KeyError` if there is no such sentence, or it needs a value that is not given.
    """
    sentence = sentences(language)[key]
    if not isinstance(sentence, str):
        sentence = sentence[plural_category(language)(int(values["count"]))]
    return sentence.format(**values)


@cache
def confirmations() -> Mapping[str, Mapping[Key, str]]:
    """Return what is confirmed in languages of which the bot has no more than that, by their names and by keys."""
    tongues = tomllib.loads((LOCALE / "abroad" / "confirmations.toml").read_text(encoding="utf-8"))
    return {
        tongue: {f"chat.{name}": sentence for name, sentence in said.items()}
        for tongue, said in tongues.items()
    }


def say_abroad(key: Key, tongue: str, **values: str | int) -> str | None:
    """Return a confirmation in the language of that name, in English; `None` where it has none such."""
    sentence = confirmations().get(tongue, {}).get(key)
    return None if sentence is None else sentence.format(**values)
