"""The settings of a guild: how each is named, read, shown and changed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from typing import Final, TypeVar

from bot.chat.usecases.context import ShownSetting
from bot.core.clock import time_zones
from bot.core.domain import (
    MAX_ID,
    ConsentDefault,
    DisclosurePolicy,
    ForgettingOthers,
    Guild,
    Language,
    RememberingOthers,
)
from bot.core.settings import Settings
from bot.memory.guilds.settings import MAX_PERSONA_CHARACTERS, MAX_RETENTION_DAYS
from bot.text.sentences import say

LEAST_LIKENESS: Final = 0.75
"""Likeness (0 to 1) from which a value is offered in the place of one that cannot be used."""

EnumT = TypeVar("EnumT", bound=StrEnum)

_CONFIGURATION: Final = re.compile(r"[A-Za-z_]{1,60}")
_ROLE: Final = re.compile(r"(?:<@&)?(\d{1,19})>?")
_CHANNEL: Final = re.compile(r"(?:<#)?(\d{1,19})>?")
_ON: Final = frozenset("on yes вкл да".split())
_OFF: Final = frozenset("off no выкл нет".split())


def read_zone(guild: Guild, value: str) -> Guild | None:
    """Read a time zone of the IANA list, in any case and with blanks."""
    found = _zones().get(_folded(value))
    return None if found is None else replace(guild, time_zone=found)


def closest_zone(value: str) -> str:
    """Return the zone, or that of the city, that is most like `value`; "" if none is."""
    cities: dict[str, str] = {}
    for folded, known_zone in sorted(_zones().items()):
        cities.setdefault(folded.rpartition("/")[2], known_zone)
    for known in (_zones(), cities):
        if close := get_close_matches(_folded(value), known, n=1, cutoff=LEAST_LIKENESS):
            return known[close[0]]
    return ""


def _folded(written: str) -> str:
    return written.casefold().replace(" ", "_")


@cache
def _zones() -> Mapping[str, str]:
    """Return the zones of the IANA list by their folded names, without the files that name no zone."""
    return {one.casefold(): one for one in time_zones() if one not in {"localtime", "Factory"}}


def read_role(guild: Guild, value: str) -> Guild | None:
    """Read the base role by its id or its mention."""
    if value.casefold() in {"@everyone", "everyone"}:
        return replace(guild, base_role_id=None)
    found = _ROLE.fullmatch(value)
    role_id = int(found[1]) if found else 0
    if not 0 < role_id <= MAX_ID:
        return None
    # @everyone is a role too, with the guild's own id.
    return replace(guild, base_role_id=None if role_id == guild.guild_id else role_id)


def read_persona(guild: Guild, value: str) -> Guild | None:
    """Read a persona."""
    return replace(guild, persona=value) if len(value) <= MAX_PERSONA_CHARACTERS else None


def read_retention(guild: Guild, value: str) -> Guild | None:
    """Read for how many days messages are kept."""
    if not (value.isascii() and value.isdigit() and len(value) <= 9 and int(value) <= MAX_RETENTION_DAYS):
        return None
    return replace(guild, retention_days=int(value))


def read_text_search(guild: Guild, value: str) -> Guild | None:
    """Read a text-search configuration."""
    # Which ones there are says the database, when it is written.
    return replace(guild, text_search=value.casefold()) if _CONFIGURATION.fullmatch(value) else None


def read_log_channel(guild: Guild, value: str) -> Guild | None:
    """Read a channel by its id or its mention; whether the guild has it is for the directory to say."""
    found = _CHANNEL.fullmatch(value)
    channel_id = int(found[1]) if found else 0
    return replace(guild, log_channel_id=channel_id) if 0 < channel_id <= MAX_ID else None


def read_switch(put: Callable[[Guild, bool], Guild]) -> Callable[[Guild, str], Guild | None]:
    """Return what reads on or off, in either language, and puts it into a guild."""

    def read(guild: Guild, value: str) -> Guild | None:
        if value.casefold() not in _ON | _OFF:
            return None
        return put(guild, value.casefold() in _ON)

    return read


def read_one_of(
    kind: type[EnumT], put: Callable[[Guild, EnumT], Guild]
) -> Callable[[Guild, str], Guild | None]:
    """Return what reads one of the values of `kind` and puts it into a guild."""

    def read(guild: Guild, value: str) -> Guild | None:
        try:
            return put(guild, kind(value.casefold()))
        except ValueError:
            return None

    return read


@dataclass(frozen=True, slots=True)
class SettingKind:
    """One setting. `read` takes text and gives the guild as it becomes; text "" never comes to it."""

    written: Callable[[Guild], str]
    read: Callable[[Guild, str], Guild | None]
    default: Callable[[Guild, Settings], Guild]
    choices: tuple[str, ...] = ()


NEW_GUILD: Final = Guild(guild_id=0, name="")
"""What the settings of a guild are that chose none."""


TIME_ZONE: Final = "time_zone"
TEXT_SEARCH: Final = "text_search"

EVERYDAY: Final[Mapping[str, SettingKind]] = {
    TIME_ZONE: SettingKind(
        written=lambda guild: guild.time_zone,
        read=read_zone,
        default=lambda guild, settings: replace(guild, time_zone=settings.time_zone),
    ),
    "base_role": SettingKind(
        written=lambda guild: "" if guild.base_role_id is None else str(guild.base_role_id),
        read=read_role,
        default=lambda guild, _: replace(guild, base_role_id=None),
    ),
    "persona": SettingKind(
        written=lambda guild: guild.persona,
        read=read_persona,
        default=lambda guild, _: replace(guild, persona=""),
    ),
    "retention_days": SettingKind(
        written=lambda guild: "" if guild.retention_days is None else str(guild.retention_days),
        read=read_retention,
        default=lambda guild, _: replace(guild, retention_days=None),
    ),
    TEXT_SEARCH: SettingKind(
        written=lambda guild: guild.text_search,
        read=read_text_search,
        default=lambda guild, _: replace(guild, text_search=NEW_GUILD.text_search),
    ),
    "pings": SettingKind(
        written=lambda guild: "on" if guild.pings else "off",
        read=read_switch(lambda guild, on: replace(guild, pings=on)),
        default=lambda guild, _: replace(guild, pings=NEW_GUILD.pings),
        choices=("on", "off"),
    ),
}


LOG_CHANNEL: Final = "log_channel"
HEARING: Final = "hearing"

PERMISSIONS: Final[Mapping[str, SettingKind]] = {
    "remember_others": SettingKind(
        written=lambda guild: guild.remembering_others.value,
        read=read_one_of(RememberingOthers, lambda guild, who: replace(guild, remembering_others=who)),
        default=lambda guild, _: replace(guild, remembering_others=NEW_GUILD.remembering_others),
        choices=tuple(RememberingOthers),
    ),
    "forget_others": SettingKind(
        written=lambda guild: guild.forgetting_others.value,
        read=read_one_of(ForgettingOthers, lambda guild, who: replace(guild, forgetting_others=who)),
        default=lambda guild, _: replace(guild, forgetting_others=NEW_GUILD.forgetting_others),
        choices=tuple(ForgettingOthers),
    ),
    "tell_others": SettingKind(
        written=lambda guild: guild.telling_others.value,
        read=read_one_of(DisclosurePolicy, lambda guild, what: replace(guild, telling_others=what)),
        default=lambda guild, _: replace(guild, telling_others=NEW_GUILD.telling_others),
        choices=tuple(DisclosurePolicy),
    ),
    "consent": SettingKind(
        written=lambda guild: guild.consent.value,
        read=read_one_of(ConsentDefault, lambda guild, consent: replace(guild, consent=consent)),
        default=lambda guild, _: replace(guild, consent=NEW_GUILD.consent),
        choices=tuple(ConsentDefault),
    ),
    HEARING: SettingKind(
        written=lambda guild: "on" if guild.hearing else "off",
        read=read_switch(lambda guild, on: replace(guild, hearing=on)),
        default=lambda guild, _: replace(guild, hearing=NEW_GUILD.hearing),
        choices=("on", "off"),
    ),
    LOG_CHANNEL: SettingKind(
        written=lambda guild: "" if guild.log_channel_id is None else str(guild.log_channel_id),
        read=read_log_channel,
        default=lambda guild, _: replace(guild, log_channel_id=None),
    ),
}


_KINDS: Final[Mapping[str, SettingKind]] = {**EVERYDAY, **PERMISSIONS}


def setting_names() -> tuple[str, ...]:
    """Return the names of all settings."""
    return tuple(_KINDS)


def setting_label(name: str, language: Language) -> str:
    """Return what the setting `name` is called."""
    return say(f"setting.{name}", language)


def allowed_values(name: str, language: Language, text_searches: Sequence[str]) -> str:
    """Return what the setting `name` may be."""
    most = MAX_RETENTION_DAYS if name == "retention_days" else MAX_PERSONA_CHARACTERS
    return say(f"setting_allowed.{name}", language, most=most, searches=", ".join(text_searches))


def setting_value(name: str, guild: Guild) -> str:
    """Return the value of the setting `name` as `with_setting` takes it; "" is the default."""
    return _KINDS[name].written(guild)


def default_value(name: str, language: Language, settings: Settings) -> str:
    """Return what holds, in words, where the setting `name` has the value ""."""
    match name:
        case "base_role":
            return "@everyone"
        case "retention_days":
            return str(settings.retention_days)
        case _:
            return say("form.no_value", language)


def listed_settings(
    guild: Guild, language: Language, text_searches: Sequence[str]
) -> tuple[ShownSetting, ...]:
    """Return all settings as they stand in `guild`."""
    return tuple(
        ShownSetting(
            name=name,
            value=kind.written(guild),
            label=setting_label(name, language),
            allowed=allowed_values(name, language, text_searches),
            choices=tuple(text_searches) if name == TEXT_SEARCH else kind.choices,
        )
        for name, kind in _KINDS.items()
    )


def with_setting(guild: Guild, name: str, value: str, settings: Settings) -> Guild | None:
    """Return `guild` with the setting `name` put to what `value` says, "" being the default; `None` if it cannot be."""
    kind = _KINDS[name]
    value = value.strip()
    return kind.read(guild, value) if value else kind.default(guild, settings)


def closest_value(name: str, value: str, text_searches: Sequence[str]) -> str:
    """Return the value of the setting `name` that is most like the wrong `value`; "" if none is like it."""
    if name == TIME_ZONE:
        return closest_zone(value)
    choices = text_searches if name == TEXT_SEARCH else _KINDS[name].choices
    return next(iter(get_close_matches(value.casefold(), choices, n=1, cutoff=LEAST_LIKENESS)), "")
