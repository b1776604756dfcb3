"""Every sentence of the desk is there in both languages and says the same things."""

import string

import pytest

from bot.chat.usecases import guild_settings
from bot.chat.usecases.texts import FormText
from bot.core.domain import Guild, Language


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def without_placeholders(text: str) -> str:
    return "".join(literal for literal, *_ in string.Formatter().parse(text))


@pytest.mark.parametrize("text", list(FormText))
def test_every_sentence_is_in_both_languages(text: FormText) -> None:
    english, russian = text.value
    assert placeholders(english) == placeholders(russian)
    assert Language.of(without_placeholders(english)) is Language.ENGLISH
    assert Language.of(without_placeholders(russian)) is Language.RUSSIAN


def test_every_setting_is_called_and_explained_in_both_languages() -> None:
    guild = Guild(guild_id=1, name="Test")
    for language in Language:
        for setting in guild_settings.listed_settings(guild, language, ["simple"]):
            assert Language.of(setting.label) is language
            assert setting.allowed
            assert "{" not in setting.allowed
