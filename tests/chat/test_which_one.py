"""Which one is meant is settled by number, name or last name, is let go, and swallows nothing else."""

import pytest

from bot.core.domain import Member
from bot.db.pool import Database
from tests.chat.guild import GUILD_ID, TalkingGuild

ASKED = "Which one do you mean?"


@pytest.fixture
async def annas(guild: TalkingGuild) -> TalkingGuild:
    """Two Annas, of whom "Anna" may be either, and two whose names have a form in common."""
    await guild.keepsake.directory.put_members(
        [
            Member(guild_id=GUILD_ID, user_id=31, user_name="anna.smith", nickname="Anna Smith"),
            Member(guild_id=GUILD_ID, user_id=32, user_name="ajones", nickname="Anna Jones"),
            Member(guild_id=GUILD_ID, user_id=33, user_name="anya.p", nickname="Аня Петрова"),
            Member(guild_id=GUILD_ID, user_id=34, user_name="anya.s", nickname="Аня Смирнова"),
            Member(guild_id=GUILD_ID, user_id=35, user_name="alexander", nickname="Александр"),
            Member(guild_id=GUILD_ID, user_id=36, user_name="alexandra", nickname="Александра"),
            Member(guild_id=GUILD_ID, user_id=37, user_name="roza", nickname="Роза"),
            Member(guild_id=GUILD_ID, user_id=38, user_name="hope", nickname="Hope"),
        ]
    )
    return guild


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("1", 31),
        ("2", 32),
        ("number two", 32),
        ("the second one please", 32),
        ("second", 32),
        ("the first", 31),
        ("the last one", 32),
        ("Smith", 31),
        ("Smith please", 31),
        ("the Jones one", 32),
        ("I mean Jones", 32),
        ("anna smith", 31),
        ("ajones", 32),
    ],
)
async def test_a_number_or_a_name_chooses(annas: TalkingGuild, said: str, meant: int) -> None:
    assert (await annas.say("alice", "Bot, remember that Anna likes tea") or "").startswith(ASKED)
    name = {31: "Anna Smith", 32: "Anna Jones"}[meant]
    assert (await annas.say("alice", said) or "").startswith(f"Remembered: {name} likes tea.")


@pytest.mark.parametrize(
    "said", ["neither", "none of them", "none", "cancel", "no", "cancel that", "never mind"]
)
async def test_it_is_let_go(annas: TalkingGuild, said: str) -> None:
    await annas.say("alice", "Bot, remember that Anna likes tea")
    assert (await annas.say("alice", said) or "").startswith("All right")
    assert await annas.say("alice", "1") is None


@pytest.mark.parametrize(
    "said",
    [
        "what a day",
        "Anna Smith is late again",
        "2 apples a day",
        "no way, really?",
        "I like Jones better",
        "3",
    ],
)
async def test_what_is_about_something_else_is_not_swallowed(annas: TalkingGuild, said: str) -> None:
    await annas.say("alice", "Bot, remember that Anna likes tea")
    assert await annas.say("alice", said) is None
    assert "Anna Smith likes tea" in (await annas.say("alice", "Smith") or "")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("вторая", "Записано: Аня Смирнова любит чай."),
        ("Смирнова", "Записано: Аня Смирнова любит чай."),
        ("про Смирнову", "Записано: Аня Смирнова любит чай."),
        ("номер один", "Записано: Аня Петрова любит чай."),
        ("последняя", "Записано: Аня Смирнова любит чай."),
    ],
)
async def test_in_russian_a_number_or_a_name_in_any_case_chooses(
    annas: TalkingGuild, said: str, answer: str
) -> None:
    assert "1." in (await annas.say("Маша", "Бот, запомни, что Аня любит чай") or "")
    assert (await annas.say("Маша", said) or "").startswith(answer)


@pytest.mark.parametrize("said", ["никакую", "ни одну", "никого из них", "отмена", "не надо", "нет"])
async def test_in_russian_it_is_let_go(annas: TalkingGuild, said: str) -> None:
    await annas.say("Маша", "Бот, запомни, что Аня любит чай")
    assert (await annas.say("Маша", said) or "").startswith("Хорошо")
    assert await annas.say("Маша", "1") is None


async def test_a_form_that_two_names_share_is_asked_about(annas: TalkingGuild) -> None:
    await annas.say("Маша", "Бот, запомни, что <@35> любит чай")
    await annas.say("Маша", "Бот, запомни, что <@36> играет на арфе")
    asked = await annas.say("Маша", "Бот, что ты знаешь об Александре?")
    assert "1." in (asked or "")
    assert "2." in (asked or "")
    told = await annas.say("Маша", "Александра")
    assert "арф" in (told or "")
    assert "чай" not in (told or "")


@pytest.mark.parametrize(
    ("author", "order", "statement"),
    [
        ("Маша", "Бот, запомни, что роза стоит в вазе", "роза стоит в вазе"),
        ("alice", "Bot, remember that hope dies last", "hope dies last"),
    ],
)
async def test_a_word_that_somebody_is_called_is_asked_about(
    annas: TalkingGuild, author: str, order: str, statement: str
) -> None:
    asked = await annas.say(author, order)
    assert "2. " in (asked or "")
    assert statement in (await annas.say(author, "2") or "")
    assert statement in (await annas.say(author, "Bot, what do you know about this server?") or "")


async def test_a_name_before_what_people_do_is_somebody(annas: TalkingGuild) -> None:
    assert "Hope likes tea" in (await annas.say("alice", "Bot, remember that Hope likes tea") or "")
    assert "Роза любит чай" in (await annas.say("Маша", "Бот, запомни, что Роза любит чай") or "")


async def test_an_order_to_forget_goes_though_it_was_asked_who_is_meant(
    annas: TalkingGuild, database: Database
) -> None:
    await annas.say("alice", "Bot, remember that Anna Smith keeps bees")
    assert ASKED in (await annas.say("alice", "Bot, forget that Anna keeps bees") or "")
    assert await annas.say("alice", "Anna Smith") == "Forgotten: I removed 1 fact."
    kept = await database.read(
        lambda connection: connection.fetch(
            "SELECT message_text FROM chat_history WHERE message_text LIKE '%bees%'"
        )
    )
    assert kept == []
