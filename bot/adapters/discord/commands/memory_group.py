"""The commands below `/memory`, with the pages of episodes and of notes that wait. Discord asks
permissions of the whole group alone, which is open to all; what only some may do, the use cases refuse.
"""

import asyncio
import logging
from typing import Any, Final

import discord
from discord import app_commands

from bot.adapters.discord.commands import pages as commands_pages
from bot.adapters.discord.commands.answers import run_and_send
from bot.adapters.discord.commands.answers import send_result as say_in_private
from bot.adapters.discord.commands.buttons import Action, page_buttons, page_number, view_of
from bot.adapters.discord.commands.interactions import InteractionHandler, follow_up
from bot.adapters.discord.commands.own_memory import own_commands
from bot.adapters.discord.commands.pages import catchup_command, search_command
from bot.adapters.discord.commands.settings import MOST_CHOICES, SUGGESTING_SECONDS, settings_command
from bot.adapters.discord.messages import truncate
from bot.adapters.discord.sentences import choice, localized
from bot.chat.usecases.context import FormReply, RequestContext
from bot.chat.usecases.own_rights import WaitingListing
from bot.chat.usecases.showing import EpisodeListing
from bot.core.domain import GUILD_SUBJECT, MAX_ID, AnswerMode
from bot.core.log import trace

logger = logging.getLogger(__name__)


_LEARNING_ON: Final = "on"
_LEARNING_SWITCH: Final = [
    choice("choice.on", _LEARNING_ON),
    choice("choice.off", "off"),
]


def profile_command(reception: InteractionHandler) -> app_commands.Command[Any, ..., None]:
    """Return the command, for a group to take."""

    @app_commands.command(name=localized("command.profile"), description=localized("command.profile_what"))
    @app_commands.rename(remove=localized("command.remove"), learning=localized("command.learn"))
    @app_commands.describe(remove=localized("command.remove_what"), learning=localized("command.learn_what"))
    @app_commands.choices(learning=_LEARNING_SWITCH)
    async def profile(
        interaction: discord.Interaction, remove: str | None = None, learning: str | None = None
    ) -> None:
        """Show the profile, or change what is asked for."""

        async def work(visit: RequestContext) -> FormReply:
            told = []
            if remove is not None:
                told.append((await reception.desk.delete_sentence(visit, remove)).text)
            if learning is not None:
                told.append((await reception.desk.switch_learning(visit, on=learning == _LEARNING_ON)).text)
            return FormReply("\n".join(told) or (await reception.desk.profile(visit)).text)

        await run_and_send(reception, interaction, work)

    @profile.autocomplete("remove")
    async def _sentences(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        try:
            async with asyncio.timeout(SUGGESTING_SECONDS):
                visit = await reception.visits.visit(interaction)
                found = await reception.desk.sentences(visit, typed, limit=MOST_CHOICES)
        except Exception as error:
            logger.info("interaction %d got no suggestions: %s", interaction.id, trace(error))
            return []
        return [app_commands.Choice(name=one.text, value=one.sentence_id) for one in found]

    return profile


_PER_PAGE: Final = 5
"""Buttons that fit into one row."""

_MOST_EPISODE_CHARACTERS: Final = 340
"""Of one episode, so that five fit into one message."""


class TurnEpisodePage(Action, word="episodes"):
    """Turns to a page of what conversations in its channel left behind, read anew at each press."""

    of_channel = True
    page: int

    async def pressed(
        self, reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext
    ) -> None:
        """Put the page in the place of the one that is shown."""
        await _put(reception, interaction, visit, page=self.page, first="")


class RemoveEpisode(Action, word="episode"):
    """Removes one episode of its channel, for moderators."""

    style = discord.ButtonStyle.danger
    of_channel = True
    episode_id: int
    page: int

    async def pressed(
        self, reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext
    ) -> None:
        """Remove the episode, and show what is left."""
        said = await reception.desk.remove_episode(visit, self.episode_id)
        await _put(reception, interaction, visit, page=self.page, first=said.text)


async def show_channel(reception: InteractionHandler, interaction: discord.Interaction) -> None:
    """Tell how the channel stands, and moderators what its conversations left behind."""

    async def handling(visit: RequestContext) -> None:
        await say_in_private(interaction, await reception.desk.channel(visit))
        if reception.desk.refused_episodes(visit) is None:
            text, view = episodes_page(await reception.desk.episodes(visit), visit, page=0)
            await follow_up(interaction, text, view=view)

    await reception.receive(interaction, handling, of_channel=True)


async def _put(
    reception: InteractionHandler,
    interaction: discord.Interaction,
    visit: RequestContext,
    *,
    page: int,
    first: str,
) -> None:
    text, view = episodes_page(await reception.desk.episodes(visit), visit, page=page)
    await interaction.edit_original_response(content=f"{first}\n{text}" if first else text, view=view)


def episodes_page(
    left: EpisodeListing, visit: RequestContext, *, page: int
) -> tuple[str, discord.ui.View | None]:
    """Return the text of a page, the last one if there are fewer, and its buttons; none where nothing is shown."""
    if not left.lines:
        return left.title, None
    pages = -(-len(left.lines) // _PER_PAGE)
    page = min(page, pages - 1)
    shown = left.lines[page * _PER_PAGE : (page + 1) * _PER_PAGE]
    written, buttons = [left.title], []
    for number, line in enumerate(shown, start=page * _PER_PAGE + 1):
        day = discord.utils.format_dt(line.created_at, "D")
        written.append(f"{number}. {truncate(' '.join(line.text.split()), _MOST_EPISODE_CHARACTERS)} · {day}")
        label = visit.say("command.episode_remove", number=number)
        buttons.append(RemoveEpisode(episode_id=line.episode_id, page=page).button(label, row=0))
    buttons += page_buttons(visit, lambda other: TurnEpisodePage(page=other), page=page, pages=pages, row=1)
    written += page_number(visit, page=page, pages=pages)
    return "\n".join(written), view_of(*buttons)


_MOST_LINES: Final = 5
"""Members on one page, each with a row of buttons; what is decided makes room for more."""

_MOST_NOTE_CHARACTERS: Final = 250


class EraseWaiting(Action, word="waiting:erase"):
    """Erases what waits about one member."""

    style = discord.ButtonStyle.danger
    user_id: int

    async def pressed(
        self, reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext
    ) -> None:
        """Erase it, and put what is left in the place of the list."""
        await _settle(reception, interaction, visit, self.user_id, erase=True)


class KeepWaiting(Action, word="waiting:keep"):
    """Keeps what waits about one member."""

    user_id: int

    async def pressed(
        self, reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext
    ) -> None:
        """Keep it, and put what is left in the place of the list."""
        await _settle(reception, interaction, visit, self.user_id, erase=False)


async def _settle(
    reception: InteractionHandler,
    interaction: discord.Interaction,
    visit: RequestContext,
    user_id: int,
    *,
    erase: bool,
) -> None:
    own = reception.desk.own
    said = await own.settle(visit, user_id, erase=erase)
    text, view = _page(await own.waiting(visit), visit)
    await interaction.edit_original_response(content=f"{said.text}\n{text}", view=view)


def waiting_command(reception: InteractionHandler) -> app_commands.Command[Any, ..., None]:
    """Return the command, for a group to take."""

    @app_commands.command(
        name=localized("own_command.waiting"), description=localized("own_command.waiting_what")
    )
    async def waiting(interaction: discord.Interaction) -> None:
        """Show what waits, with buttons to decide."""

        async def handling(visit: RequestContext) -> None:
            text, view = _page(await reception.desk.own.waiting(visit), visit)
            await follow_up(interaction, text, view=view)

        await reception.receive(interaction, handling)

    return waiting


def _page(notes: WaitingListing, visit: RequestContext) -> tuple[str, discord.ui.View | None]:
    """Return the first of what waits as text, and its buttons."""
    if not notes.lines:
        return notes.title, None
    written, buttons = [notes.title], []
    for row, line in enumerate(notes.lines[:_MOST_LINES]):
        written.append(f"{row + 1}. {truncate(line.text, _MOST_NOTE_CHARACTERS)}")
        for kind, label in (
            (EraseWaiting, "own_command.waiting_erase"),
            (KeepWaiting, "own_command.waiting_keep"),
        ):
            text = visit.say(label, number=row + 1)
            buttons.append(kind(user_id=line.user_id).button(text, row=row))
    return "\n".join(written), view_of(*buttons)


IN_PRIVATE_TOO: Final = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
BY_GUILDS: Final = app_commands.AppInstallationType(guild=True, user=False)

_ON, _OFF = "on", "off"
_DURATIONS: Final = ("30m", "1h", "2h", "8h", "1d", "7d", _OFF)


_SWITCH: Final = [choice("choice.on", _ON), choice("choice.off", _OFF)]
_ANSWERS: Final = [
    choice("choice.always", AnswerMode.ALWAYS),
    choice("choice.when_addressed", AnswerMode.ADDRESSED),
    choice("choice.never", AnswerMode.NEVER),
]


class MemoryGroup(app_commands.Group):
    """What members ask of the memory by forms."""

    def __init__(self, reception: InteractionHandler) -> None:
        super().__init__(
            name=localized("command.memory"),
            description=localized("command.memory_what"),
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

    @app_commands.command(name=localized("command.show"), description=localized("command.show_what"))
    @app_commands.rename(member=localized("command.member"))
    @app_commands.describe(member=localized("command.show_member"))
    async def show(
        self, interaction: discord.Interaction, member: discord.Member | discord.User | None = None
    ) -> None:
        """Show what is known about a member, or about the guild; in private, about who asks."""

        async def handling(visit: RequestContext) -> None:
            nobody = visit.user_id if visit.direct else GUILD_SUBJECT
            if member is not None:
                await self._reception.visits.meet(visit, member)
            subject_id = nobody if member is None else member.id
            await commands_pages.show_memory(self._reception, interaction, visit, subject_id=subject_id)

        await self._reception.receive(interaction, handling)

    @app_commands.command(name=localized("command.remember"), description=localized("command.remember_what"))
    @app_commands.rename(text=localized("command.text"), member=localized("command.member"))
    @app_commands.describe(
        text=localized("command.remember_text"), member=localized("command.remember_member")
    )
    async def remember(
        self,
        interaction: discord.Interaction,
        text: str,
        member: discord.Member | discord.User | None = None,
    ) -> None:
        """Store a text about a member, or about whom it names."""

        async def work(visit: RequestContext) -> FormReply:
            if member is not None:
                await self._reception.visits.meet(visit, member)
            return await self._reception.desk.remember(visit, None if member is None else member.id, text)

        await run_and_send(self._reception, interaction, work)

    @app_commands.command(name=localized("command.forget"), description=localized("command.forget_what"))
    @app_commands.rename(fact=localized("command.fact"), member=localized("command.member"))
    @app_commands.describe(fact=localized("command.forget_fact"), member=localized("command.forget_member"))
    async def forget(
        self,
        interaction: discord.Interaction,
        fact: str,
        member: discord.Member | discord.User | None = None,
    ) -> None:
        """Forget a fact that was chosen from the list; the member only narrows that down."""

        async def work(visit: RequestContext) -> FormReply:
            if not (fact.isascii() and fact.isdigit() and int(fact[:20]) <= MAX_ID):
                return FormReply(visit.say("command.not_chosen"))
            return await self._reception.desk.forget(visit, int(fact))

        await run_and_send(self._reception, interaction, work)

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

    @app_commands.command(name=localized("command.channel"), description=localized("command.channel_what"))
    @app_commands.rename(hearing=localized("command.hearing"), answers=localized("command.answers"))
    @app_commands.describe(
        hearing=localized("command.hearing_what"), answers=localized("command.answers_what")
    )
    @app_commands.choices(hearing=_SWITCH, answers=_ANSWERS)
    async def channel(
        self, interaction: discord.Interaction, hearing: str | None = None, answers: str | None = None
    ) -> None:
        """Set whether the channel is heard and when it is answered, or tell how that stands.

        Moderators who set nothing see what its conversations left behind, and may remove it.
        """
        if hearing is None and answers is None:
            await show_channel(self._reception, interaction)
            return

        async def work(visit: RequestContext) -> FormReply:
            return await self._reception.desk.channel(
                visit,
                hearing=None if hearing is None else hearing == _ON,
                answering=None if answers is None else AnswerMode(answers),
            )

        await run_and_send(self._reception, interaction, work, of_channel=True)

    @app_commands.command(name=localized("command.quiet"), description=localized("command.quiet_what"))
    @app_commands.rename(duration=localized("command.duration"))
    @app_commands.describe(duration=localized("command.duration_what"))
    async def quiet(self, interaction: discord.Interaction, duration: str) -> None:
        """Answer nothing in the channel for a while."""

        async def work(visit: RequestContext) -> FormReply:
            return await self._reception.desk.quiet(visit, duration)

        await run_and_send(self._reception, interaction, work, of_channel=True)

    @quiet.autocomplete("duration")
    async def _durations(
        self, _interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        fitting = [duration for duration in _DURATIONS if duration.startswith(typed.strip().casefold())]
        return [app_commands.Choice(name=duration, value=duration) for duration in fitting]

    @app_commands.command(name=localized("command.help"), description=localized("command.help_what"))
    async def help(self, interaction: discord.Interaction) -> None:
        """Say what can be asked of the bot."""

        async def work(visit: RequestContext) -> FormReply:
            said = await self._reception.desk.help(visit)
            return FormReply(self._reception.with_mentions(said.text))

        await run_and_send(self._reception, interaction, work)
