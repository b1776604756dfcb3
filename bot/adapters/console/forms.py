"""Carries out the commands `/memory ...` through the use cases, and prints the results as plain text."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, assert_never

from bot.adapters.bars import drawn
from bot.adapters.console.guild import SimulatedGuild
from bot.adapters.console.messages import ConsoleMessages
from bot.adapters.console.transcript import IN_PLACE, FormCall
from bot.chat.commands import COMMANDS, Shown
from bot.chat.figures import Figures
from bot.chat.incoming import PrivateFile
from bot.chat.own_rights import OwnRightsAnswer
from bot.chat.usecases.context import ChoiceListing, FormReply, MemoryListing, RequestContext, SettingListing
from bot.chat.usecases.options import Given, OptionKind
from bot.chat.usecases.own_rights import ForgottenDetails
from bot.chat.usecases.usecases import UseCases
from bot.core.domain import Channel, Language, Member
from bot.core.errors import InvalidInputError
from bot.memory.rights.forgetting.repository import StandingMessage

_MOST_BYTES: Final = 2**31
"""Of an exported file: a disk has room for more than a message."""

_MEMBER: Final = re.compile(r"<@(\d+)>\s*")

_NUMBERED: Final[Mapping[OptionKind, str]] = {
    OptionKind.FACT: "line {number}: {listed} were shown last; '/memory show @member' lists them",
    OptionKind.EPISODE: "episode {number}: {listed} were shown last; '/memory channel episodes' lists them",
    OptionKind.SENTENCE: "sentence {number}: {listed} were shown last; '/memory profile' lists them",
    OptionKind.WAITING: "line {number}: {listed} were listed last; '/memory waiting' lists them",
    OptionKind.PLACE: "server {number}: {listed} were listed last",
}
"""What is named by its number in the list of its kind that the speaker was shown last, and what is not there."""


class Forms:
    """The commands of one console. What was shown to somebody last is what they mean by a number."""

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
        self._listed: dict[tuple[int, OptionKind], Sequence[str]] = {}
        self._asked: dict[int, tuple[str, Given]] = {}
        """The last command about a speaker's own memory, which may have to be repeated for one place."""
        self._last_id = 0

    async def fill_in(
        self, use_cases: UseCases, call: FormCall, *, author: Member, channel: Channel, free_id: int
    ) -> str:
        """Do what `call` of `author` in `channel` says and return the answer.

        `free_id` is an id of the moment that no message has. Raises `InvalidInputError` for a member or a number
        that is not there, and for a file that cannot be written.
        """
        # Two commands at one moment are two, and no message is between them to tell their ids apart.
        self._last_id = max(free_id, self._last_id + 1)
        request = RequestContext(
            guild_id=channel.guild_id,
            channel_id=channel.channel_id,
            audience=channel.audience,
            user_id=author.user_id,
            language=_language_of(call),
            interaction_id=self._last_id,
            bot_id=self._guild.bot_id,
            bot_name=self._guild.bot_name,
            from_moderator=self._guild.is_moderator(author),
            from_manager=self._guild.is_manager(author),
            direct=channel.guild_id != self._guild.guild.guild_id,
            reads=self._guild.reads,
            most_bytes=_MOST_BYTES,
        )
        if call.name == IN_PLACE:
            place = self._numbered(OptionKind.PLACE, call.values["place"], request)
            name, given = self._asked[request.user_id]
            request = replace(request, within=(int(place),))
        else:
            name, given = call.name, await self._given(call, request)
        shown = await COMMANDS[name].handle(use_cases, request, given)
        if isinstance(shown, ForgottenDetails) and given.text("delete"):
            for one in shown.own:
                await self._delete(one)
            shown = await use_cases.deleted(request, shown.own)
        return await self._written(name, given, shown, request)

    async def _given(self, call: FormCall, request: RequestContext) -> Given:
        """Return what was typed as the use cases take it: members, channels and lines by their ids."""
        values = dict(call.values)
        for name, option in COMMANDS[call.name].options.items():
            kind = option.kind
            if kind is OptionKind.MESSAGE:
                number = int(values[name]) if name in values else None
                values[name] = str(self._spoken.answer_to(number, channel_id=request.channel_id))
            elif name not in call.values:
                continue
            elif kind in _NUMBERED:
                values[name] = self._numbered(kind, values[name], request)
            elif kind is OptionKind.MEMBER:
                values[name] = await self._member(values[name], request)
            elif kind is OptionKind.CHANNEL:
                values[name] = await self._channel(values[name])
            elif kind is OptionKind.NAMING:
                values[name] = await self._guild.as_stored(values[name])
                chosen = _MEMBER.match(values[name]) if "member" in COMMANDS[call.name].options else None
                if chosen is not None:
                    values |= {"member": chosen[1], name: values[name][chosen.end() :]}
            elif kind is OptionKind.VALUE and values[name].startswith("#"):
                values[name] = await self._channel(values[name].removeprefix("#"))
        return Given(values)

    async def _member(self, name: str, request: RequestContext) -> str:
        if name == "me":
            return str(request.user_id)
        name = name.removeprefix("@")
        found = _MEMBER.fullmatch(await self._guild.as_stored(f"@{name}"))
        if found is None:
            raise InvalidInputError(f"nobody is called {name[:60]!r} here: name a member as in '@alice'")
        return found[1]

    async def _channel(self, name: str) -> str:
        named = {channel.name: channel.channel_id for channel in await self._guild.channels()}
        if name not in named:
            raise InvalidInputError(f"there is no channel #{name[:60]} here: name one as in '#general'")
        return str(named[name])

    def _numbered(self, kind: OptionKind, typed: str, request: RequestContext) -> str:
        """Return what a number means in the list of its kind that was shown last."""
        number, listed = int(typed), self._listed.get((request.user_id, kind), ())
        if not 1 <= number <= len(listed):
            raise InvalidInputError(
                f"there is no {_NUMBERED[kind].format(number=number, listed=len(listed))}"
            )
        if not listed[number - 1]:
            raise InvalidInputError(f"line {number} is no fact: only facts are forgotten by their numbers")
        return listed[number - 1]

    async def _written(self, name: str, given: Given, shown: Shown, request: RequestContext) -> str:
        """Return what is shown as text, and note what its numbers mean."""
        match shown:
            case FormReply(text):
                for channel in await self._guild.channels():
                    text = text.replace(f"<#{channel.channel_id}>", f"#{channel.name}")
                return text
            case ForgottenDetails(text):
                return text
            case MemoryListing():
                return await self._facts(shown, request)
            case ChoiceListing():
                self._listed[request.user_id, COMMANDS[name].lists] = [one.key for one in shown.lines]
                zone = await self._guild.zone_of(request.guild_id)
                dated = (
                    replace(one, text=f"[{one.at.astimezone(zone):%Y-%m-%d}] {one.text}") if one.at else one
                    for one in shown.lines
                )
                return replace(shown, lines=tuple(dated)).text
            case SettingListing(title, settings):
                named = {str(one.channel_id): f"#{one.name}" for one in await self._guild.channels()}
                return title or "\n".join(
                    f"- {one.label} ({one.name}): {named.get(one.value, one.value) or '–'}"
                    for one in settings
                )
            case Figures(text, charts):
                return "\n".join([text, *map(drawn, charts)])
            case OwnRightsAnswer():
                return await self._decided(name, given, shown, request)
        assert_never(shown)

    async def _facts(self, shown: MemoryListing, request: RequestContext) -> str:
        """Return lines with the numbers by which they are forgotten, or with their minutes."""
        zone = await self._guild.zone_of(request.guild_id)
        if shown.by_minute:
            lines = [f"- [{one.said_at.astimezone(zone):%Y-%m-%d %H:%M}] {one.text}" for one in shown.lines]
        else:
            self._listed[request.user_id, OptionKind.FACT] = [str(one.fact_id or "") for one in shown.lines]
            lines = _counted(f"[{one.said_at.astimezone(zone):%Y-%m-%d}] {one.text}" for one in shown.lines)
        return "\n".join([shown.title, *lines, *filter(None, (shown.full, shown.lately, shown.profile))])

    async def _decided(
        self, name: str, given: Given, answer: OwnRightsAnswer, request: RequestContext
    ) -> str:
        """Return what was done about a speaker's own memory, and what is left to decide."""
        text = answer.text
        if answer.file is not None:
            path = await asyncio.to_thread(_write, given.text("file") or answer.file.name, answer.file)
            text = f"{text}\n{path}"
        self._asked[request.user_id] = (name, given)
        self._listed[request.user_id, OptionKind.PLACE] = [str(place.guild_id) for place in answer.places]
        if answer.places:
            return "\n".join([text, *_counted(place.label for place in answer.places), "/memory in N"])
        if not answer.erasable_in:
            return text
        return f"{text}\n/memory erase{' yes' if name == 'erase' else ''}"


def _counted(lines: Iterable[str]) -> list[str]:
    return [f"{number}. {line}" for number, line in enumerate(lines, start=1)]


def _write(name: str, file: PrivateFile) -> Path:
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


def _language_of(call: FormCall) -> Language:
    """Return the language of what was typed; a console has no client that has one."""
    spoken = {OptionKind.TEXT, OptionKind.NAMING, OptionKind.MEMBER, OptionKind.DURATION, OptionKind.VALUE}
    options = COMMANDS[call.name].options if call.name in COMMANDS else {}
    said = [
        call.values[name] for name, option in options.items() if option.kind in spoken and name in call.values
    ]
    return Language.of(" ".join(said))
