"""What each path costs the database: the statements sent for it, BEGIN and COMMIT among them, and its connections.

What goes to the server in one message, as BEGIN does with the limits of its transaction, counts once.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from asyncpg.connection import LoggedQuery

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import Guild, Message, MessageKind, snowflake_at
from bot.core.settings import Settings
from bot.db.pool import Connection, Database, P, Row, Statement, T
from bot.llm.models import RETRY_LIMITS
from bot.llm.operation import Patience
from tests.chat.guild import BOT_ID, GENERAL, GUILD_ID, NAMES, TalkingGuild, member
from tests.databases import Shared
from tests.patience import pace_for
from tests.servers.gemini import GeminiServer

if TYPE_CHECKING:
    import asyncpg


KEY = "AIza-the-secret-key"
WRITER = "writer of messages"
READER = "reader of facts"
_BEHIND: Final = (
    "asking for the lexicon of guild",
    "bound what is kept",
    "looking at a conversation",
    "note what was used",
)
"""How the names of tasks begin that an answer begins and does not wait for."""

_GOING_ON: Final = (*_BEHIND, "reading memories of guild", "the build ")
"""How those begin that go on behind also when an answer has waited for them long enough."""

_WAITS: Final = "SELECT EXISTS ( SELECT FROM unextracted"
"""What is asked again and again until the reader of facts is done, which takes it as long as the machine lets it."""

_ONCE_PER_CONNECTION: Final = (
    "current_setting('jit') AS cur",
    "set_config('jit', $1, false)",
    "WITH RECURSIVE typeinfo_tree",
)
"""What the driver asks of types that a connection meets for the first time."""


@dataclass
class Spent:
    """What was sent to the server for one thing, work behind left out."""

    statements: list[str] = field(default_factory=list)
    held: int = 0
    most_held: int = 0
    """The most connections at once."""


_SPENT: ContextVar[Spent | None] = ContextVar("spent", default=None)


def note(record: LoggedQuery) -> None:
    """Note a statement; the driver calls this in the context of whoever sent it."""
    spent = _SPENT.get()
    if spent is not None and not any(part in record.query for part in _ONCE_PER_CONNECTION):
        statement = " ".join(record.query.split())
        if not (statement.startswith(_WAITS) and statement in spent.statements):
            spent.statements.append(statement)


class CountedDatabase(Database):
    """A database that notes whose statements are sent and how many connections are held for them at once.

    What a loop of the process sends is noted where `services` says; what anybody else sends, where `_SPENT` says.
    """

    services: Final[dict[str, Spent]]

    def __init__(self, pool: "asyncpg.Pool[Row]") -> None:
        super().__init__(pool)
        self.services = {}

    async def read(self, query: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._noted():
            return await super().read(_held(query), *args, **kwargs)

    async def write(self, change: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._noted():
            return await super().write(_held(change), *args, **kwargs)

    @contextmanager
    def _noted(self) -> Iterator[None]:
        task = asyncio.current_task()
        name = task.get_name() if task is not None else ""
        token = _SPENT.set(None if name.startswith(_BEHIND) else self.services.get(name, _SPENT.get()))
        try:
            yield
        finally:
            _SPENT.reset(token)


def _held(work: Statement[P, T]) -> Statement[P, T]:
    async def counted(connection: Connection, /, *args: P.args, **kwargs: P.kwargs) -> T:
        spent = _SPENT.get()
        if spent is None:
            return await work(connection, *args, **kwargs)
        spent.held += 1
        spent.most_held = max(spent.most_held, spent.held)
        try:
            return await work(connection, *args, **kwargs)
        finally:
            spent.held -= 1

    return counted


@pytest.fixture
async def database(shared: Shared) -> AsyncIterator[CountedDatabase]:
    """The database, every connection of its pool open and counted."""
    pool = shared.pool
    connections = [await pool.acquire() for _ in range(pool.get_max_size())]
    for connection in connections:
        connection.add_query_logger(note)
        await pool.release(connection)
    yield CountedDatabase(pool)
    connections = [await pool.acquire() for _ in range(pool.get_max_size())]
    for connection in connections:
        connection.remove_query_logger(note)
        await pool.release(connection)


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer(api_key=KEY) as server:
        server.answer("route", {"kind": "chat", "confident": True})
        server.answer("reply", {"text": "Ramen, obviously."})
        yield server


@pytest.fixture
async def keepsake(
    database: CountedDatabase, clock: SetClock, gemini: GeminiServer
) -> AsyncIterator[Keepsake]:
    settings = Settings(
        _env_file=None,
        gemini_api_key=KEY,
        gemini_base_url=gemini.url,
        model_chat="gemini-flash-latest",
        model_memory="gemma-4-31b-it",
        answer_bots=True,
    )
    async with assembled(settings, clock, database) as keepsake:
        yield keepsake


@pytest.fixture
async def guild(keepsake: Keepsake, clock: SetClock) -> TalkingGuild:
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
    await keepsake.directory.put_members([member(name) for name in NAMES])
    return TalkingGuild(keepsake, clock)


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.setitem(RETRY_LIMITS, Patience.FOREGROUND, pace_for(request))
    # What no model has told is told again after a pause, and read anew by whichever answer comes then.
    monkeypatch.setattr("bot.db.jobs._FIRST_PAUSE", timedelta(hours=1))


async def all_read(database: Database) -> None:
    """Return when no message waits to be read for facts: an answer looks again and again until then."""
    unread = "SELECT EXISTS (SELECT FROM unextracted WHERE due_at <= clock_timestamp())"
    while await database.read(lambda connection: connection.fetchval(unread)):
        await asyncio.sleep(0.01)


async def spent_on(
    guild: TalkingGuild,
    database: Database,
    text: str,
    *,
    by: str = "alice",
    kind: MessageKind = MessageKind.MEMBER,
) -> Spent:
    """Return what the answer to somebody takes, when nothing is left to do of what was said before."""
    await guild.keepsake.memory.settled()
    await all_read(database)
    # What an answer has begun behind may ask for work, and what is told by work is read from the tables then.
    await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name().startswith(_GOING_ON)))
    await guild.keepsake.work.idle()
    spent = Spent()
    token = _SPENT.set(spent)
    try:
        assert await guild.say(by, text, kind=kind)
    finally:
        _SPENT.reset(token)
    return spent


async def heard(guild: TalkingGuild, database: CountedDatabase) -> tuple[int, int]:
    """Return what the writer sends for ten messages that are heard at once, and the reader for the facts in them."""
    writer, reader = Spent(), Spent()
    database.services.update({WRITER: writer, READER: reader})
    batch = []
    for number in range(10):
        guild.clock.advance(timedelta(seconds=1))
        batch.append(
            Message(
                guild_id=GUILD_ID,
                channel_id=GENERAL,
                message_id=snowflake_at(guild.clock.now()),
                user_id=NAMES["bob"],
                text=f"I like train {snowflake_at(guild.clock.now())}" if number < 3 else "it is late again",
                timestamp=guild.clock.now(),
            )
        )
    await guild.keepsake.memory.ingest_messages(batch)
    await all_read(database)
    # Its commit is seen here before the driver tells of it, and what looks in vain for more comes after it.
    while "COMMIT" not in reader.statements:
        await asyncio.sleep(0.01)
    database.services.clear()
    return longest_transaction(writer), longest_transaction(reader)


def longest_transaction(spent: Spent) -> int:
    """Return the statements of the transaction that did the work, not of those that found nothing to do."""
    begins = [place for place, statement in enumerate(spent.statements) if statement.startswith("BEGIN")]
    ends = [*begins[1:], len(spent.statements)]
    return max(end - begin for begin, end in zip(begins, ends, strict=True))


async def remember_ten(guild: TalkingGuild) -> None:
    for liked in ("tea", "ramen", "cats", "dogs", "chess", "jazz", "snow", "rain", "cheese", "bread"):
        await guild.say("alice", f"Bot, remember that I like {liked}")


async def measured(guild: TalkingGuild, database: CountedDatabase) -> dict[str, int]:
    """Go every path once and return what was sent for each."""
    by_writer, by_reader = await heard(guild, database)

    async def sent(text: str, *, by: str = "alice") -> int:
        return len((await spent_on(guild, database, text, by=by)).statements)

    async def sent_again(text: str) -> int:
        # What a day was about is told anew when something was said in it; the second time it is read.
        await sent(text)
        return await sent(text)

    async def ten_forgotten() -> int:
        await remember_ten(guild)
        await sent("Bot, forget my preferences")
        return await sent("yes")

    return {
        "a batch heard": by_writer,
        "the reading of its facts": by_reader,
        "remember that": await sent(f"Bot, remember that I like song {guild.clock.now():%H%M%S}", by="bob"),
        "remember what was forgotten": await sent("Bot, remember that I like pizza"),
        "what do you know about me": await sent_again("Bot, what do you know about me?"),
        "a reply": await sent_again("Bot, ramen or udon?"),
        "a reply, with the router": await sent_again("Bot, I want ramen, not udon"),
        "forget one fact": await sent("Bot, forget that I like pizza"),
        "forget ten facts": await ten_forgotten(),
    }


CEILINGS: Final = {
    "a batch heard": 4,
    "the reading of its facts": 7,  # to become 6
    "remember that": 13,
    "remember what was forgotten": 15,
    "what do you know about me": 12,
    # What is found by search is chosen by one statement and weighed by another; two open and end the survey of what was
    # said lately, which is planned for its values.
    "a reply": 26,
    # One looks whether what the bot was told puts right what it had been asked to keep, one of whom the asker is told
    # nothing, and so neither is the router.
    "a reply, with the router": 31,
    # One looks for answers that repeat what was told in their channel, one for those that quote it, one for commands
    # that said it, and two hold messages and episodes, so that nobody tells them meanwhile.
    "forget one fact": 34,
    # The yes calls nobody: whether it may be for the bot is asked first, together for all that is heard at once. One
    # looks for whom what it answers was said.
    "forget ten facts": 38,
}

WITHOUT_ROUTER: Final = 20
"""Of a reply to another bot, which never goes to the router."""


def test_what_goes_on_behind_is_left_out_by_the_names_that_it_has() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in Path("bot/memory").rglob("*.py"))
    assert [name for name in _GOING_ON if f'"{name}' not in code] == []


async def test_no_path_sends_more_statements_than_it_may(
    guild: TalkingGuild, database: CountedDatabase
) -> None:
    await measured(guild, database)
    sent: dict[str, int] = {}
    for _ in range(4):
        # What a busy machine has looked at once more is not sent every time.
        found = await measured(guild, database)
        sent = {path: min(sent.get(path, found[path]), found[path]) for path in CEILINGS}
        if all(sent[path] <= most for path, most in CEILINGS.items()):
            break
    print("", *(f"{path:<28}{sent[path]:>4} of {most}" for path, most in CEILINGS.items()), sep="\n")
    assert {path: count for path, count in sent.items() if count > CEILINGS[path]} == {}


async def test_a_reply_holds_three_connections_at_once_at_most(
    guild: TalkingGuild, database: CountedDatabase
) -> None:
    await spent_on(guild, database, "Bot, ramen or udon?")
    assert (await spent_on(guild, database, "Bot, ramen or udon?")).most_held <= 3


async def test_a_reply_without_the_router_sends_no_more_statements_than_it_may(
    guild: TalkingGuild, database: CountedDatabase
) -> None:
    # Another bot is only ever replied to, a few times until a member speaks.
    counts = []
    for _ in range(3):
        await guild.say("alice", "what are you two doing?")
        for _ in range(2):
            spent = await spent_on(guild, database, f"<@{BOT_ID}> ramen?", by="R2", kind=MessageKind.BOT)
            counts.append(len(spent.statements))
    print(f"a reply, without the router{min(counts):>5} of {WITHOUT_ROUTER}")
    assert min(counts) <= WITHOUT_ROUTER
