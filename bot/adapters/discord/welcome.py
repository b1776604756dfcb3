"""Posts once in every guild what the bot keeps there, with buttons for managers that survive a restart."""

import logging
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

import aiohttp
import discord

from bot.adapters.discord.backfill.past import PastReport
from bot.adapters.discord.base_role import channels_view, role_view
from bot.adapters.discord.commands.buttons import Action
from bot.adapters.discord.commands.interactions import Form, InteractionHandler, follow_up
from bot.adapters.discord.guilds import can_tell_everyone, place_for_everyone
from bot.adapters.discord.sentences import language_of
from bot.chat.keepsake import Keepsake
from bot.chat.privacy import DataPractice, welcome_text
from bot.chat.usecases.context import RequestContext
from bot.core.domain import DISCORD_EPOCH, Guild, Language
from bot.core.errors import DatabaseError
from bot.core.log import trace
from bot.db.service import Supervised
from bot.db.signs import rest
from bot.text.sentences import say

logger = logging.getLogger(__name__)


OWN_ID: Final = "welcome:"
"""What the ids of these buttons begin with, by which the message that has them is known."""

_MOST_FIELD_CHARACTERS: Final = 100


class _What(StrEnum):
    """What a button is for, as its id says it."""

    ROLE = "role"
    TIME_ZONE = "time_zone"
    RETENTION = "retention_days"
    CHANNELS = "channels"
    PAST = "past"


_FIELDS: Final = {
    _What.TIME_ZONE: "welcome.time_zone_field",
    _What.RETENTION: "welcome.retention_field",
}
"""Of what is written into a form: what stands above the field. Their values are names of settings."""


class OpenWelcome(Action, word="welcome", patterns={"what": "|".join(_What)}):
    """Opens what a manager wants to set, or begins to read the last days."""

    what: str

    async def click(self, handler: InteractionHandler, interaction: discord.Interaction) -> None:
        """Do it for a manager, and tell everybody else whom it is for."""
        language, what = language_of(interaction.locale), _What(self.what)
        if interaction.guild is None or not interaction.permissions.manage_guild:
            await interaction.response.send_message(say("notice.only_managers", language), ephemeral=True)
        elif what in _FIELDS:
            known = await handler.dependencies.directory.guild(interaction.guild.id)
            await interaction.response.send_modal(_setting_form(handler, what, known, language))
        else:
            await _opened(handler, interaction, await handler.receive(interaction), what)


async def _opened(
    handler: InteractionHandler, interaction: discord.Interaction, request: RequestContext, what: _What
) -> None:
    match what:
        case _What.ROLE:
            view = role_view(request.language)
            await follow_up(interaction, request.say("welcome.choose_role"), view=view)
        case _What.CHANNELS:
            left_out = await handler.use_cases.left_out(request)
            view = channels_view(request.language, [channel.channel_id for channel in left_out])
            await follow_up(interaction, request.say("welcome.choose_channels"), view=view)
        case _:
            await _read(handler, interaction, request)


async def _read(
    handler: InteractionHandler, interaction: discord.Interaction, request: RequestContext
) -> None:
    async def tell(done: PastReport) -> None:
        told = request.say("welcome.past_read", new=done.new, known=done.known, channels=done.channels)
        failed = f" {request.say('welcome.past_failed')}" if done.failed else ""
        await follow_up(interaction, told + failed)

    guild = await handler.dependencies.directory.guild(request.guild_id)
    if guild is None or handler.past.is_reading(request.guild_id):
        await follow_up(interaction, request.say("welcome.reading_already"))
        return
    # Said first, so that nobody is told of the end before the beginning.
    await follow_up(interaction, request.say("welcome.reading"))
    handler.past.begin(guild, tell)


def _setting_form(handler: InteractionHandler, what: _What, known: Guild | None, language: Language) -> Form:
    """Return a field for the value of one setting, filled in with the one that holds."""
    field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
        custom_id=what.value,
        default=_value(what, known, handler) or None,
        max_length=_MOST_FIELD_CHARACTERS,
    )

    async def submitted(interaction: discord.Interaction, request: RequestContext) -> None:
        said = await handler.use_cases.change(request, what.value, field.value)
        await follow_up(interaction, said.text)

    title, label = say(f"welcome_button.{what}", language).rstrip("…"), say(_FIELDS[what], language)
    return Form(handler, title=title, label=label, field=field, submitted=submitted)


def _value(what: _What, known: Guild | None, handler: InteractionHandler) -> str:
    """Return the value that holds, as the form shows it."""
    if known is None:
        return ""
    if what is _What.TIME_ZONE:
        return known.time_zone
    return str(known.kept_days(handler.dependencies.settings.retention_days))


def welcome_view(language: Language) -> discord.ui.View:
    """Return the buttons."""
    view = discord.ui.View(timeout=None)
    for what in _What:
        view.add_item(OpenWelcome(what=what).button(say(f"welcome_button.{what}", language)))
    return view


WELCOME_KIND: Final = "welcome"

_CLOCKS_APART: Final = timedelta(minutes=10)
"""How far the clock of the database and Discord's may be apart."""

AGAIN_SECONDS: Final = 300.0
"""Real seconds after which a guild that could not be told is tried again."""

_LOOKED_THROUGH: Final = 500
"""Messages in which the own one is looked for: more are not said between a crash and the next start in most places."""


class WelcomeNotices(Supervised):
    """Posts the notice in guilds, once each.

    It is noted before sending and again afterwards. If the process is killed in between, the next one looks for the
    message where it would be, and otherwise sends it with the same nonce, by which Discord recognises a repetition for
    some minutes.
    """

    def __init__(self, dependencies: Keepsake) -> None:
        super().__init__(dependencies.services, {"notices to members": self._try_again})
        self._dependencies = dependencies
        self._practice = DataPractice.of(dependencies.settings)
        self._told: dict[int, datetime] = {}
        """When the bot joined, by guild that was told since."""
        self._under_way: set[int] = set()
        self._waiting: dict[int, discord.Guild] = {}
        """Guilds that could not be told yet."""

    async def _try_again(self) -> None:
        while True:
            await rest(AGAIN_SECONDS)
            await self._welcome_waiting()

    async def _welcome_waiting(self) -> None:
        for guild in [*self._waiting.values()]:
            settings = await self._dependencies.directory.guild(guild.id)
            # A guild that the bot has left is told when it is invited again.
            if settings is None or guild.me is None:
                self._waiting.pop(guild.id, None)
                continue
            await self.welcome(guild, settings)

    async def welcome(self, guild: discord.Guild, settings: Guild) -> None:
        """Tell `guild` what is kept there, unless it was told since the bot joined, or nothing is kept there at all.

        Where there is no channel that everybody reads and the bot may write in, or Discord refuses, it is tried again
        after a while, and whenever that changes. Raises `DatabaseError`.
        """
        joined_at = guild.me.joined_at or DISCORD_EPOCH
        is_told = self._told.get(guild.id) == joined_at
        if is_told or not settings.hearing or guild.id in self._under_way:
            return
        self._under_way.add(guild.id)
        try:
            self._waiting[guild.id] = guild
            if await self._is_told(guild, settings, joined_at=joined_at):
                self._told[guild.id] = joined_at
                del self._waiting[guild.id]
        finally:
            self._under_way.discard(guild.id)

    async def _is_told(self, guild: discord.Guild, settings: Guild, *, joined_at: datetime) -> bool:
        """Post the notice in a guild, and return whether it has been posted."""
        base_role_id = settings.base_role_id
        channel = place_for_everyone(guild, base_role_id=base_role_id)
        if channel is None:
            return False
        telling = await self._dependencies.directory.tellings.begin(
            guild_id=guild.id, kind=WELCOME_KIND, channel_id=channel.id, joined_at=joined_at
        )
        if telling is None:
            return True
        begun_at = telling.begun_at if telling.is_repeated else None
        was_in = guild.get_channel(telling.channel_id)
        if isinstance(was_in, discord.TextChannel) and can_tell_everyone(was_in, base_role_id=base_role_id):
            channel = was_in
        elif telling.channel_id != channel.id:
            await self._dependencies.directory.tellings.move(
                guild_id=guild.id, kind=WELCOME_KIND, channel_id=channel.id
            )
            begun_at = None
        try:
            sent = None
            if begun_at is not None:
                sent = await self._sent_before(channel, discord.Object(_before(begun_at)))
            sent = sent or await self._send(channel, settings)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            logger.warning("guild %d was not told what is kept of it: %s", guild.id, trace(error))
            return False
        await self._note(guild.id, sent)
        return True

    async def _send(self, channel: discord.TextChannel, settings: Guild) -> int:
        language = language_of(channel.guild.preferred_locale)
        name = channel.guild.me.display_name
        message = await channel.send(
            welcome_text(settings, self._practice, bot_name=name, language=language),
            view=welcome_view(language),
            nonce=f"w.{channel.guild.id}",
            allowed_mentions=discord.AllowedMentions.none(),
        )
        return message.id

    async def _sent_before(self, channel: discord.TextChannel, after: discord.Object) -> int | None:
        """Return the own message that tells it already; `None` if there is none, or nobody may look."""
        if not channel.permissions_for(channel.guild.me).read_message_history:
            return None
        async for message in channel.history(after=after, limit=_LOOKED_THROUGH, oldest_first=True):
            if message.author.id == channel.guild.me.id and _has_own_buttons(message):
                return message.id
        return None

    async def _note(self, guild_id: int, message_id: int) -> None:
        try:
            await self._dependencies.directory.tellings.done(
                guild_id=guild_id, kind=WELCOME_KIND, message_id=message_id
            )
        except DatabaseError as error:
            # The next start finds the message itself.
            logger.warning("it is not noted that guild %d was told: %s", guild_id, trace(error))


def _before(begun_at: datetime) -> int:
    """Return an id before all that was sent since."""
    return discord.utils.time_snowflake(begun_at - _CLOCKS_APART)


def _has_own_buttons(message: discord.Message) -> bool:
    return any(
        isinstance(part, discord.Button) and (part.custom_id or "").startswith(OWN_ID)
        for row in message.components
        if isinstance(row, discord.ActionRow)
        for part in row.children
    )
