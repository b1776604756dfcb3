"""What is forgotten by form is gone as after "forget that ...", for those who may, and nothing of it is quoted."""

from bot.core.domain import RedactionReason
from tests.chat.guild import GUILD_ID, MODS, NAMES, TalkingGuild
from tests.chat.usecases.visits import desk_of, moderator, remember, shown, visit

ALICE = NAMES["alice"]


async def the_fact(guild: TalkingGuild, *, channel_id: int) -> int:
    here = visit(guild, "alice", channel_id=channel_id)
    (line,) = (await desk_of(guild).show(here, ALICE)).lines
    return line.fact_id


async def test_a_fact_goes_for_its_teller_its_subject_and_moderators_and_nobody_else(
    guild: TalkingGuild,
) -> None:
    use_cases = desk_of(guild)
    for here, goes in (
        (visit(guild, "florent"), False),
        (visit(guild, "alice"), True),
        (visit(guild, "bob"), True),
        (moderator(guild), True),
    ):
        await remember(guild, "bob", "plays the cello", about="alice")
        fact_id = next(line.fact_id for line in (await use_cases.show(here, ALICE)).lines)
        said = await use_cases.forget(here, fact_id)
        assert "cello" not in said.text
        assert said.text.startswith("Forgotten: I removed 1 fact." if goes else "Only who told it")
        assert bool(await shown(guild, "alice")) is not goes


async def test_with_a_fact_goes_what_said_it_and_what_told_it(guild: TalkingGuild) -> None:
    await guild.say("alice", "I like pizza with pineapple")
    before = guild.last
    await guild.say("alice", "Bot, remember that I like pizza with pineapple")
    command = guild.last
    confirmation = guild.answer
    (line,) = (await desk_of(guild).show(visit(guild, "alice"), ALICE)).lines
    said = await desk_of(guild).forget(visit(guild, "alice", russian=True), line.fact_id)
    assert said.text == "Готово, удалено: 1 факт."
    for message in (before, command, confirmation):
        assert message is not None
        kept = await guild.keepsake.library.message(guild_id=GUILD_ID, message_id=message.message_id)
        assert kept is not None
        assert (kept.text, kept.withheld) == ("", RedactionReason.FORGOTTEN)


async def test_what_is_forgotten_by_form_is_gone_though_it_came_by_form(guild: TalkingGuild) -> None:
    first = await remember(guild, "alice", "my name is Ann")
    second = await remember(guild, "alice", "my name is Eve")
    said = await desk_of(guild).forget(visit(guild, "alice"), second.undo_ids[0])
    assert said.text == "Forgotten: I removed 1 fact."
    assert await shown(guild, "alice") == []
    kept = await guild.keepsake.memory.facts_with_ids(
        guild_id=GUILD_ID, fact_ids=[*first.undo_ids, *second.undo_ids]
    )
    assert [(fact.content, fact.raw_content) for fact in kept] == [("", ""), ("", "")]


async def test_a_fact_of_a_closed_channel_is_forgotten_there_alone(guild: TalkingGuild) -> None:
    await remember(guild, "alice", "I want to quit", channel_id=MODS)
    fact_id = await the_fact(guild, channel_id=MODS)
    use_cases = desk_of(guild)
    for here in (visit(guild, "alice"), moderator(guild)):
        assert (await use_cases.forget(here, fact_id)).text.startswith("That is not here")
    there = visit(guild, "alice", channel_id=MODS)
    assert (await use_cases.forget(there, fact_id)).text == "Forgotten: I removed 1 fact."
    assert (await use_cases.forget(there, fact_id)).text.startswith("That is not here")
    assert (await use_cases.forget(there, 2**63 - 1)).text.startswith("That is not here")


async def test_a_message_takes_the_facts_that_it_told_along(guild: TalkingGuild) -> None:
    use_cases = desk_of(guild)
    await guild.say("alice", "Bot, remember that I like pizza with pineapple")
    command, confirmation = guild.last, guild.answer
    assert command is not None
    assert confirmation is not None
    stranger = await use_cases.forget_message(visit(guild, "florent"), command.message_id)
    assert not stranger.text.startswith("Forgotten")
    assert await shown(guild, "alice") == ["alice likes pizza with pineapple"]
    said = await use_cases.forget_message(visit(guild, "alice"), confirmation.message_id)
    assert said.text == "Forgotten: I removed 1 fact."
    kept = await guild.keepsake.library.message(guild_id=GUILD_ID, message_id=command.message_id)
    assert kept is not None
    assert kept.withheld is RedactionReason.FORGOTTEN


async def test_a_message_without_facts_loses_its_text_for_its_writer_and_moderators(
    guild: TalkingGuild,
) -> None:
    use_cases = desk_of(guild)
    for here, goes in (
        (visit(guild, "bob"), False),
        (visit(guild, "alice"), True),
        (moderator(guild), True),
    ):
        await guild.say("alice", "I sold my car yesterday")
        message = guild.last
        assert message is not None
        said = await use_cases.forget_message(here, message.message_id)
        assert "car" not in said.text
        kept = await guild.keepsake.library.message(guild_id=GUILD_ID, message_id=message.message_id)
        assert kept is not None
        assert (kept.withheld is RedactionReason.FORGOTTEN) is goes, said.text


async def test_a_message_that_cannot_be_seen_here_is_not_forgotten(guild: TalkingGuild) -> None:
    await guild.say("alice", "I want to quit", channel_id=MODS)
    secret = guild.last
    assert secret is not None
    said = await desk_of(guild).forget_message(moderator(guild), secret.message_id)
    assert said.text.startswith("I have not heard that message")
    kept = await guild.keepsake.library.message(guild_id=GUILD_ID, message_id=secret.message_id)
    assert kept is not None
    assert kept.withheld is None
