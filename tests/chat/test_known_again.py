"""What was learned is known again in every room that may know it, also after a restart, until it is forgotten."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from tests.chat.guild import GAMES, GUILD_ID, NAMES, TalkingGuild, member
from tests.memory.policy.test_forgetting import dumped

ALICE = NAMES["alice"]
WORD = "Xylophonia"


async def noticed(keepsake: Keepsake) -> None:
    assert await keepsake.memory.extractor.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=20)


@pytest.fixture
async def other(dsn: str, clock: SetClock) -> AsyncIterator[Keepsake]:
    """Another process over the same database."""
    database = await Database.open(dsn)
    async with assembled(Settings(_env_file=None), clock, database) as keepsake:
        yield keepsake
    await database.close()


async def test_a_name_and_a_favourite_are_known_in_another_channel_after_a_rename_and_a_restart(
    guild: TalkingGuild, other: Keepsake, clock: SetClock
) -> None:
    await guild.say("alice", "my name is Alicia", channel_id=GAMES)
    await guild.say("alice", "my favourite ice cream flavour is mint", channel_id=GAMES)
    await guild.keepsake.directory.put_members([replace(member("alice"), nickname="Queen of Mint")])
    await noticed(guild.keepsake)
    told = " ".join(await TalkingGuild(other, clock).known("alice"))
    assert "Alicia" in told
    assert "mint" in told


async def test_what_is_said_in_a_direct_message_is_not_known_in_a_guild(guild: TalkingGuild) -> None:
    await guild.say("alice", "my favorite food is durian", direct=True)
    told = await guild.say("alice", "what do you know about me?", direct=True)
    assert told is not None
    assert "durian" in told
    assert "durian" not in " ".join(await guild.known("alice", asker="alice"))


async def kept_of(database: Database, *, profile: str) -> None:
    """Let a profile, and a place with notes, be kept of Alice."""

    async def write(connection: Connection) -> None:
        for version in (1, 2):
            await connection.execute(
                "INSERT INTO profiles (guild_id, user_id, version, content, covers_up_to, learned_at) "
                "VALUES ($1, $2, $3, $4, 0, now())",
                GUILD_ID, ALICE, version, profile,
            )  # fmt: skip
        await connection.execute(
            "UPDATE members SET profile_version = 2 WHERE guild_id = $1 AND user_id = $2", GUILD_ID, ALICE
        )

    await database.write(write)


async def test_everything_about_a_member_leaves_no_word_of_what_was_learned_in_the_whole_database(
    guild: TalkingGuild, dsn: str, database: Database, clock: SetClock
) -> None:
    for text in (
        f"I love {WORD}",
        f"my favorite band is {WORD}",
        f"as I said, I love {WORD}!",
        f"I went to {WORD} with my sister",
        "my favorite band is Zanzibar",
        "I'm feeling exhausted",
    ):
        await guild.say("alice", text, after=timedelta(hours=30))
    await guild.say("alice", f"I hate {WORD}, I mean I love it")
    assert guild.last is not None
    await guild.edit(guild.last, f"I adore {WORD}")
    await noticed(guild.keepsake)
    await kept_of(database, profile=f"Adores {WORD} and all that goes with it.")
    # Not yet read out when it is asked for.
    await guild.say("alice", f"I live in {WORD}")
    clock.advance(timedelta(hours=7))
    await guild.say("alice", "Bot, forget everything about me")
    answer = await guild.say("alice", "yes")
    assert answer is not None
    assert "Forgotten" in answer
    await guild.keepsake.work.idle()
    await noticed(guild.keepsake)
    dump = (await dumped(dsn)).lower()
    for word in ("zanzibar", "exhausted", WORD.lower()):
        assert word not in dump, word


async def test_what_is_forgotten_by_its_message_is_gone_though_something_newer_holds(
    guild: TalkingGuild, dsn: str
) -> None:
    await guild.say("alice", f"my favorite band is {WORD}")
    first = guild.last
    await guild.say("alice", "my favorite band is Zanzibar", after=timedelta(days=1))
    await noticed(guild.keepsake)
    await guild.say("alice", "Bot, forget this", reply_to=first)
    assert WORD.lower() not in (await dumped(dsn)).lower()
    assert "Zanzibar" in " ".join(await guild.known("alice"))


async def test_forgetting_one_of_two_likes_leaves_the_other_and_no_word_of_the_first(
    guild: TalkingGuild, dsn: str
) -> None:
    await guild.say("alice", f"I love {WORD}", after=timedelta(days=1))
    await guild.say("alice", "I love Zanzibar", after=timedelta(days=1))
    await guild.say("alice", f"I still love {WORD}", after=timedelta(days=1))
    answer = await guild.say("alice", f"Bot, forget that I love {WORD}")
    assert answer == "Forgotten: I removed 1 fact."
    await guild.keepsake.work.idle()
    assert WORD.lower() not in (await dumped(dsn)).lower()
    assert "Zanzibar" in " ".join(await guild.known("alice"))
