"""The buttons under a forgetting: what it took, and deleting the bot's own messages that told it."""

import logging
import re
from typing import Final, Self

import discord

from bot.conversation.conversation import Outcome
from bot.conversation.desk import Said, Visit
from bot.conversation.desk.forgotten import ForgottenDetails
from bot.conversation.texts import say
from bot.domain import Language
from bot.faces.discord.commands.forgotten_texts import ForgottenText
from bot.faces.discord.commands.reception import Reception, follow_up
from bot.faces.discord.jumping import address
from bot.memory.forgetting.sets import Standing

logger = logging.getLogger(__name__)

_CAUSE: Final = r"(?P<cause>[mi]:[0-9]{1,19}(?::[0-9]{1,19})?)"


class _ForgottenButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"(?!)"):
    """A button about one forgetting, whose command is in its own id. No id is this one's own."""

    reception: Reception
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

        async def handling(visit: Visit) -> None:
            details = await self.reception.desk.forgotten.details(visit, self._cause)
            await follow_up(interaction, _text(details, visit), view=_own_view(details, visit, self._cause))

        await self.reception.receive(interaction, handling)


class DeleteOwnButton(_ForgottenButton, template=rf"forgot-own:{_CAUSE}"):
    """Deletes the messages of the bot that told what was forgotten."""

    word = "forgot-own"
    style = discord.ButtonStyle.danger

    async def callback(self, interaction: discord.Interaction) -> None:
        """Delete them, and say so in the place of the details."""

        async def handling(visit: Visit) -> None:
            details = await self.reception.desk.forgotten.details(visit, self._cause)
            gone = [one for one in details.own if await _deleted(interaction.client, one)]
            said = await self.reception.desk.forgotten.deleted(visit, gone)
            await interaction.edit_original_response(content=said.text, view=None)

        await self.reception.press(interaction, handling)


def details_view(outcome: Outcome) -> discord.ui.View | None:
    """Return the button for an answer that had something forgotten."""
    if not outcome.forgot:
        return None
    return _details_view(f"m:{outcome.message_id}", Language.of(outcome.text or ""))


def details_view_of(
    interaction: discord.Interaction, said: Said, language: Language
) -> discord.ui.View | None:
    """Return the button for what was said in answer to `interaction`, if that had something forgotten."""
    return _details_view(f"i:{interaction.id}", language) if said.forgot else None


def _details_view(cause: str, language: Language) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    view.add_item(DetailsButton(cause=cause, label=say(ForgottenText.DETAILS, language)))
    return view


def _own_view(details: ForgottenDetails, visit: Visit, cause: str) -> discord.ui.View | None:
    if not details.own:
        return None
    view = discord.ui.View(timeout=None)
    view.add_item(DeleteOwnButton(cause=cause, label=say(ForgottenText.DELETE_OWN, visit.language)))
    return view


def _text(details: ForgottenDetails, visit: Visit) -> str:
    links = [
        address(
            guild_id=None if visit.direct and one.guild_id == visit.guild_id else one.guild_id,
            channel_id=one.channel_id,
            message_id=one.message_id,
        )
        for one in details.left
    ]
    return "\n".join([details.text, *links])


async def _deleted(client: discord.Client, one: Standing) -> bool:
    """Delete a message of the bot; `True` if it stands no longer."""
    try:
        await client.get_partial_messageable(one.channel_id).get_partial_message(one.message_id).delete()
    except discord.NotFound:
        return True
    except discord.HTTPException as error:
        logger.warning("message %d could not be deleted: %d", one.message_id, error.status)
        return False
    return True
