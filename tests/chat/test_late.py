"""What was said while the bot was away: commands are carried out without a word, and nothing is answered late."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from bot.app import Keepsake, assembled
from bot.chat.conversation import SENT_LATE
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Message
from bot.core.settings import Settings
from bot.db.pool import Database
from tests.chat.guild import GUILD_ID, MODS, NAMES, TalkingGuild


async def test_a_command_that_was_missed_is_carried_out_without_a_word(guild: TalkingGuild) -> None:
    outcome = await guild.hear("alice", "Bot, remember that I like tea", late=True)
    assert (outcome.route, outcome.text, outcome.undo_ids) == ("remember", None, ())
    assert await guild.known("alice") == ["alice likes tea"]
    assert (await guild.hear("alice", "Bot, remember that I like jam", late=True)).text is None
    assert (await guild.hear("alice", "Bot, no, I said plums", late=True)).route == "correct"
    assert sorted(await guild.known("alice")) == ["alice likes plums", "alice likes tea"]
    assert (await guild.hear("alice", "Bot, forget that I like tea", late=True)).route == "forget"
    assert await guild.known("alice") == ["alice likes plums"]


async def test_what_was_carried_out_late_is_not_answered_when_it_is_heard_once_more(
    guild: TalkingGuild,
) -> None:
    await guild.hear("alice", "Bot, remember that I like tea", late=True)
    assert guild.last is not None
    assert (await guild.again(guild.last)).text is None


@pytest.mark.parametrize(
    "text", ["Bot, what do you know about me?", "Bot, hello there", "Bot, help", "<@77>", "hello all"]
)
async def test_what_writes_nothing_is_not_answered_late(guild: TalkingGuild, text: str) -> None:
    assert (await guild.hear("alice", text, late=True)).text is None


async def test_a_late_command_asks_nothing_back(guild: TalkingGuild, database: Database) -> None:
    await guild.hear("alice", "Bot, forget everything about me", late=True)
    await guild.say("alice", "Bot, remember that I like tea")
    assert (await guild.hear("alice", "Bot, forget everything about me", late=True)).text is None
    assert await guild.say("alice", "yes") is None, "nobody was asked"
    assert await guild.known("alice") == ["alice likes tea"]
    questions = "SELECT count(*) FROM answers WHERE question IS NOT NULL"
    assert await database.read(lambda connection: connection.fetchval(questions)) == 0


async def test_an_answer_to_what_the_bot_asked_is_a_command_also_late(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like tea")
    await guild.say("alice", "Bot, forget everything about me")
    assert (await guild.hear("alice", "yes", late=True)).text is None
    assert await guild.known("alice") == []


class Process:
    """Another process on the same database, which dies without a word."""

    def __init__(self, guild: TalkingGuild, database: Database) -> None:
        self._guild = guild
        self._database = database

    async def hears(self, message: Message, *, late: bool) -> str | None:
        """Return what a process that has just begun answers to `message`."""
        async with assembled(Settings(_env_file=None), self._guild.clock, self._database) as keepsake:
            return (await TalkingGuild(keepsake, self._guild.clock).again(message, late=late)).text


@pytest.fixture
def other(guild: TalkingGuild, database: Database) -> Process:
    return Process(guild, database)


@pytest.mark.parametrize("text", ["Bot, remember that I like tea", "Bot, what do you know about me?"])
async def test_an_answer_that_a_dead_process_did_not_send_is_sent_by_the_next(
    guild: TalkingGuild, other: Process, clock: SetClock, text: str
) -> None:
    await guild.hear("alice", "not for anybody")
    assert guild.last is not None
    written = await guild.again(_said(guild, text), deliver=False)
    assert written.text is not None
    said = _said(guild, text)
    clock.advance(SENT_LATE)
    assert await other.hears(said, late=True) == written.text
    assert await other.hears(said, late=True) is None, "it was sent"


@pytest.mark.parametrize("text", ["Bot, remember that I like tea", "Bot, what do you know about me?"])
async def test_an_answer_that_was_left_in_a_closed_room_is_not_sent_once_the_room_is_open(
    guild: TalkingGuild, other: Process, text: str
) -> None:
    await guild.say("alice", "Bot, remember that I like quinces", channel_id=MODS)
    said = replace(_said(guild, text), audience=MODS)
    assert (await guild.again(said, deliver=False)).text is not None
    assert await other.hears(replace(said, audience=OPEN), late=True) is None


async def test_an_answer_that_was_left_tells_nothing_of_who_is_private_since(
    guild: TalkingGuild, other: Process
) -> None:
    await guild.say("alice", "Bot, remember that I like quinces")
    asked = "Bot, what do you know about alice?"
    said = replace(_said(guild, asked), user_id=NAMES["bob"])
    assert "quinces" in ((await guild.again(said, deliver=False)).text or "")
    await guild.keepsake.memory.consent.set_private(guild_id=GUILD_ID, user_id=NAMES["alice"], private=True)
    assert await other.hears(said, late=True) is None


async def test_an_old_answer_that_was_not_sent_is_not_sent_any_more(
    guild: TalkingGuild, other: Process, clock: SetClock
) -> None:
    await guild.hear("alice", "not for anybody")
    said = _said(guild, "Bot, remember that I like tea")
    await guild.again(said, deliver=False)
    clock.advance(SENT_LATE + timedelta(seconds=1))
    assert await other.hears(said, late=True) is None
    assert await guild.known("alice") == ["alice likes tea"]


async def test_an_old_answer_that_is_heard_once_more_still_waits_for_whoever_sends_what_was_left(
    guild: TalkingGuild, other: Process, clock: SetClock, keepsake: Keepsake, database: Database
) -> None:
    await guild.hear("alice", "not for anybody")
    said = _said(guild, "Bot, remember that I like tea")
    await guild.again(said, deliver=False)
    clock.advance(SENT_LATE + timedelta(seconds=1))
    ended = "UPDATE answers SET leased_until = now() - interval '10 minutes'"
    await database.write(lambda connection: connection.execute(ended))
    assert await other.hears(said, late=True) is None
    left = await keepsake.memory.answers.unsent(
        guild_ids=[said.guild_id],
        with_direct=False,
        overdue=timedelta(minutes=2),
        within=timedelta(days=1),
        most=5,
    )
    assert [one.message_id for one in left] == [said.message_id]


async def test_what_is_being_answered_here_is_not_taken_over(guild: TalkingGuild) -> None:
    await guild.hear("alice", "not for anybody")
    said = _said(guild, "Bot, remember that I like tea")
    assert (await guild.again(said, deliver=False)).text is not None
    assert (await guild.again(said, late=True)).text is None


async def test_a_command_in_the_middle_of_which_a_process_died_is_carried_out_by_the_next(
    guild: TalkingGuild, other: Process, keepsake: Keepsake, database: Database
) -> None:
    await guild.hear("alice", "not for anybody")
    said = _said(guild, "Bot, remember that I like tea")
    assert await keepsake.memory.answers.claim(said) is not None
    dead = "UPDATE answers SET holder = $1"
    await database.write(lambda connection: connection.execute(dead, uuid4()))
    assert await other.hears(said, late=True) is None
    assert await guild.known("alice") == ["alice likes tea"]


def _said(guild: TalkingGuild, text: str) -> Message:
    assert guild.last is not None
    before = guild.last
    return Message(
        guild_id=before.guild_id,
        channel_id=before.channel_id,
        message_id=before.message_id + 1,
        user_id=NAMES["alice"],
        text=text,
        timestamp=before.timestamp,
    )
