"""What is known is shown as far as it may be seen, with who told it and where, under today's names."""

from dataclasses import replace

import pytest

from bot.chat.commands import COMMANDS
from bot.chat.usecases.context import FormReply, RequestContext
from bot.chat.usecases.options import Given
from bot.chat.usecases.showing import LONGEST_LABEL
from bot.chat.usecases.usecases import UseCases
from bot.core.domain import GUILD_SUBJECT, Member
from tests.chat.guild import BOT_ID, GENERAL, GUILD_ID, MODS, NAMES, TalkingGuild
from tests.chat.usecases.visits import desk_of, moderator, remember, shown, visit

ALICE = NAMES["alice"]


@pytest.mark.smoke
async def test_the_important_and_new_come_first_each_with_its_teller_and_its_message(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    said = guild.last
    assert said is not None
    await guild.say("alice", "Bot, remember that my name is Alicia")
    await guild.say("bob", "Bot, remember that alice plays the cello")
    await remember(guild, "alice", "I live in Lyon")
    found = await desk_of(guild).show(visit(guild, "bob"), ALICE)
    assert found.title == "What I know about alice:"
    assert [line.text for line in found.lines] == [
        "alice's name is Alicia",
        "alice lives in Lyon",
        "bob says alice plays the cello",
        "alice likes pizza",
    ]
    by_words, by_form = found.lines[3], found.lines[1]
    assert (by_words.channel_id, by_words.message_id, by_words.said_at) == (
        GENERAL,
        said.message_id,
        said.timestamp,
    )
    assert (by_form.channel_id, by_form.message_id) == (0, 0)


async def test_the_guild_itself_is_a_subject_too(guild: TalkingGuild) -> None:
    nothing = await desk_of(guild).show(visit(guild, "bob"), GUILD_SUBJECT)
    assert (nothing.title, nothing.lines) == ("I have nothing noted about this server yet.", ())
    await remember(guild, "alice", "movie night is at nine")
    assert await shown(guild, None) == ["alice says movie night is at nine"]
    russian = await desk_of(guild).show(visit(guild, "bob", russian=True), GUILD_SUBJECT)
    assert russian.title == "Что я знаю об этом сервере:"


async def test_a_member_of_whom_nothing_is_known_is_shown_what_they_said_and_others_how_much(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "hello")
    to_others = await desk_of(guild).show(visit(guild, "bob"), ALICE)
    assert to_others.title.splitlines() == [
        "I have nothing noted about alice yet.",
        "alice has written 1 message here since 2026-03-01.",
    ]
    found = await desk_of(guild).show(visit(guild, "alice"), ALICE)
    assert found.lines == ()
    assert found.title.splitlines()[:2] == [
        "I have nothing noted about alice yet.",
        "alice has written 1 message here since 2026-03-01. The latest:",
    ]
    assert "hello" in found.title


async def test_what_was_said_in_a_closed_channel_is_shown_there_alone(guild: TalkingGuild) -> None:
    await remember(guild, "alice", "I like pizza")
    await remember(guild, "alice", "I want to quit", channel_id=MODS)
    assert await shown(guild, "alice", channel_id=MODS) == ["alice wants to quit", "alice likes pizza"]
    assert await shown(guild, "alice") == ["alice likes pizza"]
    assert await shown(guild, "alice", asker="alice") == ["alice likes pizza"]


async def test_nobody_is_shown_under_a_name_that_they_gave_up(guild: TalkingGuild) -> None:
    await remember(guild, "bob", "alice plays the cello")
    await guild.keepsake.directory.put_members(
        [
            Member(guild_id=GUILD_ID, user_id=ALICE, user_name="alice", nickname="Alex"),
            Member(guild_id=GUILD_ID, user_id=NAMES["bob"], user_name="robert", nickname="Rob"),
        ]
    )
    assert await shown(guild, "alice") == ["Rob says Alex plays the cello"]
    (choice,) = await desk_of(guild).choices(visit(guild, "bob"), ALICE, "")
    assert choice.text == "[2026-03-01] Rob says Alex plays the cello"


async def test_a_direct_message_shows_its_members_own_open_facts_from_the_guilds_shared(
    guild: TalkingGuild,
) -> None:
    await remember(guild, "alice", "I like pizza")
    await remember(guild, "alice", "I want to quit", channel_id=MODS)
    await remember(guild, "bob", "I like tea")
    await guild.say("alice", "hello", direct=True)
    own = replace(visit(guild, "alice"), guild_id=9_000 + ALICE, channel_id=9_000 + ALICE, direct=True)
    found = await desk_of(guild).show(own, ALICE)
    assert [(line.text, line.guild_id) for line in found.lines] == [("alice likes pizza", GUILD_ID)]
    assert (await desk_of(guild).show(own, NAMES["bob"])).lines == ()
    removed = await desk_of(guild).forget(own, found.lines[0].fact_id)
    assert removed.text == "Forgotten: I removed 1 fact."
    assert await shown(guild, "alice") == []


async def test_the_bot_keeps_no_memories_about_itself(guild: TalkingGuild) -> None:
    use_cases = desk_of(guild)
    about_itself = "I keep no memories about myself."
    assert (await use_cases.show(visit(guild, "bob"), BOT_ID)).title.startswith(about_itself)
    for subject_id, text in ((BOT_ID, "is kind"), (None, "you are kind"), (None, f"<@{BOT_ID}> is kind")):
        said = await use_cases.remember(visit(guild, "bob"), subject_id, text)
        assert said.text.startswith(about_itself), text
    assert await shown(guild, None) == []


async def test_a_visitor_gets_one_sentence_and_no_memory_changes_hands(guild: TalkingGuild) -> None:
    await remember(guild, "alice", "I like pizza")
    await guild.say("alice", "I sold my car")
    heard = guild.last
    assert heard is not None
    use_cases = desk_of(guild)
    (known,) = (await use_cases.show(visit(guild, "alice"), ALICE)).lines
    here = replace(moderator(guild, "alice"), visitor=True)
    answers = [
        FormReply((await use_cases.show(here, ALICE)).title),
        await use_cases.remember(here, None, "I like tea"),
        await use_cases.forget(here, known.fact_id),
        await use_cases.remember_message(here, heard.message_id),
        await use_cases.forget_message(here, heard.message_id),
        await use_cases.undo(here, [known.fact_id]),
    ]
    assert len({answer.text for answer in answers}) == 1
    assert answers[0].text.startswith("Memories are for the members of this server")
    assert await use_cases.choices(here, ALICE, "") == []
    assert await shown(guild, "alice") == ["alice likes pizza"]


@pytest.fixture
async def known(guild: TalkingGuild) -> UseCases:
    """Use cases in a guild where something is known of alice, told by her and by bob."""
    await remember(guild, "alice", "I like pizza with pineapple")
    await remember(guild, "bob", "plays the cello in a quartet", about="alice")
    await remember(guild, "alice", "I want to quit", channel_id=MODS)
    await remember(guild, "bob", "movie night is at nine")
    await remember(guild, "bob", "I collect stamps")
    return desk_of(guild)


async def test_offered_are_the_facts_that_hold_the_words_typed_and_that_the_visitor_may_have_forgotten(
    guild: TalkingGuild, known: UseCases
) -> None:
    async def offered(here: RequestContext, subject_id: int | None, typed: str = "") -> set[str]:
        return {choice.text.partition("] ")[2] for choice in await known.choices(here, subject_id, typed)}

    pizza, cello = "alice likes pizza with pineapple", "bob says alice plays the cello in a quartet"
    alice, bob, florent = (visit(guild, name) for name in ("alice", "bob", "florent"))
    assert await offered(alice, ALICE) == {pizza, cello}
    assert await offered(alice, ALICE, "PINE likes") == {pizza}
    assert await offered(alice, ALICE, "2026-03-01 quartet") == {cello}
    assert await offered(alice, ALICE, "pizza quartet") == set()
    assert await offered(bob, ALICE) == {cello}
    assert await offered(florent, ALICE) == set()
    assert await offered(moderator(guild), ALICE) == {pizza, cello}
    assert await offered(visit(guild, "alice", channel_id=MODS), ALICE, "quit") == {"alice wants to quit"}
    assert await offered(bob, None) == {"bob collects stamps", "bob says movie night is at nine"}
    assert len(await known.choices(alice, ALICE, "", limit=1)) == 1


async def test_a_long_fact_is_offered_by_a_label_that_fits(guild: TalkingGuild) -> None:
    await remember(guild, "alice", "I like " + "very " * 60 + "hot soup")
    (choice,) = await desk_of(guild).choices(visit(guild, "alice"), ALICE, "soup")
    assert len(choice.text) <= LONGEST_LABEL
    assert choice.text.startswith("[2026-03-01] alice likes very")
    assert choice.text.endswith("…")


async def test_a_guild_that_is_not_known_yet_is_no_error(guild: TalkingGuild) -> None:
    here = replace(visit(guild, "alice"), guild_id=4_242)
    assert (await desk_of(guild).show(here, GUILD_SUBJECT)).lines == ()
    told = await COMMANDS["help"].handle(desk_of(guild), here, Given())
    assert isinstance(told, FormReply)
    assert told.text
