"""The settings of a guild, one entry each: its name, its allowed values, and where it is stored."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Final, Generic, TypeVar

from bot.core.clock import time_zones
from bot.core.domain import (
    MAX_ID,
    ConsentDefault,
    DisclosurePolicy,
    ForgettingOthers,
    Guild,
    RememberingOthers,
)
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from bot.text.languages import every_word

_ON: Final = every_word("switched_on")
_OFF: Final = every_word("switched_off")
_CONFIGURATION: Final = re.compile(r"[A-Za-z_]{1,60}")
_MENTION: Final = re.compile(r"(?:<(?:@&|#))?(\d{1,19})>?")


ValueT = TypeVar("ValueT")


class SettingValue(ABC, Generic[ValueT]):
    """What a setting may be. The value "" is the default of the setting, and never read."""

    sql_type: ClassVar[str] = "text"
    """The type that the database keeps it as, in a column or taken out of JSON."""

    mention: ClassVar[str] = "{}"
    """How a written value is sent, so that a client shows the names of roles and channels."""

    @abstractmethod
    def read(self, written: str, guild: Guild) -> ValueT | None:
        """Return the value that was written, `None` if there is no such value."""

    def written(self, value: ValueT) -> str:
        """Return `value` as `read` takes it; "" for none."""
        return "" if value is None else str(value)

    def choices(self, text_searches: Sequence[str]) -> Sequence[str]:
        """Return all values if they are few; `text_searches` are the configurations that the database has."""
        return ()

    def wrong(self, value: ValueT, *, text_searches: Sequence[str]) -> str | None:
        """Return why `value` cannot be, to be put behind the setting's name; `None` if it can."""
        return None


class TimeZone(SettingValue[str]):
    """A zone of the IANA list, in any case and with blanks."""

    def read(self, written: str, guild: Guild) -> str | None:
        """Return the zone as the list spells it."""
        return zones_by_folded_name().get(folded_zone(written))

    def wrong(self, value: str, *, text_searches: Sequence[str]) -> str | None:
        """Refuse what the list does not have."""
        if value in time_zones():
            return None
        return f"{value!r} cannot be used: it must be one of the IANA list, such as Europe/Berlin"


class TextSearch(SettingValue[str]):
    """A text-search configuration; which ones there are says the database."""

    sql_type = "regconfig"

    def read(self, written: str, guild: Guild) -> str | None:
        """Return the name of a configuration, whether or not the database has it."""
        return written.casefold() if _CONFIGURATION.fullmatch(written) else None

    def choices(self, text_searches: Sequence[str]) -> Sequence[str]:
        """Return those of the database."""
        return text_searches

    def wrong(self, value: str, *, text_searches: Sequence[str]) -> str | None:
        """Refuse what the database does not have."""
        if value in text_searches:
            return None
        return f"{value!r} cannot be used: it must be one of {', '.join(text_searches)}"


@dataclass(frozen=True, slots=True)
class Text(SettingValue[str]):
    """A text of `most` characters at most."""

    most: int

    def read(self, written: str, guild: Guild) -> str | None:
        """Return the text."""
        return written if len(written) <= self.most else None

    def wrong(self, value: str, *, text_searches: Sequence[str]) -> str | None:
        """Refuse what is too long."""
        return (
            None
            if len(value) <= self.most
            else f"has {len(value)} characters: it must have {self.most} at most"
        )


@dataclass(frozen=True, slots=True)
class Days(SettingValue[int | None]):
    """A whole number of days from 0, which is for ever, to `most`."""

    sql_type = "integer"
    most: int

    def read(self, written: str, guild: Guild) -> int | None:
        """Return the number."""
        is_number = written.isascii() and written.isdigit() and len(written) <= 9
        return int(written) if is_number and int(written) <= self.most else None

    def wrong(self, value: int | None, *, text_searches: Sequence[str]) -> str | None:
        """Refuse what is below 0 or above the most."""
        if 0 <= (value or 0) <= self.most:
            return None
        return f"{value} cannot be used: it must be a whole number from 0 to {self.most}, where 0 is for ever"


class Switch(SettingValue[bool]):
    """On or off, in either language."""

    sql_type = "boolean"

    def read(self, written: str, guild: Guild) -> bool | None:
        """Return whether it is on."""
        known = written.casefold() in _ON | _OFF
        return written.casefold() in _ON if known else None

    def written(self, value: bool) -> str:
        """Return the English word."""
        return "on" if value else "off"

    def choices(self, text_searches: Sequence[str]) -> Sequence[str]:
        """Return both."""
        return ("on", "off")


@dataclass(frozen=True, slots=True)
class OneOf(SettingValue[StrEnum]):
    """One of the values of an enumeration."""

    values: type[StrEnum]

    def read(self, written: str, guild: Guild) -> StrEnum | None:
        """Return the value."""
        return next((value for value in self.values if value == written.casefold()), None)

    def choices(self, text_searches: Sequence[str]) -> Sequence[str]:
        """Return all of them."""
        return tuple(self.values)


class _Id(SettingValue[int | None]):
    """An id of Discord, or a mention."""

    sql_type = "bigint"

    def read(self, written: str, guild: Guild) -> int | None:
        """Return the id; whether the guild has it is for others to say."""
        found = _MENTION.fullmatch(written)
        read_id = int(found[1]) if found else 0
        return read_id if 0 < read_id <= MAX_ID else None

    def wrong(self, value: int | None, *, text_searches: Sequence[str]) -> str | None:
        """Refuse what Discord never gives."""
        if value is None or 0 < value <= MAX_ID:
            return None
        return f"{value} is no id: ids lie between 1 and {MAX_ID}"


class ChannelId(_Id):
    """A channel, by its id or its mention."""

    mention = "<#{}>"


class RoleId(_Id):
    """A role, by its id or its mention; @everyone, which has the guild's own id, is none."""

    mention = "<@&{}>"

    def read(self, written: str, guild: Guild) -> int | None:
        """Return the role's id, the guild's own for @everyone."""
        return (
            guild.guild_id
            if written.casefold() in {"@everyone", "everyone"}
            else super().read(written, guild)
        )


@dataclass(frozen=True, slots=True)
class GuildSetting:
    """A setting as commands call it, with the field of `Guild` that holds it."""

    name: str
    field: str
    value: SettingValue[Any]
    key: str | None = None
    """Its key in `guilds.rights`; `None` if it has a column of its own."""

    def of(self, guild: Guild) -> str:
        """Return the value in `guild` as it is written; "" is the default."""
        return self.value.written(getattr(guild, self.field))

    def put(self, guild: Guild, written: str, settings: Settings) -> Guild | None:
        """Return `guild` with the value that was written, "" for the default; `None` if it cannot be."""
        value = self.value.read(written, guild) if written else self._default(settings)
        if value is None and written:
            return None
        if isinstance(self.value, RoleId) and value == guild.guild_id:
            value = None
        changed: dict[str, Any] = {self.field: value}
        return replace(guild, **changed)

    def _default(self, settings: Settings) -> object:
        return settings.time_zone if isinstance(self.value, TimeZone) else getattr(NEW_GUILD, self.field)


NEW_GUILD: Final = Guild(guild_id=0, name="")
"""What the settings of a guild are that chose none."""

TIME_ZONE: Final = "time_zone"
TEXT_SEARCH: Final = "text_search"
BASE_ROLE: Final = "base_role"
PERSONA: Final = "persona"
HEARING: Final = "hearing"
LOG_CHANNEL: Final = "log_channel"

MAX_PERSONA_CHARACTERS: Final = 1_000
"""The longest persona: it goes into every prompt of a reply and must leave room for memories."""

MAX_RETENTION_DAYS: Final = 36_500
"""A hundred years: whoever wants more wants 0, for ever."""

_SETTINGS: Final = (
    GuildSetting(TIME_ZONE, "time_zone", TimeZone()),
    GuildSetting(BASE_ROLE, "base_role_id", RoleId()),
    GuildSetting(PERSONA, "persona", Text(MAX_PERSONA_CHARACTERS)),
    GuildSetting("retention_days", "retention_days", Days(MAX_RETENTION_DAYS)),
    GuildSetting(TEXT_SEARCH, "text_search", TextSearch()),
    GuildSetting("pings", "pings", Switch()),
    GuildSetting("remember_others", "remembering_others", OneOf(RememberingOthers), "remember_others"),
    GuildSetting("forget_others", "forgetting_others", OneOf(ForgettingOthers), "forget_others"),
    GuildSetting("tell_others", "telling_others", OneOf(DisclosurePolicy), "tell_others"),
    GuildSetting("consent", "consent", OneOf(ConsentDefault), "consent"),
    GuildSetting(HEARING, "hearing", Switch(), "hearing"),
    GuildSetting(LOG_CHANNEL, "log_channel_id", ChannelId(), "log_channel"),
)

GUILD_SETTINGS: Final[Mapping[str, GuildSetting]] = {one.name: one for one in _SETTINGS}
"""By name, in the order in which they are shown. Beside an entry, a setting has its sentences in `bot/locale/`."""

_BY_FIELD: Final = {one.field: one for one in _SETTINGS}


def folded_zone(written: str) -> str:
    """Return a zone's name as `zones_by_folded_name` has it."""
    return written.casefold().replace(" ", "_")


@cache
def zones_by_folded_name() -> Mapping[str, str]:
    """Return the zones of the IANA list by their folded names, without the files that name no zone."""
    return {folded_zone(one): one for one in time_zones() if one not in {"localtime", "Factory"}}


def changes_between(was: Guild, becomes: Guild) -> Mapping[str, object]:
    """Return, by the fields of `Guild`, the name and the settings in which `becomes` differs from `was`."""
    return {
        field: getattr(becomes, field)
        for field in ("name", *_BY_FIELD)
        if getattr(becomes, field) != getattr(was, field)
    }


def check_settings(becomes: Guild, changed: Mapping[str, object], *, text_searches: Sequence[str]) -> None:
    """Raise `InvalidInputError` for the first setting of `changed` whose value in `becomes` cannot be.

    `text_searches` are the text-search configurations that the database has.
    """
    for field in changed:
        if field in _BY_FIELD:
            wrong = _BY_FIELD[field].value.wrong(getattr(becomes, field), text_searches=text_searches)
            if wrong is not None:
                raise InvalidInputError(f"{field} {wrong}")
