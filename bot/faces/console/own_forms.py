"""Carries out the commands `/memory ...` about the speaker's own memory at the desk, and writes what comes back."""

import asyncio
from pathlib import Path
from typing import Final, TypeAlias, assert_never

from bot.conversation.desk import Desk, Visit
from bot.conversation.desk.own import OwnDesk
from bot.conversation.own_commands import ChooseCategory
from bot.conversation.own_rights.hands import HandedFile
from bot.conversation.own_rights.own_answer import OwnAnswer, PlaceToChoose
from bot.errors import InvalidInputError
from bot.faces.console.own_memory_commands import (
    ChooseKind,
    EraseMemory,
    ExportMemory,
    InPlace,
    ListWaiting,
    OwnMemoryCommand,
    SettleWaiting,
    SwitchMemory,
    SwitchPrivate,
)

_MOST_BYTES: Final = 2**31
"""Of an exported file: a disk has room for more than a message."""

Repeatable: TypeAlias = SwitchMemory | SwitchPrivate | ChooseKind | ExportMemory | EraseMemory


class OwnForms:
    """The commands of one console, with what was asked and listed last for each speaker."""

    def __init__(self) -> None:
        self._asked: dict[int, tuple[Repeatable, tuple[PlaceToChoose, ...]]] = {}
        self._waiting: dict[int, tuple[int, ...]] = {}

    async def fill_in(self, desk: Desk, command: OwnMemoryCommand, visit: Visit) -> str:
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

    async def _done(self, desk: OwnDesk, command: Repeatable, visit: Visit, within: tuple[int, ...]) -> str:
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

    def _chosen(self, number: int, visit: Visit) -> tuple[Repeatable, PlaceToChoose]:
        command, places = self._asked.get(visit.user_id, (None, ()))
        if command is None or not 1 <= number <= len(places):
            raise InvalidInputError(f"there is no server {number}: {len(places)} were listed last")
        return command, places[number - 1]

    def _listed(self, number: int, visit: Visit) -> int:
        waiting = self._waiting.get(visit.user_id, ())
        if not 1 <= number <= len(waiting):
            raise InvalidInputError(
                f"there is no line {number}: {len(waiting)} were listed last; '/memory waiting' lists them"
            )
        return waiting[number - 1]


async def _answered(
    desk: OwnDesk,
    command: SwitchMemory | SwitchPrivate | ChooseKind | EraseMemory,
    visit: Visit,
    within: tuple[int, ...],
) -> OwnAnswer:
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


async def _exported(answer: OwnAnswer, command: ExportMemory) -> str:
    """Write the file, and return what is said of it."""
    if answer.file is None:
        return answer.text
    path = await asyncio.to_thread(_written, command.file or answer.file.name, answer.file)
    return f"{answer.text}\n{path}"


def _written(name: str, file: HandedFile) -> Path:
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
