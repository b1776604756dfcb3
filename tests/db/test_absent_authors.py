"""The message log and members of whom nothing is kept: neither text nor author, in whatever order things come."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from bot.core.domain import ConsentDefault, Guild, Member, Message, MessageKind, RedactionReason, snowflake_at
from bot.db.pool import Connection, Database
from bot.memory.guilds import repository as guilds_repository
from bot.memory.members import repository as members_repository
from bot.memory.messages import repository as messages_repository
from bot.memory.messages import repository_writing
from bot.memory.messages.writer import deletion
from bot.memory.policy import consent
from bot.memory.policy.repository import of_present

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GUILD_ID, CHANNEL_ID = 1, 5
ALICE, BOB, BOT = 11, 12, 77
QUEUED = "SELECT message_id FROM unextracted ORDER BY message_id"
MARKED = "SELECT version FROM day_marks"
IDS = "SELECT DISTINCT user_id FROM chat_history ORDER BY user_id"


def at(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def said(
    minutes: int,
    text: str = "I moved to Oslo",
    *,
    by: int = BOB,
    kind: MessageKind = MessageKind.MEMBER,
    reply_to: int | None = None,
    edited: int | None = None,
) -> Message:
    return Message(
        guild_id=GUILD_ID,
        channel_id=CHANNEL_ID,
        message_id=snowflake_at(at(minutes)),
        user_id=by,
        text=text,
        attachments=("[image: oslo.png]",),
        timestamp=at(minutes),
        kind=kind,
        reply_to_id=snowflake_at(at(reply_to)) if reply_to is not None else None,
        edited_at=at(edited) if edited is not None else None,
    )


def answered(minutes: int, *, to: int, text: str = "Oslo is nice, <@12>") -> Message:
    return said(minutes, text, by=BOT, kind=MessageKind.BOT, reply_to=to)


@pytest.fixture
async def log(database: Database) -> Database:
    """A guild with two members."""

    async def found(connection: Connection) -> None:
        await guilds_repository.add_guild(connection, Guild(guild_id=GUILD_ID, name="Test"))
        await members_repository.put_members(
            connection,
            [Member(guild_id=GUILD_ID, user_id=user_id, user_name=str(user_id)) for user_id in (ALICE, BOB)],
        )

    await database.write(found)
    return database


async def hear(database: Database, *events: Message, together: bool = False) -> None:
    for batch in [events] if together else [[event] for event in events]:
        await _hear(database, batch)


async def _hear(database: Database, batch: "list[Message] | tuple[Message, ...]") -> None:
    await database.write(repository_writing.write_messages, batch)


async def opt_out(database: Database, minutes: int, user_id: int = BOB) -> None:
    await database.write(consent.opt_out, guild_id=GUILD_ID, user_id=user_id, at=at(minutes))


async def opt_in(database: Database, minutes: int, user_id: int = BOB) -> None:
    await database.write(consent.opt_in, guild_id=GUILD_ID, user_id=user_id, at=at(minutes))


async def ask_for_consent(database: Database) -> None:
    await database.write(
        guilds_repository.change_guild, guild_id=GUILD_ID, changes={"consent": ConsentDefault.ASKED.value}
    )


async def erase(database: Database, minutes: int, *, opted_out: bool = False) -> None:
    await database.write(
        lambda connection: connection.execute(
            "INSERT INTO erased (guild_id, user_hash, erased_up_to, opted_out)"
            " VALUES ($1, user_hash($1, $2), $3, $4)",
            GUILD_ID, BOB, at(minutes), opted_out,
        )
    )  # fmt: skip


async def kept(database: Database, message: Message) -> Message | None:
    return await database.read(messages_repository.message, guild_id=GUILD_ID, message_id=message.message_id)


async def text_of(database: Database, message: Message) -> str | None:
    found = await kept(database, message)
    return None if found is None else found.text


async def values(database: Database, statement: str) -> list[object]:
    rows = await database.read(lambda connection: connection.fetch(statement))
    return [row[0] for row in rows]


async def test_of_who_opted_out_a_row_stays_with_neither_text_nor_author(log: Database) -> None:
    await opt_out(log, 0)
    message = said(1)
    await hear(log, message, said(2, by=ALICE))
    found = await kept(log, message)
    assert found is not None
    assert (found.text, found.attachments, found.user_id, found.withheld) == (
        "",
        (),
        0,
        RedactionReason.OPTED_OUT,
    )
    assert await values(log, IDS) == [0, ALICE]


async def test_nothing_of_theirs_is_queued_for_facts_and_no_day_is_told_for_it(log: Database) -> None:
    await opt_out(log, 0)
    await hear(log, said(1))
    assert await values(log, QUEUED) == []
    assert await values(log, MARKED) == []


async def test_no_late_event_brings_a_message_back(log: Database) -> None:
    message = said(5)
    events = [
        message,
        replace(message, text="I moved to Oslo, edited", edited_at=at(6)),
        deletion(guild_id=GUILD_ID, channel_id=CHANNEL_ID, message_id=message.message_id),
    ]
    for number, order in enumerate(permutations(events)):
        moved = timedelta(hours=number)
        first = 60 * number
        await opt_out(log, first)
        await hear(
            log,
            *(
                replace(
                    event,
                    message_id=snowflake_at(at(first + 5)),
                    timestamp=event.timestamp + moved,
                    edited_at=event.edited_at + moved if event.edited_at else None,
                )
                for event in order
            ),
        )
        await opt_in(log, first + 10)
        late = said(first + 5, "I moved to Oslo, edited again", edited=first + 11)
        await hear(log, said(first + 5), late)
        found = await kept(log, late)
        assert found is not None
        assert (found.text, found.user_id) == ("", 0), order
    assert await values(
        log, "SELECT count(*) FROM chat_history WHERE message_text <> '' OR lexemes <> ''"
    ) == [0]


async def test_what_was_said_while_out_is_never_read_back_and_what_is_said_after_is_kept(
    log: Database,
) -> None:
    await opt_out(log, 0)
    await opt_in(log, 10)
    unheard, after = said(5), said(11)
    await hear(log, unheard, after, said(-1))
    assert [await text_of(log, one) for one in (unheard, after, said(-1))] == [
        "",
        "I moved to Oslo",
        "I moved to Oslo",
    ]


async def test_what_was_kept_before_stays_until_its_author_edits_it(log: Database) -> None:
    before, other = said(-2), said(-1)
    await hear(log, before, other)
    await opt_out(log, 0)
    await hear(log, before, other, replace(other, text="Oslo, it is", edited_at=at(1)))
    assert await text_of(log, before) == "I moved to Oslo"
    found = await kept(log, other)
    assert found is not None
    assert (found.text, found.withheld) == ("", RedactionReason.OPTED_OUT)


async def test_what_the_bot_answers_them_is_not_kept_whichever_comes_first(log: Database) -> None:
    await opt_out(log, 0)
    await hear(log, said(1), answered(2, to=1))
    await hear(log, answered(4, to=3), said(3))
    await hear(log, answered(6, to=5), said(5), together=True)
    for minutes, to in ((2, 1), (4, 3), (6, 5)):
        found = await kept(log, answered(minutes, to=to))
        assert found is not None
        assert (found.text, found.withheld, found.user_id) == ("", RedactionReason.OPTED_OUT, BOT)


async def test_what_the_bot_answers_others_is_kept(log: Database) -> None:
    await opt_out(log, 0)
    await hear(log, said(1, by=ALICE), answered(2, to=1))
    assert await text_of(log, answered(2, to=1)) == "Oslo is nice, <@12>"


async def test_the_answer_to_who_opted_out_between_is_not_kept(log: Database) -> None:
    await hear(log, said(-1))
    await opt_out(log, 0)
    await hear(log, answered(1, to=-1))
    assert await text_of(log, answered(1, to=-1)) == ""


async def test_where_consent_is_asked_only_who_gave_it_is_kept_from_then_on(log: Database) -> None:
    await ask_for_consent(log)
    await opt_in(log, 2, ALICE)
    stranger = said(3, by=99)
    before, after = said(1, by=ALICE), said(3, by=ALICE)
    webhook = replace(said(4, by=98), kind=MessageKind.WEBHOOK)
    await hear(log, stranger, before, replace(after, message_id=after.message_id + 1), webhook)
    assert await text_of(log, stranger) == ""
    assert await text_of(log, before) == ""
    assert await text_of(log, webhook) == ""
    assert await values(log, "SELECT user_id FROM chat_history WHERE message_text <> ''") == [ALICE]


async def test_other_bots_are_heard_where_consent_is_asked(log: Database) -> None:
    await ask_for_consent(log)
    ticker = said(1, "the ship has landed", by=90, kind=MessageKind.BOT)
    await hear(log, ticker)
    assert await text_of(log, ticker) == "the ship has landed"


async def test_what_lies_before_an_erasure_is_not_stored_and_what_comes_after_is(log: Database) -> None:
    await erase(log, 0)
    await hear(log, said(-5), said(0), said(5), said(-5, by=ALICE), together=False)
    assert await values(
        log, "SELECT user_id FROM chat_history WHERE message_text <> '' ORDER BY message_id"
    ) == [BOB]
    assert await text_of(log, said(0)) == ""


async def test_who_was_erased_and_opted_out_is_known_by_the_hash_alone(log: Database) -> None:
    await log.write(lambda connection: connection.execute("DELETE FROM members WHERE user_id = $1", BOB))
    await erase(log, 0, opted_out=True)
    await hear(log, said(5))
    assert await values(log, IDS) == [0]
    await opt_in(log, 6)
    await hear(log, said(5), said(7))
    assert await text_of(log, said(7)) == "I moved to Oslo"
    assert await text_of(log, said(5)) == ""


async def test_opting_out_in_one_guild_is_not_opting_out_in_another(log: Database) -> None:
    await opt_out(log, 0)
    elsewhere = replace(said(1), guild_id=2)
    await hear(log, elsewhere)
    found = await log.read(messages_repository.message, guild_id=2, message_id=elsewhere.message_id)
    assert found is not None
    assert found.text == "I moved to Oslo"


async def test_sets_and_single_looks_agree_on_who_is_absent(log: Database) -> None:
    async def look(connection: Connection) -> tuple[list[int], list[int]]:
        asked = "FROM unnest(ARRAY[0, 11, 12, 13, 14, 99, 77]::bigint[]) AS one (id)"
        single = await connection.fetch(
            f"SELECT id {asked} WHERE NOT keeps_nothing($1, id) ORDER BY 1", GUILD_ID
        )
        sets = await connection.fetch(f"SELECT id {asked} WHERE {of_present('id')} ORDER BY 1", GUILD_ID)
        return [row["id"] for row in single], [row["id"] for row in sets]

    everybody = [0, 11, 12, 13, 14, 77, 99]
    bot = Member(guild_id=GUILD_ID, user_id=BOT, user_name="Keepsake", is_bot=True)
    await log.write(members_repository.put_members, [bot])
    assert await log.read(look) == (everybody, everybody)
    await opt_out(log, 0, 14)
    await opt_in(log, 0, 13)
    left = [one for one in everybody if one != 14]
    assert await log.read(look) == (left, left)
    await erase(log, 0, opted_out=True)
    left = [one for one in left if one != BOB]
    assert await log.read(look) == (left, left)
    await ask_for_consent(log)
    assert await log.read(look) == ([0, 13, 77], [0, 13, 77])
