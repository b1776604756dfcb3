"""Four connections at once: whatever comes in whichever order, one fact holds for each key, in a whole chain."""

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

from bot.core.clock import SetClock
from bot.core.domain import Message, RedactionReason
from bot.db.pool import Connection, Database
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.facts import lifecycle, repository_slots, slots
from bot.memory.facts import repository as facts_repository
from bot.memory.facts.repository import NewFact
from bot.memory.facts.repository_slots import Slot
from bot.memory.facts.slots import settle_rows
from bot.memory.facts.statements import Note
from bot.memory.manager import FactWriting
from bot.memory.messages import repository_writing
from bot.memory.messages.writer import deletion
from tests.memory.living import CHANNEL_ID, SELF, chains, message, note, picked_up, say_anew
from tests.memory.needs import needs_over

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
END = NOON + timedelta(days=3)
CONNECTIONS = 4
_guild_ids = itertools.count(1_000)

REAL = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@dataclass(frozen=True)
class Step:
    """One thing that happens: what, in which message, with which value, said how many hours after noon."""

    what: str
    message_id: int
    value: str
    hours: int
    by_subject: bool = True


def steps(*kinds: str) -> st.SearchStrategy[list[Step]]:
    one = st.builds(
        Step,
        what=st.sampled_from(kinds),
        message_id=st.integers(1, 5),
        value=st.sampled_from(["Alice", "Alicia", "Alisa"]),
        hours=st.integers(0, 40),
        by_subject=st.booleans(),
    )
    return st.lists(one, min_size=4, max_size=14)


class Guild:
    """One guild in which steps happen, at the end of all of them."""

    def __init__(self, needs: MemoryDependencies) -> None:
        self.guild_id = next(_guild_ids)
        self._database = needs.database
        self._hasher = needs.hasher
        self._door = FactWriting(needs)

    async def open(self) -> None:
        """Have the messages heard in which the steps are said."""
        await self._database.write(
            repository_writing.write_messages, [self._message(number) for number in range(1, 6)]
        )

    async def happen(self, in_turn: Sequence[Step]) -> None:
        """Let one step happen after the other."""
        for step in in_turn:
            await getattr(self, f"_{step.what}")(step)

    async def at_once(self, order: Sequence[Step]) -> None:
        """Let the steps happen over several connections at once."""
        await asyncio.gather(*(self.happen(order[start::CONNECTIONS]) for start in range(CONNECTIONS)))

    async def chains(self) -> dict[str, list[tuple[str, str]]]:
        """Return what is kept, by key."""
        return await chains(self._database, SELF, guild_id=self.guild_id)

    async def weights(self) -> list[tuple[object, ...]]:
        """Return what is told of each value beside where it stands."""

        async def read(connection: Connection) -> list[tuple[object, ...]]:
            rows = await connection.fetch(
                """
                SELECT key, value, status, importance, tentative, origin, author_id, cause, said_at FROM facts
                WHERE guild_id = $1 AND status <> 'forgotten' ORDER BY key, value
                """,
                self.guild_id,
            )
            return [tuple(row) for row in rows]

        return await self._database.read(read)

    async def is_settled(self) -> bool:
        """Tell whether to settle once more would change nothing."""
        own = [
            Slot(guild_id=self.guild_id, subject_id=SELF, audience=0, key=key) for key in ("name", "feeling")
        ]

        async def again(connection: Connection) -> bool:
            known = await repository_slots.load_slots(connection, guild_id=self.guild_id, lines=own)
            decided = settle_rows(known.rows, sources=known.sources, now=END, time_zone=known.time_zone)
            return not any(
                slots._is_changed(next(row for row in known.rows if row.fact_id == one.fact_id), one)
                for one in decided
            )

        return await self._database.read(again)

    async def _say(self, step: Step) -> None:
        await self._learn(step, self._name(step))

    async def _feel(self, step: Step) -> None:
        await self._learn(step, self._feeling(step))

    async def _command(self, step: Step) -> None:
        await self._door.remember(self._note(step))

    async def _correct(self, step: Step) -> None:
        held = await self._database.read(
            facts_repository.active_facts, guild_ids=[self.guild_id], audiences=[0], now=END
        )
        for wrong in held:
            if wrong.key == "name":
                await self._door.correct(wrong, replace(self._note(step), cause=f"i:{step.message_id}"))

    async def _take_back(self, step: Step) -> None:
        written = await self._database.read(
            facts_repository.facts_of_messages,
            guild_id=self.guild_id,
            message_ids=[step.message_id],
            causes=[],
        )
        await self._door.take_back(guild_id=self.guild_id, fact_ids=[fact.fact_id for fact in written])

    async def _edit(self, step: Step) -> None:
        wanted = {step.message_id: [replace(self._name(step), cause=f"m:{step.message_id}:{step.hours}")]}
        await self._database.write(say_anew, self._hasher, wanted, guild_id=self.guild_id, now=END)

    async def _delete(self, step: Step) -> None:
        async def change(connection: Connection) -> None:
            gone = deletion(guild_id=self.guild_id, channel_id=CHANNEL_ID, message_id=step.message_id)
            assert gone.withheld is RedactionReason.DELETED
            await repository_writing.write_messages(connection, [gone])
            await lifecycle.withdraw_facts(
                connection, guild_id=self.guild_id, message_ids=[step.message_id], now=END
            )

        await self._database.write(change)

    async def _expire(self, step: Step) -> None:
        moment = NOON + timedelta(hours=step.hours)
        await self._database.write(lifecycle.expire_facts, guild_id=self.guild_id, now=moment, limit=100)

    async def _learn(self, step: Step, fact: NewFact) -> None:
        await self._database.write(
            lifecycle.learn_facts, self._hasher, [fact], now=NOON + timedelta(hours=step.hours)
        )

    def _name(self, step: Step) -> NewFact:
        fact = picked_up(
            step.value,
            key="name",
            content=f"<@{SELF}>'s name is {step.value}",
            message_id=step.message_id,
            said_at=self._moment(step.message_id),
        )
        return replace(fact, guild_id=self.guild_id)

    def _feeling(self, step: Step) -> NewFact:
        lasts = timedelta(hours=6)
        said_at = NOON + timedelta(hours=step.hours)
        fact = picked_up(step.value, key="feeling", message_id=step.message_id, said_at=said_at, lasts=lasts)
        return replace(fact, guild_id=self.guild_id, cause=f"m:{step.message_id}:{step.hours}")

    def _note(self, step: Step) -> Note:
        given = note(
            f"<@{SELF}>'s name is {step.value}",
            message_id=step.message_id,
            said_at=self._moment(step.message_id),
            author_id=SELF if step.by_subject else SELF + 1,
        )
        return replace(given, guild_id=self.guild_id)

    def _message(self, message_id: int) -> Message:
        return replace(message(message_id, at=self._moment(message_id)), guild_id=self.guild_id)

    def _moment(self, message_id: int) -> datetime:
        """Return when a message was said; some on the same day, and not in the order of their ids."""
        return NOON + timedelta(hours=(message_id * 17) % 40)


async def a_guild(database: Database) -> Guild:
    guild = Guild(await needs_over(database, SetClock(END)))
    await guild.open()
    return guild


@REAL
@given(steps("say", "feel", "command", "correct", "take_back", "edit", "delete", "expire"), st.data())
async def test_whatever_four_connections_do_at_once_one_fact_holds_for_each_key_in_a_whole_chain(
    database: Database, happening: list[Step], data: st.DataObject
) -> None:
    repeated = data.draw(st.lists(st.sampled_from(happening), max_size=4))
    guild = await a_guild(database)
    await guild.at_once([*happening, *repeated])
    await guild.happen([Step("expire", 1, "", 72)])
    for chain in (await guild.chains()).values():
        assert len({value for value, _ in chain}) == len(chain), "two rows say the same"
        counting = [status for _, status in chain if status != "inactive"]
        assert counting.count("active") == bool(counting)
    assert await guild.is_settled()


@REAL
@given(steps("say", "command", "delete"), st.data())
async def test_what_was_said_asked_and_deleted_ends_the_same_in_any_order(
    database: Database, happening: list[Step], data: st.DataObject
) -> None:
    # One message says one thing, however often it is heard.
    said = list({(step.what, step.message_id): step for step in happening}.values())
    order = data.draw(st.permutations([*said, *data.draw(st.lists(st.sampled_from(said), max_size=4))]))
    in_turn, at_once = await a_guild(database), await a_guild(database)
    await in_turn.happen(said)
    await at_once.at_once(order)
    assert await at_once.chains() == await in_turn.chains()
    assert await at_once.weights() == await in_turn.weights()
