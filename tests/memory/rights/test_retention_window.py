"""How long a day and what was merged from days may be kept."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.core.domain import Guild
from bot.core.settings import Settings
from bot.memory.rights.retention import window_of
from tests.memory.diary import GUILD_ID

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)
GUILD = Guild(guild_id=GUILD_ID, name="Aquarium")


@pytest.mark.parametrize(
    ("zone", "kept"),
    [("UTC", date(2026, 3, 1)), ("Pacific/Kiritimati", date(2026, 3, 2)), ("Pacific/Honolulu", date(2026, 3, 1))],
)  # fmt: skip
def test_a_day_is_told_until_its_last_message_is_too_old(zone: str, kept: date) -> None:
    guild = replace(GUILD, time_zone=zone)
    window = window_of(guild, settings=Settings(_env_file=None), now=NOW)
    assert window is not None
    assert window.begins == NOW - timedelta(days=30)
    assert window.first_day == kept


def test_what_was_merged_is_kept_while_all_its_days_are_and_never_less_than_the_current_day() -> None:
    for own, oldest in ((30, 24), (7, 1), (6, 0), (3, 0), (1, 0)):
        window = window_of(replace(GUILD, retention_days=own), settings=Settings(_env_file=None), now=NOW)
        assert window is not None
        assert window.merged_from == datetime(2026, 3, 31, tzinfo=UTC) - timedelta(days=oldest)
