"""What conversations left behind in a channel: shown to its moderators, and removed by them."""

from dataclasses import dataclass
from datetime import datetime

from bot.conversation.desk.form_turn import FormTurn
from bot.conversation.desk.texts import DeskText
from bot.conversation.desk.visit import Said, Visit
from bot.conversation.tact import tact_of
from bot.conversation.texts import say
from bot.conversation.turn import Doors


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeLine:
    """One episode as it is shown."""

    episode_id: int
    text: str
    """What it says, with names put in."""
    created_at: datetime
    day: str
    """The day of its conversation in the guild's time zone."""


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """The episodes of a channel, newest first; without lines the title says that there are none."""

    title: str
    lines: tuple[EpisodeLine, ...] = ()


def refused(visit: Visit) -> Said | None:
    """Return the sentence for whom the episodes are not; `None` for a moderator, and in a direct message."""
    if visit.visitor:
        return Said(say(DeskText.FOR_MEMBERS, visit.language))
    if visit.from_moderator or visit.from_manager or visit.direct:
        return None
    return Said(say(DeskText.EPISODES_FOR_MODERATORS, visit.language))


async def listed(turn: FormTurn, doors: Doors) -> LeftBehind:
    """Return the episodes of the channel of `turn`, as far as they may be seen there."""
    found = await doors.memory.episodes.of_channel(
        guild_id=turn.message.guild_id, channel_id=turn.message.channel_id, audiences=turn.view.audiences
    )
    told = (await tact_of(turn, doors)).episodes(found)
    title = DeskText.EPISODES if told else DeskText.NO_EPISODES
    return LeftBehind(
        say(title, turn.language),
        tuple(
            EpisodeLine(
                episode_id=episode.episode_id,
                text=turn.rendered(episode.content),
                created_at=episode.created_at,
                day=turn.day(episode.created_at),
            )
            for episode in told
        ),
    )


async def remove(turn: FormTurn, episode_id: int, doors: Doors) -> Said:
    """Remove an episode of the channel of `turn`, and say whether one went."""
    removed = await doors.memory.episodes.remove(
        guild_id=turn.message.guild_id,
        channel_id=turn.message.channel_id,
        episode_id=episode_id,
        audiences=turn.view.audiences,
    )
    return Said(say(DeskText.EPISODE_REMOVED if removed else DeskText.EPISODE_GONE, turn.language))
