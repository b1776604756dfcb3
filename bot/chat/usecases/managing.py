"""What managers and moderators do with slash commands: change settings and channel switches, leave channels out,
silence the bot, and preview a persona.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.chat import personas
from bot.chat.usecases import guild_settings
from bot.chat.usecases.context import FormAccess, FormReply, FormTurn, RequestContext, SettingListing
from bot.core.domain import AnswerMode, Channel, Guild
from bot.core.errors import InvalidInputError
from bot.llm.operation import Asker, Patience, Role
from bot.llm.providers import access_of, chains_of
from bot.memory.guilds.settings import GUILD_SETTINGS, MAX_PERSONA_CHARACTERS, PERSONA, ChannelId
from bot.text.calendar import LENGTHS, UNITS
from bot.text.languages import every_word

SHORTEST: Final = timedelta(minutes=1)
LONGEST: Final = timedelta(days=7)
"""A silence that lasts longer is a setting of the channel."""

_PART: Final = re.compile(r"(\d{1,5})\s*([^\W\d_]+)\.?(?:\s+|(?=\d)|\Z)")
_OFF: Final = every_word("stops")


def duration_in(text: str) -> timedelta | None:
    """Return how long `text` says, from a minute to seven days, or 0 for "off"; `None` if it is neither."""
    written = text.strip().casefold()
    if written in _OFF:
        return timedelta(0)
    total, end = timedelta(0), 0
    while end < len(written):
        part = _PART.match(written, end)
        length = LENGTHS.get(UNITS.get(part[2], "")) if part else None
        if part is None or length is None:
            return None
        total += int(part[1]) * length
        end = part.end()
    return total if SHORTEST <= total <= LONGEST else None


_SHOWN_CHARACTERS: Final = 100
"""How much of a value a sentence repeats."""

_ANSWERING: Final = {
    AnswerMode.ALWAYS: "form.answering_always",
    AnswerMode.ADDRESSED: "form.answering_addressed",
    AnswerMode.NEVER: "form.answering_never",
}


async def list_settings(turn: FormTurn, access: FormAccess) -> SettingListing:
    """Return the settings of the guild as they stand."""
    searches = await access.directory.text_searches()
    return SettingListing(settings=guild_settings.listed_settings(turn.guild, turn.language, searches))


async def change_setting(turn: FormTurn, access: FormAccess, name: str, value: str) -> FormReply:
    """Put the setting `name` to `value` ("" is the default), or say what is wrong with it and change nothing."""
    request, guild, directory, settings = turn.request, turn.guild, access.directory, access.settings
    if name not in GUILD_SETTINGS:
        names = ", ".join(GUILD_SETTINGS)
        return FormReply(request.say("form.unknown_setting", name=_shown(name), names=names))
    setting = GUILD_SETTINGS[name]
    if name == PERSONA:
        value = chosen_persona(request, value)
    becomes = await with_setting(access, guild, name, value)
    try:
        becomes = becomes and await directory.change_guild(guild, becomes)
    except InvalidInputError:
        becomes = None
    if becomes is None:
        return _wrong(request, name, value, text_searches=await directory.text_searches())
    written = guild_settings.mentioned(name, setting.of(becomes))
    label = guild_settings.setting_label(name, request.language)
    if value.strip() and written:
        return FormReply(request.say("form.changed", label=label, value=_shown(written)))
    default = written or guild_settings.default_value(name, request.language, settings)
    return FormReply(request.say("form.set_to_default", label=label, value=default))


async def with_setting(access: FormAccess, guild: Guild, name: str, value: str) -> Guild | None:
    """Return `guild` with a setting at `value` ("" is the default), not written yet; `None` if it cannot be that."""
    setting = GUILD_SETTINGS[name]
    becomes = setting.put(guild, value.strip(), access.settings)
    if becomes and isinstance(setting.value, ChannelId) and (channel_id := setting.of(becomes)):
        channel = await access.directory.channel(guild_id=guild.guild_id, channel_id=int(channel_id))
        return becomes if channel else None
    return becomes


def chosen_persona(request: RequestContext, written: str) -> str:
    """Return the text of the persona that `written` names, or what was written if it names none; "" for "off"."""
    if written.strip().casefold() in _OFF:
        return ""
    named = personas.persona_named(written)
    return personas.persona_text(named, request.language) if named else written.strip()


def wrong_persona(request: RequestContext, persona: str) -> FormReply | None:
    """Return the sentence about a persona that is too long; `None` if it is not."""
    most = MAX_PERSONA_CHARACTERS
    if len(persona.strip()) <= most:
        return None
    return FormReply(request.say("form.persona_too_long", characters=len(persona.strip()), allowed=most))


async def change_channel(
    turn: FormTurn,
    access: FormAccess,
    *,
    hearing: bool | None = None,
    answering: AnswerMode | None = None,
    persona: str | None = None,
    model: str | None = None,
) -> FormReply:
    """Change the settings of the request's channel, and report them; "off" removes the persona or the model.

    A persona is a known name or a text; a model must be one that the operator configured.
    """
    channel = await _channel(turn, access)
    if isinstance(channel, FormReply):
        return channel
    if persona is not None:
        persona = chosen_persona(turn.request, persona)
        if wrong := wrong_persona(turn.request, persona):
            return wrong
    if model is not None:
        model = "" if model.strip().casefold() in _OFF else model.strip()
        if model and model not in (known := configured_models(access)):
            return FormReply(
                turn.say("form.unknown_model", model=_shown(model), models=", ".join(known) or "–")
            )
    becomes = replace(
        channel,
        hearing=channel.hearing if hearing is None else hearing,
        answering=answering or channel.answering,
        persona=channel.persona if persona is None else persona,
        model=channel.model if model is None else model,
    )
    if becomes != channel:
        becomes = await access.directory.change_channel(channel, becomes)
    told = [turn.say("form.hearing" if becomes.hearing else "form.not_hearing")]
    told.append(turn.say(_ANSWERING[becomes.answering]))
    if becomes.persona and turn.request.from_manager:
        told.append(turn.say("form.channel_persona", persona=_shown(becomes.persona)))
    if becomes.model and turn.request.from_manager:
        told.append(turn.say("form.channel_model", model=becomes.model))
    if becomes.quiet_until is not None and becomes.quiet_until > turn.asked_at:
        told.append(_quiet_until(turn, becomes.quiet_until))
    return FormReply(" ".join(told))


def configured_models(access: FormAccess) -> tuple[str, ...]:
    """Return the names of the models that the operator configured, those for chat first."""
    reachable = access_of(access.settings)
    chains = chains_of(access.settings)
    ordered = [*chains[Role.CHAT], *(model for chain in chains.values() for model in chain)]
    return tuple(dict.fromkeys(str(model) for model in ordered if model.provider in reachable))


async def tell_channel(turn: FormTurn, access: FormAccess) -> FormReply:
    """Say whether the channel of the request is heard and when it is answered."""
    return await change_channel(turn, access)


async def be_quiet(turn: FormTurn, access: FormAccess, duration: str) -> FormReply:
    """Answer nothing in the channel of the request for a `duration` such as "1h", or again ("off")."""
    lasts = duration_in(duration)
    if lasts is None:
        return FormReply(turn.say("form.wrong_duration", value=_shown(duration)))
    channel = await _channel(turn, access)
    if isinstance(channel, FormReply):
        return channel
    until = turn.asked_at + lasts
    await access.directory.change_channel(channel, replace(channel, quiet_until=until if lasts else None))
    return FormReply(_quiet_until(turn, until) if lasts else turn.say("form.not_quiet"))


async def _channel(turn: FormTurn, access: FormAccess) -> Channel | FormReply:
    """Return the channel of the request, or why it has none that can be switched."""
    if turn.direct:
        return FormReply(turn.say("form.no_channels_here"))
    found = await access.directory.channel(guild_id=turn.message.guild_id, channel_id=turn.message.channel_id)
    return found or FormReply(turn.say("form.no_channel"))


def _quiet_until(turn: FormTurn, until: datetime) -> str:
    return turn.say("form.quiet_until", time=turn.minute(until), zone=turn.time_zone)


def _wrong(request: RequestContext, name: str, value: str, *, text_searches: Sequence[str]) -> FormReply:
    if name == "persona" and (too_long := wrong_persona(request, value)):
        return too_long
    said = {
        "label": guild_settings.setting_label(name, request.language),
        "value": _shown(value),
        "allowed": guild_settings.allowed_values(name, request.language, text_searches),
    }
    if closest := guild_settings.closest_value(name, value, text_searches):
        return FormReply(request.say("form.wrong_value_closest", closest=closest, **said))
    return FormReply(request.say("form.wrong_value", **said))


def _shown(value: str) -> str:
    value = " ".join(value.split())
    return value if len(value) <= _SHOWN_CHARACTERS else value[: _SHOWN_CHARACTERS - 1].rstrip() + "…"


MOST_CHANNELS: Final = 25
"""Channels that are chosen at once, as Discord lets anybody."""

_MOST_NAMED: Final = 10


async def left_out_channels(turn: FormTurn, access: FormAccess) -> Sequence[Channel]:
    """Return the channels in which nothing is kept, without threads: those go by their channels."""
    known = () if turn.direct else await access.directory.channels(turn.message.guild_id)
    return [channel for channel in known if channel.parent_id is None and not channel.hearing]


async def leave_channels_out(turn: FormTurn, access: FormAccess, channel_ids: Collection[int]) -> FormReply:
    """Keep nothing in these channels, and hear those again that were offered as left out and are not among them."""
    if turn.direct:
        return FormReply(turn.say("form.no_channels_here"))
    offered = {channel.channel_id for channel in (await left_out_channels(turn, access))[:MOST_CHANNELS]}
    for channel in await access.directory.channels(turn.message.guild_id):
        hearing = channel.channel_id not in channel_ids
        is_asked_about = channel.channel_id in offered or not hearing
        if channel.parent_id is None and is_asked_about and channel.hearing != hearing:
            await access.directory.change_channel(channel, replace(channel, hearing=hearing))
    return FormReply(_left_out_state(turn, await left_out_channels(turn, access)))


def _left_out_state(turn: FormTurn, channels: Sequence[Channel]) -> str:
    if not channels:
        return turn.say("leaving_out.none_left_out")
    named = ", ".join(f"#{channel.name}" for channel in channels[:_MOST_NAMED])
    more = f" (+{len(channels) - _MOST_NAMED})" if len(channels) > _MOST_NAMED else ""
    return turn.say("leaving_out.left_out", channels=named + more)


async def preview_persona(turn: FormTurn, access: FormAccess, persona: str) -> FormReply:
    """Return how a greeting reads with `persona`, a text or the name of one.

    Without a model that answers it is the sample of a persona that has one, else a sentence that says so.
    """
    request, text = turn.request, chosen_persona(turn.request, persona)
    if wrong := wrong_persona(request, text):
        return wrong
    given = personas.PreviewGiven(bot_name=request.bot_name, persona=text, language=request.language)
    asker = Asker(guild_id=request.guild_id, user_id=request.user_id, patience=Patience.FOREGROUND)
    return FormReply(await personas.heard(given, asker, access.operations))


async def hear_persona(turn: FormTurn, access: FormAccess, name: str) -> FormReply:
    """Preview the persona `name` for a manager, or list all personas."""
    request = turn.request
    if not name.strip():
        lines = (
            f"- {request.say(f'persona_name.{one}')} ({one}): {request.say(f'persona_sample.{one}')}"
            for one in personas.PERSONAS
        )
        return FormReply(request.say("form.personas", personas="\n".join(lines)))
    named = personas.persona_named(name)
    if not named:
        return FormReply(
            request.say("form.unknown_persona", name=_shown(name), names=", ".join(personas.PERSONAS))
        )
    heard = await preview_persona(turn, access, named)
    return FormReply(f"{heard.text}\n{request.say('form.take_persona', name=named)}")
