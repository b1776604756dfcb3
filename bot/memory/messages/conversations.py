"""Where conversations of a channel begin and end: pure rules, and the running and ended conversations that follow from
the log.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.domain import Message
from bot.db.pool import Connection
from bot.memory.messages import repository
from bot.memory.messages.repository import AnsweredChannel, ConversationMessage, SaidMessage
from bot.memory.summaries.repository import RollingSummary
from bot.memory.summaries.repository_episodes import EndedConversation
from bot.text.languages import either

CONVERSATION_MESSAGES: Final = 300
"""A conversation ends after so many messages at the latest."""

_FAR: Final = 4 * CONVERSATION_MESSAGES
"""Of a talk that goes on for more messages without a pause the beginning is too far away to count from."""

_ONE_IN: Final = 512
"""One message in so many of such a talk begins a conversation, picked by its id, and is counted from instead."""

_SPREAD: Final = 0x9E3779B97F4A7C15
"""An odd number without pattern: neighbouring ids are spread evenly by it."""

_WORD_BITS: Final = 64

_FILLERS: Final = rf"(?:{either('filler')}\b[\s,.!:-]*)*"
_THAT_IS_ALL: Final = re.compile(
    rf"""{_FILLERS}(?:@?[\w'-]+\s*[,:]\s*)?{_FILLERS}{either("that_is_all")}
    (?:[\s,.!-]+{either("thanks_or_bye")})?(?:\s*,\s*@?[\w'-]+)?[\s.!…)]*""",
    re.VERBOSE,
)
_MENTION: Final = re.compile(r"<@[!&]?\d{1,19}>[\s,:]*")


@dataclass(frozen=True, slots=True)
class SpokenMessage:
    """What of a message decides where conversations end."""

    message_id: int
    timestamp: datetime
    closes: bool = False
    """It says to the bot that this is all."""
    answers_id: int | None = None
    """Of the bot's own message: what it answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boundaries:
    """The rules: after a silence of `gap`, after "that's all", and after `longest` messages a conversation is over.

    The bot's answer to "that's all" still belongs to what it ends. Messages are counted from the last such pause;
    where that is not in sight, from the last end that was noted; and where it lies more than `far` messages back and
    no end was noted, from one that is picked by its id, one in `one_in`. So the limit holds, and no more than a bounded
    stretch has to be read, however long people talk without a pause.
    """

    gap: timedelta
    longest: int = CONVERSATION_MESSAGES
    far: int = _FAR
    one_in: int = _ONE_IN

    def starts(
        self, said: Sequence[SpokenMessage], *, complete: bool, noted_end_id: int = 0
    ) -> list[int] | None:
        """Return the places in `said`, oldest first, at which conversations begin, as far as they are certain.

        `complete` says that nothing was said in the channel before. `noted_end_id` is the last message of one that was
        noted as over. `None`: nothing is certain, more must be read. The conversation of the last message begins at
        the last place.
        """
        pauses = [pause for pause, _ in _walked(said, gap=self.gap, complete=complete)]
        noted = _first_after(noted_end_id, said)
        certain = self._first_certain(said, pauses, noted)
        if certain is None:
            return None
        found = [certain]
        talked = 0 if pauses[certain] or certain == noted else self.far
        for place in range(certain + 1, len(said)):
            talked += 1
            if pauses[place]:
                talked = 0
            elif place - found[-1] < self.longest and not self._is_picked(said[place], talked):
                continue
            found.append(place)
        return found

    def over_at(
        self, said: Sequence[SpokenMessage], following: SpokenMessage | None, *, now: datetime
    ) -> datetime | None:
        """Return when the conversation `said` was over that `following` was said after; `None` if it is not.

        With nothing said after it, it is over as soon as `now` shows.
        """
        last = said[-1]
        silence = last.timestamp + self.gap
        *_, (_, closed) = _walked(said, gap=self.gap, complete=True)
        if closed is not None or len(said) >= self.longest:
            return last.timestamp
        if following is None:
            return silence if now >= silence else None
        return min(silence, max(last.timestamp, following.timestamp))

    def pauses_before_last(self, said: Sequence[SpokenMessage]) -> bool:
        """Tell whether the talk paused before the last message of `said`, in silence or because that was all."""
        *_, (pause, _) = _walked(said, gap=self.gap, complete=False)
        return bool(pause)

    def _first_certain(
        self, said: Sequence[SpokenMessage], pauses: Sequence[bool | None], noted: int | None
    ) -> int | None:
        unknown = 0
        for place, pause in enumerate(pauses):
            if pause or place == noted:
                return place
            if pause is None:
                unknown = place
            elif noted is None and self._is_picked(said[place], place - unknown):
                return place
        return None

    def _is_picked(self, message: SpokenMessage, talked: int) -> bool:
        """Tell whether a message before which `talked` messages were said without a pause begins a conversation."""
        spread = message.message_id * _SPREAD % (1 << _WORD_BITS)
        return talked >= self.far and spread * self.one_in < 1 << _WORD_BITS


def _first_after(message_id: int, said: Sequence[SpokenMessage]) -> int | None:
    """Return the place of the message that was said right after that one; `None` if it is not in sight."""
    if not said or said[0].message_id > message_id:
        return None
    return next((place for place, one in enumerate(said) if one.message_id > message_id), None)


def _walked(
    said: Sequence[SpokenMessage], *, gap: timedelta, complete: bool
) -> Iterator[tuple[bool | None, int | None]]:
    """Tell of each message whether the talk paused before it, and which message had ended the talk by then.

    `None` for a pause: that takes what was said before the first one. What the bot answers to "that's all" is no
    pause, so who ended the talk is known from the first message on that is no answer of the bot's.
    """
    known, closed = complete, None
    before: SpokenMessage | None = None
    for message in said:
        is_silence = before is not None and message.timestamp - before.timestamp >= gap
        is_after_end = closed is not None and message.answers_id != closed
        if before is None:
            pause = True if complete else None
        else:
            pause = True if is_silence else is_after_end if known else None
        known = known or is_silence or message.answers_id is None
        if message.closes:
            closed = message.message_id
        elif is_silence or message.answers_id != closed:
            closed = None
        before = message
        yield pause, closed


def ends_conversation(text: str) -> bool:
    """Tell whether `text`, said to the bot, says that this is all: "that's all, thanks", «это всё».

    A call by name before or after it belongs to it; a question is none.
    """
    even = text.casefold().replace("ё", "е").replace("’", "'")
    words = " ".join(_MENTION.sub(" ", even).split())
    return _THAT_IS_ALL.fullmatch(words) is not None


_FURTHER = 4
"""Where the beginning of a conversation is not in sight, so many times as much is read in addition."""

_PAGE = 1_000
"""Messages that are read at once when ends are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentConversation:
    """The conversation that a message belongs to, or the last one of a channel."""

    said: Sequence[ConversationMessage]
    """What is kept of it, oldest first, withheld ones too."""
    before: Sequence[ConversationMessage]
    """What was said in the channel before it, as far as it was read."""
    earlier: Sequence[SpokenMessage]
    """What was said before that, where it took more to see where the conversation began."""
    is_complete: bool
    """Nothing was said before that."""
    conversation_id: int
    """Its first message; that of the message itself where nothing was said before it."""
    noted_end_id: int
    """The last message of the last conversation before it whose end was noted; 0 if there is none."""
    summary: RollingSummary | None
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
) -> CurrentConversation | None:
    """Return the conversation of a channel that goes on with `following`, or else with its last message.

    What is kept is read up to the message `up_to_id`, included; the last `with_text` visible messages come with all
    that they say. One statement, unless people talk without a pause. `None` if there is nothing.
    """
    next_one = [SpokenMessage(following.message_id, following.timestamp)] if following else []
    limit = boundaries.longest + 2
    tail = await repository.channel_tail(
        connection,
        guild_id=guild_id,
        channel_id=channel_id,
        up_to_id=up_to_id,
        # What ends with the last message is no end before it, unless something follows.
        noted_before_id=up_to_id + 1 if following else up_to_id,
        limit=limit,
        with_text=with_text,
    )
    spoken = [*map(_spoken, tail.said), *next_one]
    if not spoken:
        return None
    earlier: list[SpokenMessage] = []
    is_complete = tail.is_complete
    # The conversation itself lies within what was read first, since that is longer than the longest.
    while (
        starts := boundaries.starts([*earlier, *spoken], complete=is_complete, noted_end_id=tail.noted_end_id)
    ) is None:
        limit *= _FURTHER
        found = await repository.said_up_to(
            connection,
            guild_id=guild_id,
            channel_id=channel_id,
            up_to_id=(earlier or spoken)[0].message_id - 1,
            limit=limit,
        )
        earlier = [*map(_spoken, found), *earlier]
        is_complete = len(found) < limit
    start = starts[-1] - len(earlier)
    return CurrentConversation(
        said=tail.said[start:],
        before=tail.said[:start],
        earlier=earlier,
        is_complete=is_complete,
        conversation_id=spoken[start].message_id,
        noted_end_id=tail.noted_end_id,
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


@dataclass(slots=True, kw_only=True)
class RunningConversation:
    """A conversation in which the bot has answered and which is not over, as far as it is known."""

    guild_id: int
    channel_id: int
    last_at: datetime
    """When something was said last."""
    messages: int
    """How many were said in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotConversations:
    """The conversations in which the bot has answered and whose end was not noted."""

    over: Sequence[EndedConversation]
    running: Sequence[RunningConversation]


async def conversations_with_bot(
    connection: Connection,
    *,
    now: datetime,
    gap: timedelta,
    since: datetime,
    places: Sequence[tuple[int, int]] | None = None,
    are_silent: bool = False,
) -> BotConversations:
    """Return the conversations in which the bot answered since `since` and whose end was not noted by `now`.

    In all channels, or in `places`, each a guild and a channel of it; or in all those that `are_silent` for so long
    that their last conversation is over. Whoever was there when they ended.
    """
    boundaries = Boundaries(gap=gap)
    if places is None:
        silent_since = now - gap if are_silent else None
        channels = await repository.answered_channels(connection, since=since, silent_since=silent_since)
    else:
        channels = await repository.answered_in(connection, since=since, places=places)
    over: list[EndedConversation] = []
    running: list[RunningConversation] = []
    for channel in channels:
        found = await _found_in(connection, boundaries, channel, now=now)
        over += found.over
        running += found.running
    return BotConversations(over=over, running=running)


async def _found_in(
    connection: Connection, boundaries: Boundaries, channel: AnsweredChannel, *, now: datetime
) -> BotConversations:
    over: list[EndedConversation] = []
    waiting = list(channel.message_ids)
    while waiting:
        current = await running_conversation(
            connection,
            boundaries,
            guild_id=channel.guild_id,
            channel_id=channel.channel_id,
            up_to_id=waiting[0],
        )
        if current is None or not current.said:
            waiting.pop(0)
            continue
        further = await repository.messages_after(
            connection,
            guild_id=channel.guild_id,
            channel_id=channel.channel_id,
            after_id=waiting[0],
            limit=_PAGE,
        )
        told, rest = _over_and_rest(boundaries, channel, current, further, now=now)
        over += [one for one in told if _holds_any(one, waiting)]
        if len(further) < _PAGE:
            return BotConversations(over=over, running=_running(channel, rest, waiting))
        told_up_to = max((one.last_message_id for one in told), default=waiting[0])
        waiting = [one for one in waiting if one > told_up_to]
    return BotConversations(over=over, running=[])


def _over_and_rest(
    boundaries: Boundaries,
    channel: AnsweredChannel,
    current: CurrentConversation,
    further: Sequence[ConversationMessage],
    *,
    now: datetime,
) -> tuple[list[EndedConversation], list[SpokenMessage]]:
    """Return what is over of the current conversation and of those that follow it in `further`, and what is said of
    the last one if it is not.
    """
    spoken = [*current.earlier, *map(_spoken, [*current.before, *current.said, *further])]
    # What is certain of the longer stretch is certain of its beginning too.
    starts = boundaries.starts(spoken, complete=current.is_complete, noted_end_id=current.noted_end_id) or []
    over = []
    rest: list[SpokenMessage] = []
    for start, end in zip(starts, [*starts[1:], len(spoken)], strict=True):
        following = spoken[end] if end < len(spoken) else None
        ended_at = boundaries.over_at(spoken[start:end], following, now=now)
        is_whole = following is not None or len(further) < _PAGE
        if ended_at is None:
            rest = spoken[start:end]
        elif is_whole and spoken[start].message_id >= current.conversation_id:
            over.append(
                EndedConversation(
                    guild_id=channel.guild_id,
                    channel_id=channel.channel_id,
                    first_message_id=spoken[start].message_id,
                    last_message_id=spoken[end - 1].message_id,
                    ended_at=ended_at,
                )
            )
    return over, rest


def _running(
    channel: AnsweredChannel, said: Sequence[SpokenMessage], answered_ids: Sequence[int]
) -> list[RunningConversation]:
    """Return what was `said` as a running conversation, if any of it was answered."""
    if not said or answered_ids[-1] < said[0].message_id:
        return []
    return [
        RunningConversation(
            guild_id=channel.guild_id,
            channel_id=channel.channel_id,
            last_at=said[-1].timestamp,
            messages=len(said),
        )
    ]


def is_over(running: CurrentConversation, boundaries: Boundaries, *, now: datetime) -> bool:
    """Tell whether a conversation with which the channel ends is over."""
    spoken = [_spoken(one) for one in running.said]
    return not spoken or boundaries.over_at(spoken, None, now=now) is not None


def goes_on(
    running: CurrentConversation, boundaries: Boundaries, *, following: Message | None = None
) -> bool:
    """Tell whether people just went on talking when a conversation began: the one before was over by its length.

    `following` is what is said after it, and begins it where nothing else is kept of it.
    """
    begins = [*map(_spoken, running.said[:1])]
    if not begins and following is not None:
        begins = [SpokenMessage(following.message_id, following.timestamp)]
    if not begins or not running.before:
        return False
    return not boundaries.pauses_before_last([*map(_spoken, running.before), *begins])


def _holds_any(ended: EndedConversation, message_ids: Sequence[int]) -> bool:
    return any(ended.first_message_id <= one <= ended.last_message_id for one in message_ids)


def _spoken(said: SaidMessage) -> SpokenMessage:
    return SpokenMessage(
        said.message_id,
        said.timestamp,
        closes=bool(said.last_words) and ends_conversation(said.last_words),
        answers_id=said.answers_id,
    )
