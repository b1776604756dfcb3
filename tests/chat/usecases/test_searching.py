"""Searching by form: what is found is shown with its author, its time and where it was said."""

from dataclasses import replace
from datetime import timedelta

from bot.db.pool import Database
from tests.chat.guild import GAMES, GENERAL, GUILD_ID, MODS, TalkingGuild
from tests.chat.usecases.visits import desk_of, remember, visit
from tests.memory.summaries.episodes.kept import keep


async def test_messages_facts_and_past_talks_are_found_together(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "this cello is out of tune")
    said = guild.last
    await remember(guild, "bob", "I own a cello")
    await keep(database, "They sold a cello.", guild_id=GUILD_ID, channel_id=GAMES, number=2)
    found = await desk_of(guild).search(visit(guild, "gruzilkin"), " cello ")
    assert found.title == "What I found about “cello”:"
    by_text = {line.text: line for line in found.lines}
    assert by_text.keys() == {
        "alice: this cello is out of tune",
        "noted: bob owns a cello",
        "a past talk: They sold a cello.",
    }
    assert said is not None
    message = by_text["alice: this cello is out of tune"]
    fact = by_text["noted: bob owns a cello"]
    talk = by_text["a past talk: They sold a cello."]
    assert (message.channel_id, message.message_id, message.said_at) == (
        GENERAL,
        said.message_id,
        said.timestamp,
    )
    assert (fact.is_forgettable, fact.message_id) == (True, 0)
    assert (talk.channel_id, talk.message_id, talk.fact_id) == (GAMES, 200, 0)


async def test_as_many_are_shown_as_are_wanted_and_none_of_a_closed_channel(guild: TalkingGuild) -> None:
    for number in range(6):
        await guild.say("alice", f"ramen number {number}", after=timedelta(hours=1))
    await guild.say("alice", "secret ramen", channel_id=MODS)
    use_cases = desk_of(guild)
    assert len((await use_cases.search(visit(guild, "bob"), "ramen", limit=4)).lines) == 4
    assert len((await use_cases.search(visit(guild, "bob"), "ramen")).lines) == 6
    assert len((await use_cases.search(visit(guild, "bob", channel_id=MODS), "ramen")).lines) == 7


async def test_what_finds_nothing_says_so_in_the_language_of_the_form(guild: TalkingGuild) -> None:
    use_cases = desk_of(guild)
    nothing = await use_cases.search(visit(guild, "bob", russian=True), "ramen")
    assert (nothing.title, nothing.lines) == ("Среди сказанного здесь ничего о «ramen» не нашлось.", ())
    assert (await use_cases.search(visit(guild, "bob"), " \n")).title.startswith("What should I search for?")
    here = replace(visit(guild, "bob"), visitor=True)
    assert (await use_cases.search(here, "ramen")).title.startswith("Memories are for the members")
