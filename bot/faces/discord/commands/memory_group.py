"""The commands below `/memory`.

Discord asks permissions of the whole group alone, which is open to all; what only some may do, the desk refuses.
"""

import asyncio
import logging
from typing import Final

import discord
from discord import app_commands

from bot.choices import Answering
from bot.conversation.desk import Said, Visit
from bot.conversation.texts import say
from bot.domain import GUILD_SUBJECT, MAX_ID
from bot.faces.discord.commands import episodes_command, paging
from bot.faces.discord.commands.answering import answer
from bot.faces.discord.commands.catchup_command import catchup_command
from bot.faces.discord.commands.own_group import own_commands
from bot.faces.discord.commands.profile_command import profile_command
from bot.faces.discord.commands.reception import Reception
from bot.faces.discord.commands.search_command import search_command
from bot.faces.discord.commands.settings_command import MOST_CHOICES, SUGGESTING_SECONDS
from bot.faces.discord.commands.settings_form import settings_command
from bot.faces.discord.commands.texts import CommandText as Name
from bot.faces.discord.commands.texts import named
from bot.faces.discord.commands.waiting_command import waiting_command
from bot.log import trace

logger = logging.getLogger(__name__)

IN_PRIVATE_TOO: Final = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
BY_GUILDS: Final = app_commands.AppInstallationType(guild=True, user=False)

_ON, _OFF = "on", "off"
_DURATIONS: Final = ("30m", "1h", "2h", "8h", "1d", "7d", _OFF)


def _choice(name: Name, value: str) -> app_commands.Choice[str]:
    return app_commands.Choice(name=named(name), value=value)


_SWITCH: Final = [_choice(Name.ON, _ON), _choice(Name.OFF, _OFF)]
_ANSWERS: Final = [
    _choice(Name.ALWAYS, Answering.ALWAYS),
    _choice(Name.WHEN_ADDRESSED, Answering.ADDRESSED),
    _choice(Name.NEVER, Answering.NEVER),
]


class MemoryGroup(app_commands.Group):
    """What members ask of the memory by forms."""

    def __init__(self, reception: Reception) -> None:
        super().__init__(
            name=named(Name.MEMORY),
            description=named(Name.MEMORY_WHAT),
            allowed_contexts=IN_PRIVATE_TOO,
            allowed_installs=BY_GUILDS,
        )
        self._reception = reception
        self.add_command(settings_command(reception))
        self.add_command(profile_command(reception))
        self.add_command(search_command(reception))
        self.add_command(catchup_command(reception))
        for command in own_commands(reception):
            self.add_command(command)
        self.add_command(waiting_command(reception))

    @app_commands.command(name=named(Name.SHOW), description=named(Name.SHOW_WHAT))
    @app_commands.rename(member=named(Name.MEMBER))
    @app_commands.describe(member=named(Name.SHOW_MEMBER))
    async def show(
        self, interaction: discord.Interaction, member: discord.Member | discord.User | None = None
    ) -> None:
        """Show what is known about a member, or about the guild; in private, about who asks."""

        async def handling(visit: Visit) -> None:
            nobody = visit.user_id if visit.direct else GUILD_SUBJECT
            if member is not None:
                await self._reception.visits.meet(visit, member)
            subject_id = nobody if member is None else member.id
            await paging.show(self._reception, interaction, visit, subject_id=subject_id)

        await self._reception.receive(interaction, handling)

    @app_commands.command(name=named(Name.REMEMBER), description=named(Name.REMEMBER_WHAT))
    @app_commands.rename(text=named(Name.TEXT), member=named(Name.MEMBER))
    @app_commands.describe(text=named(Name.REMEMBER_TEXT), member=named(Name.REMEMBER_MEMBER))
    async def remember(
        self,
        interaction: discord.Interaction,
        text: str,
        member: discord.Member | discord.User | None = None,
    ) -> None:
        """Store a text about a member, or about whom it names."""

        async def work(visit: Visit) -> Said:
            if member is not None:
                await self._reception.visits.meet(visit, member)
            return await self._reception.desk.remember(visit, None if member is None else member.id, text)

        await answer(self._reception, interaction, work)

    @app_commands.command(name=named(Name.FORGET), description=named(Name.FORGET_WHAT))
    @app_commands.rename(fact=named(Name.FACT), member=named(Name.MEMBER))
    @app_commands.describe(fact=named(Name.FORGET_FACT), member=named(Name.FORGET_MEMBER))
    async def forget(
        self,
        interaction: discord.Interaction,
        fact: str,
        member: discord.Member | discord.User | None = None,
    ) -> None:
        """Forget a fact that was chosen from the list; the member only narrows that down."""

        async def work(visit: Visit) -> Said:
            if not (fact.isascii() and fact.isdigit() and int(fact[:20]) <= MAX_ID):
                return Said(say(Name.NOT_CHOSEN, visit.language))
            return await self._reception.desk.forget(visit, int(fact))

        await answer(self._reception, interaction, work)

    @forget.autocomplete("fact")
    async def _facts(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        chosen = interaction.namespace.member
        try:
            async with asyncio.timeout(SUGGESTING_SECONDS):
                visit = await self._reception.visits.visit(interaction)
                found = await self._reception.desk.choices(
                    visit, None if chosen is None else chosen.id, typed, limit=MOST_CHOICES
                )
        except Exception as error:
            logger.info("interaction %d got no suggestions: %s", interaction.id, trace(error))
            return []
        return [app_commands.Choice(name=choice.label, value=str(choice.fact_id)) for choice in found]

    @app_commands.command(name=named(Name.CHANNEL), description=named(Name.CHANNEL_WHAT))
    @app_commands.rename(hearing=named(Name.HEARING), answers=named(Name.ANSWERS))
    @app_commands.describe(hearing=named(Name.HEARING_WHAT), answers=named(Name.ANSWERS_WHAT))
    @app_commands.choices(hearing=_SWITCH, answers=_ANSWERS)
    async def channel(
        self, interaction: discord.Interaction, hearing: str | None = None, answers: str | None = None
    ) -> None:
        """Set whether the channel is heard and when it is answered, or tell how that stands.

        Moderators who set nothing see what its conversations left behind, and may remove it.
        """
        if hearing is None and answers is None:
            await episodes_command.channel(self._reception, interaction)
            return

        async def work(visit: Visit) -> Said:
            return await self._reception.desk.channel(
                visit,
                hearing=None if hearing is None else hearing == _ON,
                answering=None if answers is None else Answering(answers),
            )

        await answer(self._reception, interaction, work, of_channel=True)

    @app_commands.command(name=named(Name.QUIET), description=named(Name.QUIET_WHAT))
    @app_commands.rename(duration=named(Name.DURATION))
    @app_commands.describe(duration=named(Name.DURATION_WHAT))
    async def quiet(self, interaction: discord.Interaction, duration: str) -> None:
        """Answer nothing in the channel for a while."""

        async def work(visit: Visit) -> Said:
            return await self._reception.desk.quiet(visit, duration)

        await answer(self._reception, interaction, work, of_channel=True)

    @quiet.autocomplete("duration")
    async def _durations(
        self, _interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        fitting = [duration for duration in _DURATIONS if duration.startswith(typed.strip().casefold())]
        return [app_commands.Choice(name=duration, value=duration) for duration in fitting]

    @app_commands.command(name=named(Name.HELP), description=named(Name.HELP_WHAT))
    async def help(self, interaction: discord.Interaction) -> None:
        """Say what can be asked of the bot."""

        async def work(visit: Visit) -> Said:
            said = await self._reception.desk.help(visit)
            return Said(self._reception.with_mentions(said.text))

        await answer(self._reception, interaction, work)
