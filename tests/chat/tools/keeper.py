"""Talks to the bot while a model calls the tool as a test says, and looks at what is stored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Unpack

from bot.chat.correcting import undo_answer
from bot.chat.incoming import MessageOutcome
from bot.core.domain import Language, MessageKind
from bot.db.pool import Database
from tests.chat.guild import GENERAL, GUILD_ID, NAMES, TalkingGuild, Told
from tests.servers.asked import Asked
from tests.servers.base import Reply, ToolCall
from tests.servers.gemini import GeminiServer

SAID = "Good to know."


def call(operation: str, **arguments: object) -> ToolCall:
    return ToolCall("manage_memory", {"operation": operation, **arguments})


@dataclass
class Keeper:
    guild: TalkingGuild
    gemini: GeminiServer
    database: Database

    async def say(
        self,
        author: str,
        text: str,
        *calls: ToolCall | Callable[[Asked], Reply],
        said: str = SAID,
        channel_id: int = GENERAL,
        kind: MessageKind = MessageKind.MEMBER,
        after: timedelta = timedelta(seconds=1),
        **told: Unpack[Told],
    ) -> MessageOutcome:
        """Say something to the bot, whose model makes `calls` one after another and then answers `said`."""
        self.gemini.answer("reply", [*calls, {"text": said}])
        self.gemini.calls.clear()
        return await self.guild.hear(author, text, channel_id=channel_id, kind=kind, after=after, **told)

    async def undo(self, author: str) -> str:
        """Press the Undo under the last answer."""
        message = self.guild.last
        assert message is not None
        return await undo_answer(
            self.guild.keepsake.use_cases,
            guild_id=GUILD_ID,
            channel_id=message.channel_id,
            message_id=message.message_id,
            user_id=NAMES[author],
            from_moderator=False,
            language=Language.ENGLISH,
        )

    @property
    def results(self) -> Sequence[dict[str, object]]:
        """What the tool returned to the model for the last message."""
        return [dict(one) for one in self.gemini.requests_of("reply")[-1].tool_results]

    async def stored(self, *, status: str = "active") -> list[str]:
        """Return what was kept on request, or by the tool; what the bot picks up by itself is no matter here."""
        rows = await self.database.read(
            lambda connection: connection.fetch(
                """
                SELECT content FROM facts
                WHERE status = $1 AND origin IN ('command', 'tool') ORDER BY fact_id
                """,
                status,
            )
        )
        return [row["content"] for row in rows]
