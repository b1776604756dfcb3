"""The settings that say how the bot lives in a guild: its days, its open channels, who it is, what it keeps."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.conversation.desk.settings import reading
from bot.conversation.desk.settings.kind import NEW, Kind
from bot.memory.guild_settings import MAX_PERSONA_CHARACTERS, MAX_RETENTION_DAYS

TIME_ZONE: Final = "time_zone"
TEXT_SEARCH: Final = "text_search"

EVERYDAY: Final[Mapping[str, Kind]] = {
    TIME_ZONE: Kind(
        label=("Time zone", "Часовой пояс"),
        allowed=(
            "a time zone of the IANA list, such as Europe/Berlin",
            "часовой пояс из списка IANA, например Europe/Moscow",
        ),
        written=lambda guild: guild.time_zone,
        read=reading.zone,
        default=lambda guild, settings: replace(guild, time_zone=settings.time_zone),
    ),
    "base_role": Kind(
        label=("Base role", "Основная роль"),
        allowed=(
            "a role's id, whose channels are open to all members; empty for @everyone",
            "идентификатор роли, чьи каналы открыты всем участникам; пусто — @everyone",
        ),
        written=lambda guild: "" if guild.base_role_id is None else str(guild.base_role_id),
        read=reading.role,
        default=lambda guild, _: replace(guild, base_role_id=None),
    ),
    "persona": Kind(
        label=("Persona", "Характер"),
        allowed=(
            f"a text of {MAX_PERSONA_CHARACTERS} characters at most that says who I am here; empty for none",
            f"текст не длиннее {MAX_PERSONA_CHARACTERS} знаков о том, кто я здесь; пусто — без описания",
        ),
        written=lambda guild: guild.persona,
        read=reading.persona,
        default=lambda guild, _: replace(guild, persona=""),
    ),
    "retention_days": Kind(
        label=("Days that messages are kept", "Сколько дней хранить сообщения"),
        allowed=(
            f"a whole number from 0 to {MAX_RETENTION_DAYS}, 0 for ever; empty for the bot's own setting",
            f"целое число от 0 до {MAX_RETENTION_DAYS}, 0 — бессрочно; пусто — как задано для бота",
        ),
        written=lambda guild: "" if guild.retention_days is None else str(guild.retention_days),
        read=reading.retention,
        default=lambda guild, _: replace(guild, retention_days=None),
    ),
    TEXT_SEARCH: Kind(
        label=("Language of text search", "Язык поиска по тексту"),
        allowed=("one of {searches}", "одно из значений: {searches}"),
        written=lambda guild: guild.text_search,
        read=reading.text_search,
        default=lambda guild, _: replace(guild, text_search=NEW.text_search),
    ),
    "pings": Kind(
        label=("Ping on reply", "Уведомлять при ответе"),
        allowed=("on or off", "on (да) или off (нет)"),
        written=lambda guild: "on" if guild.pings else "off",
        read=reading.switch(lambda guild, on: replace(guild, pings=on)),
        default=lambda guild, _: replace(guild, pings=NEW.pings),
        choices=("on", "off"),
    ),
}
