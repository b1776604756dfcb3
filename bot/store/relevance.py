"""Which facts go into one reply: chosen by one statement for everybody who takes part, over stems that are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final

from bot.domain import Fact
from bot.store.database import Connection
from bot.store.facts import COLUMNS, fact_of
from bot.store.presence import of_present, tells_of_present


class Standing(IntEnum):
    """Why a fact is given; the column of this name holds it for those that are given whatever is said."""

    KNOWN = 1
    """It says how somebody wants to be called and spoken of."""
    FEELING = 2
    """It is how somebody feels now."""
    PREFERENCE = 3
    MESSAGE = 4
    """It has to do with the message, or is important while nothing has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Whose facts are chosen from, and for which message."""

    guild_id: int
    user_ids: Sequence[int]
    """Whoever takes part, and the guild itself as subject 0."""
    audiences: Sequence[int]
    own_guild_ids: Sequence[int]
    """Guilds of which the asker's own open facts are looked at too."""
    asker_id: int
    text: str
    """What the message is about; its words are stemmed as those of the facts are."""
    topics: int
    """The topics of the message, as facts keep theirs."""
    with_dates: bool
    """Whether the message is about time: then facts with a day to come have to do with it."""
    fills: bool
    """Whether facts that have nothing to do with the message are chosen where too few have."""
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A fact and why it was chosen."""

    fact: Fact
    standing: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """What is kept about a member beside facts."""

    user_id: int
    pronouns: str
    turns: int
    """Replies that the bot gave them in this guild; in a direct message, in all that the two share."""
    since: datetime | None
    """When they were first seen, as far as anything is kept of it."""


ASKER_PREFERENCES: Final = 5
OTHERS_PREFERENCES: Final = 2
FOR_THE_MESSAGE: Final = 5
OTHERS_FILL: Final = 3
"""Facts about somebody who does not ask, where the message has to do with none of them."""

FRESH: Final = timedelta(days=7)
"""What was said, confirmed or used so lately is likely to be still on somebody's mind."""

_USUAL_FACTS: Final = 200
"""How many facts a word's rarity is reckoned among: counting them at each reply would cost more than it tells."""

_STANDING: Final = 12
"""Two names, two ways to be spoken of, two feelings (one of each of two audiences), and preferences."""

_LOOKED_AT: Final = 15
"""The most important facts of somebody, of which the fresh ones are preferred."""

_TOPIC_WEIGHT: Final = 1.5
"""Of a topic in common: as much as a word that a quarter of the facts hold, less than a rare one."""
_FRESH_WEIGHT: Final = 0.2
_IMPORTANCE_WEIGHT: Final = 0.6
"""Of full importance: decides between facts that fit alike, and never makes up for a word in common."""

_OF_PERSON: Final = """guild_id = whose_guild_id AND subject_id = whose_id AND audience = ANY(sees)
            AND status = 'active' AND category <> 'place' AND (expires_at IS NULL OR expires_at > $4)"""

_HAS_TO_DO: Final = "(topics & $8 <> 0 OR ($9 AND holds_on >= ($4::timestamptz - interval '1 day')::date))"
"""With the message; a day may have begun in the guild's zone and not in UTC."""

_CHOOSE: Final = f"""
WITH person AS MATERIALIZED (
    SELECT * FROM (
        SELECT $1::bigint AS whose_guild_id, unnest($2::bigint[]) AS whose_id, $3::bigint[] AS sees
        UNION ALL
        SELECT unnest($5::bigint[]), $6::bigint, ARRAY[0]::bigint[]
    ) everybody
    WHERE {of_present("whose_id", guild="whose_guild_id", guilds="array_append($5::bigint[], $1)")}
), word AS MATERIALIZED (
    SELECT unnest(tsvector_to_array(to_tsvector(config, $7))) AS stem
    FROM (SELECT coalesce((SELECT text_search FROM guilds WHERE guild_id = $1), 'russian') AS config) guild
), always AS MATERIALIZED (
    SELECT * FROM (
        SELECT best.*, row_number() OVER (
            PARTITION BY subject_id, standing ORDER BY importance DESC, said_at DESC
        ) AS place
        FROM person CROSS JOIN LATERAL (
            SELECT * FROM facts WHERE {_OF_PERSON} AND standing IS NOT NULL
            ORDER BY standing, importance DESC, said_at DESC LIMIT {_STANDING}
        ) best
    ) placed
    WHERE place <= CASE standing WHEN {Standing.KNOWN} THEN {_STANDING}
        WHEN {Standing.FEELING} THEN (subject_id = $6)::int
        ELSE CASE WHEN subject_id = $6 THEN {ASKER_PREFERENCES} ELSE {OTHERS_PREFERENCES} END END
), found AS MATERIALIZED (
    SELECT * FROM facts
    WHERE status = 'active' AND stem_keys(guild_id, subject_id, lexemes) && (
        SELECT array_agg(hashtextextended(stem, whose_guild_id # whose_id)) FROM person, word
    )
), hit AS MATERIALIZED (
    SELECT guild_id, fact_id, stem FROM person JOIN found ON {_OF_PERSON}
    CROSS JOIN unnest(tsvector_to_array(lexemes)) AS stem
    WHERE stem = ANY(ARRAY(SELECT stem FROM word)) AND stem <> subject_id::text
), rarity AS (
    SELECT stem, ln(1 + {_USUAL_FACTS} / (count(*) + 0.5))::float8 AS weight FROM hit GROUP BY stem
), words AS (
    SELECT guild_id, fact_id, sum(weight) AS words FROM hit JOIN rarity USING (stem) GROUP BY guild_id, fact_id
), candidate AS (
    SELECT DISTINCT ON (guild_id, fact_id) *
    FROM (
        SELECT found.* FROM found JOIN words USING (guild_id, fact_id)
        UNION ALL
        SELECT important.* FROM person CROSS JOIN LATERAL (
            SELECT * FROM facts WHERE {_OF_PERSON} AND ($10 OR {_HAS_TO_DO})
            ORDER BY importance DESC, said_at DESC LIMIT {_LOOKED_AT}
        ) important
    ) either
), judged AS (
    SELECT candidate.*, coalesce(words, 0) + {_TOPIC_WEIGHT}::float8 * coalesce({_HAS_TO_DO}, false)::int AS overlap,
        {_IMPORTANCE_WEIGHT}::float8 * importance / 100 + {_FRESH_WEIGHT}::float8
            * (greatest(said_at, last_used_at, confirmed_at) > $4::timestamptz - $11::interval)::int AS weight
    FROM candidate LEFT JOIN words USING (guild_id, fact_id)
    WHERE (guild_id, fact_id) NOT IN (SELECT guild_id, fact_id FROM always)
), ranked AS (
    SELECT *, row_number() OVER (
        PARTITION BY subject_id ORDER BY overlap + weight DESC, said_at DESC, fact_id DESC
    ) AS place
    FROM judged
)
SELECT * FROM (
    SELECT {COLUMNS}, standing, place FROM always
    UNION ALL
    SELECT {COLUMNS}, {Standing.MESSAGE}, place FROM ranked
    WHERE place <= CASE WHEN overlap > 0 OR subject_id = $6 THEN {FOR_THE_MESSAGE} ELSE {OTHERS_FILL} END
) chosen
WHERE {tells_of_present("subject_id", "content", guild="guild_id", guilds="array_append($5::bigint[], $1)")}
"""

_PEOPLE: Final = f"""
WITH person AS (
    SELECT * FROM (
        SELECT $1::bigint AS guild_id, unnest($2::bigint[]) AS user_id
        UNION ALL
        SELECT unnest($3::bigint[]), $4::bigint
    ) everybody
    WHERE {of_present("user_id", guild="guild_id", guilds="array_append($3::bigint[], $1)")}
)
SELECT user_id, max(pronouns) AS pronouns, coalesce(sum(turns), 0)::int AS turns,
    least(min(joined_at), min(spoke_at), min(known_at)) AS since
FROM person
LEFT JOIN members USING (guild_id, user_id)
LEFT JOIN LATERAL (
    SELECT min(timestamp) AS spoke_at FROM chat_history
    WHERE chat_history.guild_id = person.guild_id AND chat_history.user_id = person.user_id
) spoke ON true
LEFT JOIN LATERAL (
    SELECT min(said_at) AS known_at FROM facts
    WHERE facts.guild_id = person.guild_id AND subject_id = person.user_id AND audience = 0 AND status = 'active'
) known ON true
GROUP BY user_id
"""


async def choose(connection: Connection, wanted: Wanted) -> list[Chosen]:
    """Return what of everybody's facts goes into a reply, what is given whatever is said first; best first."""
    rows = await connection.fetch(
        _CHOOSE,
        wanted.guild_id, list(wanted.user_ids), list(wanted.audiences), wanted.now, list(wanted.own_guild_ids),
        wanted.asker_id, wanted.text, wanted.topics, wanted.with_dates, wanted.fills, FRESH,
    )  # fmt: skip
    placed = sorted(rows, key=lambda row: (row["standing"], row["place"], -row["fact_id"]))
    return [Chosen(fact=fact_of(row), standing=Standing(row["standing"])) for row in placed]


async def people(
    connection: Connection,
    *,
    guild_id: int,
    user_ids: Sequence[int],
    own_guild_ids: Sequence[int],
    asker_id: int,
) -> list[Person]:
    """Return since when, and how well, the bot and each of these members know each other."""
    rows = await connection.fetch(_PEOPLE, guild_id, list(user_ids), list(own_guild_ids), asker_id)
    return [
        Person(user_id=row["user_id"], pronouns=row["pronouns"] or "", turns=row["turns"], since=row["since"])
        for row in rows
    ]


async def used(
    connection: Connection, *, guild_ids: Sequence[int], fact_ids: Sequence[int], at: datetime
) -> None:
    """Note that these facts were given to a model; who is changing one of them is not waited for."""
    await connection.execute(
        """
        UPDATE facts SET last_used_at = $3
        WHERE (guild_id, fact_id) IN (
            SELECT guild_id, fact_id FROM facts
            WHERE guild_id = ANY($1::bigint[]) AND fact_id = ANY($2::bigint[]) AND status = 'active'
              AND (last_used_at IS NULL OR last_used_at < $3)
            FOR UPDATE SKIP LOCKED
        )
        """,
        list(guild_ids), list(fact_ids), at,
    )  # fmt: skip
