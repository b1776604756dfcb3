"""Episodes that tests put there without any conversation."""

from datetime import UTC, datetime, timedelta

from bot.db.pool import Database
from bot.memory.summaries import repository_episodes
from bot.memory.summaries.repository_episodes import NewEpisode

BEGINNING = datetime(2026, 3, 1, 9, tzinfo=UTC)


async def keep(
    database: Database,
    content: str,
    *,
    guild_id: int,
    channel_id: int,
    number: int = 1,
    audience: int = 0,
    beginning: datetime = BEGINNING,
) -> int:
    """Store an episode of a conversation that ended `number` days after the beginning, and return its id."""
    new = NewEpisode(
        guild_id=guild_id,
        channel_id=channel_id,
        audience=audience,
        content=content,
        importance=3,
        tags=(),
        first_message_id=number * 100,
        last_message_id=number * 100 + 10,
        memory_epoch=0,
        created_at=beginning + timedelta(days=number),
    )
    episode_id = await database.write(repository_episodes.add_episode, new, now=beginning)
    assert episode_id is not None
    return episode_id
