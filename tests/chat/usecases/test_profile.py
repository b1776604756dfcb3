"""A member's own profile by form: theirs to read, to take a sentence out of, and to switch off."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.chat.usecases.showing import LONGEST_LABEL
from bot.db.pool import Database
from bot.memory.profiles import repository as profiles_repository
from bot.memory.profiles.repository import Profile
from tests.chat.guild import GUILD_ID, MODS, NAMES, TalkingGuild
from tests.chat.usecases.visits import desk_of, remember, visit

ALICE, BOB = NAMES["alice"], NAMES["bob"]
BOATS, TEA = f"<@{ALICE}> builds boats with <@{BOB}>.", "She prefers green tea in the mornings."


async def put(
    database: Database, content: str, *, guild_id: int = GUILD_ID, version: int = 1, day: int = 1
) -> None:
    """Let something have been learned of alice."""
    profile = Profile(
        guild_id=guild_id,
        user_id=ALICE,
        version=version,
        content=content,
        covers_up_to=1,
        learned_at=datetime(2026, 3, day, tzinfo=UTC),
    )
    await database.write(profiles_repository.add_version, profile, memory_epoch=0)


@pytest.fixture
async def known(guild: TalkingGuild, database: Database) -> TalkingGuild:
    await put(database, f"{BOATS} {TEA}")
    return guild


async def test_a_member_reads_their_own_profile_with_todays_names(known: TalkingGuild) -> None:
    shown = await desk_of(known).profile(visit(known, "alice", channel_id=MODS))
    assert shown.text.splitlines() == [
        "What I learned about you from what we talked about:",
        "1. alice builds boats with bob.",
        "2. She prefers green tea in the mornings.",
        "Last told anew on this server on 2026-03-01.",
        "I learn from our talks in open channels. You can have a sentence removed for good, or switch learning off.",
    ]
    russian = await desk_of(known).profile(visit(known, "alice", russian=True))
    assert russian.title == "Вот что стало понятно о вас из наших разговоров:"


async def test_it_says_when_it_was_last_told_anew_and_what_changed_then(
    known: TalkingGuild, database: Database
) -> None:
    await put(database, f"{TEA} She moved to a boat. <@{BOB}> helped.", version=2, day=5)
    alice = visit(known, "alice")
    changed = (await desk_of(known).profile(alice)).below.splitlines()[:-1]
    assert changed == [
        "Last told anew on this server on 2026-03-05.",
        "New since the version before: She moved to a boat. bob helped.",
        "No longer said: alice builds boats with bob.",
    ]
    # What is removed leaves every version, so that no difference tells of it.
    (moved,) = await desk_of(known).sentences(alice, "moved")
    await desk_of(known).delete_sentence(alice, moved.key)
    assert "boat." not in (await desk_of(known).profile(alice)).below
    russian = (await desk_of(known).profile(visit(known, "alice", russian=True))).below
    assert russian.splitlines()[0] == "Последний раз пересказано на этом сервере: 2026-03-05."


async def test_a_version_that_says_the_same_as_before_has_changed_nothing(
    known: TalkingGuild, database: Database
) -> None:
    await put(database, f"{BOATS}  {TEA}", version=2, day=5)
    below = (await desk_of(known).profile(visit(known, "alice"))).below
    assert below.splitlines()[0] == (
        "Last told anew on this server on 2026-03-05; it says the same as before."
    )


async def test_of_many_changes_the_first_are_told(known: TalkingGuild, database: Database) -> None:
    sentences = " ".join(f"She knows the name of star number {number}." for number in range(6))
    await put(database, f"{BOATS} {TEA} {sentences}", version=2, day=5)
    below = (await desk_of(known).profile(visit(known, "alice"))).below
    assert below.splitlines()[1].endswith("star number 2. (+3)")
    # Nobody else is told of it.
    assert "star" not in (await desk_of(known).profile(visit(known, "bob"))).below


async def test_nobody_is_shown_what_was_learned_of_somebody_else(known: TalkingGuild) -> None:
    nothing = await desk_of(known).profile(visit(known, "bob"))
    assert (nothing.title, nothing.lines) == ("I have learned nothing about you from our talks yet.", ())
    about_alice = await desk_of(known).show(visit(known, "bob"), ALICE)
    assert about_alice.profile == ""
    assert "boats" not in about_alice.title


@pytest.mark.parametrize("has_facts", [True, False])
async def test_it_stands_below_what_a_member_is_shown_about_themselves(
    known: TalkingGuild, has_facts: bool
) -> None:
    if has_facts:
        await remember(known, "alice", "I like pizza")
    shown = await desk_of(known).show(visit(known, "alice"), ALICE)
    told = "\n".join([shown.title, *(line.text for line in shown.lines), shown.profile]).rstrip()
    assert told.endswith(
        "What I learned from our talks:\nalice builds boats with bob. She prefers green tea in the mornings."
    )
    assert ("alice likes pizza" in told) == has_facts


async def test_a_sentence_is_chosen_from_a_list_and_removed(known: TalkingGuild) -> None:
    use_cases, alice = desk_of(known), visit(known, "alice")
    assert [one.text for one in await use_cases.sentences(alice, "GREEN she")] == [TEA]
    assert [len(await use_cases.sentences(alice, "", limit=limit)) for limit in (1, 25)] == [1, 2]
    (tea,) = await use_cases.sentences(alice, "tea")
    assert await use_cases.sentences(visit(known, "bob"), "tea") == []
    not_theirs = await use_cases.delete_sentence(visit(known, "bob"), tea.key)
    assert not_theirs.text == "That sentence is not there any more; nothing was removed."
    removed = await use_cases.delete_sentence(alice, tea.key)
    assert removed.text == "Removed: that sentence is gone for good from what I learned about you."
    assert (await use_cases.delete_sentence(alice, tea.key)).text == not_theirs.text
    assert [one.text for one in (await use_cases.profile(alice)).lines] == ["alice builds boats with bob."]


async def test_a_long_sentence_is_offered_by_a_label_that_fits(
    guild: TalkingGuild, database: Database
) -> None:
    await put(database, "She likes " + "very " * 60 + "hot soup.")
    (offered,) = await desk_of(guild).sentences(visit(guild, "alice"), "")
    assert len(offered.text) <= LONGEST_LABEL
    removed = await desk_of(guild).delete_sentence(visit(guild, "alice"), offered.key)
    assert removed.text.startswith("Removed")


async def test_learning_is_switched_off_and_on_by_whom_it_is_about(known: TalkingGuild) -> None:
    use_cases, alice = desk_of(known), visit(known, "alice")
    off = await use_cases.switch_learning(alice, on=False)
    assert off.text.startswith("From now on I learn nothing from our talks.")
    assert "I learn nothing from our talks, as you wished." in (await use_cases.profile(alice)).below
    assert (await use_cases.profile(visit(known, "bob"))).below.startswith("I learn from our talks")
    on = await use_cases.switch_learning(alice, on=True)
    assert on.text == "From now on I learn from our talks in open channels."
    assert "I learn from our talks" in (await use_cases.profile(alice)).below


async def test_in_a_direct_message_it_is_the_profile_of_the_guilds_shared(known: TalkingGuild) -> None:
    await known.say("alice", "hello", direct=True)
    direct = replace(visit(known, "alice"), guild_id=9_000 + ALICE, channel_id=9_000 + ALICE, direct=True)
    use_cases = desk_of(known)
    assert len((await use_cases.profile(direct)).lines) == 2
    (tea,) = await use_cases.sentences(direct, "tea")
    assert (await use_cases.delete_sentence(direct, tea.key)).text.startswith("Removed")
    await use_cases.switch_learning(direct, on=False)
    here = await use_cases.profile(visit(known, "alice"))
    assert len(here.lines) == 1
    assert here.below.splitlines()[-1].startswith("I learn nothing")


async def test_a_visitor_gets_one_sentence_and_changes_nothing(known: TalkingGuild) -> None:
    use_cases = desk_of(known)
    here = replace(visit(known, "alice"), visitor=True)
    (tea,) = await use_cases.sentences(visit(known, "alice"), "tea")
    assert await use_cases.sentences(here, "") == []
    said = [
        (await use_cases.profile(here)).text.strip(),
        (await use_cases.delete_sentence(here, tea.key)).text,
        (await use_cases.switch_learning(here, on=False)).text,
    ]
    assert len(set(said)) == 1
    assert said[0].startswith("Memories are for the members of this server")
    assert len((await use_cases.profile(visit(known, "alice"))).lines) == 2


async def test_who_is_not_known_yet_has_nothing_to_switch(guild: TalkingGuild) -> None:
    stranger = replace(visit(guild, "alice"), user_id=4_242)
    assert (await desk_of(guild).switch_learning(stranger, on=False)).text.startswith("I do not know you")
    assert (await desk_of(guild).profile(stranger)).lines == ()
