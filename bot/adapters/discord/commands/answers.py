"""Answers of commands, and the buttons under them: undoing, taking back, what a forgetting took, deleting
the bot's own messages. They survive a restart.
"""

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Final, Self, TypeAlias

import discord

from bot.adapters.discord.commands.interactions import (
    InteractionHandler,
    follow_up,
    is_moderator,
    tell_failure,
)
from bot.adapters.discord.messages import message_link
from bot.adapters.discord.sentences import CommandText, ForgottenText, Sentence, language_of
from bot.adapters.discord.splitting import split
from bot.chat.conversation import Conversation
from bot.chat.incoming import MessageOutcome
from bot.chat.rights_texts import is_not_yours_text
from bot.chat.texts import Text, say
from bot.chat.usecases.context import FormReply, RequestContext
from bot.chat.usecases.own_rights import ForgottenDetails
from bot.core.domain import Language
from bot.memory.rights.forgetting.repository import StandingMessage

logger = logging.getLogger(__name__)


_MOST_ID_CHARACTERS: Final = 100


class TakeBackButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"take-back:(?P<asked_in>[0-9]{1,19}):(?P<fact_ids>[0-9]{1,19}(?:\.[0-9]{1,19})*)",
):
    """Takes back the facts in its own id. Only whoever gave the command sees it, and so may press it."""

    reception: InteractionHandler
    """Set once, before the client starts: Discord hands a click to the class, not to an object of ours."""

    def __init__(self, *, custom_id: str, label: str) -> None:
        super().__init__(
            discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=custom_id)
        )

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        _item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Return the button that was pressed."""
        return cls(custom_id=match[0], label=say(CommandText.TAKE_BACK, language_of(interaction.locale)))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Take the facts back, and put what came of it in the place of the confirmation."""
        _, asked_in, fact_ids = self.custom_id.split(":")
        given = interaction.message.interaction_metadata if interaction.message is not None else None
        # Whoever presses has given the command only if Discord itself says so: an id may be forged.
        is_theirs = given is not None and given.id == int(asked_in) and given.user.id == interaction.user.id

        async def pressed(visit: RequestContext) -> None:
            said = await self.reception.desk.undo(
                visit,
                [int(fact_id) for fact_id in fact_ids.split(".")],
                asked_in=int(asked_in) if is_theirs else None,
            )
            await interaction.edit_original_response(content=said.text, view=None)

        await self.reception.press(interaction, pressed)


def take_back_view(interaction: discord.Interaction, said: FormReply) -> discord.ui.View | None:
    """Return the button for what was said in answer to `interaction`, if that stored something."""
    fact_ids = ".".join(map(str, said.undo_ids))
    custom_id = f"take-back:{interaction.id}:{fact_ids}"
    if not fact_ids or len(custom_id) > _MOST_ID_CHARACTERS:
        return None
    view = discord.ui.View(timeout=None)
    label = say(CommandText.TAKE_BACK, language_of(interaction.locale))
    view.add_item(TakeBackButton(custom_id=custom_id, label=label))
    return view


_CAUSE: Final = r"(?P<cause>[mi]:[0-9]{1,19}(?::[0-9]{1,19})?)"


class _ForgottenButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"(?!)"):
    """A button about one forgetting, whose command is in its own id. No id is this one's own."""

    reception: InteractionHandler
    """Set once, before the client starts: Discord hands a click to the class, not to an object of ours."""
    word: str
    """With which its id begins."""
    style: discord.ButtonStyle

    def __init__(self, *, cause: str, label: str) -> None:
        super().__init__(discord.ui.Button(label=label, style=self.style, custom_id=f"{self.word}:{cause}"))
        self._cause = cause

    @classmethod
    async def from_custom_id(
        cls,
        _interaction: discord.Interaction,
        item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Return the button that was pressed."""
        return cls(cause=match["cause"], label=getattr(item, "label", None) or match["cause"])


class DetailsButton(_ForgottenButton, template=rf"forgot:{_CAUSE}"):
    """Tells who asked, and nobody else, what the forgetting took."""

    word = "forgot"
    style = discord.ButtonStyle.secondary

    async def callback(self, interaction: discord.Interaction) -> None:
        """Show it to whoever pressed, if that is who asked."""

        async def handling(visit: RequestContext) -> None:
            details = await self.reception.desk.forgotten.details(visit, self._cause)
            await follow_up(interaction, _text(details, visit), view=_own_view(details, visit, self._cause))

        await self.reception.receive(interaction, handling)


class DeleteOwnButton(_ForgottenButton, template=rf"forgot-own:{_CAUSE}"):
    """Deletes the messages of the bot that told what was forgotten."""

    word = "forgot-own"
    style = discord.ButtonStyle.danger

    async def callback(self, interaction: discord.Interaction) -> None:
        """Delete them, and say so in the place of the details."""

        async def handling(visit: RequestContext) -> None:
            details = await self.reception.desk.forgotten.details(visit, self._cause)
            gone = [one for one in details.own if await _deleted(interaction.client, one)]
            said = await self.reception.desk.forgotten.deleted(visit, gone)
            await interaction.edit_original_response(content=said.text, view=None)

        await self.reception.press(interaction, handling)


def details_view(outcome: MessageOutcome) -> discord.ui.View | None:
    """Return the button for an answer that had something forgotten."""
    if not outcome.forgot:
        return None
    return _details_view(f"m:{outcome.message_id}", Language.of(outcome.text or ""))


def details_view_of(
    interaction: discord.Interaction, said: FormReply, language: Language
) -> discord.ui.View | None:
    """Return the button for what was said in answer to `interaction`, if that had something forgotten."""
    return _details_view(f"i:{interaction.id}", language) if said.forgot else None


def _details_view(cause: str, language: Language) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    view.add_item(DetailsButton(cause=cause, label=say(ForgottenText.DETAILS, language)))
    return view


def _own_view(details: ForgottenDetails, visit: RequestContext, cause: str) -> discord.ui.View | None:
    if not details.own:
        return None
    view = discord.ui.View(timeout=None)
    view.add_item(DeleteOwnButton(cause=cause, label=say(ForgottenText.DELETE_OWN, visit.language)))
    return view


def _text(details: ForgottenDetails, visit: RequestContext) -> str:
    links = [
        message_link(
            guild_id=None if visit.direct and one.guild_id == visit.guild_id else one.guild_id,
            channel_id=one.channel_id,
            message_id=one.message_id,
        )
        for one in details.left
    ]
    return "\n".join([details.text, *links])


async def _deleted(client: discord.Client, one: StandingMessage) -> bool:
    """Delete a message of the bot; `True` if it stands no longer."""
    try:
        await client.get_partial_messageable(one.channel_id).get_partial_message(one.message_id).delete()
    except discord.NotFound:
        return True
    except discord.HTTPException as error:
        logger.warning("message %d could not be deleted: %d", one.message_id, error.status)
        return False
    return True


_MOST_MESSAGES: Final = 5
"""Of one answer; those that only one member sees push nobody else out of sight."""

Work: TypeAlias = Callable[[RequestContext], Awaitable[FormReply]]


async def run_and_send(
    reception: InteractionHandler, interaction: discord.Interaction, work: Work, *, of_channel: bool = False
) -> None:
    """Carry out `work` and say what it returns; `of_channel` as in `Visits.visit`."""

    async def handling(visit: RequestContext) -> None:
        await send_result(interaction, await work(visit))

    await reception.receive(interaction, handling, of_channel=of_channel)


async def send_result(interaction: discord.Interaction, said: FormReply) -> None:
    """Say what came of a command, with a button to undo what it stored, or to look at what it took."""
    language = language_of(interaction.locale)
    view = take_back_view(interaction, said) or details_view_of(interaction, said, language)
    parts = split(said.text, most=_MOST_MESSAGES).messages
    for number, part in enumerate(parts, start=1):
        await follow_up(interaction, part, view=view if number == len(parts) else None)


class UndoButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"undo:(?P<guild_id>[0-9]{1,19}):(?P<message_id>[0-9]{1,19})",
):
    """Takes back what the answer to a message wrote; everything that it needs is in its own id.

    An id may be forged: it means something only where what it names was said.
    """

    conversation: Conversation
    """Set once, before the client starts: Discord hands a click to the class, not to an object of ours."""

    def __init__(self, *, guild_id: int, message_id: int, label: str) -> None:
        super().__init__(
            discord.ui.Button(
                label=label,
                style=discord.ButtonStyle.secondary,
                custom_id=f"undo:{guild_id}:{message_id}",
            )
        )
        self._guild_id = guild_id
        self._message_id = message_id

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.View], match: re.Match[str], /
    ) -> Self:
        """Return the button that was clicked."""
        label = getattr(item, "label", None) or say(Sentence.UNDO, Language.ENGLISH)
        return cls(guild_id=int(match["guild_id"]), message_id=int(match["message_id"]), label=label)

    async def callback(self, interaction: discord.Interaction) -> None:
        """Take it back if this member may, say what became of it to them alone, and take the button away."""
        try:
            await self._undo(interaction)
        except Exception as error:
            await tell_failure(interaction, error)

    async def _undo(self, interaction: discord.Interaction) -> None:
        # Without this answer nobody would hear of what was undone, so nothing is undone without it.
        await interaction.response.defer()
        language = language_of(interaction.locale)
        channel_id = interaction.channel_id or 0
        pressed_in = channel_id if interaction.guild_id is None else interaction.guild_id
        undone = await self.conversation.undo(
            guild_id=pressed_in,
            # Ids of messages are those of one guild: one of another guild is no message here.
            message_id=self._message_id if self._guild_id == pressed_in else 0,
            channel_id=channel_id,
            user_id=interaction.user.id,
            from_moderator=is_moderator(interaction),
            language=language,
        )
        await interaction.followup.send(
            undone, ephemeral=True, allowed_mentions=discord.AllowedMentions.none()
        )
        if not (is_not_yours_text(undone) or undone == say(Text.NOT_FROM_HERE, language)):
            # Whatever it stored is gone or corrected by now, so there is nothing left to press for.
            await interaction.edit_original_response(view=None)


def undo_view(outcome: MessageOutcome) -> discord.ui.View | None:
    """Return the button for an answer that stored something."""
    if not outcome.undo_ids:
        return None
    view = discord.ui.View(timeout=None)
    label = say(Sentence.UNDO, Language.of(outcome.text or ""))
    view.add_item(UndoButton(guild_id=outcome.guild_id, message_id=outcome.message_id, label=label))
    return view
