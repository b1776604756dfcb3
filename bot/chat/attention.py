"""What the bot listens to, which messages are for it, how often it answers, and in which order."""

import asyncio
import bisect
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

from cachetools import LRUCache, TTLCache

from bot.chat.addressed import Addressed, addressed
from bot.chat.dispatch import routes_of
from bot.chat.incoming import WRITES, IncomingMessage
from bot.chat.questions import LONGEST_CHOICE
from bot.core.clock import Clock
from bot.core.domain import AnswerMode, Channel, Message, MessageKind
from bot.memory.outbox.circumstances import Circumstances

MOST_MESSAGES: Final = 10
"""So many messages to the bot a member may send within `WITHIN`: faster than that nobody reads the answers."""

WITHIN: Final = timedelta(seconds=20)

MOST_TO_BOTS: Final = 2
"""Answers to other bots in a channel until a member speaks there; a loop of two bots ends here."""

_MOST_TIMES: Final = 300
"""Times that are kept of one member: twice as many as may be answered in what a start hears once more."""

_MOST_KEPT: Final = 10_000
"""Members, and channels, of whom anything is remembered; who was heard longest ago goes first."""


@dataclass(slots=True)
class _MemberRate:
    """What one member sent lately."""

    times: list[datetime] = field(default_factory=list)
    """In their order, which need not be that in which they were heard."""
    is_told: bool = False


class FloodLimit:
    """Tells who is to be answered. All times are those of the messages: what is read back was no flood when said."""

    def __init__(self) -> None:
        self._members: LRUCache[tuple[int, int], _MemberRate] = LRUCache(_MOST_KEPT)

    def admits(self, *, guild_id: int, user_id: int, said_at: datetime) -> bool:
        """Count a message of a member to the bot; `False` if there were too many just before it, itself included."""
        spell = self._members.setdefault((guild_id, user_id), _MemberRate())
        bisect.insort(spell.times, said_at)
        before = bisect.bisect_right(spell.times, said_at - WITHIN)
        is_admitted = bisect.bisect_right(spell.times, said_at) - before <= MOST_MESSAGES
        del spell.times[:-_MOST_TIMES]
        if is_admitted:
            spell.is_told = False
        return is_admitted

    def may_be_told(self, *, guild_id: int, user_id: int) -> bool:
        """Tell whether a member who is slowed down has not been told of it yet; `True` only once in one flood."""
        spell = self._members.get((guild_id, user_id))
        if spell is None or spell.is_told:
            return False
        spell.is_told = True
        return True


class BotLoopLimit:
    """Counts the answers to other bots in each channel."""

    def __init__(self) -> None:
        self._answers: LRUCache[int, int] = LRUCache(_MOST_KEPT)

    def member_spoke(self, channel_id: int) -> None:
        """Note that a member takes part in a channel: bots may be answered there again."""
        self._answers.pop(channel_id, None)

    def admits(self, channel_id: int) -> bool:
        """Count an answer to another bot in a channel; `False` if there were enough."""
        answers = self._answers.get(channel_id, 0)
        if answers >= MOST_TO_BOTS:
            return False
        self._answers[channel_id] = answers + 1
        return True


_LONGEST_MENTION: Final = len(" <@!9223372036854775807>")


@dataclass(frozen=True, slots=True)
class AttendedMessage:
    """A message where the bot may answer, and whether it is for the bot."""

    circumstances: Circumstances
    said: Addressed
    """What it says to the bot, or all of it."""
    is_called: bool
    """Whether the bot was mentioned, replied to, called by name, or spoken to where nobody else is."""
    is_for_bot: bool
    """Whether it is called, or said where everything is answered."""


class Attention:
    """Decides by what holds in a channel and by what was said lately; it reads and writes nothing."""

    def __init__(self, clock: Clock, *, answer_bots: bool) -> None:
        self._clock = clock
        self._answer_bots = answer_bots
        self._pace = FloodLimit()
        self._bots = BotLoopLimit()

    def listens(self, hearing: IncomingMessage) -> bool:
        """Tell whether a message may be answered at all, by who wrote it; call it for every message."""
        message = hearing.message
        if message.kind is MessageKind.MEMBER:
            if not hearing.late:
                self.member_spoke(message)
            return True
        return is_other_bot(hearing) and self._answer_bots and not hearing.late

    def member_spoke(self, message: Message) -> None:
        """Note that a member said `message`, just now."""
        self._bots.member_spoke(message.channel_id)

    def may_settle(self, message: Message) -> bool:
        """Tell whether `message` is short enough, and of somebody, to settle what the bot asked."""
        short = len(message.text) <= LONGEST_CHOICE + _LONGEST_MENTION
        return short and message.kind is MessageKind.MEMBER

    def heard(self, hearing: IncomingMessage, circumstances: Circumstances) -> AttendedMessage | None:
        """Return what a message says to the bot; `None` where the bot is to be silent."""
        guild, channel = circumstances.place.guild, circumstances.place.channel
        if guild is not None and not guild.hearing:
            return None
        if channel is not None and self._is_silent_in(channel):
            return None
        said = _addressed(hearing, circumstances.replied_to, direct=hearing.direct)
        if said is not None:
            return AttendedMessage(circumstances, said, is_called=True, is_for_bot=True)
        message = hearing.message
        always = channel is not None and channel.answering is AnswerMode.ALWAYS
        if always and message.kind is MessageKind.MEMBER and message.text.strip():
            said = _addressed(hearing, circumstances.replied_to, direct=True)
        is_for_bot = said is not None
        return AttendedMessage(
            circumstances, said or Addressed(message.text), is_called=False, is_for_bot=is_for_bot
        )

    def keeps_pace(self, hearing: IncomingMessage) -> bool:
        """Count a message to the bot that is claimed; `False` if its author, who is no moderator, floods the bot."""
        if not hearing.paced or hearing.from_moderator:
            return True
        message = hearing.message
        said_at = message.edited_at or message.timestamp
        return self._pace.admits(guild_id=message.guild_id, user_id=message.user_id, said_at=said_at)

    def may_tell_to_slow_down(self, hearing: IncomingMessage) -> bool:
        """Tell whether who floods the bot has not been told so yet; `True` once."""
        message = hearing.message
        return self._pace.may_be_told(guild_id=message.guild_id, user_id=message.user_id)

    def keeps_company(self, hearing: IncomingMessage) -> bool:
        """Count an answer to another bot; `False` if no member has spoken there for too many of them."""
        return self._bots.admits(hearing.message.channel_id)

    def _is_silent_in(self, channel: Channel) -> bool:
        quiet = channel.quiet_until is not None and self._clock.now() < channel.quiet_until
        return quiet or not channel.hearing or channel.answering is AnswerMode.NEVER


def is_other_bot(hearing: IncomingMessage) -> bool:
    """Tell whether another bot wrote a message."""
    message = hearing.message
    return message.kind is MessageKind.BOT and message.user_id != hearing.bot_id


def called_in(hearing: IncomingMessage) -> Addressed | None:
    """Return what a message says to the bot, as far as it can be told without knowing what it replies to."""
    return _addressed(hearing, None, direct=hearing.direct)


def gives_order(hearing: IncomingMessage) -> bool:
    """Tell whether a message surely orders something to be changed, without knowing what it replies to."""
    said = called_in(hearing)
    return said is not None and not routes_of(said.parts).isdisjoint(WRITES)


def _addressed(hearing: IncomingMessage, replied_to: Message | None, *, direct: bool) -> Addressed | None:
    return addressed(
        hearing.message.text,
        names=hearing.bot_names,
        bot_id=hearing.bot_id,
        replies_to_bot=replied_to is not None and replied_to.user_id == hearing.bot_id,
        direct=direct,
    )


_Author: TypeAlias = tuple[int, int]


class AuthorOrder:
    """The commands that write and are under way, by guild and author."""

    def __init__(self) -> None:
        self._under_way: dict[_Author, dict[int, asyncio.Event]] = {}
        self._begun: dict[_Author, int] = {}

    @contextlib.asynccontextmanager
    async def entered(self, message: Message, *, writes: bool) -> AsyncIterator[None]:
        """Make later commands of the author wait until this one, a command that `writes`, is done."""
        if not writes:
            yield
            return
        author = (message.guild_id, message.user_id)
        mine = self._under_way.setdefault(author, {})
        done = mine.setdefault(message.message_id, asyncio.Event())
        try:
            yield
        finally:
            done.set()
            mine.pop(message.message_id, None)
            if self._begun.get(author) == message.message_id:
                del self._begun[author]
            if not mine:
                self._under_way.pop(author, None)

    async def turn(self, message: Message) -> None:
        """Return when no earlier command of the author is under way.

        For a command that writes also when no later one is that has begun: what is read back may come after it, and
        either has to see what the other did.
        """
        author = (message.guild_id, message.user_id)
        while waits_for := self._before(author, message.message_id):
            await waits_for[0].wait()
        if message.message_id in self._under_way.get(author, {}):
            self._begun[author] = message.message_id

    def _before(self, author: _Author, message_id: int) -> list[asyncio.Event]:
        others = self._under_way.get(author, {})
        begun = self._begun.get(author) if message_id in others else None
        return [
            done for one, done in others.items() if one < message_id or (one == begun and one != message_id)
        ]


SENDING_SECONDS: Final = 10.0
"""Real seconds that an edit waits for the answer to be sent; a face that takes longer has failed to send it."""

_MOST_UNSENT: Final = 10_000


class PendingAnswers:
    """One message is answered by one task at a time."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()
        self._unsent: TTLCache[tuple[int, int], asyncio.Event] = TTLCache(_MOST_UNSENT, SENDING_SECONDS)

    @contextlib.asynccontextmanager
    async def alone(self, message: Message) -> AsyncIterator[None]:
        """Work on `message` exclusively, after waiting for whoever is working on it."""
        async with self._locks.setdefault((message.guild_id, message.message_id), asyncio.Lock()):
            yield

    def is_to_be_sent(self, message: Message) -> None:
        """Note that an answer to `message` was handed to the face."""
        self._unsent[message.guild_id, message.message_id] = asyncio.Event()

    def is_sent(self, *, guild_id: int, message_id: int) -> None:
        """Note that the face has sent the answer to a message."""
        sent = self._unsent.pop((guild_id, message_id), None)
        if sent is not None:
            sent.set()

    async def until_sent(self, message: Message) -> None:
        """Wait until the answer to `message`, if there is one on its way, is sent or will not be."""
        unsent = self._unsent.get((message.guild_id, message.message_id))
        if unsent is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SENDING_SECONDS):
                    await unsent.wait()
