"""Fills the gap in one channel: reads back what was missed, then looks for edits and deletions."""

import asyncio
import logging
import operator
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import timedelta
from typing import Final, Protocol

import discord

from bot.adapters.discord.audiences import bot_can_read
from bot.adapters.discord.backfill.history import (
    LATE,
    Page,
    RequestPace,
    Room,
    ask_for_message,
    joined_id,
    missing_pages,
    page_after,
)
from bot.adapters.discord.backfill.watermarks import Reading, Watermarks
from bot.chat.editing import is_put_right
from bot.chat.incoming import MessageOutcome, Route
from bot.chat.keepsake import Keepsake
from bot.core.domain import MAX_ID, Guild, Message, moment_of, snowflake_at
from bot.core.errors import DatabaseError, HistoryUnreadableError
from bot.core.log import error_kind, trace
from bot.memory.messages.repository import MessageVersion

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HealedCounts:
    """What was missed in one place and has been caught up."""

    messages: int = 0
    edits: int = 0
    deletions: int = 0
    commands: int = 0
    """Commands in those messages that were carried out."""

    def __add__(self, other: "HealedCounts") -> "HealedCounts":
        return HealedCounts(*map(operator.add, astuple(self), astuple(other)))

    def __bool__(self) -> bool:
        return any(astuple(self))


@dataclass(frozen=True, slots=True)
class GapReport:
    """What was caught up in one guild, or in direct messages, since that was told last."""

    guild_id: int
    name: str
    healed: HealedCounts
    waiting: int = 0
    """Channels that could not be read yet; they are tried again."""

    def __str__(self) -> str:
        healed = self.healed
        told = [
            _counted(healed.messages, "message"),
            _counted(healed.edits, "edit"),
            _counted(healed.deletions, "deletion"),
        ]
        line = f"{self.name or self.guild_id}: caught up {', '.join(told)}"
        if healed.commands:
            line += f"; carried out {_counted(healed.commands, 'command')}"
        return f"{line}; {_counted(self.waiting, 'channel')} must wait" if self.waiting else line


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


_UNKNOWN_MESSAGE: Final = 10008
"""Discord's code for a message that is gone, or never was."""

_LAG: Final = timedelta(minutes=1)
"""By how much what history shows may lag behind what was said: far more than was ever seen."""


@dataclass(frozen=True, slots=True)
class Differences:
    """What a part of a channel's history says otherwise than what is kept."""

    edited: tuple[discord.Message, ...] = ()
    deleted_ids: tuple[int, ...] = ()


def compare_part(kept: Sequence[MessageVersion], page: Page) -> Differences:
    """Compare what is kept of a range of ids with all that Discord has there now.

    What is kept without its text stays so, and what is not kept was left out on purpose. What cannot be read is
    there all the same.
    """
    now = {message.id: message for message in page.messages}
    there = frozenset(page.ids)
    told = [version for version in kept if version.withheld is None]
    return Differences(
        edited=tuple(
            message
            for version in told
            if (message := now.get(version.message_id)) is not None and _is_newer(message, version)
        ),
        deleted_ids=tuple(version.message_id for version in told if version.message_id not in there),
    )


async def differences(
    room: Room, kept: Sequence[MessageVersion], *, pace: RequestPace
) -> AsyncIterator[Differences]:
    """Read `room` from the oldest of `kept` to the newest, and give what differs, page by page.

    Absence means deletion only where a page was really read, and not where history may lag behind. Raises
    `HistoryUnreadableError` if an answer cannot be trusted, since the bot may no longer read the room, and
    whatever the library raises.
    """
    told = [version for version in kept if version.withheld is None]
    if not told:
        return
    after_id, to_id = told[0].message_id - 1, told[-1].message_id
    while after_id < to_id:
        page = await page_after(room, after_id, pace)
        read_to = to_id if page.is_last else min(page.newest_id, to_id)
        part = [version for version in told if after_id < version.message_id <= read_to]
        difference = compare_part(part, page)
        if difference.deleted_ids:
            gone = await _gone(room, page, difference.deleted_ids, pace)
            difference = Differences(edited=difference.edited, deleted_ids=gone)
        yield difference
        after_id = read_to


async def _gone(room: Room, page: Page, absent_ids: Sequence[int], pace: RequestPace) -> tuple[int, ...]:
    """Return those of `absent_ids`, oldest first, that were deleted.

    What is absent amid others was. What is absent behind all that history shows may only not be shown yet: of the
    newest of it, of all of it if one of these is there, each is asked for. To who lacks Read Message History
    everything is empty, which may hold a moment before the client hears of it: then nothing is believed.
    """
    if not bot_can_read(room):
        raise HistoryUnreadableError(f"channel {room.id} may no longer be read")
    behind = [one for one in absent_ids if one > page.newest_id]
    if not behind:
        return tuple(absent_ids)
    newest_at = moment_of(behind[-1])
    fresh = [one for one in behind if newest_at - moment_of(one) <= _LAG]
    there = {one for one in reversed(fresh) if await _is_there(room, one, pace)}
    if there and not page.ids:
        raise HistoryUnreadableError(f"channel {room.id} has messages that its history leaves out")
    if there:
        there |= {one for one in behind[: -len(fresh)] if await _is_there(room, one, pace)}
    return tuple(one for one in absent_ids if one not in there)


async def _is_there(room: Room, message_id: int, pace: RequestPace) -> bool:
    """Ask for one message; raises what the library raises."""
    await pace.turn()
    try:
        await ask_for_message(room, message_id)
    except discord.NotFound as error:
        if error.code == _UNKNOWN_MESSAGE:
            return False
        raise
    return True


def _is_newer(message: discord.Message, version: MessageVersion) -> bool:
    edited_at = message.edited_at
    return edited_at is not None and (version.edited_at is None or edited_at > version.edited_at)


_PATIENCE_SECONDS: Final = 2.0
"""How long what is said to the bot waits for what was said before, and all after it for that: commands keep their
order, a slow model holds up nobody."""

_ASKED_SECONDS: Final = 5.0
"""How long one question for members may take; Discord answers within one."""

_PAUSES_SECONDS: Final = (1.0, 3.0, 0.0)
"""After questions for members that were lost: who is a member decides what may be done at their word."""

_WRITING: Final = frozenset({Route.REMEMBER, Route.FORGET, Route.CORRECT})


class MessageSink(Protocol):
    """Receives messages, both live ones and those that are read back."""

    async def hear(
        self, message: discord.Message, *, late: bool = False, stored: Message | None = None
    ) -> object:
        """Hear a message, as it reads in `stored` if that is given; `late` ones are not answered."""

    def calls_bot(self, message: discord.Message) -> bool:
        """Tell from a message alone whether it calls the bot."""

    async def hear_edit(self, message: discord.Message) -> object:
        """Hear a later version of a message."""

    async def hear_deletion(self, guild_id: int, channel_id: int, message_ids: Sequence[int]) -> object:
        """Hear that messages were deleted."""


class Healer:
    """Reads one channel back at a time, through the same handler as what comes live."""

    def __init__(
        self,
        dependencies: Keepsake,
        message_handler: MessageSink,
        marks: Watermarks,
        pace: RequestPace,
        *,
        count: Callable[[int, HealedCounts], None],
    ) -> None:
        """`count` is told, by guild, what was caught up as soon as it was."""
        self._dependencies = dependencies
        self._message_handler = message_handler
        self._marks = marks
        self._pace = pace
        self._count = count

    async def heal(self, room: Room, *, guild_id: int, unanswered_after: int | None) -> None:
        """Read what is missing in `room`, then what changed in what is kept, and close the gap.

        After `unanswered_after` the process before this one may have left commands there. A gap that opens meanwhile
        stays open. Raises `HistoryUnreadableError`, `DatabaseError` and what the library raises: then the mark stays
        below what was not read.
        """
        reading = self._marks.reading(room.id)
        if not self._marks.is_open(room.id):
            return
        if not bot_can_read(room):
            raise HistoryUnreadableError(f"channel {room.id} may not be read")
        newest = 0 if isinstance(room, discord.DMChannel) else room.last_message_id or 0
        place = await self._dependencies.directory.place(guild_id=guild_id, channel_id=room.id)
        if (place.channel is not None and not place.channel.hearing) or (
            place.guild is not None and not place.guild.hearing
        ):
            self._marks.finish(reading, newest)
            return
        settings = self._dependencies.settings
        after_id = max(self._after(reading, unanswered_after, place.guild), joined_id(room))
        from_id = self._compared_from(reading)
        kept = await self._dependencies.library.kept_versions(
            guild_id=guild_id,
            channel_id=room.id,
            from_id=min(after_id, from_id) + 1,
            to_id=MAX_ID,
        )
        if settings.catch_up_messages:
            # Whatever the client believes to be the newest message: what it knows of a channel may be stale.
            compared = [one for one in kept if from_id < one.message_id <= reading.compare_to]
            compared = compared[-settings.catch_up_messages :]
            await self._read_back(room, guild_id, reading, after_id, kept=kept, compared=compared)
            await self._reconcile(room, guild_id, compared)
        self._marks.finish(reading, 0 if settings.catch_up_messages else newest)

    def _after(self, reading: Reading, unanswered_after: int | None, guild: Guild | None) -> int:
        """Return the id after which to read.

        A process that begins hears the last minutes of the one before it once more: what waited to be answered or
        carried out when that ended has its turn then, and none that had it has it again. It does so once: a reading
        that was broken off goes on at the mark, however long the gap is.
        """
        now = self._dependencies.now()
        after_id = reading.after_id
        if reading.is_first and unanswered_after is not None:
            after_id = min(after_id, unanswered_after)
        days = self._dependencies.settings.retention_days
        days = guild.kept_days(days) if guild is not None else days
        return max(after_id, snowflake_at(now - timedelta(days=days))) if days else after_id

    def _compared_from(self, reading: Reading) -> int:
        """Return the id after which what is kept is compared with what Discord has."""
        days = self._dependencies.settings.catch_up_days
        if not days or not reading.is_doubtful:
            return MAX_ID - 1
        return snowflake_at(self._dependencies.now() - timedelta(days=days))

    async def _read_back(
        self,
        room: Room,
        guild_id: int,
        reading: Reading,
        after_id: int,
        *,
        kept: Sequence[MessageVersion],
        compared: Sequence[MessageVersion],
    ) -> None:
        """Hear what was said after `after_id`, as long as no other gap opens; what is `compared` later is known."""
        at_most = self._dependencies.settings.catch_up_messages
        known = frozenset(version.message_id for version in kept)
        compared_ids = frozenset(version.message_id for version in compared)
        async for page in missing_pages(room, after_id=after_id, at_most=at_most, pace=self._pace):
            await recognise(page.messages)
            stored = await self._stored(guild_id, page.messages, kept)
            # What was heard before may be a command that nobody came to carry out. Edited long after, it is one only
            # as it was stored; the edit is heard when the last days are looked at, if they are.
            edited = {one.id for one in page.messages if one.id in known and _is_edited_late(one)}
            heard = [one for one in page.messages if one.id not in edited or one.id in stored]
            commands = await self._hear(heard, stored)
            for one in page.messages:
                if one.id in edited and one.id not in compared_ids:
                    await self._hear_edit(one)
            new = sum(message.id not in known for message in page.messages)
            self._count(guild_id, HealedCounts(messages=new, commands=commands))
            if not self._marks.advance(reading, page.newest_id):
                return

    async def _stored(
        self, guild_id: int, page: Sequence[discord.Message], kept: Sequence[MessageVersion]
    ) -> dict[int, Message]:
        """Return, by id, what was stored of messages in `page` before a late edit, with its text."""
        known = frozenset(version.message_id for version in kept if version.withheld is None)
        edited_at = {one.id: one.edited_at for one in page if one.id in known and _is_edited_late(one)}
        if not edited_at:
            return {}
        stored = await self._dependencies.library.messages(guild_id=guild_id, message_ids=list(edited_at))
        return {
            one.message_id: one
            for one in stored
            if one.withheld is None and one.edited_at != edited_at[one.message_id]
        }

    async def _hear(self, page: Sequence[discord.Message], stored: Mapping[int, Message]) -> int:
        """Hear `page` in order and return how many commands were carried out; all of it is durable then.

        What is `stored` of a message is heard in place of what it says now. What calls nobody is heard side by side,
        as what comes live is, so that it is written together: one after the other would take a page minutes on a busy
        database.

        No answer is cut off, whatever ends the reading: the handler sees to those that are under way.
        """
        under_way: list[asyncio.Task[bool]] = []
        for message in page:
            calls_bot = self._calls_bot(message)
            if calls_bot and under_way:
                await asyncio.wait(under_way, timeout=_PATIENCE_SECONDS)
            task = asyncio.create_task(self._hear_one(message, stored.get(message.id)))
            under_way.append(task)
            if calls_bot:
                await asyncio.wait({task}, timeout=_PATIENCE_SECONDS)
            if any(one.done() and one.exception() is not None for one in under_way):
                break
        if under_way:
            await asyncio.wait(under_way)
        heard = await asyncio.gather(*under_way, return_exceptions=True)
        for one in heard:
            if isinstance(one, BaseException):
                raise one
        return heard.count(True)

    def _calls_bot(self, message: discord.Message) -> bool:
        try:
            return self._message_handler.calls_bot(message)
        except Exception as error:
            # Whatever is wrong with it, hearing it tells.
            logger.debug("message %d cannot be looked at: %s", message.id, error_kind(error))
            return False

    async def _hear_one(self, message: discord.Message, stored: Message | None) -> bool:
        """Hear a message and tell whether it was a command that was carried out."""
        late = self._dependencies.now() - message.created_at > LATE
        try:
            outcome = await self._message_handler.hear(message, late=late, stored=stored)
            if is_put_right(said_at=message.created_at, edited_at=message.edited_at):
                # It may have been carried out as it read before; its edit may have been stored and not followed.
                await self._message_handler.hear_edit(message)
        except (DatabaseError, HistoryUnreadableError):
            raise
        except Exception as error:
            # One message that cannot be heard, for whatever reason, must not hide all that follow it.
            logger.error("message %d could not be heard: %s", message.id, trace(error))
            return False
        return isinstance(outcome, MessageOutcome) and outcome.route in _WRITING

    async def _reconcile(self, room: Room, guild_id: int, kept: Sequence[MessageVersion]) -> None:
        """Hear the edits and deletions in `kept`, which were missed."""
        async for found in differences(room, kept, pace=self._pace):
            # What the bot itself put right meanwhile was not missed.
            own = room.me if isinstance(room, discord.DMChannel) else room.guild.me
            edited = [message for message in found.edited if message.author.id != own.id]
            for message in edited:
                await self._hear_edit(message)
            if found.deleted_ids:
                await self._message_handler.hear_deletion(guild_id, room.id, found.deleted_ids)
            self._count(guild_id, HealedCounts(edits=len(edited), deletions=len(found.deleted_ids)))

    async def _hear_edit(self, message: discord.Message) -> None:
        try:
            await self._message_handler.hear_edit(message)
        except (DatabaseError, HistoryUnreadableError):
            raise
        except Exception as error:
            # One edit that cannot be heard, for whatever reason, must not hide all that follow it.
            logger.error("the edit of message %d could not be heard: %s", message.id, trace(error))


def _is_edited_late(message: discord.Message) -> bool:
    """Tell whether a message was edited so long after it was said that the edit commands nothing."""
    return message.edited_at is not None and not is_put_right(
        said_at=message.created_at, edited_at=message.edited_at
    )


async def recognise(page: Sequence[discord.Message]) -> None:
    """Replace the authors of messages that were read back by the members that they are, with names and roles.

    History contains users only; those unknown to the client are requested together. Members who left remain users.
    """
    guild = page[0].guild if page else None
    unknown = [
        message for message in page if isinstance(message.author, discord.User) and message.webhook_id is None
    ]
    if guild is None or not unknown:
        return
    ids = list({message.author.id for message in unknown})
    found = {member.id: member for member in await _members(guild, ids)}
    for message in unknown:
        message.author = found.get(message.author.id, message.author)


async def _members(guild: discord.Guild, user_ids: list[int]) -> list[discord.Member]:
    """Return those of these users who are members, asked for again if the connection went meanwhile."""
    for pause in _PAUSES_SECONDS:
        try:
            async with asyncio.timeout(_ASKED_SECONDS):
                return await guild.query_members(user_ids=user_ids, limit=len(user_ids), cache=True)
        except (TimeoutError, OSError) as error:
            # The question or its answer may have been lost with the connection.
            logger.info("the members of guild %d were not told: %s", guild.id, trace(error))
            await asyncio.sleep(pause)
        except discord.DiscordException as error:
            logger.info("the members of guild %d were not told: %s", guild.id, trace(error))
            break
    logger.warning(
        "guild %d: of %d authors it is not known whether they are members", guild.id, len(user_ids)
    )
    return []
