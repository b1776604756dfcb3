"""Runs every measurement: `make bench`."""

import asyncio

from bench import (
    answers,
    clumsy,
    days,
    episodes,
    first_words,
    footprint,
    handler,
    hearing,
    hints,
    members,
    prompt,
    recall,
    recall_large,
    relevance,
    secrets,
    watched,
)
from bench.scenes import __main__ as scenes


async def measure() -> None:
    """Run them one after another, so that none disturbs another."""
    await hearing.measure()
    await secrets.measure()
    await handler.measure()
    await members.measure()
    await hints.measure()
    await answers.measure()
    await first_words.measure()
    await days.measure()
    await clumsy.measure()
    await relevance.measure()
    await prompt.measure()
    await episodes.measure()
    await scenes.measure()
    await watched.measure()
    await footprint.measure()
    await recall.measure()
    await recall_large.measure()


if __name__ == "__main__":
    asyncio.run(measure())
