"""Carries out the steps of a transcript, or of typed lines, on a bot that can be restarted, at the times given in the
lines.
"""

import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, assert_never
from zoneinfo import ZoneInfo

from bot.adapters.console.forms import Forms
from bot.adapters.console.guild import DEFAULT_NAME, LogLines, SimulatedGuild
from bot.adapters.console.messages import (
    MEMORY_ROUTE,
    Attached,
    ConsoleMessage,
    ConsoleMessages,
    LineOutcome,
    describe_file,
    image_in,
)
from bot.adapters.console.transcript import (
    Attach,
    DeclareBot,
    DeclareChannel,
    DeclareMember,
    Delete,
    Edit,
    FillIn,
    PostMessage,
    Restart,
    SetTime,
    Step,
)
from bot.app import open_keepsake
from bot.chat.incoming import IncomingMessage, MessageOutcome
from bot.chat.keepsake import Keepsake
from bot.core.clock import Clock, SetClock, SystemClock
from bot.core.domain import Channel, Member, Message, MessageKind, snowflake_at
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from bot.memory.rights.forgetting.repository import StandingMessage

STEP: Final = timedelta(seconds=1)
"""How long after the line before a line without a time is said."""


class Timeline:
    """Moments that never go back. It begins at `start`, which the first line without a time takes.

    With a `machine` clock it follows that, until somebody sets a time.
    """

    def __init__(self, start: datetime, zone: ZoneInfo, *, machine: Clock | None = None) -> None:
        self._start = start
        self._zone = zone
        self._machine = machine
        self._last: datetime | None = None
        self.is_set = False
        """Whether somebody has set a time, so that it no longer goes by the machine's clock."""

    def now(self) -> datetime:
        """Return the moment at which the console is."""
        now = self._last or self._start
        return now if self._machine is None or self.is_set else max(now, self._machine.now())

    def next(self) -> datetime:
        """Return when the next line without a time is said."""
        return self.now() if self._last is None else max(self.now(), self._last + STEP)

    def resolved(self, moment: datetime) -> datetime:
        """Return `moment` with the guild's zone if it has none; raises `InvalidInputError` if it is past."""
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=self._zone)
        if self._last is not None and moment < self._last:
            raise InvalidInputError(
                f"goes back in time: {self._shown(moment)} lies before {self._shown(self._last)},"
                " the time of the line before; write a later one"
            )
        return moment

    def move_to(self, moment: datetime) -> None:
        """Go on to `moment`, which is aware and not past."""
        self._last = moment

    def set_to(self, moment: datetime) -> None:
        """Go on to a `moment` that somebody chose, and leave the machine's clock; raises as `resolved` does."""
        self.move_to(self.resolved(moment))
        self.is_set = True

    def _shown(self, moment: datetime) -> str:
        return moment.astimezone(self._zone).replace(tzinfo=None).isoformat(timespec="seconds")


def in_zone(moment: datetime, zone: str) -> datetime:
    """Return `moment`, as one of this time zone if it has none of its own."""
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone))


_LOW_BITS: Final = 22
_PROCESS_BITS: Final = 10


class RunningBot:
    """One bot in this process; `keepsake` is there between `start` and `stop`."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._stack = AsyncExitStack()
        self._log: LogLines | None = None
        self.keepsake: Keepsake

    async def start(self) -> Keepsake:
        """Start it; raises `KeepsakeError` if that is impossible."""
        self.keepsake = await self._stack.enter_async_context(open_keepsake(self._settings, self._clock))
        if self._log is not None:
            await self.keepsake.memory.removal_log.attach(self._log)
        return self.keepsake

    async def speak_in(self, log: LogLines) -> None:
        """Give the lines of the log channel to `log`, also after every start to come."""
        self._log = log
        await self.keepsake.memory.removal_log.attach(log)

    async def stop(self) -> None:
        """Stop it; what it has heard is written before it ends, all else that is only in the process is gone."""
        await self._stack.aclose()

    async def after_newest(self, guild_id: int) -> datetime:
        """Return when the next message of a guild may be said after those that it has; now if it has none."""
        newest = await self.keepsake.library.newest_time(guild_id)
        return newest + STEP if newest else self._clock.now()

    async def free_id(self, *, guild_id: int, moment: datetime) -> int:
        """Return an id of `moment` that is larger than any the guild has of it, and no other process's.

        As on Discord some of the low bits say which process made it: two consoles may play one moment at once.
        """
        first = snowflake_at(moment)
        process = os.getpid() % (1 << _PROCESS_BITS)
        while True:
            last = first + (1 << _LOW_BITS) - 1
            newest = await self.keepsake.library.newest_id(guild_id=guild_id, from_id=first, to_id=last)
            if newest is None:
                return first + process
            free = ((newest >> _PROCESS_BITS) + 1 << _PROCESS_BITS) + process
            if free <= last:
                return free
            first = last + 1


@asynccontextmanager
async def open_session(
    settings: Settings,
    *,
    guild_name: str = DEFAULT_NAME,
    at: datetime | None = None,
    begins: datetime | None = None,
    live: bool = False,
) -> AsyncIterator["Session"]:
    """Start the bot and enter the guild called `guild_name`.

    `at` sets the clock. `begins` is the time of the first line, where it has one, so that nothing happens at
    a later moment before it. Both are times of the guild if they have no zone. With `live` the session goes by
    the machine's clock. Raises `KeepsakeError` if the bot cannot start or the guild is ambiguous.
    """
    machine = SystemClock()
    chosen = at or begins
    clock = SetClock(in_zone(chosen, settings.time_zone) if chosen else machine.now())
    async with AsyncExitStack() as stack:
        bot = RunningBot(settings, clock)
        stack.push_async_callback(bot.stop)
        keepsake = await bot.start()
        guild = await SimulatedGuild.enter(keepsake.directory, settings, guild_name)
        await bot.speak_in(log := LogLines(guild))
        if chosen is None:
            start = max(machine.now(), await bot.after_newest(guild.guild.guild_id))
        else:
            start = in_zone(chosen, guild.guild.time_zone)
        timeline = Timeline(start, guild.zone, machine=machine if live else None)
        if at is not None:
            timeline.set_to(start)
        timeline.is_set = chosen is not None
        await keepsake.retention.on_a_new_day(guild.guild.guild_id)
        await keepsake.work.idle()
        yield Session(bot, guild, timeline, clock, log)


class Session:
    """One console in one guild. Message lines are numbered from 1 in the order given."""

    def __init__(
        self,
        bot: RunningBot,
        guild: SimulatedGuild,
        timeline: Timeline,
        clock: SetClock,
        log: LogLines,
    ) -> None:
        self._bot = bot
        self._timeline = timeline
        self._clock = clock
        self._spoken = ConsoleMessages()
        self._attached = Attached()
        self._forms = Forms(guild, self._spoken, delete=self._take_out)
        self.guild: Final = guild
        self.log: Final = log
        self.show: Callable[[str], None] | None = None
        """Shows what a reply says so far while a model writes the rest; where there is none, replies come whole."""

    async def carry_out(self, step: Step) -> LineOutcome | None:
        """Do what `step` says, and all the work that it leaves; returns what became of a message.

        Raises `InvalidInputError` if it cannot be done; nothing has happened then.
        """
        self._clock.set(self._timeline.now())
        told = None
        match step:
            case PostMessage():
                told = await self._say(step)
            case FillIn():
                told = await self._fill_in(step)
            case DeclareChannel():
                await self.guild.declare_channel(step.name, closed=step.closed)
            case DeclareMember():
                await self.guild.declare_member(step.name, moderator=step.moderator, manager=step.manager)
            case DeclareBot():
                await self.guild.declare_bot(step.name)
            case Edit():
                told = await self._edit(step)
            case Delete():
                await self._delete(step)
            case SetTime():
                self._timeline.set_to(step.moment)
                await self._go_on(self.guild.guild.guild_id)
            case Attach():
                before = self._attached
                self._attached = Attached(
                    (*before.descriptions, describe_file(step.path)), before.images + image_in(step.path)
                )
            case Restart():
                await self._bot.stop()
                self.guild.rejoin((await self._bot.start()).directory)
            case _:
                assert_never(step)
        await self._bot.keepsake.memory.told()
        await self._bot.keepsake.work.idle()
        return told

    async def _say(self, said: PostMessage) -> LineOutcome:
        if not said.text and not self._attached.descriptions:
            raise InvalidInputError("this message is empty: it needs words, or an /attach before it")
        if said.moment is not None:
            self._timeline.resolved(said.moment)
        author = await self.guild.member(said.author)
        channel = await self._channel_of(said, author)
        reply_to_id = self._spoken.replied_to(said, channel)
        moment = await self._move_to(said.moment, channel)
        spoken = ConsoleMessage(
            Message(
                guild_id=channel.guild_id,
                channel_id=channel.channel_id,
                message_id=await self._bot.free_id(guild_id=channel.guild_id, moment=moment),
                user_id=author.user_id,
                text=await self.guild.as_stored(said.text),
                timestamp=moment,
                audience=channel.audience,
                kind=MessageKind.BOT if author.is_bot else MessageKind.MEMBER,
                attachments=self._attached.descriptions,
                reply_to_id=reply_to_id,
            ),
            said,
            images=self._attached.images,
        )
        number = self._spoken.add(spoken)
        self._attached = Attached()
        began = time.monotonic()
        outcome = await self._bot.keepsake.conversation.hear(self._hearing(spoken, author))
        return await self._answered(spoken, number, outcome, began)

    async def _answered(
        self, spoken: ConsoleMessage, number: int, outcome: MessageOutcome, began: float
    ) -> LineOutcome:
        """Deliver what the bot answers to a message, if it does, and return what became of the message."""
        seconds = time.monotonic() - began
        if outcome.text is not None:
            spoken.answer_id = await self._deliver(spoken.message, outcome, outcome.text)
        return LineOutcome(
            number=number,
            said=spoken.said,
            attachments=spoken.message.attachments,
            reply=outcome.text,
            route=outcome.route,
            degraded=outcome.degraded,
            seconds=round(seconds, 3),
            is_noticed=outcome.is_noticed,
        )

    def _hearing(self, spoken: ConsoleMessage, author: Member) -> IncomingMessage:
        return IncomingMessage(
            message=spoken.message,
            bot_id=self.guild.bot_id,
            bot_names=self.guild.bot_names,
            direct=spoken.said.channel is None,
            from_moderator=self.guild.is_moderator(author),
            from_manager=self.guild.is_manager(author),
            paced=False,
            reads=self.guild.reads,
            images=spoken.images,
            replied_images=self._spoken.numbered(spoken.said.reply_to).images if spoken.said.reply_to else (),
            show=None if self.show is None else partial(_show_beginning, self.show),
        )

    async def _fill_in(self, form: FillIn) -> LineOutcome:
        said = form.said
        if said.moment is not None:
            self._timeline.resolved(said.moment)
        author = await self.guild.member(said.author)
        channel = await self._channel_of(said, author)
        moment = await self._move_to(said.moment, channel)
        began = time.monotonic()
        reply = await self._forms.fill_in(
            self._bot.keepsake.use_cases,
            form.command,
            author=author,
            channel=channel,
            free_id=await self._bot.free_id(guild_id=channel.guild_id, moment=moment),
        )
        return LineOutcome(
            number=None,
            said=said,
            attachments=(),
            reply=reply,
            route=MEMORY_ROUTE,
            degraded=False,
            seconds=round(time.monotonic() - began, 3),
        )

    async def _deliver(self, message: Message, outcome: MessageOutcome, text: str) -> int:
        """Give the bot's answer an id of its own, as Discord would, and have it stored; returns the id."""
        free_id = await self._bot.free_id(guild_id=message.guild_id, moment=message.timestamp)
        answer = replace(
            message,
            message_id=outcome.replaces[0] if outcome.replaces else free_id,
            user_id=self.guild.bot_id,
            text=text,
            kind=MessageKind.BOT,
            attachments=(),
            reply_to_id=message.message_id,
        )
        await self._bot.keepsake.conversation.delivered(outcome, sent=[answer])
        return answer.message_id

    async def _edit(self, edit: Edit) -> LineOutcome | None:
        """Edit a message; if that changes the bot's answer to it, the new answer is printed."""
        spoken = self._spoken.numbered(edit.number)
        if spoken.is_deleted:
            raise InvalidInputError(f"message {edit.number} is deleted, so it cannot be edited")
        last = spoken.message.edited_at
        # Two edits at one moment would leave it open which of them is the later.
        edited_at = max(self._clock.now(), last + timedelta(milliseconds=1) if last else self._clock.now())
        author = await self.guild.member(spoken.said.author)
        channel = await self._channel_of(spoken.said, author)
        spoken.said = replace(spoken.said, text=edit.text)
        spoken.message = replace(
            spoken.message,
            text=await self.guild.as_stored(edit.text),
            audience=channel.audience,
            edited_at=edited_at,
        )
        began = time.monotonic()
        outcome = await self._bot.keepsake.conversation.hear_edit(self._hearing(spoken, author))
        if outcome.text is None:
            return None
        return await self._answered(spoken, edit.number, outcome, began)

    async def _delete(self, delete: Delete) -> None:
        spoken = self._spoken.numbered(delete.number)
        spoken.is_deleted = True
        await self._take_out(spoken.message)

    async def _take_out(self, one: Message | StandingMessage) -> None:
        await self._bot.keepsake.memory.ingest_deletion(
            guild_id=one.guild_id, channel_id=one.channel_id, message_ids=[one.message_id]
        )

    async def _channel_of(self, said: PostMessage, author: Member) -> Channel:
        if said.channel is None:
            return await self.guild.direct_channel(author)
        return await self.guild.channel(said.channel)

    async def _move_to(self, chosen: datetime | None, channel: Channel) -> datetime:
        """Go on to when a message is said, and return it."""
        if chosen is not None:
            self._timeline.set_to(chosen)
        else:
            moment = self._timeline.next()
            if channel.guild_id != self.guild.guild.guild_id and not self._timeline.is_set:
                # Direct messages of an earlier run may be newer than all that the guild has.
                moment = max(moment, await self._bot.after_newest(channel.guild_id))
            self._timeline.move_to(moment)
        await self._go_on(channel.guild_id)
        return self._clock.now()

    async def _go_on(self, guild_id: int) -> None:
        """Put the clock forward; a new day begins with what it brings, before anything is said."""
        self._clock.set(self._timeline.now())
        await self._bot.keepsake.memory.episodes.settled(guild_id)
        await self._bot.keepsake.retention.on_a_new_day(guild_id)
        await self._bot.keepsake.work.idle()


async def _show_beginning(show: Callable[[str], None], outcome: MessageOutcome) -> Sequence[int]:
    """Show the beginning of an answer, which stands in no message before it is whole."""
    show(outcome.text or "")
    return ()
