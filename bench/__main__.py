"""Runs every measurement: `make bench`."""

import asyncio

from bench import answers, hearing


async def measure() -> None:
    """Run them one after another, so that none disturbs another."""
    await hearing.measure()
    await answers.measure()


if __name__ == "__main__":
    asyncio.run(measure())
