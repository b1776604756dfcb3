"""Answers of commands and their buttons: undo, take back, details of a forgetting, deleting the bot's own messages.
They survive a restart.
"""

import logging
from typing import Final

import discord

from bot.adapters.discord.commands.buttons import MOST_ID_CHARACTERS, Action, view_of
from bot.adapters.discord.commands.interactions import InteractionHandler, follow_up, is_moderator
from bot.adapters.discord.commands.pages import link_in
from bot.adapters.discord.messages import split
from bot.adapters.discord.sentences import language_of
from bot.chat.correcting import undo_answer
from bot.chat.incoming import MessageOutcome
from bot.chat.rights_texts import is_not_yours_text
from bot.chat.usecases.context import FormReply, RequestContext
from bot.chat.usecases.own_rights import ForgottenDetails
from bot.core.domain import Language
from bot.memory.rights.forgetting.repository import StandingMessage
from bot.text.sentences import say

logger = logging.getLogger(__name__)


class TakeBackAction(Action, word="take-back", patterns={"fact_ids": r"[0-9]{1,19}(?:\.[0-9]{1,19})*"}):
    """Takes back facts. Only the member who gave the command sees its button, so nobody else can press it."""

    asked_in: int
    fact_ids: str

    async def pressed(
        self, handler: InteractionHandler, interaction: discord.Interaction, request: RequestContext
    ) -> None:
        """Take the facts back, and put what came of it in the place of the confirmation."""
        given = interaction.message.interaction_metadata if interaction.message is not None else None
        # Whoever presses has given the command only if Discord itself says so: an id may be forged.
        is_theirs = given is not None and given.id == self.asked_in and given.user.id == interaction.user.id
        fact_ids = [int(fact_id) for fact_id in self.fact_ids.split(".")]
        said = await handler.use_cases.undo(request, fact_ids, asked_in=self.asked_in if is_theirs else None)
        await interaction.edit_original_response(content=said.text, view=None)


def take_back_view(interaction: discord.Interaction, said: FormReply) -> discord.ui.View | None:
    """Return the button for what was said in answer to `interaction`, if that stored something."""
    action = TakeBackAction(asked_in=interaction.id, fact_ids=".".join(map(str, said.undo_ids)))
    if not said.undo_ids or len(action.custom_id) > MOST_ID_CHARACTERS:
        return None
    return view_of(action.button(say("command.take_back", language_of(interaction.locale))))


_CAUSE: Final = {"cause": r"[mi]:[0-9]{1,19}(?::[0-9]{1,19})?"}
"""Of the command by which something was forgotten."""


class TellForgotten(Action, word="forgot", patterns=_CAUSE):
    """Tells who asked, and nobody else, what the forgetting took."""

    cause: str

    async def click(self, handler: InteractionHandler, interaction: discord.Interaction) -> None:
        """Show the details to the member who pressed, if they asked for the forgetting."""
        request = await handler.receive(interaction)
        details = await handler.use_cases.forgotten(request, self.cause)
        delete = DeleteAnswers(cause=self.cause).button(request.say("forgotten.delete_own"))
        await follow_up(interaction, _text(details, request), view=view_of(delete) if details.own else None)


class DeleteAnswers(Action, word="forgot-own", patterns=_CAUSE):
    """Deletes the messages of the bot that told what was forgotten."""

    style = discord.ButtonStyle.danger
    cause: str

    async def pressed(
        self, handler: InteractionHandler, interaction: discord.Interaction, request: RequestContext
    ) -> None:
        """Delete them, and say so in the place of the details."""
        details = await handler.use_cases.forgotten(request, self.cause)
        gone = [one for one in details.own if await _deleted(interaction.client, one)]
        said = await handler.use_cases.deleted(request, gone)
        await interaction.edit_original_response(content=said.text, view=None)


def details_view(outcome: MessageOutcome) -> discord.ui.View | None:
    """Return the button for an answer that had something forgotten."""
    if not outcome.forgot:
        return None
    return _details_view(f"m:{outcome.message_id}", outcome.language or Language.of(outcome.text or ""))


def _details_view(cause: str, language: str) -> discord.ui.View | None:
    return view_of(TellForgotten(cause=cause).button(say("forgotten.details", language)))


def _text(details: ForgottenDetails, request: RequestContext) -> str:
    links = [link_in(request, one.guild_id, one.channel_id, one.message_id) for one in details.left]
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


async def send_result(interaction: discord.Interaction, said: FormReply) -> None:
    """Say what came of a command, with a button to undo what it stored, or to look at what it took."""
    view = take_back_view(interaction, said)
    if view is None and said.forgot:
        view = _details_view(f"i:{interaction.id}", language_of(interaction.locale))
    parts = split(said.text, most=_MOST_MESSAGES).messages
    for number, part in enumerate(parts, start=1):
        await follow_up(interaction, part, view=view if number == len(parts) else None)


class Undo(Action, word="undo"):
    """Takes back what the answer to a message wrote. The ids mean something only where what they name was said."""

    guild_id: int
    message_id: int

    async def click(self, handler: InteractionHandler, interaction: discord.Interaction) -> None:
        """Take it back if this member may, say what became of it to them alone, and take the button away."""
        # Without this answer nobody would hear of what was undone, so nothing is undone without it.
        await interaction.response.defer()
        language = language_of(interaction.locale)
        channel_id = interaction.channel_id or 0
        pressed_in = channel_id if interaction.guild_id is None else interaction.guild_id
        undone = await undo_answer(
            handler.use_cases,
            guild_id=pressed_in,
            # Ids of messages are those of one guild: one of another guild is no message here.
            message_id=self.message_id if self.guild_id == pressed_in else 0,
            channel_id=channel_id,
            user_id=interaction.user.id,
            from_moderator=is_moderator(interaction),
            language=language,
        )
        await interaction.followup.send(
            undone, ephemeral=True, allowed_mentions=discord.AllowedMentions.none()
        )
        if not (is_not_yours_text(undone) or undone == say("chat.not_from_here", language)):
            # Whatever it stored is gone or corrected by now, so there is nothing left to press for.
            await interaction.edit_original_response(view=None)


def undo_view(outcome: MessageOutcome) -> discord.ui.View | None:
    """Return the button for an answer that stored something."""
    if not outcome.undo_ids:
        return None
    undo = Undo(guild_id=outcome.guild_id, message_id=outcome.message_id)
    return view_of(undo.button(say("notice.undo", outcome.language or Language.of(outcome.text or ""))))
