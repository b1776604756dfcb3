"""Where a command about the asker's own memory holds: in the guild where it is given, else in those that are shared."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.conversation.own_rights.own_answer import OwnAnswer, PlaceToChoose
from bot.conversation.own_rights.own_texts import OwnText
from bot.conversation.texts import say
from bot.conversation.turn import Doors, Turn
from bot.domain import OPEN

EVERYWHERE: Final = 0
"""In the place of a guild: all that asker and bot share, and their direct messages."""

_MOST_CHOICES: Final = 24
"""Guilds to choose from, beside all of them; Discord shows 25 lines of a list."""

Fits: TypeAlias = Callable[[int], Awaitable[bool]]
"""Tells whether a command would change anything in a guild."""


@dataclass(frozen=True, slots=True)
class Places:
    """The guilds in which a command holds, or those between which is to be chosen first."""

    guild_ids: tuple[int, ...]
    choices: tuple[PlaceToChoose, ...] = ()


def is_direct(turn: Turn) -> bool:
    """Tell whether `turn` is in a direct message."""
    return bool(turn.view.own_guild_ids) or (turn.guild is not None and turn.guild.direct)


async def places_of(turn: Turn, doors: Doors, *, fits: Fits | None = None) -> Places:
    """Return where a command of `turn` holds; a direct message itself is of it where no single guild was chosen."""
    here = turn.message.guild_id
    if not is_direct(turn):
        return Places((here,))
    shared = turn.view.own_guild_ids
    if EVERYWHERE in turn.within:
        return Places((*shared, here))
    if settled := tuple(guild_id for guild_id in turn.within if guild_id in {*shared, here}):
        return Places(settled)
    fitting = [guild_id for guild_id in shared if fits is None or await fits(guild_id)]
    if len(fitting) < 2:
        return Places((*(fitting or shared), here))
    named = [
        PlaceToChoose(guild_id, await _name(guild_id, turn, doors)) for guild_id in fitting[:_MOST_CHOICES]
    ]
    return Places((), (*named, PlaceToChoose(EVERYWHERE, say(OwnText.ALL_PLACES, turn.language))))


def which_place(turn: Turn, choices: tuple[PlaceToChoose, ...]) -> OwnAnswer:
    """Return the question on which server something is meant."""
    return OwnAnswer(text=say(OwnText.WHICH_PLACE, turn.language), places=choices)


async def told_where(guild_ids: Sequence[int], turn: Turn, doors: Doors) -> str:
    """Return how these guilds are named in a sentence: "on this server"."""
    here = turn.message.guild_id
    others = [guild_id for guild_id in guild_ids if guild_id != here]
    if not is_direct(turn):
        return say(OwnText.HERE, turn.language)
    if not others:
        return say(OwnText.IN_PRIVATE, turn.language)
    if len(others) > 1:
        return say(OwnText.EVERYWHERE, turn.language)
    text = OwnText.ON_SERVER_AND_HERE if here in guild_ids else OwnText.ON_SERVER
    return say(text, turn.language, name=await _name(others[0], turn, doors))


async def audiences_in(guild_id: int, turn: Turn) -> Sequence[int] | None:
    """Return the audiences of a guild that the asker can read; `None` is all of them, as in their direct messages."""
    is_here = guild_id == turn.message.guild_id
    if is_here and is_direct(turn):
        return None
    seen = {*turn.view.audiences, *({turn.message.audience} - {OPEN})} if is_here else {OPEN}
    if turn.reads is None:
        return sorted(seen)
    return sorted({*await turn.reads(guild_id), *(seen if is_here else ())})


async def _name(guild_id: int, turn: Turn, doors: Doors) -> str:
    guild = await doors.directory.guild(guild_id)
    return guild.name if guild is not None and guild.name else say(OwnText.NAMELESS, turn.language)
