"""The composition root: builds all parts of the bot from the settings and connects them."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from bot.chat.conversation import Conversation
from bot.chat.keepsake import Keepsake as Keepsake
from bot.chat.usecases.usecases import UseCases
from bot.core.clock import Clock
from bot.core.settings import Settings
from bot.db import migrations
from bot.db.clock_watch import ClockWatch
from bot.db.embedded.server import EmbeddedServer
from bot.db.jobs import JobWorkers
from bot.db.pool import Database
from bot.db.service import ServiceReport, Services
from bot.llm.ledger import DatabaseLedger
from bot.llm.operation import Models, Operations
from bot.llm.providers import build_models
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.guilds import text_search
from bot.memory.guilds.text_search import REINDEX_JOB, Reindexer
from bot.memory.manager import MemoryManager
from bot.memory.members import known
from bot.memory.members.directory import Directory
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.tombstones import Hasher
from bot.memory.recall.lexicon import LEXICON_JOB
from bot.memory.recall.library import Library
from bot.memory.rights import retention
from bot.memory.rights.forgetting.repository import FORGETTING_JOB
from bot.memory.rights.retention import RETENTION_JOB, Retention, Sweeper
from bot.memory.rights.rows import ERASING_JOB


@asynccontextmanager
async def database_address(settings: Settings) -> AsyncIterator[tuple[str, EmbeddedServer | None]]:
    """Give the address of the database of the settings, and the embedded server, started, if none is named."""
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value(), None
        return
    async with AsyncExitStack() as stack:
        server = EmbeddedServer(settings.keepsake_home)
        stack.push_async_callback(server.stop)
        await server.start()
        yield server.dsn, server


@asynccontextmanager
async def open_database(settings: Settings) -> AsyncIterator[Database]:
    """Open the migrated database of the settings, starting the embedded server if none is named."""
    async with AsyncExitStack() as stack:
        dsn, server = await stack.enter_async_context(database_address(settings))
        direct = settings.database_direct_url
        await migrations.migrate(direct.get_secret_value() if direct else dsn)
        database = await Database.open(
            dsn,
            pool_size=settings.database_pool_size,
            statement_cache=settings.database_statement_cache,
            timeout_seconds=settings.database_timeout_seconds,
            revive=server.ensure_running if server else None,
        )
        stack.push_async_callback(database.close)
        yield database


@asynccontextmanager
async def open_keepsake(settings: Settings, clock: Clock) -> AsyncIterator[Keepsake]:
    """Open the database and everything on it; what was heard is written before this ends."""
    async with open_database(settings) as database, assembled(settings, clock, database) as keepsake:
        yield keepsake


@asynccontextmanager
async def assembled(
    settings: Settings,
    clock: Clock,
    database: Database,
    *,
    machine: Clock | None = None,
    models: Models | None = None,
) -> AsyncIterator[Keepsake]:
    """Join the parts over `database`, start them, and stop them in the end.

    `machine` is the clock of the machine, whatever the bot's `clock` shows; the system's if it is `None`. `models`
    answer in place of those of the settings; who passes them closes them.
    """
    meter = database.meter
    own_models = None if models else build_models(settings, DatabaseLedger(database), meter=meter)
    operations = Operations(models or own_models, meter=meter)
    services = Services()
    report = ServiceReport(database, services)
    work = JobWorkers(
        database,
        workers=settings.background_workers,
        own_lanes=(ERASING_JOB, FORGETTING_JOB, RETENTION_JOB),
        upkeep=(REINDEX_JOB, LEXICON_JOB, RETENTION_JOB),
        services=services,
    )
    hasher = Hasher(await database.read(policy_repository.hash_secret))
    watch = ClockWatch(database, awaits_discord=settings.discord_token is not None, machine=machine)
    directory = Directory(
        database, notify=work.wake, purge_episodes=settings.purge_episodes_of_deleted_channels
    )
    needs = MemoryDependencies(
        database=database,
        directory=directory,
        operations=operations,
        clock=clock,
        clock_watch=watch,
        settings=settings,
        hasher=hasher,
        notify=work.wake,
        services=services,
    )
    memory = MemoryManager(needs)
    work.take_up(
        {
            text_search.REINDEX_JOB: Reindexer(database).relex,
            known.INDEXING_JOB: known.NameIndexer(database).index,
            retention.RETENTION_JOB: Sweeper(
                database, settings, watch, who_left=memory.erasing.ask_for_who_left
            ).sweep,
            **memory.handlers(),
        }
    )
    library = Library(database, clock, gap=needs.gap)
    sweeps = Retention(database, clock, settings, watch, notify=work.wake, services=services)
    async with AsyncExitStack() as stack:
        if own_models is not None:
            stack.push_async_callback(own_models.close)
        report.start()
        stack.push_async_callback(report.stop)
        memory.start()
        stack.push_async_callback(memory.stop)
        work.start()
        stack.push_async_callback(work.stop)
        await sweeps.start()
        stack.push_async_callback(sweeps.stop)
        await memory.episodes.start()
        stack.push_async_callback(memory.episodes.stop)
        yield Keepsake(
            settings=settings,
            clock=clock,
            memory=memory,
            directory=directory,
            library=library,
            conversation=Conversation(memory, directory, library, clock, settings, operations, meter=meter),
            use_cases=UseCases(
                memory, directory, library, clock=clock, settings=settings, operations=operations
            ),
            work=work,
            retention=sweeps,
            services=services,
            clock_watch=watch,
            meter=meter,
            models=own_models,
        )
