"""`keepsake episodes`: listing what conversations left behind, and removing it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.conversation.names.mentions import rendered
from bot.domain import Episode
from bot.errors import InvalidInputError
from bot.memory.directory import Directory
from bot.memory.episodes import KeptEpisodes

Print = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which episodes are meant; `None` leaves it open."""

    guild_id: int | None = None
    channel_id: int | None = None
    episode_id: int | None = None


async def list_episodes(kept: KeptEpisodes, directory: Directory, chosen: Chosen, *, show: Print) -> int:
    """Show the chosen episodes by guild and channel, newest first, and return the exit status."""
    found = await _found(kept, chosen)
    for (guild_id, channel_id), episodes in groupby(found, lambda one: (one.guild_id, one.channel_id)):
        show(await _heading(directory, guild_id, channel_id))
        names = {member.user_id: member.name for member in await directory.members(guild_id)}
        for episode in episodes:
            show(_line(episode, rendered(episode.content, names)))
    show(f"{_counted(len(found))} found.")
    return 0


async def purge_episodes(kept: KeptEpisodes, chosen: Chosen, *, show: Print) -> int:
    """Remove one episode, or all of a channel, say how many went, and return the exit status.

    Raises `InvalidInputError` if it is not said which, or nothing of the kind is kept.
    """
    if (chosen.episode_id is None) == (chosen.channel_id is None):
        raise InvalidInputError(
            "it must be said what is to be removed: one episode by its id, as in 'keepsake episodes purge 17', or all"
            " of a channel, as in 'keepsake episodes purge --channel 1200000000000000001'"
        )
    found = await _found(kept, chosen)
    if not found:
        what = (
            f"episode {chosen.episode_id}" if chosen.episode_id else f"episode of channel {chosen.channel_id}"
        )
        raise InvalidInputError(f"no {what} is kept; 'keepsake episodes list' shows those that are")
    removed = 0
    for guild_id, channel_id in dict.fromkeys((one.guild_id, one.channel_id) for one in found):
        removed += await kept.purge(guild_id=guild_id, channel_id=channel_id, episode_id=chosen.episode_id)
    show(f"{_counted(removed)} removed.")
    return 0


async def _found(kept: KeptEpisodes, chosen: Chosen) -> Sequence[Episode]:
    return await kept.everywhere(
        guild_id=chosen.guild_id, channel_id=chosen.channel_id, episode_id=chosen.episode_id
    )


async def _heading(directory: Directory, guild_id: int, channel_id: int) -> str:
    place = await directory.place(guild_id=guild_id, channel_id=channel_id)
    guild = place.guild.name if place.guild is not None and place.guild.name else "unnamed"
    channel = f"#{place.channel.name}" if place.channel is not None and place.channel.name else "unnamed"
    return f"guild {guild_id} ({guild}), channel {channel_id} ({channel}):"


def _line(episode: Episode, text: str) -> str:
    return f"  {episode.episode_id}  {episode.created_at:%Y-%m-%d}  importance {episode.importance}  {text}"


def _counted(count: int) -> str:
    return "1 episode was" if count == 1 else f"{count} episodes were"
