"""Routes: the memories of a channel, which are its episodes, and the file of a channel."""

from fastapi import APIRouter
from starlette.responses import StreamingResponse

from bot.adapters.web.entering import NEEDS_OPERATOR, Asking
from bot.adapters.web.files import JSON_FILE, json_file
from bot.adapters.web.models import (
    DEFAULT_LIMIT,
    ChannelId,
    Cursor,
    Deleted,
    GivenId,
    GuildId,
    Limit,
    MemoryEntry,
    MemoryList,
)
from bot.adapters.web.parts import Web
from bot.adapters.web.problems import RESPONSES, not_found
from bot.adapters.web.seeing import InChannel, known_channel
from bot.memory.rights.access.records import AuditAction

router = APIRouter(
    prefix="/api/v1/guilds/{guild_id}/channels/{channel_id}",
    responses=RESPONSES,
    dependencies=NEEDS_OPERATOR,
    tags=["memories"],
)


@router.get("/memories")
async def memories(
    web: Web, seen: InChannel, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> MemoryList:
    """List what conversations in a channel left behind, the newest first."""
    page = await web.keepsake.memory.inspecting.episodes(
        seen.scope, channel_id=seen.channel.channel_id, before_id=cursor, limit=limit
    )
    return MemoryList(
        memories=[MemoryEntry.of(one) for one in page.episodes], next_cursor=page.next_id, hidden=page.hidden
    )


@router.delete("/memories")
async def delete_memories(web: Web, asking: Asking, guild_id: GuildId, channel_id: ChannelId) -> Deleted:
    """Delete all memories of a channel, closed ones too; their conversations leave no others."""
    await known_channel(web, guild_id, channel_id)
    await web.access.note(asking, AuditAction.DELETE_MEMORIES, guild_id=guild_id, channel_id=channel_id)
    count = await web.keepsake.memory.episodes.purge(guild_id=guild_id, channel_id=channel_id)
    return Deleted(deleted_count=count)


@router.delete("/memories/{memory_id}")
async def delete_memory(
    web: Web, asking: Asking, guild_id: GuildId, channel_id: ChannelId, memory_id: GivenId
) -> Deleted:
    """Delete one memory of a channel; its conversation leaves no other."""
    await known_channel(web, guild_id, channel_id)
    kept = await web.keepsake.memory.episodes.everywhere(
        guild_id=guild_id, channel_id=channel_id, episode_id=memory_id
    )
    if not kept:
        raise not_found(f"memory {memory_id} of channel {channel_id}")
    await web.access.note(
        asking, AuditAction.DELETE_MEMORY, guild_id=guild_id, channel_id=channel_id, item_id=memory_id
    )
    count = await web.keepsake.memory.episodes.purge(
        guild_id=guild_id, channel_id=channel_id, episode_id=memory_id
    )
    if not count:
        raise not_found(f"memory {memory_id} of channel {channel_id}")
    return Deleted(deleted_count=count)


@router.get("/export", response_class=StreamingResponse, responses=JSON_FILE, tags=["export"])
async def export_channel(web: Web, asking: Asking, seen: InChannel) -> StreamingResponse:
    """Write what is kept of a channel into a file, as far as it is open or was revealed."""
    guild_id, channel_id = seen.guild.guild_id, seen.channel.channel_id
    await web.access.note(asking, AuditAction.EXPORT_CHANNEL, guild_id=guild_id, channel_id=channel_id)
    pieces = web.keepsake.memory.channel_exporting.pieces(seen.scope, seen.guild, seen.channel)
    return json_file(pieces, f"channel-{channel_id}.json")
