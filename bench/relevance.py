"""How long choosing the facts for one reply takes, in a guild of 1,000 members of whom 200 facts each are kept."""

import random
import time
from datetime import UTC, datetime
from statistics import median
from typing import Final

from bench.homes import own_home
from bench.talk import GUILD_ID
from bot.core.domain import GUILD_SUBJECT
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Connection, Database
from bot.memory.facts import relevance
from bot.memory.facts.relevance import RelevanceQuery, SelectedFact
from bot.text.topics import bits_of, kin_of, speaks_of_time, topics_of

MEMBERS: Final = 1_000
FACTS_EACH: Final = 200
TAKING_PART: Final = (1, 4, 12)
"""Somebody alone with the bot, a usual talk, and as many as a prompt tells of."""

_NOW: Final = datetime(2026, 3, 1, 9, tzinfo=UTC)
_FIRST_MEMBER: Final = 100
_AT_ONCE: Final = 50
_REPLIES: Final = 100
_QUESTIONS: Final = (
    "what should I eat tonight?",
    "which album do you recommend for the weekend? my cat ate the last one",
    "how's it going",
    "tell me something about the camera that I wanted to buy in the mountains",
)
# Three of the words of a fact are these, so that each stands in one fact of twenty; five are of 2,048 others.
_WORDS: Final = (
    "likes loves hates wants owns plays reads cooks pizza ramen noodles coffee tea cat dog guitar album camera photo"
    " mountain river train bike game chess boss project office meeting server keyboard book story movie concert"
    " garden kitchen weekend morning sister brother city harbour kayak old new red blue green quiet loud"
).split()

# Straight into the table: the way of a single fact would take hours for 200,000, and it is not what is measured.
_FILL: Final = """
INSERT INTO facts (guild_id, subject_id, audience, category, key, value, content, raw_content, importance, confidence,
    status, origin, author_id, source_channel_id, source_message_id, cause, said_at, updated_at, lexemes)
SELECT $1, member, 0, (ARRAY['fact', 'preference', 'event'])[1 + number % 3], 'note:' || number, '', content, content,
    40 + number * 7 % 60, 1, 'active', 'pattern', member, 1, number, 'm:' || number,
    $2::timestamptz - number * interval '1 hour', $2, to_tsvector('russian', content)
FROM generate_series($3::int, $4::int) AS member, generate_series(1, $5::int) AS number, LATERAL (
    SELECT '<@' || member || '> ' || string_agg(CASE
        WHEN place > 3 THEN 'word' || (hashint4(member * 2000 + number * 10 + place) & 2047)
        ELSE ($6::text[])[1 + (hashint4(member * 1000 + number * 10 + place) & 1023) % cardinality($6::text[])]
    END, ' ') AS content
    FROM generate_series(1, 8) AS place
) AS told
"""


async def fill(database: Database, *, members: int = MEMBERS, facts_each: int = FACTS_EACH) -> None:
    """Store the facts of a guild."""
    await database.write(
        lambda connection: connection.execute("INSERT INTO guilds (guild_id) VALUES ($1)", GUILD_ID)
    )
    for first in range(_FIRST_MEMBER, _FIRST_MEMBER + members, _AT_ONCE):
        last = min(first + _AT_ONCE, _FIRST_MEMBER + members) - 1

        async def put(connection: Connection, first: int = first, last: int = last) -> None:
            await connection.execute(_FILL, GUILD_ID, _NOW, first, last, facts_each, _WORDS)

        await database.write(put)
    await database.write(lambda connection: connection.execute("ANALYZE facts"))


async def choosing(database: Database, *, taking_part: int, members: int = MEMBERS) -> list[float]:
    """Choose the facts of many replies, and return the milliseconds that each took."""
    chance = random.Random(1)
    everyone = range(_FIRST_MEMBER, _FIRST_MEMBER + members)
    took = []
    for number in range(_REPLIES):
        user_ids = chance.sample(everyone, taking_part)
        text = _QUESTIONS[number % len(_QUESTIONS)]
        topics = topics_of(text)
        wanted = RelevanceQuery(
            guild_id=GUILD_ID,
            user_ids=[GUILD_SUBJECT, *user_ids],
            close_ids=[GUILD_SUBJECT, *user_ids[:2]],
            audiences=[0],
            own_guild_ids=[],
            asker_id=user_ids[0],
            text=text,
            topics=bits_of(topics),
            kin_topics=bits_of(kin_of(topics)),
            with_dates=speaks_of_time(text),
            now=_NOW,
        )

        async def choose(connection: Connection, wanted: RelevanceQuery = wanted) -> list[SelectedFact]:
            return await relevance.choose_facts(connection, wanted)

        began = time.perf_counter()
        chosen = await database.read(choose)
        took.append(1_000 * (time.perf_counter() - began))
        if not chosen:
            raise AssertionError(f"nothing was chosen for {text!r}")
    return took


async def measure() -> None:
    """Print the milliseconds."""
    with own_home() as home:
        server = EmbeddedServer(home)
        await server.start()
        await migrations.migrate(server.dsn)
        database = await Database.open(server.dsn)
        await fill(database)
        for taking_part in TAKING_PART:
            took = await choosing(database, taking_part=taking_part)
            slow = sorted(took)[int(0.95 * len(took))]
            print(
                f"facts for one reply, {taking_part} of {MEMBERS:,} members x {FACTS_EACH}:"
                f" median {median(took):.1f} ms, p95 {slow:.1f} ms"
            )
        await database.close()
        await server.stop()
    print()
