"""Facts, today and the week become one text; one source is the context as it is, and none is nothing."""

from collections.abc import Mapping

import pytest

from bot.llm.operation import Operations
from bot.memory.summaries.per_member import (
    ContextSources,
    MemberText,
    joined,
    merge_contexts,
    needs_a_merge,
)
from tests.scripted_models import ScriptedModels

ALL = ContextSources(
    7,
    facts="software engineer at TechCorp, lives in Berlin, enjoys hiking",
    current="<@7> is excited about a new project.",
    historical="<@7> was stressed all week and went to the gym.",
)
ONE = ContextSources(8, facts="<@8> likes pizza", current="", historical="")
NONE = ContextSources(9, facts="", current="", historical="")
MERGED = "@u1 is a software engineer at TechCorp in Berlin, stressed last week and excited today."


async def test_three_sources_become_one_text_and_each_is_in_the_prompt() -> None:
    models = ScriptedModels(merge_context={"texts": [{"member": "u1", "text": MERGED}]})
    told = await merge_contexts(Operations(models), [ALL], guild_id=1)
    assert told[7].text == MERGED.replace("@u1", "<@7>")
    (prompt,) = models.prompts
    assert "<facts>software engineer" in prompt
    assert "<today>@u1 is excited" in prompt
    assert "<week>@u1 was stressed" in prompt


async def test_one_source_or_none_asks_nobody() -> None:
    models = ScriptedModels()
    assert await merge_contexts(Operations(models), [ONE, NONE], guild_id=1) == {}
    assert not models.prompts
    assert not needs_a_merge(ONE)
    assert joined(ONE) == "<@8> likes pizza"
    assert joined(NONE) == ""


async def test_without_a_model_facts_come_first_then_today_then_the_week() -> None:
    told = await merge_contexts(Operations(), [ALL], guild_id=1)
    assert told[7].text == f"{ALL.facts}\n{ALL.current}\n{ALL.historical}"
    assert not told[7].degraded


async def test_a_refused_answer_is_the_sources_one_below_the_other_and_marked() -> None:
    told = await merge_contexts(Operations(ScriptedModels()), [ALL], guild_id=1)
    assert told[7].text == joined(ALL)
    assert told[7].degraded


@pytest.mark.parametrize(
    "texts",
    [[], [{"member": "u1", "text": "Он вчера весь день рассказывал о новом проекте."}]],
    ids=["left out", "in another language"],
)
async def test_whom_a_model_does_not_tell_the_sources_tell_and_nobody_is_asked_again(
    texts: list[Mapping[str, str]],
) -> None:
    second = ContextSources(11, facts="likes tea", current="<@11> repaired a bike.", historical="")
    texts = [*texts, {"member": "u2", "text": "@u2 likes tea and repaired a bike."}]
    models = ScriptedModels(merge_context={"texts": texts})
    told = await merge_contexts(Operations(models), [ALL, second], guild_id=1)
    assert told[7] == MemberText(joined(ALL), degraded=False)
    assert told[11].text == "<@11> likes tea and repaired a bike."
    assert await merge_contexts(Operations(models), [ALL], guild_id=1) == {7: told[7]}
    assert (len(models.prompts), models.refused) == (2, [])


def test_the_address_of_a_context_changes_with_each_source_and_with_their_places() -> None:
    moved = ContextSources(7, facts=ALL.current, current=ALL.facts, historical=ALL.historical)
    fewer = ContextSources(7, facts=ALL.facts, current=ALL.current, historical="")
    hashes = {one.address for one in (ALL, moved, fewer, ONE, NONE)}
    assert len(hashes) == 5
