"""Plays the scenes and prints for which share of the questions a reply is given all that it needs.

`python -m bench.scenes [--scene NAME ...] [--kind KIND] [--failing] [--data]`.
"""

import argparse
import asyncio
import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import asyncpg

from bench.scenes.playing import Verdict, played
from bench.scenes.scene import KINDS, scenes
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Database


async def judged(names: Sequence[str]) -> list[Verdict]:
    """Play these scenes, each over a database of its own."""
    verdicts = []
    with tempfile.TemporaryDirectory() as home:
        server = EmbeddedServer(Path(home))
        await server.start()
        try:
            for name in names:
                await migrations.migrate(server.dsn)
                database = await Database.open(server.dsn)
                try:
                    verdicts += await played(name, scenes()[name], database)
                finally:
                    await database.close()
                await _emptied(server.dsn)
        finally:
            await server.stop()
    return verdicts


async def _emptied(dsn: str) -> None:
    connection = await asyncpg.connect(dsn)
    await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    await connection.close()


def table_of(verdicts: Sequence[Verdict]) -> str:
    """Return the shares by kind and language, as a table in Markdown, and the tokens below it."""
    languages = sorted({one.language for one in verdicts})
    rows = [f"| | {' | '.join(languages)} | all |", f"|---|{'--:|' * (len(languages) + 1)}"]
    for kind, meaning in [*KINDS.items(), ("", "**all**")]:
        of_kind = [one for one in verdicts if kind in {one.question.kind, ""}]
        cells = [_share([one for one in of_kind if one.language == language]) for language in languages]
        rows.append(f"| {meaning} | {' | '.join([*cells, _share(of_kind)])} |")
    return "\n".join([*rows, "", _tokens(verdicts)])


def _share(verdicts: Sequence[Verdict]) -> str:
    return f"{sum(one.is_right for one in verdicts)} of {len(verdicts)}"


def _tokens(verdicts: Sequence[Verdict]) -> str:
    tokens = [one.tokens for one in verdicts if one.tokens is not None]
    calls = sum(one.calls for one in verdicts) / len(verdicts)
    most, usual = max(tokens, default=0), median(tokens) if tokens else 0
    return (
        f"{len(tokens)} of {len(verdicts)} replies by a model; tokens of data: {usual:,.0f} at the median,"
        f" {most:,} at most; {calls:.2f} calls a question."
    )


def _told(one: Verdict, *, with_data: bool) -> str:
    said = (
        f"{one.scene} ({one.question.kind}) {one.question.ask}\n    missing {one.missing} leaked {one.leaked}"
    )
    return f"{said} tokens {one.tokens}\n{one.data}\n" if with_data else f"{said} tokens {one.tokens}"


async def measure() -> None:
    """Play all scenes and print the shares."""
    print(table_of(await _judged_quietly(list(scenes()))))
    print()


async def _judged_quietly(names: Sequence[str]) -> list[Verdict]:
    # That the scripted models tell no narrative is retried, and said each time.
    logging.disable(logging.WARNING)
    try:
        return await judged(names)
    finally:
        logging.disable(logging.NOTSET)


def main() -> None:
    """Read the command line, play, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scene", nargs="+", choices=sorted(scenes()))
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--failing", action="store_true", help="name the questions that lack something")
    parser.add_argument("--data", action="store_true", help="with what each reply was given")
    asked = parser.parse_args()
    verdicts = asyncio.run(_judged_quietly(asked.scene or list(scenes())))
    verdicts = [one for one in verdicts if asked.kind in {None, one.question.kind}]
    for one in verdicts:
        if not one.is_right or not asked.failing:
            print(_told(one, with_data=asked.data))
    print(table_of(verdicts))


if __name__ == "__main__":
    main()
