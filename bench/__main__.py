"""Runs every measurement: `make bench`."""

import asyncio

from bench import hearing

if __name__ == "__main__":
    asyncio.run(hearing.measure())
