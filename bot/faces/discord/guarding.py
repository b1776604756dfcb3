"""Events that the library cannot read: each is logged by its ids, and what it would have told is read back."""

import logging
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import discord

from bot.log import trace

logger = logging.getLogger(__name__)

Parse: TypeAlias = Callable[[Mapping[str, object]], None]

Unread: TypeAlias = Callable[[str, int | None, int | None], None]
"""Told of an event that could not be read, its guild and its channel; without one it is of the guild itself."""

_OF_THE_SESSION: Final = frozenset({"READY", "RESUMED"})
_OF_A_MESSAGE: Final = "MESSAGE_"
_OF_A_GUILD: Final = ("CHANNEL_", "THREAD_", "GUILD_ROLE_")
"""How those events are called from which it follows what there is to hear in a guild."""


def guard(client: discord.Client, parsers: dict[str, Parse], *, unread: Unread) -> None:
    """Let none of the library's `parsers` end the `client`, and `unread` be told of what could not be read.

    Of a member whom it does not know yet it takes up what changed and tells nobody; so that is told here.
    """
    for event, parse in list(parsers.items()):
        if event not in _OF_THE_SESSION:
            parsers[event] = _guarded(event, parse, unread)
    renew = parsers["GUILD_MEMBER_UPDATE"]

    def renew_member(data: Mapping[str, object]) -> None:
        renew(data)
        user = data.get("user")
        if isinstance(user, Mapping):
            client.dispatch("any_member_update", int(str(data["guild_id"])), int(user["id"]))

    parsers["GUILD_MEMBER_UPDATE"] = renew_member


def ids_in(*parts: object) -> str:
    """Return the ids in the arguments of an event, for the log."""
    told = []
    for part in parts:
        for name in ("guild_id", "channel_id", "message_id", "id"):
            value = part.get(name) if isinstance(part, Mapping) else getattr(part, name, None)
            if isinstance(value, int) or (isinstance(value, str) and value.isdigit()):
                told.append(f"{name} {value}")
    return ", ".join(told) or "no ids"


def _guarded(event: str, parse: Parse, unread: Unread) -> Parse:
    def guarded(data: Mapping[str, object]) -> None:
        try:
            parse(data)
        except Exception as error:
            logger.error("the event %s (%s) cannot be read: %s", event, ids_in(data), trace(error))
            if event.startswith(_OF_A_MESSAGE):
                unread(event, _id(data, "guild_id"), _id(data, "channel_id"))
            elif event.startswith(_OF_A_GUILD):
                unread(event, _id(data, "guild_id"), None)

    return guarded


def _id(data: Mapping[str, object], name: str) -> int | None:
    value = data.get(name) if isinstance(data, Mapping) else None
    return int(value) if isinstance(value, str) and value.isdigit() else None
