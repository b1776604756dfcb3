"""What was forgotten is known again in other words and inflections, and nothing else is taken for it."""

from datetime import timedelta

import pytest

from bot.app import Keepsake
from bot.core.domain import Message
from bot.db.pool import Database
from bot.memory.facts import repository as facts_repository
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.redaction import without_forgotten
from bot.memory.policy.tombstones import Hasher
from tests.memory.facts.test_facts import NOON, note
from tests.memory.policy.test_unsaying import ALICE, tell, told


async def say(keepsake: Keepsake, text: str, message_id: int) -> list[str]:
    """Say something, and return what is known of the speaker when it has been read."""
    message = Message(
        guild_id=1,
        channel_id=2,
        message_id=message_id,
        user_id=ALICE,
        text=text,
        timestamp=NOON + timedelta(hours=message_id),
    )
    await keepsake.memory.ingest_message(message)
    assert await keepsake.memory.extractor.noticed(guild_id=1, up_to_id=2**62, seconds=20)
    known = await keepsake.memory._database.read(
        facts_repository.active_facts, guild_ids=[1], audiences=[0], now=NOON
    )
    return [fact.content for fact in known]


async def forget_all(keepsake: Keepsake, database: Database) -> None:
    known = await database.read(facts_repository.active_facts, guild_ids=[1], audiences=[0], now=NOON)
    assert known
    await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id for fact in known], author_ids=[ALICE])


@pytest.mark.parametrize(
    ("forgotten", "again"),
    [
        ("I love pizza", "I like pizza"),
        ("I like pizza", "I'm a huge fan of pizza"),
        ("I like cats", "I love cat"),
        ("I don't like olives", "I hate olives"),
        ("my favorite food is ramen", "my favourite food is Ramen!"),
        ("my name is Xavierus", "I'm called Xavierus"),
        ("I live in Lyon", "I'm living in Lyon"),
        ("я люблю пиццу", "мне нравится пицца"),
        ("мне нравится пицца", "обожаю пиццу"),
        ("я люблю котиков", "мне нравятся котики"),
        ("я терпеть не могу оливки", "я ненавижу оливки"),
        ("моё любимое блюдо — рамен", "моё любимое блюдо рамен"),
        ("меня зовут Ксенофонт", "моё имя Ксенофонт"),
    ],
)
async def test_in_other_words_it_is_not_learned_again(
    forgotten: str, again: str, keepsake: Keepsake, database: Database
) -> None:
    assert await say(keepsake, forgotten, 100)
    await forget_all(keepsake, database)
    assert await say(keepsake, again, 200) == []


@pytest.mark.parametrize(
    ("forgotten", "other"),
    [
        ("I love pizza", "I like pizza rolls"),
        ("I love pizza", "my favorite food is pizza"),
        ("my favorite food is ramen", "my favorite food is pho"),
        ("I live in Lyon", "I live in Porto"),
        ("я люблю пиццу", "я люблю пироги"),
    ],
)
async def test_something_else_is_learned(
    forgotten: str, other: str, keepsake: Keepsake, database: Database
) -> None:
    assert await say(keepsake, forgotten, 100)
    await forget_all(keepsake, database)
    assert len(await say(keepsake, other, 200)) == 1


@pytest.mark.parametrize(
    ("forgotten", "profile", "left"),
    [
        ("I like anchovies", "Works nights. Adores anchovies on toast.", "Works nights."),
        ("я люблю анчоусы", "Работает по ночам. Обожает анчоусы.", "Работает по ночам."),
        ("меня зовут Ксенофонт", "Ксенофонту нравится море. Пишет коротко.", "Пишет коротко."),
        ("I live in Lyon", "Enjoys life in Lyon; has a cat. Has two sisters.", "Has two sisters."),
    ],
)
async def test_a_profile_loses_it_in_whatever_words_and_does_not_tell_it_again(
    forgotten: str, profile: str, left: str, keepsake: Keepsake, database: Database
) -> None:
    assert await say(keepsake, forgotten, 100)
    await tell(database, profile=profile, of_bob="Adores anchovies and Lyon. Обожает анчоусы.")
    await forget_all(keepsake, database)
    assert await told(database) == [left, left, "Adores anchovies and Lyon. Обожает анчоусы.", "", ""]
    hasher = Hasher(await database.read(policy_repository.hash_secret))
    assert (
        await database.read(
            without_forgotten, hasher, guild_id=1, subject_ids=[ALICE], text=profile, whose=ALICE
        )
        == left
    )


async def test_in_a_text_about_many_only_sentences_that_name_whoever_forgot_it_go(
    keepsake: Keepsake, database: Database
) -> None:
    assert await say(keepsake, "I love pizza", 100)
    summary = "There was pizza for all. <@7> adores pizza. <@8> wants pizza on Friday."
    await tell(database, summary=summary)
    await forget_all(keepsake, database)
    assert "There was pizza for all. <@8> wants pizza on Friday." in await told(database)


async def test_remembered_in_other_words_it_may_be_told_again(keepsake: Keepsake, database: Database) -> None:
    assert await say(keepsake, "I like anchovies", 100)
    await forget_all(keepsake, database)
    await keepsake.memory.remember(note("I adore anchovies", message_id=300))
    hasher = Hasher(await database.read(policy_repository.hash_secret))
    text = "Adores anchovies."
    kept = await database.read(
        without_forgotten, hasher, guild_id=1, subject_ids=[ALICE], text=text, whose=ALICE
    )
    assert kept == text
