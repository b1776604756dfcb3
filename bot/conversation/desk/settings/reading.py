"""How the value of a setting is read from text: the guild as it becomes, or `None` if it cannot be so."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from typing import Final, TypeVar

from bot.clock import time_zones
from bot.domain import MAX_ID, Guild
from bot.memory.guild_settings import MAX_PERSONA_CHARACTERS, MAX_RETENTION_DAYS

ALIKE: Final = 0.75
"""Likeness (0 to 1) from which a value is offered in the place of one that cannot be used."""

EnumT = TypeVar("EnumT", bound=StrEnum)

_CONFIGURATION: Final = re.compile(r"[A-Za-z_]{1,60}")
_ROLE: Final = re.compile(r"(?:<@&)?(\d{1,19})>?")
_CHANNEL: Final = re.compile(r"(?:<#)?(\d{1,19})>?")
_ON: Final = frozenset("on yes вкл да".split())
_OFF: Final = frozenset("off no выкл нет".split())


def zone(guild: Guild, value: str) -> Guild | None:
    """Read a time zone of the IANA list, in any case and with blanks."""
    found = _zones().get(_folded(value))
    return None if found is None else replace(guild, time_zone=found)


def closest_zone(value: str) -> str:
    """Return the zone, or that of the city, that is most like `value`; "" if none is."""
    cities: dict[str, str] = {}
    for folded, known_zone in sorted(_zones().items()):
        cities.setdefault(folded.rpartition("/")[2], known_zone)
    for known in (_zones(), cities):
        if close := get_close_matches(_folded(value), known, n=1, cutoff=ALIKE):
            return known[close[0]]
    return ""


def _folded(written: str) -> str:
    return written.casefold().replace(" ", "_")


@cache
def _zones() -> Mapping[str, str]:
    """Return the zones of the IANA list by their folded names, without the files that name no zone."""
    return {one.casefold(): one for one in time_zones() if one not in {"localtime", "Factory"}}


def role(guild: Guild, value: str) -> Guild | None:
    """Read the base role by its id or its mention."""
    if value.casefold() in {"@everyone", "everyone"}:
        return replace(guild, base_role_id=None)
    found = _ROLE.fullmatch(value)
    role_id = int(found[1]) if found else 0
    if not 0 < role_id <= MAX_ID:
        return None
    # @everyone is a role too, with the guild's own id.
    return replace(guild, base_role_id=None if role_id == guild.guild_id else role_id)


def persona(guild: Guild, value: str) -> Guild | None:
    """Read a persona."""
    return replace(guild, persona=value) if len(value) <= MAX_PERSONA_CHARACTERS else None


def retention(guild: Guild, value: str) -> Guild | None:
    """Read for how many days messages are kept."""
    if not (value.isascii() and value.isdigit() and len(value) <= 9 and int(value) <= MAX_RETENTION_DAYS):
        return None
    return replace(guild, retention_days=int(value))


def text_search(guild: Guild, value: str) -> Guild | None:
    """Read a text-search configuration."""
    # Which ones there are says the database, when it is written.
    return replace(guild, text_search=value.casefold()) if _CONFIGURATION.fullmatch(value) else None


def log_channel(guild: Guild, value: str) -> Guild | None:
    """Read a channel by its id or its mention; whether the guild has it is for the directory to say."""
    found = _CHANNEL.fullmatch(value)
    channel_id = int(found[1]) if found else 0
    return replace(guild, log_channel_id=channel_id) if 0 < channel_id <= MAX_ID else None


def switch(put: Callable[[Guild, bool], Guild]) -> Callable[[Guild, str], Guild | None]:
    """Return what reads on or off, in either language, and puts it into a guild."""

    def read(guild: Guild, value: str) -> Guild | None:
        if value.casefold() not in _ON | _OFF:
            return None
        return put(guild, value.casefold() in _ON)

    return read


def one_of(kind: type[EnumT], put: Callable[[Guild, EnumT], Guild]) -> Callable[[Guild, str], Guild | None]:
    """Return what reads one of the values of `kind` and puts it into a guild."""

    def read(guild: Guild, value: str) -> Guild | None:
        try:
            return put(guild, kind(value.casefold()))
        except ValueError:
            return None

    return read
