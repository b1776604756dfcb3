"""Runs every measurement: `make bench`."""

import asyncio

from bench import answers, days, handler, hearing


async def measure() -> None:
    """Run them one after another, so that none disturbs another."""
    await hearing.measure()
    await handler.measure()
    await answers.measure()
    await days.measure()


if __name__ == "__main__":
    asyncio.run(measure())
