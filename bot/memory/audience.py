"""Who may see what: the one function that every read goes through."""

from dataclasses import dataclass

from bot.domain import OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a reply in one place may draw on."""

    guild_id: int
    audiences: tuple[int, ...]
    own_guild_ids: tuple[int, ...] = ()
    """In a direct message: the guilds that the asker shares with the bot; of these only the asker's own
    open facts are seen."""


def view_of(
    *,
    guild_id: int,
    channel_audience: int,
    shared_guild_ids: tuple[int, ...] = (),
    visitor: bool = False,
) -> View:
    """Return what may be seen in a channel of `channel_audience`.

    In an open channel that is what is open; in a closed one also what belongs to it; in a direct message,
    which is a guild of its own, that conversation and `shared_guild_ids`. A `visitor`, who lacks the base role,
    sees no memory at all.
    """
    if visitor:
        return View(guild_id=guild_id, audiences=())
    audiences = (OPEN,) if channel_audience == OPEN else (OPEN, channel_audience)
    return View(guild_id=guild_id, audiences=audiences, own_guild_ids=shared_guild_ids)
