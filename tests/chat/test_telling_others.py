"""Asking about somebody else: what was said openly and what they did, never a dossier; private members not at all."""

from dataclasses import replace

import pytest

from bot.core.domain import DisclosurePolicy, Language
from bot.db.pool import Database
from bot.memory.profiles import repository as profiles_repository
from bot.memory.profiles.repository import Profile
from bot.text.sentences import say
from tests.chat.guild import GAMES, GENERAL, GUILD_ID, NAMES, TalkingGuild
from tests.chat.usecases.visits import desk_of, moderator
from tests.memory.summaries.episodes.kept import keep
from tests.scripted_models import ScriptedModels

ALICE = NAMES["alice"]


async def set_telling(guild: TalkingGuild, telling: DisclosurePolicy) -> None:
    known = await guild.keepsake.directory.guild(GUILD_ID)
    assert known is not None
    await guild.keepsake.directory.change_guild(known, replace(known, telling_others=telling))


async def be_private(guild: TalkingGuild, name: str, *, private: bool = True) -> None:
    await guild.keepsake.memory.consent.set_private(guild_id=GUILD_ID, user_id=NAMES[name], private=private)


async def ask(guild: TalkingGuild, by: str, *, moderator: bool = False) -> str:
    told = await guild.say(by, f"Bot, what do you know about <@{ALICE}>?", from_moderator=moderator)
    assert told is not None
    return told


async def life_of_alice(guild: TalkingGuild) -> None:
    for said in (
        "I work as a baker",
        "I am in love with Bob",
        "I have diabetes",
        "I am usually awake until 4 am",
    ):
        await guild.say("alice", f"Bot, remember that {said}")
    await guild.say("alice", "I feel so lonely today")


async def test_others_are_told_what_was_said_and_done_and_no_dossier(guild: TalkingGuild) -> None:
    await life_of_alice(guild)
    told = await ask(guild, "bob")
    assert "works as a baker" in told
    for kept_back in ("in love", "diabetes", "4 am", "lonely"):
        assert kept_back not in told
    own = await ask(guild, "alice")
    for known in ("baker", "in love", "diabetes", "4 am", "lonely"):
        assert known in own


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("I live in Lisbon", "Lisbon"),
        ("I work as a nurse", "nurse"),
        ("I study physics", "physics"),
        ("my favourite food is ramen", "ramen"),
        ("я живу в Казани", "Казани"),
    ],
)
async def test_what_was_mentioned_openly_of_a_plain_kind_is_told(
    guild: TalkingGuild, said: str, word: str
) -> None:
    await guild.say("alice", said)
    assert word in await ask(guild, "bob")


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("my favourite party is the labour party", "favourite party is the labour party"),
        ("my favourite position is missionary", "favourite position is missionary"),
    ],
)
async def test_what_only_looks_like_a_plain_kind_is_told_to_its_subject_alone(
    guild: TalkingGuild, said: str, known: str
) -> None:
    await guild.say("alice", said)
    assert f"alice's {known}" in await ask(guild, "alice")
    assert known not in await ask(guild, "bob")


async def test_managers_widen_it_to_all_that_is_open_or_narrow_it_to_moderators(
    guild: TalkingGuild,
) -> None:
    await life_of_alice(guild)
    await set_telling(guild, DisclosurePolicy.OPEN)
    assert "in love" in await ask(guild, "bob")
    await set_telling(guild, DisclosurePolicy.MODERATORS)
    assert await ask(guild, "bob") == "What I know about alice is for themselves alone."
    to_moderators = await ask(guild, "bob", moderator=True)
    assert "baker" in to_moderators
    assert "in love" not in to_moderators


async def test_of_private_members_others_are_told_nothing_in_words_by_word_and_by_search(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "my zeppelin is green")
    await guild.say("alice", "Bot, remember that I fly a zeppelin")
    await be_private(guild, "alice")
    assert await ask(guild, "bob") == "What I know about alice is for themselves alone."
    assert "zeppelin" not in (await ask(guild, "bob", moderator=True))
    by_word = await guild.say("bob", "Bot, what do you know about the zeppelin?")
    assert by_word is not None
    assert "fly" not in by_word and "flies" not in by_word
    searched = await guild.say("bob", "Bot, when did we talk about the zeppelin?")
    assert searched is not None
    assert "green" not in searched and "flies" not in searched
    assert "flies a zeppelin" in await ask(guild, "alice")
    await be_private(guild, "alice", private=False)
    assert "zeppelin" in await ask(guild, "bob")


async def test_moderators_are_offered_no_facts_of_private_members_to_forget(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I fly a zeppelin")
    offered = desk_of(guild).choices
    assert [choice.text for choice in await offered(moderator(guild), ALICE, "zepp")]
    await be_private(guild, "alice")
    assert await offered(moderator(guild), ALICE, "zepp") == []
    assert await offered(moderator(guild), ALICE, "") == []
    assert await offered(replace(moderator(guild), user_id=ALICE), ALICE, "zepp")


async def test_whoever_catches_up_is_told_nothing_that_a_private_member_said_and_nothing_that_names_them(
    guild: TalkingGuild,
) -> None:
    await guild.say("bob", "good night")
    await guild.say("alice", "my zeppelin is green")
    await guild.say("florent", f"<@{ALICE}> has a green balloon")
    await guild.say("florent", "the kettle is ready")
    await be_private(guild, "alice")
    for asked in ("Bot, what did I miss?", "Bot, what did I miss since yesterday?"):
        told = await guild.say("bob", asked)
        assert told is not None
        assert "zeppelin" not in told
        assert "balloon" not in told
        assert "alice" not in told
    own = await guild.say("alice", "Bot, what did I miss since yesterday?")
    assert own is not None
    assert "alice" in own


async def test_facts_about_somebody_else_that_name_a_private_member_are_for_those_two_and_their_teller(
    guild: TalkingGuild,
) -> None:
    bob = NAMES["bob"]
    await guild.say("bob", f"Bot, remember that I sail with <@{ALICE}>")
    await guild.say("florent", f"Bot, remember that the captain of the server is <@{ALICE}>")
    asked = f"Bot, what do you know about <@{bob}>?"
    assert "sails with" in (await guild.say("gruzilkin", asked) or "")
    await be_private(guild, "alice")
    assert "sails" not in (await guild.say("gruzilkin", asked) or "")
    assert "sails with" in (await guild.say("bob", asked) or "")
    of_guild = "Bot, what do you know about this server?"
    assert "captain" not in (await guild.say("gruzilkin", of_guild) or "")
    assert "captain" not in (await guild.say("gruzilkin", f"Bot, what do you know about <@{ALICE}>?") or "")
    assert "captain" in (await guild.say("alice", "Bot, what do you know about me?") or "")


async def test_a_past_talk_in_which_a_private_member_spoke_is_told_to_others_no_more(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "look, the zeppelin is ready")
    assert guild.last is not None
    said = guild.last
    episode_id = await keep(database, "The zeppelin is ready.", guild_id=GUILD_ID, channel_id=GENERAL)
    await database.write(
        lambda connection: connection.execute(
            "INSERT INTO ended_conversations (guild_id, channel_id, first_message_id, last_message_id, ended_at,"
            " episode_id, told_ids) VALUES ($1, $2, $3, $3, now(), $4, ARRAY[$3::bigint])",
            GUILD_ID, GENERAL, said.message_id, episode_id,
        )
    )  # fmt: skip
    question = "Bot, when did we talk about the zeppelin?"
    assert "a past talk" in (await guild.say("bob", question) or "")
    await be_private(guild, "alice")
    assert "is ready" not in (await guild.say("bob", question) or "")
    given = await desk_of(guild).episodes(moderator(guild))
    assert given.lines == ()
    assert "is ready" in (await guild.say("alice", question) or "")


async def prompt_of_a_reply(guild: TalkingGuild, models: ScriptedModels, by: str) -> str:
    # In another channel: what was just said in this one would stand in the prompt anyway.
    await guild.say(by, f"Bot, shall we go to the bakery with <@{ALICE}> tomorrow?", channel_id=GAMES)
    prompt = next(prompt for prompt in reversed(models.prompts) if "<to_answer>" in prompt)
    return prompt[prompt.index("<data>") :]


async def test_the_prompt_of_a_reply_to_somebody_else_holds_no_dossier_either(
    talking: TalkingGuild, database: Database, models: ScriptedModels
) -> None:
    for said in ("I work as a baker", "I am in love with Bob", "I feel lonely in the bakery"):
        await talking.say("alice", f"Bot, remember that {said}")
    learned = Profile(
        guild_id=GUILD_ID,
        user_id=ALICE,
        version=1,
        content=f"<@{ALICE}> dreams of a bakery by the sea.",
        covers_up_to=1,
        learned_at=talking.clock.now(),
    )
    await database.write(profiles_repository.add_version, learned, memory_epoch=0)
    to_bob = await prompt_of_a_reply(talking, models, "bob")
    assert "baker" in to_bob
    for kept_back in ("in love", "lonely", "by the sea"):
        assert kept_back not in to_bob
    to_alice = await prompt_of_a_reply(talking, models, "alice")
    for known in ("in love", "by the sea"):
        assert known in to_alice
    await be_private(talking, "alice")
    assert "works as a baker" not in await prompt_of_a_reply(talking, models, "bob")
    assert "works as a baker" in await prompt_of_a_reply(talking, models, "alice")


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize(
    ("order", "of_nothing"),
    [
        ("forget that alice has diabetes", "forget that alice has asthma"),
        ("forget alice's health", "forget florent's health"),
        ("forget that alice is in love with gruzilkin", "forget that alice is in love with florent"),
    ],
)
async def test_nobody_learns_what_they_are_not_told_by_having_it_forgotten(
    guild: TalkingGuild, order: str, of_nothing: str, private: bool
) -> None:
    for said in ("I have diabetes", "I am in love with gruzilkin"):
        await guild.say("alice", f"Bot, remember that {said}")
    await be_private(guild, "alice", private=private)
    assert await guild.say("bob", f"Bot, {order}") == await guild.say("bob", f"Bot, {of_nothing}")
    own = await guild.known("alice")
    assert len(own) == 2


async def test_of_a_private_member_nobody_learns_by_an_order_that_anything_is_known(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "Bot, remember that I fly a zeppelin")
    await be_private(guild, "alice")
    for order in ("forget that alice flies a zeppelin", "forget everything about alice"):
        told = await guild.say("bob", f"Bot, {order}")
        assert told == say("chat.nothing_to_forget", Language.ENGLISH)


async def test_a_moderator_is_not_offered_what_is_for_its_subject_alone(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I fly a green zeppelin over the harbour")
    order = "Bot, forget that alice flies a green balloon over the harbour"
    assert "zeppelin" in (await guild.say("florent", order, from_moderator=True) or "")
    await guild.say("florent", "no", from_moderator=True)
    await be_private(guild, "alice")
    assert "zeppelin" not in (await guild.say("florent", order, from_moderator=True) or "")


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("by", ["alice", "florent"])
async def test_a_confirmation_tells_nothing_of_somebody_else_that_its_reader_is_not_told(
    guild: TalkingGuild, by: str, private: bool
) -> None:
    """Neither what was replaced, nor what holds all the same, nor what holds again."""
    whose = "my" if by == "alice" else "alice's"
    await guild.say(by, f"Bot, remember that {whose} favorite color is blue")
    await be_private(guild, "alice", private=private)
    told = await guild.say("bob", "Bot, remember that alice's favorite color is red")
    assert told is not None and "red" in told
    assert ("blue" in told) is not private
    undone = await guild.say("bob", "Bot, undo") or ""
    assert ("blue" in undone) is (by == "florent" and not private)


@pytest.mark.parametrize("is_known", [True, False])
async def test_whoever_notes_something_of_a_private_member_does_not_learn_whether_it_was_known(
    guild: TalkingGuild, is_known: bool
) -> None:
    if is_known:
        await guild.say("alice", "Bot, remember that I fly a zeppelin")
    await be_private(guild, "alice")
    noted = await guild.hear("bob", "Bot, remember that alice flies a zeppelin")
    assert noted.text == "Remembered: alice flies a zeppelin. I will say that it comes from you."
    assert noted.undo_ids == ()
    confirmed = guild.answer
    told = await guild.say("bob", "Bot, no, I said balloons", reply_to=confirmed)
    assert told is not None and told.startswith("I stored nothing for you here")
    assert len(await guild.known("alice")) == 1


async def test_whoever_corrects_a_note_is_not_told_in_what_words_it_was_known(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I moved to Oslo")
    assert await guild.say("bob", "Bot, remember that alice lives in Oslo") == (
        "I have that already: alice lives in Oslo."
    )
    await be_private(guild, "alice")
    await guild.say("bob", "Bot, remember that florent lives in Oslo")
    corrected = await guild.hear("bob", "Bot, no, I meant alice")
    assert (corrected.text, corrected.undo_ids) == ("Corrected: alice lives in Oslo.", ())
