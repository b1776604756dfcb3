"""All settings of a guild: how each is called, what it may be, how it stands, and how it is changed."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from bot.conversation.desk.settings import reading
from bot.conversation.desk.settings.everyday import EVERYDAY, TEXT_SEARCH, TIME_ZONE
from bot.conversation.desk.settings.kind import Kind
from bot.conversation.desk.settings.permissions import PERMISSIONS
from bot.conversation.desk.visit import Setting
from bot.domain import Guild, Language
from bot.settings import Settings

_KINDS: Final[Mapping[str, Kind]] = {**EVERYDAY, **PERMISSIONS}


def names() -> tuple[str, ...]:
    """Return the names of all settings."""
    return tuple(_KINDS)


def label(name: str, language: Language) -> str:
    """Return what the setting `name` is called."""
    return _in(_KINDS[name].label, language)


def allowed(name: str, language: Language, text_searches: Sequence[str]) -> str:
    """Return what the setting `name` may be."""
    return _in(_KINDS[name].allowed, language).format(searches=", ".join(text_searches))


def value_of(name: str, guild: Guild) -> str:
    """Return the value of the setting `name` as `changed` takes it; "" is the default."""
    return _KINDS[name].written(guild)


def default_of(name: str, language: Language, settings: Settings) -> str:
    """Return what holds, in words, where the setting `name` has the value ""."""
    match name:
        case "base_role":
            return "@everyone"
        case "retention_days":
            return str(settings.retention_days)
        case _:
            return _in(("none", "нет"), language)


def listed(guild: Guild, language: Language, text_searches: Sequence[str]) -> tuple[Setting, ...]:
    """Return all settings as they stand in `guild`."""
    return tuple(
        Setting(
            name=name,
            value=kind.written(guild),
            label=_in(kind.label, language),
            allowed=allowed(name, language, text_searches),
            choices=tuple(text_searches) if name == TEXT_SEARCH else kind.choices,
        )
        for name, kind in _KINDS.items()
    )


def changed(guild: Guild, name: str, value: str, settings: Settings) -> Guild | None:
    """Return `guild` with the setting `name` put to what `value` says, "" being the default; `None` if it cannot be."""
    kind = _KINDS[name]
    value = value.strip()
    return kind.read(guild, value) if value else kind.default(guild, settings)


def closest(name: str, value: str, text_searches: Sequence[str]) -> str:
    """Return the value of the setting `name` that is most like the wrong `value`; "" if none is like it."""
    if name == TIME_ZONE:
        return reading.closest_zone(value)
    choices = text_searches if name == TEXT_SEARCH else _KINDS[name].choices
    return next(iter(get_close_matches(value.casefold(), choices, n=1, cutoff=reading.ALIKE)), "")


def _in(both: Sequence[str], language: Language) -> str:
    english, russian = both
    return russian if language is Language.RUSSIAN else english
