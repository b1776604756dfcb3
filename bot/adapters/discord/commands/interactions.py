"""What all commands and buttons share: the context of an interaction (who, where, with which rights), answering in
time, and reporting failures.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

import aiohttp
import discord
from discord import app_commands

from bot.adapters.discord.audiences import audience_of, is_visitor
from bot.adapters.discord.backfill.past import PastReader
from bot.adapters.discord.guilds import GuildRegistry
from bot.adapters.discord.members import Introductions, can_read_of, reads_of
from bot.adapters.discord.messages import message_link
from bot.adapters.discord.sentences import language_of
from bot.adapters.discord.under_way import UnderWay
from bot.chat.keepsake import Keepsake
from bot.chat.usecases.context import RequestContext
from bot.chat.usecases.usecases import UseCases
from bot.core.domain import OPEN
from bot.core.errors import DatabaseError, DatabaseUnavailableError, InvalidInputError
from bot.core.log import trace
from bot.text.sentences import say

logger = logging.getLogger(__name__)


_OVER: Final = frozenset({10062, 40060, 50027})
"""Discord's codes for an interaction that nobody can answer any more: too late, answered already, token over."""


async def tell_failure(interaction: discord.Interaction, error: Exception) -> None:
    """Log where `error` came from, and send one sentence to the member who waits for an answer, if that is still
    possible.
    """
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    if isinstance(cause, discord.InteractionResponded) or is_expired(cause):
        logger.info("interaction %d can no longer be answered: %s", interaction.id, trace(cause))
        return
    logger.error("interaction %d failed: %s", interaction.id, trace(cause))
    text = "chat.database_away" if isinstance(cause, DatabaseError) else "chat.failed"
    said = say(text, language_of(interaction.locale))
    try:
        if interaction.response.is_done():
            await interaction.followup.send(said, ephemeral=True)
        else:
            await interaction.response.send_message(said, ephemeral=True)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as further:
        logger.info("the failure of interaction %d could not be told: %s", interaction.id, trace(further))


def is_expired(error: Exception) -> bool:
    """Tell whether `error` means that an interaction takes no answer any more."""
    return isinstance(error, discord.HTTPException) and error.code in _OVER


_TAKING_UP_SECONDS: Final = 5.0
"""Real seconds that somebody waits for a guild to be taken up, which a start or an outage may delay."""


class RequestContexts:
    """Makes requests of interactions; who gives one is put into the directory, so that what is stored has a name."""

    def __init__(self, client: discord.Client, rooms: GuildRegistry, introductions: Introductions) -> None:
        self._client = client
        self._rooms = rooms
        self._introductions = introductions

    async def request(self, interaction: discord.Interaction, *, of_channel: bool = False) -> RequestContext:
        """Return `interaction` as a request with the rights that its member has in the whole guild.

        With `of_channel` they are those in the channel alone, which is enough for what changes nothing else.
        Raises `DatabaseError`, also while the guild is not taken up yet, and `InvalidInputError` for a channel
        that is neither of a guild nor between the bot and one user.
        """
        guild, channel = interaction.guild, interaction.channel
        if channel is None:
            raise InvalidInputError(f"interaction {interaction.id} is from a channel that is not known")
        if guild is not None:
            await self._known(guild.id)
        elif isinstance(channel, discord.DMChannel):
            await self._introductions.open_direct(channel.id, self._bot)
        else:
            raise InvalidInputError(f"channel {channel.id} is neither of a guild nor between two")
        guild_id = channel.id if guild is None else guild.id
        await self._introductions.meet([interaction.user], guild_id=guild_id)
        base_role_id = None if guild is None else self._rooms.base_role_id(guild.id)
        here, of_channel = interaction.permissions, of_channel and guild is not None
        return RequestContext(
            guild_id=guild_id,
            channel_id=channel.id,
            audience=OPEN if guild is None else _audience(guild, channel, base_role_id=base_role_id),
            user_id=interaction.user.id,
            language=language_of(interaction.locale),
            interaction_id=interaction.id,
            bot_id=self._bot.id,
            bot_name=self._bot.display_name if guild is None else guild.me.display_name,
            from_moderator=here.manage_messages if of_channel else is_moderator(interaction),
            # Who writes directly manages their own direct messages.
            from_manager=guild is None or here.manage_guild or (of_channel and here.manage_channels),
            visitor=guild is not None and is_visitor(interaction.user, base_role_id=base_role_id),
            direct=guild is None,
            reads=reads_of(self._client, self._rooms, interaction.user.id),
            can_read=can_read_of(self._client, interaction.guild_id, interaction.user.id),
            jump=partial(message_link, None if guild is None else guild.id),
            most_bytes=interaction.filesize_limit,
        )

    async def meet(self, request: RequestContext, person: discord.Member | discord.User) -> None:
        """Put a chosen member into the directory; one who has left has no names here. Raises `DatabaseError`."""
        if request.direct or isinstance(person, discord.Member):
            await self._introductions.meet([person], guild_id=request.guild_id)

    async def renew(self, guild_id: int) -> None:
        """Refresh the audiences of a guild, and wait for that no longer than a member would."""
        self._rooms.renew(guild_id, whole=True)
        try:
            async with asyncio.timeout(_TAKING_UP_SECONDS):
                await self._rooms.settled()
        except TimeoutError:
            # It is marked, and done as soon as the database lets it.
            return

    async def _known(self, guild_id: int) -> None:
        try:
            async with asyncio.timeout(_TAKING_UP_SECONDS):
                await self._rooms.known(guild_id)
        except TimeoutError as error:
            raise DatabaseUnavailableError(f"guild {guild_id} is not taken up yet") from error

    @property
    def _bot(self) -> discord.ClientUser:
        if self._client.user is None:
            raise AssertionError("interactions come only to a client that is logged in")
        return self._client.user


def is_moderator(interaction: discord.Interaction) -> bool:
    """Tell whether a member moderates the whole guild; a permission in one channel alone gives no such power."""
    user = interaction.user
    return isinstance(user, discord.Member) and user.guild_permissions.manage_messages


def _audience(guild: discord.Guild, channel: discord.abc.Snowflake, *, base_role_id: int | None) -> int:
    """Return the audience of a channel of `guild` from the client's own state.

    For a channel unknown to the client an interaction carries no permissions; without them nothing is open.
    """
    if isinstance(channel, discord.Thread):
        return audience_of(channel, base_role_id=base_role_id)
    known = guild.get_channel(channel.id)
    return channel.id if known is None else audience_of(known, base_role_id=base_role_id)


_COMMAND: Final = re.compile(r"/memory(?:-admin)? [a-z]+")


class InteractionHandler:
    """Handles interactions. discord.py reports failures to whatever it called: the tree, a button, or a form."""

    def __init__(
        self,
        dependencies: Keepsake,
        contexts: RequestContexts,
        past: PastReader,
        under_way: UnderWay,
        *,
        erased: Callable[[int], None],
    ) -> None:
        """`erased` is told of users who had erased what is kept of them."""
        self.dependencies: Final = dependencies
        self.contexts: Final = contexts
        self.past: Final = past
        self.under_way: Final = under_way
        """Where it is noted what the end of the process waits for: whoever gave a command sees the bot thinking."""
        self.erased: Final = erased
        self.mentions: dict[str, str] = {}
        """How a command is written so that members can click it, by its English name ("/memory show")."""

    @property
    def use_cases(self) -> UseCases:
        """Whoever carries commands out."""
        return self.dependencies.use_cases

    async def receive(self, interaction: discord.Interaction, *, of_channel: bool = False) -> RequestContext:
        """Ask for time to answer by `follow_up`, and return the request, by rights `of_channel` if they are enough."""
        # Without this answer nobody would see what was done, so nothing is done without it.
        await interaction.response.defer(ephemeral=True, thinking=True)
        return await self.contexts.request(interaction, of_channel=of_channel)

    async def press(self, interaction: discord.Interaction, *, of_channel: bool = False) -> RequestContext:
        """Take note that a button was pressed, whose message is to be changed, and return the request."""
        await interaction.response.defer()
        return await self.contexts.request(interaction, of_channel=of_channel)

    def command(self, name: str) -> str:
        """Return how the command with this English name is written: as a mention, once Discord told its id."""
        return self.mentions.get(name, name)

    def with_mentions(self, text: str) -> str:
        """Return `text` with the commands in it as members can click them, each in their own language."""
        return _COMMAND.sub(lambda found: self.command(found[0]), text)


async def follow_up(
    interaction: discord.Interaction,
    text: str = "",
    *,
    view: discord.ui.View | None = None,
    embeds: Sequence[discord.Embed] = (),
    file: discord.File | None = None,
) -> None:
    """Send another message to the member who gave a command, without mentions or link previews."""
    await interaction.followup.send(
        text,
        ephemeral=True,
        embeds=embeds,
        suppress_embeds=not embeds,
        allowed_mentions=discord.AllowedMentions.none(),
        view=discord.utils.MISSING if view is None else view,
        file=discord.utils.MISSING if file is None else file,
    )


_MOST_TITLE_CHARACTERS: Final = 45
"""Of a form's title and of a field's label, as Discord takes them."""


class Form(discord.ui.Modal):
    """A form with one field, and what is done with what was put into it."""

    def __init__(
        self,
        handler: InteractionHandler,
        *,
        title: str,
        label: str,
        field: discord.ui.TextInput[discord.ui.View] | discord.ui.Select[discord.ui.View],
        submitted: Callable[[discord.Interaction, RequestContext], Awaitable[None]],
        above: str = "",
    ) -> None:
        """`submitted` does it, and answers by `follow_up`. `above` is a text that stands above the field."""
        super().__init__(title=title[:_MOST_TITLE_CHARACTERS])
        self._handler = handler
        self._submitted = submitted
        if above:
            self.add_item(discord.ui.TextDisplay(above))
        self.add_item(discord.ui.Label(text=label[:_MOST_TITLE_CHARACTERS], component=field))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Handle a submitted form; errors are reported to the member who sent it."""
        with self._handler.under_way.busy():
            try:
                await self._submitted(interaction, await self._handler.receive(interaction))
            except Exception as error:
                await tell_failure(interaction, error)
