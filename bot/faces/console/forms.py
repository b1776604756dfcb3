"""Carries out the commands `/memory ...` at the desk, and writes what comes back as plain text."""

import re
from datetime import tzinfo
from typing import Final, assert_never

from bot.conversation.desk import Desk, Line, Said, Setting, Shown, Visit
from bot.domain import Channel, Language, Member
from bot.errors import InvalidInputError
from bot.faces.console.guild import SimulatedGuild
from bot.faces.console.memory_commands import (
    BeQuiet,
    ChangeSetting,
    ForgetNumber,
    MemoryCommand,
    RememberText,
    ShowMemory,
    SwitchChannel,
    TellHelp,
    TellSettings,
)

_MEMBER: Final = re.compile(r"<@(\d+)>\s*")


class Forms:
    """The commands of one console. What was shown to somebody last is what they forget by its number."""

    def __init__(self, guild: SimulatedGuild) -> None:
        self._guild = guild
        self._shown: dict[int, tuple[Line, ...]] = {}
        self._last_id = 0

    async def fill_in(
        self, desk: Desk, command: MemoryCommand, *, author: Member, channel: Channel, free_id: int
    ) -> str:
        """Do what `command` of `author` in `channel` says and return the answer.

        `free_id` is an id of the moment that no message has. Raises `InvalidInputError` for a member or a
        number that is not there.
        """
        # Two commands at one moment are two, and no message is between them to tell their ids apart.
        self._last_id = max(free_id, self._last_id + 1)
        visit = Visit(
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
        )
        return await self._carried_out(desk, command, visit)

    async def _carried_out(self, desk: Desk, command: MemoryCommand, visit: Visit) -> str:
        match command:
            case ShowMemory(member):
                shown = await desk.show(visit, await self._member(member, visit))
                self._shown[visit.user_id] = shown.lines
                return _written(shown, await self._guild.zone_of(visit.guild_id))
            case RememberText(text):
                return (await self._remember(desk, visit, text)).text
            case ForgetNumber(number):
                return (await desk.forget(visit, self._numbered(number, visit))).text
            case TellSettings():
                refused = desk.refused_settings(visit)
                return refused.text if refused else _listed(await desk.settings(visit))
            case ChangeSetting(name, value):
                return (await desk.change(visit, name, value)).text
            case SwitchChannel(hearing, answering):
                return (await desk.channel(visit, hearing=hearing, answering=answering)).text
            case BeQuiet(duration):
                return (await desk.quiet(visit, duration)).text
            case TellHelp():
                return (await desk.help(visit)).text
        assert_never(command)

    async def _remember(self, desk: Desk, visit: Visit, text: str) -> Said:
        """Store `text`; a member who is named before it with an @ is the one chosen."""
        stored = await self._guild.as_stored(text)
        chosen = _MEMBER.match(stored)
        if chosen is None:
            return await desk.remember(visit, None, stored)
        return await desk.remember(visit, int(chosen[1]), stored[chosen.end() :])

    async def _member(self, name: str, visit: Visit) -> int | None:
        if not name:
            return None
        if name == "me":
            return visit.user_id
        name = name.removeprefix("@")
        found = _MEMBER.fullmatch(await self._guild.as_stored(f"@{name}"))
        if found is None:
            raise InvalidInputError(f"nobody is called {name[:60]!r} here: name a member as in '@alice'")
        return int(found[1])

    def _numbered(self, number: int, visit: Visit) -> int:
        lines = self._shown.get(visit.user_id, ())
        if not 1 <= number <= len(lines):
            raise InvalidInputError(
                f"there is no line {number}: {len(lines)} were shown last; '/memory show @member' lists them"
            )
        return lines[number - 1].fact_id


def _language_of(command: MemoryCommand) -> Language:
    """Return the language of what was typed; a console has no client that has one."""
    match command:
        case ShowMemory(text) | RememberText(text) | BeQuiet(text) | ChangeSetting(_, text):
            return Language.of(text)
        case _:
            return Language.ENGLISH


def _written(shown: Shown, zone: tzinfo) -> str:
    lines = [
        f"{number}. [{line.said_at.astimezone(zone):%Y-%m-%d}] {line.text}"
        for number, line in enumerate(shown.lines, start=1)
    ]
    return "\n".join([shown.title, *lines, *([shown.lately] if shown.lately else [])])


def _listed(settings: tuple[Setting, ...]) -> str:
    return "\n".join(f"- {one.label} ({one.name}): {one.value or '–'}" for one in settings)
