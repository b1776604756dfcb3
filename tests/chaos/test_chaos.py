"""The same script with faults and without: nothing is lost, doubled or revived, and nobody goes unanswered."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.chaos.cluster import Cluster
from tests.chaos.report import table
from tests.chaos.run import Patience, played
from tests.chaos.script import drawn
from tests.chaos.weather import forecast, leap


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[Cluster]:
    async with Cluster(tmp_path / "postgres") as cluster:
        yield cluster


async def held(
    cluster: Cluster, *, seed: int, seconds: float, per_second: float, faults: int, patience: Patience
) -> None:
    """Hold that a run with faults leaves what a calm one does, and print its figures."""
    print(f"\nCHAOS_SEED={seed}", flush=True)
    script = drawn(seed, seconds=seconds, per_second=per_second)
    coming = forecast(seed, len(script.acts), faults=faults)
    leaps_at = leap(coming, len(script.acts))
    calm = await played(script, cluster, [], leaps_at=leaps_at, patience=patience)
    assert not calm.wrong, "without faults:\n" + "\n".join(map(str, calm.wrong))
    stormy = await played(script, cluster, coming, leaps_at=leaps_at, patience=patience, calm=calm.left)
    told = table(script, calm, stormy)
    print(f"\n{told}")
    if log := os.environ.get("CHAOS_LOG"):
        await asyncio.to_thread(Path(log).write_text, "\n".join([told, *stormy.lines]))
    assert not stormy.wrong, told


@pytest.mark.processes
@pytest.mark.soak
async def test_a_few_gusts_leave_what_a_calm_day_leaves(cluster: Cluster) -> None:
    await held(
        cluster,
        seed=7,
        seconds=6,
        per_second=25,
        faults=8,
        patience=Patience(seconds=60, steady_seconds=2),
    )


@pytest.mark.processes
@pytest.mark.soak
async def test_a_storm_leaves_what_a_calm_day_leaves(cluster: Cluster) -> None:
    seconds = float(os.environ.get("CHAOS_SECONDS", "60"))
    await held(
        cluster,
        seed=int(os.environ.get("CHAOS_SEED") or time.time()),
        seconds=seconds,
        per_second=float(os.environ.get("CHAOS_PER_SECOND", "100")),
        faults=int(os.environ.get("CHAOS_FAULTS", str(int(seconds / 1.5)))),
        patience=Patience(seconds=120),
    )
