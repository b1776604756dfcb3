"""Installs all commands and buttons, and tells Discord the commands when they are others than it has."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands
from discord.http import Route

from bot.adapters.discord.backfill.past import PastReader
from bot.adapters.discord.commands.buttons import install_buttons
from bot.adapters.discord.commands.interactions import InteractionHandler, RequestContexts, tell_failure
from bot.adapters.discord.commands.menus import menu_entries
from bot.adapters.discord.commands.slash import slash_commands
from bot.adapters.discord.dependencies import DiscordDependencies
from bot.adapters.discord.guilds import GuildRegistry
from bot.adapters.discord.members import Introductions
from bot.adapters.discord.sentences import SentenceTranslator
from bot.core.log import trace

logger = logging.getLogger(__name__)


_TELLING: Final = (
    "name", "description", "required", "autocomplete", "min_value", "max_value", "min_length", "max_length",
    "value", "nsfw", "name_localizations", "description_localizations", "default_member_permissions",
)  # fmt: skip
"""Fields that make two commands differ; what Discord leaves out or fills in is the same as nothing."""

_UNORDERED: Final = ("contexts", "integration_types")
_INNER: Final = ("options", "choices")


async def sync_commands(client: discord.Client, tree: app_commands.CommandTree[Any]) -> dict[str, str]:
    """Put the commands of `tree` up where they differ from those that Discord has.

    Returns how each is mentioned, by its English name ("/memory show"). Where Discord does not take them that is
    logged, and those of the last time stay; nobody's messages wait for it.
    """
    try:
        known = await _fetched(client)
        if _plain(known) != _plain(await _wanted(tree)):
            known = [{**command.to_dict()} for command in await tree.sync()]
            logger.info("%d commands were put up", len(known))
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        logger.error("the commands could not be put up: %s", trace(error))
        return {}
    return {name: mention for command in known for name, mention in _mentions(command)}


async def _fetched(client: discord.Client) -> list[dict[str, Any]]:
    # The library's own question leaves out the other languages.
    route = Route("GET", "/applications/{application_id}/commands", application_id=client.application_id)
    found: list[dict[str, Any]] = await client.http.request(route, params={"with_localizations": "true"})
    return found


async def _wanted(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    commands = [
        *tree.get_commands(type=discord.AppCommandType.chat_input),
        *tree.get_commands(type=discord.AppCommandType.user),
        *tree.get_commands(type=discord.AppCommandType.message),
    ]
    translator = tree.translator
    if translator is None:
        return [command.to_dict(tree) for command in commands]
    return [await command.get_translated_payload(tree, translator) for command in commands]


def _mentions(command: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the clickable forms of a command's subcommands."""
    written = [f"/{command['name']} {option['name']}" for option in command.get("options") or ()]
    return [(name, f"<{name}:{command['id']}>") for name in written]


def _plain(commands: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return commands in a form that is equal where they are, in any order."""
    return sorted(json.dumps(_plain_one(command), sort_keys=True) for command in commands)


def _plain_one(thing: Mapping[str, Any]) -> dict[str, Any]:
    plain = {name: thing[name] for name in _TELLING if thing.get(name)}
    if "type" in thing:
        plain["type"] = int(thing["type"])
    if "default_member_permissions" in plain:
        plain["default_member_permissions"] = str(plain["default_member_permissions"])
    for name in _UNORDERED:
        if thing.get(name):
            plain[name] = sorted(thing[name])
    for name in _INNER:
        if thing.get(name):
            plain[name] = [_plain_one(inner) for inner in thing[name]]
    return plain


async def install_commands(
    client: commands.AutoShardedBot,
    inside: DiscordDependencies,
    rooms: GuildRegistry,
    introductions: Introductions,
    past: PastReader,
    *,
    erased: Callable[[int], None],
) -> None:
    """Give `client` the commands, and Discord too where it has others; once, before the first event comes.

    `erased` is told of users who had erased what is kept of them.
    """
    visits = RequestContexts(client, rooms, introductions)
    reception = InteractionHandler(inside, visits, past, erased=erased)
    install_buttons(client, reception)
    tree: app_commands.CommandTree[Any] = client.tree
    for entry in (*slash_commands(reception), *menu_entries(reception)):
        tree.add_command(entry)
    tree.error(_failed)
    await tree.set_translator(SentenceTranslator())
    reception.mentions = await sync_commands(client, tree)


async def _failed(interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
    await tell_failure(interaction, error)
