"""The world of the hunt: two processes of the bot over one database, a guild with rooms of all kinds, a model."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from pydantic import SecretStr

from bot.app import Keepsake, assembled
from bot.chat.incoming import IncomingMessage, MessageOutcome
from bot.chat.usecases.context import RequestContext
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Channel, Guild, Language, Member, Message, MessageKind, snowflake_at
from bot.core.settings import Settings
from bot.db.pool import Database
from tests.leaks.canaries import GUILD_ID
from tests.leaks.parrot import Parrot
from tests.servers.gemini import GeminiServer

BOT_ID: Final = 77
BOT_NAMES: Final = ("Bot", "Бот", "Keepsake")
ALICE, BOB, CAROL, VISITOR = 11, 12, 13, 19
NAMES: Final = {ALICE: "alice", BOB: "bob", CAROL: "carol", VISITOR: "victor"}
MEMBERS: Final = (ALICE, BOB, CAROL)

GENERAL, GAMES, MODS, VAULT, ADULTS, LOUNGE = range(2_000, 2_006)
SECRET_THREAD, LOUNGE_THREAD = 3_000, 3_001


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody may speak; a direct message has an owner, and is a guild of its own."""

    name: str
    guild_id: int
    channel_id: int
    owner_id: int | None = None


PLACES: Final = (
    Place("general", GUILD_ID, GENERAL),
    Place("games", GUILD_ID, GAMES),
    Place("mods", GUILD_ID, MODS),
    Place("vault", GUILD_ID, VAULT),
    Place("adults", GUILD_ID, ADULTS),
    Place("lounge", GUILD_ID, LOUNGE),
    Place("a private thread of general", GUILD_ID, SECRET_THREAD),
    Place("a public thread of the lounge", GUILD_ID, LOUNGE_THREAD),
    Place("alice's direct messages", 9_011, 9_011, ALICE),
    Place("bob's direct messages", 9_012, 9_012, BOB),
)

CLOSED: Final = frozenset({MODS, VAULT, ADULTS, SECRET_THREAD})
"""These have audiences of their own: closed ones, one that is age-restricted, and a private thread."""

PARENTS: Final = {SECRET_THREAD: GENERAL, LOUNGE_THREAD: LOUNGE}


@dataclass
class World:
    """What is done here goes the way of whatever a face tells."""

    database: Database
    clock: SetClock
    gemini: GeminiServer | None
    parrot: Parrot
    processes: list[Keepsake] = field(default_factory=list)
    closed: set[int] = field(default_factory=lambda: set(CLOSED))
    """Channels that the base role cannot read."""
    base_role_id: int | None = None
    _running: list[AsyncExitStack] = field(default_factory=list)

    def audience(self, channel_id: int) -> int:
        """Return the audience of what is said in a channel now."""
        if channel_id in self.closed:
            return channel_id
        parent = PARENTS.get(channel_id)
        return parent if parent in self.closed else OPEN

    async def start(self, processes: int = 2) -> None:
        """Start the processes, and take up the guilds."""
        for _ in range(processes):
            await self._start()
        directory = self.processes[0].directory
        for place in PLACES:
            name = "The guild" if place.owner_id is None else ""
            await directory.add_guild(
                Guild(guild_id=place.guild_id, name=name, direct=place.owner_id is not None)
            )
        await self.put_members()
        await self.put_channels()

    async def put_members(self) -> None:
        """Tell who is here."""
        bot = Member(guild_id=GUILD_ID, user_id=BOT_ID, user_name="Keepsake", is_bot=True)
        present = [_member(GUILD_ID, user_id) for user_id in NAMES]
        in_direct = [
            _member(place.guild_id, place.owner_id) for place in PLACES if place.owner_id is not None
        ]
        await self.processes[0].directory.put_members([bot, *present, *in_direct])

    async def stop(self) -> None:
        """End all processes."""
        for stack in self._running:
            await stack.aclose()

    async def restart(self, process: int) -> None:
        """End a process, and start it anew with nothing but the database."""
        await self._running[process].aclose()
        stack = self._running[process] = AsyncExitStack()
        self.processes[process] = await stack.enter_async_context(self._assembled())

    async def put_channels(self) -> None:
        """Tell the audiences as they are now."""
        await self.processes[0].directory.put_channels(
            [
                Channel(
                    guild_id=place.guild_id,
                    channel_id=place.channel_id,
                    name=place.name.replace(" ", "-"),
                    audience=self.audience(place.channel_id),
                    parent_id=PARENTS.get(place.channel_id),
                )
                for place in PLACES
            ]
        )

    def message(
        self,
        place: Place,
        user_id: int,
        text: str,
        *,
        reply_to: Message | None = None,
        after: timedelta = timedelta(seconds=20),
        kind: MessageKind = MessageKind.MEMBER,
    ) -> Message:
        """Return a message that is written now, a little later than the last."""
        self.clock.advance(after)
        return Message(
            guild_id=place.guild_id,
            channel_id=place.channel_id,
            message_id=snowflake_at(self.clock.now()),
            user_id=user_id,
            text=text,
            timestamp=self.clock.now(),
            audience=self.audience(place.channel_id),
            kind=kind,
            reply_to_id=reply_to.message_id if reply_to else None,
        )

    def hearing(self, place: Place, message: Message) -> IncomingMessage:
        """Return what a face tells of a message."""
        return IncomingMessage(
            message=message,
            bot_id=BOT_ID,
            bot_names=BOT_NAMES,
            direct=place.owner_id is not None,
            visitor=message.user_id == VISITOR,
        )

    async def hear(
        self, process: Keepsake, place: Place, message: Message
    ) -> tuple[MessageOutcome, Message | None]:
        """Let a process hear a message, and deliver its answer; return what became of it, and the answer as sent."""
        outcome = await process.conversation.hear(self.hearing(place, message))
        return outcome, await self._delivered(process, place, message, outcome)

    async def hear_edit(
        self, process: Keepsake, place: Place, edited: Message
    ) -> tuple[MessageOutcome, Message | None]:
        """Let a process hear a later version of a message."""
        outcome = await process.conversation.hear_edit(self.hearing(place, edited))
        return outcome, await self._delivered(process, place, edited, outcome)

    def visit(self, place: Place, user_id: int) -> RequestContext:
        """Return a form's request from a place."""
        self.clock.advance(timedelta(seconds=20))
        return RequestContext(
            guild_id=place.guild_id,
            channel_id=place.channel_id,
            audience=self.audience(place.channel_id),
            user_id=user_id,
            language=Language.ENGLISH,
            interaction_id=snowflake_at(self.clock.now()),
            bot_id=BOT_ID,
            bot_name="Bot",
            visitor=user_id == VISITOR,
            direct=place.owner_id is not None,
        )

    async def settle(self) -> None:
        """Return when everything is done behind that what was heard makes necessary."""
        for process in self.processes:
            await process.memory.settled()
        for place in {place.guild_id: place for place in PLACES}.values():
            await self.processes[0].memory.extractor.noticed(
                guild_id=place.guild_id, up_to_id=snowflake_at(self.clock.now()), seconds=60
            )
        # Work may tell something, and what is told may ask for work.
        for _ in range(2):
            for process in self.processes:
                await process.memory.told()
                await process.work.idle()

    async def _delivered(
        self, process: Keepsake, place: Place, message: Message, outcome: MessageOutcome
    ) -> Message | None:
        if outcome.text is None:
            return None
        sent = self.message(place, BOT_ID, outcome.text, reply_to=message, kind=MessageKind.BOT)
        if outcome.replaces:
            sent = replace(sent, message_id=outcome.replaces[0])
        await process.conversation.delivered(outcome, sent=[sent])
        return sent

    async def _start(self) -> None:
        stack = AsyncExitStack()
        self._running.append(stack)
        self.processes.append(await stack.enter_async_context(self._assembled()))

    @asynccontextmanager
    async def _assembled(self) -> AsyncIterator[Keepsake]:
        model = {}
        if self.gemini is not None:
            model = {"gemini_api_key": SecretStr("x"), "gemini_base_url": self.gemini.url}
        settings = Settings(
            _env_file=None,
            learn_every_turns=2,
            summary_every_messages=5,
            episodes_per_channel=2,
            **model,  # type: ignore[arg-type]
        )
        async with assembled(settings, self.clock, self.database) as keepsake:
            yield keepsake


@asynccontextmanager
async def opened_world(dsn: str, *, with_model: bool) -> AsyncIterator[World]:
    """Give the world over a fresh database; with a model it is the worst."""
    async with AsyncExitStack() as stack:
        parrot = Parrot()
        gemini = await stack.enter_async_context(GeminiServer()) if with_model else None
        if gemini is not None:
            parrot.teach(gemini)
        database = await Database.open(dsn)
        stack.push_async_callback(database.close)
        world = World(database, SetClock(datetime(2026, 3, 1, 9, tzinfo=UTC)), gemini, parrot)
        stack.push_async_callback(world.stop)
        await world.start()
        yield world


def _member(guild_id: int, user_id: int) -> Member:
    return Member(guild_id=guild_id, user_id=user_id, user_name=NAMES[user_id], nickname=NAMES[user_id])


def speakers(place: Place) -> Sequence[int]:
    """Return who may speak in a place."""
    return MEMBERS if place.owner_id is None else (place.owner_id,)
