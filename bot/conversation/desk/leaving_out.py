"""Which channels a manager leaves out, chosen all at once: nothing that is said in them is kept."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from bot.conversation.desk.texts import DeskText
from bot.conversation.desk.visit import Said, Visit
from bot.conversation.texts import Catalogue, say
from bot.domain import Channel
from bot.memory.directory import Directory

MOST_CHANNELS: Final = 25
"""Channels that are chosen at once, as Discord lets anybody."""

_MOST_NAMED: Final = 10


class LeavingOutText(Catalogue):
    """What is said of it: English first, then Russian."""

    LEFT_OUT = (
        "Left out: {channels}. Nothing that is said there is kept; what was kept before stays until it is forgotten.",
        "Не сохраняется сказанное здесь: {channels}. Прежнее остаётся, пока его не попросят забыть.",
    )
    NONE_LEFT_OUT = (
        "No channel is left out: what is said in every one that I can read is kept.",
        "Исключённых каналов нет: сохраняется сказанное во всех, которые мне видны.",
    )


async def left_out(visit: Visit, directory: Directory) -> Sequence[Channel]:
    """Return the channels that are left out now, without threads: those go by their channels. None to nobody else."""
    if visit.direct or not visit.from_manager:
        return ()
    known = await directory.channels(visit.guild_id)
    return [channel for channel in known if channel.parent_id is None and not channel.hearing]


async def leave_out(visit: Visit, channel_ids: Collection[int], directory: Directory) -> Said:
    """Leave these channels out, and hear those again that were offered as left out and are not among them."""
    if not visit.from_manager:
        return Said(say(DeskText.FOR_MANAGERS, visit.language))
    if visit.direct:
        return Said(say(DeskText.NO_CHANNELS_HERE, visit.language))
    offered = {channel.channel_id for channel in (await left_out(visit, directory))[:MOST_CHANNELS]}
    for channel in await directory.channels(visit.guild_id):
        hearing = channel.channel_id not in channel_ids
        is_asked_about = channel.channel_id in offered or not hearing
        if channel.parent_id is None and is_asked_about and channel.hearing != hearing:
            await directory.change_channel(channel, replace(channel, hearing=hearing))
    return Said(_how_it_stands(visit, await left_out(visit, directory)))


def _how_it_stands(visit: Visit, channels: Sequence[Channel]) -> str:
    if not channels:
        return say(LeavingOutText.NONE_LEFT_OUT, visit.language)
    named = ", ".join(f"#{channel.name}" for channel in channels[:_MOST_NAMED])
    more = f" (+{len(channels) - _MOST_NAMED})" if len(channels) > _MOST_NAMED else ""
    return say(LeavingOutText.LEFT_OUT, visit.language, channels=named + more)
