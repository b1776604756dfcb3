"""What calls nobody is for the bot where everything is answered, in reply to it, and when it had asked; the rest of
the talk is looked at together, however much is said at once.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pytest

from bot.core.domain import AnswerMode, Channel, ForwardOrigin, Message, MessageKind
from bot.core.errors import DatabaseUnavailableError
from bot.db.pool import Connection
from bot.memory.outbox import repository
from tests.chat.guild import GAMES, GENERAL, GUILD_ID, TalkingGuild

THREAD = GENERAL + 77


async def test_much_talk_at_once_is_looked_at_together(
    guild: TalkingGuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    may_concern = repository.may_concern_bot

    async def counted(connection: Connection, messages: Sequence[Message], *, since: datetime) -> list[bool]:
        looked.append(len(messages))
        return await may_concern(connection, messages, since=since)

    async def alone(connection: Connection, message: Message, *, since: datetime) -> repository.Surroundings:
        raise AssertionError(f"message {message.message_id} was looked at alone")

    monkeypatch.setattr(repository, "may_concern_bot", counted)
    monkeypatch.setattr(repository, "surroundings", alone)
    said = [guild.say("alice", f"number {number} of a long talk") for number in range(40)]
    assert await asyncio.gather(*said) == [None] * 40
    assert sum(looked) == 40
    assert len(looked) < 20


@pytest.mark.parametrize("in_thread", [False, True])
async def test_where_everything_is_answered_talk_is_for_the_bot(guild: TalkingGuild, in_thread: bool) -> None:
    directory = guild.keepsake.directory
    channel = Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general", answering=AnswerMode.ALWAYS)
    thread = Channel(guild_id=GUILD_ID, channel_id=THREAD, name="a thread", parent_id=GENERAL)
    await directory.put_channels([channel, thread])
    channel_id = THREAD if in_thread else GENERAL
    assert await guild.say("alice", "remember that I like tea", channel_id=channel_id) is not None
    assert await guild.say("alice", "remember that I like tea", channel_id=GAMES) is None


async def test_a_reply_to_the_bot_is_for_it_and_one_to_a_member_is_not(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like tea")
    assert guild.last is not None
    assert await guild.say("bob", "what do you know about me?", reply_to=guild.last) is None
    assert await guild.say("bob", "what do you know about me?", reply_to=guild.answer) is not None


async def test_who_was_asked_settles_it_with_a_word_and_nobody_else(guild: TalkingGuild) -> None:
    for number in range(3):
        await guild.say("alice", f"Bot, remember that I like tea number {number}")
    asked = await guild.say("alice", "Bot, forget everything about me")
    assert asked is not None and "yes" in asked
    assert await guild.say("bob", "yes") is None
    assert await guild.say("alice", "yes", channel_id=GAMES) is None
    assert await guild.say("alice", "yes") is not None


async def test_what_is_none_of_its_business_is_told_from_the_message_alone(
    guild: TalkingGuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = guild.keepsake.conversation
    assert await guild.say("bob", "lunch?") is None
    assert guild.last is not None
    talk = guild.last
    assert await conversation.overhears(talk)
    assert not await conversation.overhears(replace(talk, kind=MessageKind.BOT))
    assert not await conversation.overhears(
        replace(talk, forwarded=ForwardOrigin(guild_id=GUILD_ID, message_id=1))
    )
    await guild.say("alice", "Bot, remember that I like tea")
    assert guild.answer is not None
    assert not await conversation.overhears(replace(talk, reply_to_id=guild.answer.message_id))

    async def away(*_: object, **__: object) -> list[bool]:
        raise DatabaseUnavailableError("away")

    monkeypatch.setattr(repository, "may_concern_bot", away)
    # Who hears it in full asks once more, and knows what to say.
    assert not await conversation.overhears(talk)
