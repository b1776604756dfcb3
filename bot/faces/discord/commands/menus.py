"""The entries in the menus of messages and members."""

from typing import Final

import discord
from discord import app_commands

from bot.conversation.desk import Said, Visit
from bot.domain import MessageKind
from bot.faces.discord.commands import paging
from bot.faces.discord.commands.answering import answer
from bot.faces.discord.commands.memory_group import BY_GUILDS, IN_PRIVATE_TOO
from bot.faces.discord.commands.reception import Reception
from bot.faces.discord.commands.texts import CommandText, named
from bot.faces.discord.translate import kind_of, message_of


class Menus:
    """What can be asked of the memory by pointing at a message or at a member."""

    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception

    def entries(self) -> list[app_commands.ContextMenu]:
        """Return the entries, for a tree to take."""
        return [
            app_commands.ContextMenu(
                name=named(name),
                callback=callback,
                allowed_contexts=IN_PRIVATE_TOO,
                allowed_installs=BY_GUILDS,
            )
            for name, callback in (
                (CommandText.REMEMBER_THIS, self.remember_this),
                (CommandText.FORGET_THIS, self.forget_this),
                (CommandText.WHAT_DO_YOU_KNOW, self.what_do_you_know),
            )
        ]

    async def remember_this(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """Store what a message says about its writer."""

        async def work(visit: Visit) -> Said:
            await self._hear(message, visit)
            return await self._reception.desk.remember_message(visit, message.id)

        await answer(self._reception, interaction, work)

    async def forget_this(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """Forget what a message said or confirmed."""

        async def work(visit: Visit) -> Said:
            return await self._reception.desk.forget_message(visit, message.id)

        await answer(self._reception, interaction, work)

    async def what_do_you_know(
        self, interaction: discord.Interaction, member: discord.Member | discord.User
    ) -> None:
        """Show what is known about a member."""

        async def handling(visit: Visit) -> None:
            await self._reception.visits.meet(visit, member)
            await paging.show(self._reception, interaction, visit, subject_id=member.id)

        await self._reception.receive(interaction, handling)

    async def _hear(self, message: discord.Message, visit: Visit) -> None:
        """Hear a message that was said before the bot could hear it, for Discord delivers it with the command."""
        is_here = message.channel.id == visit.channel_id
        if visit.visitor or not is_here or kind_of(message) is not MessageKind.MEMBER:
            return
        known = await self._reception.inside.library.message(guild_id=visit.guild_id, message_id=message.id)
        if known is None:
            await self._reception.visits.meet(visit, message.author)
            await self._reception.inside.memory.ingest_message(message_of(message, audience=visit.audience))
