"""Finding again what was said: who may see what, what is gone, and what a question names."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Guild, MessageKind
from bot.db.pool import Connection, Database
from bot.memory.facts.statements import Note
from bot.memory.recall.query import query_of
from bot.memory.recall.search import FLOOR, HitKind
from tests.memory.recall.talk import ALICE, BOB, GENERAL, GUILD_ID, MODS, MONDAY, OTHER, begin, rename


async def test_words_are_found_in_any_form_in_english_and_in_russian(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say("I baked two apple pies")
    await talk.say("вчера ходили на рыбалку с друзьями", by=BOB)
    (hit,) = await talk.hits("who is baking an apple pie?", limit=1)
    assert (hit.kind, hit.text, hit.author_id) == (HitKind.MESSAGE, "I baked two apple pies", ALICE)
    assert (await talk.found("рыбалка", limit=1)) == ["вчера ходили на рыбалку с друзьями"]


async def test_a_closed_rooms_words_are_never_found_elsewhere_nor_lend_weight(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say("the zeppelin lands at noon", channel_id=MODS)
    await talk.say("zeppelin zeppelin", at=MONDAY + timedelta(days=9))
    before = await talk.hits("zeppelin noon", limit=50)
    assert [hit.text for hit in before if "noon" in hit.text] == []
    for _ in range(5):
        await talk.say("more about the zeppelin at noon", channel_id=MODS)
    assert await talk.hits("zeppelin noon", limit=50) == before
    inside = await talk.found("zeppelin noon", audiences=(OPEN, MODS), limit=1)
    assert "noon" in inside[0]
    assert await talk.hits("zeppelin", audiences=()) == []


async def test_what_was_narrowed_to_a_room_later_is_no_neighbour_either(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.say("has anybody seen the zeppelin?")
    closed = await talk.say("yes, behind the hangar", by=BOB)
    assert "yes, behind the hangar" in await talk.found("who saw the zeppelin")
    await talk.keepsake.memory.ingest_message(
        replace(closed, audience=MODS, edited_at=MONDAY + timedelta(hours=1))
    )
    assert "yes, behind the hangar" not in await talk.found("who saw the zeppelin", limit=50)


async def test_withheld_messages_are_never_found(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    gone = await talk.say("the captain of the zeppelin is Swordfish")
    assert await talk.found("zeppelin swordfish", limit=1) == [gone.text]
    await talk.keepsake.memory.ingest_deletion(
        guild_id=GUILD_ID, channel_id=gone.channel_id, message_ids=[gone.message_id]
    )
    assert gone.message_id not in [hit.hit_id for hit in await talk.hits("zeppelin swordfish", limit=50)]


async def test_identifiers_are_whole_tokens_of_what_was_written(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    texts = [
        "TKT-1000 is done",
        "tkt-100 is open",
        "TKT-10 waits",
        "write to alice.smith@acme.io",
        "ask alice@acme.io",
    ]
    for number, text in enumerate(texts):
        await talk.say(text, at=MONDAY + timedelta(days=number + 1))
    assert await talk.found("what about TKT-100?") == ["tkt-100 is open"]
    assert await talk.found("TKT-1000") == ["TKT-1000 is done"]
    assert await talk.found("alice@acme.io") == ["ask alice@acme.io"]
    assert await talk.found("TKT-1") == []


async def test_members_are_known_by_id_whatever_they_are_called_now(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.say("lasagna is the best dinner", at=MONDAY)
    await talk.say("lasagna is the worst dinner", by=BOB, at=MONDAY + timedelta(days=1))
    assert (await talk.found("what did Alice say about lasagna"))[0] == "lasagna is the best dinner"
    await rename(talk, ALICE, "Wanderer")
    for name in ("Wanderer", "Alice", f"<@{ALICE}>"):
        assert (await talk.found(f"what did {name} say about lasagna"))[0] == "lasagna is the best dinner"
    for name in ("Боря", "Бори", "Боре"):
        assert (await talk.found(f"lasagna у {name}"))[0] == "lasagna is the worst dinner"


async def test_a_time_narrows_to_the_guilds_days(keepsake: Keepsake, clock: SetClock) -> None:
    talk = await begin(keepsake, time_zone="Asia/Tokyo")
    clock.set(datetime(2026, 3, 18, 12, tzinfo=UTC))
    await talk.say("pizza on the night shift", at=datetime(2026, 3, 16, 16, tzinfo=UTC))
    await talk.say("pizza in February", at=datetime(2026, 2, 3, tzinfo=UTC))
    assert await talk.found("what did we say about pizza yesterday?") == ["pizza on the night shift"]
    assert await talk.found("что говорили о pizza в феврале?") == ["pizza in February"]
    assert await talk.found("pizza last year") == []
    assert await talk.found("what did we talk about yesterday?") == ["pizza on the night shift"]
    assert len(await talk.found("pizza")) == 2
    assert await keepsake.memory.recollection.kept_since(guild_id=GUILD_ID, audiences=[OPEN]) == datetime(
        2026, 2, 3, tzinfo=UTC
    ) + timedelta(milliseconds=2)
    assert await keepsake.memory.recollection.kept_since(guild_id=GUILD_ID, audiences=[MODS]) is None


async def test_another_text_search_finds_by_its_own_rules(keepsake: Keepsake) -> None:
    talk = await begin(keepsake, text_search="simple")
    await talk.chatter()
    await talk.say("I was running")
    assert await talk.found("runs", limit=1) == []
    guild = await keepsake.directory.guild(GUILD_ID)
    assert guild is not None
    await keepsake.directory.change_guild(guild, replace(guild, text_search="english"))
    await keepsake.work.idle()
    assert await talk.found("runs", limit=1) == ["I was running"]


@pytest.mark.parametrize("limit", [0, 3])
async def test_small_talk_recalls_nothing_unasked(keepsake: Keepsake, limit: int) -> None:
    talk = await begin(keepsake)
    for text in (
        "how are you",
        "lol nice",
        "thanks a lot",
        "see you tomorrow",
        "I love you",
        "привет как дела",
    ):
        await talk.say(text)
    for text in (
        "how are you?",
        "lol nice",
        "thanks a lot!",
        "ok, see you tomorrow",
        "I love you Alice",
        "как дела",
    ):
        assert [hit for hit in await talk.hits(text, limit=limit) if hit.score >= FLOOR] == []


async def test_what_answers_a_question_well_is_above_the_floor(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter(count=60)
    await talk.say("the harbour festival was moved to the lighthouse")
    (hit,) = await talk.hits("where is the harbour festival?", limit=1)
    assert FLOOR <= hit.score <= 1


async def test_an_answer_that_repeats_nothing_is_found_behind_its_question(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter(channel_id=OTHER)
    await talk.say("where did you spend the honeymoon?")
    await talk.say("in Lisbon, at my aunt's", by=BOB)
    await talk.say("something else entirely", by=BOB, at=MONDAY + timedelta(days=1))
    assert (await talk.found("honeymoon"))[:2] == [
        "where did you spend the honeymoon?",
        "in Lisbon, at my aunt's",
    ]
    assert "something else entirely" not in await talk.found("honeymoon", limit=50)


async def test_the_bots_own_words_are_not_found_and_questions_to_it_neither(
    keepsake: Keepsake, database: Database
) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say("our zeppelin is called Greta")
    await talk.say("You said that your zeppelin is Greta.", kind=MessageKind.BOT)
    asked = await talk.say("Bot, what is our zeppelin called?", at=MONDAY + timedelta(days=1))

    async def answer(connection: Connection) -> None:
        await connection.execute(
            """
            INSERT INTO answers (
                guild_id, message_id, channel_id, user_id, route, state, holder, leased_until, answered_at
            )
            VALUES ($1, $2, $3, $4, 'chat', 'sent', gen_random_uuid(), now(), now())
            """,
            GUILD_ID, asked.message_id, asked.channel_id, ALICE,
        )  # fmt: skip

    await database.write(answer)
    texts = await talk.found("zeppelin called Greta", limit=50)
    assert texts[0] == "our zeppelin is called Greta"
    assert asked.text not in texts
    assert "You said that your zeppelin is Greta." not in texts


async def test_facts_and_messages_are_found_together_each_with_its_source(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    told = await talk.say("Bot, remember that I keep bees")
    await keepsake.memory.remember(
        Note(
            guild_id=GUILD_ID, subject_id=ALICE, author_id=ALICE, speaker_id=ALICE, audience=OPEN,
            statement="I keep bees", channel_id=told.channel_id, message_id=told.message_id,
            cause=f"m:{told.message_id}", said_at=told.timestamp, time_zone="UTC",
        )
    )  # fmt: skip
    kinds = {hit.kind: hit for hit in await talk.hits("who keeps bees?")}
    assert set(kinds) == {HitKind.FACT, HitKind.MESSAGE}
    fact = kinds[HitKind.FACT]
    assert (fact.message_id, fact.channel_id, fact.subject_id) == (told.message_id, told.channel_id, ALICE)
    assert all(hit.kind is HitKind.MESSAGE for hit in await talk.hits("bees", audiences=(MODS,)))


async def test_a_query_leaves_out_what_it_is_told_to(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    first = await talk.say("bees in the garden")
    second = await talk.say("bees in the attic", channel_id=OTHER)
    third = await talk.say("bees in the cellar", at=MONDAY + timedelta(days=1))

    async def ids(
        *, before: int | None = None, channel_id: int | None = None, without: Sequence[int] = ()
    ) -> set[int]:
        query = query_of(
            "bees",
            now=MONDAY,
            time_zone="UTC",
            before_message_id=before,
            channel_id=channel_id,
            exclude_ids=without,
        )
        return {hit.hit_id for hit in await talk.hits(query)}

    assert await ids() == {first.message_id, second.message_id, third.message_id}
    assert await ids(before=third.message_id) == {first.message_id, second.message_id}
    assert await ids(channel_id=OTHER) == {second.message_id}
    assert await ids(without=[first.message_id, second.message_id]) == {third.message_id}


async def test_what_an_attachment_shows_is_found_below_what_was_written(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.chatter()
    await talk.say("look", attachments=("[image: a lighthouse at dusk]",), at=MONDAY + timedelta(days=1))
    await talk.say("lighthouse", at=MONDAY + timedelta(days=2))
    assert await talk.found("lighthouse") == ["lighthouse", "look"]


async def test_strange_questions_find_nothing_and_raise_nothing(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.say("plain words")
    for text in (
        "",
        "'",
        "\\",
        "a' | 'b",
        "\0",
        "!!! & | ( ) :*",
        "<@99999999999999999999>",
        "x" * 5_000,
        "((((" * 50,
        "#1 '",
    ):
        assert isinstance(await talk.hits(text), list)
    assert await keepsake.memory.recall(guild_id=777, query="plain words", audiences=[OPEN], limit=5) == []
    assert await keepsake.directory.add_guild(Guild(guild_id=777, name="Other"))


async def test_what_is_said_again_and_again_in_the_same_words_crowds_nothing_out(keepsake: Keepsake) -> None:
    talk = await begin(keepsake)
    await talk.say("the bus to Riga leaves from the mill", at=MONDAY - timedelta(days=30), channel_id=OTHER)
    for number in range(150):
        await talk.say("the bus is full again", at=MONDAY + timedelta(hours=number), by=BOB)
    found = await talk.found(query_of("which bus?", now=MONDAY, time_zone="UTC", near_channel_id=GENERAL))
    assert found == ["the bus is full again", "the bus to Riga leaves from the mill"]
