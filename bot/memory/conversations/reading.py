"""Conversations as they stand in the log: which one is running, and which have ended."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.domain import Message
from bot.memory.conversations.boundaries import Boundaries, Spoken, ends_conversation
from bot.store import conversations
from bot.store.conversations import Answered, Said
from bot.store.database import Connection
from bot.store.ended import EndedConversation
from bot.store.summaries import Summary

_FURTHER = 4
"""Where the beginning of a conversation is not in sight, so many times as much is read in addition."""

_PAGE = 1_000
"""Messages that are read at once when ends are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The conversation that a message belongs to, or the last one of a channel."""

    said: Sequence[Said]
    """What is kept of it, oldest first, withheld ones too."""
    before: Sequence[Said]
    """What was said in the channel before it, as far as it was read."""
    is_complete: bool
    """Nothing was said before that."""
    conversation_id: int
    """Its first message; that of the message itself where nothing was said before it."""
    summary: Summary | None
    """What is kept in short of a conversation of this channel, this one or another."""


async def running_conversation(
    connection: Connection,
    boundaries: Boundaries,
    *,
    guild_id: int,
    channel_id: int,
    up_to_id: int,
    following: Message | None = None,
    with_text: int = 0,
) -> Running | None:
    """Return the conversation of a channel that goes on with `following`, or else with its last message.

    What is kept is read up to the message `up_to_id`, included; the last `with_text` visible messages come with all
    that they say. One statement, unless people talk without a pause. `None` if there is nothing.
    """
    next_one = [Spoken(following.message_id, following.timestamp)] if following else []
    limit = boundaries.longest + 2
    tail = await conversations.tail(
        connection,
        guild_id=guild_id,
        channel_id=channel_id,
        up_to_id=up_to_id,
        limit=limit,
        with_text=with_text,
    )
    spoken = [*map(_spoken, tail.said), *next_one]
    if not spoken:
        return None
    while (starts := boundaries.starts(spoken, complete=tail.is_complete)) is None:
        limit *= _FURTHER
        earlier = await conversations.earlier(
            connection,
            guild_id=guild_id,
            channel_id=channel_id,
            before_id=spoken[0].message_id,
            limit=limit,
        )
        spoken = [*map(_spoken, earlier), *spoken]
        tail = replace(tail, said=[*earlier, *tail.said], is_complete=len(earlier) < limit)
    return Running(
        said=tail.said[starts[-1] :],
        before=tail.said[: starts[-1]],
        is_complete=tail.is_complete,
        conversation_id=spoken[starts[-1]].message_id,
        summary=tail.summary,
    )


async def first_message_id(
    connection: Connection, boundaries: Boundaries, *, guild_id: int, channel_id: int, up_to_id: int
) -> int | None:
    """Return the id of the conversation that the last message of a channel up to `up_to_id` belongs to.

    That is its first message. `None` if nothing is kept of the channel until there.
    """
    running = await running_conversation(
        connection, boundaries, guild_id=guild_id, channel_id=channel_id, up_to_id=up_to_id
    )
    return running.conversation_id if running else None


async def ended_conversations(
    connection: Connection,
    *,
    now: datetime,
    gap: timedelta,
    since: datetime,
    places: Sequence[tuple[int, int]] | None = None,
) -> list[EndedConversation]:
    """Return the conversations in which the bot answered since `since` that are over `now` and not noted as such.

    In all channels, or in `places`, each a guild and a channel of it. Whoever was there when they ended.
    """
    boundaries = Boundaries(gap=gap)
    found: list[EndedConversation] = []
    for channel in await conversations.answered(connection, since=since, places=places):
        found += await _ended_in(connection, boundaries, channel, now=now)
    return found


async def _ended_in(
    connection: Connection, boundaries: Boundaries, channel: Answered, *, now: datetime
) -> list[EndedConversation]:
    found: list[EndedConversation] = []
    waiting = list(channel.message_ids)
    while waiting:
        running = await running_conversation(
            connection,
            boundaries,
            guild_id=channel.guild_id,
            channel_id=channel.channel_id,
            up_to_id=waiting[0],
        )
        if running is None or not running.said:
            waiting.pop(0)
            continue
        further = await conversations.onwards(
            connection,
            guild_id=channel.guild_id,
            channel_id=channel.channel_id,
            after_id=waiting[0],
            limit=_PAGE,
        )
        told = _over_in(boundaries, channel, running, further, now=now)
        found += [one for one in told if _holds_any(one, waiting)]
        if len(further) < _PAGE:
            break
        told_up_to = max((one.last_message_id for one in told), default=waiting[0])
        waiting = [one for one in waiting if one > told_up_to]
    return found


def _over_in(
    boundaries: Boundaries, channel: Answered, running: Running, further: Sequence[Said], *, now: datetime
) -> list[EndedConversation]:
    """Return what is over of the conversation that is running and of those that follow it in `further`."""
    spoken = [*map(_spoken, [*running.before, *running.said, *further])]
    # What is certain of the longer stretch is certain of its beginning too.
    starts = boundaries.starts(spoken, complete=running.is_complete) or []
    over = []
    for start, end in zip(starts, [*starts[1:], len(spoken)], strict=True):
        following = spoken[end] if end < len(spoken) else None
        ended_at = boundaries.over_at(spoken[start:end], following, now=now)
        is_whole = following is not None or len(further) < _PAGE
        if ended_at is not None and is_whole and spoken[start].message_id >= running.conversation_id:
            over.append(
                EndedConversation(
                    guild_id=channel.guild_id,
                    channel_id=channel.channel_id,
                    first_message_id=spoken[start].message_id,
                    last_message_id=spoken[end - 1].message_id,
                    ended_at=ended_at,
                )
            )
    return over


def is_over(running: Running, boundaries: Boundaries, *, now: datetime) -> bool:
    """Tell whether a conversation with which the channel ends is over."""
    spoken = [_spoken(one) for one in running.said]
    return not spoken or boundaries.over_at(spoken, None, now=now) is not None


def goes_on(running: Running, boundaries: Boundaries, *, following: Message | None = None) -> bool:
    """Tell whether people just went on talking when a conversation began: the one before was over by its length.

    `following` is what is said after it, and begins it where nothing else is kept of it.
    """
    begins = [*map(_spoken, running.said[:1])]
    if not begins and following is not None:
        begins = [Spoken(following.message_id, following.timestamp)]
    if not begins or not running.before:
        return False
    return not boundaries.pauses_before_last([*map(_spoken, running.before), *begins])


def _holds_any(ended: EndedConversation, message_ids: Sequence[int]) -> bool:
    return any(ended.first_message_id <= one <= ended.last_message_id for one in message_ids)


def _spoken(said: Said) -> Spoken:
    return Spoken(
        said.message_id,
        said.timestamp,
        closes=bool(said.last_words) and ends_conversation(said.last_words),
        answers_id=said.answers_id,
    )
