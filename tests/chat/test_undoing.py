"""Undo: for who told it, whom it is about and moderators; once, and after a restart as well."""

import asyncio

import pytest

from bot.app import assembled
from bot.chat.correcting import undo_answer
from bot.core.domain import Language, Message
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.memory.facts import repository_slots
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.tombstones import Hasher
from bot.memory.rights.forgetting import apply
from bot.text.sentences import say
from tests.chat.guild import GUILD_ID, NAMES, TalkingGuild
from tests.databases import until_awaited

DONE, SINCE, NOT_YOURS = (
    say(key, Language.ENGLISH)
    for key in ("chat.undone_already", "chat.corrected_since", "chat.not_yours_to_undo")
)
TAKEN_BACK = say("chat.taken_back", Language.ENGLISH, content="alice likes tea")


async def undo(
    guild: TalkingGuild,
    by: str,
    message: Message,
    *,
    from_moderator: bool = False,
    language: Language = Language.ENGLISH,
) -> str:
    return await undo_answer(
        guild.keepsake.use_cases,
        guild_id=GUILD_ID,
        channel_id=message.channel_id,
        message_id=message.message_id,
        user_id=NAMES[by],
        from_moderator=from_moderator,
        language=language,
    )


async def remembered(guild: TalkingGuild, text: str = "Bot, remember that alice likes tea") -> Message:
    await guild.say("bob", text)
    assert guild.last is not None
    return guild.last


@pytest.mark.parametrize(
    ("by", "from_moderator", "told"),
    [("bob", False, TAKEN_BACK), ("alice", False, TAKEN_BACK), ("florent", True, TAKEN_BACK),
     ("florent", False, NOT_YOURS)],
)  # fmt: skip
async def test_teller_subject_and_moderators_may_undo(
    guild: TalkingGuild, by: str, from_moderator: bool, told: str
) -> None:
    said = await remembered(guild)
    assert await undo(guild, by, said, from_moderator=from_moderator) == told
    known = [] if told == TAKEN_BACK else ["bob says alice likes tea"]
    assert await guild.known("alice") == known


async def test_a_second_click_says_that_it_is_undone(guild: TalkingGuild) -> None:
    said = await remembered(guild)
    await undo(guild, "bob", said)
    assert await undo(guild, "alice", said) == DONE
    assert await undo(guild, "alice", said, language=Language.RUSSIAN) == say(
        "chat.undone_already", Language.RUSSIAN
    )
    assert await undo(guild, "florent", said) == NOT_YOURS


@pytest.mark.smoke
async def test_undoing_a_correction_lets_hold_what_held_before(guild: TalkingGuild) -> None:
    first = await remembered(guild)
    outcome = await guild.hear("bob", "Bot, no, I said coffee")
    assert guild.last is not None
    assert len(outcome.undo_ids) == 1
    assert await undo(guild, "bob", first) == SINCE
    told = await undo(guild, "bob", guild.last)
    assert told == ("Taken back, and no longer kept: alice likes coffee.\nThis holds again: alice likes tea.")
    assert await undo(guild, "bob", first) == TAKEN_BACK
    assert await guild.known("alice") == []


async def test_who_had_it_remembered_may_undo_what_somebody_else_said(guild: TalkingGuild) -> None:
    await guild.say("alice", "I hate olives")
    await guild.say("bob", "Bot, remember this", reply_to=guild.last)
    assert guild.last is not None
    assert await undo(guild, "florent", guild.last) == NOT_YOURS
    assert await undo(guild, "bob", guild.last) == "Taken back, and no longer kept: alice hates olives."


@pytest.mark.parametrize("is_edit", [True, False])
async def test_what_others_had_remembered_too_is_not_taken_from_them(
    guild: TalkingGuild, is_edit: bool
) -> None:
    await guild.say("alice", "Bot, remember that I like coffee")
    await remembered(guild)
    await guild.say("bob", "Bot, no, I said coffee")
    assert guild.last is not None
    if is_edit:
        await guild.edit(guild.last, "never mind")
    else:
        await undo(guild, "bob", guild.last)
    assert sorted(await guild.known("alice")) == ["alice likes coffee", "bob says alice likes tea"]


async def test_what_an_undo_named_goes_from_it_with_the_message_that_said_it(
    guild: TalkingGuild, database: Database
) -> None:
    said = await remembered(guild, "Bot, remember that I like quinces")
    assert await guild.say("bob", "Bot, undo") == "Taken back, and no longer kept: bob likes quinces."
    assert await told_of(database, "quinces")
    await guild.keepsake.memory.ingest_deletion(
        guild_id=GUILD_ID, channel_id=said.channel_id, message_ids=[said.message_id]
    )
    assert not await told_of(database, "quinces")


async def test_what_an_undo_says_holds_again_goes_from_it_with_whoever_told_that(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that the raid is on Friday")
    await guild.say("bob", "Bot, remember that the raid is now on Saturday")
    assert "holds again: the raid is on Friday" in (await guild.say("bob", "Bot, undo") or "")
    await guild.keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=NAMES["alice"], audiences=None, opted_out=False
    )
    assert not await told_of(database, "Friday")


async def test_the_button_tells_nothing_that_names_a_private_member(guild: TalkingGuild) -> None:
    await guild.say("florent", f"Bot, remember that I take the bus to work with <@{NAMES['alice']}>")
    asked = await guild.say("florent", "Bot, remember that I take the train to work")
    assert asked is not None and "takes the bus to work with alice" in asked
    await guild.say("florent", "yes")
    assert guild.last is not None
    await guild.keepsake.memory.consent.set_private(guild_id=GUILD_ID, user_id=NAMES["alice"], private=True)
    told = await undo(guild, "bob", guild.last, from_moderator=True)
    assert told == "Taken back, and no longer kept: florent takes the train to work."


async def test_what_was_forgotten_before_it_is_undone_is_not_told_as_taken_back(
    guild: TalkingGuild, database: Database
) -> None:
    await remembered(guild, "Bot, remember that I like quinces")
    hasher = Hasher(await database.read(policy_repository.hash_secret))

    async def forget(connection: Connection) -> "asyncio.Task[str | None]":
        rows = await connection.fetch("SELECT fact_id FROM facts")
        fact_ids = [row["fact_id"] for row in rows]
        await repository_slots.hold_slots_of_facts(connection, guild_id=GUILD_ID, fact_ids=fact_ids)
        undoing = asyncio.create_task(guild.say("bob", "Bot, undo"))
        await until_awaited(connection, undoing.done)
        await apply.disown(connection, hasher, guild_id=GUILD_ID, fact_ids=fact_ids, now=guild.clock.now())
        return undoing

    assert await (await database.write(forget)) == DONE
    assert not await told_of(database, "quinces")


async def told_of(database: Database, word: str) -> bool:
    """Tell whether an answer that is kept holds this word."""
    return await database.read(
        lambda connection: connection.fetchval(
            "SELECT EXISTS (SELECT FROM answers WHERE array_to_string(parts, ' ') LIKE $1)", f"%{word}%"
        )
    )


async def test_a_message_that_wrote_nothing_has_nothing_to_undo(guild: TalkingGuild) -> None:
    outcome = await guild.hear("bob", "Bot, what do you know about alice?")
    assert guild.last is not None
    assert outcome.undo_ids == ()
    assert await undo(guild, "bob", guild.last) == DONE


async def test_undo_works_after_a_restart(guild: TalkingGuild, database: Database) -> None:
    said = await remembered(guild)
    async with assembled(Settings(_env_file=None), guild.clock, database) as keepsake:
        assert await undo(TalkingGuild(keepsake, guild.clock), "bob", said) == TAKEN_BACK


async def test_what_an_edit_took_back_is_undone_already(guild: TalkingGuild) -> None:
    said = await remembered(guild)
    await guild.edit(said, "never mind")
    assert await undo(guild, "bob", said) == DONE
