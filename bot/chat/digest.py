"""Answers "what did I miss?", by topics or by the busiest conversations that the asker may see."""

import re
from datetime import datetime
from typing import Final

from bot.chat.disclosure import all_readable_now, memory_line
from bot.chat.incoming import Route
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import mention_of
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.summaries.digest import LONGEST_AWAY, Digest, DigestEntry, DigestRequest
from bot.memory.summaries.digest_prompt import NO_WORDS
from bot.text.commands import HERE, AskCatchUp
from bot.text.grammar.periods import since_of
from bot.text.phrasing import in_marks

_CHANNEL: Final = re.compile(r"<#(\d{1,19})>")

_MOST_PEOPLE: Final = 4
"""Names of those who talked; of the others it says how many."""


async def answer_digest(turn: Turn, command: AskCatchUp, access: MemoryAccess) -> WrittenAnswer:
    """Tell what was said since the asker's last message, or since the moment that they named."""
    if turn.visitor:
        return _said(turn.say("chat.for_members"))
    if turn.guild is not None and turn.guild.direct:
        return _said(turn.say("chat.missed_in_private"))
    channel_id = None if command.channel is None else await _channel_id(turn, command.channel, access)
    if channel_id is None and command.channel is not None:
        return _said(turn.say("chat.no_such_channel", channel=command.channel))
    since = moment_of(turn, command.since) if command.since else None
    missed = await missed_by(turn, access, channel_id=channel_id, since=since)
    lines = [
        title_of(turn, missed, since),
        *(memory_line(turn, told.begins, content_of(turn, missed, told)) for told in missed.told),
    ]
    if missed.not_told:
        lines.append(left_out(turn, missed))
    return WrittenAnswer(
        route=Route.CATCH_UP,
        parts=("\n".join(lines),),
        quoted_ids=missed.message_ids,
        degraded=missed.degraded,
    )


async def missed_by(
    turn: Turn, access: MemoryAccess, *, channel_id: int | None = None, since: datetime | None = None
) -> Digest:
    """Return what the asker missed, everywhere or in one channel with its threads; `since` is aware."""
    return await access.memory.digests.missed(
        DigestRequest(
            view=turn.view,
            asker_id=turn.message.user_id,
            before_message_id=turn.message.message_id,
            language=turn.language,
            time_zone=turn.time_zone,
            channel_id=channel_id,
            since=since,
            readable_ids=await all_readable_now(turn, access),
        )
    )


async def may_tell_of(turn: Turn, channel_id: int, access: MemoryAccess) -> bool:
    """Tell whether what is said in a channel may be told where this is asked."""
    if channel_id == turn.message.channel_id:
        return True
    channel = await access.directory.channel(guild_id=turn.message.guild_id, channel_id=channel_id)
    return channel is not None and channel.audience in turn.view.audiences


def moment_of(turn: Turn, since: str) -> datetime | None:
    """Return the moment that `since` means, limited to the longest time that is reported; `None` if it means none."""
    moment = since_of(since, now=turn.message.timestamp, time_zone=turn.time_zone)
    return None if moment is None else max(moment, turn.message.timestamp - LONGEST_AWAY)


def title_of(turn: Turn, missed: Digest, since: datetime | None) -> str:
    """Return what stands above what was missed, or that it is nothing."""
    if since is None:
        return turn.say("chat.missed" if missed.told else "chat.missed_nothing")
    text = "chat.missed_since" if missed.told else "chat.missed_nothing_since"
    return turn.say(text, since=turn.minute(since))


def left_out(turn: Turn, missed: Digest) -> str:
    """Return how many messages are not told of."""
    return turn.say("chat.missed_besides", messages=turn.say("count.messages", count=missed.not_told))


def content_of(turn: Turn, missed: Digest, told: DigestEntry) -> str:
    """Return one topic as text; for a conversation its participants, its length, and its first words."""
    place = f"#{told.channel_name}" if told.channel_name else ""
    if missed.by_topic:
        return f"{place}: {told.text}" if place else told.text
    names = ", ".join(mention_of(user_id) for user_id in told.people[:_MOST_PEOPLE])
    if len(told.people) > _MOST_PEOPLE:
        names += f" +{len(told.people) - _MOST_PEOPLE}"
    messages = turn.say("count.messages", count=told.messages)
    parts = (place, names, messages if told.text == NO_WORDS else f"{messages}: {in_marks(told.text)}")
    return " · ".join(filter(None, parts))


async def _channel_id(turn: Turn, channel: str, access: MemoryAccess) -> int | None:
    """Return the channel that is meant, if it may be told of here."""
    if channel == HERE:
        return turn.message.channel_id
    if mentioned := _CHANNEL.fullmatch(channel):
        channel_id = int(mentioned[1])
        return channel_id if await may_tell_of(turn, channel_id, access) else None
    name = channel.removeprefix("#").casefold()
    for known in await access.directory.channels(turn.message.guild_id):
        if known.name.casefold() == name and known.audience in turn.view.audiences:
            return known.channel_id
    return None


def _said(text: str) -> WrittenAnswer:
    return WrittenAnswer(route=Route.CATCH_UP, parts=(text,))
