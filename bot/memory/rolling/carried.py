"""What ended in a channel and is told by no episode yet: it goes on to be known in what is said next."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain import Message
from bot.memory import conversations
from bot.memory.conversations import Boundaries
from bot.memory.rolling.extract import extract
from bot.memory.rolling.talk import Talk
from bot.store import conversations as log
from bot.store import ended
from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What was said before a conversation, in short."""

    text: str
    from_id: int
    """The first message that it tells of."""
    covers_up_to: int
    """The last one."""
    audience: int
    """The narrowest of those that it was said in."""
    messages: Sequence[Message]
    """What was told of by an extract, since no summary tells of it."""


async def carried_into(
    connection: Connection,
    boundaries: Boundaries,
    talk: Talk,
    *,
    guild_id: int,
    channel_id: int,
    following: Message | None = None,
) -> Carried | None:
    """Return what is carried into `talk` of what ended before it, as far as it may be read there.

    That is the summary which is kept of the channel, and what that conversation said afterwards; and where the talk
    before ended by its length alone, all of it. `None` if there is nothing of the kind, if an episode tells of it, or
    if the talk has a summary of its own, which tells of it.
    `following` is said after the talk. No statement in an ordinary conversation, else four.
    """
    running = talk.running
    kept = (
        running.summary
        if running.summary and running.summary.covers_up_to < running.conversation_id
        else None
    )
    if talk.summary is not None or not running.before:
        return None
    if kept is None and not conversations.goes_on(running, boundaries, following=following):
        return None
    previous = await conversations.running_conversation(
        connection,
        boundaries,
        guild_id=guild_id,
        channel_id=channel_id,
        up_to_id=running.before[-1].message_id,
    )
    told_up_to = await ended.told_up_to(
        connection, guild_id=guild_id, channel_id=channel_id, before_id=running.conversation_id
    )
    if kept is not None and (kept.covers_up_to <= told_up_to or kept.audience not in talk.audiences):
        kept = None
    said = Talk(previous, talk.audiences).readable if previous is not None else ()
    known_up_to = max(told_up_to, kept.covers_up_to if kept is not None else 0)
    rest = [one for one in said if one.message_id > known_up_to]
    messages = (
        await log.messages(
            connection,
            guild_id=guild_id,
            channel_id=channel_id,
            from_id=rest[0].message_id,
            to_id=rest[-1].message_id,
            audiences=talk.audiences,
        )
        if rest
        else []
    )
    text = extract(kept.content if kept is not None else "", messages)
    if not text:
        return None
    return Carried(
        text=text,
        from_id=kept.conversation_id if kept is not None else rest[0].message_id,
        covers_up_to=rest[-1].message_id if rest else known_up_to,
        audience=max([*(one.audience for one in messages), *([kept.audience] if kept is not None else [])]),
        messages=messages,
    )
