"""Carries out the steps of a transcript, or of what somebody types, on a running bot."""

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, assert_never

from bot.clock import SetClock, SystemClock
from bot.conversation.conversation import Hearing, Outcome
from bot.domain import Channel, Member, Message, MessageKind
from bot.errors import InvalidInputError
from bot.faces.console.attachments import described, pictured
from bot.faces.console.forms import Forms
from bot.faces.console.guild import DEFAULT_NAME, SimulatedGuild
from bot.faces.console.log_lines import LogLines
from bot.faces.console.running import RunningBot
from bot.faces.console.spoken import Attached, Spoken, SpokenMessages
from bot.faces.console.timeline import Timeline, in_zone
from bot.faces.console.told import MEMORY_ROUTE, Told
from bot.faces.console.transcript import (
    Attach,
    DeclareBot,
    DeclareChannel,
    DeclareMember,
    Delete,
    Edit,
    FillIn,
    Restart,
    Said,
    SetTime,
    Step,
)
from bot.memory.forgetting.sets import Standing
from bot.settings import Settings


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
        self._spoken = SpokenMessages()
        self._attached = Attached()
        self._forms = Forms(guild, self._spoken, delete=self._delete_own)
        self.guild: Final = guild
        self.log: Final = log

    async def carry_out(self, step: Step) -> Told | None:
        """Do what `step` says, and all the work that it leaves; returns what became of a message.

        Raises `InvalidInputError` if it cannot be done; nothing has happened then.
        """
        self._clock.set(self._timeline.now())
        told = None
        match step:
            case Said():
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
                    (*before.descriptions, described(step.path)), before.images + pictured(step.path)
                )
            case Restart():
                await self._bot.stop()
                self.guild.rejoin((await self._bot.start()).directory)
            case _:
                assert_never(step)
        await self._bot.keepsake.memory.told()
        await self._bot.keepsake.work.idle()
        return told

    async def _say(self, said: Said) -> Told:
        if not said.text and not self._attached.descriptions:
            raise InvalidInputError("this message is empty: it needs words, or an /attach before it")
        if said.moment is not None:
            self._timeline.resolved(said.moment)
        author = await self.guild.member(said.author)
        channel = await self._channel_of(said, author)
        reply_to_id = self._spoken.replied_to(said, channel)
        moment = await self._move_to(said.moment, channel)
        spoken = Spoken(
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
        seconds = time.monotonic() - began
        if outcome.text is not None:
            spoken.answer_id = await self._deliver(spoken.message, outcome, outcome.text)
        return Told(
            number=number,
            said=said,
            attachments=spoken.message.attachments,
            reply=outcome.text,
            route=outcome.route,
            degraded=outcome.degraded,
            seconds=round(seconds, 3),
        )

    def _hearing(self, spoken: Spoken, author: Member) -> Hearing:
        return Hearing(
            message=spoken.message,
            bot_id=self.guild.bot_id,
            bot_names=self.guild.bot_names,
            direct=spoken.said.channel is None,
            from_moderator=self.guild.is_moderator(author),
            paced=False,
            reads=self.guild.reads,
            images=spoken.images,
            replied_images=self._spoken.numbered(spoken.said.reply_to).images if spoken.said.reply_to else (),
        )

    async def _fill_in(self, form: FillIn) -> Told:
        said = form.said
        if said.moment is not None:
            self._timeline.resolved(said.moment)
        author = await self.guild.member(said.author)
        channel = await self._channel_of(said, author)
        moment = await self._move_to(said.moment, channel)
        began = time.monotonic()
        reply = await self._forms.fill_in(
            self._bot.keepsake.desk,
            form.command,
            author=author,
            channel=channel,
            free_id=await self._bot.free_id(guild_id=channel.guild_id, moment=moment),
        )
        return Told(
            number=None,
            said=said,
            attachments=(),
            reply=reply,
            route=MEMORY_ROUTE,
            degraded=False,
            seconds=round(time.monotonic() - began, 3),
        )

    async def _deliver(self, message: Message, outcome: Outcome, text: str) -> int:
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

    async def _edit(self, edit: Edit) -> Told | None:
        """Edit a message; where that changes what the bot answered to it, that is told anew."""
        spoken = self._spoken.numbered(edit.number)
        if spoken.is_deleted:
            raise InvalidInputError(f"message {edit.number} is deleted, so it cannot be edited")
        last = spoken.message.edited_at
        # Two edits at one moment would leave it open which of them is the later.
        edited_at = max(self._clock.now(), last + timedelta(milliseconds=1) if last else self._clock.now())
        author = await self.guild.member(spoken.said.author)
        channel = await self._channel_of(spoken.said, author)
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
        spoken.answer_id = await self._deliver(spoken.message, outcome, outcome.text)
        return Told(
            number=edit.number,
            said=replace(spoken.said, text=edit.text),
            attachments=spoken.message.attachments,
            reply=outcome.text,
            route=outcome.route,
            degraded=outcome.degraded,
            seconds=round(time.monotonic() - began, 3),
        )

    async def _delete(self, delete: Delete) -> None:
        spoken = self._spoken.numbered(delete.number)
        spoken.is_deleted = True
        await self._bot.keepsake.memory.ingest_deletion(
            guild_id=spoken.message.guild_id,
            channel_id=spoken.message.channel_id,
            message_ids=[spoken.message.message_id],
        )

    async def _delete_own(self, one: Standing) -> None:
        """Delete a message of the bot."""
        await self._bot.keepsake.memory.ingest_deletion(
            guild_id=one.guild_id, channel_id=one.channel_id, message_ids=[one.message_id]
        )

    async def _channel_of(self, said: Said, author: Member) -> Channel:
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
