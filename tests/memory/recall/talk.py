"""A guild in which things are said, to be found again."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bot.app import Keepsake
from bot.core.domain import OPEN, Guild, Member, Message, MessageKind, snowflake_at
from bot.memory.recall.query import Query
from bot.memory.recall.search import Hit

GUILD_ID = 1
GENERAL, OTHER, MODS = 20, 21, 22
ALICE, BOB, CAROL = 11, 12, 13
MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


@dataclass
class Talk:
    """What was said, and a way to ask."""

    keepsake: Keepsake
    said: int = 0

    async def say(
        self,
        text: str,
        *,
        by: int = ALICE,
        at: datetime = MONDAY,
        channel_id: int = GENERAL,
        kind: MessageKind = MessageKind.MEMBER,
        attachments: tuple[str, ...] = (),
    ) -> Message:
        """Say something; what is said at the same time is said one after another."""
        self.said += 1
        message = Message(
            guild_id=GUILD_ID,
            channel_id=channel_id,
            message_id=snowflake_at(at) + self.said,
            user_id=by,
            text=text,
            timestamp=at + timedelta(milliseconds=self.said),
            audience=MODS if channel_id == MODS else OPEN,
            kind=kind,
            attachments=attachments,
        )
        await self.keepsake.memory.ingest_message(message)
        return message

    async def chatter(self, *, at: datetime = MONDAY, channel_id: int = GENERAL, count: int = 12) -> None:
        """Say things about nothing, so that no word of the others is common."""
        for number in range(count):
            await self.say(f"filler{number} filling{number}", by=CAROL, at=at, channel_id=channel_id)

    async def hits(
        self, query: Query | str, *, audiences: tuple[int, ...] = (OPEN,), limit: int = 5
    ) -> list[Hit]:
        """Return what is found."""
        return await self.keepsake.memory.recall(
            guild_id=GUILD_ID, query=query, audiences=audiences, limit=limit
        )

    async def found(
        self, query: Query | str, *, audiences: tuple[int, ...] = (OPEN,), limit: int = 5
    ) -> list[str]:
        """Return the texts of what is found."""
        return [hit.text for hit in await self.hits(query, audiences=audiences, limit=limit)]


async def begin(keepsake: Keepsake, *, text_search: str = "russian", time_zone: str = "UTC") -> Talk:
    """Open the guild with its three members."""
    await keepsake.directory.add_guild(
        Guild(guild_id=GUILD_ID, name="Talk", text_search=text_search, time_zone=time_zone)
    )
    await keepsake.directory.put_members(
        [
            Member(guild_id=GUILD_ID, user_id=user_id, user_name=name)
            for user_id, name in ((ALICE, "Alice"), (BOB, "Боря"), (CAROL, "Carol"))
        ]
    )
    return Talk(keepsake)


async def rename(talk: Talk, user_id: int, name: str) -> None:
    """Give a member another name."""
    await talk.keepsake.directory.put_members(
        [replace(Member(guild_id=GUILD_ID, user_id=user_id, user_name=name))]
    )
