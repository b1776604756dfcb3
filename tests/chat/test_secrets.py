"""A secret that somebody writes is kept nowhere, told to no model, repeated in no answer, and never becomes a fact."""

import json
import subprocess
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.archive.importing import import_files
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Language, Message
from bot.core.errors import SecretFactError
from bot.db.embedded.files import find_install
from bot.db.pool import Database
from bot.memory.facts.places import NewPlace
from bot.text.sentences import say
from tests.adapters.archive.exports import document, record, write
from tests.chat.guild import GUILD_ID, NAMES, TalkingGuild, guild_with
from tests.chat.usecases.visits import remember
from tests.scripted_models import ScriptedModels

PASSWORD = "hunter2"


@pytest.fixture
def models() -> ScriptedModels:
    return ScriptedModels(route={"kind": "chat", "confident": True}, reply={"text": "Hello."})


@pytest.fixture
async def guild(clock: SetClock, database: Database, models: ScriptedModels) -> AsyncIterator[TalkingGuild]:
    """A guild whose bot has a model."""
    async with guild_with(models, clock, database) as guild:
        yield guild


def dumped(dsn: str) -> str:
    """Return the whole database as text."""
    program = find_install(18) / "bin" / "pg_dump"
    return subprocess.run([program, "--dbname", dsn], check=True, capture_output=True, text=True).stdout


def said(guild: TalkingGuild) -> Message:
    assert guild.last is not None
    return guild.last


async def test_a_password_is_in_no_table_no_prompt_and_no_answer_whichever_way_it_comes(
    guild: TalkingGuild, models: ScriptedModels, dsn: str, tmp_path: Path
) -> None:
    answers = [
        await guild.say("carol", "i just set my password to hunter2"),
        await guild.say("alice", "Bot, hello, my password is hunter2, what do you think?"),
        await guild.say("alice", "Bot, remember that my password is hunter2"),
        await guild.say("alice", "Бот, запомни, что мой пароль hunter2"),
        await guild.say("alice", "Bot, remember that alice's wifi password is hunter2"),
        await guild.say("bob", "Bot, remember this", reply_to=said(guild)),
        await guild.say("alice", "Bot, forget that my password is hunter2"),
        await guild.say("alice", "Bot, when did we talk about the password hunter2x?"),
        await guild.say("alice", "Bot, my password is hunter2", direct=True),
        (await remember(guild, "alice", "my password is hunter2")).text,
    ]
    await guild.say("alice", "nothing yet")
    await guild.edit(said(guild), "my password is hunter2")
    await guild.say("alice", "Bot, remember that I like tea")
    edited = await guild.edit(said(guild), "Bot, remember that my password is hunter2")
    late = replace(said(guild), message_id=said(guild).message_id + 1, text="пароль: hunter2")
    await guild.keepsake.memory.ingest_messages(
        [
            late,
            replace(
                late, message_id=late.message_id + 1, text="", attachments=("[embed: password: hunter2]",)
            ),
        ]
    )
    await import_files(guild.keepsake, [write(tmp_path, document([record(1, "the password is hunter2")]))])
    await guild.keepsake.memory.told()
    assert PASSWORD not in json.dumps([*answers, edited.text], ensure_ascii=False)
    assert models.prompts
    assert PASSWORD not in "\n".join(models.prompts)
    dump = dumped(dsn)
    assert PASSWORD not in dump
    assert "i just set my password to [secret]" in dump
    assert answers[2] == answers[4] == answers[5] == answers[9] == say("chat.secret_fact", Language.ENGLISH)
    assert answers[3] == say("chat.secret_fact", Language.RUSSIAN)
    assert edited.text is not None
    assert say("chat.secret_fact", Language.ENGLISH) in edited.text


async def test_what_is_said_beside_a_secret_is_remembered_by_itself(guild: TalkingGuild) -> None:
    await guild.say("alice", "my card is 4111 1111 1111 1111")
    await guild.say("alice", "and I like pizza")
    answer = await guild.say("bob", "Bot, remember this about alice")
    assert answer is not None
    assert answer.startswith("Remembered: ")
    assert "pizza" in answer
    assert "card" not in answer


async def test_a_secret_that_a_model_says_is_not_kept_and_a_persona_and_a_place_hold_none(
    guild: TalkingGuild, models: ScriptedModels, dsn: str
) -> None:
    models.script["reply"] = {"text": f"In the picture stands: the password is {PASSWORD}"}
    await guild.say("alice", "Bot, what do you see there?")
    known = await guild.keepsake.directory.guild(GUILD_ID)
    assert known is not None
    persona = f"You are a butler. The password is {PASSWORD}."
    changed = await guild.keepsake.directory.change_guild(known, replace(known, persona=persona))
    assert changed.persona == "You are a butler. The password is [secret]."
    place = NewPlace(
        guild_id=GUILD_ID,
        subject_id=NAMES["alice"],
        author_id=NAMES["alice"],
        audience=OPEN,
        name="the lake",
        notes=f"the password is {PASSWORD}",
        cause="m:1",
        channel_id=1,
        message_id=1,
        said_at=guild.clock.now(),
    )
    with pytest.raises(SecretFactError):
        await guild.keepsake.memory.places.add(place)
    assert PASSWORD not in dumped(dsn)
