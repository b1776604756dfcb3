"""The commands of Discord: `/memory`, the entries in menus, and the buttons below their answers."""

from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.faces.discord.commands.episodes_command import EpisodePageButton, RemoveEpisodeButton
from bot.faces.discord.commands.failing import tell_failure
from bot.faces.discord.commands.forgotten_buttons import DeleteOwnButton, DetailsButton
from bot.faces.discord.commands.memory_group import MemoryGroup
from bot.faces.discord.commands.menus import Menus
from bot.faces.discord.commands.own_showing import EraseButton, OwnPlaceSelect
from bot.faces.discord.commands.paging import PageButton
from bot.faces.discord.commands.persona import UsePersonaButton, WritePersonaButton
from bot.faces.discord.commands.privacy_command import privacy_command
from bot.faces.discord.commands.reception import Reception
from bot.faces.discord.commands.search_command import SearchPageButton
from bot.faces.discord.commands.syncing import put_up
from bot.faces.discord.commands.taking_back import TakeBackButton
from bot.faces.discord.commands.translator import RussianBeside
from bot.faces.discord.commands.visits import Visits
from bot.faces.discord.commands.waiting_command import WaitingButton
from bot.faces.discord.commands.welcome_buttons import WelcomeButton
from bot.faces.discord.commands.welcome_choosing import ChannelsChoice, RoleChoice
from bot.faces.discord.commands.why_menu import WhyForgetButton, WhyNotMeButton, WhyPageButton, why_entry
from bot.faces.discord.inside import Inside
from bot.faces.discord.introducing import Introductions
from bot.faces.discord.rooms import Rooms

__all__ = ["install"]


async def install(
    client: commands.AutoShardedBot,
    inside: Inside,
    rooms: Rooms,
    introductions: Introductions,
    *,
    erased: Callable[[int], None],
) -> None:
    """Give `client` the commands, and Discord too where it has others; once, before the first event comes.

    `erased` is told of users who had erased what is kept of them.
    """
    reception = Reception(inside, Visits(client, rooms, introductions), erased=erased)
    buttons = (
        PageButton,
        TakeBackButton,
        UsePersonaButton,
        WritePersonaButton,
        EpisodePageButton,
        RemoveEpisodeButton,
        WhyPageButton,
        WhyForgetButton,
        WhyNotMeButton,
        SearchPageButton,
        DetailsButton,
        DeleteOwnButton,
        OwnPlaceSelect,
        EraseButton,
        WaitingButton,
        WelcomeButton,
        RoleChoice,
        ChannelsChoice,
    )
    for button in buttons:
        button.reception = reception
    client.add_dynamic_items(*buttons)
    tree: app_commands.CommandTree[Any] = client.tree
    tree.add_command(MemoryGroup(reception))
    tree.add_command(privacy_command(reception))
    for entry in (*Menus(reception).entries(), why_entry(reception)):
        tree.add_command(entry)
    tree.error(_failed)
    await tree.set_translator(RussianBeside())
    reception.mentions = await put_up(client, tree)


async def _failed(interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
    await tell_failure(interaction, error)
