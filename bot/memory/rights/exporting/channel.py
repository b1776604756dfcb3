"""Writes the export of a channel: its messages and the episodes of its conversations, within a read scope."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Final, Literal

from bot.core.clock import Clock
from bot.core.domain import Channel, Guild
from bot.db.pool import Database
from bot.memory.policy.disclosure import is_said_by_or_names
from bot.memory.policy.permissions import OperatorScope
from bot.memory.rights.exporting.document import (
    ExportedEpisode,
    ExportedGuild,
    ExportedPart,
    ExportedWords,
    Id,
)
from bot.memory.rights.exporting.exporting import ExportWriter, field, opened
from bot.memory.rights.inspecting import repository
from bot.memory.rights.inspecting.inspecting import Inspecting
from bot.memory.rights.inspecting.records import ChannelMessage

_PAGE_ROWS: Final = 500


class ExportedChannel(ExportedPart):
    """The channel or thread."""

    id: Id
    name: str
    parent: Id | None


class ExportedChannelMessage(ExportedWords):
    """A message of the channel."""

    author: Id


class ChannelExportCounts(ExportedPart):
    """How much the file holds; it is written last, so a file without it was cut off."""

    messages: int
    episodes: int


class ChannelExportHead(ExportedPart):
    """What the file of a channel begins with."""

    format: Literal["keepsake-channel-export"] = "keepsake-channel-export"
    schema_version: Literal[1] = 1
    exported_at: datetime
    audiences: tuple[Id, ...]
    """What the operator could read when it was written, and the file therefore holds."""
    guild: ExportedGuild
    channel: ExportedChannel


class ChannelExporting:
    """Makes files of channels."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._inspecting = Inspecting(database)

    async def pieces(self, scope: OperatorScope, guild: Guild, channel: Channel) -> AsyncIterator[bytes]:
        """Yield the file of a channel piece by piece: UTF-8, one object in JSON, oldest messages first."""
        writing = ExportWriter()
        head = ChannelExportHead(
            exported_at=self._clock.now(),
            audiences=tuple(scope.audiences),
            guild=ExportedGuild(
                id=guild.guild_id, name=guild.name, direct=guild.direct, time_zone=guild.time_zone
            ),
            channel=ExportedChannel(id=channel.channel_id, name=channel.name, parent=channel.parent_id),
        )
        yield opened(head) + b",\n"
        async for piece in writing.listed("messages", self._messages(scope, channel.channel_id)):
            yield piece
        yield b",\n"
        async for piece in writing.listed("episodes", self._episodes(scope, channel.channel_id)):
            yield piece
        counts = ChannelExportCounts(messages=writing.counts.messages, episodes=writing.counts.episodes)
        yield b",\n" + field("counts", counts) + b"}\n"

    async def _messages(
        self, scope: OperatorScope, channel_id: int
    ) -> AsyncIterator[Sequence[ExportedChannelMessage]]:
        after_id = 0
        while page := await self._database.read(
            repository.messages_after, scope, channel_id=channel_id, after_id=after_id, limit=_PAGE_ROWS
        ):
            yield [_message(one) for one in page if _may_be_shown(scope, one)]
            after_id = page[-1].message_id

    async def _episodes(
        self, scope: OperatorScope, channel_id: int
    ) -> AsyncIterator[Sequence[ExportedEpisode]]:
        before_id: int | None = None
        while True:
            page = await self._inspecting.episodes(
                scope, channel_id=channel_id, before_id=before_id, limit=_PAGE_ROWS
            )
            yield [
                ExportedEpisode(
                    id=one.episode_id,
                    channel=one.channel_id,
                    audience=one.audience,
                    content=one.content,
                    importance=one.importance,
                    tags=one.tags,
                    ended_at=one.created_at,
                )
                for one in page.episodes
            ]
            if page.next_id is None:
                return
            before_id = page.next_id


def _may_be_shown(scope: OperatorScope, message: ChannelMessage) -> bool:
    # What private members said is for themselves, and what names one is about them.
    words = " ".join((message.message_text, *message.attachments))
    return not is_said_by_or_names(scope.private_ids, words, author_id=message.user_id)


def _message(one: ChannelMessage) -> ExportedChannelMessage:
    return ExportedChannelMessage(
        id=one.message_id,
        author=one.user_id,
        audience=one.audience,
        kind=one.kind,
        said_at=one.timestamp,
        edited_at=one.edited_at,
        reply_to=one.reply_to_id,
        text=one.message_text,
        attachments=one.attachments,
    )
