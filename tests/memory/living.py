"""What tests of living facts need: learned facts, and looks at what holds."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from bot.core.domain import Fact, FactCategory, FactOrigin, Message, MessageKind
from bot.db.pool import Connection, Database, Row
from bot.db.rows import rows_as
from bot.memory.facts import lifecycle
from bot.memory.facts import repository as facts_repository
from bot.memory.facts.repository import NewFact
from bot.memory.facts.repository_slots import PickedUp
from bot.memory.facts.statements import Note
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.tombstones import Hasher

GUILD_ID = 1
CHANNEL_ID = 2
SELF, BOB = 7, 8


def picked_up(
    value: str,
    *,
    message_id: int,
    said_at: datetime,
    key: str = "favorite:food",
    content: str = "",
    subject_id: int = SELF,
    audience: int = 0,
    lasts: timedelta | None = None,
    origin: FactOrigin = FactOrigin.PATTERN,
    cause: str = "",
) -> NewFact:
    """Return a fact as it is picked up from its subject's own message."""
    return NewFact(
        guild_id=GUILD_ID,
        subject_id=subject_id,
        audience=audience,
        category=FactCategory.PREFERENCE,
        key=key,
        value=value,
        content=content or f"<@{subject_id}>'s favorite food is {value}",
        raw_content=f"my favorite food is {value}",
        importance=80,
        confidence=0.8,
        origin=origin,
        author_id=subject_id,
        source_channel_id=CHANNEL_ID,
        source_message_id=message_id,
        cause=cause or f"m:{message_id}",
        said_at=said_at,
        expires_at=said_at + lasts if lasts else None,
    )


def note(
    statement: str, *, message_id: int, said_at: datetime, subject_id: int = SELF, author_id: int = SELF
) -> Note:
    """Return what `author_id` asks to have remembered of a subject."""
    return Note(
        guild_id=GUILD_ID,
        subject_id=subject_id,
        author_id=author_id,
        speaker_id=author_id,
        audience=0,
        statement=statement,
        cause=f"m:{message_id}",
        channel_id=CHANNEL_ID,
        message_id=message_id,
        said_at=said_at,
        time_zone="UTC",
    )


def message(message_id: int, *, at: datetime) -> Message:
    """Return a message that nothing is picked up from by itself."""
    return Message(
        guild_id=GUILD_ID,
        channel_id=CHANNEL_ID,
        message_id=message_id,
        user_id=SELF,
        text="…",
        timestamp=at,
        kind=MessageKind.WEBHOOK,
    )


async def learn(database: Database, *given: NewFact, now: datetime | None = None) -> list[int]:
    """Take in learned facts, at the time of the last of them."""
    hasher = Hasher(await database.read(policy_repository.hash_secret))
    moment = now or max(fact.said_at for fact in given)
    return await database.write(lifecycle.learn_facts, hasher, list(given), now=moment)


async def say_anew(
    connection: Connection,
    hasher: Hasher,
    wanted: Mapping[int, Sequence[NewFact]],
    *,
    guild_id: int,
    now: datetime,
) -> int:
    """Let the facts picked up from each message be those in `wanted`, as the extractor does."""
    known = await connection.fetch(
        """
        SELECT s.source_id, s.message_id, f.guild_id, f.subject_id, f.audience, f.key, f.value
        FROM fact_sources s JOIN facts f USING (guild_id, fact_id)
        WHERE guild_id = $1 AND s.message_id = ANY($2::bigint[]) AND s.origin = 'pattern' AND f.status <> 'forgotten'
        """,
        guild_id, list(wanted),
    )  # fmt: skip
    return await lifecycle.update_extracted(
        connection, hasher, guild_id=guild_id, wanted=wanted, known=rows_as(PickedUp, known), now=now
    )


async def withdraw(database: Database, *message_ids: int, now: datetime) -> list[int]:
    """Withdraw what these messages say."""
    return await database.write(lifecycle.withdraw_facts, guild_id=GUILD_ID, message_ids=message_ids, now=now)


async def holding(database: Database, *, now: datetime, subject_id: int = SELF) -> list[Fact]:
    """Return what holds about a subject."""
    return await database.read(
        facts_repository.active_facts, guild_ids=[GUILD_ID], audiences=[0], subject_ids=[subject_id], now=now
    )


async def only(database: Database, *, now: datetime) -> Fact:
    """Return the one fact that holds about the speaker."""
    (fact,) = await holding(database, now=now)
    return fact


async def values(database: Database, *, now: datetime, subject_id: int = SELF) -> list[str]:
    """Return the values of what holds about a subject."""
    return sorted(fact.value for fact in await holding(database, now=now, subject_id=subject_id))


async def chains(
    database: Database, subject_id: int = SELF, *, guild_id: int = GUILD_ID
) -> dict[str, list[tuple[str, str]]]:
    """Return by key what is kept about a subject, as value and status: what holds, and behind it what it superseded.

    Fails if a chain is not whole: one holds in each at most, and whatever is superseded leads to what holds.
    """

    async def read(connection: Connection) -> list[Row]:
        return await connection.fetch(
            """
            SELECT fact_id, key, value, status, supersedes, superseded_by FROM facts
            WHERE guild_id = $1 AND subject_id = $2 AND status <> 'forgotten' ORDER BY fact_id
            """,
            guild_id, subject_id,
        )  # fmt: skip

    rows = {row["fact_id"]: row for row in await database.read(read)}
    found: dict[str, list[tuple[str, str]]] = {}
    for row in rows.values():
        if row["status"] != "superseded":
            assert row["superseded_by"] is None
            chain = found.setdefault(row["key"], [])
            assert [status for _, status in chain].count("active") + (row["status"] == "active") < 2
            chain.insert(0 if row["status"] == "active" else len(chain), (row["value"], row["status"]))
        if row["supersedes"] is not None:
            assert rows[row["supersedes"]]["superseded_by"] == row["fact_id"]
    depths = {fact_id: _depth(rows, fact_id) for fact_id in rows}
    for fact_id in sorted(rows, key=lambda one: (depths[one], rows[one]["value"])):
        if depths[fact_id]:
            found[rows[fact_id]["key"]].append((rows[fact_id]["value"], "superseded"))
    return found


def _depth(rows: Mapping[int, Row], fact_id: int) -> int:
    """Return how many rows stand above one, up to what holds."""
    passed = [fact_id]
    while (above := rows[passed[-1]]["superseded_by"]) is not None:
        assert above not in passed, "a chain without an end"
        assert rows[above]["key"] == rows[fact_id]["key"]
        passed.append(above)
    assert len(passed) == 1 or rows[passed[-1]]["status"] == "active"
    return len(passed) - 1


def on_day(moment: datetime, days: int) -> datetime:
    """Return the same time some days later."""
    return moment + timedelta(days=days)
