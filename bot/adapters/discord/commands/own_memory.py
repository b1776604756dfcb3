"""`/memory off`, `on`, `private`, `categories`, `export` and `erase`: what members decide about their own
memory, with the forms, lists and buttons for it.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Self, TypeAlias, cast

import discord
from discord import app_commands

from bot.adapters.discord.commands.buttons import Action, ActionButton, chosen_ids, view_of
from bot.adapters.discord.commands.interactions import InteractionHandler, follow_up, tell_failure
from bot.adapters.discord.members import as_file
from bot.adapters.discord.messages import truncate
from bot.adapters.discord.sentences import choice, language_of, localized
from bot.chat.own_rights import EVERYWHERE, MOST_DAYS, GuildChoice, OwnRightsAnswer
from bot.chat.usecases.context import RequestContext
from bot.chat.usecases.own_rights import OwnRightsUseCases
from bot.core.domain import Language
from bot.core.errors import DatabaseUnavailableError
from bot.memory.rights.consent import CATEGORIES
from bot.text.commands import ChooseCategory
from bot.text.sentences import Key, say

logger = logging.getLogger(__name__)


Kind = Literal["off", "on", "private", "public", "categories", "export", "erase"]

PATTERN: Final = (
    r"(?P<kind>off|on|private|public|categories|export|erase)(?::(?P<choice>[a-z]+:[01]:[0-9]{0,5}))?"
)
"""Of an act as text."""

_MOST_NAMED: Final = 2
"""Guilds that a button carries; more are all of them."""


@dataclass(frozen=True, slots=True)
class OwnAct:
    """What a member wants of the memory of themselves."""

    kind: Kind
    choice: ChooseCategory | None = None

    @property
    def text(self) -> str:
        """The act as text."""
        if self.choice is None:
            return self.kind
        days = "" if self.choice.days is None else self.choice.days
        return f"{self.kind}:{self.choice.category}:{int(self.choice.kept)}:{days}"

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the act that `text` is."""
        kind, _, choice = text.partition(":")
        if not choice:
            return cls(cast("Kind", kind))
        category, kept, days = choice.split(":")
        return cls(cast("Kind", kind), ChooseCategory(category, kept == "1", int(days) if days else None))

    async def carry_out(
        self,
        desk: OwnRightsUseCases,
        visit: RequestContext,
        interaction: discord.Interaction,
        within: Sequence[int] = (),
    ) -> OwnRightsAnswer:
        """Do it at the desk; of erasing only say what would go."""
        match self.kind:
            case "off":
                return await desk.off(visit, within)
            case "on":
                return await desk.on(visit, within)
            case "private" | "public":
                return await desk.be_private(visit, private=self.kind == "private", within=within)
            case "categories":
                return await desk.categories(visit, [self.choice] if self.choice else [], within)
            case "export":
                return await desk.export(visit, within)
            case "erase":
                return await desk.erasable(visit, within)


def guilds_as_text(within: Sequence[int]) -> str:
    """Return guilds as a text for the id of a button; many are all."""
    if len(within) > _MOST_NAMED:
        return str(EVERYWHERE)
    return ".".join(map(str, within))


def guilds_from_text(text: str) -> tuple[int, ...]:
    """Return the guilds that `guilds_as_text` wrote."""
    return tuple(int(guild_id) for guild_id in text.split(".") if guild_id)


_COUNTING_SECONDS: Final = 2.0
"""Real seconds to count what would go: a form is shown within three, or not at all."""

_STAY_ON, _OPT_OUT = "on", "off"
_MOST_TITLE_CHARACTERS: Final = 45
"""Of a form's title and of a field's label, as Discord takes them."""


async def open_erase_form(
    reception: InteractionHandler, interaction: discord.Interaction, within: Sequence[int]
) -> OwnRightsAnswer | None:
    """Show the form that says what erasing takes; returns what is to be said in its place, if there is none to show.

    Raises `DatabaseError`.
    """
    answer = await _erasable(reception, interaction, within)
    if not answer.erasable_in:
        return answer
    form = EraseForm(reception, language_of(interaction.locale), text=answer.text, within=answer.erasable_in)
    await interaction.response.send_modal(form)
    return None


async def _erasable(
    reception: InteractionHandler, interaction: discord.Interaction, within: Sequence[int]
) -> OwnRightsAnswer:
    try:
        async with asyncio.timeout(_COUNTING_SECONDS):
            visit = await reception.visits.visit(interaction)
            return await reception.desk.own.erasable(visit, within)
    except TimeoutError as error:
        logger.info("interaction %d: what would be erased was not counted in time", interaction.id)
        here = () if interaction.guild_id is None else (interaction.guild_id,)
        if not (within or here):
            raise DatabaseUnavailableError("it is not known where something would be erased") from error
        language = language_of(interaction.locale)
        where = say("rights.here" if here else "rights.in_chosen", language)
        counts = say("rights.erases_all", language)
        text = say("rights.erases", language, counts=counts, where=where)
        return OwnRightsAnswer(text=text, erasable_in=here or tuple(within))


class EraseForm(discord.ui.Modal):
    """Says what will go, and asks whether anything is to be kept from then on."""

    def __init__(
        self, reception: InteractionHandler, language: Language, *, text: str, within: Sequence[int]
    ) -> None:
        super().__init__(title=say("own_command.erase_form", language)[:_MOST_TITLE_CHARACTERS])
        self._reception = reception
        self._within = within
        self._choice: discord.ui.Select[discord.ui.View] = discord.ui.Select(
            custom_id="from-now-on",
            options=[
                discord.SelectOption(
                    label=say("own_command.erase_and_on", language), value=_STAY_ON, default=True
                ),
                discord.SelectOption(label=say("own_command.erase_and_off", language), value=_OPT_OUT),
            ],
        )
        self.add_item(discord.ui.TextDisplay(text))
        label = say("own_command.erase_field", language)[:_MOST_TITLE_CHARACTERS]
        self.add_item(discord.ui.Label(text=label, component=self._choice))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Erase it, and say what went."""
        opt_out = _OPT_OUT in self._choice.values

        async def handling(visit: RequestContext) -> None:
            answer = await self._reception.desk.own.erase(visit, opt_out=opt_out, within=self._within)
            self._reception.erased(visit.user_id)
            await follow_up(interaction, self._reception.with_mentions(answer.text))

        await self._reception.receive(interaction, handling)


_MOST_LABEL_CHARACTERS = 100


async def receive_own(reception: InteractionHandler, interaction: discord.Interaction, act: OwnAct) -> None:
    """Carry out `act` for whoever gave the command, and show what comes of it."""

    async def handling(visit: RequestContext) -> None:
        answer = await act.carry_out(reception.desk.own, visit, interaction)
        await show_own(reception, interaction, answer, act)

    await reception.receive(interaction, handling)


async def show_own(
    reception: InteractionHandler, interaction: discord.Interaction, answer: OwnRightsAnswer, act: OwnAct
) -> None:
    """Show an answer to whoever asked alone."""
    view = own_view(answer, act, language_of(interaction.locale))
    await interaction.followup.send(
        reception.with_mentions(answer.text),
        ephemeral=True,
        allowed_mentions=discord.AllowedMentions.none(),
        view=view or discord.utils.MISSING,
        file=as_file(answer.file) if answer.file is not None else discord.utils.MISSING,
    )


async def confirm_erasing(
    reception: InteractionHandler, interaction: discord.Interaction, within: Sequence[int] = ()
) -> None:
    """Show the form that confirms an erasing, or between which servers is to be chosen first."""
    try:
        answer = await open_erase_form(reception, interaction, within)
        if answer is None:
            return
        await interaction.response.send_message(
            answer.text,
            ephemeral=True,
            view=own_view(answer, OwnAct("erase"), language_of(interaction.locale)) or discord.utils.MISSING,
        )
    except Exception as error:
        await tell_failure(interaction, error)


def own_view(answer: OwnRightsAnswer, act: OwnAct, language: Language) -> discord.ui.View | None:
    """Return what is left to decide below an answer, if anything is."""
    if answer.places:
        return view_of(OwnPlace(act=act.text).list_of(answer.places, language))
    if answer.erasable_in:
        erase = EraseWithin(within=guilds_as_text(answer.erasable_in))
        return view_of(erase.button(say("own_command.erase_button", language)))
    return None


class OwnPlace(Action, word="own-place", patterns={"act": PATTERN}):
    """Carries out a command for the server that is chosen from a list."""

    act: str

    def list_of(self, places: Sequence[GuildChoice], language: Language) -> ActionButton:
        """Return the list."""
        return self.item(
            discord.ui.Select(
                custom_id=self.custom_id,
                placeholder=say("own_command.place", language),
                options=[
                    discord.SelectOption(
                        label=truncate(place.label, _MOST_LABEL_CHARACTERS), value=str(place.guild_id)
                    )
                    for place in places
                ],
            )
        )

    async def click(self, reception: InteractionHandler, interaction: discord.Interaction) -> None:
        """Carry the command out there, and put what comes of it in the place of the list."""
        act = OwnAct.of(self.act)
        within = chosen_ids(interaction)
        if act.kind == "erase":
            await confirm_erasing(reception, interaction, within)
            return

        async def handling(visit: RequestContext) -> None:
            answer = await act.carry_out(reception.desk.own, visit, interaction, within)
            await interaction.edit_original_response(
                content=reception.with_mentions(answer.text),
                view=own_view(answer, act, visit.language),
                attachments=[as_file(answer.file)] if answer.file is not None else [],
            )

        await reception.press(interaction, handling)


class EraseWithin(Action, word="own-erase", patterns={"within": r"[0-9]{1,19}(?:\.[0-9]{1,19})?"}):
    """Opens the form that confirms an erasing, in the guilds that its id names."""

    style = discord.ButtonStyle.danger
    within: str

    async def click(self, reception: InteractionHandler, interaction: discord.Interaction) -> None:
        """Open the form."""
        await confirm_erasing(reception, interaction, guilds_from_text(self.within))


Command: TypeAlias = app_commands.Command[Any, ..., None]

_ON: Final = "on"
_SWITCH: Final = [
    choice("choice.on", _ON),
    choice("choice.off", "off"),
]
_CATEGORIES: Final = [choice(f"category.{category}", category) for category in CATEGORIES]


def own_commands(reception: InteractionHandler) -> tuple[Command, ...]:
    """Return the commands, for a group to take."""
    return (
        _plain(reception, OwnAct("off"), "own_command.off", "own_command.off_what"),
        _plain(reception, OwnAct("on"), "own_command.on", "own_command.on_what"),
        _private(reception),
        _categories(reception),
        _plain(reception, OwnAct("export"), "own_command.export", "own_command.export_what"),
        _erase(reception),
    )


def _plain(reception: InteractionHandler, act: OwnAct, name: Key, what: Key) -> Command:
    """Return a command without options."""

    @app_commands.command(name=localized(name), description=localized(what))
    async def plain(interaction: discord.Interaction) -> None:
        await receive_own(reception, interaction, act)

    return plain


def _private(reception: InteractionHandler) -> Command:
    @app_commands.command(
        name=localized("own_command.private"), description=localized("own_command.private_what")
    )
    @app_commands.rename(state=localized("own_command.state"))
    @app_commands.describe(state=localized("own_command.state_what"))
    @app_commands.choices(state=_SWITCH)
    async def private(interaction: discord.Interaction, state: str = _ON) -> None:
        """Tell others nothing about the member, or what is told of everybody."""
        await receive_own(reception, interaction, OwnAct("private" if state == _ON else "public"))

    return private


def _categories(reception: InteractionHandler) -> Command:
    @app_commands.command(
        name=localized("own_command.categories"), description=localized("own_command.categories_what")
    )
    @app_commands.rename(
        category=localized("own_command.category"),
        keep=localized("own_command.keep"),
        days=localized("own_command.days"),
    )
    @app_commands.describe(
        category=localized("own_command.category_what"),
        keep=localized("own_command.keep_what"),
        days=localized("own_command.days_what"),
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
            sentence = say("own_command.which_category", language_of(interaction.locale))
            await interaction.response.send_message(sentence, ephemeral=True)
            return
        choice = (
            ChooseCategory(category, kept=keep in (None, _ON), days=days)
            if category is not None and wants_change
            else None
        )
        await receive_own(reception, interaction, OwnAct("categories", choice))

    return categories


def _erase(reception: InteractionHandler) -> Command:
    @app_commands.command(
        name=localized("own_command.erase"), description=localized("own_command.erase_what")
    )
    async def erase_all(interaction: discord.Interaction) -> None:
        """Have the member confirm that all of theirs is erased."""
        await confirm_erasing(reception, interaction)

    return erase_all
