"""Carries out the commands `/memory ...` by the use cases, and writes what comes back as plain text."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import tzinfo
from pathlib import Path
from typing import Final, TypeAlias, assert_never

from bot.adapters.console.commands import (
    OWN_MEMORY_COMMANDS,
    BeQuiet,
    ChangeSetting,
    ChooseKind,
    DisownNumber,
    EraseMemory,
    ExportMemory,
    ForgetNumber,
    InPlace,
    ListEpisodes,
    ListWaiting,
    MemoryCommand,
    OtherCommand,
    OwnMemoryCommand,
    RememberText,
    RemoveEpisode,
    RemoveSentence,
    SearchMemory,
    SettleWaiting,
    ShowMemory,
    ShowProfile,
    ShowWhy,
    SwitchChannel,
    SwitchLearning,
    SwitchMemory,
    SwitchPrivate,
    TellCatchUp,
    TellForgotten,
    TellHelp,
    TellPrivacy,
    TellSettings,
)
from bot.adapters.console.guild import SimulatedGuild
from bot.adapters.console.messages import ConsoleMessages
from bot.chat.incoming import PrivateFile
from bot.chat.own_rights import GuildChoice, OwnRightsAnswer
from bot.chat.usecases.context import FormReply, MemoryLine, MemoryListing, RequestContext, ShownSentence
from bot.chat.usecases.own_rights import OwnRightsUseCases
from bot.chat.usecases.showing import EpisodeListing
from bot.chat.usecases.usecases import UseCases
from bot.core.domain import Channel, Language, Member
from bot.core.errors import InvalidInputError
from bot.memory.rights.forgetting.repository import StandingMessage
from bot.text.commands import ChooseCategory

_MOST_BYTES: Final = 2**31
"""Of an exported file: a disk has room for more than a message."""

Repeatable: TypeAlias = SwitchMemory | SwitchPrivate | ChooseKind | ExportMemory | EraseMemory


class OwnForms:
    """The commands of one console, with what was asked and listed last for each speaker."""

    def __init__(self) -> None:
        self._asked: dict[int, tuple[Repeatable, tuple[GuildChoice, ...]]] = {}
        self._waiting: dict[int, tuple[int, ...]] = {}

    async def fill_in(self, desk: UseCases, command: OwnMemoryCommand, visit: RequestContext) -> str:
        """Do what `command` says and return the answer.

        Raises `InvalidInputError` for a number that was not listed, and for a file that cannot be written.
        """
        match command:
            case InPlace(number):
                asked, place = self._chosen(number, visit)
                return await self._done(desk.own, asked, visit, (place.guild_id,))
            case ListWaiting():
                notes = await desk.own.waiting(visit)
                self._waiting[visit.user_id] = tuple(line.user_id for line in notes.lines)
                lines = [f"{number}. {line.text}" for number, line in enumerate(notes.lines, start=1)]
                return "\n".join([notes.title, *lines])
            case SettleWaiting(number, erase):
                return (await desk.own.settle(visit, self._listed(number, visit), erase=erase)).text
            case SwitchMemory() | SwitchPrivate() | ChooseKind() | ExportMemory() | EraseMemory():
                return await self._done(desk.own, command, visit, ())
        assert_never(command)

    async def _done(
        self, desk: OwnRightsUseCases, command: Repeatable, visit: RequestContext, within: tuple[int, ...]
    ) -> str:
        if isinstance(command, ExportMemory):
            answer = await desk.export(visit, most_bytes=_MOST_BYTES, within=within)
            text = await _exported(answer, command)
        else:
            answer = await _answered(desk, command, visit, within)
            text = answer.text
        self._asked[visit.user_id] = (command, answer.places)
        if answer.places:
            places = (f"{number}. {place.label}" for number, place in enumerate(answer.places, start=1))
            return "\n".join([text, *places, "/memory in N"])
        if not answer.erasable_in:
            return text
        return f"{text}\n/memory erase{' yes' if isinstance(command, EraseMemory) else ''}"

    def _chosen(self, number: int, visit: RequestContext) -> tuple[Repeatable, GuildChoice]:
        command, places = self._asked.get(visit.user_id, (None, ()))
        if command is None or not 1 <= number <= len(places):
            raise InvalidInputError(f"there is no server {number}: {len(places)} were listed last")
        return command, places[number - 1]

    def _listed(self, number: int, visit: RequestContext) -> int:
        waiting = self._waiting.get(visit.user_id, ())
        if not 1 <= number <= len(waiting):
            raise InvalidInputError(
                f"there is no line {number}: {len(waiting)} were listed last; '/memory waiting' lists them"
            )
        return waiting[number - 1]


async def _answered(
    desk: OwnRightsUseCases,
    command: SwitchMemory | SwitchPrivate | ChooseKind | EraseMemory,
    visit: RequestContext,
    within: tuple[int, ...],
) -> OwnRightsAnswer:
    match command:
        case SwitchMemory(on):
            return await (desk.on(visit, within) if on else desk.off(visit, within))
        case SwitchPrivate(private):
            return await desk.be_private(visit, private=private, within=within)
        case ChooseKind(category, kept, days):
            chosen = [ChooseCategory(category, kept, days)] if category else []
            return await desk.categories(visit, chosen, within)
        case EraseMemory(confirmed):
            return await (desk.erase(visit, within=within) if confirmed else desk.erasable(visit, within))
    assert_never(command)


async def _exported(answer: OwnRightsAnswer, command: ExportMemory) -> str:
    """Write the file, and return what is said of it."""
    if answer.file is None:
        return answer.text
    path = await asyncio.to_thread(_own_answer, command.file or answer.file.name, answer.file)
    return f"{answer.text}\n{path}"


def _own_answer(name: str, file: PrivateFile) -> Path:
    """Write a file that is not there yet, and return where it is."""
    path = Path(name).expanduser()
    try:
        with path.open("xb") as into:
            into.write(file.content)
    except FileExistsError as error:
        raise InvalidInputError(f"{str(path)!r} is there already: name a file that is not") from error
    except OSError as error:
        raise InvalidInputError(f"{str(path)!r} cannot be written: {error.strerror}") from error
    return path


_MEMBER: Final = re.compile(r"<@(\d+)>\s*")


class Forms:
    """The commands of one console. What was shown to somebody last is what they forget by its number."""

    def __init__(
        self,
        guild: SimulatedGuild,
        spoken: ConsoleMessages,
        *,
        delete: Callable[[StandingMessage], Awaitable[None]],
    ) -> None:
        """`delete` takes a message of the bot out of its channel."""
        self._guild = guild
        self._spoken = spoken
        self._delete = delete
        self._shown: dict[int, tuple[MemoryLine, ...]] = {}
        self._episode_ids: dict[int, tuple[int, ...]] = {}
        self._sentences: dict[int, tuple[ShownSentence, ...]] = {}
        self._own = OwnForms()
        self._last_id = 0

    async def fill_in(
        self, desk: UseCases, command: MemoryCommand, *, author: Member, channel: Channel, free_id: int
    ) -> str:
        """Do what `command` of `author` in `channel` says and return the answer.

        `free_id` is an id of the moment that no message has. Raises `InvalidInputError` for a member or a
        number that is not there.
        """
        # Two commands at one moment are two, and no message is between them to tell their ids apart.
        self._last_id = max(free_id, self._last_id + 1)
        visit = RequestContext(
            guild_id=channel.guild_id,
            channel_id=channel.channel_id,
            audience=channel.audience,
            user_id=author.user_id,
            language=_language_of(command),
            interaction_id=self._last_id,
            bot_id=self._guild.bot_id,
            bot_name=self._guild.bot_name,
            from_moderator=self._guild.is_moderator(author),
            from_manager=self._guild.is_manager(author),
            direct=channel.guild_id != self._guild.guild.guild_id,
            reads=self._guild.reads,
        )
        if isinstance(command, OWN_MEMORY_COMMANDS):
            return await self._own.fill_in(desk, command, visit)
        return await self._carried_out(desk, command, visit)

    async def _carried_out(self, desk: UseCases, command: OtherCommand, visit: RequestContext) -> str:
        match command:
            case ShowMemory() | SearchMemory() | ShowWhy() | TellCatchUp():
                return await self._told(desk, command, visit)
            case RememberText(text):
                return (await self._remember(desk, visit, text)).text
            case TellForgotten(delete):
                return await self._forgotten(desk, visit, delete=delete)
            case ForgetNumber() | DisownNumber() | RemoveSentence() | RemoveEpisode():
                return (await self._removed(desk, command, visit)).text
            case ShowProfile():
                profile = await desk.profile(visit)
                self._sentences[visit.user_id] = profile.sentences
                return profile.text
            case SwitchLearning(on):
                return (await desk.switch_learning(visit, on=on)).text
            case TellSettings():
                refused = desk.refused_settings(visit)
                return refused.text if refused else await self._listed(desk, visit)
            case ChangeSetting(name, value):
                return await self._changed(desk, visit, name, value)
            case SwitchChannel(hearing, answering):
                return (await desk.channel(visit, hearing=hearing, answering=answering)).text
            case ListEpisodes():
                left = await desk.episodes(visit)
                self._episode_ids[visit.user_id] = tuple(line.episode_id for line in left.lines)
                return _left_behind(left)
            case BeQuiet(duration):
                return (await desk.quiet(visit, duration)).text
            case TellHelp():
                return (await desk.help(visit)).text
            case TellPrivacy():
                return (await desk.privacy(visit)).text
        assert_never(command)

    async def _told(
        self,
        desk: UseCases,
        command: ShowMemory | SearchMemory | ShowWhy | TellCatchUp,
        visit: RequestContext,
    ) -> str:
        zone = await self._guild.zone_of(visit.guild_id)
        match command:
            case ShowMemory(member):
                shown = await desk.show(visit, await self._member(member, visit))
            case SearchMemory(words):
                shown = await desk.search(visit, await self._guild.as_stored(words))
            case ShowWhy(number):
                answer_id = self._spoken.answer_to(number, channel_id=visit.channel_id)
                shown = await desk.why(visit, answer_id)
            case TellCatchUp(channel, since):
                shown = await desk.catch_up(visit, await self._channel(channel), since)
                return _written(shown, zone, numbered=False)
            case _:
                assert_never(command)
        self._shown[visit.user_id] = shown.lines
        return _written(shown, zone)

    async def _removed(
        self,
        desk: UseCases,
        command: ForgetNumber | DisownNumber | RemoveSentence | RemoveEpisode,
        visit: RequestContext,
    ) -> FormReply:
        match command:
            case ForgetNumber(number):
                return await desk.forget(visit, self._numbered(number, visit))
            case DisownNumber(number):
                return await desk.disown(visit, self._numbered(number, visit))
            case RemoveSentence(number):
                return await desk.delete_sentence(visit, self._sentence(number, visit))
            case RemoveEpisode(number):
                return await desk.remove_episode(visit, self._episode(number, visit))
        assert_never(command)

    async def _forgotten(self, desk: UseCases, visit: RequestContext, *, delete: bool) -> str:
        """Tell what the speaker's last forgetting took, or delete what the bot said of it."""
        details = await desk.forgotten.details(visit)
        if not delete:
            return details.text
        for one in details.own:
            await self._delete(one)
        return (await desk.forgotten.deleted(visit, details.own)).text

    async def _changed(self, desk: UseCases, visit: RequestContext, name: str, value: str) -> str:
        """Change a setting; a channel is named with a #."""
        if value.startswith("#"):
            value = str(await self._channel(value.removeprefix("#")))
        said = await desk.change(visit, name, value)
        for channel in await self._guild.channels():
            said = FormReply(said.text.replace(f"<#{channel.channel_id}>", f"#{channel.name}"))
        return said.text

    async def _listed(self, desk: UseCases, visit: RequestContext) -> str:
        named = {str(channel.channel_id): f"#{channel.name}" for channel in await self._guild.channels()}
        return "\n".join(
            f"- {one.label} ({one.name}): {named.get(one.value, one.value) or '–'}"
            for one in await desk.settings(visit)
        )

    async def _remember(self, desk: UseCases, visit: RequestContext, text: str) -> FormReply:
        """Store `text`; a member who is named before it with an @ is the one chosen."""
        stored = await self._guild.as_stored(text)
        chosen = _MEMBER.match(stored)
        if chosen is None:
            return await desk.remember(visit, None, stored)
        return await desk.remember(visit, int(chosen[1]), stored[chosen.end() :])

    async def _member(self, name: str, visit: RequestContext) -> int | None:
        if not name:
            return None
        if name == "me":
            return visit.user_id
        name = name.removeprefix("@")
        found = _MEMBER.fullmatch(await self._guild.as_stored(f"@{name}"))
        if found is None:
            raise InvalidInputError(f"nobody is called {name[:60]!r} here: name a member as in '@alice'")
        return int(found[1])

    async def _channel(self, name: str) -> int | None:
        if not name:
            return None
        named = {channel.name: channel.channel_id for channel in await self._guild.channels()}
        if name not in named:
            raise InvalidInputError(f"there is no channel #{name[:60]} here: name one as in '#general'")
        return named[name]

    def _numbered(self, number: int, visit: RequestContext) -> int:
        lines = self._shown.get(visit.user_id, ())
        if not 1 <= number <= len(lines):
            raise InvalidInputError(
                f"there is no line {number}: {len(lines)} were shown last; '/memory show @member' lists them"
            )
        if not lines[number - 1].fact_id:
            raise InvalidInputError(f"line {number} is no fact: only facts are forgotten by their numbers")
        return lines[number - 1].fact_id

    def _episode(self, number: int, visit: RequestContext) -> int:
        shown = self._episode_ids.get(visit.user_id, ())
        if not 1 <= number <= len(shown):
            raise InvalidInputError(
                f"there is no episode {number}: {len(shown)} were shown last; '/memory channel episodes' lists them"
            )
        return shown[number - 1]

    def _sentence(self, number: int, visit: RequestContext) -> str:
        sentences = self._sentences.get(visit.user_id, ())
        if not 1 <= number <= len(sentences):
            raise InvalidInputError(
                f"there is no sentence {number}: {len(sentences)} were shown last; '/memory profile' lists them"
            )
        return sentences[number - 1].sentence_id


def _left_behind(left: EpisodeListing) -> str:
    lines = [f"{number}. [{line.day}] {line.text}" for number, line in enumerate(left.lines, start=1)]
    return "\n".join([left.title, *lines])


def _language_of(command: MemoryCommand) -> Language:
    """Return the language of what was typed; a console has no client that has one."""
    match command:
        case (
            ShowMemory(text)
            | RememberText(text)
            | SearchMemory(text)
            | BeQuiet(text)
            | ChangeSetting(_, text)
            | TellCatchUp(_, text)
        ):
            return Language.of(text)
        case _:
            return Language.ENGLISH


def _written(shown: MemoryListing, zone: tzinfo, *, numbered: bool = True) -> str:
    """Return what is shown as lines, with the numbers by which they are forgotten, or with their minutes."""
    lines = [
        f"{number}. [{line.said_at.astimezone(zone):%Y-%m-%d}] {line.text}"
        if numbered
        else f"- [{line.said_at.astimezone(zone):%Y-%m-%d %H:%M}] {line.text}"
        for number, line in enumerate(shown.lines, start=1)
    ]
    return "\n".join([shown.title, *lines, *filter(None, (shown.lately, shown.profile))])
