"""Runs every measurement: `make bench`."""

import asyncio

from bench import answers, days, episodes, handler, hearing, prompt, recall, recall_large, relevance, secrets


async def measure() -> None:
    """Run them one after another, so that none disturbs another."""
    await hearing.measure()
    await secrets.measure()
    await handler.measure()
    await answers.measure()
    await days.measure()
    await relevance.measure()
    await prompt.measure()
    await episodes.measure()
    await recall.measure()
    await recall_large.measure()


if __name__ == "__main__":
    asyncio.run(measure())
