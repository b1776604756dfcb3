"""What operators look at, page by page: guilds, channels and members with how much is kept of them, and as far as
a scope reaches the facts, episodes and messages themselves.
"""

from collections.abc import Sequence
from typing import Final

from bot.core.domain import Episode
from bot.db.pool import Connection
from bot.db.rows import columns_of, row_as, rows_as
from bot.memory.facts.repository import FACT_COLUMNS
from bot.memory.policy.permissions import OperatorScope, ReadScope
from bot.memory.policy.repository import said_by_present, tells_of_present
from bot.memory.rights.inspecting.records import (
    ChannelMessage,
    GuildSize,
    KeptFact,
    ListedChannel,
    ListedGuild,
    ListedMember,
)


async def guilds_after(connection: Connection, *, after_id: int, limit: int) -> list[ListedGuild]:
    """Return the guilds with larger ids than `after_id`, by id."""
    rows = await connection.fetch(
        f"SELECT {columns_of(ListedGuild)} FROM guilds WHERE guild_id > $1 ORDER BY guild_id LIMIT $2",
        after_id, limit,
    )  # fmt: skip
    return rows_as(ListedGuild, rows)


async def listed_guild(connection: Connection, *, guild_id: int) -> ListedGuild | None:
    """Return a guild, or `None` if it is not known."""
    row = await connection.fetchrow(
        f"SELECT {columns_of(ListedGuild)} FROM guilds WHERE guild_id = $1", guild_id
    )
    return row_as(ListedGuild, row)


async def size_of_guild(connection: Connection, *, guild_id: int) -> GuildSize:
    """Return how much is kept of a guild."""
    row = await connection.fetchrow(
        """
        SELECT (SELECT count(*) FROM channels WHERE guild_id = $1 AND deleted_at IS NULL) AS channels,
               (SELECT count(*) FROM members WHERE guild_id = $1 AND left_at IS NULL) AS members,
               (SELECT coalesce(sum(messages), 0)::bigint FROM message_counts WHERE guild_id = $1) AS messages,
               (SELECT count(*) FROM facts WHERE guild_id = $1 AND status = 'active') AS facts,
               (SELECT count(*) FROM episodes WHERE guild_id = $1) AS episodes
        """,
        guild_id,
    )
    if row is None:
        raise AssertionError("a SELECT without FROM gave no row")
    return row_as(GuildSize, row)


_LISTED_CHANNEL: Final = columns_of(
    ListedChannel,
    "c",
    messages="""(SELECT coalesce(sum(n.messages), 0)::bigint FROM message_counts n
        WHERE n.guild_id = $1 AND n.channel_id = c.channel_id)""",
    episodes="""(SELECT count(*) FROM episodes e
        WHERE e.guild_id = $1 AND e.channel_id = c.channel_id)""",
)


async def channels_after(
    connection: Connection, *, guild_id: int, after_id: int, limit: int
) -> list[ListedChannel]:
    """Return the channels and threads of a guild with larger ids than `after_id`, by id, deleted ones too."""
    rows = await connection.fetch(
        f"""
        SELECT {_LISTED_CHANNEL} FROM channels c
        WHERE guild_id = $1 AND channel_id > $2 ORDER BY channel_id LIMIT $3
        """,
        guild_id, after_id, limit,
    )  # fmt: skip
    return rows_as(ListedChannel, rows)


async def channel_ids(connection: Connection, *, guild_id: int) -> list[int]:
    """Return the ids of all channels of a guild, deleted ones too: each may be an audience."""
    rows = await connection.fetch("SELECT channel_id FROM channels WHERE guild_id = $1", guild_id)
    return [row["channel_id"] for row in rows]


async def closed_audiences(connection: Connection, *, guild_id: int, channel_ids: Sequence[int]) -> list[int]:
    """Return the audiences that what was said in these channels may have."""
    rows = await connection.fetch(
        """
        SELECT unnest(ARRAY[channel_id, audience]) AS audience FROM channels
        WHERE guild_id = $1 AND channel_id = ANY($2::bigint[])
        """,
        guild_id, list(channel_ids),
    )  # fmt: skip
    return [row["audience"] for row in rows]


_LISTED_MEMBER: Final = columns_of(ListedMember, "m", opted_out="keeps_nothing(m.guild_id, m.user_id)")


async def members_after(
    connection: Connection, *, guild_id: int, name: str, after_id: int, limit: int
) -> list[ListedMember]:
    """Return the members with larger ids than `after_id` with `name`, in any case, in one of their names, by id."""
    rows = await connection.fetch(
        f"""
        SELECT {_LISTED_MEMBER} FROM members m
        WHERE guild_id = $1 AND user_id > $3 AND strpos(
            lower(concat_ws(chr(10), user_name, display_name, nickname, array_to_string(old_names, chr(10)))),
            lower($2)
        ) > 0
        ORDER BY user_id LIMIT $4
        """,
        guild_id, name, after_id, limit,
    )  # fmt: skip
    return rows_as(ListedMember, rows)


async def listed_member(connection: Connection, *, guild_id: int, user_id: int) -> ListedMember | None:
    """Return a member, or `None` if they are not known."""
    row = await connection.fetchrow(
        f"SELECT {_LISTED_MEMBER} FROM members m WHERE guild_id = $1 AND user_id = $2", guild_id, user_id
    )
    return row_as(ListedMember, row)


async def names_borne_by(connection: Connection, *, guild_id: int, user_ids: Sequence[int]) -> list[str]:
    """Return all names that these members of a guild bear now."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT name FROM members CROSS JOIN LATERAL unnest(ARRAY[user_name, display_name, nickname]) AS name
        WHERE guild_id = $1 AND user_id = ANY($2::bigint[]) AND name <> ''
        """,
        guild_id, list(user_ids),
    )  # fmt: skip
    return [row["name"] for row in rows]


_PRESENT_SUBJECT: Final = tells_of_present("subject_id", "content")

_NAMES: Final = """EXISTS (
        SELECT FROM fact_about a
        WHERE a.guild_id = $1 AND a.fact_id = facts.fact_id AND a.role = 'named' AND a.user_id = ANY({ids}::bigint[])
    )"""


async def facts_after(
    connection: Connection, scope: OperatorScope, *, subject_id: int, after_id: int, limit: int
) -> list[KeptFact]:
    """Return the facts about a subject with larger ids than `after_id`, by id, also what held once.

    What is forgotten, what is about members of whom nothing is kept, and what names private ones, is left out.
    """
    rows = await connection.fetch(
        f"""
        SELECT {FACT_COLUMNS}, superseded_by, updated_at FROM facts
        WHERE guild_id = $1 AND subject_id = $2 AND audience = ANY($3::bigint[]) AND status <> 'forgotten'
          AND content <> '' AND {_PRESENT_SUBJECT} AND NOT {_NAMES.format(ids="$6")} AND fact_id > $4
        ORDER BY fact_id LIMIT $5
        """,
        scope.guild_id, subject_id, scope.audiences, after_id, limit, scope.private_ids,
    )  # fmt: skip
    return rows_as(KeptFact, rows)


async def count_hidden_facts(connection: Connection, scope: OperatorScope, *, subject_id: int) -> int:
    """Return how many facts about a subject `facts_after` does not give, since `scope` does not reach them."""
    count: int = await connection.fetchval(
        f"""
        SELECT count(*) FROM facts
        WHERE guild_id = $1 AND subject_id = $2 AND status <> 'forgotten'
          AND (NOT audience = ANY($3::bigint[]) OR {_NAMES.format(ids="$4")})
        """,
        scope.guild_id, subject_id, scope.audiences, scope.private_ids,
    )  # fmt: skip
    return count


async def episodes_before(
    connection: Connection, scope: ReadScope, *, channel_id: int, before_id: int, limit: int
) -> list[Episode]:
    """Return the episodes of a channel with smaller ids than `before_id`, the newest first."""
    rows = await connection.fetch(
        f"""
        SELECT {columns_of(Episode)} FROM episodes
        WHERE guild_id = $1 AND channel_id = $2 AND audience = ANY($3::bigint[]) AND episode_id < $4
        ORDER BY episode_id DESC LIMIT $5
        """,
        scope.guild_id, channel_id, scope.audiences, before_id, limit,
    )  # fmt: skip
    return rows_as(Episode, rows)


async def count_hidden_episodes(connection: Connection, scope: ReadScope, *, channel_id: int) -> int:
    """Return how many episodes of a channel `scope` does not reach."""
    count: int = await connection.fetchval(
        """
        SELECT count(*) FROM episodes
        WHERE guild_id = $1 AND channel_id = $2 AND NOT audience = ANY($3::bigint[])
        """,
        scope.guild_id, channel_id, scope.audiences,
    )  # fmt: skip
    return count


_WORDS: Final = "concat_ws(' ', h.message_text, array_to_string(h.attachments, ' '))"


async def messages_after(
    connection: Connection, scope: ReadScope, *, channel_id: int, after_id: int, limit: int
) -> list[ChannelMessage]:
    """Return the messages of a channel with larger ids than `after_id`, by id, without those that lost their text.

    What members said of whom nothing is kept, and what names one, is left out.
    """
    rows = await connection.fetch(
        f"""
        SELECT {columns_of(ChannelMessage, "h")} FROM chat_history h
        WHERE guild_id = $1 AND channel_id = $2 AND audience = ANY($3::bigint[]) AND withheld IS NULL
          AND {said_by_present("h")} AND {tells_of_present("h.user_id", _WORDS)} AND message_id > $4
        ORDER BY message_id LIMIT $5
        """,
        scope.guild_id, channel_id, scope.audiences, after_id, limit,
    )  # fmt: skip
    return rows_as(ChannelMessage, rows)
