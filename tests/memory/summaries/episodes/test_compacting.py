"""A channel keeps to its number of episodes, whatever a model decides, and no other channel is touched."""

from collections.abc import Callable, Mapping, Sequence

import pytest

from bot.core.clock import SetClock
from bot.core.settings import Settings
from bot.db.pool import Database
from tests.memory.summaries.episodes.talks import CLOSED, GENERAL, NOTE, RANDOM, Talks, always_edit
from tests.scripted_models import Script, ScriptedModels

THREE = Settings(_env_file=None, episodes_per_channel=3)


def told(*importances: int) -> ScriptedModels:
    """Return a model that tells of conversations with these importances one after the other."""
    left = iter(importances)

    def tell(prompt: str) -> Mapping[str, object]:
        importance = next(left)
        return {"text": "A talk.", "importance": importance}

    return ScriptedModels(make_episode=tell)


async def test_a_model_that_always_edits_leaves_ten_of_fifteen(database: Database, clock: SetClock) -> None:
    async with Talks(database, clock) as talks:
        for number in range(15):
            await talks.talk(f"talk {number}")
        kept = await talks.kept()
        assert len(kept) == 10
        assert len(talks.asked("compact")) == 10, "which two, and then what of both"
        oldest = kept[-1]
        assert oldest.content == "All of it was talked about."
        assert len(oldest.merged_from) == 5


async def test_the_model_sees_all_of_the_channel_with_dates_and_nothing_else(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock, settings=THREE) as talks:
        await talks.talk("elsewhere", channel_id=RANDOM)
        for number in range(4):
            await talks.talk(f"talk {number}")
        prompt, _ = talks.asked("compact")
        notes = NOTE.findall(prompt)
        assert [short for short, _, _ in notes] == ["e1", "e2", "e3", "e4"]
        assert [bool(new) for _, new, _ in notes] == [True, False, False, False]
        assert "talk 3" in notes[0][2]
        assert "elsewhere" not in prompt
        assert 'date="2026-03-01"' in prompt


async def test_what_takes_the_place_of_two_is_told_with_only_these_in_sight(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock, settings=THREE) as talks:
        for number in range(4):
            await talks.talk(f"talk {number}")
        _, prompt = talks.asked("compact")
        notes = [text for _, _, text in NOTE.findall(prompt)]
        assert ["talk 3" in text for text in notes] == [True, False]
        assert ["talk 0" in text for text in notes] == [False, True]
        assert "of which 1 may be kept" in prompt


async def test_a_decision_is_carried_out(database: Database, clock: SetClock) -> None:
    async with Talks(database, clock, settings=THREE, models=told(1, 2, 3, 4, 5, 6)) as talks:
        talks.models.script["compact_episodes"] = {"action": "delete", "target": "e2", "reason": "slight"}
        for number in range(4):
            await talks.talk(f"talk {number}")
        assert [one.importance for one in await talks.kept()] == [4, 2, 1]
        talks.models.script["compact_episodes"] = edit("e4", "e2", text="Talk and talk.")
        gone = (await talks.kept())[0]
        await talks.talk("talk 5")
        kept = await talks.kept()
        assert [one.importance for one in kept] == [5, 2, 4]
        assert kept[2].content == "Talk and talk."
        assert kept[2].merged_from == (gone.episode_id,)
        assert kept[2].last_message_id == gone.last_message_id
        talks.models.script["compact_episodes"] = edit("e2", text="A talk with the new.")
        await talks.talk("talk 6")
        assert [one.content for one in await talks.kept()] == [
            "A talk with the new.",
            "A talk.",
            "Talk and talk.",
        ]


def edit(target: str, merged: str | None = None, *, text: str) -> Callable[[str], Mapping[str, object]]:
    """Return a model that takes one note into another, and tells this of the two when it sees only them."""

    def decide(prompt: str) -> Mapping[str, object]:
        if len(NOTE.findall(prompt)) == 2:
            return {"action": "edit", "target": "e2", "text": text}
        return {"action": "edit", "target": target, "merged": merged}

    return decide


WRONG: list[Script] = [
    None,
    {"action": "edit", "target": "e2", "merged": "e2", "text": "Itself."},
    {"action": "edit", "target": "e1", "text": "The new one into itself."},
    {"action": "delete", "target": "e5"},
    {"action": "keep", "target": "e1"},
]


@pytest.mark.parametrize("wrong", WRONG)
async def test_without_a_sound_decision_the_oldest_of_the_least_important_goes(
    database: Database, clock: SetClock, wrong: Script
) -> None:
    async with Talks(database, clock, settings=THREE, models=told(2, 1, 1, 7)) as talks:
        talks.models.script["compact_episodes"] = wrong
        firsts = [await talks.talk(f"talk {number}") for number in range(4)]
        kept = await talks.kept()
        assert [one.importance for one in kept] == [7, 1, 2]
        assert kept[1].first_message_id == firsts[2].message_id


@pytest.mark.parametrize("text", [" ", "a" * 401, "<@555> was there."])
async def test_without_a_sound_text_of_two_the_less_important_of_them_goes(
    database: Database, clock: SetClock, text: str
) -> None:
    async with Talks(database, clock, settings=THREE, models=told(2, 1, 3, 7)) as talks:
        talks.models.script["compact_episodes"] = edit("e2", "e4", text=text)
        for number in range(4):
            await talks.talk(f"talk {number}")
        assert [(one.importance, one.content) for one in await talks.kept()] == [
            (7, "A talk."),
            (3, "A talk."),
            (1, "A talk."),
        ]


async def test_another_channels_episode_cannot_be_named(database: Database, clock: SetClock) -> None:
    async with Talks(database, clock, settings=THREE) as talks:
        await talks.talk("theirs", channel_id=RANDOM)
        (theirs,) = await talks.kept(RANDOM)
        for number in range(3):
            await talks.talk(f"talk {number}")
        for target in (str(theirs.episode_id), f"e{theirs.episode_id + 100}"):
            talks.models.script["compact_episodes"] = {"action": "delete", "target": target}
            await talks.talk("one more")
            assert len(await talks.kept()) == 3
            assert await talks.kept(RANDOM) == [theirs]
        assert len(talks.models.refused) == 2


async def test_a_lower_limit_is_reached_at_the_next_episode(database: Database, clock: SetClock) -> None:
    async with Talks(database, clock) as talks:
        for number in range(6):
            await talks.talk(f"talk {number}")
    async with Talks(database, clock, settings=THREE) as talks:
        await talks.talk("one more")
        assert len(await talks.kept()) == 3
        assert len(talks.asked("compact")) == 2, "one decision, and one text of two"


@pytest.mark.parametrize(
    ("audiences", "merged"),
    [((0, 0, CLOSED, 0), 0), ((0, 0, 0, CLOSED), CLOSED), ((CLOSED, 0, 0, 0), CLOSED)],
)
async def test_what_was_written_of_two_is_closed_where_one_of_them_is(
    database: Database, clock: SetClock, audiences: Sequence[int], merged: int
) -> None:
    async with Talks(database, clock, settings=THREE) as talks:
        talks.models.script["compact_episodes"] = always_edit
        for audience in audiences:
            await talks.answer(await talks.say("a talk", audience=audience, channel_id=CLOSED), "yes")
            await talks.end()
        kept = await talks.kept(CLOSED)
        assert [one.audience for one in kept] == [audiences[2], audiences[1], merged]
        assert kept[2].content == "All of it was talked about."
        assert await talks.kept(GENERAL) == []
