"""Every setting has a label and says what it may be, in each language."""

from bot.chat.usecases import guild_settings
from bot.core.domain import Guild, Language


def test_every_setting_is_called_and_explained_in_both_languages() -> None:
    guild = Guild(guild_id=1, name="Test")
    for language in Language:
        for setting in guild_settings.listed_settings(guild, language, ["simple"]):
            assert Language.of(setting.label) is language
            assert setting.allowed
            assert "{" not in setting.allowed
