"""What remembering costs: counted by a loopback Gemini, compared with simpler ways, and written to docs/cost.md."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench import money, reading, turn
from bench.alternatives import Cost, member_by_member, whole_days_again
from bench.homes import own_home
from bench.money import Spent
from bench.reading import Read
from bench.talk import Day, Talk, mean_letters
from bench.week import Counted, play, settle, stage
from bench.written import written
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Database

MEMBERS: Final = 20
MESSAGES_A_DAY: Final = 2_000
QUESTIONS_A_DAY: Final = 30
DAYS: Final = 7

MOST_CALLS_EACH: Final = 0.05
"""Calls for each message heard that all work of the memory may take."""
MOST_TOKENS_EACH: Final = 120
"""Prompt tokens for each message heard."""
MOST_OFTEN_SENT: Final = 2
"""Times that one message may be sent to a model: while its day lasts, and when it is over."""

MOST_SHARE_OF_EPISODES: Final = 0.05
"""Of all tokens, what making episodes and making room for them may take."""

_COST: Final = Path(__file__).parent.parent / "docs" / "cost.md"


@dataclass(frozen=True, slots=True)
class Week:
    """What some days took, and what they would have taken otherwise."""

    members: int
    said: Sequence[Day]
    counted: Counted
    letters: float
    """Of a message, on average."""
    whole_days_again: Cost
    member_by_member: Cost

    def otherwise(self, days: Cost) -> Cost:
        """Return what all work would take if days were told in another way."""
        counted = self.counted
        return Cost(
            days.calls + counted.calls.total() - counted.calls["summarise_day"],
            days.tokens + counted.tokens.total() - counted.tokens["summarise_day"],
        )


async def count_week(
    database: Database,
    *,
    members: int = MEMBERS,
    messages_a_day: int = MESSAGES_A_DAY,
    questions_a_day: int = QUESTIONS_A_DAY,
    days: int = DAYS,
) -> Week:
    """Play some days of a guild whose questions are answered, and count what was asked of models."""
    talk = Talk(members=members, messages_a_day=messages_a_day, questions_a_day=questions_a_day)
    said = [talk.day(number) for number in range(days)]
    async with stage(database) as told:
        await settle(told.keepsake.memory, told.keepsake.directory, talk, now=told.clock.now())
        counted = await play(told, said)
    return Week(
        members=members,
        said=said,
        counted=counted,
        letters=mean_letters(said),
        whole_days_again=whole_days_again(talk, said, counted.refreshes),
        member_by_member=member_by_member(talk, said),
    )


async def measure() -> None:
    """Count, read and reckon, print what was found, and write it down."""
    async with opened_database() as database:
        week = await count_week(database)
    async with opened_database() as database:
        turns = await turn.turns_of(database)
    async with opened_database() as database:
        alone = await reading.read_a_hundred(database)
    async with opened_database() as database:
        networked = await reading.read_a_hundred_over_the_network(database)
    async with opened_database() as database:
        spent = await money.spent_in_a_month(database)
    _print(week, alone, networked, spent)
    _COST.write_text(written(week, turns, alone, networked, spent), encoding="utf-8")


def _print(week: Week, alone: Read, networked: Read, spent: Sequence[Spent]) -> None:
    counted = week.counted
    print(
        f"memory work for each message heard: {counted.calls_each:.3f} calls, {counted.tokens_each:.0f} tokens"
    )
    print(
        f"conversations: {counted.talk_tokens_each:.0f} tokens for each message heard,"
        f" episodes {counted.share_of_episodes:.1%} of all tokens"
    )
    for name, cost in (
        ("whole days again", week.otherwise(week.whole_days_again)),
        ("member by member", week.otherwise(week.member_by_member)),
    ):
        print(
            f"{name}: {cost.calls / counted.calls.total():.1f} times the calls,"
            f" {cost.tokens / counted.tokens.total():.1f} times the tokens"
        )
    print(f"a message was sent {counted.most_often_sent} times at most")
    for name, read in (("models that are no load", alone), ("a loopback in the process", networked)):
        beyond = f"{read.beyond_calls:.0f} beyond the calls"
        print(f"100 members, {name}: cold {read.cold:.0f} ms, {beyond}, warm {read.warm:.1f} ms")
    print(f"a month of {money.MEMBERS} members: {sum(one.calls for one in spent):,} calls; see {_COST.name}")
    print()


@asynccontextmanager
async def opened_database() -> AsyncIterator[Database]:
    with own_home() as home:
        server = EmbeddedServer(home)
        await server.start()
        try:
            await migrations.migrate(server.dsn)
            database = await Database.open(server.dsn)
            yield database
            await database.close()
        finally:
            await server.stop()
