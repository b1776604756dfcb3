"""The last good text of a member is not served once a fact that it may tell has expired."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.memory.derived.reading import GuildSituation
from bot.memory.facts.repository_narratives import FactsVersion
from bot.memory.summaries.memories import GuildState

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def at(moment: datetime, **expiries: datetime) -> GuildState:
    situation = GuildSituation(guild_id=1, time_zone="UTC", memory_epoch=3, model_chain="", now=moment)
    versions = [
        FactsVersion(subject_id=int(subject.strip("_")), audience=0, version="1", expires_at=end)
        for subject, end in expiries.items()
    ]
    return GuildState(situation=situation, watched=[], versions=versions)


def test_a_text_is_served_until_the_first_of_its_facts_expires() -> None:
    fence = at(NOON, _7=NOON + timedelta(hours=6), _8=NOON + timedelta(hours=9)).fence(0)
    assert at(NOON + timedelta(hours=6) - timedelta(seconds=1)).allows(fence, 0)
    assert not at(NOON + timedelta(hours=6)).allows(fence, 0)


def test_a_text_of_another_audience_or_without_expiring_facts_is_served_on() -> None:
    state = at(NOON, _7=NOON + timedelta(hours=6))
    later = at(NOON + timedelta(days=6))
    assert later.allows(state.fence(5), 5)
    assert later.allows(replace(state.fence(0), expires_at=None), 0)
