"""Edited commands: for five minutes the fact is what the message says now, and so is the confirmation."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.app import Keepsake
from bot.chat.editing import EDIT_LIFE
from bot.core.domain import OPEN, Language, Message
from bot.db.pool import Database
from bot.text.sentences import say
from tests.chat.guild import GUILD_ID, MODS, TalkingGuild

TAKEN_BACK = say("chat.taken_back_by_edit", Language.ENGLISH)


async def command(guild: TalkingGuild, text: str, author: str = "alice") -> tuple[Message, Message]:
    """Give a command and return it with the bot's answer."""
    await guild.say(author, text)
    assert guild.last is not None
    assert guild.answer is not None
    return guild.last, guild.answer


async def active(database: Database) -> list[str]:
    rows = await database.read(
        lambda connection: connection.fetch("SELECT content FROM facts WHERE status = 'active'")
    )
    return [row["content"] for row in rows]


async def test_an_edited_command_replaces_its_fact_and_its_confirmation(
    guild: TalkingGuild, keepsake: Keepsake
) -> None:
    said, confirmed = await command(guild, "Bot, remember that I like tee")
    outcome = await guild.edit(said, "Bot, remember that I like tea")
    assert (outcome.text, outcome.replaces) == ("Remembered: alice likes tea.", (confirmed.message_id,))
    assert len(outcome.undo_ids) == 1
    assert await guild.known("alice") == ["alice likes tea"]
    kept = await keepsake.library.message(guild_id=GUILD_ID, message_id=confirmed.message_id)
    assert kept is not None
    assert kept.text == "Remembered: <@11> likes tea."


async def test_what_was_said_in_a_closed_room_is_kept_for_that_when_it_is_open_and_edited(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that I like plums", channel_id=MODS)
    assert guild.last is not None
    outcome = await guild.edit(replace(guild.last, audience=OPEN), "Bot, remember that I like figs")
    assert outcome.text is None
    assert await audiences(database) == {"<@11> likes figs": MODS}


async def test_an_order_of_a_closed_room_that_is_heard_when_it_is_open_is_kept_for_the_closed_one(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "hello", channel_id=MODS)
    assert guild.last is not None
    said = replace(guild.last, message_id=guild.last.message_id + 1, text="Bot, remember that I like figs")
    await guild.keepsake.memory.ingest_message(said)
    outcome = await guild.again(replace(said, audience=OPEN))
    assert outcome.text is None
    assert await audiences(database) == {"<@11> likes figs": MODS}


async def audiences(database: Database) -> dict[str, int]:
    rows = await database.read(
        lambda connection: connection.fetch("SELECT content, audience FROM facts WHERE status = 'active'")
    )
    return {row["content"]: row["audience"] for row in rows}


async def test_a_shorter_confirmation_is_kept_too(guild: TalkingGuild, keepsake: Keepsake) -> None:
    said, confirmed = await command(guild, "Bot, remember that I like strawberries with cream")
    await guild.edit(said, "Bot, remember that I like tea")
    kept = await keepsake.library.message(guild_id=GUILD_ID, message_id=confirmed.message_id)
    assert kept is not None
    assert "cream" not in kept.text


async def test_an_edit_that_is_no_command_takes_the_fact_back_and_says_so(guild: TalkingGuild) -> None:
    for number, edited in enumerate(
        ("tea is tea", "Bot, do I like tea?", "Bot, forget everything about me", "")
    ):
        said, confirmed = await command(guild, f"Bot, remember that I like tea {number}")
        outcome = await guild.edit(said, edited)
        assert (outcome.text, outcome.replaces) == (TAKEN_BACK, (confirmed.message_id,))
        assert outcome.undo_ids == ()
        assert await guild.known("alice") == []


async def test_what_was_taken_back_by_an_edit_comes_back_by_another(guild: TalkingGuild) -> None:
    said, _ = await command(guild, "Bot, remember that I like tea")
    await guild.edit(said, "never mind")
    assert (await guild.edit(said, "Bot, remember that I like tea")).text == "Remembered: alice likes tea."
    assert await guild.known("alice") == ["alice likes tea"]


async def test_the_same_edit_heard_twice_changes_nothing(guild: TalkingGuild, database: Database) -> None:
    said, _ = await command(guild, "Bot, remember that I like tee")
    edited_at = guild.clock.now()
    assert (await guild.edit(said, "Bot, remember that I like tea", at=edited_at)).text is not None
    rows = "SELECT fact_id, status FROM facts ORDER BY fact_id"
    before = await database.read(lambda connection: connection.fetch(rows))
    assert (await guild.edit(said, "Bot, remember that I like tea", at=edited_at)).text is None
    assert await database.read(lambda connection: connection.fetch(rows)) == before


async def test_an_older_edit_that_comes_late_changes_nothing(guild: TalkingGuild) -> None:
    said, _ = await command(guild, "Bot, remember that I like tee")
    first = guild.clock.now()
    await guild.edit(said, "Bot, remember that I like tea")
    assert (await guild.edit(said, "Bot, remember that I like toe", at=first)).text is None
    assert await guild.known("alice") == ["alice likes tea"]


async def test_after_five_minutes_only_the_log_changes(guild: TalkingGuild, keepsake: Keepsake) -> None:
    said, _ = await command(guild, "Bot, remember that I like tee")
    outcome = await guild.edit(said, "Bot, remember that I like tea", after=EDIT_LIFE)
    assert (outcome.route, outcome.text) == ("none", None)
    assert await guild.known("alice") == ["alice likes tee"]
    kept = await keepsake.library.message(guild_id=GUILD_ID, message_id=said.message_id)
    assert kept is not None
    assert kept.text == "Bot, remember that I like tea"


async def test_the_edit_of_another_message_is_only_kept(guild: TalkingGuild, database: Database) -> None:
    for text, edited in (
        ("I like tea", "Bot, remember that I like tea"),
        ("Bot, what do you know about me?", "Bot, remember that I like tea"),
        ("Bot, forget that I like jam", "Bot, remember that I like tea"),
    ):
        await guild.say("alice", text)
        assert guild.last is not None
        assert (await guild.edit(guild.last, edited)).text is None
    assert await active(database) == []


async def test_an_edited_correction_corrects_what_was_wrong_and_not_itself(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I fly on Monday")
    said, confirmed = await command(guild, "Bot, no, I said Thursday")
    outcome = await guild.edit(said, "Bot, no, I said Tuesday")
    assert outcome.text == "Corrected: alice flies on Tuesday 2026-03-03."
    assert outcome.replaces == (confirmed.message_id,)
    assert await guild.known("alice") == ["alice flies on Tuesday 2026-03-03"]
    await guild.edit(said, "Bot, never mind")
    assert await guild.known("alice") == ["alice flies on Monday 2026-03-02"]


async def test_a_question_of_the_bots_is_replaced_by_what_the_edit_settles(
    guild: TalkingGuild, keepsake: Keepsake
) -> None:
    said, asked = await command(guild, "Bot, remember that Zoltan likes tea")
    outcome = await guild.edit(said, "Bot, remember that Bob likes tea")
    assert (outcome.text, outcome.replaces) == (
        "Remembered: bob likes tea. I will say that it comes from you.",
        (asked.message_id,),
    )


async def test_what_was_forgotten_undone_or_corrected_since_is_not_brought_back_by_an_edit(
    guild: TalkingGuild,
) -> None:
    said, _ = await command(guild, "Bot, remember that I like tee")
    await guild.say("alice", "Bot, forget that I like tee")
    assert (await guild.edit(said, "Bot, remember that I like tea")).text is None
    assert await guild.known("alice") == []
    said, _ = await command(guild, "Bot, remember that I fly on Monday")
    await guild.say("alice", "Bot, no, I said Thursday")
    assert (await guild.edit(said, "Bot, remember that I fly on Friday")).text is None
    assert await guild.known("alice") == ["alice flies on Thursday 2026-03-05"]


async def test_forgetting_reaches_what_an_edit_wrote(guild: TalkingGuild, keepsake: Keepsake) -> None:
    said, _ = await command(guild, "Bot, remember that I like tee")
    await guild.edit(said, "Bot, remember that I like tea")
    known = await keepsake.memory.facts_of_message(guild_id=GUILD_ID, message_id=said.message_id)
    assert [fact.content for fact in known] == ["<@11> likes tea"]
    assert await guild.say("alice", "Bot, forget that", reply_to=said) == "Forgotten: I removed 1 fact."
    assert await guild.known("alice") == []


async def test_forgetting_a_message_reaches_what_an_edited_command_took_from_it(
    guild: TalkingGuild, keepsake: Keepsake
) -> None:
    await guild.say("alice", "I like tea")
    about = guild.last
    await guild.say("bob", "Bot, remember this", reply_to=about)
    assert guild.last is not None
    await guild.edit(guild.last, "Bot, please remember this")
    for message in (about, guild.last):
        assert message is not None
        found = await keepsake.memory.facts_of_message(guild_id=GUILD_ID, message_id=message.message_id)
        assert [fact.content for fact in found] == ["<@11> likes tea"]


async def test_the_answer_to_what_the_bot_asked_is_no_command_to_be_edited(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like tea")
    await guild.say("alice", "Bot, forget everything about me")
    yes, _ = await command(guild, "yes")
    assert (await guild.edit(yes, "yes!")).text is None


async def test_a_command_that_was_carried_out_late_is_rewritten_without_a_word(guild: TalkingGuild) -> None:
    await guild.hear("alice", "Bot, remember that I like tee", late=True)
    assert guild.last is not None
    assert (await guild.edit(guild.last, "Bot, remember that I like tea", late=True)).text is None
    assert await guild.known("alice") == ["alice likes tea"]


async def test_an_edit_waits_until_the_answer_that_it_replaces_is_sent(
    guild: TalkingGuild, keepsake: Keepsake
) -> None:
    await guild.hear("alice", "hello")
    assert guild.last is not None
    said = Message(
        guild_id=GUILD_ID,
        channel_id=guild.last.channel_id,
        message_id=guild.last.message_id + 1,
        user_id=11,
        text="Bot, remember that I like tee",
        timestamp=guild.last.timestamp,
    )
    outcome = await guild.again(said, deliver=False)
    edited = asyncio.create_task(guild.edit(said, "Bot, remember that I like tea"))
    await asyncio.sleep(0.05)
    assert not edited.done()
    await guild.deliver(outcome, said)
    assert guild.answer is not None
    sent_id = guild.answer.message_id
    assert (await edited).replaces == (sent_id,)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["tea", "jam", "rye", None]), min_size=1, max_size=4))
async def test_after_any_edits_just_what_the_message_says_is_kept(
    guild: TalkingGuild, database: Database, versions: list[str | None]
) -> None:
    await guild.say("alice", "Bot, remember that I like figs", after=timedelta(hours=1))
    said = guild.last
    assert said is not None
    for liked in versions:
        text = "no matter" if liked is None else f"Bot, remember that I like {liked}"
        await guild.edit(said, text)
    last = versions[-1]
    assert await active(database) == ([] if last is None else [f"<@11> likes {last}"])
    await guild.edit(said, "no matter")
