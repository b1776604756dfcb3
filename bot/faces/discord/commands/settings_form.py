"""The form of `/memory settings`: its options, the values to choose from, and how they are read."""

from typing import Any, Final

import discord
from discord import app_commands

from bot.choices import Consent, ForgettingOthers, RememberingOthers, TellingOthers
from bot.conversation.texts import Catalogue
from bot.faces.discord.commands.reception import Reception
from bot.faces.discord.commands.settings_command import settings, text_searches, time_zones
from bot.faces.discord.commands.settings_texts import SettingsText as May
from bot.faces.discord.commands.texts import CommandText as Name
from bot.faces.discord.commands.texts import named
from bot.memory.guild_settings import MAX_PERSONA_CHARACTERS, MAX_RETENTION_DAYS

_NAMES: Final[dict[str, Catalogue]] = {
    "time_zone": Name.TIME_ZONE,
    "base_role": Name.BASE_ROLE,
    "persona": Name.PERSONA,
    "retention_days": Name.RETENTION,
    "text_search": Name.TEXT_SEARCH,
    "remember_others": Name.OTHERS,
    "forget_others": May.FORGET_OTHERS,
    "tell_others": May.TELL_OTHERS,
    "consent": May.CONSENT,
    "hearing": May.HEARING,
    "log_channel": May.LOG_CHANNEL,
    "pings": Name.PINGS,
}


def _choice(name: Catalogue, value: str) -> app_commands.Choice[str]:
    return app_commands.Choice(name=named(name), value=value)


_SWITCH: Final = [_choice(Name.ON, "on"), _choice(Name.OFF, "off")]
_REMEMBERING: Final = [
    _choice(Name.EVERYONE, RememberingOthers.EVERYONE),
    _choice(Name.MODERATORS, RememberingOthers.MODERATORS),
    _choice(Name.NOBODY, RememberingOthers.NOBODY),
]
_FORGETTING: Final = [
    _choice(May.BY_TELLERS, ForgettingOthers.TELLERS),
    _choice(May.BY_MODERATORS, ForgettingOthers.MODERATORS),
]
_TELLING: Final = [
    _choice(May.TELL_SAID, TellingOthers.SAID),
    _choice(May.TELL_OPEN, TellingOthers.OPEN),
    _choice(May.TELL_MODERATORS, TellingOthers.MODERATORS),
]
_CONSENT: Final = [_choice(May.PRESUMED, Consent.PRESUMED), _choice(May.ASKED, Consent.ASKED)]


def settings_command(reception: Reception) -> app_commands.Command[Any, ..., None]:
    """Return the command, for a group to take."""

    @app_commands.command(name=named(Name.SETTINGS), description=named(Name.SETTINGS_WHAT))
    @app_commands.rename(**{name: named(text) for name, text in _NAMES.items()}, reset=named(Name.RESET))
    @app_commands.describe(
        time_zone=named(Name.TIME_ZONE_WHAT),
        base_role=named(Name.BASE_ROLE_WHAT),
        persona=named(Name.PERSONA_WHAT),
        retention_days=named(Name.RETENTION_WHAT),
        text_search=named(Name.TEXT_SEARCH_WHAT),
        remember_others=named(Name.OTHERS_WHAT),
        forget_others=named(May.FORGET_OTHERS_WHAT),
        tell_others=named(May.TELL_OTHERS_WHAT),
        consent=named(May.CONSENT_WHAT),
        hearing=named(May.HEARING_WHAT),
        log_channel=named(May.LOG_CHANNEL_WHAT),
        pings=named(Name.PINGS_WHAT),
        reset=named(Name.RESET_WHAT),
    )
    @app_commands.choices(
        remember_others=_REMEMBERING,
        forget_others=_FORGETTING,
        tell_others=_TELLING,
        consent=_CONSENT,
        hearing=_SWITCH,
        pings=_SWITCH,
        reset=[_choice(text, name) for name, text in _NAMES.items()],
    )
    async def form(
        interaction: discord.Interaction,
        time_zone: str | None = None,
        base_role: discord.Role | None = None,
        persona: app_commands.Range[str, 1, MAX_PERSONA_CHARACTERS] | None = None,
        retention_days: app_commands.Range[int, 0, MAX_RETENTION_DAYS] | None = None,
        text_search: str | None = None,
        remember_others: str | None = None,
        forget_others: str | None = None,
        tell_others: str | None = None,
        consent: str | None = None,
        hearing: str | None = None,
        log_channel: discord.TextChannel | None = None,
        pings: str | None = None,
        reset: str | None = None,
    ) -> None:
        """Show the settings, or change those that are given."""
        given = {
            "time_zone": time_zone,
            "base_role": None if base_role is None else str(base_role.id),
            "persona": persona,
            "retention_days": None if retention_days is None else str(retention_days),
            "text_search": text_search,
            "remember_others": remember_others,
            "forget_others": forget_others,
            "tell_others": tell_others,
            "consent": consent,
            "hearing": hearing,
            "log_channel": None if log_channel is None else str(log_channel.id),
            "pings": pings,
        }
        # What is put back is not set as well.
        given |= {} if reset is None else {reset: ""}
        wanted = {name: value for name, value in given.items() if value is not None}
        await settings(reception, interaction, wanted)

    @form.autocomplete("time_zone")
    async def _time_zones(_interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return time_zones(typed)

    @form.autocomplete("text_search")
    async def _text_searches(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await text_searches(reception, interaction, typed)

    return form
