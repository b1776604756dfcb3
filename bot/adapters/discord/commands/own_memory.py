"""`/memory off`, `on`, `private`, `categories`, `export` and `erase`: what members decide about their own
memory, with the forms, lists and buttons for it.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import discord

from bot.adapters.describing import truncate
from bot.adapters.discord.commands.buttons import Action, ActionButton, chosen_ids, view_of
from bot.adapters.discord.commands.interactions import Form, InteractionHandler, follow_up
from bot.adapters.discord.members import as_file
from bot.adapters.discord.sentences import language_of
from bot.chat.commands import COMMANDS
from bot.chat.own_rights import EVERYWHERE, GuildChoice, OwnRightsAnswer
from bot.chat.usecases.context import RequestContext
from bot.chat.usecases.options import OFF, ON, Given
from bot.core.domain import Language
from bot.core.errors import DatabaseUnavailableError
from bot.text.sentences import say

logger = logging.getLogger(__name__)


PATTERN: Final = (
    r"(?P<kind>off|on|private|public|categories|export|erase)(?::(?P<choice>[a-z]+:[01]:[0-9]{0,5}))?"
)
"""Of an act as text."""

_MOST_NAMED: Final = 2
"""Guilds that a button carries; more are all of them."""


@dataclass(frozen=True, slots=True)
class OwnAct:
    """A command about a member's own memory, which may have to be repeated for one server."""

    name: str
    given: Given = field(default_factory=Given)

    @property
    def text(self) -> str:
        """The act as text."""
        if self.name == "private" and self.given.text("state") == OFF:
            return "public"
        category = self.given.text("category")
        if not category or self.given.values.keys() == {"category"}:
            return self.name
        return (
            f"{self.name}:{category}:{int(self.given.switch('keep') is not False)}:{self.given.text('days')}"
        )

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the act that `text` is."""
        if text == "public":
            return cls("private", Given({"state": OFF}))
        name, _, choice = text.partition(":")
        if not choice:
            return cls(name)
        category, kept, days = choice.split(":")
        values = {"category": category, "keep": ON if kept == "1" else OFF, "days": days}
        return cls(name, Given({key: value for key, value in values.items() if value}))


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


async def _erasable(
    handler: InteractionHandler, interaction: discord.Interaction, within: Sequence[int]
) -> OwnRightsAnswer:
    try:
        async with asyncio.timeout(_COUNTING_SECONDS):
            request = await handler.contexts.request(interaction)
            return await handler.use_cases.erasable(replace(request, within=tuple(within)))
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


def _erase_form(handler: InteractionHandler, language: Language, text: str, within: Sequence[int]) -> Form:
    """Return what says what will go, and asks whether anything is to be kept from then on."""
    choice: discord.ui.Select[discord.ui.View] = discord.ui.Select(
        custom_id="from-now-on",
        options=[
            discord.SelectOption(
                label=say("own_command.erase_and_on", language), value=_STAY_ON, default=True
            ),
            discord.SelectOption(label=say("own_command.erase_and_off", language), value=_OPT_OUT),
        ],
    )

    async def submitted(interaction: discord.Interaction, request: RequestContext) -> None:
        there = replace(request, within=tuple(within))
        answer = await handler.use_cases.erase(there, opt_out=_OPT_OUT in choice.values)
        handler.erased(request.user_id)
        await follow_up(interaction, handler.with_mentions(answer.text))

    title, label = say("own_command.erase_form", language), say("own_command.erase_field", language)
    return Form(handler, title=title, label=label, field=choice, submitted=submitted, above=text)


_MOST_LABEL_CHARACTERS = 100


async def show_own(
    handler: InteractionHandler, interaction: discord.Interaction, answer: OwnRightsAnswer, act: OwnAct
) -> None:
    """Show an answer only to the member who asked."""
    view = own_view(answer, act, language_of(interaction.locale))
    await interaction.followup.send(
        handler.with_mentions(answer.text),
        ephemeral=True,
        allowed_mentions=discord.AllowedMentions.none(),
        view=view or discord.utils.MISSING,
        file=as_file(answer.file) if answer.file is not None else discord.utils.MISSING,
    )


async def confirm_erasing(
    handler: InteractionHandler, interaction: discord.Interaction, within: Sequence[int] = ()
) -> None:
    """Show the form that confirms an erasing, or between which servers is to be chosen first."""
    answer = await _erasable(handler, interaction, within)
    language = language_of(interaction.locale)
    if answer.erasable_in:
        form = _erase_form(handler, language, answer.text, answer.erasable_in)
        await interaction.response.send_modal(form)
        return
    view = own_view(answer, OwnAct("erase"), language) or discord.utils.MISSING
    await interaction.response.send_message(answer.text, ephemeral=True, view=view)


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

    async def click(self, handler: InteractionHandler, interaction: discord.Interaction) -> None:
        """Carry the command out there, and put what comes of it in the place of the list."""
        act = OwnAct.of(self.act)
        within = chosen_ids(interaction)
        if act.name == "erase":
            await confirm_erasing(handler, interaction, within)
            return
        request = await handler.press(interaction)
        there = replace(request, within=tuple(within))
        answer = await COMMANDS[act.name].handle(handler.use_cases, there, act.given)
        if not isinstance(answer, OwnRightsAnswer):
            raise AssertionError(f"/memory {act.name} is not about one's own memory")
        await interaction.edit_original_response(
            content=handler.with_mentions(answer.text),
            view=own_view(answer, act, request.language),
            attachments=[as_file(answer.file)] if answer.file is not None else [],
        )


class EraseWithin(Action, word="own-erase", patterns={"within": r"[0-9]{1,19}(?:\.[0-9]{1,19})?"}):
    """Opens the form that confirms an erasing, in the guilds that its id names."""

    style = discord.ButtonStyle.danger
    within: str

    async def click(self, handler: InteractionHandler, interaction: discord.Interaction) -> None:
        """Open the form."""
        await confirm_erasing(handler, interaction, guilds_from_text(self.within))
