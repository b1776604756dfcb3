"""Forgetting a set by words: shown in numbers, asked about, then done, by whoever may."""

import pytest

from bot.db.jobs import Job
from bot.db.pool import Database
from bot.memory.outbox.removal_log import Remover
from bot.memory.rights.forgetting.repository import MessageSelection
from tests.chat.guild import GENERAL, GUILD_ID, MODS, NAMES, TalkingGuild


async def said(database: Database, channel_id: int = GENERAL) -> list[str]:
    """Return what members said in a channel that still has its text, commands left out."""
    rows = await database.read(
        lambda connection: connection.fetch(
            """
            SELECT message_text FROM chat_history
            WHERE guild_id = $1 AND channel_id = $2 AND kind = 'member' AND withheld IS NULL
              AND message_text !~* '^(bot|бот|yes|да|no)' ORDER BY message_id
            """,
            GUILD_ID,
            channel_id,
        )
    )
    return [row["message_text"] for row in rows]


async def test_one_kind_goes_after_asking_and_the_rest_stays(guild: TalkingGuild, database: Database) -> None:
    await guild.say("alice", "my birthday is on 12 May")
    await guild.say("alice", "12 May is a Tuesday")
    await guild.say("alice", "Bot, remember that I like pizza")
    asked = await guild.say("alice", "Bot, forget my birthday")
    assert asked == (
        "That would remove 1 fact about alice and the text of 1 message. Answer “yes” within 5 minutes and it is done."
    )
    assert await guild.say("alice", "no") == "All right, nothing was removed."
    assert len(await guild.known("alice")) == 2
    await guild.say("alice", "Bot, forget my birthday")
    assert await guild.say("alice", "yes") == "Forgotten: I removed 1 fact."
    assert await guild.known("alice") == ["alice likes pizza"]
    assert await said(database) == ["12 May is a Tuesday"]


@pytest.mark.parametrize(
    "said", ["yes lol", "yup thx", "y pls", "yesss", "yes i want that", "im sure yes", "ok thx", "yes bot"]
)
async def test_a_yes_is_heard_however_it_is_typed(guild: TalkingGuild, said: str) -> None:
    await guild.say("alice", "Bot, remember that my birthday is on 12 May")
    await guild.say("alice", "Bot, forget my birthday")
    assert await guild.say("alice", said) == "Forgotten: I removed 1 fact."


@pytest.mark.parametrize("said", ["nah ty", "nope dont", "no im good", "not now", "nvm", "no wait", "no lol"])
async def test_a_no_is_heard_however_it_is_typed(guild: TalkingGuild, said: str) -> None:
    await guild.say("alice", "Bot, remember that my birthday is on 12 May")
    await guild.say("alice", "Bot, forget my birthday")
    assert await guild.say("alice", said) == "All right, nothing was removed."
    assert await guild.known("alice") == ["alice's birthday is on 12 May"]


@pytest.mark.parametrize("said", ["wait", "im not sure", "thanks", "maybe", "no way", "yes but not that one"])
async def test_what_is_neither_yes_nor_no_removes_nothing(guild: TalkingGuild, said: str) -> None:
    await guild.say("alice", "Bot, remember that my birthday is on 12 May")
    await guild.say("alice", "Bot, forget my birthday")
    await guild.say("alice", said)
    assert len(await guild.known("alice")) == 1


async def test_several_things_are_asked_about_one_after_another(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that my birthday is on 12 May")
    await guild.say("alice", "Bot, remember that I live in Oslo")
    await guild.say("alice", "bot forget my bday and where i live ok thx")
    assert (await guild.say("alice", "yes") or "").startswith(
        "Forgotten: I removed 1 fact.\nThat would remove 1 fact"
    )
    assert await guild.say("alice", "yes") == "Forgotten: I removed 1 fact."
    assert await guild.known("alice") == []


@pytest.mark.parametrize(("said", "left"), [("thanks", 3), ("actually", 3), ("none of them", 3), ("all", 0)])
async def test_of_what_is_offered_only_what_is_named_goes(guild: TalkingGuild, said: str, left: int) -> None:
    for statement in ("I like green tea", "I drink black tea", "tea is my favourite drink"):
        await guild.say("alice", f"Bot, remember that {statement}")
    assert "1. alice drinks black tea" in (await guild.say("alice", "Bot, forget tea") or "")
    await guild.say("alice", said)
    assert len(await guild.known("alice")) == left


async def test_a_category_goes_in_russian_too(guild: TalkingGuild) -> None:
    for statement in ("я люблю пиццу", "моё любимое блюдо — рамен", "я живу в Казани"):
        await guild.say("Маша", f"Бот, запомни, что {statement}")
    asked = await guild.say("Маша", "Бот, забудь мои предпочтения")
    assert asked is not None
    assert asked.startswith("Это удалит 2 факта о Маше")
    assert await guild.say("Маша", "да") == "Готово, удалено: 2 факта."
    assert len(await guild.known("Маша")) == 1


async def test_what_is_somebody_elses_to_forget_stays_and_that_is_said(guild: TalkingGuild) -> None:
    await guild.say("bob", "Bot, remember that my birthday is on 3 June")
    assert await guild.say("alice", "Bot, forget bob's birthday") == (
        "That is somebody else's to forget: whom it is about, who told it, or a moderator. Nothing was removed."
    )
    assert await guild.say("alice", "Bot, forget that bob's birthday is on 3 June") == (
        "That is somebody else's to forget: whom it is about, who told it, or a moderator. Nothing was removed."
    )
    await guild.say("alice", "Bot, remember that bob plays chess")
    asked = await guild.say("alice", "Bot, forget everything about bob")
    assert asked is not None
    assert asked.splitlines()[1] == "1 fact besides stayed: that is somebody else's to forget."
    assert await guild.say("alice", "yes") == (
        "Forgotten: I removed 1 fact.\n1 fact besides stayed: that is somebody else's to forget."
    )
    assert len(await guild.known("bob")) == 1
    await guild.say("alice", "Bot, forget everything about bob", from_moderator=True)
    await guild.say("alice", "yes", from_moderator=True)
    assert await guild.known("bob") == []


async def test_own_words_since_a_time_go_with_what_rests_on_them(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "I like tea")
    await guild.say("bob", "I like rum")
    asked = await guild.say("alice", "Bot, forget everything I said since yesterday")
    assert asked is not None
    assert asked.startswith("That would remove 1 message of yours since 2026-02-28 00:00, with 1 fact")
    await guild.say("alice", "yes")
    assert await said(database) == ["I like rum"]
    assert await guild.known("alice") == []
    assert await guild.known("bob") == ["bob likes rum (said once)"]


async def test_a_channel_is_forgotten_by_its_moderators_and_by_others_as_far_as_they_spoke(
    guild: TalkingGuild, database: Database
) -> None:
    for author in ("alice", "bob"):
        await guild.say(author, f"{author} was here")
        await guild.say(author, f"{author} was there", channel_id=MODS)
    asked = await guild.say("alice", "Bot, forget everything in this channel")
    assert asked is not None
    assert asked.startswith("Only moderators can have what others said here forgotten")
    await guild.say("alice", "yes")
    assert await said(database) == ["bob was here"]
    asked = await guild.say("alice", "Bot, forget this channel", from_moderator=True)
    assert asked is not None
    assert "of everybody's in this channel" in asked
    await guild.say("alice", "yes", from_moderator=True)
    assert await said(database) == []
    assert await said(database, MODS) == ["alice was there", "bob was there"]


async def test_a_set_that_was_begun_is_ended_by_whoever_comes_next(
    guild: TalkingGuild, database: Database
) -> None:
    for number in range(4):
        await guild.say("alice", f"number {number} of many")
    assert guild.last is not None
    selection = MessageSelection(audiences=(0,), author_id=NAMES["alice"], up_to_id=guild.last.message_id)
    forgettings = guild.keepsake.memory.forgettings
    by = Remover(user_id=NAMES["alice"], cause="m:1")
    # The process died after its first step.
    await forgettings.take(selection, guild_id=GUILD_ID, by=by, seconds=0)
    await forgettings.go_on(Job(guild_id=GUILD_ID, kind="forget", work_key="m:1", wanted=1, attempts=1))
    assert await said(database) == []
    told = await forgettings.told(guild_ids=[GUILD_ID], user_id=NAMES["alice"], audiences=[0])
    assert told is not None
    assert (told.is_done, told.taken.messages) == (True, 4)


@pytest.mark.parametrize("command", ["Bot, forget my birthday", "Bot, forget everything since Monday"])
async def test_with_nothing_to_take_nobody_is_asked(guild: TalkingGuild, command: str) -> None:
    assert await guild.say("florent", command) == (
        "I found nothing that says that, so there was nothing to forget."
    )


@pytest.mark.parametrize(
    "command", ["Bot, forget everything about me", "Bot, delete everything you know about me"]
)
async def test_of_whom_nothing_is_known_that_one_is_told_how_to_erase_all(
    guild: TalkingGuild, command: str
) -> None:
    assert await guild.say("florent", command) == (
        "I know no facts about you, so there was nothing to forget. To erase all that I keep of you, your messages"
        " and settings too: “Bot, erase me”."
    )


async def test_who_asked_may_look_at_what_it_took_and_nobody_finds_the_words_there(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that I collect zeppelins")
    await guild.say("bob", "I collect zeppelins as well")
    outcome = await guild.hear("alice", "Bot, forget that I collect zeppelins")
    assert outcome.forgot
    forgettings = guild.keepsake.memory.forgettings
    cause = f"m:{outcome.message_id}"
    told = await forgettings.told(guild_ids=[GUILD_ID], user_id=NAMES["alice"], audiences=[0], cause=cause)
    assert told is not None
    assert (told.taken.facts, len(told.own), len(told.left)) == (1, 1, 1)
    assert (
        await forgettings.told(guild_ids=[GUILD_ID], user_id=NAMES["bob"], audiences=[0], cause=cause) is None
    )
    rows = await database.read(
        lambda connection: connection.fetch("SELECT f::text AS whole FROM forgettings f")
    )
    assert rows
    assert not [row for row in rows if "zeppelin" in row["whole"].lower()]
