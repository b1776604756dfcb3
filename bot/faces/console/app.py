"""`keepsake chat`: a terminal gets a prompt, anything else on standard input is read as a transcript."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from datetime import datetime
from itertools import count
from typing import Final

from bot.errors import InvalidInputError, TranscriptError
from bot.faces.console.guild import DEFAULT_NAME
from bot.faces.console.output import JsonPrinter, PlainPrinter, Printer
from bot.faces.console.screen import run_terminal
from bot.faces.console.session import Session, open_session
from bot.faces.console.transcript import Said, SetTime, read_line, read_moment
from bot.settings import Settings

_CHUNK_BYTES: Final = 65_536


async def run(
    settings: Settings, *, guild_name: str = DEFAULT_NAME, at: str | None = None, as_json: bool = False
) -> int:
    """Talk until the input ends, and return the exit status 0.

    `at` is an ISO time that the clock is set to. Raises `TranscriptError` for a line that cannot be read or
    carried out, after all lines before it, and other `KeepsakeError` if the bot cannot start.
    """
    moment = None if at is None else read_moment(at)
    if sys.stdin is None:
        raise InvalidInputError("standard input is closed: chat needs a terminal or a transcript")
    if sys.stdin.isatty() and sys.stdout.isatty() and not as_json:
        await run_terminal(settings, guild_name=guild_name, at=moment)
    else:
        await _run_transcript(settings, guild_name=guild_name, at=moment, as_json=as_json)
    return 0


async def _run_transcript(settings: Settings, *, guild_name: str, at: datetime | None, as_json: bool) -> None:
    lines = _lines_of(sys.stdin.fileno())
    opening, begins = await _opening(lines)
    async with open_session(settings, guild_name=guild_name, at=at, begins=begins) as session:
        printer: Printer = JsonPrinter() if as_json else PlainPrinter(session.guild.bot_name)
        numbers = count(1)
        for text in opening:
            await _carry_out(session, printer, next(numbers), text)
        async for text in lines:
            await _carry_out(session, printer, next(numbers), text)


async def _carry_out(session: Session, printer: Printer, line_number: int, text: str) -> None:
    for step in read_line(line_number, text).steps:
        try:
            told = await session.carry_out(step)
        except InvalidInputError as error:
            raise TranscriptError(line_number, str(error)) from error
        if told is not None:
            printer.show(told)
        for line in session.log.taken():
            printer.note(line)


async def _opening(lines: AsyncIterator[str]) -> tuple[list[str], datetime | None]:
    """Return the lines up to the first that happens at some time, and the time that it names, if it does."""
    opening: list[str] = []
    async for text in lines:
        opening.append(text)
        try:
            steps = read_line(len(opening), text).steps
        except TranscriptError:
            break
        timed = [step.moment for step in steps if isinstance(step, Said | SetTime)]
        if timed:
            return opening, timed[0]
    return opening, None


async def _lines_of(descriptor: int) -> AsyncIterator[str]:
    """Yield the lines of a file as they come; bytes that are no UTF-8 become lone surrogates."""
    rest = b""
    while chunk := await _read(descriptor):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.decode(errors="surrogateescape")
    if rest:
        yield rest.decode(errors="surrogateescape")


async def _read(descriptor: int) -> bytes:
    """Return what a file has next, nothing at its end, and wait for it without keeping others waiting."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    try:
        loop.add_reader(descriptor, ready.set)
    except PermissionError:
        # The kernel has no waiting for files on a disk: they are always ready.
        return os.read(descriptor, _CHUNK_BYTES)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, _CHUNK_BYTES)
