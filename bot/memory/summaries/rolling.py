"""The window of a reply: the last messages of a conversation word for word, and a summary of what came
before them.
"""

import logging
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from cachetools import LRUCache

from bot.core.domain import MAX_ID, OPEN, Message, MessageKind
from bot.db import jobs
from bot.db.pool import Connection
from bot.db.service import BackgroundWork
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.messages import conversations
from bot.memory.messages import repository as messages_repository
from bot.memory.messages.conversations import Boundaries, CurrentConversation
from bot.memory.summaries.extractive import extract_conversation
from bot.memory.summaries.repository import ROLLING_JOB
from bot.memory.summaries.rolling_builder import (
    LEAST_MESSAGES,
    MOST_MESSAGES,
    RollingConversation,
    carried_into,
    most_open,
)

logger = logging.getLogger(__name__)


_MOST_WATCHED: Final = 1_000
"""Channels whose messages are counted; of others it is looked up at the next reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationWindow:
    """What a reply is given of the conversation that it belongs to."""

    summary: str = ""
    """What was said up to `covers_up_to`, members as `<@id>`, also in a conversation before if no episode tells of it
    yet; empty in one that has just begun otherwise."""
    covers_up_to: int = 0
    """The newest message that the summary tells of; 0 without a summary."""
    messages: tuple[Message, ...] = ()
    """What was said after that, and no fewer than asked for, oldest first."""


@dataclass(slots=True)
class _Watched:
    """A channel in which the bot takes part in what is said."""

    left: int
    """Messages until it is time to look whether something is to be summed up."""
    last_at: datetime


class Rolling:
    """Reads windows, and sees to it that long conversations are summed up.

    Work is asked for when the bot answers, and then when the conversation has grown enough: so where nobody talks
    to the bot nothing is asked, and no message pays for a look of its own. What is held here only says when to look.
    """

    def __init__(self, needs: MemoryDependencies) -> None:
        self._database = needs.database
        self._clock = needs.clock
        self._notify = needs.notify
        self._every = needs.settings.summary_every_messages
        self._boundaries = Boundaries(gap=needs.gap)
        self._watched: LRUCache[tuple[int, int], _Watched] = LRUCache(_MOST_WATCHED)
        self._looking = BackgroundWork()

    async def stop(self) -> None:
        """End; what was not asked for is asked for at the next reply."""
        await self._looking.stop()

    async def settled(self) -> None:
        """Return when all work has been asked for that what was heard makes necessary."""
        await self._looking.settled()

    async def window(
        self, message: Message, *, audiences: Sequence[int], least: int = LEAST_MESSAGES
    ) -> ConversationWindow:
        """Return what was said before `message` in its channel, as far as these audiences may read it.

        All of its conversation: its summary, then every message after it, 120 at most; and `least` messages, where
        there are so many, also such as the summary tells of or as were said before the conversation. Commands that
        changed what is remembered are left out, but for the last one: facts stand for them. As long as more than 120
        are in no summary, what the last 120 before these say is told by an extract. What ended before it goes on to be
        told until an episode or the summary of this conversation tells of it. One statement, seldom more.
        """

        async def read(connection: Connection) -> tuple[RollingConversation | None, ConversationWindow]:
            running = await conversations.running_conversation(
                connection,
                self._boundaries,
                guild_id=message.guild_id,
                channel_id=message.channel_id,
                up_to_id=message.message_id - 1,
                following=message,
                with_text=MOST_MESSAGES,
            )
            if running is None:
                return None, ConversationWindow()
            talk = RollingConversation(running, audiences)
            return talk, await self._window(connection, message, talk, least)

        talk, window = await self._database.read(read)
        if talk is not None:
            here = replace(talk, audiences=(OPEN, message.audience))
            self._count(message.guild_id, message.channel_id, here, message.timestamp)
        return window

    def heard(self, messages: Sequence[Message]) -> None:
        """Count what was stored where the bot takes part; waits for nothing."""
        over = self._clock.now() - self._boundaries.gap
        for message in messages:
            if message.timestamp <= over and message.withheld is None:
                # What is read back or imported belongs to no conversation that is running.
                continue
            place = (message.guild_id, message.channel_id)
            watched = self._watched.get(place)
            if message.kind is MessageKind.BOT and watched is None:
                watched = self._watched[place] = _Watched(self._every, message.timestamp)
            if watched is None:
                continue
            if message.withheld is not None:
                # What the summary told of it is gone with it: the next message is the time to look.
                watched.left = 1
                continue
            if message.timestamp - watched.last_at >= self._boundaries.gap:
                self._watched.pop(place, None)
                continue
            watched.last_at = max(watched.last_at, message.timestamp)
            watched.left -= 1
            if watched.left <= 0:
                watched.left = self._every
                self._spawn(self._look(*place))

    async def _window(
        self, connection: Connection, message: Message, talk: RollingConversation, least: int
    ) -> ConversationWindow:
        shown = talk.open if len(talk.open) >= least else [*talk.before, *talk.readable][-least:]
        texts = [one.message for one in shown if one.message is not None]
        older = [one for one in shown if one.message is None]
        summary = talk.summary.content if talk.summary else ""
        covers_up_to = talk.covers_up_to
        carried = await carried_into(
            connection,
            self._boundaries,
            talk,
            guild_id=message.guild_id,
            channel_id=message.channel_id,
            following=message,
        )
        if carried is not None:
            summary, covers_up_to = carried.text, carried.covers_up_to
        if older and older[-1].message_id > covers_up_to:
            said = await talk.texts(
                connection,
                older[-MOST_MESSAGES:],
                guild_id=message.guild_id,
                channel_id=message.channel_id,
            )
            summary = extract_conversation(summary, said)
            covers_up_to = older[-1].message_id
        if len(texts) < least and not talk.running.is_complete:
            latest = await messages_repository.latest_in_channel(
                connection,
                guild_id=message.guild_id,
                channel_id=message.channel_id,
                before_message_id=message.message_id,
                limit=MOST_MESSAGES,
            )
            texts = [one for one in latest if one.audience in talk.audiences][-least:]
        commands = {one.message_id for one in shown[: -messages_repository.LAST_COMMAND] if one.is_of_a_write}
        texts = [one for one in texts if one.message_id not in commands]
        return ConversationWindow(summary=summary, covers_up_to=covers_up_to, messages=tuple(texts))

    def _count(self, guild_id: int, channel_id: int, talk: RollingConversation, last_at: datetime) -> None:
        """Note how much of a conversation is in no summary, and ask for it to be summed up if that is too much."""
        due = bool(talk.to_fold(every=self._every))
        left = self._every + 1 if due else most_open(self._every) + 1 - len(talk.open)
        self._watched[guild_id, channel_id] = _Watched(max(1, left), last_at)
        if due:
            self._spawn(self._ask(guild_id, channel_id))

    async def _look(self, guild_id: int, channel_id: int) -> None:
        """Look how much of the last conversation of a channel is in no summary, if the bot takes part in it.

        Where it waits to be summed up there is nothing to be found out: that may be for long, and people talk on.
        """
        if await self._database.read(
            jobs.is_waiting, guild_id=guild_id, kind=ROLLING_JOB, work_key=str(channel_id)
        ):
            return
        running = await self._database.read(self._taken_part_in, guild_id=guild_id, channel_id=channel_id)
        if running is None:
            self._watched.pop((guild_id, channel_id), None)
            return
        last = running.said[-1]
        self._count(guild_id, channel_id, RollingConversation(running, (OPEN, last.audience)), last.timestamp)

    async def _taken_part_in(
        self, connection: Connection, *, guild_id: int, channel_id: int
    ) -> CurrentConversation | None:
        """Return the conversation that is running in a channel, if the bot has answered in it."""
        running = await conversations.running_conversation(
            connection, self._boundaries, guild_id=guild_id, channel_id=channel_id, up_to_id=MAX_ID
        )
        if running is None or conversations.is_over(running, self._boundaries, now=self._clock.now()):
            return None
        has_answered = await messages_repository.has_answered(
            connection,
            guild_id=guild_id,
            channel_id=channel_id,
            from_id=running.conversation_id,
            to_id=running.said[-1].message_id,
        )
        return running if has_answered else None

    async def _ask(self, guild_id: int, channel_id: int) -> None:
        await self._database.write_one(
            jobs.enqueue, guild_id=guild_id, kind=ROLLING_JOB, work_key=str(channel_id)
        )
        self._notify()

    def _spawn(self, look: Coroutine[object, object, None]) -> None:
        self._looking.begin(look, name="looking at a conversation")
