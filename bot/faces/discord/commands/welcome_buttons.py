"""The buttons below the first message in a server, for its managers; they survive a restart."""

import re
from enum import StrEnum
from typing import Final, Self

import discord

from bot.conversation.desk import Visit
from bot.conversation.texts import say
from bot.domain import Guild, Language
from bot.faces.discord.commands.failing import tell_failure
from bot.faces.discord.commands.reception import Reception, follow_up
from bot.faces.discord.commands.welcome_choosing import channels_view, role_view
from bot.faces.discord.commands.welcome_texts import WelcomeText
from bot.faces.discord.past import Past, PastRead
from bot.faces.discord.sentences import Sentence, language_of

OWN_ID: Final = "welcome:"
"""What the ids of these buttons begin with, by which the message that has them is known."""

_MOST_FIELD_CHARACTERS: Final = 100


class _What(StrEnum):
    """What a button is for, as its id says it."""

    ROLE = "role"
    TIME_ZONE = "time_zone"
    RETENTION = "retention_days"
    CHANNELS = "channels"
    PAST = "past"

    @property
    def label(self) -> WelcomeText:
        """What stands on it."""
        return WelcomeText[self.name]


_FIELDS: Final = {
    _What.TIME_ZONE: WelcomeText.TIME_ZONE_FIELD,
    _What.RETENTION: WelcomeText.RETENTION_FIELD,
}
"""Of what is written into a form: what stands above the field. Their values are names of settings."""


class WelcomeButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"{OWN_ID}(?P<what>{'|'.join(_What)})",
):
    """Opens what a manager wants to set, or begins to read the last days."""

    reception: Reception
    past: Past
    """Both set once, before the client starts: Discord hands a click to the class, not to an object of ours."""

    def __init__(self, what: _What, language: Language) -> None:
        super().__init__(
            discord.ui.Button(
                label=say(what.label, language),
                style=discord.ButtonStyle.secondary,
                custom_id=f"{OWN_ID}{what}",
            )
        )
        self._what = what

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        _item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Return the button that was pressed."""
        return cls(_What(match["what"]), language_of(interaction.locale))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Do it for a manager, and say to all others whom it is for."""
        try:
            await self._pressed(interaction)
        except Exception as error:
            await tell_failure(interaction, error)

    async def _pressed(self, interaction: discord.Interaction) -> None:
        language = language_of(interaction.locale)
        if interaction.guild is None or not interaction.permissions.manage_guild:
            await interaction.response.send_message(say(Sentence.ONLY_MANAGERS, language), ephemeral=True)
        elif self._what in _FIELDS:
            known = await self.reception.inside.directory.guild(interaction.guild.id)
            await interaction.response.send_modal(_SettingForm(self.reception, self._what, known, language))
        else:
            await self.reception.receive(interaction, lambda visit: self._opened(interaction, visit))

    async def _opened(self, interaction: discord.Interaction, visit: Visit) -> None:
        match self._what:
            case _What.ROLE:
                await follow_up(
                    interaction,
                    say(WelcomeText.CHOOSE_ROLE, visit.language),
                    view=role_view(visit.language),
                )
            case _What.CHANNELS:
                left_out = await self.reception.desk.left_out(visit)
                await follow_up(
                    interaction,
                    say(WelcomeText.CHOOSE_CHANNELS, visit.language),
                    view=channels_view(visit.language, [channel.channel_id for channel in left_out]),
                )
            case _:
                await self._read(interaction, visit)

    async def _read(self, interaction: discord.Interaction, visit: Visit) -> None:
        async def tell(done: PastRead) -> None:
            told = say(
                WelcomeText.PAST_READ, visit.language, new=done.new, known=done.known, channels=done.channels
            )
            failed = f" {say(WelcomeText.PAST_FAILED, visit.language)}" if done.failed else ""
            await follow_up(interaction, told + failed)

        guild = await self.reception.inside.directory.guild(visit.guild_id)
        if guild is None or self.past.is_reading(visit.guild_id):
            await follow_up(interaction, say(WelcomeText.READING_ALREADY, visit.language))
            return
        # Said first, so that nobody is told of the end before the beginning.
        await follow_up(interaction, say(WelcomeText.READING, visit.language))
        self.past.begin(guild, tell)


class _SettingForm(discord.ui.Modal):
    """A field for the value of one setting, filled in with the one that holds."""

    def __init__(self, reception: Reception, what: _What, known: Guild | None, language: Language) -> None:
        super().__init__(title=say(what.label, language).rstrip("…"))
        self._reception = reception
        self._what = what
        self._field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
            custom_id=what.value,
            default=_value(what, known, reception) or None,
            max_length=_MOST_FIELD_CHARACTERS,
        )
        self.add_item(discord.ui.Label(text=say(_FIELDS[what], language), component=self._field))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Change the setting, and say what became of it."""
        value = self._field.value

        async def handling(visit: Visit) -> None:
            said = await self._reception.desk.change(visit, self._what.value, value)
            await follow_up(interaction, said.text)

        await self._reception.receive(interaction, handling)


def _value(what: _What, known: Guild | None, reception: Reception) -> str:
    """Return the value that holds, as the form shows it."""
    if known is None:
        return ""
    if what is _What.TIME_ZONE:
        return known.time_zone
    default = reception.inside.settings.retention_days
    return str(default if known.retention_days is None else known.retention_days)


def welcome_view(language: Language) -> discord.ui.View:
    """Return the buttons."""
    view = discord.ui.View(timeout=None)
    for what in _What:
        view.add_item(WelcomeButton(what, language))
    return view
