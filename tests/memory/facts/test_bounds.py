"""What is kept of one member stays within bounds: what was learned goes first, a wish of somebody never by itself."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.domain import FactOrigin, FactStatus
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.memory.facts.bounds import KeptFact, kept_of, offered, to_go
from tests.chat.guild import GUILD_ID, NAMES, TalkingGuild, guild
from tests.chat.usecases.visits import desk_of, visit

__all__ = ["guild"]

ALLOWED = 500
ALICE = NAMES["alice"]
NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
LIKED = (
    "jazz opera sushi ramen pizza chess poker tennis judo yoga coffee tea cheese bread honey hiking sailing skiing "
    "painting knitting baking gardening fishing camping reading swimming cycling running dancing singing chocolate "
    "pasta curry tacos mangoes apples cherries bananas oranges lemons grapes soup salad rice beans noodles"
).split()


@pytest.fixture(scope="session")
def defaults() -> Settings:
    """The settings of an installation that keeps little of each member."""
    return Settings(_env_file=None, memory_document_tokens=ALLOWED)


async def kept(guild: TalkingGuild, database: Database) -> list[KeptFact]:
    await guild.keepsake.work.idle()
    await guild.keepsake.memory.told()
    return await database.read(kept_of, guild_id=GUILD_ID, subject_id=ALICE)


async def all_read(guild: TalkingGuild) -> None:
    assert guild.last is not None
    assert await guild.keepsake.memory.extractor.noticed(
        guild_id=GUILD_ID, up_to_id=guild.last.message_id, seconds=60
    )


async def test_what_was_learned_makes_room_and_what_was_asked_for_stays(
    guild: TalkingGuild, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    await guild.say("alice", "Bot, remember that I live in York")
    for liked in LIKED:
        await guild.say("alice", f"I love {liked}", after=timedelta(hours=3))
    await all_read(guild)
    left = await kept(guild, database)
    assert sum(one.tokens for one in left) <= ALLOWED
    assert [one for one in left if not one.is_learned]
    assert len([one for one in left if one.is_learned]) < len(LIKED)
    told = await guild.known("alice")
    assert "alice lives in York" in told
    # The newest of what is as important as the rest stayed.
    assert any(LIKED[-1] in one for one in told)
    assert not any(one.split()[2] == LIKED[0] for one in told)
    lines = [line for line in caplog.messages if "were kept of member" in line]
    assert lines
    assert all(f"member {ALICE} in guild {GUILD_ID}" in line and "jazz" not in line for line in lines)


async def test_of_what_was_asked_for_nothing_goes_and_its_subject_is_told_that_there_is_no_room(
    guild: TalkingGuild, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    for liked in LIKED:
        await guild.say("alice", f"Bot, remember that I love {liked} from the market in the old town")
    left = await kept(guild, database)
    assert len(left) == len(LIKED)
    assert sum(one.tokens for one in left) > ALLOWED
    shown = await desk_of(guild).show(visit(guild, "alice"), ALICE)
    assert "full" in shown.full
    assert f"loves {LIKED[0]} from" in shown.full
    assert (await desk_of(guild).show(visit(guild, "bob"), ALICE)).full == ""
    assert len([line for line in caplog.messages if "is full" in line]) == 1


FACT = KeptFact(
    fact_id=1,
    origin=FactOrigin.PATTERN,
    status=FactStatus.ACTIVE,
    importance=50,
    used_at=NOW,
    said_at=NOW,
    superseded_by=None,
    tokens=100,
)


def test_the_least_important_the_longest_unused_and_the_oldest_go_first() -> None:
    asked = replace(FACT, fact_id=1, origin=FactOrigin.COMMAND, importance=0)
    over = replace(FACT, fact_id=2, status=FactStatus.INACTIVE, importance=99)
    small = replace(FACT, fact_id=3, importance=10)
    unused = replace(FACT, fact_id=4, used_at=NOW - timedelta(days=9))
    old = replace(FACT, fact_id=5, said_at=NOW - timedelta(days=9))
    rest = replace(FACT, fact_id=6)
    kept = [rest, old, unused, small, over, asked]
    assert to_go(kept, allowed_tokens=600) == []
    for allowed, going in (
        (560, [2]),
        (450, [2, 3]),
        (340, [2, 3, 4]),
        (230, [2, 3, 4, 5]),
        (100, [2, 3, 4, 5, 6]),
    ):
        assert to_go(kept, allowed_tokens=allowed) == going
    assert offered([asked, rest, replace(asked, fact_id=7, status=FactStatus.SUPERSEDED)]) == [1, 6]


def test_what_holds_in_place_of_a_wish_does_not_go() -> None:
    wish = replace(FACT, fact_id=1, origin=FactOrigin.COMMAND, status=FactStatus.SUPERSEDED, superseded_by=2)
    assert to_go([wish, replace(FACT, fact_id=2)], allowed_tokens=100) == []
