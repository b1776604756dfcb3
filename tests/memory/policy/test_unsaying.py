"""What is forgotten goes at once out of profiles, rolling summaries and episodes, sentence by sentence."""

from hypothesis import given
from hypothesis import strategies as st

from bot.app import Keepsake
from bot.core.domain import GUILD_SUBJECT
from bot.db.pool import Connection, Database
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.redaction import sentences_of, without_forgotten, without_sentences
from bot.memory.policy.tombstones import Hasher
from tests.memory.facts.test_facts import NOON, note
from tests.memory.policy.test_forgetting import message, remembered

ALICE, BOB = 7, 8


async def tell(
    database: Database, *, profile: str = "", of_bob: str = "", summary: str = "", episode: str = ""
) -> None:
    async def write(connection: Connection) -> None:
        for user_id, version, content in ((ALICE, 1, profile), (ALICE, 2, profile), (BOB, 1, of_bob)):
            await connection.execute(
                "INSERT INTO profiles (guild_id, user_id, version, content, covers_up_to, learned_at) "
                "VALUES (1, $1, $2, $3, 0, $4)",
                user_id, version, content, NOON,
            )  # fmt: skip
        await connection.execute(
            "INSERT INTO conversation_summaries (guild_id, channel_id, conversation_id, audience, content, "
            "covers_up_to, updated_at) VALUES (1, 2, 1, 0, $1, 1, $2)",
            summary, NOON,
        )  # fmt: skip
        await connection.execute(
            "INSERT INTO episodes (guild_id, channel_id, audience, content, lexemes, importance, first_message_id, "
            "last_message_id, created_at, updated_at) "
            "VALUES (1, 2, 0, $1, to_tsvector('russian', $1), 5, 1, 2, $2, $2)",
            episode, NOON,
        )  # fmt: skip

    await database.write(write)


async def told(database: Database) -> list[str]:
    async def read(connection: Connection) -> list[str]:
        rows = await connection.fetch(
            "SELECT content FROM (SELECT 1 AS part, user_id AS a, version AS b, content FROM profiles "
            "UNION ALL SELECT 2, 0, 0, content FROM conversation_summaries "
            "UNION ALL SELECT 3, 0, 0, content FROM episodes) told ORDER BY part, a, b"
        )
        return [row["content"] for row in rows]

    return await database.read(read)


async def test_forgetting_takes_the_sentences_that_say_it_and_no_other(
    keepsake: Keepsake, database: Database
) -> None:
    fact = await remembered(keepsake, "I like anchovies")
    await tell(
        database,
        profile="Works nights. Likes anchovies a lot! Has a cat.",
        of_bob="Likes anchovies as well. <@7> likes anchovies too, he says.",
        summary="They planned a pizza. <@7> likes anchovies; <@8> does not. Friday is fixed.",
        episode="<@7> likes anchovies.",
    )
    await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id], author_ids=[ALICE])
    assert await told(database) == [
        "Works nights. Has a cat.",
        "Works nights. Has a cat.",
        "Likes anchovies as well.",
        "They planned a pizza. Friday is fixed.",
    ]


async def test_a_fact_about_the_guild_goes_out_of_every_text(keepsake: Keepsake, database: Database) -> None:
    statement = note("the code of the door is Sesame", subject_id=GUILD_SUBJECT)
    stored = await keepsake.memory.remember(statement)
    assert stored.fact_id is not None
    await tell(
        database,
        profile="The door has the code Sesame. Likes tea.",
        of_bob="The code of the door is Sesame.",
    )
    await keepsake.memory.forget(guild_id=1, fact_ids=[stored.fact_id], author_ids=[ALICE])
    assert all("Sesame" not in text for text in await told(database))


async def test_what_was_forgotten_is_dropped_from_what_is_told_next(
    keepsake: Keepsake, database: Database
) -> None:
    hasher = Hasher(await database.read(policy_repository.hash_secret))
    fact = await remembered(keepsake, "I like anchovies")
    await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id], author_ids=[ALICE])
    text = "She works nights. She likes anchovies. <@8> likes anchovies too."

    async def sieved(*subject_ids: int) -> str:
        return await database.read(without_forgotten, hasher, guild_id=1, subject_ids=subject_ids, text=text)

    assert await sieved(ALICE) == "She works nights. <@8> likes anchovies too."
    assert await sieved(BOB) == text


async def test_said_anew_with_remember_it_may_be_told_again(keepsake: Keepsake, database: Database) -> None:
    hasher = Hasher(await database.read(policy_repository.hash_secret))
    fact = await remembered(keepsake, "I like anchovies")
    await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id], author_ids=[ALICE])
    await remembered(keepsake, "I like anchovies", 300)
    kept = await database.read(
        without_forgotten, hasher, guild_id=1, subject_ids=[ALICE], text="Likes anchovies."
    )
    assert kept == "Likes anchovies."


@given(st.text(alphabet='ab .!?…\n»"', max_size=60))
def test_the_sentences_of_a_text_are_the_text(text: str) -> None:
    sentences = sentences_of(text)
    assert "".join(sentences) == text
    assert without_sentences(sentences, ()) == text.strip()


async def test_a_deleted_message_takes_what_was_told_from_it_along(
    keepsake: Keepsake, database: Database
) -> None:
    said = message(200, "my favorite food is ramen")
    await keepsake.memory.ingest_message(said)
    assert await keepsake.memory.extractor.noticed(guild_id=1, up_to_id=200, seconds=20)
    await tell(
        database,
        profile="Works nights. Her favorite food is ramen.",
        of_bob="The favorite food is ramen for him as well.",
        episode="<@7> has ramen as favorite food. The party is on Friday.",
    )
    await keepsake.memory.ingest_deletion(guild_id=1, channel_id=2, message_ids=[200])
    told_now = await told(database)
    assert told_now[:2] == ["Works nights."] * 2
    assert told_now[2] == "The favorite food is ramen for him as well."
    assert "ramen" not in told_now[-1]
