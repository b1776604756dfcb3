"""How facts end: messages that are deleted and edited, forgetting, and time; over a real database."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import FactStatus
from bot.db.pool import Database
from bot.memory.facts import lifecycle
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.tombstones import Hasher
from tests.memory.living import (
    CHANNEL_ID,
    GUILD_ID,
    SELF,
    chains,
    holding,
    learn,
    message,
    note,
    on_day,
    only,
    picked_up,
    say_anew,
    values,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOON)


async def test_a_deleted_message_takes_along_what_rests_on_it_alone_and_revives_what_that_superseded(
    keepsake: Keepsake, database: Database
) -> None:
    later = on_day(NOON, 1)
    await keepsake.memory.ingest_messages([message(one, at=NOON) for one in (1, 2, 3, 4)])
    await learn(
        database,
        picked_up("pizza", message_id=1, said_at=NOON),
        picked_up("ramen", message_id=2, said_at=later),
        picked_up("likes", message_id=2, said_at=later, key="likes:tea"),
        picked_up("likes", message_id=3, said_at=later, key="likes:tea"),
    )
    await keepsake.memory.remember(note("I like chess", message_id=4, said_at=NOON))
    await keepsake.memory.ingest_deletion(guild_id=GUILD_ID, channel_id=CHANNEL_ID, message_ids=[2, 4])
    found = {fact.key: fact for fact in await holding(database, now=later)}
    assert found["favorite:food"].value == "pizza"
    assert found["likes:tea"].source_message_id == 3
    assert any(fact.content == f"<@{SELF}> likes chess" for fact in found.values()), (
        "what was asked for stays"
    )
    assert len(found) == 3
    assert await learn(database, picked_up("ramen", message_id=2, said_at=later)) == []
    assert await values(database, now=later) == sorted(fact.value for fact in found.values())


async def test_an_edited_message_says_what_it_says_now_also_when_it_is_edited_back(
    database: Database,
) -> None:
    hasher = Hasher(await database.read(policy_repository.hash_secret))
    tea = picked_up("likes", message_id=1, said_at=NOON, key="likes:tea")
    for version, value in enumerate(["pizza", "ramen", "pizza"]):
        food = picked_up(value, message_id=1, said_at=NOON, cause=f"m:1:{version}")
        await database.write(say_anew, hasher, {1: [food, tea]}, guild_id=GUILD_ID, now=NOON)
        assert await values(database, now=NOON) == ["likes", value]
        assert sorted(await chains(database, SELF)) == ["favorite:food", "likes:tea"]
    await database.write(say_anew, hasher, {1: []}, guild_id=GUILD_ID, now=NOON)
    assert await chains(database, SELF) == {}


async def test_what_was_forgotten_is_not_learned_again(keepsake: Keepsake, database: Database) -> None:
    (fact_id,) = await learn(database, picked_up("pizza", message_id=1, said_at=NOON))
    await learn(database, picked_up("pizza", message_id=2, said_at=NOON))
    await keepsake.memory.ingest_messages([message(one, at=NOON) for one in (1, 2)])
    await keepsake.memory.forget(guild_id=GUILD_ID, fact_ids=[fact_id], author_ids=[SELF])
    left = await database.read(
        lambda connection: connection.fetch(
            "SELECT content, raw_content FROM fact_sources UNION ALL SELECT content, value FROM facts"
        )
    )
    assert {tuple(row) for row in left} == {("", "")}
    withheld = await database.read(
        lambda connection: connection.fetchval(
            "SELECT count(*) FROM chat_history WHERE withheld = 'forgotten'"
        )
    )
    assert withheld == 2, "every message of theirs that said it loses its text"
    # Neither that value under its key, in whatever words, nor its words under whatever key.
    reworded = picked_up("pizza", message_id=3, said_at=NOON, content=f"<@{SELF}> eats pizza above all")
    assert await learn(database, reworded) == []
    words = f"<@{SELF}>'s favorite food is pizza and beer"
    assert (
        await learn(database, picked_up("x", message_id=4, said_at=NOON, key="event:1", content=words)) == []
    )
    tea = picked_up(
        "tea", message_id=5, said_at=NOON, key="favorite:drink", content=f"<@{SELF}>'s favorite drink is tea"
    )
    assert len(await learn(database, tea)) == 1


async def test_a_feeling_is_gone_when_its_time_is_over_and_the_sweep_says_so(
    keepsake: Keepsake, database: Database, clock: SetClock
) -> None:
    lasts = timedelta(hours=6)
    await learn(database, picked_up("tired", message_id=1, said_at=NOON, key="feeling", lasts=lasts))
    assert await values(database, now=NOON + lasts - timedelta(seconds=1)) == ["tired"]
    assert await values(database, now=NOON + lasts) == []
    late = picked_up("sad", message_id=2, said_at=NOON, key="feeling", lasts=lasts)
    assert await learn(database, late, now=NOON + lasts) == [], "what is over when it is heard is not learned"
    clock.set(on_day(NOON, 1))
    assert await keepsake.retention.on_a_new_day(GUILD_ID)
    await keepsake.work.idle()
    statuses = await database.read(lambda connection: connection.fetch("SELECT status FROM facts"))
    assert [row["status"] for row in statuses] == ["inactive"]
    again = on_day(NOON, 1)
    await learn(database, picked_up("tired", message_id=3, said_at=again, key="feeling", lasts=lasts))
    assert await values(database, now=again) == ["tired"]


@pytest.mark.parametrize(
    ("statement", "content", "expires"),
    [
        ("I'm away until the 5th", f"<@{SELF}> is away until 2026-03-05", datetime(2026, 3, 6, tzinfo=UTC)),
        (
            "I'm away (until Friday)",
            f"<@{SELF}> is away (until Friday 2026-03-06)",
            datetime(2026, 3, 7, tzinfo=UTC),
        ),
        ("I'm in Rome for a week", f"<@{SELF}> is in Rome for a week (until 2026-03-08)", on_day(NOON, 7)),
        (
            "I'm in Rome for a few days",
            f"<@{SELF}> is in Rome for a few days (until 2026-03-04)",
            on_day(NOON, 3),
        ),
        (
            "я в отпуске до пятницы",
            f"<@{SELF}> в отпуске до пятницы 2026-03-06",
            datetime(2026, 3, 7, tzinfo=UTC),
        ),
        ("я в отпуске (на неделю)", f"<@{SELF}> в отпуске (до 2026-03-08)", on_day(NOON, 7)),
        (
            "I like tea (for 2 hours)",
            f"<@{SELF}> likes tea (until 2026-03-01 14:00)",
            NOON + timedelta(hours=2),
        ),
        ("I lived in Rome for a year", f"<@{SELF}> lived in Rome for a year", None),
        ("I've been ill for a week", f"<@{SELF}> has been ill for a week", None),
        ("my exam is not until 20 June", f"<@{SELF}>'s exam is not until 20 June 2026", None),
        ("I work until 5", f"<@{SELF}> works until 5", None),
        ("my exam is on 20 June", f"<@{SELF}>'s exam is on 20 June 2026", None),
        ("я старше брата на год", f"<@{SELF}> старше брата на год", None),
        ("I feel tired", f"<@{SELF}> feels tired", None),
    ],
)
async def test_what_was_asked_for_expires_with_its_own_date_only(
    keepsake: Keepsake, database: Database, statement: str, content: str, expires: datetime | None
) -> None:
    stored = await keepsake.memory.remember(note(statement, message_id=1, said_at=NOON))
    assert stored.content == content
    fact = await only(database, now=NOON)
    assert fact.expires_at == expires
    if expires is None:
        assert await values(database, now=on_day(NOON, 3_650)) == [fact.value]
    else:
        assert await values(database, now=expires - timedelta(seconds=1)) == [fact.value]
        assert await values(database, now=expires) == []


async def test_an_exam_on_a_date_is_there_before_it_and_past_after_it(
    keepsake: Keepsake, database: Database
) -> None:
    """Elsewhere it is an event, and dies after seven days."""
    await keepsake.memory.remember(note("my exam is on 20 June", message_id=1, said_at=NOON))
    before, after = datetime(2026, 6, 19, 12, tzinfo=UTC), datetime(2026, 6, 21, 12, tzinfo=UTC)
    fact = await only(database, now=after)
    assert fact.status is FactStatus.ACTIVE
    assert [lifecycle.is_past(fact, moment.date()) for moment in (before, after)] == [False, True]
