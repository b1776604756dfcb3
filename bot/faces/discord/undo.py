"""The button under a confirmation that takes back what was just stored; it survives a restart."""

import re
from typing import Self

import discord

from bot.conversation.conversation import Conversation, Outcome
from bot.conversation.refusing import is_not_yours
from bot.conversation.texts import Text, say
from bot.domain import Language
from bot.faces.discord.commands.failing import tell_failure
from bot.faces.discord.commands.visits import is_moderator
from bot.faces.discord.sentences import Sentence, language_of


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
        if not (is_not_yours(undone) or undone == say(Text.NOT_FROM_HERE, language)):
            # Whatever it stored is gone or corrected by now, so there is nothing left to press for.
            await interaction.edit_original_response(view=None)


def undo_view(outcome: Outcome) -> discord.ui.View | None:
    """Return the button for an answer that stored something."""
    if not outcome.undo_ids:
        return None
    view = discord.ui.View(timeout=None)
    label = say(Sentence.UNDO, Language.of(outcome.text or ""))
    view.add_item(UndoButton(guild_id=outcome.guild_id, message_id=outcome.message_id, label=label))
    return view
