"""The settings of a guild: how each is called, what it may be, and how a value is read from text."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from typing import Final
from zoneinfo import available_timezones

from bot.conversation.desk.visit import Setting
from bot.domain import MAX_ID, Guild, Language, RememberingOthers
from bot.memory.guild_settings import MAX_PERSONA_CHARACTERS, MAX_RETENTION_DAYS
from bot.settings import Settings

TIME_ZONE: Final = "time_zone"
TEXT_SEARCH: Final = "text_search"

_ALIKE: Final = 0.75
"""Likeness (0 to 1) from which a value is offered in the place of one that cannot be used."""

_CONFIGURATION: Final = re.compile(r"[A-Za-z_]{1,60}")
_ROLE: Final = re.compile(r"(?:<@&)?(\d{1,19})>?")
_ON: Final = frozenset("on yes вкл да".split())
_OFF: Final = frozenset("off no выкл нет".split())


@dataclass(frozen=True, slots=True)
class _Kind:
    """One setting. `read` takes text and gives the guild as it becomes; text "" never comes to it."""

    label: tuple[str, str]
    allowed: tuple[str, str]
    """What it may be; `{searches}` in it stands for the text-search configurations that there are."""
    written: Callable[[Guild], str]
    read: Callable[[Guild, str], Guild | None]
    default: Callable[[Guild, Settings], Guild]
    choices: tuple[str, ...] = ()


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
        return _closest_zone(value)
    choices = text_searches if name == TEXT_SEARCH else _KINDS[name].choices
    return next(iter(get_close_matches(value.casefold(), choices, n=1, cutoff=_ALIKE)), "")


def _zone(guild: Guild, value: str) -> Guild | None:
    zone = _zones().get(_folded(value))
    return None if zone is None else replace(guild, time_zone=zone)


def _closest_zone(value: str) -> str:
    cities: dict[str, str] = {}
    for folded, zone in sorted(_zones().items()):
        cities.setdefault(folded.rpartition("/")[2], zone)
    for known in (_zones(), cities):
        if close := get_close_matches(_folded(value), known, n=1, cutoff=_ALIKE):
            return known[close[0]]
    return ""


def _folded(zone: str) -> str:
    return zone.casefold().replace(" ", "_")


@cache
def _zones() -> Mapping[str, str]:
    """Return the zones of the IANA list by their folded names, without the files that name no zone."""
    return {zone.casefold(): zone for zone in available_timezones() if zone not in {"localtime", "Factory"}}


def _role(guild: Guild, value: str) -> Guild | None:
    if value.casefold() in {"@everyone", "everyone"}:
        return replace(guild, base_role_id=None)
    found = _ROLE.fullmatch(value)
    role_id = int(found[1]) if found else 0
    if not 0 < role_id <= MAX_ID:
        return None
    # @everyone is a role too, with the guild's own id.
    return replace(guild, base_role_id=None if role_id == guild.guild_id else role_id)


def _persona(guild: Guild, value: str) -> Guild | None:
    return replace(guild, persona=value) if len(value) <= MAX_PERSONA_CHARACTERS else None


def _retention(guild: Guild, value: str) -> Guild | None:
    if not (value.isascii() and value.isdigit() and len(value) <= 9 and int(value) <= MAX_RETENTION_DAYS):
        return None
    return replace(guild, retention_days=int(value))


def _text_search(guild: Guild, value: str) -> Guild | None:
    # Which ones there are says the database, when it is written.
    return replace(guild, text_search=value.casefold()) if _CONFIGURATION.fullmatch(value) else None


def _others(guild: Guild, value: str) -> Guild | None:
    try:
        return replace(guild, remembering_others=RememberingOthers(value.casefold()))
    except ValueError:
        return None


def _pings(guild: Guild, value: str) -> Guild | None:
    if value.casefold() not in _ON | _OFF:
        return None
    return replace(guild, pings=value.casefold() in _ON)


def _in(both: Sequence[str], language: Language) -> str:
    english, russian = both
    return russian if language is Language.RUSSIAN else english


_NEW: Final = Guild(guild_id=0, name="")
"""What the settings of a guild are that chose none."""

_KINDS: Final[Mapping[str, _Kind]] = {
    TIME_ZONE: _Kind(
        label=("Time zone", "Часовой пояс"),
        allowed=(
            "a time zone of the IANA list, such as Europe/Berlin",
            "часовой пояс из списка IANA, например Europe/Moscow",
        ),
        written=lambda guild: guild.time_zone,
        read=_zone,
        default=lambda guild, settings: replace(guild, time_zone=settings.time_zone),
    ),
    "base_role": _Kind(
        label=("Base role", "Основная роль"),
        allowed=(
            "a role's id, whose channels are open to all members; empty for @everyone",
            "идентификатор роли, чьи каналы открыты всем участникам; пусто — @everyone",
        ),
        written=lambda guild: "" if guild.base_role_id is None else str(guild.base_role_id),
        read=_role,
        default=lambda guild, _: replace(guild, base_role_id=None),
    ),
    "persona": _Kind(
        label=("Persona", "Характер"),
        allowed=(
            f"a text of {MAX_PERSONA_CHARACTERS} characters at most that says who I am here; empty for none",
            f"текст не длиннее {MAX_PERSONA_CHARACTERS} знаков о том, кто я здесь; пусто — без описания",
        ),
        written=lambda guild: guild.persona,
        read=_persona,
        default=lambda guild, _: replace(guild, persona=""),
    ),
    "retention_days": _Kind(
        label=("Days that messages are kept", "Сколько дней хранить сообщения"),
        allowed=(
            f"a whole number from 0 to {MAX_RETENTION_DAYS}, 0 for ever; empty for the bot's own setting",
            f"целое число от 0 до {MAX_RETENTION_DAYS}, 0 — бессрочно; пусто — как задано для бота",
        ),
        written=lambda guild: "" if guild.retention_days is None else str(guild.retention_days),
        read=_retention,
        default=lambda guild, _: replace(guild, retention_days=None),
    ),
    TEXT_SEARCH: _Kind(
        label=("Language of text search", "Язык поиска по тексту"),
        allowed=("one of {searches}", "одно из значений: {searches}"),
        written=lambda guild: guild.text_search,
        read=_text_search,
        default=lambda guild, _: replace(guild, text_search=_NEW.text_search),
    ),
    "remember_others": _Kind(
        label=("Who may have things remembered about others", "Кто может записывать что-то о других"),
        allowed=(
            "everyone, moderators or nobody",
            "everyone (все), moderators (модераторы) или nobody (никто)",
        ),
        written=lambda guild: guild.remembering_others.value,
        read=_others,
        default=lambda guild, _: replace(guild, remembering_others=_NEW.remembering_others),
        choices=tuple(RememberingOthers),
    ),
    "pings": _Kind(
        label=("Ping on reply", "Уведомлять при ответе"),
        allowed=("on or off", "on (да) или off (нет)"),
        written=lambda guild: "on" if guild.pings else "off",
        read=_pings,
        default=lambda guild, _: replace(guild, pings=_NEW.pings),
        choices=("on", "off"),
    ),
}
