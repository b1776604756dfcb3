"""Killed while a reply appears sentence by sentence, the bot makes one whole message of it after its next start."""

import asyncio
from collections.abc import Callable, Coroutine

import pytest

from bot.db.pool import Database
from tests.adapters.discord.bots import BotProcess, bot_process, eventually
from tests.adapters.discord.slow_model import FIRST, SECOND, WHOLE, SlowModel
from tests.adapters.discord.test_delivery import give_the_shards_back, is_answered
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until
from tests.servers.gemini import GeminiServer

pytestmark = pytest.mark.processes


class Scene:
    """A process that is about to be killed, and what its Discord, its model and its database tell of it."""

    def __init__(
        self, server: DiscordServer, database: Database, process: BotProcess, model: SlowModel
    ) -> None:
        self.server = server
        self.database = database
        self.process = process
        self.model = model

    async def noted(self, column: str, value: object) -> None:
        """Wait until the answer says so."""

        async def is_noted() -> bool:
            found = await self.database.read(
                lambda connection: connection.fetchval(
                    f"SELECT {column} FROM answers ORDER BY message_id DESC"
                )
            )
            return bool(found == value)

        await eventually(is_noted)


async def before_it_is_sent(scene: Scene) -> None:
    """It is written down what will be shown, and nothing gets through to Discord."""
    scene.model.stop_after(FIRST)
    scene.server.faults.drop("POST", "/channels/*/messages", times=None)
    await until(
        lambda: any(one.path.endswith("/messages") for one in scene.server.requests if one.method == "POST")
    )
    await scene.noted("parts", [FIRST])
    await scene.process.kill()
    assert scene.server.sent == []


async def when_it_is_sent(scene: Scene) -> None:
    """Discord has the first words, and the bot never hears of it."""
    scene.model.stop_after(FIRST)
    scene.server.world.on_sent.append(lambda _message: scene.process.process.kill())
    await scene.process.ended()
    scene.server.world.on_sent.clear()
    await scene.noted("sent_ids", [])
    assert [message.text for message in scene.server.sent] == [FIRST]


async def between_edits(scene: Scene) -> None:
    """Two sentences are seen, and more are to come."""
    scene.model.stop_after(SECOND)
    [answer] = await scene.server.sent_to("general")
    await until(lambda: SECOND in answer.text)
    await scene.process.kill()


async def before_the_last_edit(scene: Scene) -> None:
    """The whole is written down, and Discord has the first words alone."""
    go_on = scene.model.stop_after(FIRST)
    [answer] = await scene.server.sent_to("general")
    await scene.noted("sent_ids", [answer.message_id])
    scene.server.faults.drop("PATCH", "/channels/*/messages/*", times=None)
    go_on.set()
    await scene.noted("state", "written")
    await scene.process.kill()
    assert answer.text == FIRST


async def after_the_last_edit(scene: Scene) -> None:
    """Discord has the whole, and the bot does not hear that it does."""
    go_on = scene.model.stop_after(FIRST)
    [answer] = await scene.server.sent_to("general")
    await scene.noted("sent_ids", [answer.message_id])
    scene.server.faults.drop("PATCH", "/channels/*/messages/*", times=None, afterwards=True)
    go_on.set()
    await until(lambda: answer.text == WHOLE)
    await scene.process.kill()


Blow = Callable[[Scene], Coroutine[object, object, None]]


@pytest.mark.parametrize(
    "blow",
    [
        pytest.param(before_it_is_sent, marks=pytest.mark.soak),
        when_it_is_sent,
        pytest.param(between_edits, marks=pytest.mark.soak),
        before_the_last_edit,
        pytest.param(after_the_last_edit, marks=pytest.mark.soak),
    ],
)
async def test_killed_while_a_reply_appears_it_is_one_whole_message_in_the_end(
    blow: Blow, discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with GeminiServer() as gemini:
        gemini.answer("reply", WHOLE)
        model = SlowModel(gemini)
        settings = {"GEMINI_API_KEY": "x", "GEMINI_BASE_URL": gemini.url}
        async with bot_process(discord_server, dsn, **settings) as process:
            await process.told("server Home")
            struck = asyncio.create_task(blow(Scene(discord_server, database, process, model)))
            await asyncio.sleep(0)
            asked = await guild.say("alice", "general", "Bot, what are narwhals?")
            await struck
        discord_server.faults.heal()
        model.go_on()
        await database.write(give_the_shards_back)
        async with bot_process(discord_server, dsn, **settings) as process:
            await process.told("server Home")
            await eventually(lambda: is_answered(database, asked))
            answer = await discord_server.answer_to(asked)
            await discord_server.quiet(0.5)
            assert process.errors == []
    assert discord_server.sent == [answer]
    assert answer.text == WHOLE
    kept = await database.read(
        lambda connection: connection.fetch(
            "SELECT message_id, message_text FROM chat_history WHERE kind = 'bot'"
        )
    )
    assert [tuple(row) for row in kept] == [(answer.message_id, WHOLE)]
