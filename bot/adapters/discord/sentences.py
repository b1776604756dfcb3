"""The language of Discord's users and servers, and names of commands in all languages."""

from collections.abc import Iterable
from functools import cache
from typing import Final

import discord
from discord import app_commands

from bot.core.domain import Language
from bot.text.sentences import Key, say

_MOST_NAMES: Final = 10


@cache
def spoken_in(locale: discord.Locale) -> Language | None:
    """Return the language of a locale; `None` if the bot does not speak it."""
    return next((language for language in Language if language == locale.value.partition("-")[0]), None)


def language_of(locale: discord.Locale) -> Language:
    """Return the language in which a guild or a client of this locale is spoken to."""
    return spoken_in(locale) or Language.ENGLISH


def listed(names: Iterable[str], *, most: int = _MOST_NAMES) -> str:
    """Return names as one line, `most` at most and then how many more there are."""
    every = list(names)
    shown = ", ".join(every[:most])
    return f"{shown} (+{len(every) - most})" if len(every) > most else shown


def localized(key: Key) -> app_commands.locale_str:
    """Return a name or a description as the library takes it: in English, with the key of its other languages."""
    return app_commands.locale_str(say(key, Language.ENGLISH), key=key)


def choice(key: Key, value: str) -> app_commands.Choice[str]:
    """Return a value of an option, as it is called in each language."""
    return app_commands.Choice(name=localized(key), value=value)


class SentenceTranslator(app_commands.Translator):
    """Gives what `localized` returned in each language that the bot speaks; all others see the English."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        _context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return `string` in the language of `locale`, `None` where it stays as it is."""
        language = spoken_in(locale)
        key: Key | None = string.extras.get("key")
        return say(key, language) if key and language not in (None, Language.ENGLISH) else None
