"""What is known of members of whom nothing is kept: neither told nor used, until they come back."""

from bot.app import Keepsake
from bot.core.domain import OPEN
from bot.db.pool import Database
from tests.memory.rights.consent.letting import VIEW, found, given, note, opt_in, opt_out, put, told_about
from tests.memory.spoken import ALICE, BOB, GUILD_ID, hear, said


async def test_what_is_known_of_them_is_neither_told_nor_used_and_comes_back_when_they_do(
    guild: Keepsake,
) -> None:
    known = [f"<@{BOB}> plays the cello", f"<@{ALICE}> is married to <@{BOB}>", f"<@{ALICE}> plays chess"]
    about = [BOB, ALICE, ALICE]
    for number, (statement, subject_id) in enumerate(zip(known, about, strict=True)):
        await guild.memory.remember(note(statement, about=subject_id, minutes=number))
    await guild.memory.remember(note(f"<@{BOB}>'s name is Robert", minutes=5))
    assert len(await told_about(guild, ALICE, BOB)) == 4
    assert len(await given(guild, "who plays the cello?", ALICE, BOB)) == 4
    await opt_out(guild)
    assert await told_about(guild, ALICE, BOB) == known[2:]
    assert await given(guild, "who plays the cello and is married?", ALICE, BOB) == known[2:]
    assert [fact.content for fact in await guild.library.all_facts(VIEW, asker_id=BOB)] == known[2:]
    assert await found(guild, "who plays the cello?") == known[2:]
    document = await guild.memory.documents.of(BOB, VIEW, asker_id=BOB)
    assert document.facts == ()
    names = {one.user_id: one.aliases for one in await guild.directory.members(GUILD_ID, audiences=[OPEN])}
    assert names[BOB] == ()
    await opt_in(guild)
    assert len(await told_about(guild, ALICE, BOB)) == 4
    assert known[0] in await found(guild, "who plays the cello?")


async def test_what_they_said_before_is_found_by_nobody(guild: Keepsake) -> None:
    await hear(
        guild,
        said("the harbour festival begins on Saturday", user_id=BOB),
        said("I saw <@12> at the harbour yesterday", 1),
        said("the harbour smells of fish", 2),
    )
    assert len(await found(guild, "harbour")) == 3
    await opt_out(guild)
    assert await found(guild, "harbour") == ["the harbour smells of fish"]
    tally, latest = await guild.library.said_before(user_id=BOB, view=VIEW, before_message_id=2**62, limit=10)
    assert (tally.messages, latest) == (0, [])
    before = await guild.library.latest_in_channel(said("now", 9), limit=10)
    assert [message.user_id for message in before] == [ALICE, ALICE]


async def test_their_profile_is_not_told_and_others_lose_the_sentences_that_name_them(
    guild: Keepsake, database: Database
) -> None:
    texts = {BOB: "Likes boats.", ALICE: f"Likes chess. Often plays with <@{BOB}>. Is patient."}
    for user_id, content in texts.items():
        await put(database, user_id, content)
    await opt_out(guild)
    assert await guild.memory.profiles.of(guild_id=GUILD_ID, user_ids=[ALICE, BOB]) == {
        ALICE: "Likes chess. Is patient."
    }
    assert await guild.memory.profiles.own(guild_ids=[GUILD_ID], user_id=BOB) == {}
    sentences = await guild.memory.profiles.sentences(guild_ids=[GUILD_ID], user_id=ALICE)
    assert await guild.memory.profiles.delete_sentence(guild_id=GUILD_ID, user_id=ALICE, sentence=2)
    assert [one.text for one in sentences] == ["Likes chess.", "Is patient."]
    await opt_in(guild)
    assert await guild.memory.profiles.text_of(guild_id=GUILD_ID, user_id=ALICE) == (
        f"Likes chess. Often plays with <@{BOB}>."
    )


async def test_nobody_is_asked_to_learn_about_them(guild: Keepsake) -> None:
    assert await guild.memory.profiles.is_learned_about(guild_ids=[GUILD_ID], user_id=BOB)
    await opt_out(guild)
    assert not await guild.memory.profiles.is_learned_about(guild_ids=[GUILD_ID], user_id=BOB)
