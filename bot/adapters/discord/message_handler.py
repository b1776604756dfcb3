"""The one path of a message from Discord into memory and to an answer, live or read back later; and the watchdog that
reports answers which stay unsent, and sends them again.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

import aiohttp
import discord

from bot.adapters.discord.audiences import audience_of, is_among_visitors, is_visitor, wrote_as_visitor
from bot.adapters.discord.backfill.watermarks import OpenGaps
from bot.adapters.discord.delivery import Beginning, Delivery, TypingSign
from bot.adapters.discord.guilds import GuildRegistry
from bot.adapters.discord.members import Introductions, can_read_of, hand_over_to, member_lookup, reads_of
from bot.adapters.discord.messages import images_of, message_link, message_of, origins_for
from bot.adapters.discord.notices import Troubles
from bot.adapters.discord.rest import Requests
from bot.adapters.discord.sentences import language_of
from bot.adapters.discord.under_way import UnderWay
from bot.chat.addressed import addressed
from bot.chat.incoming import IncomingMessage, MessageOutcome, Route
from bot.chat.keepsake import Keepsake
from bot.core.domain import Language, Message, MessageKind, RedactionReason
from bot.core.errors import HistoryUnreadableError
from bot.core.log import trace
from bot.db.service import Supervised
from bot.llm.operation import Image
from bot.memory.outbox.answers import Answers
from bot.memory.outbox.repository import UnsentAnswer

logger = logging.getLogger(__name__)


_SAID: Final = frozenset({"written", "sent"})
"""The states of an answer that had a text."""


async def as_it_stands(kept: Message, answers: Answers) -> Message | None:
    """Return a message of the bot, without its text if that was removed before its arrival was known.

    `None` for the beginning of an answer: whoever completes it stores the complete text.
    """
    if kept.reply_to_id is None:
        return kept
    answer = await answers.to_message(guild_id=kept.guild_id, message_id=kept.reply_to_id)
    if answer is not None and answer.is_begun and answer.state != "sent":
        return None
    if answer is None or answer.parts or answer.state not in _SAID:
        return kept
    return replace(kept, text="", attachments=(), withheld=RedactionReason.FORGOTTEN)


_OWN_SECONDS: Final = 10.0
"""Real seconds that an answer has to be stored by whoever sent it, as it was written."""


class MessageHandler:
    """Hears messages, edits and deletions, and has those answered that are for the bot."""

    def __init__(
        self,
        client: discord.Client,
        dependencies: Keepsake,
        rooms: GuildRegistry,
        introductions: Introductions,
        delivery: Delivery,
        typing_sign: TypingSign,
        under_way: UnderWay,
        *,
        sees: bool,
        erased: Callable[[int], None],
        open_gaps: Callable[[], OpenGaps],
    ) -> None:
        """`sees` tells whether a model that answers takes pictures; without it none is fetched.

        `erased` is told of users who may have had erased what is kept of them; `open_gaps` gives what is not read yet.
        """
        self._erased = erased
        self._open_gaps = open_gaps
        self._client = client
        self._dependencies = dependencies
        self._rooms = rooms
        self._delivery = delivery
        self._typing_sign = typing_sign
        self._sees = sees
        self._origins = origins_for(dependencies.settings.discord_api_url)
        self._introductions = introductions
        self._under_way = under_way

    async def hear(
        self, message: discord.Message, *, late: bool = False, stored: Message | None = None
    ) -> MessageOutcome | None:
        """Hear `message` and answer it if it is for the bot; it is durable when this returns.

        One that is `late` is not answered, though what it commands is carried out. `stored` is an earlier version
        of it, which is heard in place of what it says now. Returns what became of it,
        `None` if it is by nobody who is answered. Raises `DatabaseError`, and `HistoryUnreadableError` where the
        bot is not in the guild, or does not know it yet.
        """
        with self._under_way.busy():
            self._check_placed(message)
            kept = self.kept(message)
            if stored is not None:
                kept = replace(
                    kept, text=stored.text, attachments=stored.attachments, edited_at=stored.edited_at
                )
            if self.is_own(message):
                await self._hear_own(kept)
                return None
            if kept.kind not in self._answered:
                await self._dependencies.memory.ingest_message(kept)
                return None
            return await self.answer(message, kept, late=late)

    def kept(self, message: discord.Message) -> Message:
        """Return `message` as it is kept, with the audience of this moment; its guild must be known."""
        base_role_id = None if message.guild is None else self._rooms.base_role_id(message.guild.id)
        return message_of(
            message,
            audience=audience_of(message.channel, base_role_id=base_role_id),
            from_visitor=wrote_as_visitor(message, base_role_id=base_role_id),
        )

    def calls_bot(self, message: discord.Message) -> bool:
        """Tell from `message` alone whether it calls the bot; its guild must be known."""
        return not self.is_own(message) and self._is_called(message, self.kept(message))

    def is_own(self, message: discord.Message) -> bool:
        """Tell whether the bot itself said it."""
        return self._client.user is not None and message.author.id == self._client.user.id

    async def answer(
        self, message: discord.Message, kept: Message, *, late: bool = False, is_taken: bool = False
    ) -> MessageOutcome | None:
        """Answer `message` if it is for the bot; one of another bot only where settings say so.

        One that `is_taken` by the memory already is not written once more.
        """
        with self._under_way.busy(), self._dependencies.meter.span("message", place="anew") as span:
            author = await self._introduced(message)
            if kept.kind not in self._answered:
                return None
            is_called = self._is_called(message, kept) and not late
            if is_taken and not is_called and await self._dependencies.conversation.overhears(kept):
                return None
            hearing = self._hearing(message, kept, author, late=late, is_taken=is_taken)
            if is_called and self._sees:
                hearing = replace(
                    hearing, images=await self._images(message), replied_images=await self._replied(message)
                )
            sign = self._typing_sign.typing_in(message.channel) if is_called else contextlib.nullcontext()
            async with sign as is_over:
                # Whoever can read the first words needs no sign that there will be some.
                beginning = Beginning(message, shown=is_over.set if is_over is not None else _do_nothing)
                outcome = await self._dependencies.conversation.hear(replace(hearing, show=beginning.show))
                span.put({"keepsake.route": outcome.route, "keepsake.degraded": outcome.degraded})
                if outcome.route is Route.OWN_RIGHTS:
                    self._erased(author.id)
                await self._delivery.deliver(outcome, message, audience=kept.audience, beginning=beginning)
            return outcome

    def is_sending(self, message_id: int) -> bool:
        """Tell whether the answer to a message is being sent, or tried again."""
        return self._delivery.is_sending(message_id)

    async def send_again(self, message: discord.Message) -> None:
        """Send what stays written in answer to `message`, unless somebody else does. Raises `DatabaseError`."""
        with self._under_way.busy(), self._dependencies.meter.span("message sent again", place="anew"):
            self._check_placed(message)
            kept, author = self.kept(message), self._introductions.author_of(message)
            outcome = await self._dependencies.conversation.unsent(
                self._hearing(message, kept, author, late=True)
            )
            if outcome is not None:
                await self._delivery.deliver(outcome, message, audience=kept.audience, again=True)

    async def hear_edit(self, message: discord.Message) -> None:
        """Hear what `message` says now; a command in it replaces what it did before."""
        self._check_placed(message)
        kept = self.kept(message)
        if self.is_own(message):
            # Whoever edits the bot's own messages stores them, with ids in the place of names.
            return
        if kept.kind is not MessageKind.MEMBER:
            await self._dependencies.memory.ingest_message(kept)
            return
        with self._under_way.busy(), self._dependencies.meter.span("message edited", place="anew"):
            author = await self._introduced(message)
            outcome = await self._dependencies.conversation.hear_edit(self._hearing(message, kept, author))
            await self._delivery.deliver(outcome, message, audience=kept.audience)

    async def hear_unfurled(self, message: discord.Message) -> None:
        """Hear `message` again, with words that Discord added to what its author wrote."""
        self._check_placed(message)
        if not self.is_own(message):
            await self._dependencies.memory.ingest_message(self.kept(message))

    async def hear_deletion(self, guild_id: int, channel_id: int, message_ids: Sequence[int]) -> None:
        """Hear that messages were deleted; in a direct message `guild_id` is the channel's id."""
        await self._dependencies.memory.ingest_deletion(
            guild_id=guild_id, channel_id=channel_id, message_ids=message_ids
        )

    async def hear_own_later(self, message: discord.Message) -> None:
        """Store a message of the bot, unless its sender stores it within a few seconds."""
        await asyncio.sleep(_OWN_SECONDS)
        self._check_placed(message)
        await self._hear_own(self.kept(message))

    def _check_placed(self, message: discord.Message) -> None:
        """Raise `HistoryUnreadableError` unless the guild of `message` is known, and so the audiences there."""
        if message.guild is not None and not self._rooms.is_known(message.guild.id):
            raise HistoryUnreadableError(f"guild {message.guild.id} is not taken up")

    async def _introduced(self, message: discord.Message) -> discord.Member | discord.User:
        """Return the author of `message`, once everybody in it is known."""
        author = self._introductions.author_of(message)
        await self._introductions.introduce(message, author, self._bot)
        return author

    async def _hear_own(self, kept: Message) -> None:
        # A version with names put in must not take the place of the one with ids.
        known = await self._dependencies.library.message(guild_id=kept.guild_id, message_id=kept.message_id)
        if known is not None:
            return
        standing = await as_it_stands(kept, self._dependencies.memory.answers)
        if standing is not None:
            await self._dependencies.memory.ingest_message(standing)

    @property
    def _answered(self) -> frozenset[MessageKind]:
        bots = {MessageKind.BOT} if self._dependencies.settings.answer_bots else set()
        return frozenset({MessageKind.MEMBER, *bots})

    def _hearing(
        self,
        message: discord.Message,
        kept: Message,
        author: discord.Member | discord.User,
        *,
        late: bool = False,
        is_taken: bool = False,
    ) -> IncomingMessage:
        guild = message.guild
        base_role_id = None if guild is None else self._rooms.base_role_id(guild.id)
        return IncomingMessage(
            message=kept,
            bot_id=self._bot.id,
            bot_names=self._names(guild),
            direct=guild is None,
            from_moderator=isinstance(author, discord.Member) and author.guild_permissions.manage_messages,
            from_manager=isinstance(author, discord.Member) and _may_manage(author, message.channel),
            language=Language.ENGLISH if guild is None else language_of(guild.preferred_locale),
            late=late,
            is_taken=is_taken,
            alone=True,
            is_behind=lambda: self._open_gaps().is_in(kept.guild_id),
            # What is read back comes in its order by itself.
            read_later=(lambda: self._read_again(kept)) if is_taken else None,
            visitor=guild is not None
            and (
                is_visitor(author, base_role_id=base_role_id)
                or is_among_visitors(message.channel, base_role_id=base_role_id)
            ),
            seek=None if guild is None else member_lookup(guild),
            reads=reads_of(self._client, self._rooms, author.id),
            can_read=can_read_of(self._client, None if guild is None else guild.id, author.id),
            hand_over=hand_over_to(author),
            jump=partial(message_link, None if guild is None else guild.id),
        )

    def _read_again(self, kept: Message) -> bool:
        return self._open_gaps().read_again(channel_id=kept.channel_id, message_id=kept.message_id)

    @property
    def _bot(self) -> discord.ClientUser:
        if self._client.user is None:
            raise AssertionError("messages come only to a client that is logged in")
        return self._client.user

    def _names(self, guild: discord.Guild | None) -> tuple[str, ...]:
        """Return what the bot is called; first what members see."""
        bot = self._bot
        seen = bot.display_name if guild is None or guild.me is None else guild.me.display_name
        return tuple(
            dict.fromkeys((seen, bot.display_name, bot.name, *self._dependencies.settings.bot_names))
        )

    def _is_called(self, message: discord.Message, kept: Message) -> bool:
        """Tell from the message alone whether it calls the bot: what answers it may take a while."""
        reference = message.reference
        replied_to = reference.resolved or reference.cached_message if reference is not None else None
        said = addressed(
            kept.text,
            names=self._names(message.guild),
            bot_id=self._bot.id,
            replies_to_bot=isinstance(replied_to, discord.Message) and self.is_own(replied_to),
            direct=message.guild is None,
        )
        return said is not None

    async def _images(self, message: discord.Message) -> tuple[Image, ...]:
        return await images_of(message, origins=self._origins)

    async def _replied(self, message: discord.Message) -> tuple[Image, ...]:
        replied_to = message.reference.resolved if message.reference is not None else None
        return await self._images(replied_to) if isinstance(replied_to, discord.Message) else ()


def _may_manage(author: discord.Member, channel: discord.abc.Messageable) -> bool:
    """Tell whether `author` may change the settings of the guild, or how its `channel` stands."""
    if author.guild_permissions.manage_guild:
        return True
    return isinstance(channel, discord.abc.GuildChannel | discord.Thread) and (
        channel.permissions_for(author).manage_channels
    )


def _do_nothing() -> None:
    """Show no sign, and so end none."""


OVERDUE: Final = timedelta(minutes=2)
"""In real time: by then all tries of the delivery are over, the library's own included."""

_WITHIN: Final = timedelta(days=1)
"""What was asked longer ago is no longer answered: nobody waits for it."""

_PAUSE_SECONDS: Final = 30.0
"""Real seconds between looks."""

_MOST: Final = 500
"""Answers of one look; the next one finds the others."""

_NAMED: Final = 10
"""Messages of which the log tells the ids."""

_STUCK_SECONDS: Final = 120.0
"""Real seconds after which a request to Discord takes too long: something keeps all of them waiting."""


class Watchdog(Supervised):
    """Looks now and then, first at the start: what a process that died left unsent counts too."""

    def __init__(
        self,
        client: discord.Client,
        dependencies: Keepsake,
        message_handler: MessageHandler,
        troubles: Troubles,
        requests: Requests,
    ) -> None:
        super().__init__(dependencies.services, {"watchdog of answers": self._run})
        self._client = client
        self._dependencies = dependencies
        self._message_handler = message_handler
        self._troubles = troubles
        self._requests = requests

    async def look(self) -> None:
        """Report answers that stay unsent, and send them. Raises `DatabaseError`."""
        self._look_at_requests()
        overdue = await self._dependencies.memory.answers.unsent(
            guild_ids=[guild.id for guild in self._client.guilds if not guild.unavailable],
            with_direct=self._has_direct,
            overdue=OVERDUE,
            within=_WITHIN,
            most=_MOST,
        )
        if not overdue:
            return
        left = [one for one in overdue if not self._message_handler.is_sending(one.message_id)]
        self._tell(overdue, sending=len(overdue) - len(left))
        for one in left:
            try:
                await self._send(one)
            except (discord.DiscordException, aiohttp.ClientError, OSError, HistoryUnreadableError) as error:
                logger.warning("the answer to message %d stays written: %s", one.message_id, trace(error))

    async def _run(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(_PAUSE_SECONDS)

    def _look_at_requests(self) -> None:
        seconds = self._requests.oldest_seconds
        if seconds > _STUCK_SECONDS:
            logger.error(
                "%d requests to Discord are under way, the oldest for %.0f seconds: nothing may be sent meanwhile",
                self._requests.count,
                seconds,
            )

    def _tell(self, overdue: Sequence[UnsentAnswer], *, sending: int) -> None:
        logger.error(
            "%d answers stay written for more than %d seconds: %d are being sent, %d are sent again now; messages %s",
            len(overdue),
            OVERDUE.total_seconds(),
            sending,
            len(overdue) - sending,
            ", ".join(str(one.message_id) for one in overdue[:_NAMED]),
        )
        minutes = int(OVERDUE.total_seconds()) // 60
        self._troubles.report("notice.answers_unsent", count=len(overdue), minutes=minutes)

    async def _send(self, unsent: UnsentAnswer) -> None:
        """Send an answer again, unless what it answers is gone or can no longer be read."""
        try:
            message = await self._answered(unsent)
        except (discord.NotFound, discord.Forbidden) as error:
            logger.warning("the answer to message %d is given up: %s", unsent.message_id, trace(error))
            await self._dependencies.conversation.given_up(
                guild_id=unsent.guild_id, message_id=unsent.message_id
            )
            return
        await self._message_handler.send_again(message)

    async def _answered(self, unsent: UnsentAnswer) -> discord.Message:
        """Return the message that is answered, from what the client remembers: history may be closed to the bot."""
        remembered = discord.utils.get(self._client.cached_messages, id=unsent.message_id)
        if remembered is not None:
            return remembered
        channel = self._client.get_channel(unsent.channel_id)
        channel = channel or await self._client.fetch_channel(unsent.channel_id)
        if not isinstance(channel, discord.abc.Messageable):
            raise AssertionError(f"channel {unsent.channel_id} held a message, and takes none")
        return await channel.fetch_message(unsent.message_id)

    @property
    def _has_direct(self) -> bool:
        shard_ids = getattr(self._client, "shard_ids", None)
        return shard_ids is None or 0 in shard_ids
