"""`keepsake doctor`: one line for each thing that must be well, with what to do about it."""

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

import asyncpg
from pydantic import BaseModel, Field
from pydantic_ai.exceptions import ModelNotFoundError, ModelQuotaExceededError

from bot.app import database_address
from bot.core.clock import SystemClock
from bot.core.domain import Waiting
from bot.core.errors import DatabaseError, SettingsError
from bot.core.settings import Settings, describe_unknown_names, unknown_names
from bot.db import copying, jobs, migrations, pool, service
from bot.db.clock_watch import TOLERANCE
from bot.db.embedded.server import EmbeddedServer
from bot.db.jobs import WaitingWork
from bot.db.pool import Connection, Database, DatabaseState
from bot.db.service import ServiceFailure
from bot.llm import framing, ledger
from bot.llm.budget import Tokens
from bot.llm.calling import AgentCaller
from bot.llm.chain import CallFailed, Failure, ModelName, Provider
from bot.llm.operation import Question, Role
from bot.llm.providers import NO_MODEL, Providers, access_of, chains_of, usage_limits_of
from bot.memory.guilds import repository as guilds_repository
from bot.memory.messages import repository_quarantine
from bot.memory.messages.repository_quarantine import QuarantineCount
from bot.memory.outbox import repository as outbox_repository

QUESTION: Final = "check_model"

_KEYS: Final[Mapping[Provider, str]] = {
    "google": "GEMINI_API_KEY",
    "openai": "OPENAI_API_KEY",
    "ollama": "OLLAMA_BASE_URL",
}

_ADDRESSES: Final[Mapping[Provider, str]] = {
    "google": "the network of this machine, and GEMINI_BASE_URL if it is set",
    "openai": "that the server runs, and OPENAI_BASE_URL",
    "ollama": "that Ollama runs (ollama serve), and OLLAMA_BASE_URL",
}

_OTHERWISE: Final[Mapping[Failure, str]] = {
    "overloaded": "the service is overloaded or broken: try again later, and name a second model behind it",
    "refused": "it refuses even a harmless question: name another model",
    "cut_off": "its answer is cut off or empty: name another model",
    "invalid": "it does not answer in the form that it is asked for: name another model",
    "capability": "it does not take the questions that Keepsake puts: name another model",
    "other": "the service rejects the question: check that the name is that of a model for text",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found about one thing: well, or not and then what to do. It holds no secret."""

    about: str
    told: str
    is_well: bool = True

    def __str__(self) -> str:
        return f"{'ok' if self.is_well else '! '} {self.about}: {self.told}."


class _Sign(BaseModel):
    text: str = Field(description="the word OK")


async def _of_model(
    caller: AgentCaller, model: ModelName, roles: Sequence[str], timeout_seconds: float
) -> Finding:
    """Say how one model took its question."""
    about = f"model {model} ({', '.join(roles)})"
    question = Question(
        operation=QUESTION,
        role=Role.MEMORY,
        prompt=framing.render(QUESTION, {}),
        answer=_Sign,
        is_text=True,
    )
    started = time.monotonic()
    try:
        await caller.call(model, question, timeout_seconds=timeout_seconds, admit=_always)
    except CallFailed as failed:
        return Finding(about=about, told=_trouble(model, failed, timeout_seconds), is_well=False)
    return Finding(about=about, told=f"it answered after {time.monotonic() - started:.1f} seconds")


async def _always() -> None:
    """Admit a request that nobody's quota is asked for."""


def _trouble(model: ModelName, failed: CallFailed, timeout_seconds: float) -> str:
    """Return what is wrong and what to do, in one sentence without its full stop."""
    match failed.kind:
        case "unauthorised" if isinstance(failed.__cause__, ModelNotFoundError):
            if model.provider == "ollama":
                return f"Ollama does not have it: run “ollama pull {model.name}”"
            return "the service knows no model of this name: mend the name"
        case "unauthorised":
            return f"the key is refused: check {_KEYS[model.provider]}"
        case "rate_limited" if isinstance(failed.__cause__, ModelQuotaExceededError):
            return (
                "its quota of the day, or the credit, is used up: wait, pay, or name a second model behind it"
            )
        case "rate_limited":
            return f"it is over its quota{_until(failed)}: try again then, or name a second model behind it"
        case "timeout":
            return f"no answer within {timeout_seconds:g} seconds: check {_ADDRESSES[model.provider]}"
        case "connection":
            return f"it cannot be reached: check {_ADDRESSES[model.provider]}"
        case otherwise:
            return _OTHERWISE[otherwise]


def _until(failed: CallFailed) -> str:
    seconds = failed.retry_after_seconds
    return "" if seconds is None else f" for the next {seconds:.0f} seconds"


MODEL_SECONDS: Final = 20.0
"""Real seconds that a model has for its tiny question; a reply gives it no more."""

_EARLIEST: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Before this there was no Keepsake: a clock that says so was never set."""

_MOST_APART: Final = timedelta(minutes=1)
"""How far two machines' clocks may differ before "just now" and the order of things go wrong."""

_GIGABYTE: Final = 1_000_000_000
_LEAST_FREE_BYTES: Final = _GIGABYTE
_LEAST_FREE_SHARE: Final = 0.1

_WORK_SECONDS: Final = 3600.0
"""Work that is due for so long is not waiting for its turn; what waits for a quota is due later."""

_ANSWER_SECONDS: Final = 300.0
"""An answer that was not sent is tried again every minute."""


async def run() -> int:
    """Examine everything, print one line each, and return 1 if something must be done, else 0."""
    is_well = True
    async for finding in examined():
        print(finding, flush=True)
        is_well = is_well and finding.is_well
    return 0 if is_well else 1


async def examined(*, model_seconds: float = MODEL_SECONDS) -> AsyncIterator[Finding]:
    """Find out about the settings of the environment and all that hangs on them, in the order of reading.

    Nothing is changed, but the embedded server is started if it is the one in use. A model gets
    `model_seconds` real seconds for its question.
    """
    try:
        settings = Settings.load()
        chains_of(settings)
        usage_limits_of(settings)
    except SettingsError as error:
        yield Finding(about="settings", told=str(error), is_well=False)
        return
    yield _of_settings(settings)
    seen = await _seen_database(settings)
    yield seen.finding
    for finding in seen.work:
        yield finding
    if settings.database_direct_url is not None:
        yield await _of_direct_address(settings.database_direct_url.get_secret_value(), settings)
    discord_lead = None
    if settings.discord_token is not None:
        finding, discord_lead = await _of_discord(settings)
        yield finding
    for finding in await _of_models(settings, model_seconds):
        yield finding
    yield of_clock(SystemClock().now(), seen.clock_lead, discord_lead)
    yield of_disk(seen.folder, is_of_database=seen.is_folder_of_database)


def of_condition(state: DatabaseState, server: EmbeddedServer | None = None) -> Finding:
    """Say whether this code can work on a database in that state; `server` is the embedded one, if it is."""
    where = (
        f"in {server.folder}"
        if server is not None
        else f"{state.name} at {state.address or 'a local socket'}"
    )
    told = f"Postgres {state.version}, {where}, {state.size_bytes / 1_000_000:.0f} MB"
    known = migrations.revisions()
    if state.server_version < migrations.MINIMUM_SERVER_VERSION:
        told += "; Keepsake needs Postgres 16 or newer: set DATABASE_URL to such a server"
        return Finding(about="database", told=told, is_well=False)
    if state.revision is None:
        return Finding(about="database", told=f"{told}; still empty, its tables are made at the first start")
    if state.revision == migrations.UNFINISHED:
        told += "; a backup is being restored into it, or was not to its end: repeat “keepsake restore”"
        return Finding(about="database", told=told, is_well=False)
    if state.revision not in known:
        told += (
            f"; its tables are of revision {state.revision}, made by a newer Keepsake: install that version"
        )
        return Finding(about="database", told=told, is_well=False)
    if state.revision != known[0]:
        told += f"; its tables are of revision {state.revision}, the next start brings them to {known[0]}"
        return Finding(about="database", told=told)
    return Finding(about="database", told=f"{told}; its tables are up to date (revision {state.revision})")


def of_services(failing: Sequence[ServiceFailure]) -> Finding:
    """Say which loops of processes that run now fail, and since when."""
    told = [
        f"{one.name} fails for {one.seconds:.0f} s ({one.error}, {one.failures} times)" for one in failing
    ]
    if not told:
        return Finding(about="services", told="none is reported to fail")
    return Finding(
        about="services",
        told=f"{'; '.join(told)}: the log of that process says where, and each is tried again within a minute",
        is_well=False,
    )


async def of_backup(connection: Connection, *, now: datetime, alert_days: int) -> Finding:
    """Say how old the last backup is; one that is older than `alert_days` is too old, unless these are 0."""
    last_at = await copying.last_backup(connection)
    since = last_at or await guilds_repository.first_joined_at(connection)
    is_due = alert_days > 0 and since is not None and now - since > timedelta(days=alert_days)
    told = (
        "none was made yet"
        if last_at is None
        else f"the last was made {_days(now - last_at)} ago, on {last_at:%Y-%m-%d %H:%M} UTC"
    )
    if is_due or last_at is None:
        told += ": “keepsake backup FILE” makes one while the bot runs"
    return Finding(about="backups", told=told, is_well=not is_due)


def _days(age: timedelta) -> str:
    hours = age.total_seconds() / 3600
    return f"{hours:.0f} hours" if hours < 48 else f"{age.days} days"


def of_waiting_work(found: WaitingWork) -> Finding:
    """Say how much background work is due that nobody does, and how much was given up."""
    told = f"{found.count} pieces are due" if found.count else "none is due"
    is_late = found.oldest_seconds > _WORK_SECONDS
    if is_late:
        told += f", the oldest for {found.oldest_seconds / 60:.0f} minutes: look whether the bot runs, and at its log"
    if found.given_up:
        told += (
            f"; {found.given_up} failed at every try and were given up: “keepsake work list” shows them,"
            " “keepsake work retry” has them tried anew"
        )
    return Finding(about="work", told=told, is_well=not (is_late or found.given_up))


def of_waiting_answers(found: Waiting) -> Finding:
    """Say how many answers wait to be sent that nobody sends."""
    told = f"{found.count} wait to be sent" if found.count else "none waits to be sent"
    if found.oldest_seconds > _ANSWER_SECONDS:
        told += (
            f", the oldest for {found.oldest_seconds / 60:.0f} minutes: look whether the bot runs and may write in its"
            " channels; it tries for a day"
        )
        return Finding(about="answers", told=told, is_well=False)
    return Finding(about="answers", told=told)


def of_quarantine(count: QuarantineCount) -> Finding:
    """Say how many messages could not be written, and wait until whatever is wrong was mended."""
    return Finding(
        about="messages",
        told=f"{count.messages} could not be written ({', '.join(count.errors)}) and are set aside: the log names"
        " them, and they are tried again at each start and every hour",
        is_well=False,
    )


def of_use(used: Mapping[str, Tokens], *, since: date) -> Finding:
    """Say what each model has read and written since a day, and how much of it a provider still had."""
    told = [
        f"{model} {one.input_tokens:,} tokens in ({one.cached_tokens / max(1, one.input_tokens):.0%} cached),"
        f" {one.output_tokens:,} out"
        for model, one in sorted(used.items())
    ]
    return Finding(about="use", told=f"since {since}: {'; '.join(told)}")


def of_clock(now: datetime, lead: timedelta | None = None, discord_lead: timedelta | None = None) -> Finding:
    """Say whether the system's time `now` is plausible.

    `lead` is how far it is before the database server's, and `discord_lead` before Discord's, where they are known.
    """
    told = f"{now:%Y-%m-%d %H:%M:%S} UTC"
    if now < _EARLIEST:
        told += ", which cannot be: set the clock of this machine (timedatectl set-ntp true)"
        return Finding(about="clock", told=told, is_well=False)
    for apart, others in ((lead, "the database server's"), (discord_lead, "Discord's")):
        if apart is not None and abs(apart) > _MOST_APART:
            told += f", {abs(apart).total_seconds():.0f} seconds apart from {others}"
            if abs(apart) > TOLERANCE:
                told += ", and nothing is removed by age until they agree"
            return Finding(about="clock", told=f"{told}: set both by the network (NTP)", is_well=False)
    return Finding(about="clock", told=told)


def of_space(folder: Path, *, free_bytes: int, total_bytes: int) -> Finding:
    """Say whether the disk that `folder` is on has room enough."""
    share = free_bytes / total_bytes if total_bytes else 0.0
    told = f"{free_bytes / _GIGABYTE:.1f} GB free ({share:.0%}) for {folder}"
    if free_bytes < _LEAST_FREE_BYTES or share < _LEAST_FREE_SHARE:
        return Finding(about="disk", told=f"{told}: make room, a full disk stops the database", is_well=False)
    return Finding(about="disk", told=told)


def _of_settings(settings: Settings) -> Finding:
    names = sorted(name.upper() for name in settings.model_fields_set)
    told = f"set: {', '.join(names)}" if names else "none is set, the defaults hold"
    if strange := unknown_names():
        told += f"; {describe_unknown_names(strange)}: correct the name, or remove the line"
    return Finding(about="settings", told=told, is_well=not strange)


async def _of_discord(settings: Settings) -> tuple[Finding, timedelta | None]:
    """Say whether Discord lets the bot in and lets it read, and how far the clock is ahead of Discord's."""
    # Loading the client library takes a while, and without a token nobody needs it.
    from bot.adapters.discord.rest import examine

    found = await examine(settings)
    lead = None if found.told_at is None else SystemClock().now() - found.told_at
    return Finding(about="discord", told=found.told, is_well=found.is_well), lead


@dataclass(frozen=True, slots=True, kw_only=True)
class _SeenDatabase:
    finding: Finding
    folder: Path
    """Whose disk must not be full."""
    is_folder_of_database: bool
    """Whether the database is kept there, and not on another machine."""
    clock_lead: timedelta | None = None
    work: Sequence[Finding] = ()
    """What processes say of their work."""


async def _seen_database(settings: Settings) -> _SeenDatabase:
    folder, is_near = settings.keepsake_home, settings.database_url is None
    try:
        async with database_address(settings) as (address, server):
            folder = server.folder if server is not None else folder
            async with _opened(address, settings) as database:
                state = await database.read(pool.read_state)
                lead = SystemClock().now() - state.now
                is_current = state.revision == migrations.revisions()[0]
                work = await _of_work(database, settings) if is_current else []
                if server is None:
                    folder, is_near = disk_folder(await database.read(pool.local_data_folder), settings)
            return _SeenDatabase(
                finding=of_condition(state, server),
                folder=folder,
                is_folder_of_database=is_near,
                clock_lead=lead,
                work=work,
            )
    except DatabaseError as error:
        finding = Finding(about="database", told=str(error).rstrip("."), is_well=False)
        return _SeenDatabase(finding=finding, folder=folder, is_folder_of_database=is_near)


async def _of_work(database: Database, settings: Settings) -> list[Finding]:
    found = [
        of_services(await database.read(service.read_failing)),
        of_waiting_work(await database.read(jobs.waiting)),
        of_waiting_answers(await database.read(outbox_repository.waiting_answers)),
        await database.read(of_backup, now=SystemClock().now(), alert_days=settings.backup_alert_days),
    ]
    count = await database.read(repository_quarantine.count)
    found += [of_quarantine(count)] if count.messages else []
    since = SystemClock().now().date().replace(day=1)
    used = await database.read(lambda connection: ledger.tokens_since(connection, since))
    return [*found, of_use(used, since=since)] if used else found


async def _of_direct_address(address: str, settings: Settings) -> Finding:
    try:
        async with _opened(address, settings) as database:
            await database.read(pool.read_state)
    except DatabaseError as error:
        told = f"{str(error).rstrip('.')}: correct DATABASE_DIRECT_URL, migrations need it"
        return Finding(about="direct database", told=told, is_well=False)
    return Finding(about="direct database", told="DATABASE_DIRECT_URL can be reached")


@asynccontextmanager
async def _opened(address: str, settings: Settings) -> AsyncIterator[Database]:
    try:
        database = await Database.open(
            address,
            pool_size=2,
            statement_cache=settings.database_statement_cache,
            timeout_seconds=settings.database_timeout_seconds,
        )
    except (ValueError, asyncpg.InterfaceError) as error:
        # Its text may quote the address, and with it the password.
        raise DatabaseError(
            f"the address cannot be used ({type(error).__name__}): write it as"
            " postgresql://user:password@host:5432/database"
        ) from error
    try:
        yield database
    finally:
        await database.close()


async def _of_models(settings: Settings, seconds: float) -> list[Finding]:
    access = access_of(settings)
    roles: dict[ModelName, list[str]] = {}
    for role, chain in chains_of(settings).items():
        for model in chain:
            if model.provider in access:
                roles.setdefault(model, []).append(role)
    if not roles:
        return [Finding(about="models", told=NO_MODEL)]
    caller = AgentCaller(Providers(roles, access))
    try:
        return await asyncio.gather(*(_of_model(caller, *one, seconds) for one in roles.items()))
    finally:
        await caller.close()


def of_disk(folder: Path, *, is_of_database: bool) -> Finding:
    """Say whether the disk of a folder has room; of a database elsewhere nobody here can tell."""
    usage = shutil.disk_usage(existing_folder(folder))
    found = of_space(folder, free_bytes=usage.free, total_bytes=usage.total)
    if is_of_database:
        return found
    return Finding(
        about=found.about,
        told=f"{found.told}; the database is on another machine or hides where it is: look at its disk there",
        is_well=found.is_well,
    )


def disk_folder(data: Path | None, settings: Settings) -> tuple[Path, bool]:
    """Return the folder whose disk is looked at, and whether the database is there (in `data`, if known)."""
    return (data, True) if data is not None and data.is_dir() else (settings.keepsake_home, False)


def existing_folder(folder: Path) -> Path:
    """Return the nearest folder that there is, of `folder` and those above it."""
    return next((place for place in (folder, *folder.parents) if place.exists()), Path("/"))
