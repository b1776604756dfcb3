"""Sends the bot's answers, once each, reports the ids under which they were sent, and shows that the bot is typing."""

import asyncio
import contextlib
import io
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final, TypeAlias, cast

import aiohttp
import discord
from discord.utils import MISSING

from bot.adapters.discord.commands.answers import details_view, undo_view
from bot.adapters.discord.messages import SplitAnswer, message_of, split
from bot.adapters.discord.rest import Requests
from bot.chat.conversation import Conversation
from bot.chat.incoming import MessageOutcome
from bot.core.domain import Language, Message
from bot.core.errors import DiscordError
from bot.core.log import trace
from bot.core.metering import Meter
from bot.db.signs import woken
from bot.memory.outbox.answers import nonce_of
from bot.text.sentences import say

logger = logging.getLogger(__name__)


_DELAY_SECONDS: Final = 0.25
"""What is answered sooner needs no sign: it would come after the answer."""

_AGAIN_SECONDS: Final = 8.0
"""Discord shows it for ten seconds."""

_MOST_REQUESTS: Final = 10
"""With more than these under way there is no room for signs: of 50 requests a second, answers come first."""


class TypingSign:
    """Shows where the bot types. Each sign is a request by itself, which is never cut off and nobody waits for."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._shown: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def typing_in(self, channel: discord.abc.Messageable) -> AsyncIterator[asyncio.Event]:
        """Show that the bot types in `channel` as long as this lasts, or until the event that is given is set.

        That it cannot be shown hinders nothing.
        """
        over = asyncio.Event()
        sign = asyncio.create_task(self._show(channel, over), name="typing")
        self._shown.add(sign)
        sign.add_done_callback(self._shown.discard)
        try:
            yield over
        finally:
            over.set()

    async def _show(self, channel: discord.abc.Messageable, over: asyncio.Event) -> None:
        pause = _DELAY_SECONDS
        with contextlib.suppress(discord.DiscordException, aiohttp.ClientError, OSError):
            while not over.is_set():
                await woken(over, seconds=pause)
                if not over.is_set() and self._requests.count <= _MOST_REQUESTS:
                    await channel.typing()
                pause = _AGAIN_SECONDS


_LOOKED_THROUGH: Final = 500
"""Messages below the one that is answered; an answer follows within seconds."""

_COMPARED: Final = 200
"""Characters of a later part: where it may carry no file its end is another."""


async def delivered_parts(answered: discord.Message, parts: SplitAnswer) -> list[discord.Message]:
    """Return the messages in which `parts` have arrived as an answer to `answered`, the first ones, in order.

    Where the past may not be read, none can be found. Raises what the library raises.
    """
    own_id = None if answered._state.user is None else answered._state.user.id
    found: list[discord.Message] = []
    async for message in answered.channel.history(after=answered, limit=_LOOKED_THROUGH, oldest_first=True):
        if message.author.id != own_id:
            continue
        if _is_next(message, answered, parts, len(found)):
            found.append(message)
        if len(found) == len(parts.messages):
            break
    return found


def _is_next(message: discord.Message, answered: discord.Message, parts: SplitAnswer, number: int) -> bool:
    """Tell whether `message` is the part with this number; only the first refers to what it answers."""
    if number == 0:
        return message.reference is not None and message.reference.message_id == answered.id
    return message.reference is None and message.content[:_COMPARED] == parts.messages[number][:_COMPARED]


_PAUSES_SECONDS: Final = (2.0, 10.0, 30.0)
"""Between tries of our own, each of them five of the library's: Discord repeats a nonce for some minutes only."""

_LIMITED: Final = 429

_INVALID_BODY: Final = 50035
"""Discord's code for a body that it refuses; with a reference to a message that is gone, for that."""

NOTICED: Final = "👀"
"""The reaction to what is heard and needs no words."""

OwnMessage: TypeAlias = discord.Message | discord.PartialMessage
"""A message of the bot's; of a partial one nobody knows what it says."""

Forbidden = Callable[[discord.Message], Awaitable[None]]
"""Told of a message that may not be answered where it was said."""


class Delivery:
    """The way of an answer to Discord."""

    def __init__(self, conversation: Conversation, *, forbidden: Forbidden, meter: Meter) -> None:
        self._conversation = conversation
        self._meter = meter
        self._forbidden = forbidden
        self._under_way: Counter[int] = Counter()

    def is_sending(self, message_id: int) -> bool:
        """Tell whether the answer to a message is being sent, or tried again."""
        return self._under_way[message_id] > 0

    async def deliver(
        self,
        outcome: MessageOutcome,
        answered: discord.Message,
        *,
        audience: int,
        again: bool = False,
        beginning: "Beginning | None" = None,
    ) -> None:
        """Send `outcome` in reply to `answered`, or put it in the place of what it replaces, or of its `beginning`.

        Nothing is sent if `answered` was deleted meanwhile. What could not be sent stays written down, and is
        sent by the watchdog. One that is sent `again` may have arrived long ago: Discord is asked before.
        """
        if outcome.text is None:
            if outcome.is_noticed:
                await _show_noticed(answered)
            return
        self._under_way[answered.id] += 1
        try:
            parts, before = split(outcome.text), beginning.messages if beginning is not None else ()
            with self._meter.span("send", {"keepsake.parts": len(parts.messages)}, kind="client"):
                await self._deliver(outcome, answered, parts, before, audience=audience, again=again)
        finally:
            self._under_way -= Counter([answered.id])

    async def _deliver(
        self,
        outcome: MessageOutcome,
        answered: discord.Message,
        parts: SplitAnswer,
        before: Sequence[OwnMessage],
        *,
        audience: int,
        again: bool,
    ) -> None:
        try:
            if outcome.begun_ids:
                before = [_own(answered, message_id) for message_id in outcome.begun_ids]
            elif again or outcome.begun_ids is not None:
                before = await delivered_parts(answered, parts)
            sent = await self._tried(outcome, answered, parts, before)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            logger.error("the answer to message %d could not be sent: %s", answered.id, trace(error))
            return
        await self._conversation.delivered(outcome, sent=_kept(sent, outcome, audience))

    async def _tried(
        self,
        outcome: MessageOutcome,
        answered: discord.Message,
        parts: SplitAnswer,
        before: Sequence[OwnMessage],
    ) -> Sequence[discord.Message]:
        for pause in (*_PAUSES_SECONDS, None):
            try:
                if outcome.replaces:
                    return await _replaced(outcome, answered, parts)
                return await _sent(outcome, answered, parts, before)
            except discord.Forbidden:
                await self._forbidden(answered)
                return []
            except discord.NotFound:
                return []
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                if isinstance(error, discord.HTTPException) and _is_about_a_deleted_message(error):
                    return []
                if pause is None or not _may_pass(error):
                    raise
                await asyncio.sleep(pause)
        raise AssertionError("unreachable: the last try returns or raises")


async def _show_noticed(answered: discord.Message) -> None:
    """Show by a reaction that a message was heard; where that cannot be, it is not tried again."""
    may = _permissions(answered)
    if not (may.add_reactions and may.read_message_history):
        return
    try:
        await answered.add_reaction(NOTICED)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        logger.info("message %d got no reaction: %s", answered.id, trace(error))


class Beginning:
    """The messages in which the beginning of one answer is shown before it is whole."""

    def __init__(self, answered: discord.Message, *, shown: Callable[[], None]) -> None:
        """`shown` is called when the first words are seen."""
        self._answered = answered
        self._shown = shown
        self.messages: list[discord.Message] = []

    async def show(self, outcome: MessageOutcome) -> Sequence[int]:
        """Show what `outcome` says so far in reply to the message, and return the ids of what it stands in.

        Raises `DiscordError` where Discord does not take it.
        """
        parts = split(outcome.text or "")
        try:
            self.messages = await _sent(outcome, self._answered, replace(parts, rest=""), self.messages)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            raise DiscordError(f"Discord does not take the beginning of an answer: {trace(error)}") from error
        self._shown()
        return [message.id for message in self.messages]


async def _sent(
    outcome: MessageOutcome, answered: discord.Message, parts: SplitAnswer, before: Sequence[OwnMessage]
) -> list[discord.Message]:
    """Make `parts` the reply to `answered`, reusing the messages `before` for the first of them.

    Sent messages carry a nonce, so that a repetition is the same message. Where the bot may not read the history it
    does not send replies, and where it may not send files the end is cut.
    """
    may = _permissions(answered)
    if not may.attach_files:
        parts = parts.without_rest()
    first = answered.to_reference() if may.read_message_history else None
    sent: list[discord.Message] = []
    for number, content in enumerate(parts.messages, start=1):
        is_last = number == len(parts.messages)
        files = [_file(parts.rest, outcome)] if is_last and parts.rest else []
        view = _view(outcome) if is_last else None
        if number <= len(before):
            sent.append(await _put_right(before[number - 1], content, view, files, author=answered.author))
            continue
        message = await answered.channel.send(
            content,
            nonce=nonce_of(answered.id, number),
            allowed_mentions=_only(answered.author, pings=outcome.pings),
            files=files,
            # The library leaves out what is `None`, and falls over `MISSING`, whatever its types say.
            reference=cast("discord.MessageReference", first if number == 1 else None),
            view=view or MISSING,
        )
        # What Discord took for a repetition says what it said before, if nobody noted that it had arrived.
        sent.append(await _put_right(message, content, view, (), author=answered.author))
    for left in before[len(parts.messages) :]:
        await left.delete()
    return sent


async def _put_right(
    message: OwnMessage,
    content: str,
    view: discord.ui.View | None,
    files: Sequence[discord.File],
    *,
    author: discord.abc.User,
) -> discord.Message:
    """Return a message of the bot's that says `content`, edited unless it does so already."""
    if (
        isinstance(message, discord.Message)
        and message.content.strip() == content.strip()
        and (view is None or message.components)
        and (not files or message.attachments)
    ):
        return message
    return await message.edit(
        content=content,
        view=view,
        attachments=files if files else MISSING,
        allowed_mentions=_only(author, pings=False),
    )


async def _replaced(
    outcome: MessageOutcome, answered: discord.Message, parts: SplitAnswer
) -> list[discord.Message]:
    """Put `parts` in the place of the bot's messages that `outcome` replaces; what is left of those goes."""
    kept: list[discord.Message] = []
    for message_id, content in zip(outcome.replaces, parts.messages, strict=False):
        kept.append(
            await _own(answered, message_id).edit(
                content=content,
                view=_view(outcome),
                allowed_mentions=_only(answered.author, pings=False),
            )
        )
    for message_id in outcome.replaces[len(parts.messages) :]:
        await _own(answered, message_id).delete()
    return kept


def _view(outcome: MessageOutcome) -> discord.ui.View | None:
    """Return the button under an answer: to undo what it stored, or to look at what it took."""
    return undo_view(outcome) or details_view(outcome)


def _permissions(answered: discord.Message) -> discord.Permissions:
    """Return what the bot may do where `answered` was said; all, where the library does not know."""
    guild, channel = answered.guild, answered.channel
    if guild is None or guild.me is None or isinstance(channel, discord.PartialMessageable):
        return discord.Permissions.all()
    return channel.permissions_for(guild.me)


def _own(answered: discord.Message, message_id: int) -> discord.PartialMessage:
    """Return the bot's message of this id where `answered` was said."""
    if isinstance(answered.channel, discord.GroupChannel):
        raise AssertionError("no bot can be in a group of direct messages")
    return answered.channel.get_partial_message(message_id)


def _only(author: discord.abc.User, *, pings: bool) -> discord.AllowedMentions:
    """Return that nobody but `author` is mentioned, whatever the text says; `pings` also by the reply itself."""
    return discord.AllowedMentions(everyone=False, roles=False, users=[author], replied_user=pings)


def _file(rest: str, outcome: MessageOutcome) -> discord.File:
    name = say("notice.rest_of_answer", Language.of(outcome.text or ""))
    return discord.File(io.BytesIO(rest.encode()), filename=name)


def _kept(sent: Sequence[discord.Message], outcome: MessageOutcome, audience: int) -> list[Message]:
    """Return the messages as they are kept: the first holds the whole answer, with ids instead of names."""
    kept = [message_of(message, audience=audience) for message in sent]
    return [
        replace(message, text=outcome.kept_text if number == 0 else "", attachments=())
        for number, message in enumerate(kept)
    ]


def _may_pass(error: Exception) -> bool:
    """Tell whether what stands in the way may be gone soon: an outage, or limits that were met five times in a row."""
    if isinstance(error, discord.HTTPException):
        return error.status == _LIMITED or isinstance(error, discord.DiscordServerError)
    return True


def _is_about_a_deleted_message(error: discord.HTTPException) -> bool:
    return error.code == _INVALID_BODY and "message_reference" in error.text
