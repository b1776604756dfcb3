"""An installation that has lived for a month, so that its pages have something to show."""

from datetime import timedelta

from bot.core.domain import Member
from bot.db.pool import Connection
from tests.adapters.web.homes import (
    ALICE,
    BOB,
    CLOSED,
    GENERAL,
    GUILD,
    NOON,
    TALKS_BEGAN,
    Home,
    live,
    remember,
    said,
)
from tests.memory.summaries.episodes.kept import keep

_MONTH = 30
CAROL = 1_110_000_000_000_000_004

_DAYS = (
    "Allie sold the old bike and looked for one that folds.",
    "Allie baked bread for the picnic, and burnt the first loaf.",
    "Allie moved the chess evening to Friday, since bob_100% travels.",
)

_PROFILE = (
    "Drinks oolong. Lives in Rome and plays chess on Thursdays.",
    "Drinks oolong. Has moved to Oslo, plays chess on Fridays and bakes bread.",
)

_OPERATIONS = (("reply", 40, 2_400, 120), ("extract_facts", 12, 1_800, 90), ("tell_day", 3, 5_200, 300))


async def live_for_a_month(home: Home) -> dict[str, int]:
    """Have a month of talk, facts, days, profiles and calls kept, and return the ids that `live` does."""
    ids = await live(home)
    await home.keepsake.directory.put_members(
        [Member(guild_id=GUILD, user_id=CAROL, user_name="carol", display_name="Carol", nickname="Caz")]
    )
    minute = 24 * 60
    for day in range(1, _MONTH):
        for number in range((day * 7) % 6 + 1):
            who = (ALICE, BOB, CAROL)[number % 3]
            text = f"Number {number} of the day: who is in for chess?"
            await home.keepsake.memory.ingest_message(
                said(text, -day * minute + number, user_id=who, channel_id=CLOSED if number == 1 else GENERAL)
            )
    for number, (statement, who) in enumerate(
        (
            ("I live in Rome", ALICE),
            ("I live in Oslo", ALICE),
            ("I bake bread on Sundays", ALICE),
            ("I collect stamps", BOB),
            ("I am afraid of wasps", CAROL),
        )
    ):
        text = f"Bot, remember that {statement}"
        await remember(home, said(text, 10 + number, user_id=who), statement, subject_id=who)
    await keep(
        home.database,
        f"<@{ALICE}> taught <@{BOB}> an opening; <@{BOB}> won twice with it and bought the tea.",
        guild_id=GUILD,
        channel_id=GENERAL,
        number=19,
        beginning=TALKS_BEGAN,
    )
    await home.database.write(_derived)
    return ids


async def _derived(connection: Connection) -> None:
    today = NOON.date()
    for number, content in enumerate(_PROFILE, start=1):
        await connection.execute(
            "INSERT INTO profiles (guild_id, user_id, version, content, covers_up_to, learned_at)"
            " VALUES ($1, $2, $3, $4, 0, $5)",
            GUILD, ALICE, number, content, NOON - timedelta(days=20 - 9 * number),
        )  # fmt: skip
    for before, content in enumerate(_DAYS):
        await connection.execute(
            "INSERT INTO distillations (guild_id, kind, audience, subject_id, period, sources, time_zone,"
            " model_chain, content, built_at) VALUES ($1, 'day', 0, $2, $3, '1', 'UTC', '', $4, $5)",
            GUILD, ALICE, str(today - timedelta(days=before)), content, NOON,
        )  # fmt: skip
    for before in range(_MONTH):
        for operation, calls, read, wrote in _OPERATIONS:
            times = calls - (before * 5) % calls
            await connection.execute(
                "INSERT INTO usage (guild_id, day, operation, model, calls, failures, input_tokens, output_tokens,"
                " cached_tokens) VALUES ($1, $2, $3, 'google:gemini-2.5-flash', $4, 0, $5, $6, $7)",
                GUILD, today - timedelta(days=before), operation, times, times * read, times * wrote,
                times * read * (30 + before) // 100,
            )  # fmt: skip
