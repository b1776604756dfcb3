"""What is kept about nobody on another's word is refused in one sentence, and nothing of it stays anywhere."""

import pytest

from bot.core.domain import Language
from bot.db.pool import Database
from bot.text.sentences import say
from tests.chat.guild import NAMES, TalkingGuild
from tests.chat.usecases.visits import desk_of, visit

UNKIND, SENSITIVE = (say(key, Language.ENGLISH) for key in ("refusal.unkind", "refusal.sensitive"))


async def everywhere(database: Database, word: str) -> list[str]:
    """Return the tables that hold `word` in any column."""
    names = await database.read(
        lambda connection: connection.fetch(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
    )
    counts = " UNION ALL ".join(
        f"SELECT '{name}' AS name FROM {name} AS one WHERE one::text ILIKE $1" for (name,) in names
    )
    rows = await database.read(lambda connection: connection.fetch(counts, f"%{word}%"))
    return sorted({row["name"] for row in rows})


@pytest.mark.parametrize(
    ("said", "sentence", "word"),
    [
        ("Bot, remember that alice is a moron", UNKIND, "moron"),
        ("Bot, remember that alice stole my unicycle", UNKIND, "unicycle"),
        ("Bot, remember that alice has cancer", SENSITIVE, "cancer"),
        ("Bot, remember that I think alice is a moron", UNKIND, "moron"),
    ],
)
async def test_a_command_in_words_is_refused_and_leaves_nothing(
    guild: TalkingGuild, database: Database, said: str, sentence: str, word: str
) -> None:
    assert await guild.say("bob", said) == sentence
    await guild.keepsake.work.idle()
    assert await everywhere(database, word) == []
    assert await guild.known("alice") == []


async def test_what_is_kind_or_ones_own_is_kept_as_ever(guild: TalkingGuild) -> None:
    assert (
        await guild.say("bob", "Bot, remember that alice likes tea")
        == "Remembered: alice likes tea. I will say that it comes from you."
    )
    assert await guild.say("bob", "Bot, remember that I have cancer") == (
        "Remembered: bob has cancer. That is for you alone: I tell it to nobody else."
    )
    told = await guild.say("bob", "Bot, remember that the old bridge is ugly")
    assert (told or "").startswith("Remembered: ")


async def test_it_is_said_in_the_language_of_the_message(guild: TalkingGuild) -> None:
    answer = await guild.say("Паша", "Бот, запомни, что Маша — полная дура")
    assert answer == say("refusal.unkind", Language.RUSSIAN)
    assert Language.of(answer) is Language.RUSSIAN


async def test_a_correction_smuggles_nothing_in(guild: TalkingGuild) -> None:
    await guild.say("bob", "Bot, remember that alice is a teacher")
    assert await guild.say("bob", "Bot, no, I said moron") == UNKIND
    assert await guild.known("alice") == ["bob says alice is a teacher"]


async def test_an_edit_smuggles_nothing_in(guild: TalkingGuild, database: Database) -> None:
    await guild.say("bob", "Bot, remember that alice is a teacher")
    assert guild.last is not None
    outcome = await guild.edit(guild.last, "Bot, remember that alice is a moron")
    assert outcome.text == UNKIND
    assert await everywhere(database, "moron") == []


async def test_remember_this_takes_no_insult_and_leaves_the_message_to_its_writer(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("gruzilkin", "alice is a moron, honestly")
    insult = guild.last
    assert await guild.say("bob", "Bot, remember this", reply_to=insult) == UNKIND
    await guild.say("alice", "I have cancer")
    ill = guild.last
    assert await guild.say("bob", "Bot, remember this", reply_to=ill) == SENSITIVE
    told = await guild.say("alice", "Bot, remember this", reply_to=ill)
    assert told == "Remembered: alice has cancer. That is for you alone: I tell it to nobody else."
    assert "facts" not in await everywhere(database, "moron")
    assert "chat_history" in await everywhere(database, "moron")


async def test_forms_and_menus_refuse_the_same(guild: TalkingGuild, database: Database) -> None:
    use_cases, here = desk_of(guild), visit(guild, "bob")
    assert (await use_cases.remember(here, NAMES["alice"], "is a moron")).text == UNKIND
    assert (await use_cases.remember(here, NAMES["alice"], "moron")).text == UNKIND
    assert (await use_cases.remember(here, None, "alice is a moron")).text == UNKIND
    assert (await use_cases.remember(here, NAMES["alice"], "has cancer")).text == SENSITIVE
    assert (await use_cases.remember(visit(guild, "alice"), None, "I have cancer")).undo_ids
    assert await everywhere(database, "moron") == []
    await guild.say("gruzilkin", "alice is a moron, honestly")
    assert guild.last is not None
    assert (await use_cases.remember_message(here, guild.last.message_id)).text == UNKIND
    assert "facts" not in await everywhere(database, "moron")
