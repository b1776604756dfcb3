"""What somebody says of another one stays what they say, whatever a model makes of it."""

import pytest

from bot.core.domain import Fact
from bot.llm.operation import Operations
from bot.memory.derived.tellers import keeping_tellers, with_teller
from bot.memory.facts.narrative import MERGE, Merge, Merged, as_dated_sentences, told_in_full
from bot.memory.summaries.per_member import ContextSources, merge_contexts
from tests.memory.known import fact
from tests.scripted_models import ScriptedModels

ANNA, BOB = 6, 5
SOURCES = (
    f"[2026-03-02] <@{BOB}> says: <@{ANNA}> cheated at poker",
    f"[2026-03-01] <@{ANNA}> plays chess on Fridays",
    f"[2026-02-28] <@{BOB}> говорит: <@{ANNA}> жульничала в карты",
)
ENGLISH, RUSSIAN = (
    f"<@{BOB}> says: <@{ANNA}> cheated at poker.",
    f"<@{BOB}> говорит: <@{ANNA}> жульничала в карты.",
)


@pytest.mark.parametrize(
    ("told", "right"),
    [
        (f"<@{ANNA}> cheated at poker.", ENGLISH),
        ("She cheats at poker games. She sings.", f"{ENGLISH} She sings."),
        (
            f"<@{ANNA}> plays chess on Fridays and cheated at poker.",
            f"{ENGLISH} <@{ANNA}> plays chess on Fridays.",
        ),
        (
            f"<@{BOB}> says that <@{ANNA}> cheated at poker.",
            f"<@{BOB}> says that <@{ANNA}> cheated at poker.",
        ),
        ("She plays chess on Fridays.", "She plays chess on Fridays."),
        ("Она жульничает в карты.", RUSSIAN),
        (f"По словам <@{BOB}>, жульничала в карты.", f"По словам <@{BOB}>, жульничала в карты."),
        ("", ""),
    ],
)
def test_a_sentence_without_its_teller_is_put_right_and_no_other_is(told: str, right: str) -> None:
    assert keeping_tellers(told, SOURCES, subject_id=ANNA) == right


def hearsay(content: str, *, author_id: int = BOB, subject_id: int = ANNA) -> Fact:
    return fact(len(content), content, subject_id=subject_id, author_id=author_id)


def test_code_writes_who_says_what_of_another_one_in_the_language_of_what_is_said() -> None:
    assert with_teller(hearsay(f"<@{ANNA}> cheats")) == f"<@{BOB}> says: <@{ANNA}> cheats"
    assert with_teller(hearsay(f"<@{ANNA}> врёт")) == f"<@{BOB}> говорит: <@{ANNA}> врёт"
    assert with_teller(hearsay(f"<@{ANNA}> sings", author_id=ANNA)) == f"<@{ANNA}> sings"
    assert with_teller(hearsay("the wifi is slow", subject_id=0)) == "the wifi is slow"
    quoted = f"<@{BOB}>: “Anna is great”"
    assert with_teller(hearsay(quoted)) == quoted


def test_a_merge_tells_no_hearsay_as_a_fact() -> None:
    given = Merge(
        ANNA,
        [
            hearsay(f"<@{ANNA}> cheated at poker"),
            hearsay(f"<@{ANNA}> plays chess on Fridays", author_id=ANNA),
        ],
        "",
    )
    merged = Merged(narrative="@u1 cheated at poker. @u1 plays chess on Fridays.", told=[])
    assert told_in_full(given, merged) == f"{ENGLISH} <@{ANNA}> plays chess on Fridays."
    assert ENGLISH.rstrip(".") in as_dated_sentences(given).narrative
    assert 'teller="@u2"' in MERGE.prompt(given)


async def test_a_context_tells_no_hearsay_as_a_fact() -> None:
    models = ScriptedModels(
        merge_context={"texts": [{"member": "u1", "text": "@u1 cheated at poker. @u1 is tired today."}]}
    )
    sources = ContextSources(ANNA, facts=SOURCES[0], current=f"<@{ANNA}> is tired.", historical="")
    told = await merge_contexts(Operations(models), [sources], guild_id=1)
    assert told[ANNA].text == f"{ENGLISH} <@{ANNA}> is tired today."
    assert "says: @u1 cheated at poker" in models.prompts[0]
