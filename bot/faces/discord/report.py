"""What `keepsake run` prints at its start, in plain lines for whoever runs it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.faces.discord.audiences import can_read, can_write, is_hidden
from bot.faces.discord.rooms import Room, rooms_of
from bot.faces.discord.sentences import listed
from bot.language.building import NO_MODEL, access_of
from bot.language.chain import ModelName, parse_chain
from bot.settings import Settings

PERMISSIONS: Final = discord.Permissions(
    view_channel=True,
    read_message_history=True,
    send_messages=True,
    send_messages_in_threads=True,
    attach_files=True,
)
"""The least that the bot needs: to hear, to catch up, to answer, and to send the rest of a long answer."""

_MOST_GUILDS: Final = 50
"""Guilds that are told one by one; of further ones only those where something is wrong, and then how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildReport:
    """What the bot cannot do in one guild, by names of channels."""

    name: str
    guild_id: int
    unreadable: Sequence[str] = ()
    unwritable: Sequence[str] = ()
    """Those that it can read, but not answer in."""


def invite_link(application_id: int) -> str:
    """Return the address at which a manager adds the bot to a server."""
    return discord.utils.oauth_url(
        application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands")
    )


def chat_models(settings: Settings) -> list[ModelName]:
    """Return the models that answer, in the order in which they are tried; none without access to any."""
    access = access_of(settings)
    return [model for model in parse_chain(settings.model_chat) if model.provider in access]


def opening_lines(*, version: str, application_id: int, settings: Settings) -> list[str]:
    """Return what is known before the first guild is: the version, how to invite the bot, who answers."""
    models = [str(model) for model in chat_models(settings)]
    answering = f"{models[0]}" if models else NO_MODEL
    if models[1:]:
        answering += f" (then {', '.join(models[1:])})"
    return [
        f"Keepsake {version}",
        f"invite: {invite_link(application_id)}",
        f"model: {answering}",
    ]


def report_of(guild: discord.Guild) -> GuildReport:
    """Return what the bot cannot do in `guild` now."""
    rooms = rooms_of(guild)
    return GuildReport(
        name=guild.name,
        guild_id=guild.id,
        unreadable=_names(room for room in rooms if not can_read(room)),
        unwritable=_names(room for room in rooms if can_read(room) and not _can_answer(room)),
    )


def guild_lines(reports: Sequence[GuildReport]) -> list[str]:
    """Return a line for each guild, those first where something is wrong."""
    if not reports:
        return ["servers: none yet; open the invite link to add the bot to one"]
    ordered = sorted(reports, key=lambda report: not (report.unreadable or report.unwritable))
    faulty = sum(bool(report.unreadable or report.unwritable) for report in reports)
    shown = ordered[: max(_MOST_GUILDS, faulty)]
    lines = [_line(report) for report in shown]
    if len(ordered) > len(shown):
        lines.append(f"and {len(ordered) - len(shown)} more servers, where all is well")
    return lines


def _line(report: GuildReport) -> str:
    told = []
    if report.unreadable:
        told.append(f"cannot read {listed(report.unreadable)}")
    if report.unwritable:
        told.append(f"cannot write in {listed(report.unwritable)}")
    return (
        f"server {report.name} ({report.guild_id}): {'; '.join(told) or 'reads and writes in every channel'}"
    )


def _can_answer(room: Room) -> bool:
    if isinstance(room, discord.ForumChannel):
        return room.permissions_for(room.guild.me).send_messages_in_threads
    return can_write(room)


def _names(rooms: Iterable[Room]) -> tuple[str, ...]:
    """Return the names; of channels whose names Discord hides from the bot, how many there are."""
    every = list(rooms)
    hidden = sum(is_hidden(room) for room in every)
    named = [f"#{room.name}" for room in every if not is_hidden(room)]
    return (*named, f"{hidden} hidden") if hidden else tuple(named)
