"""What is forgotten while an answer is being found is not told by it."""

import asyncio

from bot.db.pool import Connection, Database
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.tombstones import Hasher
from bot.memory.rights.forgetting import apply
from tests.chat.guild import GUILD_ID, TalkingGuild
from tests.databases import until_awaited


async def test_an_answer_whose_fact_was_forgotten_before_it_is_written_is_found_anew(
    guild: TalkingGuild, database: Database
) -> None:
    for said in ("my boat is called Zeppelina", "I like tea"):
        await guild.say("alice", f"Bot, remember that {said}")
    hasher = Hasher(await database.read(policy_repository.hash_secret))

    async def forget(connection: Connection) -> "asyncio.Task[str | None]":
        fact_ids = [
            row["fact_id"]
            for row in await connection.fetch(
                "SELECT fact_id FROM facts WHERE content LIKE '%Zeppelina%' FOR UPDATE"
            )
        ]
        asking = asyncio.create_task(guild.say("alice", "Bot, what do you know about me?"))
        # The facts were read by now, and the answer is about to be written down.
        await until_awaited(connection, asking.done)
        now = guild.clock.now()
        await apply.disown(connection, hasher, guild_id=GUILD_ID, fact_ids=fact_ids, now=now)
        return asking

    answer = await (await database.write(forget))
    assert answer is not None
    assert "tea" in answer
    assert "Zeppelina" not in answer
    told = await database.read(
        lambda connection: connection.fetch("SELECT FROM answers WHERE answers::text LIKE '%know%Zeppelina%'")
    )
    assert told == []
