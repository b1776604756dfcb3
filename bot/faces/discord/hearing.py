"""The one way of a message from Discord into memory and to an answer, live or read back later."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import discord

from bot.conversation.addressed import addressed
from bot.conversation.hearing import Hearing, Outcome
from bot.conversation.router import Route
from bot.domain import Language, Message, MessageKind
from bot.errors import HistoryUnreadableError
from bot.faces.discord.audiences import audience_of, is_among_visitors, is_visitor, wrote_as_visitor
from bot.faces.discord.delivery import Delivery
from bot.faces.discord.inside import Inside
from bot.faces.discord.introducing import Introductions
from bot.faces.discord.jumping import address
from bot.faces.discord.open_gaps import OpenGaps
from bot.faces.discord.own_answers import as_it_stands
from bot.faces.discord.own_hands import can_read_of, hand_over_to, reads_of
from bot.faces.discord.pictures import images_of, origins_for
from bot.faces.discord.rooms import Rooms
from bot.faces.discord.seeking import sought
from bot.faces.discord.sentences import language_of
from bot.faces.discord.translate import message_of
from bot.faces.discord.typing_sign import TypingSign
from bot.language.operation import Image

_OWN_SECONDS: Final = 10.0
"""Real seconds that an answer has to be stored by whoever sent it, as it was written."""


class Ears:
    """Hears messages, edits and deletions, and has those answered that are for the bot."""

    def __init__(
        self,
        client: discord.Client,
        inside: Inside,
        rooms: Rooms,
        introductions: Introductions,
        delivery: Delivery,
        typing_sign: TypingSign,
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
        self._inside = inside
        self._rooms = rooms
        self._delivery = delivery
        self._typing_sign = typing_sign
        self._sees = sees
        self._origins = origins_for(inside.settings.discord_api_url)
        self._introductions = introductions
        self._under_way: set[asyncio.Task[object]] = set()

    async def hear(self, message: discord.Message, *, late: bool = False) -> Outcome | None:
        """Hear `message` and answer it if it is for the bot; it is durable when this returns.

        One that is `late` is not answered, though what it commands is carried out. Returns what became of it,
        `None` if it is by nobody who is answered. Raises `DatabaseError`, and `HistoryUnreadableError` where the
        bot is not in the guild, or does not know it yet.
        """
        with self._busy():
            self._check_placed(message)
            kept = self.kept(message)
            if self.is_own(message):
                await self._hear_own(kept)
                return None
            if kept.kind not in self._answered:
                await self._inside.memory.ingest_message(kept)
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

    def is_own(self, message: discord.Message) -> bool:
        """Tell whether the bot itself said it."""
        return self._client.user is not None and message.author.id == self._client.user.id

    def take(self, kept: Message) -> bool:
        """Have a live message written, without waiting; `False` if there is no room, for it to be read back."""
        return self._inside.memory.offer([kept])

    async def answer(
        self, message: discord.Message, kept: Message, *, late: bool = False, is_taken: bool = False
    ) -> Outcome | None:
        """Answer `message` if it is for the bot; one of another bot only where settings say so.

        What `take` took is not written once more.
        """
        with self._busy():
            author = await self._introduced(message)
            if kept.kind not in self._answered:
                return None
            is_called = self._is_called(message, kept) and not late
            hearing = self._hearing(message, kept, author, late=late, is_taken=is_taken)
            if is_called and self._sees:
                hearing = replace(
                    hearing, images=await self._images(message), replied_images=await self._replied(message)
                )
            sign = self._typing_sign.typing_in(message.channel) if is_called else contextlib.nullcontext()
            async with sign:
                outcome = await self._inside.conversation.hear(hearing)
                if outcome.route is Route.OWN_RIGHTS:
                    self._erased(author.id)
                await self._delivery.deliver(outcome, message, audience=kept.audience)
            return outcome

    def is_sending(self, message_id: int) -> bool:
        """Tell whether the answer to a message is being sent, or tried again."""
        return self._delivery.is_sending(message_id)

    async def send_again(self, message: discord.Message) -> None:
        """Send what stays written in answer to `message`, unless somebody else does. Raises `DatabaseError`."""
        with self._busy():
            self._check_placed(message)
            kept, author = self.kept(message), self._introductions.author_of(message)
            outcome = await self._inside.conversation.unsent(self._hearing(message, kept, author, late=True))
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
            await self._inside.memory.ingest_message(kept)
            return
        with self._busy():
            author = await self._introduced(message)
            outcome = await self._inside.conversation.hear_edit(self._hearing(message, kept, author))
            await self._delivery.deliver(outcome, message, audience=kept.audience)

    async def hear_unfurled(self, message: discord.Message) -> None:
        """Hear `message` again, with words that Discord added to what its author wrote."""
        self._check_placed(message)
        if not self.is_own(message):
            await self._inside.memory.ingest_message(self.kept(message))

    async def hear_deletion(self, guild_id: int, channel_id: int, message_ids: Sequence[int]) -> None:
        """Hear that messages were deleted; in a direct message `guild_id` is the channel's id."""
        await self._inside.memory.ingest_deletion(
            guild_id=guild_id, channel_id=channel_id, message_ids=message_ids
        )

    async def hear_own_later(self, message: discord.Message) -> None:
        """Hear what the bot said, unless whoever sent it stores it within some seconds."""
        await asyncio.sleep(_OWN_SECONDS)
        self._check_placed(message)
        await self._hear_own(self.kept(message))

    async def finish(self, seconds: float) -> None:
        """Let answers that are under way end, for `seconds` real seconds, then give them up.

        They were written down before they were sent, and are sent after the next start. A request that one of them
        waits for is not cut off: it goes to its end by itself.
        """
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=seconds)
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    @contextlib.contextmanager
    def _busy(self) -> Iterator[None]:
        """Let `finish` know of the task that runs this."""
        task = asyncio.current_task()
        if task is None or task in self._under_way:
            yield
            return
        self._under_way.add(task)
        try:
            yield
        finally:
            self._under_way.discard(task)

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
        known = await self._inside.library.message(guild_id=kept.guild_id, message_id=kept.message_id)
        if known is None:
            await self._inside.memory.ingest_message(await as_it_stands(kept, self._inside.memory.answers))

    @property
    def _answered(self) -> frozenset[MessageKind]:
        bots = {MessageKind.BOT} if self._inside.settings.answer_bots else set()
        return frozenset({MessageKind.MEMBER, *bots})

    def _hearing(
        self,
        message: discord.Message,
        kept: Message,
        author: discord.Member | discord.User,
        *,
        late: bool = False,
        is_taken: bool = False,
    ) -> Hearing:
        guild = message.guild
        base_role_id = None if guild is None else self._rooms.base_role_id(guild.id)
        return Hearing(
            message=kept,
            bot_id=self._bot.id,
            bot_names=self._names(guild),
            direct=guild is None,
            from_moderator=isinstance(author, discord.Member) and author.guild_permissions.manage_messages,
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
            seek=None if guild is None else sought(guild),
            reads=reads_of(self._client, self._rooms, author.id),
            can_read=can_read_of(self._client, None if guild is None else guild.id, author.id),
            hand_over=hand_over_to(author),
            jump=lambda channel_id, message_id: address(
                guild_id=None if guild is None else guild.id, channel_id=channel_id, message_id=message_id
            ),
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
        return tuple(dict.fromkeys((seen, bot.display_name, bot.name, *self._inside.settings.bot_names)))

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
