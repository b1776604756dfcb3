"""Why?: what an answer rests on is listed as far as its reader may see it, and can be forgotten or disowned there."""

from dataclasses import replace

from tests.chat.guild import GAMES, MODS, NAMES, TalkingGuild
from tests.chat.usecases.visits import desk_of, moderator, remember, shown, visit


async def told(guild: TalkingGuild, question: str, *, asker: str = "bob", channel_id: int = GAMES) -> int:
    """Ask the bot something and return the message with which it answered."""
    await guild.say(asker, question, channel_id=channel_id)
    assert guild.answer is not None
    return guild.answer.message_id


async def test_each_fact_says_who_told_it_where_and_what_may_be_done_about_it(guild: TalkingGuild) -> None:
    await guild.say("bob", "Bot, remember that @alice plays the cello")
    said = guild.last
    message_id = await told(guild, "Bot, what do you know about alice?")
    assert said is not None
    for asker, is_own in (("alice", True), ("bob", False)):
        found = await desk_of(guild).why(visit(guild, asker, channel_id=GAMES), message_id)
        (line,) = found.lines
        assert found.title == "That answer rests on this:"
        assert (line.text, line.message_id) == ("bob says alice plays the cello", said.message_id)
        assert (line.is_forgettable, line.is_own) == (True, is_own)


async def test_a_message_that_was_quoted_is_listed_and_is_no_fact(guild: TalkingGuild) -> None:
    await guild.say("alice", "the bakery sells sourdough")
    message_id = await told(guild, "Bot, when did we talk about sourdough?")
    (line,) = (await desk_of(guild).why(visit(guild, "bob"), message_id)).lines
    assert (line.text, line.fact_id) == ("alice", 0)
    assert line.message_id
    (own,) = (await desk_of(guild).why(visit(guild, "alice"), message_id)).lines
    assert own.text == "alice: the bakery sells sourdough"
    assert not (line.is_forgettable or line.is_own)


async def test_what_was_disowned_leaves_the_list_and_the_rest_stays(guild: TalkingGuild) -> None:
    await remember(guild, "bob", "plays the cello", about="alice")
    await remember(guild, "bob", "collects stamps", about="alice")
    message_id = await told(guild, "Bot, what do you know about alice?")
    use_cases, own = desk_of(guild), visit(guild, "alice")
    lines = (await use_cases.why(own, message_id)).lines
    cello = next(line for line in lines if "cello" in line.text)
    assert (await use_cases.disown(visit(guild, "bob"), cello.fact_id)).text.startswith(
        "That is not kept about you"
    )
    assert len((await use_cases.why(own, message_id)).lines) == 2
    assert (await use_cases.disown(own, cello.fact_id)).text.startswith("Taken off you")
    assert [line.text for line in (await use_cases.why(own, message_id)).lines] == [
        "bob says alice collects stamps"
    ]
    assert await shown(guild, "alice") == ["bob says alice collects stamps"]
    assert (await use_cases.disown(own, cello.fact_id)).text.startswith("That is not here (any more)")


async def test_forgetting_from_the_list_is_for_who_may(guild: TalkingGuild) -> None:
    await remember(guild, "bob", "plays the cello", about="alice")
    message_id = await told(guild, "Bot, what do you know about alice?")
    use_cases = desk_of(guild)
    (line,) = (await use_cases.why(visit(guild, "gruzilkin"), message_id)).lines
    refused = await use_cases.forget(visit(guild, "gruzilkin"), line.fact_id)
    assert refused.text.startswith("Only who told it")
    assert (await use_cases.forget(moderator(guild), line.fact_id)).text.startswith("Forgotten")
    assert (await use_cases.why(visit(guild, "alice"), message_id)).lines == ()


async def test_what_belongs_to_a_closed_channel_is_neither_shown_nor_touched_elsewhere(
    guild: TalkingGuild,
) -> None:
    await remember(guild, "alice", "I want to quit", channel_id=MODS)
    message_id = await told(guild, "Bot, what do you know about alice?", channel_id=MODS)
    use_cases = desk_of(guild)
    (line,) = (await use_cases.why(visit(guild, "alice", channel_id=MODS), message_id)).lines
    elsewhere = await use_cases.why(visit(guild, "alice"), message_id)
    assert (elsewhere.title, elsewhere.lines) == ("That is no answer of mine that I could explain.", ())
    assert (await use_cases.disown(visit(guild, "alice"), line.fact_id)).text.startswith("That is not here")
    assert await shown(guild, "alice", channel_id=MODS) == ["alice wants to quit"]


async def test_only_answers_of_the_bot_can_be_explained_and_only_to_members(guild: TalkingGuild) -> None:
    await guild.say("alice", "hello")
    assert guild.last is not None
    use_cases = desk_of(guild)
    for message_id in (guild.last.message_id, 12345):
        found = await use_cases.why(visit(guild, "bob"), message_id)
        assert (found.title, found.lines) == ("That is no answer of mine that I could explain.", ())
    message_id = await told(guild, "Bot, what do you know about alice?")
    here = replace(visit(guild, "bob"), visitor=True)
    assert (await use_cases.why(here, message_id)).title.startswith("Memories are for the members")
    assert (await use_cases.disown(here, 1)).text.startswith("Memories are for the members")


async def test_in_private_the_members_own_facts_from_guilds_shared_are_listed_and_disowned(
    guild: TalkingGuild,
) -> None:
    await remember(guild, "bob", "plays the cello", about="alice")
    await guild.say("alice", "what do you know about me?", direct=True)
    answer = guild.answer
    assert answer is not None
    room = 9_000 + NAMES["alice"]
    own = replace(visit(guild, "alice"), guild_id=room, channel_id=room, direct=True)
    (line,) = (await desk_of(guild).why(own, answer.message_id)).lines
    assert (line.text, line.is_own) == ("bob says alice plays the cello", True)
    assert (await desk_of(guild).disown(own, line.fact_id)).text.startswith("Taken off you")
    assert await shown(guild, "alice") == []
