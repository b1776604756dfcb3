"""Addresses of messages, which Discord's clients jump to."""


def address(*, guild_id: int | None, channel_id: int, message_id: int) -> str:
    """Return where a message can be seen; direct messages (`None`) have no guild on Discord."""
    place = "@me" if guild_id is None else str(guild_id)
    return f"https://discord.com/channels/{place}/{channel_id}/{message_id}"
