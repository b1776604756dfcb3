"""Puts the names and descriptions of commands into the languages that there are."""

import discord
from discord import app_commands


class RussianBeside(app_commands.Translator):
    """Gives each string the Russian that it carries with it; all other languages see the English."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        _context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return `string` in the language of `locale`, `None` where it stays as it is."""
        russian: str | None = string.extras.get("russian")
        return russian if locale is discord.Locale.russian else None
