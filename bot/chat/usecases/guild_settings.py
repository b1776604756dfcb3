"""The settings of a guild as members see them: name, allowed values and current value."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from bot.chat.usecases.context import ShownSetting
from bot.chat.usecases.options import SWITCH, Option, OptionKind
from bot.core.domain import Guild, Language
from bot.core.settings import Settings
from bot.memory.guilds.settings import (
    GUILD_SETTINGS,
    ChannelId,
    Days,
    GuildSetting,
    OneOf,
    RoleId,
    Switch,
    Text,
    TextSearch,
    TimeZone,
    folded_zone,
    zones_by_folded_name,
)
from bot.text.sentences import Key, say

RESET: Final = "reset"
"""No setting, but the option that puts one back to its default."""

LEAST_LIKENESS: Final = 0.75
"""Likeness (0 to 1) from which a value is offered in the place of one that cannot be used."""


def closest_zone(value: str) -> str:
    """Return the zone, or that of the city, that is most like `value`; "" if none is."""
    zones = zones_by_folded_name()
    cities: dict[str, str] = {}
    for folded, known_zone in sorted(zones.items()):
        cities.setdefault(folded.rpartition("/")[2], known_zone)
    for known in (zones, cities):
        if close := get_close_matches(folded_zone(value), known, n=1, cutoff=LEAST_LIKENESS):
            return known[close[0]]
    return ""


def setting_label(name: str, language: Language) -> str:
    """Return what the setting `name` is called."""
    return say(f"setting.{name}", language)


def allowed_values(name: str, language: Language, text_searches: Sequence[str]) -> str:
    """Return what the setting `name` may be."""
    kind = GUILD_SETTINGS[name].value
    most = kind.most if isinstance(kind, Days | Text) else 0
    return say(f"setting_allowed.{name}", language, most=most, searches=", ".join(text_searches))


def choice_labels(name: str, language: Language) -> Mapping[str, str]:
    """Return what the values of the setting `name` are called; none if they are no words of ours."""
    match GUILD_SETTINGS[name].value:
        case Switch():
            return {value: say(f"choice.{value}", language) for value in SWITCH}
        case OneOf(values):
            return {value: say(f"setting_choice.{name}_{value}", language) for value in values}
        case _:
            return {}


def mentioned(name: str, value: str) -> str:
    """Return a value of the setting `name` as a client shows it: roles and channels by their names; "" stays."""
    return GUILD_SETTINGS[name].value.mention.format(value) if value else ""


def default_value(name: str, language: Language, settings: Settings) -> str:
    """Return what holds, in words, where the setting `name` has the value ""."""
    if isinstance(GUILD_SETTINGS[name].value, RoleId):
        return "@everyone"
    # What the guild does not choose holds as the installation has it, under the same name.
    return str(getattr(settings, name, "")) or say("form.no_value", language)


def listed_settings(
    guild: Guild, language: Language, text_searches: Sequence[str]
) -> tuple[ShownSetting, ...]:
    """Return all settings as they stand in `guild`."""
    return tuple(
        ShownSetting(
            name=name,
            value=setting.of(guild),
            label=setting_label(name, language),
            allowed=allowed_values(name, language, text_searches),
            choices=tuple(setting.value.choices(text_searches)),
        )
        for name, setting in GUILD_SETTINGS.items()
    )


def closest_value(name: str, value: str, text_searches: Sequence[str]) -> str:
    """Return the value of the setting `name` that is most like the wrong `value`; "" if none is like it."""
    kind = GUILD_SETTINGS[name].value
    if isinstance(kind, TimeZone):
        return closest_zone(value)
    choices = kind.choices(text_searches)
    return next(iter(get_close_matches(value.casefold(), choices, n=1, cutoff=LEAST_LIKENESS)), "")


def options() -> Mapping[str, Option]:
    """Return the options of the command that changes settings: one for each, and one to put one back."""
    settings = {name: _option(setting) for name, setting in GUILD_SETTINGS.items()}
    names = {name: option.label for name, option in settings.items()}
    return settings | {RESET: Option(OptionKind.CHOICE, "command.reset", "command.reset_what", choices=names)}


def _option(setting: GuildSetting) -> Option:
    made = Option(OptionKind.TEXT, f"option.{setting.name}", f"option_what.{setting.name}")
    match setting.value:
        case RoleId():
            return replace(made, kind=OptionKind.ROLE)
        case ChannelId():
            return replace(made, kind=OptionKind.TEXT_CHANNEL)
        case Days(most):
            return replace(made, kind=OptionKind.NUMBER, least=0, most=most)
        case Text(most):
            return replace(made, most=most)
        case Switch():
            return replace(made, kind=OptionKind.CHOICE, choices=SWITCH)
        case OneOf(values):
            choices: dict[str, Key] = {value: f"setting_choice.{setting.name}_{value}" for value in values}
            return replace(made, kind=OptionKind.CHOICE, choices=choices)
        case TimeZone():
            return replace(made, kind=OptionKind.TIME_ZONE)
        case TextSearch():
            return replace(made, kind=OptionKind.TEXT_SEARCH)
        case _:
            return made
