"""The slash commands, made from the table of commands: options, suggestions, and results."""

import asyncio
import inspect
import io
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias, cast

import discord
from discord import app_commands

from bot.adapters.discord.commands.answers import send_result
from bot.adapters.discord.commands.interactions import InteractionHandler, follow_up
from bot.adapters.discord.commands.own_memory import OwnAct, confirm_erasing, show_own
from bot.adapters.discord.commands.pages import (
    memory_page,
    pages_of,
    search_page,
    send_episodes,
    send_waiting,
)
from bot.adapters.discord.commands.settings import change_or_show, choose_persona, offer_persona, time_zones
from bot.adapters.discord.sentences import choice, language_of, localized
from bot.adapters.plots import picture_of
from bot.chat.commands import COMMANDS, CommandGroup, FormCommand, Shown
from bot.chat.figures import Figures
from bot.chat.own_rights import OwnRightsAnswer
from bot.chat.usecases.context import Choice, ChoiceListing, FormReply, MemoryListing, RequestContext
from bot.chat.usecases.managing import configured_models
from bot.chat.usecases.options import OFF, Given, Option, OptionKind
from bot.chat.usecases.usecases import MANAGERS_SEE, refusal
from bot.core.log import trace
from bot.memory.guilds.settings import PERSONA, TEXT_SEARCH
from bot.text.commands import AskPrivacy
from bot.text.sentences import say

logger = logging.getLogger(__name__)

IN_PRIVATE_TOO: Final = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
BY_GUILDS: Final = app_commands.AppInstallationType(guild=True, user=False)

SlashCommand: TypeAlias = app_commands.Command[Any, ..., None]
Person: TypeAlias = discord.Member | discord.User

MOST_CHOICES: Final = 25
"""What Discord shows of suggestions."""

SUGGESTING_SECONDS: Final = 2.0
"""Real seconds for suggestions; Discord waits for three, and whoever types goes on typing."""

# Of names and words that stand in its lines each may be long; a message alone would be too short for all at once.
_MOST_PRIVACY_CHARACTERS: Final = 4_096

_PICTURE_NAME: Final = "figures.png"

_TYPES: Final[Mapping[OptionKind, object]] = {
    OptionKind.MEMBER: Person,
    OptionKind.CHANNEL: app_commands.AppCommandChannel | app_commands.AppCommandThread,
    OptionKind.TEXT_CHANNEL: discord.TextChannel,
    OptionKind.ROLE: discord.Role,
    OptionKind.NUMBER: int,
}
"""What Discord asks for; texts for all else."""


def slash_commands(handler: InteractionHandler) -> list[SlashCommand | app_commands.Group]:
    """Return the commands that Discord has, for a tree. They work in direct messages too.

    Discord checks permissions only for a whole group: the managers' group is hidden from everybody else. Administrators
    may grant it to anybody, so the use cases check permissions as well.
    """
    groups = {
        CommandGroup.EVERYBODY: app_commands.Group(
            name=localized("command.memory"),
            description=localized("command.memory_what"),
            allowed_contexts=IN_PRIVATE_TOO,
            allowed_installs=BY_GUILDS,
        ),
        CommandGroup.MANAGERS: app_commands.Group(
            name=localized("command.managers"),
            description=localized("command.managers_what"),
            allowed_contexts=IN_PRIVATE_TOO,
            allowed_installs=BY_GUILDS,
            default_permissions=discord.Permissions(manage_guild=True),
        ),
    }
    beside = []
    for name, one in COMMANDS.items():
        if one.typed_only:
            continue
        made = _made(handler, name, one)
        if one.group is CommandGroup.ALONE:
            made.allowed_contexts, made.allowed_installs = IN_PRIVATE_TOO, BY_GUILDS
            beside.append(made)
        else:
            groups[one.group].add_command(made)
    return [*groups.values(), *beside]


def _made(handler: InteractionHandler, name: str, command: FormCommand) -> SlashCommand:
    options = {key: option for key, option in command.options.items() if option.label}

    async def run(interaction: discord.Interaction, **chosen: object) -> None:
        values = {key: _text_of(value) for key, value in chosen.items() if value is not None}
        people = [value for value in chosen.values() if isinstance(value, discord.Member | discord.User)]
        carried_out = _SCREENS.get(name, partial(carry_out, name, people=people))
        with handler.under_way.busy(), handler.dependencies.meter.span(f"command {name}", place="anew"):
            await carried_out(handler, interaction, Given(values))

    # The library reads from the signature which options there are.
    run.__signature__ = inspect.Signature([  # type: ignore[attr-defined]
        inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD),
        *(_parameter(key, option) for key, option in options.items()),
    ])  # fmt: skip
    app_commands.rename(**{key: localized(option.label) for key, option in options.items()})(run)
    app_commands.describe(**{key: localized(option.what) for key, option in options.items()})(run)
    app_commands.choices(
        **{
            key: list(map(choice, option.choices.values(), option.choices))
            for key, option in options.items()
            if option.choices
        }
    )(run)
    suggested = {
        key: _suggestions(handler, _SUGGEST[option.kind])
        for key, option in options.items()
        if option.kind in _SUGGEST
    }
    app_commands.autocomplete(**suggested)(run)
    return app_commands.Command(
        name=localized(f"command_name.{name}"), description=localized(f"command_what.{name}"), callback=run
    )


def _parameter(name: str, option: Option) -> inspect.Parameter:
    asked = cast("Any", _TYPES.get(option.kind, str))
    if option.most is not None:
        least = option.least if asked is int else max(1, option.least)
        asked = cast("Any", app_commands.Range)[asked, least, option.most]
    if option.required:
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=asked)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=asked | None, default=None)


def _text_of(value: object) -> str:
    """Return a value as the use cases take it: what Discord has resolved by its id."""
    return str(getattr(value, "id", value))


async def carry_out(
    name: str,
    handler: InteractionHandler,
    interaction: discord.Interaction,
    given: Given,
    *,
    people: Sequence[Person] = (),
) -> None:
    """Carry a command out, and show the result to the member who gave it."""
    command = COMMANDS[name]
    request = await handler.receive(interaction, of_channel=command.of_channel)
    for person in people:
        await handler.contexts.meet(request, person)
    # In private there is nobody else to ask about.
    own = {"member": str(request.user_id)} if name == "show" and request.direct else {}
    asked = Given({**own, **given.values})
    shown = await command.handle(handler.use_cases, request, asked)
    await _show(name, handler, interaction, request, asked, shown)
    if name == "channel" and not given.values:
        await send_episodes(handler, interaction, request)


async def _show(
    name: str,
    handler: InteractionHandler,
    interaction: discord.Interaction,
    request: RequestContext,
    given: Given,
    shown: Shown,
) -> None:
    match shown:
        case ChoiceListing() if name == "waiting":
            await send_waiting(interaction, request, shown)
        case FormReply() | ChoiceListing():
            text = handler.with_mentions(shown.text) if name == "help" else shown.text
            reply = shown if isinstance(shown, FormReply) else FormReply(text)
            await send_result(interaction, replace(reply, text=text))
        case MemoryListing(by_minute=True):
            for page in pages_of(shown, request):
                await follow_up(interaction, page)
        case MemoryListing() if name == "search":
            text, view = search_page(shown, request, words=given.text("words"), page=0)
            await follow_up(interaction, text, view=view)
        case MemoryListing():
            text, view = memory_page(shown, request, subject_id=given.number("member") or 0, page=0)
            await follow_up(interaction, text, view=view)
        case Figures():
            await follow_up(interaction, shown.text, file=await _picture(shown))
        case OwnRightsAnswer():
            await show_own(handler, interaction, shown, OwnAct(name, given))
        case _:
            raise AssertionError(f"/memory {name} shows nothing of this kind on Discord")


async def _picture(figures: Figures) -> discord.File | None:
    """Return the charts of `figures` as a file that is described in words; `None` without any."""
    drawn = await picture_of(figures.charts)
    if drawn is None:
        return None
    return discord.File(io.BytesIO(drawn), filename=_PICTURE_NAME, description=figures.description)


async def _categories(handler: InteractionHandler, interaction: discord.Interaction, given: Given) -> None:
    """Change what is kept of a kind, if one is named, else tell how all stand."""
    if given.values and not given.text("category"):
        sentence = say("own_command.which_category", language_of(interaction.locale))
        await interaction.response.send_message(sentence, ephemeral=True)
        return
    await carry_out("categories", handler, interaction, given)


async def _channel(handler: InteractionHandler, interaction: discord.Interaction, given: Given) -> None:
    """Change or tell how a channel stands; a persona is only heard: a button stores it."""
    others = Given({name: value for name, value in given.values.items() if name != PERSONA})
    if PERSONA not in given.values:
        await carry_out("channel", handler, interaction, given)
        return
    if others.values:
        await carry_out("channel", handler, interaction, others)
        request = await handler.contexts.request(interaction, of_channel=True)
    else:
        request = await handler.receive(interaction, of_channel=True)
    await offer_persona(handler, interaction, request, given.text(PERSONA), here=True)


async def _erase(handler: InteractionHandler, interaction: discord.Interaction, _: Given) -> None:
    await confirm_erasing(handler, interaction)


async def _privacy(handler: InteractionHandler, interaction: discord.Interaction, _: Given) -> None:
    request = await handler.receive(interaction)
    title, __, lines = (await handler.use_cases.ask(request, AskPrivacy())).text.partition("\n")
    told = handler.with_mentions(lines)[:_MOST_PRIVACY_CHARACTERS]
    await follow_up(interaction, embeds=[discord.Embed(title=title, description=told)])


_SCREENS: Final[Mapping[str, Callable[[InteractionHandler, discord.Interaction, Given], Awaitable[None]]]] = {
    "settings": change_or_show,
    "persona": choose_persona,
    "channel": _channel,
    "categories": _categories,
    "erase": _erase,
    "privacy": _privacy,
}
"""Commands that are more on Discord than a call and its answer."""

Suggest: TypeAlias = Callable[[InteractionHandler, discord.Interaction, str], Awaitable[Mapping[str, str]]]
"""Returns values that hold what was typed, and how each is shown."""


async def _facts(
    handler: InteractionHandler, interaction: discord.Interaction, typed: str
) -> Mapping[str, str]:
    chosen = interaction.namespace.member
    request = await handler.contexts.request(interaction)
    return _named(
        await handler.use_cases.choices(
            request, None if chosen is None else chosen.id, typed, limit=MOST_CHOICES
        )
    )


async def _sentences(
    handler: InteractionHandler, interaction: discord.Interaction, typed: str
) -> Mapping[str, str]:
    request = await handler.contexts.request(interaction)
    return _named(await handler.use_cases.sentences(request, typed, limit=MOST_CHOICES))


def _named(choices: Sequence[Choice]) -> Mapping[str, str]:
    return {one.key: one.text for one in choices}


async def _durations(_: InteractionHandler, __: discord.Interaction, typed: str) -> Mapping[str, str]:
    durations = ("30m", "1h", "2h", "8h", "1d", "7d", OFF)
    return {one: one for one in durations if one.startswith(typed.strip().casefold())}


async def _time_zones(_: InteractionHandler, __: discord.Interaction, typed: str) -> Mapping[str, str]:
    return {zone: zone for zone in time_zones(typed)}


async def _text_searches(
    handler: InteractionHandler, interaction: discord.Interaction, typed: str
) -> Mapping[str, str]:
    """Return the languages of text search; none for members who may not change settings."""
    listed = await handler.use_cases.listed_settings(await handler.contexts.request(interaction))
    choices = next((setting.choices for setting in listed.settings if setting.name == TEXT_SEARCH), ())
    return {one: one for one in choices if typed.strip().casefold() in one}


async def _models(
    handler: InteractionHandler, interaction: discord.Interaction, typed: str
) -> Mapping[str, str]:
    """Return the configured models; none for members who may not change settings."""
    if refusal(MANAGERS_SEE, await handler.contexts.request(interaction)):
        return {}
    named = configured_models(handler.use_cases)
    return {one: one for one in (*named, OFF) if typed.strip().casefold() in one.casefold()}


_SUGGEST: Final[Mapping[OptionKind, Suggest]] = {
    OptionKind.FACT: _facts,
    OptionKind.SENTENCE: _sentences,
    OptionKind.DURATION: _durations,
    OptionKind.TIME_ZONE: _time_zones,
    OptionKind.TEXT_SEARCH: _text_searches,
    OptionKind.MODEL: _models,
}
"""By what an option is."""


def _suggestions(
    handler: InteractionHandler, suggest: Suggest
) -> Callable[[discord.Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    """Return what Discord asks for suggestions; what fails or takes too long suggests nothing."""

    async def suggested(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        try:
            async with asyncio.timeout(SUGGESTING_SECONDS):
                found = await suggest(handler, interaction, typed)
        except Exception as error:
            logger.info("interaction %d got no suggestions: %s", interaction.id, trace(error))
            return []
        return [app_commands.Choice(name=name, value=value) for value, name in found.items()][:MOST_CHOICES]

    return suggested
