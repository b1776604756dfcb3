"""What managers and moderators change by form: the guild's settings, a channel's switches, silence for a while."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.choices import Answering
from bot.conversation.desk import settings as guild_settings
from bot.conversation.desk.durations import duration_in
from bot.conversation.desk.texts import DeskText
from bot.conversation.desk.visit import Said, Visit
from bot.conversation.texts import say
from bot.domain import Channel, Guild
from bot.errors import InvalidInputError
from bot.memory.directory import Directory
from bot.memory.guild_settings import MAX_PERSONA_CHARACTERS
from bot.settings import Settings

_SHOWN_CHARACTERS: Final = 100
"""How much of a value a sentence repeats."""

_ANSWERING: Final = {
    Answering.ALWAYS: DeskText.ANSWERING_ALWAYS,
    Answering.ADDRESSED: DeskText.ANSWERING_ADDRESSED,
    Answering.NEVER: DeskText.ANSWERING_NEVER,
}


_MENTIONS: Final = {"base_role": "<@&{}>", guild_settings.LOG_CHANNEL: "<#{}>"}
"""How the ids of roles and channels are written so that a face shows their names."""


@dataclass(frozen=True, slots=True)
class Switches:
    """What somebody wants of a channel; `None` leaves a switch as it is."""

    hearing: bool | None = None
    answering: Answering | None = None


async def change_setting(
    visit: Visit, guild: Guild, name: str, value: str, *, directory: Directory, settings: Settings
) -> Said:
    """Put a setting of `guild` to what `value` says, or say what is wrong with it."""
    if not visit.from_manager:
        return Said(say(DeskText.FOR_MANAGERS, visit.language))
    if name not in guild_settings.names():
        names = ", ".join(guild_settings.names())
        return Said(say(DeskText.UNKNOWN_SETTING, visit.language, name=_shown(name), names=names))
    becomes = guild_settings.changed(guild, name, value, settings)
    if name == guild_settings.LOG_CHANNEL:
        becomes = becomes and await _with_own_channel(becomes, directory)
    try:
        becomes = becomes and await directory.change_guild(guild, becomes)
    except InvalidInputError:
        becomes = None
    if becomes is None:
        return _wrong(visit, name, value, text_searches=await directory.text_searches())
    written = guild_settings.value_of(name, becomes)
    if name in _MENTIONS and written:
        written = _MENTIONS[name].format(written)
    label = guild_settings.label(name, visit.language)
    if value.strip() and written:
        return Said(say(DeskText.CHANGED, visit.language, label=label, value=_shown(written)))
    default = written or guild_settings.default_of(name, visit.language, settings)
    return Said(say(DeskText.SET_TO_DEFAULT, visit.language, label=label, value=default))


def wrong_persona(visit: Visit, persona: str) -> Said | None:
    """Return the sentence about a persona that is too long; `None` if it is not."""
    most = MAX_PERSONA_CHARACTERS
    if len(persona.strip()) <= most:
        return None
    return Said(say(DeskText.PERSONA_TOO_LONG, visit.language, characters=len(persona.strip()), allowed=most))


async def change_channel(
    visit: Visit, guild: Guild, wanted: Switches, *, directory: Directory, now: datetime
) -> Said:
    """Set the switches of the visit's channel as `wanted`, and say how they stand."""
    asks_only = wanted == Switches()
    if not (visit.from_manager or asks_only):
        return Said(say(DeskText.FOR_MANAGERS, visit.language))
    if visit.direct:
        return Said(say(DeskText.NO_CHANNELS_HERE, visit.language))
    channel = await directory.channel(guild_id=visit.guild_id, channel_id=visit.channel_id)
    if channel is None:
        return Said(say(DeskText.NO_CHANNEL, visit.language))
    becomes = replace(
        channel,
        hearing=channel.hearing if wanted.hearing is None else wanted.hearing,
        answering=wanted.answering or channel.answering,
    )
    if becomes != channel:
        becomes = await directory.change_channel(channel, becomes)
    return Said(_how_it_stands(visit, guild, becomes, now=now))


async def be_quiet(visit: Visit, guild: Guild, duration: str, *, directory: Directory, now: datetime) -> Said:
    """Answer nothing in the visit's channel for a while, or again."""
    if not (visit.from_moderator or visit.from_manager):
        return Said(say(DeskText.FOR_MODERATORS, visit.language))
    lasts = duration_in(duration)
    if lasts is None:
        return Said(say(DeskText.WRONG_DURATION, visit.language, value=_shown(duration)))
    if visit.direct:
        return Said(say(DeskText.NO_CHANNELS_HERE, visit.language))
    channel = await directory.channel(guild_id=visit.guild_id, channel_id=visit.channel_id)
    if channel is None:
        return Said(say(DeskText.NO_CHANNEL, visit.language))
    await directory.change_channel(channel, replace(channel, quiet_until=now + lasts if lasts else None))
    if not lasts:
        return Said(say(DeskText.NOT_QUIET, visit.language))
    return Said(_quiet_until(visit, guild, now + lasts))


async def _with_own_channel(becomes: Guild, directory: Directory) -> Guild | None:
    """Return a guild if its log channel, where it has one, is a channel of its own."""
    if becomes.log_channel_id is None:
        return becomes
    channel = await directory.channel(guild_id=becomes.guild_id, channel_id=becomes.log_channel_id)
    return None if channel is None else becomes


def _how_it_stands(visit: Visit, guild: Guild, channel: Channel, *, now: datetime) -> str:
    hearing = DeskText.HEARING if channel.hearing else DeskText.NOT_HEARING
    told = [say(hearing, visit.language), say(_ANSWERING[channel.answering], visit.language)]
    if channel.quiet_until is not None and channel.quiet_until > now:
        told.append(_quiet_until(visit, guild, channel.quiet_until))
    return " ".join(told)


def _quiet_until(visit: Visit, guild: Guild, until: datetime) -> str:
    time = until.astimezone(ZoneInfo(guild.time_zone)).strftime("%Y-%m-%d %H:%M")
    return say(DeskText.QUIET_UNTIL, visit.language, time=time, zone=guild.time_zone)


def _wrong(visit: Visit, name: str, value: str, *, text_searches: Sequence[str]) -> Said:
    if name == "persona" and (too_long := wrong_persona(visit, value)):
        return too_long
    said = {
        "label": guild_settings.label(name, visit.language),
        "value": _shown(value),
        "allowed": guild_settings.allowed(name, visit.language, text_searches),
    }
    if closest := guild_settings.closest(name, value, text_searches):
        return Said(say(DeskText.WRONG_VALUE_CLOSEST, visit.language, closest=closest, **said))
    return Said(say(DeskText.WRONG_VALUE, visit.language, **said))


def _shown(value: str) -> str:
    value = " ".join(value.split())
    return value if len(value) <= _SHOWN_CHARACTERS else value[: _SHOWN_CHARACTERS - 1].rstrip() + "…"
