"""Of which channels talk is told again: those that the asker can read at this moment.

A message keeps the audience of the moment when it was heard; whether somebody may scroll to it is another question,
and the face alone knows.
"""

from collections.abc import Collection

from bot.conversation.turn import Doors, Turn


async def readable_now(turn: Turn, channel_ids: Collection[int], doors: Doors) -> frozenset[int]:
    """Return those of `channel_ids` that the asker can read now, and that may be told of where they ask."""
    here = turn.message.channel_id
    known = {channel.channel_id: channel for channel in await doors.directory.channels(turn.view.guild_id)}
    asked = frozenset(channel_ids)
    if turn.can_read is not None:
        # A face may not know a thread that was archived: a public one is read by whoever reads its channel.
        parents = {
            channel_id: known[channel_id].parent_id
            for channel_id in asked
            if channel_id in known and known[channel_id].audience != channel_id
        }
        can = await turn.can_read({*asked, *(parent for parent in parents.values() if parent)})
        asked = frozenset(one for one in asked if one == here or one in can or parents.get(one) in can)
    return frozenset(
        channel_id
        for channel_id in asked
        if channel_id == here or channel_id not in known or known[channel_id].audience in turn.view.audiences
    )


async def all_readable_now(turn: Turn, doors: Doors) -> frozenset[int] | None:
    """Return all channels that the asker can read now; `None` where no face knows, so that views alone decide."""
    if turn.can_read is None:
        return None
    known = [channel.channel_id for channel in await doors.directory.channels(turn.view.guild_id)]
    return await readable_now(turn, [*known, turn.message.channel_id], doors)
