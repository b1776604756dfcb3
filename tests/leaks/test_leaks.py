"""The hunt for leaks: nothing said in a closed room is seen outside, nothing forgotten is seen anywhere."""

import asyncio
import itertools
from collections.abc import Callable
from contextlib import AsyncExitStack

import asyncpg
import hypothesis
import pytest
from hypothesis import HealthCheck, Phase
from hypothesis.stateful import run_state_machine_as_test

from tests.databases import Servers
from tests.leaks import acts
from tests.leaks.hunt import Hunt
from tests.leaks.machine import LeakHunt
from tests.leaks.world import opened_world

_numbers = itertools.count(1)


def hunting(servers: Servers, *, with_model: bool) -> type[LeakHunt]:
    """Return the machine, which begins each time in a world over a fresh database."""

    def open_world(runner: asyncio.Runner) -> tuple[Hunt, Callable[[], None]]:
        stack = AsyncExitStack()

        async def opened(admin_dsn: str, dsn: str, name: str) -> Hunt:
            admin = await asyncpg.connect(admin_dsn)
            stack.push_async_callback(admin.close)
            await admin.execute(f"CREATE DATABASE {name} TEMPLATE keepsake")
            stack.push_async_callback(admin.execute, f"DROP DATABASE {name} WITH (FORCE)")
            hunt = Hunt(await stack.enter_async_context(opened_world(dsn, with_model=with_model)), dsn)
            await acts.furnish(hunt)
            return hunt

        name = f"leaks_{next(_numbers)}"
        hunt = runner.run(opened(servers.dsn(18, "postgres"), servers.dsn(18, name), name))
        return hunt, lambda: runner.run(stack.aclose())

    return type("Hunting", (LeakHunt,), {"open_world": staticmethod(open_world)})


def settings(*, examples: int, steps: int, is_random: bool = False) -> hypothesis.settings:
    return hypothesis.settings(
        max_examples=examples,
        stateful_step_count=steps,
        derandomize=not is_random,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        deadline=None,
    )


@pytest.mark.parametrize(
    ("with_model", "examples"), [(True, 4), (False, 2)], ids=["the worst model", "no model"]
)
def test_nothing_is_seen_where_it_must_not_be(servers: Servers, with_model: bool, examples: int) -> None:
    run_state_machine_as_test(
        hunting(servers, with_model=with_model), settings=settings(examples=examples, steps=50)
    )


@pytest.mark.soak
@pytest.mark.parametrize("with_model", [True, False], ids=["the worst model", "no model"])
def test_nothing_is_seen_where_it_must_not_be_however_long_one_looks(
    servers: Servers, with_model: bool
) -> None:
    run_state_machine_as_test(
        hunting(servers, with_model=with_model), settings=settings(examples=25, steps=100, is_random=True)
    )
