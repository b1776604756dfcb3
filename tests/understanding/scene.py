"""One case after the other, each in a fresh guild on an emptied database: what was said, and what is kept then."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from bot.adapters.console.guild import DEFAULT_NAME, LogLines, SimulatedGuild
from bot.adapters.console.messages import LineOutcome
from bot.adapters.console.session import RunningBot, Session, Timeline
from bot.adapters.console.transcript import FillIn, PostMessage, read_line, write_said
from bot.app import assembled
from bot.chat.keepsake import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import GUILD_SUBJECT, Fact
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.db.rows import rows_as
from bot.memory.facts.repository import FACT_COLUMNS
from bot.memory.members.subjects import rendered
from tests.databases import Servers

BEGINS: Final = datetime(2026, 3, 4, 9, tzinfo=UTC)
"""A Wednesday: the day of which the dates that are expected were counted."""

HEARD: Final = "(a sign that it heard)"
"""What stands for an answer that is no words."""

SERVER: Final = "server"
"""Whom a fact about nobody is about, in checks and in print."""


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence to the bot or beside it, what was said before, and what a reader expects of it."""

    case_id: str
    setup: tuple[str, ...]
    line: str
    expected: str

    @property
    def author(self) -> str:
        """Who says the line."""
        return self._said().author

    @property
    def text(self) -> str:
        """The line without who says it and where."""
        return self._said().text

    @property
    def place(self) -> str:
        """Where the line is said and by whom, as lines of a transcript begin."""
        return write_said(replace(self._said(), text="", reply_to=None)).removesuffix(": ")

    def _said(self) -> PostMessage:
        (step,) = read_line(1, self.line)
        said = step.said if isinstance(step, FillIn) else step
        assert isinstance(said, PostMessage)
        return said


@dataclass(frozen=True, slots=True)
class Kept:
    """A fact as its reader sees it."""

    fact_id: int
    about: str
    text: str
    teller: str
    learned: bool

    def __str__(self) -> str:
        return f"{self.about}: {self.text}{' (learned)' if self.learned else ''}"


@dataclass(frozen=True, slots=True)
class Seen:
    """What became of a case: what was known before its line and after, and what the bot said to it."""

    before: tuple[Kept, ...]
    after: tuple[Kept, ...]
    said: str | None
    then: str | None = None
    """What it said when its question was answered."""

    @property
    def new(self) -> tuple[Kept, ...]:
        """What is kept now and was not before."""
        known = {one.fact_id for one in self.before}
        return tuple(one for one in self.after if one.fact_id not in known)

    @property
    def gone(self) -> tuple[Kept, ...]:
        """What was kept before and is no longer."""
        left = {one.fact_id for one in self.after}
        return tuple(one for one in self.before if one.fact_id not in left)


class _CaseBot(RunningBot):
    """A bot over a database that is there already."""

    def __init__(self, database: Database, settings: Settings, clock: SetClock) -> None:
        super().__init__(settings, clock)
        self._database = database

    async def start(self) -> Keepsake:
        self.keepsake = await self._stack.enter_async_context(
            assembled(self._settings, self._clock, self._database)
        )
        return self.keepsake


class Scene:
    """Where cases are played: one bot, started for each of them over a database without rows."""

    def __init__(self, servers: Servers, settings: Settings | None = None) -> None:
        self._servers = servers
        self._settings = settings or Settings(_env_file=None)

    async def play(self, case: Case, answer: Callable[[str], str | None]) -> Seen:
        """Return what becomes of `case`; `answer` gives what is said to what the bot said, if that is a question."""
        async with self._servers.shared(18) as shared:
            database = Database(shared.pool)
            async with self._opened(database) as session:
                return await _played(session, database, case, answer)

    @asynccontextmanager
    async def _opened(self, database: Database) -> AsyncIterator[Session]:
        clock = SetClock(BEGINS)
        bot = _CaseBot(database, self._settings, clock)
        keepsake = await bot.start()
        try:
            guild = await SimulatedGuild.enter(keepsake.directory, self._settings, DEFAULT_NAME)
            await bot.speak_in(log := LogLines(guild))
            timeline = Timeline(BEGINS, guild.zone)
            timeline.is_set = True
            yield Session(bot, guild, timeline, clock, log)
        finally:
            await bot.stop()


async def _played(
    session: Session, database: Database, case: Case, answer: Callable[[str], str | None]
) -> Seen:
    for line in case.setup:
        await _carried_out(session, database, line)
    before = await _kept(session, database)
    told = await _carried_out(session, database, case.line)
    said, then = (told.reply if told is not None else None), None
    if told is not None and told.is_noticed:
        said = HEARD
    if said is not None and (reply := answer(said)) is not None:
        again = await _carried_out(session, database, f"{case.place}: {reply}")
        then = again.reply if again is not None else None
    return Seen(before, await _kept(session, database), said, then)


async def _carried_out(session: Session, database: Database, line: str) -> LineOutcome | None:
    told = None
    # A line break in a case is one of its message.
    for step in read_line(1, line):
        told = await session.carry_out(step) or told
    while await database.read(_is_unread):
        await asyncio.sleep(0.002)
    return told


async def _is_unread(connection: Connection) -> bool:
    return bool(await connection.fetchval("SELECT EXISTS (SELECT FROM unextracted WHERE due_at <= now())"))


async def _kept(session: Session, database: Database) -> tuple[Kept, ...]:
    facts = await database.read(_facts)
    names = {member.user_id: member.name for member in await session.guild.members()}
    return tuple(_shown(fact, names) for fact in facts)


async def _facts(connection: Connection) -> Sequence[Fact]:
    rows = await connection.fetch(
        f"SELECT {FACT_COLUMNS} FROM facts WHERE status = 'active' ORDER BY fact_id"
    )
    return rows_as(Fact, rows)


def _shown(fact: Fact, names: dict[int, str]) -> Kept:
    return Kept(
        fact_id=fact.fact_id,
        about=SERVER if fact.subject_id == GUILD_SUBJECT else names.get(fact.subject_id, "somebody"),
        text=rendered(fact.content, names),
        teller=names.get(fact.author_id, "somebody"),
        learned=not fact.is_explicit,
    )
