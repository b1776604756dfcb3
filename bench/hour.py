"""An hour of a bot in 100 busy guilds at ten times their load: `python -m bench.hour`, or `--pace 3` in twenty minutes.

`keepsake run` is one process, or `--processes` with a shard each, on a Postgres of its own; Discord and Gemini are the
loopback servers, in this process. Prints tables in Markdown for docs/scaling.md.
"""

import argparse
import asyncio
import contextlib
import gc
import os
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Final

import asyncpg

from bench.homes import own_home
from bench.hour_plot import draw
from bench.hour_talk import MEMBERS, Talk, a_busy_hour, guilds_of, lines
from bench.hour_watch import PROBES, Answers, Processes, Sample, Watch, parent_of, sizes, thirds
from bench.recall_large import DATA, FILES
from bench.telling import ANSWERS, ROLLED_CHARACTERS, answer_to
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.jobs import WORKERS
from bot.db.pool import Database
from bot.memory.summaries.episode_prompt import EPISODE_CHARACTERS
from tests.adapters.discord.bots import BotProcess, bot_process
from tests.said import said_in
from tests.servers import samples
from tests.servers.asked import Asked, tokens_of
from tests.servers.base import Reply
from tests.servers.discord.server import DiscordServer
from tests.servers.gemini import GeminiServer

FIRST_WORD_SECONDS: Final = 0.8
TOKENS_A_SECOND: Final = 200.0
"""How long a model takes: until its first word, and for each of its words."""

TOKENS_A_PIECE: Final = 8
"""Gemini sends many tokens at once, not one after the other (stanfordnlp/dspy, pull request 8235)."""

_CASE: Final = re.compile(r"\(case (\d+)\)")
_SETTLING_SECONDS: Final = 10.0
"""Real seconds from the start of the bot to the first message."""
_DRAINING_SECONDS: Final = 600.0
"""Real seconds that is waited at most, after the last message, for what is still to be done."""
_LOOK_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is said, and how fast."""

    minutes: float
    """Of the hour."""
    pace: float
    """How many times as fast as the clock of the hour the real one is."""
    before: float
    """Minutes of the same talk before the hour, of which nothing is measured: guilds have a past, and begin empty."""
    guilds: int
    channels: int
    workers: int
    """Of background work, in each process."""
    processes: int
    """Of the bot, with a shard each."""

    @property
    def seconds(self) -> float:
        """Real seconds that it takes."""
        return 60 * self.minutes / self.pace

    @property
    def seconds_before(self) -> float:
        """Real seconds that come before it."""
        return 60 * self.before / self.pace


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What is wrong in the end; everything should be 0."""

    lost: int
    doubled: int
    edits_lost: int
    deletions_lost: int
    unanswered: int
    answered_twice: int


class Models:
    """Answers what the bot asks models for, after as long as a model takes, and tells how long that was."""

    def __init__(self, gemini: GeminiServer, answers: Answers) -> None:
        self.calls: Final[Counter[str]] = Counter()
        self._gemini = gemini
        self._answers = answers
        gemini.default = self._answer
        gemini.pen.tokens_per_second = TOKENS_A_SECOND
        gemini.pen.tokens_a_piece = TOKENS_A_PIECE

    async def _answer(self, asked: Asked) -> Reply:
        operation = asked.operation or "unknown"
        self.calls[operation] += 1
        given = _given(operation, asked)
        await asyncio.sleep(FIRST_WORD_SECONDS)
        if operation in ("reply", "route") and (cases := _CASE.findall(asked.prompt)):
            # The question stands last, and those that are looked up were asked before it.
            self._answers.model_seconds[max(map(int, cases))] += (
                FIRST_WORD_SECONDS + tokens_of(str(given)) / TOKENS_A_SECOND
            )
        # They hold every prompt.
        self._gemini.calls.clear()
        return given


def _given(operation: str, asked: Asked) -> str | Mapping[str, object]:
    """Return an answer as long as a real one, made of what the prompt tells: what is not would be asked for again."""
    match operation:
        case "roll_summary":
            return {"text": _told_again(asked.prompt, ROLLED_CHARACTERS)}
        case "make_episode":
            return {"text": _told_again(asked.prompt, EPISODE_CHARACTERS), "importance": 4, "tags": ["talk"]}
        case "learn_profile":
            return {"profile": _told_again(asked.prompt, ROLLED_CHARACTERS), "facts": []}
    return answer_to(asked) if operation in ANSWERS else samples.lines_for(operation)


def _told_again(prompt: str, characters: int) -> str:
    """Return sentences of the messages of a prompt, as many as so many characters hold."""
    told, room = [], characters
    for said in said_in(prompt):
        sentence = f"@{said.by} {said.text.rstrip('.!?, ')}."
        if said.by.startswith("u") and len(sentence) < room:
            told.append(sentence)
            room -= len(sentence) + 1
    return " ".join(told)


async def _saying(talk: Talk, bots: Sequence[BotProcess], seconds: float) -> None:
    """Have everything said when it is due, for so many real seconds; raises if a bot ends meanwhile."""
    began = time.monotonic()
    talk.begin(began)
    while (now := time.monotonic()) < began + seconds:
        for bot in bots:
            if bot.process.returncode is not None:
                raise AssertionError(f"the bot ended: {bot.errors[-20:]}")
        due = talk.say_due(now)
        await asyncio.sleep(max(0.0, min(0.05, due - time.monotonic())))


async def _freezing() -> None:
    """Keep the collector of garbage from what the loopback holds: it would stop Discord for seconds."""
    while True:
        gc.collect()
        gc.freeze()
        await asyncio.sleep(30)


@asynccontextmanager
async def _at_work(*work: "asyncio.Future[None]") -> AsyncIterator[None]:
    try:
        yield
    finally:
        for one in work:
            if one.done() and not one.cancelled():
                one.result()
            one.cancel()
        await asyncio.gather(*work, return_exceptions=True)


async def _drained(watch: Watch, answers: Answers, connection: "asyncpg.Connection[asyncpg.Record]") -> float:
    """Wait until nothing is left to be stored, answered or read for facts, and return the real seconds."""
    began = time.monotonic()
    while time.monotonic() < began + _DRAINING_SECONDS:
        left = await connection.fetchval("SELECT count(*) FROM unextracted")
        if not left and not answers.open() and not await watch.unstored(connection, before=1 << 62):
            break
        await asyncio.sleep(_LOOK_SECONDS)
    return time.monotonic() - began


async def _outcome(talk: Talk, answers: Answers, connection: "asyncpg.Connection[asyncpg.Record]") -> Outcome:
    said = talk.said
    lost = doubled = edits_lost = deletions_lost = 0
    for guild_id, sent in guilds_of(said.messages).items():
        rows = await connection.fetch(
            "SELECT message_id, message_text, withheld FROM chat_history WHERE guild_id = $1 AND kind = 'member'",
            guild_id,
        )
        kept = {row["message_id"]: row for row in rows}
        lost += len(sent - kept.keys())
        doubled += len(kept.keys() - sent)
        for message_id in sent & kept.keys():
            row = kept[message_id]
            if message_id in said.deleted:
                deletions_lost += row["withheld"] is None
            elif message_id in said.edited and row["withheld"] is None:
                edits_lost += said.edited[message_id] not in row["message_text"]
    return Outcome(
        lost=lost,
        doubled=doubled,
        edits_lost=edits_lost,
        deletions_lost=deletions_lost,
        unanswered=answers.open(),
        answered_twice=answers.doubled(),
    )


async def measure(load: Load, *, picture: Path | None) -> None:
    """Play the hour and print what was measured."""
    if not all((DATA / name).is_file() for name in FILES):
        print(f"an hour: not measured, {DATA} does not have {', '.join(FILES)}")
        return
    said = lines()
    rate = a_busy_hour(said) * load.channels * load.guilds
    print(
        f"{load.guilds} guilds of {MEMBERS} members and {load.channels} channels, {a_busy_hour(said):.0f} messages"
        f" an hour in each channel: {rate:,.0f} an hour, {rate * load.pace / 3_600:.0f} a second at pace {load.pace:g}"
    )
    with own_home() as home:
        postgres = EmbeddedServer(home)
        await postgres.start()
        await migrations.migrate(postgres.dsn)
        try:
            async with DiscordServer() as server, GeminiServer() as gemini:
                server.portal.shards = server.portal.max_concurrency = load.processes
                talk = Talk(server, said, guilds=load.guilds, channels=load.channels, pace=load.pace)
                answers = Answers(talk.said)
                answers.listen(server)
                models = Models(gemini, answers)
                environment = {
                    "GEMINI_API_KEY": "x",
                    "GEMINI_BASE_URL": gemini.url,
                    "BACKGROUND_WORKERS": str(load.workers),
                    "TIME_ZONE": _noon_zone(),
                }
                async with AsyncExitStack() as stack:
                    bots = [
                        await stack.enter_async_context(
                            bot_process(server, postgres.dsn, *shard, **environment)
                        )
                        for shard in _shards(load.processes)
                    ]
                    for bot in bots:
                        await bot.told("server ")
                    await _play(load, server, talk, answers, models, bots, postgres.dsn, picture)
        finally:
            await postgres.stop()


def _noon_zone() -> str:
    """Return a time zone in which it is about noon: the hour is to lie within one day."""
    ahead = 12 - datetime.now(UTC).hour
    return f"Etc/GMT{-ahead:+d}" if ahead else "UTC"


def _shards(processes: int) -> list[tuple[str, ...]]:
    """Return the arguments of each process."""
    if processes == 1:
        return [()]
    return [("--shards", f"{number}/{processes}") for number in range(processes)]


async def _play(
    load: Load,
    server: DiscordServer,
    talk: Talk,
    answers: Answers,
    models: Models,
    bots: Sequence[BotProcess],
    dsn: str,
    picture: Path | None,
) -> None:
    await asyncio.sleep(_SETTLING_SECONDS)
    connection = await asyncpg.connect(dsn, command_timeout=600)
    backend: int = await connection.fetchval("SELECT pg_backend_pid()")
    database = await Database.open(dsn, pool_size=2)
    began = time.time() + load.seconds_before
    processes = Processes([bot.process.pid for bot in bots], parent_of(backend))
    watch = Watch(dsn, database, server, talk, processes, began)
    before = processes.megabytes()
    looks = [watch.look(), _freezing(), *(watch.probe() for _ in range(PROBES))]
    async with _at_work(*(asyncio.ensure_future(one) for one in looks)):
        await _saying(talk, bots, load.seconds_before + load.seconds)
        drained = await _drained(watch, answers, connection)
    outcome = await _outcome(talk, answers, connection)
    during = [one for one in watch.samples if 0 <= one.at <= load.seconds]
    free = [(at - began, seconds) for at, seconds in answers.seconds(free=True)]
    commands = [(at - began, seconds) for at, seconds in answers.seconds(free=False)]
    found = {"a message is stored": watch.stored, "a question is answered": free, "a command": commands}
    latencies = {name: [(at, seconds) for at, seconds in pairs if at >= 0] for name, pairs in found.items()}
    print(
        f"{len(talk.said.messages):,} messages in {(load.seconds_before + load.seconds) / 60:.1f} minutes, of which the"
        f" first {load.seconds_before / 60:.1f} are not measured; {len(talk.said.asked):,} of them to"
        f" the bot, {len(talk.said.edited):,} edited, {len(talk.said.deleted):,} deleted; {before:.0f} MB at the start;"
        f" all done {drained:.0f} s after the last; load of the machine {os.getloadavg()[0]:.1f}\n"
    )
    _print_flat(during, latencies, load.seconds)
    _print_minutes(during, latencies, load.seconds)
    print("\n| | rows | size |\n|---|--:|--:|")
    for name, (rows, size) in (await sizes(connection)).items():
        print(f"| `{name}` | {rows:,} | {size / 2**20:,.1f} MB |")
    print(f"\ncalls of models: {dict(models.calls.most_common())}")
    print(f"wrong in the end: {outcome}")
    _print_log([line for bot in bots for line in bot.errors])
    if picture is not None:
        draw(during, latencies, load.seconds, picture)
    await database.close()
    await connection.close()
    with contextlib.suppress(TimeoutError):
        await asyncio.gather(*(bot.stop() for bot in bots))


def _at(found: Iterable[float], percent: int) -> float:
    """Return the value below which so many percent lie, of at least two; 0 of fewer."""
    values = list(found)
    if len(values) < 2:
        return sum(values)
    return median(values) if percent == 50 else quantiles(values, n=100)[percent - 1]


Latencies = dict[str, list[tuple[float, float]]]


def _print_flat(samples: Sequence[Sample], latencies: Latencies, seconds: float) -> None:
    print("| | first third | second | last | last against |\n|---|--:|--:|--:|--:|")
    memory = [_at(part, 50) for part in thirds([(one.at, one.megabytes) for one in samples], seconds)]
    _row("memory of the bot, MB", memory, memory[1], "the second", "{:,.0f}")
    for name, found in latencies.items():
        for percent in (50, 95):
            parts = [1_000 * _at(part, percent) for part in thirds(found, seconds)]
            _row(f"until {name}, ms at the {percent}th of 100", parts, parts[0], "the first", "{:,.0f}")


def _row(name: str, parts: Sequence[float], base: float, against: str, shown: str) -> None:
    ratio = f"{against}: {parts[2] / base:.2f}" if base else ""
    print(f"| {name} | {' | '.join(shown.format(one) for one in parts)} | {ratio} |")


def _print_minutes(samples: Sequence[Sample], latencies: Latencies, seconds: float) -> None:
    """Print a line for each twelfth."""
    print(
        "\n| until minute | sent | MB | bot | it waits | Postgres | loopback | sockets | unstored | unread | unsent"
        " | work | oldest, s | " + " | ".join(f"{name}, 50th (95th) ms" for name in latencies) + " |"
    )
    print("|--:" * (13 + len(latencies)) + "|")
    step = seconds / 12
    for number in range(12):
        inside = [one for one in samples if number * step <= one.at < (number + 1) * step]
        if not inside:
            continue
        last = inside[-1]
        shares = [
            _at((getattr(one, name) for one in inside), 50)
            for name in ("bot_share", "bot_waits", "postgres_share", "loopback_share")
        ]
        taken = []
        for found in latencies.values():
            part = [1_000 * value for at, value in found if number * step <= at < (number + 1) * step]
            taken.append(f"{_at(part, 50):,.0f} ({_at(part, 95):,.0f})")
        print(
            f"| {(number + 1) * step / 60:.1f} | {last.sent:,} | {last.megabytes:.0f} | "
            + " | ".join(f"{share:.0%}" for share in shares)
            + f" | {last.sockets} | {max(one.unstored for one in inside)} | {last.unread}"
            f" | {max(one.answers for one in inside)} | {last.work} | {last.work_seconds:.0f} | "
            + " | ".join(taken)
            + " |"
        )
    sent = samples[-1].sent - samples[0].sent
    for name, share in (
        ("the bot", "bot_share"),
        ("Postgres", "postgres_share"),
        ("loopback", "loopback_share"),
    ):
        worked = fmean(getattr(one, share) for one in samples) * (samples[-1].at - samples[0].at)
        print(f"processor time of {name} for a message, all told: {1_000 * worked / max(1, sent):.2f} ms")
    print(f"the loopback was {max(one.loopback_late for one in samples):.2f} s late at most")


def _print_log(errors: Sequence[str]) -> None:
    """Print how often the log of the bot told what."""
    told = Counter(re.sub(r"\d+", "#", line)[:700] for line in errors)
    print(f"the log of the bot has {len(errors)} lines")
    for line, times in told.most_common(15):
        print(f"  {times} times: {line}")


def _load() -> tuple[Load, Path | None]:
    parser = argparse.ArgumentParser(prog="python -m bench.hour", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="of the hour that are played")
    parser.add_argument(
        "--before", type=float, default=0, help="minutes of talk before it that are not measured"
    )
    parser.add_argument("--pace", type=float, default=1, help="how many times as fast they go by")
    parser.add_argument("--guilds", type=int, default=100)
    parser.add_argument("--channels", type=int, default=10, help="of each guild; all talk like a busy one")
    parser.add_argument("--workers", type=int, default=WORKERS, help="pieces of background work at once")
    parser.add_argument("--processes", type=int, default=1, help="of the bot, each with a shard of its own")
    parser.add_argument("--picture", type=Path, help="a PNG to be drawn")
    given = parser.parse_args()
    load = Load(
        minutes=given.minutes,
        pace=given.pace,
        before=given.before,
        guilds=given.guilds,
        channels=given.channels,
        workers=given.workers,
        processes=given.processes,
    )
    return load, given.picture


if __name__ == "__main__":
    _asked, _picture = _load()
    asyncio.run(measure(_asked, picture=_picture))
