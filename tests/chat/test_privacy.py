"""What is kept is told openly: as the settings have it, in both languages, to whoever asks, wherever they ask."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from bot.adapters.console.transcript import FormCall, read_memory_command
from bot.chat.privacy import MOST_WELCOME_CHARACTERS, DataPractice, privacy_notice, welcome_text
from bot.core.domain import ConsentDefault, Guild, Language
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from bot.text.commands import AskPrivacy
from bot.text.grammar.parser import parse
from tests.adapters.console.sessions import play
from tests.chat.guild import GUILD_ID, NAMES, TalkingGuild

GUILD = Guild(guild_id=1, name="Home")
KEY = SecretStr("key")
MOST_OF_A_MESSAGE = 2_000


def practice(**changes: object) -> DataPractice:
    values: dict[str, Any] = {**changes}
    return DataPractice.of(Settings(_env_file=None, **values))


def told(guild: Guild = GUILD, language: Language = Language.ENGLISH, **changes: object) -> str:
    return privacy_notice(guild, practice(**changes), bot_name="Bot", language=language)


def welcomed(guild: Guild = GUILD, language: Language = Language.ENGLISH, **changes: object) -> str:
    return welcome_text(guild, practice(**changes), bot_name="Bot", language=language)


@pytest.mark.parametrize(
    "asked",
    [
        "privacy", "privacy policy", "what do you keep?", "What do you store here?", "and what do you record",
        "how long do you keep messages?", "how long do you store what I say?", "do you record everything?",
        "what data do you collect?", "who runs you?", "show me your privacy policy",
        "приватность", "политика конфиденциальности", "что ты хранишь?", "А что вы сохраняете?", "ты записываешь всё?",
        "как долго хранятся сообщения?", "сколько ты хранишь мои сообщения", "какие данные ты собираешь?",
        "кто тебя запускает?", "how do i delete my data", "how do i opt out", "how can i turn off memory",
        "are u recording this", "do you sell our data", "who can see my messages", "is my data private",
        "how do i make you forget stuff", "как удалить мои данные", "как отключить память", "кто видит мои сообщения",
        "ты нас подслушиваешь?", "how to opt out", "gdpr", "гдпр",
    ],
)  # fmt: skip
def test_it_is_asked_in_many_ways(asked: str) -> None:
    assert parse(asked) == AskPrivacy()


@pytest.mark.parametrize(
    "said",
    [
        "what do you know about me?", "privacy is dead", "is this private?", "what do you keep saying?",
        "do you store pizza?", "do you share", "are you recording a song", "how do i delete a channel",
        "who runs faster?", "remember that my privacy matters to me", "что ты хранишь в шкафу у бабушки?",
        "что ты знаешь обо мне?", "кто тебя любит?", "запиши, что приватность важна",
    ],
)  # fmt: skip
def test_other_words_are_no_such_question(said: str) -> None:
    assert parse(said) != AskPrivacy()


async def test_whoever_asks_in_words_is_told_what_holds_here(guild: TalkingGuild) -> None:
    directory = guild.keepsake.directory
    was = await directory.guild(GUILD_ID)
    assert was is not None
    await directory.change_guild(was, replace(was, retention_days=12))
    english = await guild.say("alice", "Bot, what do you keep?")
    russian = await guild.say("Маша", "Бот, что ты хранишь?", visitor=True)
    alone = await guild.say("alice", "privacy", direct=True)
    assert english is not None
    assert russian is not None
    assert alone is not None
    assert "12 days" in english
    assert "12 дней" in russian
    assert "The messages that you write to me here" in alone
    assert "30 days" in alone
    for text in (english, russian, alone):
        assert "/memory off" in text
        assert "/memory erase" in text
    # It is no turn, and nobody's words are in it.
    assert (await guild.hear("alice", "Bot, privacy")).route == "privacy"


def test_the_console_takes_the_command_by_itself_alone() -> None:
    assert read_memory_command("/privacy") == FormCall("privacy")
    with pytest.raises(InvalidInputError, match="write '/privacy'"):
        read_memory_command("/privacy please")


async def test_the_desk_and_the_console_say_the_same_as_words(guild: TalkingGuild, dsn: str) -> None:
    said = await guild.say("alice", "Bot, privacy")
    lines = await play(dsn, "#general alice: /privacy\n#general alice: Bot, privacy")
    assert lines[0].reply == lines[1].reply
    assert lines[0].number is None
    assert said == lines[1].reply


def test_it_says_how_long_each_thing_is_kept() -> None:
    days: dict[str, Any] = {
        "retention_days": 41, "fact_retention_days": 1, "profile_retention_days": 22, "episode_retention_days": 365,
    }  # fmt: skip
    english = told(gemini_api_key=KEY, **days)
    russian = told(language=Language.RUSSIAN, gemini_api_key=KEY, **days)
    for span in ("41 days", "1 day.", "22 days", "365 days"):
        assert span in english
    for span in ("41 день", "1 день", "22 дня", "365 дней"):
        assert span in russian
    assert "41 days" in welcomed(**days)
    assert told(replace(GUILD, retention_days=0)).count("until it is forgotten") == 2
    assert "7 days" in told(replace(GUILD, retention_days=7))


def test_it_says_what_is_switched_off_and_who_is_asked_first() -> None:
    assert "conclusions" in told(gemini_api_key=KEY, learning=False)
    assert "What I learn of you" in told(gemini_api_key=KEY)
    assert "What I learn of you" not in told()
    assert "What talks with me left behind" not in told(gemini_api_key=KEY, episodes=False)
    unheard = told(replace(GUILD, hearing=False))
    assert "switched off" in unheard
    assert "Messages in the channels" not in unheard
    asked = replace(GUILD, consent=ConsentDefault.ASKED)
    for text in (told(asked), welcomed(asked)):
        assert "/memory on" in text
    assert "Of those who agree" in welcomed(asked)
    assert "/memory on" in welcomed(asked, Language.RUSSIAN)


def test_it_says_who_else_sees_it_and_where_that_may_be_learned_from() -> None:
    assert "No language model" in told()
    assert "Google" not in told()
    free = told(gemini_api_key=KEY)
    assert "gemini-flash-latest" in free
    assert "unpaid quota" in free
    local: dict[str, Any] = {
        "model_chat": "ollama:qwen3",
        "model_summary": "",
        "model_memory": "gemma-4-31b-it",
    }
    assert "No price is set for gemma-4-31b-it" in told(gemini_api_key=KEY, **local)
    assert "unpaid" not in told(**local)
    assert "gemma" not in told(**local)
    paid: dict[str, Any] = {"model_memory": "", "model_summary": "", "model_chat": "gemini-flash-latest"}
    assert "unpaid" not in told(gemini_api_key=KEY, model_prices="gemini-flash-latest=0.3/2.5", **paid)
    assert "unpaid" in told(gemini_api_key=KEY, model_prices="gemini-flash-latest=0/0", **paid)
    assert "unpaid" not in told(gemini_api_key=KEY, gemini_base_url="http://localhost:1", **paid)
    assert "language models" in welcomed(gemini_api_key=KEY)
    assert "language models" not in welcomed()


def test_it_says_who_runs_the_bot_or_that_nobody_knows() -> None:
    assert "Who runs me: ada@example.org" in told(operator_contact=" ada@example.org ")
    assert "ask the managers" in told()


def test_it_says_what_becomes_of_those_who_leave() -> None:
    assert "after 9 days" in told(left_member_grace_days=9)
    assert "через 21 день" in told(language=Language.RUSSIAN, left_member_grace_days=21)
    assert "erased at once" in told(left_member_grace_days=0)
    assert "leave this server" not in told(replace(GUILD, direct=True))


@settings(max_examples=40)
@given(
    name=st.text(min_size=1, max_size=80),
    contact=st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=200),
    days=st.integers(0, 36_500),
    chain=st.lists(st.from_regex(r"gemini-[a-z0-9.-]{1,60}", fullmatch=True), max_size=12),
    language=st.sampled_from(Language),
    consent=st.sampled_from(ConsentDefault),
    hearing=st.booleans(),
)
def test_all_of_it_fits_into_one_message_and_the_first_words_into_600_characters(
    name: str,
    contact: str,
    days: int,
    chain: list[str],
    language: Language,
    consent: ConsentDefault,
    hearing: bool,
) -> None:
    kept = practice(
        gemini_api_key=KEY,
        operator_contact=contact,
        retention_days=days,
        fact_retention_days=days,
        profile_retention_days=days,
        episode_retention_days=days,
        model_chat=",".join(chain) or "ollama:qwen3",
    )
    guild = replace(GUILD, consent=consent, hearing=hearing)
    assert len(welcome_text(guild, kept, bot_name=name, language=language)) <= MOST_WELCOME_CHARACTERS
    assert len(privacy_notice(guild, kept, bot_name=name[:32], language=language)) <= MOST_OF_A_MESSAGE


async def test_nothing_of_what_was_said_is_quoted(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like zebras")
    answer = await guild.say("alice", "Bot, what do you keep?")
    assert answer is not None
    assert "zebra" not in answer
    assert str(NAMES["alice"]) not in answer


@pytest.mark.parametrize(
    ("order", "how"),
    [
        ("Bot don't remember anything in this channel", "/memory-admin channel hearing off"),
        ("Bot, please don't keep anything from this channel", "stop remembering me"),
        ("bot stop listening here", "/memory-admin channel hearing off"),
        ("бот, не запоминай ничего в этом канале", "/memory-admin channel hearing off"),
    ],
)
async def test_who_orders_to_keep_nothing_in_a_channel_learns_who_may_and_how(
    guild: TalkingGuild, order: str, how: str
) -> None:
    assert how in (await guild.say("alice", order) or "")
    assert await guild.known("alice") == []
