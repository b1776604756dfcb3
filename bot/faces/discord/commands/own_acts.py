"""Commands about one's own memory as short texts, which fit into the ids of buttons and lists."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self, cast

import discord

from bot.conversation.desk import Visit
from bot.conversation.desk.own import OwnDesk
from bot.conversation.own_commands import ChooseCategory
from bot.conversation.own_rights.own_answer import OwnAnswer
from bot.conversation.own_rights.places import EVERYWHERE

Kind = Literal["off", "on", "private", "public", "categories", "export", "erase"]

PATTERN: Final = (
    r"(?P<act>off|on|private|public|categories|export|erase)(?::(?P<choice>[a-z]+:[01]:[0-9]{0,5}))?"
)
"""Of an act as text."""

_MOST_NAMED: Final = 2
"""Guilds that a button carries; more are all of them."""


@dataclass(frozen=True, slots=True)
class Act:
    """What a member wants of the memory of themselves."""

    kind: Kind
    choice: ChooseCategory | None = None

    @property
    def text(self) -> str:
        """The act as text."""
        if self.choice is None:
            return self.kind
        days = "" if self.choice.days is None else self.choice.days
        return f"{self.kind}:{self.choice.category}:{int(self.choice.kept)}:{days}"

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Return the act that `PATTERN` matched."""
        kind = cast("Kind", match["act"])
        if match["choice"] is None:
            return cls(kind)
        category, kept, days = match["choice"].split(":")
        return cls(kind, ChooseCategory(category, kept == "1", int(days) if days else None))

    async def carry_out(
        self, desk: OwnDesk, visit: Visit, interaction: discord.Interaction, within: Sequence[int] = ()
    ) -> OwnAnswer:
        """Do it at the desk; of erasing only say what would go."""
        match self.kind:
            case "off":
                return await desk.off(visit, within)
            case "on":
                return await desk.on(visit, within)
            case "private" | "public":
                return await desk.be_private(visit, private=self.kind == "private", within=within)
            case "categories":
                return await desk.categories(visit, [self.choice] if self.choice else [], within)
            case "export":
                return await desk.export(visit, most_bytes=interaction.filesize_limit, within=within)
            case "erase":
                return await desk.erasable(visit, within)


def as_text(within: Sequence[int]) -> str:
    """Return guilds as a text for the id of a button; many are all."""
    if len(within) > _MOST_NAMED:
        return str(EVERYWHERE)
    return ".".join(map(str, within))


def from_text(text: str) -> tuple[int, ...]:
    """Return the guilds that `as_text` wrote."""
    return tuple(int(guild_id) for guild_id in text.split(".") if guild_id)
