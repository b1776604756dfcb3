"""What was forgotten, and what visitors said, comes into no profile and no learned fact, whatever a model writes."""

import re
from dataclasses import replace

from bot.core.domain import FactOrigin
from bot.db.pool import Connection, Database
from bot.memory.facts.statements import Note
from tests.memory.profiles.learning.talks import ALICE, BOB, GUILD_ID, Talks, said_in
from tests.servers.asked import Asked
from tests.servers.gemini import GeminiServer

NAMED = f"<@{ALICE}>"


async def remember(talks: Talks, statement: str) -> int:
    """Have something remembered, and return the id of the fact."""
    message = await talks.ask(f"Bot, remember that {statement}")
    stored = await talks.keepsake.memory.remember(
        Note(
            guild_id=GUILD_ID,
            subject_id=ALICE,
            author_id=ALICE,
            speaker_id=ALICE,
            audience=0,
            statement=statement,
            cause=f"m:{message.message_id}",
            channel_id=message.channel_id,
            message_id=message.message_id,
            said_at=message.timestamp,
            time_zone="UTC",
        )
    )
    assert stored.fact_id is not None
    return stored.fact_id


async def learned(database: Database) -> list[str]:
    async def read(connection: Connection) -> list[str]:
        rows = await connection.fetch(
            "SELECT content FROM facts WHERE origin = $1 AND status = 'active' ORDER BY fact_id",
            FactOrigin.LEARNING,
        )
        return [row["content"] for row in rows]

    return await database.read(read)


def repeating(asked: Asked) -> dict[str, object]:
    """Tell what was forgotten in all the ways that a model has."""
    last = list(said_in(asked.prompt))[-1]
    return {
        "profile": "@u1 and @u2 build one boat after the other, and @u1 tells about it."
        " @u1 likes anchovies. She adores anchovies.",
        "facts": [
            {"message": last, "text": "@u1 likes anchovies"},
            {"message": last, "text": "@u1 loves anchovies"},
            {"message": last, "text": "@u1 eats anchovies every morning"},
            {"message": last, "text": "@u1 builds boats"},
        ],
    }


async def test_a_model_that_repeats_what_was_forgotten_is_not_believed(
    talks: Talks, gemini: GeminiServer, database: Database
) -> None:
    gemini.answer("learn_profile", repeating)
    fact_id = await remember(talks, "I like anchovies")
    await talks.keepsake.memory.forget(guild_id=GUILD_ID, fact_ids=[fact_id], author_ids=[ALICE])
    # They say so themselves again; nobody asked to have it remembered.
    await talks.turns(
        20, text=f"anchovies every morning while <@{BOB}> and I build boat {{}}, I love anchovies"
    )
    boats = f"{NAMED} and <@{BOB}> build one boat after the other, and {NAMED} tells about it."
    assert await talks.profile() == boats
    assert await learned(database) == [f"{NAMED} builds boats"]


async def test_what_is_forgotten_while_a_model_is_asked_is_not_saved(
    talks: Talks, gemini: GeminiServer, database: Database
) -> None:
    fact_id = await remember(talks, "I like anchovies")

    async def meanwhile(asked: Asked) -> dict[str, object]:
        await talks.keepsake.memory.forget(guild_id=GUILD_ID, fact_ids=[fact_id], author_ids=[ALICE])
        return repeating(asked)

    gemini.answer("learn_profile", [meanwhile, repeating])
    await talks.turns(20, text=f"<@{BOB}> and I build boat {{}}")
    assert len(talks.prompts) == 2
    assert "anchovies" not in await talks.profile()
    assert await learned(database) == [f"{NAMED} builds boats"]


async def test_what_a_visitor_said_is_shown_to_no_model(talks: Talks) -> None:
    message = replace(talks._message("I sail alone", user_id=ALICE), from_visitor=True)
    await talks.keepsake.memory.ingest_message(message)
    await talks.sent(await talks.write(message, "You said that you sail alone."))
    await talks.turns(19)
    (prompt,) = talks.prompts
    assert "sail alone" not in prompt


async def test_what_is_enclosed_is_shown_without_its_secrets(talks: Talks) -> None:
    message = replace(
        talks._message("look", user_id=ALICE), attachments=("[forwarded: my password is hunter2-Xq9]",)
    )
    await talks.keepsake.memory.ingest_message(message)
    await talks.sent(await talks.write(message, "I see."))
    await talks.turns(19)
    (prompt,) = talks.prompts
    assert re.search(r"look \[forwarded: .*\[secret\]", prompt)
    assert "hunter2" not in prompt
