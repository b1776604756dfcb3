"""Who floods the bot is slowed down and told once, and two bots never talk without end."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.chat import attention
from bot.chat.attention import MOST_MESSAGES, MOST_TO_BOTS, WITHIN, BotLoopLimit, FloodLimit
from bot.core.clock import SetClock
from bot.core.domain import AnswerMode, Channel, Language, MessageKind
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.text.sentences import say
from tests.chat.guild import BOT_ID, GAMES, GENERAL, GUILD_ID, TalkingGuild, guild_with
from tests.scripted_models import ScriptedModels

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SLOW_DOWN = say("chat.slow_down", Language.ENGLISH)
AT_ONCE = timedelta(milliseconds=1)


def test_only_more_messages_than_anybody_reads_are_a_flood() -> None:
    one = FloodLimit()
    steady = WITHIN / MOST_MESSAGES
    assert all(one.admits(guild_id=1, user_id=2, said_at=NOON + number * steady) for number in range(100))
    fast = [one.admits(guild_id=1, user_id=3, said_at=NOON) for _ in range(MOST_MESSAGES + 3)]
    assert fast == [True] * MOST_MESSAGES + [False] * 3
    assert one.admits(guild_id=1, user_id=4, said_at=NOON), "others are not slowed down"
    assert one.admits(guild_id=2, user_id=3, said_at=NOON), "nor they elsewhere"
    assert not one.admits(guild_id=1, user_id=3, said_at=NOON + WITHIN - AT_ONCE)
    assert one.admits(guild_id=1, user_id=3, said_at=NOON + 2 * WITHIN)


def test_a_flood_is_mentioned_once_and_the_next_one_again() -> None:
    one = FloodLimit()
    for start in (NOON, NOON + 2 * WITHIN):
        told = [
            one.may_be_told(guild_id=1, user_id=3)
            for _ in range(MOST_MESSAGES + 3)
            if not one.admits(guild_id=1, user_id=3, said_at=start)
        ]
        assert told == [True, False, False]


def test_what_is_remembered_of_members_and_channels_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attention, "_MOST_KEPT", 5)
    one, bots = FloodLimit(), BotLoopLimit()
    for number in range(50):
        one.admits(guild_id=1, user_id=number, said_at=NOON)
        bots.admits(number)
    assert len(one._members) == len(bots._answers) == 5


async def test_who_floods_is_told_once_and_heard_all_the_same(
    guild: TalkingGuild, database: Database
) -> None:
    answers = [
        await guild.say("alice", f"Bot, remember that I like number {number}", after=AT_ONCE, paced=True)
        for number in range(2 * MOST_MESSAGES)
    ]
    # The bot's own answers take a second each, so some of it is over before the flood begins.
    assert answers.count(SLOW_DOWN) == 1
    begun = answers.index(SLOW_DOWN)
    assert all((answer or "").startswith("Remembered") for answer in answers[:begun])
    assert begun >= MOST_MESSAGES
    assert answers[begun + 1 :] == [None] * (len(answers) - begun - 1)
    counts = "SELECT (SELECT count(*) FROM facts), (SELECT count(*) FROM chat_history WHERE user_id = 11)"
    row = await database.read(lambda connection: connection.fetchrow(counts))
    assert row is not None
    assert tuple(row) == (begun, 2 * MOST_MESSAGES)
    assert await guild.say("bob", "Bot, help", after=AT_ONCE) is not None
    assert await guild.say("alice", "Bot, help", after=2 * WITHIN) is not None


@pytest.mark.parametrize("told", [{"from_moderator": True}, {"paced": False}])
async def test_moderators_and_transcripts_are_not_slowed_down(
    guild: TalkingGuild, told: dict[str, bool]
) -> None:
    for _ in range(MOST_MESSAGES + 3):
        text = "Bot, what do you know about me?"
        assert await guild.say("alice", text, after=AT_ONCE, **told) != SLOW_DOWN  # type: ignore[arg-type]


async def test_where_everything_is_answered_lively_talk_is_told_nothing(guild: TalkingGuild) -> None:
    await guild.keepsake.directory.put_channel(
        Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general", answering=AnswerMode.ALWAYS)
    )
    said = [await guild.say("alice", "lol", after=AT_ONCE) for _ in range(MOST_MESSAGES + 5)]
    assert SLOW_DOWN not in said


@pytest.fixture
def models() -> ScriptedModels:
    return ScriptedModels(
        reply={"text": "Hello."},
        route={"kind": "remember", "confident": True, "facts": [{"subject": "u1", "text": "@u1 likes oil"}]},
    )


@pytest.fixture
async def with_bots(
    clock: SetClock, database: Database, models: ScriptedModels
) -> AsyncIterator[TalkingGuild]:
    """A guild whose bot answers other bots."""
    async with guild_with(
        models, clock, database, settings=Settings(_env_file=None, answer_bots=True)
    ) as guild:
        yield guild


async def bot_says(guild: TalkingGuild, text: str, **others: object) -> str | None:
    return await guild.say("R2", text, kind=MessageKind.BOT, **others)  # type: ignore[arg-type]


async def test_other_bots_are_answered_only_where_a_setting_says_so(guild: TalkingGuild) -> None:
    assert await bot_says(guild, f"<@{BOT_ID}> hello") is None


async def test_two_bots_stop_until_a_member_speaks(with_bots: TalkingGuild) -> None:
    for _ in range(2):
        answers = [await bot_says(with_bots, f"<@{BOT_ID}> hello") for _ in range(MOST_TO_BOTS + 2)]
        assert answers == ["Hello."] * MOST_TO_BOTS + [None, None]
        await with_bots.say("alice", "what are you two doing?")
    await bot_says(with_bots, f"<@{BOT_ID}> hello")
    assert await bot_says(with_bots, "and you?", reply_to=with_bots.answer) == "Hello."
    assert await bot_says(with_bots, "and you?", reply_to=with_bots.answer) is None
    assert await bot_says(with_bots, f"<@{BOT_ID}> hello", channel_id=GAMES) == "Hello."


async def test_no_command_of_a_bot_writes_anything(with_bots: TalkingGuild, database: Database) -> None:
    for text in (
        "Bot, remember that alice likes oil",
        "Bot, note bien que alice aime l'huile",
        "Bot, forget everything about alice",
    ):
        assert await bot_says(with_bots, text) == "Hello."
        await with_bots.say("alice", "hm")
    assert await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM facts")) == 0


async def test_a_bot_that_does_not_call_is_not_answered_nor_is_a_webhook(with_bots: TalkingGuild) -> None:
    await with_bots.keepsake.directory.put_channel(
        Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general", answering=AnswerMode.ALWAYS)
    )
    assert await bot_says(with_bots, "hello all") is None
    for kind in (MessageKind.WEBHOOK, MessageKind.SYSTEM):
        assert await with_bots.say("hook", f"<@{BOT_ID}> hello", kind=kind) is None


async def test_a_bot_settles_nothing_that_a_member_was_asked(with_bots: TalkingGuild) -> None:
    await with_bots.say("alice", "Bot, remember that I like tea")
    await with_bots.say("alice", "Bot, forget everything about me")
    await bot_says(with_bots, "Bot, yes")
    assert await with_bots.known("alice") == ["alice likes tea"]


async def test_its_own_messages_are_not_answered(with_bots: TalkingGuild) -> None:
    await with_bots.say("alice", "hm")
    assert with_bots.last is not None
    own = replace(
        with_bots.last,
        message_id=with_bots.last.message_id + 1,
        user_id=BOT_ID,
        kind=MessageKind.BOT,
        text="Bot, hello",
    )
    assert (await with_bots.again(own)).text is None
