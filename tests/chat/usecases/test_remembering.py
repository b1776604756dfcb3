"""What a form stores goes by the rules of "remember that ...", once for each command, by whoever may."""

from dataclasses import replace

import pytest

from bot.core.domain import MessageKind, RememberingOthers
from tests.chat.guild import GUILD_ID, MODS, NAMES, TalkingGuild
from tests.chat.usecases.visits import desk_of, moderator, remember, shown, visit

ALICE = NAMES["alice"]


async def test_the_words_alone_say_whom_it_is_about_as_they_do_when_said_to_the_bot(
    guild: TalkingGuild,
) -> None:
    statements = [
        "I like pizza",
        "gruzilkin is Sergey",
        "my exam is tomorrow",
        "movie night is on Friday",
        "у Маши есть кошка",
        "<@12> lives in Lyon",
        "zoltan likes tea",
        "@zoltan likes tea",
    ]
    use_cases = desk_of(guild)
    for statement in statements:
        by_form = await use_cases.remember(visit(guild, "alice"), None, statement)
        await use_cases.undo(visit(guild, "alice"), by_form.undo_ids)
        in_words = await guild.say("alice", f"Bot, remember that {statement}")
        stored = by_form.text.removeprefix("Remembered: ").partition(". ")[0]
        assert in_words is not None
        assert stored in in_words, statement


async def test_a_chosen_member_is_whom_it_is_about_however_it_is_put(guild: TalkingGuild) -> None:
    for text, told in {
        "likes tea": "alice likes tea",
        "is allergic to nuts": "alice is allergic to nuts",
        "alice plays the cello": "alice plays the cello",
        "birthday on 3 May": "alice: birthday on 3 May",
        "любит борщ": "alice любит борщ",
    }.items():
        said = await remember(guild, "bob", text, about="alice")
        assert said.text.startswith(("Remembered: ", "Записано: "))
        newest = (await shown(guild, "alice"))[0]
        assert newest.startswith(f"bob says {told}"), text
        await desk_of(guild).undo(visit(guild, "bob"), said.undo_ids)
    await remember(guild, "alice", "I love rain", about="alice")
    assert await shown(guild, "alice") == ["alice loves rain"]


async def test_a_name_that_two_bear_stores_nothing_unless_one_of_them_was_chosen(guild: TalkingGuild) -> None:
    two = [replace(one, nickname="Sam") for one in await guild.keepsake.directory.members(GUILD_ID)]
    await guild.keepsake.directory.put_members(
        [one for one in two if one.user_id in {ALICE, NAMES["gruzilkin"]}]
    )
    said = await remember(guild, "bob", "Sam likes tea")
    assert said.text.startswith("Several members are called Sam.")
    assert said.undo_ids == ()
    await remember(guild, "bob", "Sam likes tea", about="gruzilkin")
    assert await shown(guild, "gruzilkin") == ["bob says Sam likes tea"]
    assert await shown(guild, "alice") == []


async def test_the_same_command_given_again_stores_once_and_says_the_same(guild: TalkingGuild) -> None:
    use_cases = desk_of(guild)
    here = visit(guild, "alice")
    first = await use_cases.remember(here, None, "I like pizza")
    assert await use_cases.remember(here, None, "I like pizza") == first
    assert await shown(guild, "alice") == ["alice likes pizza"]
    anew = await use_cases.remember(visit(guild, "alice"), None, "I like pizza")
    assert (anew.text, anew.undo_ids) == ("I have that already: alice likes pizza.", ())
    await use_cases.undo(here, first.undo_ids)
    again = await use_cases.remember(here, None, "I like pizza")
    assert again.undo_ids == ()
    assert await shown(guild, "alice") == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "What should I remember?"),
        ("  \n ", "What should I remember?"),
        ("!?", "What should I remember?"),
        ("I like " + "x" * 600, "characters long, and one memory holds 500 at most"),
        ("I like " + "x" * 6_000, "characters long, and one memory holds 500 at most"),
        ("\x00", "What should I remember?"),
    ],
)
@pytest.mark.parametrize("about", [None, "alice"])
async def test_nothing_and_too_much_are_refused_in_one_sentence(
    guild: TalkingGuild, text: str, sentence: str, about: str | None
) -> None:
    said = await remember(guild, "alice", text, about=about)
    assert sentence in said.text
    assert await shown(guild, "alice") == []


async def test_text_that_no_database_holds_is_stored_without_it(guild: TalkingGuild) -> None:
    await remember(guild, "alice", "I like\x00 pizza\ud800")
    (line,) = await shown(guild, "alice")
    assert line.startswith("alice likes")
    assert "\x00" not in line


async def test_a_message_is_remembered_in_its_writers_name_and_place(guild: TalkingGuild) -> None:
    use_cases = desk_of(guild)
    await guild.say("alice", "I am flying to Rome on 3 May")
    said = guild.last
    assert said is not None
    here = visit(guild, "bob")
    stored = await use_cases.remember_message(here, said.message_id)
    assert stored.text.startswith("Remembered: alice is flying to Rome on 3 May")
    assert await use_cases.remember_message(here, said.message_id) == stored
    (line,) = (await use_cases.show(visit(guild, "bob"), ALICE)).lines
    assert (line.message_id, line.channel_id) == (said.message_id, said.channel_id)
    assert line.text.startswith("alice is flying to Rome")
    await use_cases.undo(visit(guild, "bob"), stored.undo_ids)
    assert await shown(guild, "alice") != []
    await use_cases.undo(visit(guild, "bob"), stored.undo_ids, asked_in=here.interaction_id)
    assert await shown(guild, "alice") == []


async def test_a_message_that_cannot_be_seen_here_or_says_nothing_is_not_remembered(
    guild: TalkingGuild,
) -> None:
    use_cases = desk_of(guild)
    await guild.say("alice", "I want to quit", channel_id=MODS)
    secret = guild.last
    await guild.say("alice", "beep", kind=MessageKind.BOT)
    beep = guild.last
    await guild.say("alice", "Bot, what do you know about me?")
    answer = guild.answer
    assert secret is not None
    assert beep is not None
    assert answer is not None
    not_heard = await use_cases.remember_message(visit(guild, "bob"), secret.message_id)
    assert not_heard.text.startswith("I have not heard that message")
    assert (await use_cases.remember_message(visit(guild, "bob"), 5)).text == not_heard.text
    for message in (beep, answer):
        refused = await use_cases.remember_message(visit(guild, "bob"), message.message_id)
        assert refused.text.startswith("There is nothing here that I could remember.")
    assert await shown(guild, "alice", channel_id=MODS) == []
    await use_cases.remember_message(visit(guild, "bob", channel_id=MODS), secret.message_id)
    assert await shown(guild, "alice", channel_id=MODS) == ["alice wants to quit"]
    assert await shown(guild, "alice") == []


async def test_things_about_others_are_remembered_for_whom_the_managers_allow(guild: TalkingGuild) -> None:
    use_cases = desk_of(guild)
    await guild.say("alice", "I sold my car")
    message = guild.last
    assert message is not None
    for who, of_bob, of_moderator in (
        (RememberingOthers.NOBODY, False, False),
        (RememberingOthers.MODERATORS, False, True),
        (RememberingOthers.EVERYONE, True, True),
    ):
        known = await guild.keepsake.directory.guild(GUILD_ID)
        assert known is not None
        await guild.keepsake.directory.change_guild(known, replace(known, remembering_others=who))
        for here, may in ((visit(guild, "bob"), of_bob), (moderator(guild), of_moderator)):
            for said in (
                await use_cases.remember(here, ALICE, "likes tea"),
                await use_cases.remember(here, None, "alice likes rain"),
                await use_cases.remember_message(
                    replace(here, interaction_id=here.interaction_id + 1), message.message_id
                ),
            ):
                assert said.text.startswith("Remembered: ") is may, (who, said.text)
                await use_cases.undo(moderator(guild), said.undo_ids)
        own = await use_cases.remember(visit(guild, "bob"), None, "I like beer")
        assert own.text == "Remembered: bob likes beer."
        await use_cases.undo(visit(guild, "bob"), own.undo_ids)


async def test_undo_is_for_teller_subject_and_moderators_and_brings_back_what_was_before(
    guild: TalkingGuild,
) -> None:
    use_cases = desk_of(guild)
    await remember(guild, "alice", "my name is Ann")
    second = await remember(guild, "alice", "my name is Eve")
    refused = await use_cases.undo(visit(guild, "bob"), second.undo_ids)
    assert refused.text.startswith("Only who told me that")
    undone = await use_cases.undo(visit(guild, "alice"), second.undo_ids)
    assert (
        undone.text
        == "Taken back, and no longer kept: alice's name is Eve.\nThis holds again: alice's name is Ann."
    )
    assert await shown(guild, "alice") == ["alice's name is Ann"]
    assert (await use_cases.undo(visit(guild, "alice"), second.undo_ids)).text.startswith(
        "That is already undone"
    )
    closed = await remember(guild, "alice", "I want to quit", channel_id=MODS)
    elsewhere = await use_cases.undo(visit(guild, "alice"), closed.undo_ids)
    assert elsewhere.text.startswith("That is already undone")
    assert await shown(guild, "alice", channel_id=MODS) == ["alice's name is Ann", "alice wants to quit"]
