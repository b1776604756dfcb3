"""Leases of shards: whatever processes do and whenever they die, no shard is listened to twice."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.errors import InvalidInputError
from bot.db.leases import ShardLeases
from bot.db.pool import Database

ONE, OTHER, THIRD = (UUID(int=number) for number in (1, 2, 3))


@pytest.fixture
def shards(database: Database) -> ShardLeases:
    return ShardLeases(database)


@pytest.fixture
async def second_database(dsn: str) -> AsyncIterator[Database]:
    database = await Database.open(dsn, statement_cache=0)
    yield database
    await database.close()


async def let_time_pass(database: Database, holder: UUID) -> None:
    """Let the leases of `holder` run out, as 30 seconds without a renewal do."""
    await database.write(
        lambda connection: connection.execute(
            "UPDATE shard_leases SET leased_until = clock_timestamp() WHERE holder = $1", holder
        )
    )


async def test_a_living_lease_keeps_others_off_its_shards_and_off_another_count(shards: ShardLeases) -> None:
    assert await shards.take(range(4), 8, ONE)
    assert not await shards.take([3, 4], 8, OTHER)
    assert not await shards.take([9], 16, OTHER)
    assert await shards.take(range(4, 8), 8, OTHER)
    assert await shards.renew(ONE)
    assert await shards.renew(OTHER)


async def test_the_holder_may_take_again_and_change_its_mind(shards: ShardLeases) -> None:
    assert await shards.take(range(4), 4, ONE)
    assert await shards.take(range(4), 4, ONE)
    assert await shards.take([0], 2, ONE)
    assert await shards.take([1], 2, OTHER)


async def test_what_is_given_back_is_free_at_once(shards: ShardLeases) -> None:
    assert await shards.take([0], 1, ONE)
    await shards.give_back(ONE)
    assert not await shards.renew(ONE)
    assert await shards.take([0], 1, OTHER)


async def test_the_shards_of_a_dead_process_can_be_taken_and_it_is_told_when_it_comes_back(
    shards: ShardLeases, database: Database
) -> None:
    assert await shards.take(range(4), 4, ONE)
    await let_time_pass(database, ONE)
    assert await shards.take([2], 4, OTHER)
    # Not even of the shards that nobody took: it can listen to all of its own or to none.
    assert not await shards.renew(ONE)
    assert await shards.take([0, 1, 3], 4, ONE)


async def test_a_late_renewal_keeps_what_nobody_wanted(shards: ShardLeases, database: Database) -> None:
    assert await shards.take(range(4), 4, ONE)
    await let_time_pass(database, ONE)
    assert await shards.renew(ONE)
    assert not await shards.take([0], 4, OTHER)


async def test_a_late_renewal_meets_no_other_count_and_no_harm_from_who_counts_the_same(
    shards: ShardLeases, database: Database
) -> None:
    assert await shards.take([0], 2, ONE)
    await let_time_pass(database, ONE)
    assert await shards.take([1], 2, OTHER)
    assert await shards.renew(ONE)
    await let_time_pass(database, ONE)
    await let_time_pass(database, OTHER)
    assert await shards.take([3], 4, THIRD)
    assert not await shards.renew(ONE)
    assert not await shards.renew(OTHER)


async def test_of_many_who_take_at_once_one_gets_the_shards(
    database: Database, second_database: Database
) -> None:
    taken = await asyncio.gather(
        *(
            ShardLeases(used).take([0, number % 3], 3 + number % 2, uuid4())
            for number in range(10)
            for used in (database, second_database)
        )
    )
    assert sum(taken) == 1


@pytest.mark.parametrize(("shard_ids", "count"), [([], 4), ([4], 4), ([-1], 4), ([0], 0)])
async def test_shards_that_cannot_be_are_refused(
    shards: ShardLeases, shard_ids: list[int], count: int
) -> None:
    with pytest.raises(InvalidInputError, match=f"of {count} cannot be"):
        await shards.take(shard_ids, count, ONE)


STEPS = st.lists(
    st.tuples(
        st.sampled_from([ONE, OTHER, THIRD]),
        st.one_of(
            st.sampled_from(["renew", "give back", "die"]),
            st.tuples(st.sets(st.integers(0, 3), min_size=1), st.sampled_from([4, 5])),
        ),
    ),
    max_size=15,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
async def test_no_order_of_events_gives_one_shard_to_two(
    database: Database, steps: list[tuple[UUID, str | tuple[set[int], int]]]
) -> None:
    shards = ShardLeases(database)
    for holder in (ONE, OTHER, THIRD):
        await shards.give_back(holder)
    believed: dict[UUID, tuple[set[int], int]] = {}
    dead: set[UUID] = set()
    for holder, step in steps:
        match step:
            case "renew":
                if not await shards.renew(holder):
                    believed.pop(holder, None)
                dead.discard(holder)
            case "give back":
                await shards.give_back(holder)
                believed.pop(holder, None)
            case "die":
                await let_time_pass(database, holder)
                dead.add(holder)
            case (set() as shard_ids, int() as count):
                others = {one: had for one, had in believed.items() if one not in dead | {holder}}
                free = all(count == had[1] and not shard_ids & had[0] for had in others.values())
                assert await shards.take(shard_ids, count, holder) == free
                if free:
                    believed[holder] = (shard_ids, count)
                    dead.discard(holder)
        living = [had for one, had in believed.items() if one not in dead]
        held = [shard_id for shard_ids, _ in living for shard_id in shard_ids]
        assert len(held) == len(set(held))
        assert len({count for _, count in living}) <= 1
