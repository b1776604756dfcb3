"""What was remembered of a name that was nobody's is a member's who comes to bear it, and theirs to have forgotten."""

from datetime import timedelta

import pytest

from bot.chat.incoming import IncomingMessage
from bot.core.domain import Member, Message, snowflake_at
from bot.db.pool import Connection, Database
from tests.chat.guild import BOT_ID, BOT_NAMES, GENERAL, GUILD_ID, MODS, NAMES, TalkingGuild
from tests.memory.facts.test_about import untrue

DAVE, OTHER = 501, 502


async def comes(
    guild: TalkingGuild, name: str, *, user_id: int = DAVE, nickname: str = "", display_name: str = ""
) -> None:
    """Let somebody join, or be first heard, or take these names."""
    member = Member(
        guild_id=GUILD_ID, user_id=user_id, user_name=name, display_name=display_name, nickname=nickname
    )
    await guild.keepsake.directory.put_members([member])


async def says(guild: TalkingGuild, text: str, *, user_id: int = DAVE, channel_id: int = GENERAL) -> str:
    guild.clock.advance(timedelta(seconds=1))
    message = Message(
        guild_id=GUILD_ID,
        channel_id=channel_id,
        message_id=snowflake_at(guild.clock.now()),
        user_id=user_id,
        text=text,
        timestamp=guild.clock.now(),
        audience=MODS if channel_id == MODS else 0,
    )
    return (await guild.again(message)).text or ""


async def facts(database: Database) -> list[tuple[int, str, str]]:
    """Return subject, key and content of what holds, free sentences by the beginning of their key."""

    async def look(connection: Connection) -> list[tuple[int, str, str]]:
        rows = await connection.fetch(
            "SELECT subject_id, key, content FROM facts WHERE guild_id = $1 AND status = 'active' ORDER BY content",
            GUILD_ID,
        )
        return [
            (row["subject_id"], "note" if "note:" in row["key"] else row["key"], row["content"])
            for row in rows
        ]

    return await database.read(look)


async def names(database: Database) -> set[str]:
    async def look(connection: Connection) -> set[str]:
        rows = await connection.fetch("SELECT name FROM fact_about WHERE name <> ''")
        return {row["name"] for row in rows}

    return await database.read(look)


@pytest.mark.parametrize("name", ["dave", "Dave", "Dàve"])
async def test_who_joins_is_who_was_spoken_of(guild: TalkingGuild, database: Database, name: str) -> None:
    await guild.say("alice", "Bot, remember that dave lives in York")
    await comes(guild, name)
    assert await facts(database) == [(DAVE, "lives_in", f"<@{DAVE}> lives in York")]
    assert await untrue(database) == []
    assert await names(database) == set()


async def test_it_is_a_members_by_the_name_that_is_shown_too(guild: TalkingGuild, database: Database) -> None:
    await guild.say("alice", "Bot, remember that dave lives in York")
    await comes(guild, "xx_dave_xx", display_name="Dave")
    assert (await facts(database))[0][0] == DAVE


async def test_it_is_a_members_who_takes_the_name_later(guild: TalkingGuild, database: Database) -> None:
    await comes(guild, "zed")
    await guild.say("alice", "Bot, remember that dave lives in York")
    assert (await facts(database))[0][0] == 0
    await comes(guild, "dave")
    assert (await facts(database))[0][0] == DAVE


async def test_between_two_who_bear_the_name_nobody_is_chosen(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that rob lives in York")
    both = [Member(guild_id=GUILD_ID, user_id=user_id, user_name="rob") for user_id in (601, 602)]
    await guild.keepsake.directory.put_members(both)
    assert (0, "of:rob|lives_in", "rob lives in York") in await facts(database)


async def test_a_nickname_alone_gives_nothing_away(guild: TalkingGuild, database: Database) -> None:
    await guild.say("alice", "Bot, remember that dave lives in York")
    await comes(guild, "zed", nickname="Dave")
    assert (await facts(database))[0][0] == 0


async def test_a_nickname_holds_once_the_member_says_so(guild: TalkingGuild, database: Database) -> None:
    await guild.say("alice", "Bot, remember that dave lives in York")
    await comes(guild, "zed", nickname="Dave")
    await says(guild, "btw my name is Dave")
    await says(guild, "Bot, what do you know about me?")
    await guild.keepsake.work.idle()
    assert (DAVE, "lives_in", f"<@{DAVE}> lives in York") in await facts(database)


@pytest.mark.parametrize(("teller", "is_bound"), [("alice", True), ("bob", False)])
async def test_a_name_holds_once_who_told_of_it_says_whose_it_is(
    guild: TalkingGuild, database: Database, teller: str, is_bound: bool
) -> None:
    await guild.say("alice", "Bot, remember that dave lives in York")
    await comes(guild, "zed")
    await guild.say(teller, "Bot, remember that zed is also known as Dave")
    await guild.keepsake.work.idle()
    assert ((DAVE, "lives_in", f"<@{DAVE}> lives in York") in await facts(database)) == is_bound


async def test_what_competes_holds_once(guild: TalkingGuild, database: Database) -> None:
    await guild.say("alice", "Bot, remember that dave lives in York")
    await guild.say("bob", "Bot, remember that dave likes tea")
    await comes(guild, "zed")
    await says(guild, "Bot, remember that I live in Rome")
    await says(guild, "Bot, remember that I like tea")
    await comes(guild, "dave")
    assert await facts(database) == [
        (DAVE, "likes:tea", f"<@{DAVE}> likes tea"),
        (DAVE, "lives_in", f"<@{DAVE}> lives in Rome"),
    ]
    assert await untrue(database) == []


async def test_a_closed_room_keeps_what_was_said_there(guild: TalkingGuild, database: Database) -> None:
    await guild.say("alice", "Bot, remember that dave lives in York", channel_id=MODS)
    await comes(guild, "dave")
    assert "York" not in await says(guild, "Bot, what do you know about me?")
    assert "York" in await says(guild, "Bot, what do you know about me?", channel_id=MODS)


async def test_who_had_it_forgotten_is_not_told_it_again(guild: TalkingGuild, database: Database) -> None:
    await guild.say("alice", "Bot, remember that dave lives in York")
    await comes(guild, "dave")
    assert "York" in await says(guild, "Bot, what do you know about me?")
    assert "Forgotten" in await says(guild, "Bot, forget that I live in York")
    assert "York" not in await says(guild, "Bot, what do you know about me?")
    assert "York" not in (await guild.say("alice", "Bot, what do you know about dave?") or "")
    await comes(guild, "dave", nickname="dd")
    await guild.keepsake.work.idle()
    assert await facts(database) == []


async def test_who_was_erased_is_not_found_again_by_what_was_said_before(
    guild: TalkingGuild, database: Database
) -> None:
    await comes(guild, "dave")
    await says(guild, "Bot, remember that I like tea")
    before = guild.clock.now()
    await guild.keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=DAVE, audiences=None, opted_out=False
    )
    late = Message(
        guild_id=GUILD_ID,
        channel_id=GENERAL,
        message_id=snowflake_at(before),
        user_id=NAMES["alice"],
        text="Bot, remember that dave lives in York",
        timestamp=before,
    )
    hearing = IncomingMessage(message=late, bot_id=BOT_ID, bot_names=BOT_NAMES, late=True)
    await guild.keepsake.conversation.hear(hearing)
    await comes(guild, "dave")
    await guild.keepsake.work.idle()
    assert [one for one in await facts(database) if one[0] == DAVE] == []
    assert "York" not in await says(guild, "Bot, what do you know about me?")


async def test_what_is_known_of_a_name_is_told_to_who_asks_for_it(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that dave lives in York")
    assert "York" in (await guild.say("bob", "Bot, what do you know about Dave?") or "")
    assert "York" not in (await guild.say("bob", "Bot, what do you know about this server?") or "")


async def test_by_a_nickname_it_is_told_to_who_bears_it(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that dave lives in York")
    await comes(guild, "zed", nickname="Dave")
    assert "York" in await says(guild, "Bot, what do you know about me?")
    assert "York" in (await guild.say("bob", "Bot, what do you know about zed?") or "")


async def test_of_a_private_member_nothing_is_told_by_a_nickname_either(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that dave lives in York")
    await comes(guild, "zed", nickname="Dave")
    await guild.keepsake.memory.consent.set_private(guild_id=GUILD_ID, user_id=DAVE, private=True)
    for asked in ("dave", "zed", "York"):
        assert "York" not in (await guild.say("bob", f"Bot, what do you know about {asked}?") or "").replace(
            f"called {asked}", ""
        )
    assert "York" in await says(guild, "Bot, what do you know about me?")


async def test_who_is_only_named_is_told_of_it(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that gruzilkin likes bob")
    assert "gruzilkin likes bob" in (await guild.say("bob", "Bot, what do you know about me?") or "")
    assert "gruzilkin likes bob" in (await guild.say("florent", "Bot, what do you know about bob?") or "")


async def test_who_is_only_named_can_have_themselves_taken_out_of_it(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that gruzilkin plays chess with bob")
    gruzilkin = NAMES["gruzilkin"]
    told = await guild.say("bob", "Bot, forget that gruzilkin plays chess with me")
    assert "names you no more" in (told or "")
    assert await facts(database) == [(gruzilkin, "note", f"<@{gruzilkin}> plays chess with <@0>")]
    assert await untrue(database) == []
    assert (
        "chess"
        not in (await guild.say("bob", "Bot, what do you know about me?") or "").partition("Lately")[0]
    )
    assert "chess" in (await guild.say("florent", "Bot, what do you know about gruzilkin?") or "")
    assert "chess" in (await guild.say("gruzilkin", "Bot, what do you know about me?") or "")


async def test_who_is_neither_named_nor_told_it_may_not(guild: TalkingGuild, database: Database) -> None:
    await guild.say("alice", "Bot, remember that gruzilkin plays chess with bob")
    before = await facts(database)
    await guild.say("florent", "Bot, forget that gruzilkin plays chess with bob")
    assert await facts(database) == before


async def test_forgetting_everything_about_oneself_takes_one_out_of_what_is_about_others(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that gruzilkin plays chess with bob")
    await guild.say("bob", "Bot, remember that I like tea")
    asked = await guild.say("bob", "Bot, forget everything about me")
    assert "names you no more" in (asked or "")
    await guild.say("bob", "yes")
    assert [one[2] for one in await facts(database)] == [f"<@{NAMES['gruzilkin']}> plays chess with <@0>"]


async def test_who_erases_all_is_taken_out_of_what_is_about_others(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that gruzilkin plays chess with bob")
    await guild.say("alice", "Bot, remember that bob likes tea")
    await guild.say("bob", "Bot, forget me completely")
    await guild.say("bob", "yes")
    await guild.keepsake.work.idle()
    assert [one[2] for one in await facts(database)] == [f"<@{NAMES['gruzilkin']}> plays chess with <@0>"]
    assert await untrue(database) == []
