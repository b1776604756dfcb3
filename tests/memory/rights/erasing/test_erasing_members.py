"""Who is erased is gone from every table, and nothing that comes late brings anything of them back."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.app import Keepsake
from bot.core.domain import OPEN, Message, RedactionReason
from bot.db.pool import Connection, Database
from tests.memory.rights.erasing.lived import (
    BOB,
    BOT,
    CAROL,
    CLOSED,
    CLOSED_WORDS,
    GUILD_ID,
    NAMES,
    OWN_WORDS,
    columns_with,
    dumped,
    live,
    note,
    said,
)

HOLD_NOTHING_OF_MEMBERS = {
    "alembic_version",
    "installation",
    "shard_leases",
    "notices",
    "told",
    "usage",
    "unheard",
    "erased",
    "absences",
    "services",
    "waiting_notes",
    "web_tokens",
    "web_sessions",
}
"""Tables without ids of members and without words, with keyed hashes alone, or of operators; `waiting_notes` has its
own test."""


async def texts(database: Database) -> list[str]:
    rows = await database.read(
        lambda connection: connection.fetch(
            "SELECT message_text FROM chat_history WHERE message_text <> '' ORDER BY message_id"
        )
    )
    return [row["message_text"] for row in rows]


async def test_the_life_that_is_erased_has_left_something_in_every_table(
    keepsake: Keepsake, database: Database
) -> None:
    """A table that is new must be known to the erasing: here it is missed."""
    await live(keepsake, database)
    await keepsake.memory.recall(guild_id=GUILD_ID, query="zanzibarus", audiences=[OPEN], limit=5)
    await keepsake.memory.told()
    await keepsake.work.idle()

    async def empty(connection: Connection) -> set[str]:
        rows = await connection.fetch(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        )
        return {
            row["table_name"]
            for row in rows
            if not await connection.fetchval(f'SELECT EXISTS (SELECT FROM "{row["table_name"]}")')
        }

    assert await database.read(empty) <= HOLD_NOTHING_OF_MEMBERS


@pytest.mark.smoke
async def test_after_erasing_everywhere_no_column_and_no_dump_has_the_id_a_word_or_a_name(
    keepsake: Keepsake, database: Database, dsn: str
) -> None:
    await live(keepsake, database)
    sought = (str(CAROL), *OWN_WORDS, *CLOSED_WORDS, *NAMES)
    there = await columns_with(database, *sought)
    assert len({column.partition(":")[0] for column in there}) > 20
    erased = await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    await keepsake.work.idle()
    assert await columns_with(database, *sought) == []
    dump = await dumped(dsn)
    assert [word for word in sought if word.lower() in dump] == []
    assert (erased.messages, erased.profiles, erased.waiting) == (5, 2, 0)
    assert erased.facts >= 4
    assert erased.answers >= 2
    assert erased.episodes == 1


async def test_others_keep_their_words_in_which_the_member_is_nobody(
    keepsake: Keepsake, database: Database
) -> None:
    await live(keepsake, database)
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    assert await texts(database) == [
        f"ask <@0> or <@0>, her page is x.test/u/0/me, or <@{BOB}>",
        "Bot, remember that I adore <@0>",
        "Bot, what do you know about Carol?",
        "nobody is meant here",
        "pizza is nice",
        "Bot, remember that I like tea",
    ]

    async def kept(connection: Connection) -> list[str]:
        rows = await connection.fetch(
            "SELECT content FROM facts WHERE subject_id = $1"
            " UNION ALL SELECT content FROM profiles UNION ALL SELECT content FROM episodes"
            " UNION ALL SELECT content FROM conversation_summaries ORDER BY 1",
            BOB,
        )
        return [row["content"] for row in rows]

    assert await database.read(kept) == [
        f"<@{BOB}> adores <@0>",
        f"<@{BOB}> likes tea",
        "Bob bought tea.",
        "Bob drank tea.",
        "Bob is calm. He likes tea.",
    ]
    found = await keepsake.memory.recall(guild_id=GUILD_ID, query="adore", audiences=[OPEN], limit=5)
    assert found


async def test_what_comes_late_brings_nothing_back(keepsake: Keepsake, database: Database, dsn: str) -> None:
    messages = await live(keepsake, database)
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    before = await texts(database)
    edits = [
        replace(
            message, text=f"{message.text}, zanzibarus!", edited_at=message.timestamp + timedelta(days=99)
        )
        for message in messages
        if message.user_id == CAROL
    ]
    unheard = replace(said("zanzibarus once more", 0), message_id=messages[0].message_id - 1)
    for late in (messages, edits, [unheard], messages):
        await keepsake.memory.ingest_messages(late)
    await keepsake.memory.extractor.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=20)
    await keepsake.work.idle()
    assert await texts(database) == before
    assert await columns_with(database, str(CAROL), *OWN_WORDS, *NAMES) == []


async def test_who_is_erased_and_stays_is_heard_from_then_on(keepsake: Keepsake, database: Database) -> None:
    await live(keepsake, database)
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    later = said("a new life", 60 * 24 * 300)
    await keepsake.memory.ingest_messages([later])
    kept = await keepsake.library.message(guild_id=GUILD_ID, message_id=later.message_id)
    assert kept == later


async def test_who_opted_out_stays_so(keepsake: Keepsake, database: Database) -> None:
    await live(keepsake, database)
    await keepsake.memory.consent.opt_out(guild_id=GUILD_ID, user_id=CAROL)
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    assert await columns_with(database, str(CAROL)) == []
    standing = await keepsake.memory.consent.of(guild_id=GUILD_ID, user_id=CAROL)
    assert standing.opted_out
    assert standing.absent
    later = said("a new life", 60 * 24 * 300)
    await keepsake.memory.ingest_messages([later])
    kept = await keepsake.library.message(guild_id=GUILD_ID, message_id=later.message_id)
    assert kept is not None
    assert (kept.text, kept.user_id, kept.withheld) == ("", 0, RedactionReason.OPTED_OUT)


async def test_what_would_go_is_what_goes(keepsake: Keepsake, database: Database) -> None:
    await live(keepsake, database)
    counted = await keepsake.memory.erasing.counted(guild_id=GUILD_ID, user_id=CAROL, audiences=[OPEN])
    assert await columns_with(database, OWN_WORDS[0])
    erased = await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=[OPEN], opted_out=False
    )
    assert replace(erased, answers=0) == replace(counted, answers=0)
    assert erased.waiting == 1
    again = await keepsake.memory.erasing.counted(guild_id=GUILD_ID, user_id=CAROL, audiences=[OPEN])
    assert again == replace(type(again)(), waiting=1)


async def test_facts_told_by_others_too_stay_theirs(keepsake: Keepsake, database: Database) -> None:
    messages = await live(keepsake, database)
    bobs = said("Bot, remember that I own a zeppelin", 20, user_id=BOB)
    hers = said("Bot, remember that Bob owns a zeppelin", 21)
    await keepsake.memory.ingest_messages([bobs, hers])
    await keepsake.memory.remember(note(hers, f"<@{BOB}> owns a zeppelin", subject_id=BOB))
    await keepsake.memory.remember(note(bobs, "I own a zeppelin", subject_id=BOB))
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=[OPEN], opted_out=False
    )
    (fact,) = await keepsake.memory.facts_of_message(guild_id=GUILD_ID, message_id=bobs.message_id)
    assert (fact.content, fact.author_id, fact.raw_content) == (
        f"<@{BOB}> owns a zeppelin",
        BOB,
        "I own a zeppelin",
    )
    assert messages[2].user_id == CAROL


async def test_the_same_member_of_another_guild_is_left_alone(keepsake: Keepsake, database: Database) -> None:
    await live(keepsake, database)
    elsewhere = [
        said("my favourite island is zanzibarus", 1, guild_id=GUILD_ID + 1),
        said(f"hello <@{CAROL}>", 2, guild_id=GUILD_ID + 1, user_id=BOB),
    ]
    await keepsake.memory.ingest_messages(elsewhere)
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=True
    )
    for message in elsewhere:
        assert await keepsake.library.message(guild_id=GUILD_ID + 1, message_id=message.message_id) == message


async def test_in_direct_messages_all_that_the_bot_said_goes(keepsake: Keepsake, database: Database) -> None:
    from bot.core.domain import Channel, Guild, Member

    direct = 930_000_000_000_000_001
    await keepsake.directory.add_guild(Guild(guild_id=direct, name="", direct=True))
    await keepsake.directory.put_channel(Channel(guild_id=direct, channel_id=direct, name="carolinga"))
    await keepsake.directory.put_members([Member(guild_id=direct, user_id=CAROL, user_name="carolinga")])
    spoken: list[Message] = [
        said("my island is zanzibarus", 1, guild_id=direct, channel_id=direct),
        said("an island, how nice", 2, guild_id=direct, channel_id=direct, user_id=BOT),
    ]
    await keepsake.memory.ingest_messages(spoken)
    await keepsake.memory.erasing.erase_member(
        guild_id=direct, user_id=CAROL, audiences=None, opted_out=False
    )
    assert await texts(database) == []
    assert await columns_with(database, str(CAROL), *OWN_WORDS, *NAMES) == []


async def test_a_member_with_a_short_id_takes_no_numbers_out_of_what_others_say(
    keepsake: Keepsake, database: Database
) -> None:
    await keepsake.memory.ingest_messages([said("7 apples for <@7>, 17 for <@17>", 1, user_id=BOB)])
    await keepsake.memory.erasing.erase_member(guild_id=GUILD_ID, user_id=7, audiences=None, opted_out=False)
    assert await texts(database) == ["7 apples for <@0>, 17 for <@17>"]


async def test_closed_rooms_hold_nothing_of_the_members_own_words(
    keepsake: Keepsake, database: Database
) -> None:
    await live(keepsake, database)
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=[OPEN], opted_out=False
    )
    assert await columns_with(database, OWN_WORDS[1]) == []
    assert CLOSED != OPEN
