"""What members let a guild keep: opting out stops what is stored, and opting in begins anew."""

from dataclasses import replace

import pytest

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import OPEN, ConsentDefault, Member, Message
from bot.core.errors import AbsentSubjectError
from bot.db.pool import Database
from bot.memory.facts.places import NewPlace
from bot.memory.policy import consent
from tests.memory.rights.consent.letting import STRANGER, counted, note, opt_in, opt_out
from tests.memory.spoken import ALICE, BOB, CHANNEL_ID, GUILD_ID, NOON, edited, hear, noticed, said, values


async def test_who_said_nothing_is_neither_out_nor_in_nor_private(guild: Keepsake) -> None:
    standing = await guild.memory.consent.of(guild_id=GUILD_ID, user_id=STRANGER)
    assert (standing.opted_out, standing.opted_in, standing.absent, standing.private) == (False,) * 4
    assert standing.kept_categories == {}
    assert await guild.memory.consent.absent(guild_id=GUILD_ID, user_ids=[ALICE, BOB, 0, 2**70]) == set()


async def test_opting_out_and_in_is_remembered_and_done_again_changes_nothing(guild: Keepsake) -> None:
    for _ in range(2):
        await opt_out(guild)
    standing = await guild.memory.consent.of(guild_id=GUILD_ID, user_id=BOB)
    assert (standing.opted_out, standing.opted_in, standing.absent) == (True, False, True)
    assert await guild.memory.consent.absent(guild_id=GUILD_ID, user_ids=[ALICE, BOB]) == {BOB}
    for _ in range(2):
        await opt_in(guild)
    standing = await guild.memory.consent.of(guild_id=GUILD_ID, user_id=BOB)
    assert (standing.opted_out, standing.opted_in, standing.absent) == (False, True, False)


async def test_where_consent_is_asked_who_did_not_opt_in_is_absent_and_bots_are_not(guild: Keepsake) -> None:
    await guild.directory.put_members(
        [Member(guild_id=GUILD_ID, user_id=77, user_name="Keepsake", is_bot=True)]
    )
    was = await guild.directory.guild(GUILD_ID)
    assert was is not None
    await guild.directory.change_guild(was, replace(was, consent=ConsentDefault.ASKED))
    await opt_in(guild, ALICE)
    ids = [ALICE, BOB, STRANGER, 77]
    assert await guild.memory.consent.absent(guild_id=GUILD_ID, user_ids=ids) == {BOB, STRANGER}
    standing = await guild.memory.consent.of(guild_id=GUILD_ID, user_id=BOB)
    assert (standing.opted_out, standing.absent) == (False, True)


async def test_others_messages_make_no_facts_about_an_absent_member(
    guild: Keepsake, database: Database
) -> None:
    await opt_out(guild)
    told = (
        f"<@{BOB}>'s favorite food is ramen",
        f"<@{BOB}> lives in Berlin",
        f"I like how <@{BOB}> likes tea",
        f"my brother is <@{BOB}>",
    )
    await hear(guild, *(said(text, number) for number, text in enumerate(told)))
    await hear(guild, said("my favorite food is sushi", 10))
    assert await values(guild, database) == ["favorite:food = sushi"]
    for text in told:
        with pytest.raises(AbsentSubjectError) as refused:
            await guild.memory.remember(note(text, minutes=20))
        assert refused.value.subject_id == BOB
    assert await counted(database, "SELECT count(*) FROM facts WHERE subject_id = $1", BOB) == 0
    assert await counted(database, "SELECT count(*) FROM facts WHERE content LIKE $1", f"%<@{BOB}>%") == 0


async def test_their_own_messages_make_no_facts_and_what_they_ask_for_is_not_stored(
    guild: Keepsake, database: Database
) -> None:
    await opt_out(guild)
    await hear(guild, said("my favorite food is ramen", user_id=BOB))
    assert await values(guild, database) == []
    for about in (BOB, ALICE, 0):
        with pytest.raises(AbsentSubjectError):
            await guild.memory.remember(note("likes ramen", about=about, by=BOB))
    with pytest.raises(AbsentSubjectError):
        await guild.memory.places.add(
            NewPlace(
                guild_id=GUILD_ID,
                subject_id=BOB,
                author_id=BOB,
                audience=OPEN,
                name="home",
                cause="m:1",
                channel_id=CHANNEL_ID,
                message_id=1,
                said_at=NOON,
            )
        )
    assert await counted(database, "SELECT count(*) FROM facts") == 0


async def test_what_waited_to_be_read_for_facts_is_not_read_any_more(
    guild: Keepsake, database: Database
) -> None:
    await guild.memory.extractor.stop()
    await guild.memory.ingest_messages(
        [said("my favorite food is ramen", user_id=BOB), said("my favorite food is sushi")]
    )
    await opt_out(guild)
    guild.memory.extractor.start()
    await noticed(guild)
    assert await values(guild, database) == ["favorite:food = sushi"]


async def test_an_edit_by_who_opted_out_takes_the_text_and_what_was_learned_from_it(
    guild: Keepsake, database: Database
) -> None:
    message = said("my favorite food is ramen", user_id=BOB)
    await hear(guild, message)
    assert await values(guild, database) == ["favorite:food = ramen"]
    await opt_out(guild)
    await hear(guild, edited(message, "my favorite food is soup"))
    assert await texts(guild, message) == [""]
    await opt_in(guild)
    assert await values(guild, database) == []


async def test_private_members_are_known_as_such(guild: Keepsake, database: Database) -> None:
    for private in (True, False):
        await guild.memory.consent.set_private(guild_id=GUILD_ID, user_id=BOB, private=private)
        standing = await guild.memory.consent.of(guild_id=GUILD_ID, user_id=BOB)
        assert standing.private is private
        expected = {BOB} if private else set()
        assert (
            await database.read(consent.private_members, guild_id=GUILD_ID, user_ids=[ALICE, BOB]) == expected
        )


async def test_a_guild_that_is_switched_off_hears_nothing_and_never_brings_it_in(
    guild: Keepsake, clock: SetClock
) -> None:
    await guild.memory.ingest_message(said("before"))
    await switch(guild, hearing=False)
    await guild.memory.ingest_messages([said("meanwhile", 1), said("so too", 2, user_id=BOB)])
    assert await texts(guild, said("x"), said("x", 1), said("x", 2, user_id=BOB)) == ["before", None, None]
    await switch(guild, hearing=True)
    await guild.memory.ingest_message(said("after", 3))
    assert await texts(guild, said("x", 3)) == ["after"]


async def switch(keepsake: Keepsake, *, hearing: bool) -> None:
    known = await keepsake.directory.guild(GUILD_ID)
    assert known is not None
    changed = await keepsake.directory.change_guild(known, replace(known, hearing=hearing))
    assert changed.hearing is hearing


async def texts(keepsake: Keepsake, *messages: Message) -> list[str | None]:
    return [await text_of(keepsake, message.message_id) for message in messages]


async def text_of(keepsake: Keepsake, message_id: int) -> str | None:
    message = await keepsake.library.message(guild_id=GUILD_ID, message_id=message_id)
    return None if message is None else message.text
