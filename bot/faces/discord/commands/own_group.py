"""`/memory off`, `on`, `private`, `categories`, `export` and `erase`: what members decide about their own memory."""

from typing import Any, Final, TypeAlias

import discord
from discord import app_commands

from bot.conversation.own_commands import ChooseCategory
from bot.conversation.own_rights.categories import MOST_DAYS
from bot.conversation.own_rights.own_texts import KINDS
from bot.conversation.texts import say
from bot.faces.discord.commands.own_acts import Act
from bot.faces.discord.commands.own_names import OwnName as Name
from bot.faces.discord.commands.own_showing import erase, receive
from bot.faces.discord.commands.reception import Reception
from bot.faces.discord.commands.texts import CommandText, named
from bot.faces.discord.sentences import language_of

Command: TypeAlias = app_commands.Command[Any, ..., None]

_ON: Final = "on"
_SWITCH: Final = [
    app_commands.Choice(name=named(CommandText.ON), value=_ON),
    app_commands.Choice(name=named(CommandText.OFF), value="off"),
]
_CATEGORIES: Final = [
    app_commands.Choice(name=named(text), value=category) for category, text in KINDS.items()
]


def own_commands(reception: Reception) -> tuple[Command, ...]:
    """Return the commands, for a group to take."""
    return (
        _plain(reception, Act("off"), Name.OFF, Name.OFF_WHAT),
        _plain(reception, Act("on"), Name.ON, Name.ON_WHAT),
        _private(reception),
        _categories(reception),
        _plain(reception, Act("export"), Name.EXPORT, Name.EXPORT_WHAT),
        _erase(reception),
    )


def _plain(reception: Reception, act: Act, name: Name, what: Name) -> Command:
    """Return a command without options."""

    @app_commands.command(name=named(name), description=named(what))
    async def plain(interaction: discord.Interaction) -> None:
        await receive(reception, interaction, act)

    return plain


def _private(reception: Reception) -> Command:
    @app_commands.command(name=named(Name.PRIVATE), description=named(Name.PRIVATE_WHAT))
    @app_commands.rename(state=named(Name.STATE))
    @app_commands.describe(state=named(Name.STATE_WHAT))
    @app_commands.choices(state=_SWITCH)
    async def private(interaction: discord.Interaction, state: str = _ON) -> None:
        """Tell others nothing about the member, or what is told of everybody."""
        await receive(reception, interaction, Act("private" if state == _ON else "public"))

    return private


def _categories(reception: Reception) -> Command:
    @app_commands.command(name=named(Name.CATEGORIES), description=named(Name.CATEGORIES_WHAT))
    @app_commands.rename(category=named(Name.CATEGORY), keep=named(Name.KEEP), days=named(Name.DAYS))
    @app_commands.describe(
        category=named(Name.CATEGORY_WHAT), keep=named(Name.KEEP_WHAT), days=named(Name.DAYS_WHAT)
    )
    @app_commands.choices(category=_CATEGORIES, keep=_SWITCH)
    async def categories(
        interaction: discord.Interaction,
        category: str | None = None,
        keep: str | None = None,
        days: app_commands.Range[int, 1, MOST_DAYS] | None = None,
    ) -> None:
        """Show what is kept of the member, or change it for one kind of memory."""
        wants_change = keep is not None or days is not None
        if category is None and wants_change:
            sentence = say(Name.WHICH_CATEGORY, language_of(interaction.locale))
            await interaction.response.send_message(sentence, ephemeral=True)
            return
        choice = (
            ChooseCategory(category, kept=keep in (None, _ON), days=days)
            if category is not None and wants_change
            else None
        )
        await receive(reception, interaction, Act("categories", choice))

    return categories


def _erase(reception: Reception) -> Command:
    @app_commands.command(name=named(Name.ERASE), description=named(Name.ERASE_WHAT))
    async def erase_all(interaction: discord.Interaction) -> None:
        """Have the member confirm that all of theirs is erased."""
        await erase(reception, interaction)

    return erase_all
