"""Kinds of memory: each member says which are kept, and for how long."""

from datetime import timedelta

import pytest

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.errors import CategorySwitchedOffError, InvalidInputError
from bot.db.pool import Database
from bot.memory.policy.consent import KeptCategory
from tests.memory.rights.consent.letting import counted, note, put, told_about
from tests.memory.spoken import ALICE, BOB, GUILD_ID, NOON, hear, said, values


async def test_a_category_that_is_switched_off_is_removed_at_once_and_not_stored_again(
    guild: Keepsake, database: Database
) -> None:
    await hear(guild, said("my favorite food is sushi"))
    await guild.memory.remember(note("I live in Berlin", about=ALICE))
    await guild.memory.consent.keep_category(
        guild_id=GUILD_ID, user_id=ALICE, category="preference", kept=False
    )
    await hear(guild, said("my favorite food is ramen", 1), said("my favorite food is soup", 1, user_id=BOB))
    assert await told_about(guild, ALICE, BOB) == [
        f"<@{ALICE}> lives in Berlin",
        f"<@{BOB}>'s favorite food is soup",
    ]
    with pytest.raises(CategorySwitchedOffError) as refused:
        await guild.memory.remember(note("my favorite food is ramen", about=ALICE, minutes=2))
    assert (refused.value.subject_id, refused.value.category) == (ALICE, "preference")
    await guild.memory.consent.keep_category(
        guild_id=GUILD_ID, user_id=ALICE, category="preference", kept=True
    )
    await hear(guild, said("my favorite food is ramen", 3))
    assert "favorite:food = ramen" in await values(guild, database)


async def test_what_is_kept_for_some_days_goes_after_them(
    guild: Keepsake, database: Database, clock: SetClock
) -> None:
    old, new = said("my favorite food is sushi"), said("my favorite color is blue", 60 * 24 * 5)
    clock.set(NOON + timedelta(days=5))
    await hear(guild, old, new)
    await guild.memory.consent.keep_category(
        guild_id=GUILD_ID, user_id=ALICE, category="preference", kept=True, days=4
    )
    assert await values(guild, database) == ["favorite:color = blue"]
    clock.set(NOON + timedelta(days=10))
    assert await guild.retention.on_a_new_day(GUILD_ID)
    await guild.work.idle()
    assert await values(guild, database) == []


async def test_a_profile_that_is_not_wanted_goes_and_none_is_learned(
    guild: Keepsake, database: Database
) -> None:
    await put(database, ALICE, "Likes chess.")
    await guild.memory.consent.keep_category(guild_id=GUILD_ID, user_id=ALICE, category="profile", kept=False)
    assert await counted(database, "SELECT count(*) FROM profiles") == 0
    standing = await guild.memory.consent.of(guild_id=GUILD_ID, user_id=ALICE)
    assert standing.kept_categories == {"profile": KeptCategory(kept=False)}


@pytest.mark.parametrize(
    ("category", "days", "says"), [("moods", None, "'moods'"), ("fact", 0, "days is 0"), ("fact", -3, "-3")]
)
async def test_an_impossible_category_is_refused_in_one_sentence(
    guild: Keepsake, category: str, days: int | None, says: str
) -> None:
    with pytest.raises(InvalidInputError, match=says):
        await guild.memory.consent.keep_category(
            guild_id=GUILD_ID, user_id=ALICE, category=category, kept=True, days=days
        )
