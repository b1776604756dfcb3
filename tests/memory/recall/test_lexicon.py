"""The lexicon: counted behind searches, by audience, and without words that anybody could read."""

from datetime import timedelta

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import OPEN
from bot.db.pool import Database
from bot.memory.recall import lexicon
from bot.memory.recall.lexicon import KnownWords
from tests.memory.recall.talk import ALICE, GUILD_ID, MODS, MONDAY, begin


async def known(database: Database, words: list[str], audiences: list[int]) -> KnownWords:
    return await database.read(
        lexicon.known_words, guild_id=GUILD_ID, audiences=audiences, identifiers=[], names=[], name_beginnings=[],
        user_ids=[ALICE], words=[lexicon.AskedWord(number, word) for number, word in enumerate(words, 1)],
    )  # fmt: skip


async def test_a_search_has_the_words_counted_behind_itself(keepsake: Keepsake, database: Database) -> None:
    talk = await begin(keepsake)
    for _ in range(3):
        await talk.say("bees and honey")
    await talk.say("honey in a closed room", channel_id=MODS)
    live = await known(database, ["honey", "bees"], [OPEN])
    assert live.refreshed_at is None
    before = await talk.found("honey bees")
    await keepsake.memory.told()
    await keepsake.work.idle()
    counted = await known(database, ["honey", "bees"], [OPEN])
    assert counted.refreshed_at is not None
    assert [word.messages for word in counted.words] == [word.messages for word in live.words] == [3, 3]
    assert (
        (counted.messages, counted.members[0].messages) == (live.messages, live.members[0].messages) == (3, 3)
    )
    assert (await known(database, ["honey"], [OPEN, MODS])).messages == 4
    assert await talk.found("honey bees") == before


async def test_words_of_one_message_are_not_kept_and_no_word_can_be_read(
    keepsake: Keepsake, database: Database
) -> None:
    talk = await begin(keepsake)
    await talk.say("swordfish honey")
    await talk.say("honey")
    await database.write(lexicon.refresh_counts, guild_id=GUILD_ID, audience=OPEN, now=MONDAY)
    (row,) = await database.read(
        lambda connection: connection.fetch(
            "SELECT string_agg(encode(word, 'escape'), ' ') AS words FROM lexicon"
        )
    )
    assert "honey" not in row["words"]
    counted = await known(database, ["swordfish", "honey"], [OPEN])
    assert {word.lexeme: word.messages for word in counted.words} == {"swordfish": 0, "honey": 2}


async def test_of_very_many_messages_a_sample_is_counted(keepsake: Keepsake, database: Database) -> None:
    talk = await begin(keepsake)
    for _ in range(40):
        await talk.say("honey")
    await database.write(lexicon.refresh_counts, guild_id=GUILD_ID, audience=OPEN, now=MONDAY, most=20)
    counted = await known(database, ["honey"], [OPEN])
    assert counted.messages == 40
    assert 10 <= counted.words[0].messages <= 70


async def test_an_old_lexicon_is_counted_anew(
    keepsake: Keepsake, database: Database, clock: SetClock
) -> None:
    talk = await begin(keepsake)
    for _ in range(2):
        await talk.say("honey")
    await talk.hits("honey")
    await keepsake.memory.told()
    await keepsake.work.idle()
    for _ in range(2):
        await talk.say("honey")
    await talk.hits("honey")
    await keepsake.memory.told()
    await keepsake.work.idle()
    assert (await known(database, ["honey"], [OPEN])).words[0].messages == 2
    clock.set(clock.now() + timedelta(hours=7))
    await talk.hits("honey")
    await keepsake.memory.told()
    await keepsake.work.idle()
    assert (await known(database, ["honey"], [OPEN])).words[0].messages == 4
