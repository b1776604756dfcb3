"""SQL of members: the names that recognise them, and whether they are there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.domain import Member
from bot.db.pool import Connection
from bot.db.rows import columns_of, records_of, rows_as
from bot.memory.members.name_index import Probes, keys_of
from bot.memory.members.names import names_borne, spelling_of
from bot.memory.policy.repository import of_present

BIND_JOB: Final = "bind"
"""The kind of background work that gives members what was kept of their names while these were nobody's.

Its key is `BIND_MEMBER` or `BIND_FACT` with an id behind it.
"""

BIND_MEMBER: Final = "member:"
BIND_FACT: Final = "fact:"

ASK_TO_BIND: Final = """
    INSERT INTO work AS known (guild_id, kind, work_key, due_at)
    SELECT {guild}, {kind}, {key}, clock_timestamp() FROM {wanted} ORDER BY {guild}, {key}
    ON CONFLICT (guild_id, kind, work_key) DO UPDATE SET
        wanted = known.wanted + 1, attempts = 0, due_at = excluded.due_at
"""
"""Part of a statement that asks for this work."""


@dataclass(frozen=True, slots=True, order=True)
class NewBearer:
    """A member whose name something was kept of before it was theirs."""

    guild_id: int
    user_id: int


async def put_members(
    connection: Connection, members: Sequence[Member], *, are_here: bool = True
) -> list[NewBearer]:
    """Take up `members`, no two of one guild and id, or renew their names; who had left is there again.

    Returns those who have a name now of which something is kept as nobody's: its binding is asked for.

    Unless it is not known whether they `are_here`: then who had left stays so. A name given up is kept as an old
    one, to recognise. Of who was erased and wants nothing kept no name is.
    """
    spellings = [sorted({*map(spelling_of, names_borne(one))} - {""}) for one in members]
    keys = [keys_of(one) for one in members]
    asked = ASK_TO_BIND.format(guild="guild_id", kind="$3::text", key="$4::text || user_id", wanted="bearer")
    rows = await connection.fetch(
        f"""
        WITH put AS (
        INSERT INTO members AS known (guild_id, user_id, user_name, display_name, nickname, is_bot, name_keys)
        SELECT guild_id, user_id, user_name, display_name, nickname, is_bot, name_keys
        FROM jsonb_populate_recordset(NULL::members, $1::jsonb) AS i
        WHERE NOT EXISTS (SELECT FROM erased e WHERE e.guild_id = i.guild_id AND e.opted_out) OR NOT EXISTS (
            SELECT FROM erased e
            WHERE e.guild_id = i.guild_id AND e.user_hash = user_hash(i.guild_id, i.user_id) AND e.opted_out
        )
        ORDER BY guild_id, user_id
        ON CONFLICT (guild_id, user_id) DO UPDATE SET
            user_name = excluded.user_name, display_name = excluded.display_name,
            nickname = excluded.nickname, is_bot = excluded.is_bot, left_at = CASE WHEN NOT $2 THEN known.left_at END,
            old_names = ARRAY(
                SELECT DISTINCT name
                FROM unnest(known.old_names || ARRAY[known.user_name, known.display_name, known.nickname]) AS name
                WHERE name NOT IN ('', excluded.user_name, excluded.display_name, excluded.nickname)
                ORDER BY name
            ),
            -- Those of a name given up stay; without any the member waits to be indexed as a whole.
            name_keys = CASE WHEN known.name_keys IS NOT NULL THEN ARRAY(
                SELECT DISTINCT key FROM unnest(known.name_keys || excluded.name_keys) AS key ORDER BY key
            ) END
        WHERE (known.user_name, known.display_name, known.nickname, known.is_bot, CASE WHEN $2 THEN known.left_at END)
            IS DISTINCT FROM
              (excluded.user_name, excluded.display_name, excluded.nickname, excluded.is_bot, NULL)
        RETURNING guild_id, user_id
        ), bearer AS (
            SELECT guild_id, user_id FROM put JOIN jsonb_to_recordset($1::jsonb) AS given (
                guild_id bigint, user_id bigint, spellings text[]
            ) USING (guild_id, user_id)
            WHERE EXISTS (
                SELECT FROM fact_about a
                WHERE a.guild_id = given.guild_id AND a.name = ANY(given.spellings) AND a.name <> ''
            )
        ), asked AS ({asked})
        SELECT guild_id, user_id FROM bearer
        """,
        records_of(members, spellings=spellings, name_keys=keys), are_here, BIND_JOB, BIND_MEMBER,
    )  # fmt: skip
    return rows_as(NewBearer, rows)


async def members_left(
    connection: Connection, *, guild_id: int, user_ids: Sequence[int], at: datetime
) -> None:
    """Note that members left a guild; what is known about them stays until their grace is over."""
    await connection.execute(
        "UPDATE members SET left_at = $3 WHERE guild_id = $1 AND user_id = ANY($2::bigint[]) AND left_at IS NULL",
        guild_id, list(user_ids), at,
    )  # fmt: skip


async def presences(
    connection: Connection, *, guild_id: int, after_id: int, limit: int, since: datetime
) -> dict[int, bool]:
    """Return the next members of a guild by their ids, and whether each is noted as here.

    Left out are bots, and those whose last message is from before `since`, when the bot was not there yet: an import or
    a reading of the past knows who wrote it, and whether they were members then is nothing that they left.
    """
    rows = await connection.fetch(
        """
        SELECT user_id, left_at IS NULL AS is_here FROM members m
        WHERE guild_id = $1 AND user_id > $2 AND NOT is_bot AND coalesce((
            SELECT h.timestamp >= $4 FROM chat_history h
            WHERE h.guild_id = $1 AND h.user_id = m.user_id ORDER BY h.timestamp DESC LIMIT 1
        ), true)
        ORDER BY user_id LIMIT $3
        """,
        guild_id, after_id, limit, since,
    )  # fmt: skip
    return {row["user_id"]: row["is_here"] for row in rows}


async def members_of(connection: Connection, *, guild_id: int, audiences: Sequence[int]) -> list[Member]:
    """Return everyone known in a guild, with names given up and those that facts of these audiences give.

    Without audiences, facts are not looked at.
    """
    if not audiences:
        rows = await connection.fetch(
            f"""
            SELECT {columns_of(Member, aliases="'{}'::text[]")} FROM members
            WHERE guild_id = $1 ORDER BY user_id
            """,
            guild_id,
        )
        return rows_as(Member, rows)
    rows = await connection.fetch(
        f"""
        SELECT {columns_of(Member, "m", aliases="coalesce(told.names, '{}')")}
        FROM members m LEFT JOIN (
            SELECT subject_id AS user_id, array_agg(DISTINCT value) AS names FROM facts
            WHERE guild_id = $1 AND audience = ANY($2::bigint[]) AND status = 'active'
              AND (key = 'name' OR key LIKE 'alias:%') AND {of_present("subject_id")}
            GROUP BY subject_id
        ) told USING (user_id)
        WHERE m.guild_id = $1 ORDER BY m.user_id
        """,
        guild_id, list(audiences),
    )  # fmt: skip
    return rows_as(Member, rows)


_ALIASES_READ: Final = 1_000

_TOLD_ALIASES: Final = f"""
    SELECT subject_id AS user_id, value FROM facts
    WHERE guild_id = $1 AND audience = ANY($2::bigint[]) AND status = 'active'
      AND (key = 'name' OR key LIKE 'alias:%') AND {of_present("subject_id")}
    ORDER BY fact_id DESC LIMIT {_ALIASES_READ}
"""
"""The names that facts of some audiences give members, so many of the newest: they are read for every message."""


_NO_ALIASES: Final = "SELECT $1::bigint AS user_id, NULL::text AS value WHERE cardinality($2::bigint[]) > 0"
"""So nobody waits for facts who does without them."""


async def members_met(
    connection: Connection,
    *,
    guild_id: int,
    audiences: Sequence[int],
    probes: Probes,
    user_ids: Sequence[int],
    own_guild_ids: Sequence[int] = (),
    first: int = 0,
    with_aliases: bool = False,
) -> list[Member]:
    """Return the members of a guild whose names have a key among `probes`, and those with these ids.

    They come with names given up and those that facts of these audiences give; those with these ids in
    `own_guild_ids` come too. With `first` so many others with the lowest ids are added, and `with_aliases` all to
    whom facts give a name. However many members a guild has, no more are read than that.
    """
    # Who is met is looked up one by one, so that no plan ever reads a large guild as a whole.
    rows = await connection.fetch(
        f"""
        WITH told AS MATERIALIZED ({_TOLD_ALIASES if audiences else _NO_ALIASES}), met AS (
            SELECT unnest($3::bigint[]) AS user_id
            UNION
            SELECT named.user_id FROM unnest($4::bigint[], $5::integer[]) AS probe (name_key, most) CROSS JOIN LATERAL (
                SELECT n.user_id FROM member_names n
                WHERE n.guild_id = $1 AND n.name_key = probe.name_key ORDER BY n.user_id LIMIT probe.most
            ) AS named
            UNION
            SELECT user_id FROM told WHERE $8
            UNION
            (SELECT user_id FROM members
             WHERE guild_id = $1 AND name_keys IS NULL AND cardinality($4::bigint[]) > 0 ORDER BY user_id LIMIT 1000)
            UNION
            (SELECT user_id FROM members WHERE guild_id = $1 ORDER BY user_id LIMIT $6)
        )
        SELECT {columns_of(Member, "m", aliases="coalesce(called.names, '{}')")}
        FROM met CROSS JOIN LATERAL (
            SELECT * FROM members WHERE guild_id = $1 AND user_id = met.user_id OFFSET 0
        ) AS m LEFT JOIN (
            SELECT user_id, array_agg(DISTINCT value) AS names FROM told GROUP BY user_id
        ) AS called ON called.user_id = m.user_id
        UNION ALL
        SELECT {columns_of(Member, "m", aliases="'{}'::text[]")} FROM members m
        WHERE guild_id = ANY($7::bigint[]) AND user_id = ANY($3::bigint[])
        ORDER BY guild_id, user_id
        """,
        guild_id, list(audiences), list(user_ids), list(probes), list(probes.values()), first,
        list(own_guild_ids), with_aliases,
    )  # fmt: skip
    return rows_as(Member, rows)


async def names_of(connection: Connection, *, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
    """Return what these members are called in a guild."""
    rows = await connection.fetch(
        """
        SELECT user_id, coalesce(nullif(nickname, ''), nullif(display_name, ''), user_name) AS name FROM members
        WHERE guild_id = $1 AND user_id = ANY($2::bigint[])
        """,
        guild_id, list(user_ids),
    )  # fmt: skip
    return {row["user_id"]: row["name"] for row in rows}


async def index_names(connection: Connection, *, guild_id: int, limit: int) -> int:
    """Write the keys of the names of at most `limit` members who have none yet, and return how many they were."""
    rows = await connection.fetch(
        f"""
        SELECT {columns_of(Member, aliases="'{}'::text[]")} FROM members
        WHERE guild_id = $1 AND name_keys IS NULL ORDER BY user_id LIMIT $2 FOR UPDATE
        """,
        guild_id, limit,
    )  # fmt: skip
    found = rows_as(Member, rows)
    await connection.execute(
        """
        UPDATE members m SET name_keys = i.name_keys
        FROM jsonb_to_recordset($2::jsonb) AS i (user_id bigint, name_keys bigint[])
        WHERE m.guild_id = $1 AND m.user_id = i.user_id
        """,
        guild_id, records_of(found, name_keys=[keys_of(one) for one in found]),
    )  # fmt: skip
    return len(found)


async def private_ids(connection: Connection, *, guild_id: int) -> list[int]:
    """Return the members of a guild about whom others may be told nothing."""
    rows = await connection.fetch(
        "SELECT user_id FROM members WHERE guild_id = $1 AND private ORDER BY user_id", guild_id
    )
    return [row["user_id"] for row in rows]


async def private_members(connection: Connection, *, guild_id: int) -> dict[int, list[str]]:
    """Return the members of a guild about whom others may be told nothing, and their names."""
    rows = await connection.fetch(f"{_PRIVATE} ORDER BY user_id", guild_id)
    return {row["user_id"]: row["names"] for row in rows}


async def private_members_and_channel_names(
    connection: Connection, *, guild_id: int
) -> tuple[dict[int, list[str]], dict[int, str]]:
    """Return the members of a guild about whom others may be told nothing, and the names of its channels by id."""
    rows = await connection.fetch(
        f"""
        SELECT *, NULL::bigint AS channel_id, NULL AS channel_name FROM ({_PRIVATE}) AS of_members
        UNION ALL
        SELECT NULL, NULL, channel_id, name FROM channels WHERE guild_id = $1 AND deleted_at IS NULL
        """,
        guild_id,
    )
    return (
        {row["user_id"]: row["names"] for row in rows if row["user_id"] is not None},
        {row["channel_id"]: row["channel_name"] for row in rows if row["channel_id"] is not None},
    )


_PRIVATE: Final = """
    SELECT user_id, array_remove(ARRAY[user_name, display_name, nickname], '') AS names FROM members
    WHERE guild_id = $1 AND private
"""


async def shared_guild_ids(connection: Connection, *, user_id: int) -> list[int]:
    """Return the guilds in which a member and the bot meet, direct messages left out."""
    rows = await connection.fetch(
        """
        SELECT guild_id FROM members JOIN guilds USING (guild_id)
        WHERE user_id = $1 AND NOT direct AND members.left_at IS NULL AND guilds.left_at IS NULL
        ORDER BY guild_id
        """,
        user_id,
    )
    return [row["guild_id"] for row in rows]


async def direct_ids_of(connection: Connection, *, user_id: int) -> list[int]:
    """Return the guilds that are direct messages of a member with the bot."""
    rows = await connection.fetch(
        "SELECT guild_id FROM members JOIN guilds USING (guild_id) WHERE user_id = $1 AND direct ORDER BY guild_id",
        user_id,
    )
    return [row["guild_id"] for row in rows]
