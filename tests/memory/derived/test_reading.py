"""A text is built by one at a time, and by whoever wants it in the newest epoch of the memory."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.db.leases import take_build
from bot.db.pool import Connection, Database
from bot.memory.derived import reading
from bot.memory.derived.reading import GuildSituation, ReadTexts, SingleFlight, TextKey

Key = TextKey[str]


def wanted_in(epoch: int) -> Key:
    situation = GuildSituation(
        guild_id=1, time_zone="UTC", memory_epoch=epoch, model_chain="", now=datetime(2026, 3, 1, tzinfo=UTC)
    )
    return TextKey("test", situation, audience=0, subject_id=0, address="", of="")


class Texts(ReadTexts[str, str]):
    """Texts that are kept in a list, and built when `free` is set."""

    def __init__(self, database: Database, flights: SingleFlight) -> None:
        super().__init__(database, flights, most_held=10)
        self.built: list[int] = []
        self.begun: list[int] = []
        self.free = asyncio.Event()

    async def look_up(self, connection: Connection, wanted: Sequence[Key]) -> Mapping[Key, str]:
        return {key: "told" for key in wanted if key.situation.memory_epoch in self.built}

    def build_key(self, keys: Sequence[Key]) -> str:
        return "test"

    async def build(self, keys: Sequence[Key]) -> None:
        (epoch,) = {key.situation.memory_epoch for key in keys}
        assert len(self.begun) == len(self.built), "two are built at once"
        self.begun.append(epoch)
        await self.free.wait()
        self.built.append(epoch)


async def turns() -> None:
    """Let whoever can go on do so."""
    for _ in range(5):
        await asyncio.sleep(0)


async def until_begun(texts: Texts, count: int) -> None:
    while len(texts.begun) < count:
        await asyncio.sleep(0.005)


async def test_who_wants_a_text_later_asks_for_no_lease_while_it_is_built_here(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def counted(
        connection: Connection, guild_id: int, build_key: str, holder: UUID, lease: timedelta
    ) -> bool:
        asked.append(build_key)
        return await take_build(connection, guild_id, build_key, holder, lease)

    monkeypatch.setattr(reading, "take_build", counted)
    flights = SingleFlight(database)
    texts = Texts(database, flights)
    first = asyncio.create_task(flights.built(texts, [wanted_in(1)]))
    await until_begun(texts, 1)
    later = [asyncio.create_task(flights.built(texts, [wanted_in(epoch)])) for epoch in (2, 3, 4)]
    await asyncio.gather(*later[:-1])
    assert not first.done()
    assert not later[-1].done()
    assert len(asked) == 1
    texts.free.set()
    await asyncio.gather(first, *later)
    assert texts.built == [1, 4]
    assert len(asked) == 2
    await flights.built(texts, [wanted_in(3)])
    assert texts.built == [1, 4, 3], "nobody waits any more, so whoever comes builds"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["newer", "same", "older", "build"]), max_size=20))
async def test_in_whatever_order_it_is_wanted_the_newest_text_is_built_and_nobody_waits_for_ever(
    database: Database, acts: Sequence[str]
) -> None:
    flights = SingleFlight(database)
    texts = Texts(database, flights)
    epoch, waiting = 5, [asyncio.create_task(flights.built(texts, [wanted_in(5)]))]
    for act in acts:
        if act == "build":
            texts.free.set()
            await turns()
            texts.free.clear()
            continue
        epoch += act == "newer"
        asked = epoch - (act == "older")
        waiting.append(asyncio.create_task(flights.built(texts, [wanted_in(asked)])))
        await turns()
    texts.free.set()
    await asyncio.wait_for(asyncio.gather(*waiting), 60)
    await flights.settled()
    assert epoch in texts.built
