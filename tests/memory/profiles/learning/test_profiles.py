"""What was learned is its subject's to read and to take out of; what is taken out does not come back."""

import asyncio

import pytest

from bot.db.pool import Database
from bot.memory.outbox.answers import WrittenAnswer
from tests.memory.profiles.learning.talks import ALICE, BOB, GUILD_ID, Talks, profile_in
from tests.servers.gemini import GeminiServer

BOATS = "@u1 builds wooden boats."
TEA = "She prefers green tea in the mornings."
FRIEND = "Her oldest friend is @u2."


async def whole(database: Database) -> str:
    """Return the tables in which a profile may be told as text."""
    query = """
        SELECT coalesce((SELECT string_agg(t::text, ' ') FROM profiles t), '')
            || coalesce((SELECT string_agg(t::text, ' ') FROM answers t WHERE route <> 'chat'), '')
            || (SELECT string_agg(t::text, ' ') FROM chat_history t WHERE kind = 'bot')
    """
    text: str = await database.read(lambda connection: connection.fetchval(query))
    return text


@pytest.fixture
async def known(talks: Talks, gemini: GeminiServer) -> Talks:
    """A guild in which two versions of a profile say something."""
    gemini.answer("learn_profile", {"profile": f"{BOATS} {TEA}\n\n{FRIEND}"})
    await talks.turns(40, text=f"with <@{BOB}> I talked about boat {{}}")
    return talks


async def test_profiles_are_read_by_member_and_whoever_has_none_is_left_out(known: Talks) -> None:
    profiles = known.keepsake.memory.profiles
    text = f"<@{ALICE}> builds wooden boats. {TEA}\n\nHer oldest friend is <@{BOB}>."
    assert await profiles.of(guild_id=GUILD_ID, user_ids=[ALICE, BOB]) == {ALICE: text}
    assert await profiles.of(guild_id=GUILD_ID + 1, user_ids=[ALICE]) == {}
    assert await profiles.text_of(guild_id=GUILD_ID, user_id=BOB) == ""
    sentences = await profiles.sentences(guild_ids=[GUILD_ID], user_id=ALICE)
    assert [one.text for one in sentences] == [
        f"<@{ALICE}> builds wooden boats.",
        TEA,
        f"Her oldest friend is <@{BOB}>.",
    ]


@pytest.mark.parametrize("named", ["number", "words", "id"])
async def test_a_deleted_sentence_is_gone_from_every_version_and_no_learning_is_given_it_or_brings_it_back(
    known: Talks, database: Database, gemini: GeminiServer, named: str
) -> None:
    profiles = known.keepsake.memory.profiles
    (_, tea, _) = await profiles.sentences(guild_ids=[GUILD_ID], user_id=ALICE)
    ways: dict[str, int | str] = {"number": 2, "words": f" {TEA.upper()}", "id": tea.sentence_id}
    sentence = ways[named]
    assert await profiles.delete_sentence(guild_id=GUILD_ID, user_id=ALICE, sentence=sentence)
    assert "tea" not in await whole(database)
    assert not await profiles.delete_sentence(guild_id=GUILD_ID, user_id=ALICE, sentence=TEA)
    gemini.answer("learn_profile", {"profile": f"{BOATS} In the mornings she prefers green tea!\n\n{FRIEND}"})
    await known.turns(20)
    assert profile_in(known.prompts[-1]).split() == f"{BOATS} {FRIEND}".split()
    assert await known.profile() == f"<@{ALICE}> builds wooden boats. Her oldest friend is <@{BOB}>."


@pytest.mark.parametrize("sentence", [0, 4, -1, "She hates tea.", ""])
async def test_what_is_not_in_there_cannot_be_deleted(known: Talks, sentence: int | str) -> None:
    before = await known.profile()
    profiles = known.keepsake.memory.profiles
    assert not await profiles.delete_sentence(guild_id=GUILD_ID, user_id=ALICE, sentence=sentence)
    assert not await profiles.delete_sentence(guild_id=GUILD_ID, user_id=BOB, sentence=1)
    assert await known.profile() == before


async def test_sentences_that_are_deleted_at_once_are_all_gone(known: Talks) -> None:
    profiles = known.keepsake.memory.profiles
    found = await profiles.sentences(guild_ids=[GUILD_ID], user_id=ALICE)
    deleted = await asyncio.gather(
        *(
            profiles.delete_sentence(guild_id=GUILD_ID, user_id=ALICE, sentence=one.sentence_id)
            for one in found
        )
    )
    assert deleted == [True, True, True]
    assert await known.profile() == ""
    assert await profiles.of(guild_id=GUILD_ID, user_ids=[ALICE]) == {}


async def test_a_short_sentence_that_is_deleted_does_not_keep_out_what_holds_its_word(
    talks: Talks, gemini: GeminiServer
) -> None:
    gemini.answer("learn_profile", {"profile": "She sails. She talks a lot about it."})
    await talks.turns(20, text="day {} on which I sail around the islands in summer")
    profiles = talks.keepsake.memory.profiles
    assert await profiles.delete_sentence(guild_id=GUILD_ID, user_id=ALICE, sentence="She sails.")
    gemini.answer("learn_profile", {"profile": "She sails around the islands in summer."})
    await talks.turns(20, text="day {} on which I sail around the islands in summer")
    assert await talks.profile() == "She sails around the islands in summer."


@pytest.mark.parametrize("way", ["a sentence", "all of it", "not wanted"])
async def test_an_answer_that_told_what_is_taken_out_of_a_profile_loses_its_text(
    known: Talks, database: Database, way: str
) -> None:
    question = await known.ask("Bot, what do you know about me?")
    answers = known.keepsake.memory.answers
    claim = await answers.claim(question)
    assert claim is not None
    told = WrittenAnswer(route="ask_memory", parts=(f"What I know:\n{await known.profile()}",))
    await answers.write(question, claim, told)
    spoken = await known.ask(told.parts[0], user_id=BOB)
    await known.keepsake.memory.turns.sent(
        guild_id=GUILD_ID, message_id=question.message_id, sent_ids=[spoken.message_id]
    )
    memory = known.keepsake.memory
    match way:
        case "a sentence":
            assert await memory.profiles.delete_sentence(guild_id=GUILD_ID, user_id=ALICE, sentence=TEA)
        case "all of it":
            assert await memory.profiles.forget(guild_id=GUILD_ID, user_id=ALICE)
        case _:
            await memory.consent.keep_category(
                guild_id=GUILD_ID, user_id=ALICE, category="profile", kept=False
            )
    assert "tea" not in await whole(database)
    kept = await known.keepsake.library.message(guild_id=GUILD_ID, message_id=spoken.message_id)
    assert kept is not None
    assert kept.withheld is not None


async def test_forgetting_a_profile_takes_all_of_it_and_what_was_due(
    known: Talks, database: Database, gemini: GeminiServer
) -> None:
    await known.turns(5)
    profiles = known.keepsake.memory.profiles
    assert await profiles.forget(guild_id=GUILD_ID, user_id=ALICE)
    assert not await profiles.forget(guild_id=GUILD_ID, user_id=ALICE)
    assert await profiles.versions(guild_id=GUILD_ID, user_id=ALICE) == []
    assert await known.counts(database) == (45, 0)
    gemini.answer("learn_profile", {"profile": "@u1 talks about words."})
    await known.turns(20, text="new words {}")
    assert profile_in(known.prompts[-1]) == ""
    assert "boat" not in known.prompts[-1].partition("<member ")[2]
    kept = await profiles.versions(guild_id=GUILD_ID, user_id=ALICE)
    assert [one.version for one in kept] == [3], "no version is ever counted twice"
