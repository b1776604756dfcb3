"""What the tests of catching up look at: rows as they are kept, and what was told of them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.core.domain import snowflake_at
from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot
from tests.servers.discord.server import DiscordServer


def ago(**span: float) -> datetime:
    """Return the moment that lies so far back: `ago(minutes=5)`."""
    return datetime.now(UTC) - timedelta(**span)


async def column(database: Database, name: str) -> list[Any]:
    """Return a column of all messages that are kept, oldest message first."""
    rows = await database.read(
        lambda connection: connection.fetch(f"SELECT {name} FROM chat_history ORDER BY message_id")
    )
    return [row[0] for row in rows]


async def texts(database: Database) -> list[str]:
    """Return the texts that are kept, those of members only, oldest first."""
    rows = await database.read(
        lambda connection: connection.fetch(
            "SELECT message_text FROM chat_history WHERE kind = 'member' ORDER BY message_id"
        )
    )
    return [row["message_text"] for row in rows]


async def are_kept(database: Database, *expected: str) -> bool:
    """Tell whether these texts of members are kept, in this order, and no others."""
    return await texts(database) == [*expected]


async def contains(database: Database, expected: set[str]) -> bool:
    """Tell whether these texts of members are among those that are kept."""
    return expected <= set(await texts(database))


async def watermark(database: Database, channel_id: int) -> int:
    """Return the watermark of a channel as it is kept."""
    found: int = await database.read(
        lambda connection: connection.fetchval(
            "SELECT watermark FROM channels WHERE channel_id = $1", channel_id
        )
    )
    return found


async def rewind(database: Database, channel_id: int, to: datetime) -> None:
    """Let a channel be one that was heard from long ago until `to`: the loopback Discord only just made it."""
    set_back = "UPDATE channels SET watermark = $2::bigint, beginning = $2::bigint - 1 WHERE channel_id = $1"
    await database.write(lambda connection: connection.execute(set_back, channel_id, snowflake_at(to)))


async def let_claims_run_out(database: Database) -> None:
    """Let a minute pass since whoever was answering died."""
    await database.write(
        lambda connection: connection.execute("UPDATE answers SET leased_until = clock_timestamp()")
    )


def told(bot: RunningBot) -> list[str]:
    """Return the lines that tell what was caught up."""
    return [line for line in bot.lines if "caught up" in line]


def asked(server: DiscordServer, ending: str) -> list[str]:
    """Return the paths of the requests that end so, queries left out."""
    paths = [request.path.partition("?")[0] for request in server.requests]
    return [path for path in paths if path.endswith(ending)]
