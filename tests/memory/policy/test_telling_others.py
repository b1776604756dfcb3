"""What is told about somebody else: a table of who asks, and of what is personal."""

import dataclasses

import pytest

from bot.core.domain import DisclosurePolicy, Fact, FactCategory, FactOrigin, Guild
from bot.memory.policy.disclosure import (
    DisclosureLevel,
    as_disclosed,
    disclosure_level,
    may_be_disclosed,
    says_personal,
    told_openly,
    without_naming,
)
from tests.memory import known

ALICE, BOB = 11, 12


def fact(content: str, **changes: object) -> Fact:
    """Return a fact about Bob that he told."""
    told = known.fact(1, content, subject_id=BOB, author_id=BOB)
    return dataclasses.replace(told, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("setting", "subject_id", "from_moderator", "is_private", "expected"),
    [
        (DisclosurePolicy.SAID, ALICE, False, True, DisclosureLevel.ALL),
        (DisclosurePolicy.MODERATORS, ALICE, False, False, DisclosureLevel.ALL),
        (DisclosurePolicy.MODERATORS, 0, False, False, DisclosureLevel.ALL),
        (DisclosurePolicy.SAID, BOB, False, False, DisclosureLevel.SAID),
        (DisclosurePolicy.SAID, BOB, True, False, DisclosureLevel.SAID),
        (DisclosurePolicy.SAID, BOB, True, True, DisclosureLevel.NOTHING),
        (DisclosurePolicy.OPEN, BOB, False, False, DisclosureLevel.ALL),
        (DisclosurePolicy.OPEN, BOB, False, True, DisclosureLevel.NOTHING),
        (DisclosurePolicy.MODERATORS, BOB, False, False, DisclosureLevel.NOTHING),
        (DisclosurePolicy.MODERATORS, BOB, True, False, DisclosureLevel.SAID),
    ],
)
def test_oneself_is_told_all_and_of_others_as_managers_and_they_decide(
    setting: DisclosurePolicy,
    subject_id: int,
    from_moderator: bool,
    is_private: bool,
    expected: DisclosureLevel,
) -> None:
    told = disclosure_level(
        Guild(guild_id=1, name="", telling_others=setting),
        asker_id=ALICE,
        subject_id=subject_id,
        from_moderator=from_moderator,
        is_private=is_private,
    )
    assert told is expected


PERSONAL = """
    <@12> felt anxious about the exam|<@12> is tired|<@12> was in a gloomy mood|<@12> cried a lot
    <@12> is in love with <@13>|<@12> has a crush on Carol|<@12> was up until 3 am|<@12> usually writes at night
    <@12> has diabetes|<@12> voted for the democrats|<@12> is in debt|<@12> broke up with Carol|<@12> loves <@13>
    <@12> расстроена из-за погоды|<@12> в восторге от фильма|<@12> влюблён в <@13>|<@12> сидит ночью
    у <@12> плохое настроение|<@12> чувствует себя одиноко|<@12> встречается с Машей|<@12> болеет
"""
OPENLY = """
    <@12> likes ramen|<@12> fixed the pump in the evening|<@12> moved to Berlin|<@12> works at a bakery
    <@12> won at chess on 2026-03-01|<@12> loves hiking|<@12>'s dog is called Rex|<@12> baked bread at 5
    <@12> plays the drums|<@12> asked <@13> for help with the server|<@12> is called Robert
    <@12> любит суши|<@12> купил лодку вечером|<@12> работает врачом|<@12> переехала в Омск|<@12> играет в шахматы
"""


def cases(table: str) -> list[str]:
    return [one.strip() for line in table.strip().splitlines() for one in line.split("|")]


@pytest.mark.parametrize("said", cases(PERSONAL))
def test_what_somebody_feels_whom_they_love_and_when_they_are_there_is_personal(said: str) -> None:
    assert says_personal(said)
    assert not may_be_disclosed(fact(said), DisclosureLevel.SAID, asker_id=ALICE)
    assert may_be_disclosed(fact(said), DisclosureLevel.ALL, asker_id=BOB)


@pytest.mark.parametrize("said", cases(OPENLY))
def test_what_somebody_said_and_did_openly_is_not(said: str) -> None:
    assert not says_personal(said)
    assert may_be_disclosed(fact(said), DisclosureLevel.SAID, asker_id=ALICE)
    assert not may_be_disclosed(fact(said), DisclosureLevel.NOTHING, asker_id=ALICE)


LEARNED = """
    <@12> hates <@13>|<@12> went to a funeral|<@12> sold a kidney|<@12> is 27|<@12> argued with Carol|<@12> is a witch
    <@12> ненавидит <@13>|<@12> сходила на похороны|<@12> продала почку|<@12> помирилась с сестрой
"""


@pytest.mark.parametrize("said", cases(LEARNED))
def test_what_nobody_asked_to_have_remembered_is_told_only_where_it_is_harmless(said: str) -> None:
    for key, origin in (("event:1", FactOrigin.PATTERN), ("profile:1", FactOrigin.LEARNING)):
        learned = fact(said, key=key, origin=origin)
        assert not may_be_disclosed(learned, DisclosureLevel.SAID, asker_id=ALICE)
        built = fact("<@12> built a shed", key=key, origin=origin)
        assert may_be_disclosed(built, DisclosureLevel.SAID, asker_id=ALICE)


def test_of_a_birthday_that_was_only_mentioned_no_other_learns_the_year() -> None:
    born = fact(
        "<@12> was born on 4 July 1990", key="birthday", value="1990-07-04", origin=FactOrigin.PATTERN
    )
    told = as_disclosed(born, asker_id=ALICE)
    assert (told.content, told.value) == ("<@12> was born on 4 July", "07-04")
    assert as_disclosed(born, asker_id=BOB) == born
    asked = fact("<@12> was born on 4 July 1990", key="birthday")
    assert as_disclosed(asked, asker_id=ALICE) == asked


def test_allergies_that_somebody_had_remembered_are_told_since_they_keep_them_safe() -> None:
    nuts = "<@12> is allergic to nuts"
    assert may_be_disclosed(fact(nuts), DisclosureLevel.SAID, asker_id=ALICE)
    assert may_be_disclosed(fact(nuts, author_id=13), DisclosureLevel.SAID, asker_id=ALICE)


def test_a_feeling_is_personal_in_whatever_words_and_a_guess_is_nothing_that_was_said() -> None:
    assert not may_be_disclosed(
        fact("<@12> is over the moon", category=FactCategory.FEELING), DisclosureLevel.SAID, asker_id=ALICE
    )
    assert not may_be_disclosed(
        fact("<@12> plans a trip", origin=FactOrigin.LEARNING, tentative=True),
        DisclosureLevel.SAID,
        asker_id=ALICE,
    )


def test_who_told_it_sees_it() -> None:
    assert may_be_disclosed(fact("<@12> is tired", author_id=ALICE), DisclosureLevel.SAID, asker_id=ALICE)
    assert not may_be_disclosed(
        fact("<@12> is tired", author_id=ALICE), DisclosureLevel.NOTHING, asker_id=ALICE
    )


def test_of_a_text_the_personal_sentences_are_left_out() -> None:
    told = "<@12> fixed the pump. They were frustrated by the manual. Later <@12> baked bread."
    assert told_openly(told, DisclosureLevel.SAID) == "<@12> fixed the pump. Later <@12> baked bread."
    assert told_openly(told, DisclosureLevel.ALL) == told
    assert told_openly(told, DisclosureLevel.NOTHING) == ""


MATTER = """
    <@12> started at a new clinic|<@12> began work at the hospital on Monday|The exam was moved to 16 March
    <@12> will drive three people to the lake on Saturday|<@12> decided to sell the car|<@12> booked the campsite
    <@12> moved the meeting to Thursday|<@12> ordered the pizza|<@12> is flying to Oslo on Friday
    <@12> устроилась в новую клинику|<@12> перенесла встречу на четверг|<@12> решил продать машину
    <@12> забронировал столик|<@12> летит в Осло в пятницу|<@12> записалась на курс
"""
NOBODY_ELSES = """
    <@12> booked an abortion|<@12> ordered antidepressants|<@12> agreed to meet her dealer|<@12> decided to come out
    <@12> decided to move out of the flat she shared with Tom|<@12> cancelled the wedding|<@12> prepares for court
    <@12> hosts swingers|<@12> is moving in with her lover|<@12> drives her son to the oncologist
    <@12> signed up for AA|<@12> borrowed the rent from her parents|<@12> starts at the methadone clinic
    <@12> visited the clinic|<@12> goes to the dentist on Tuesday|<@12> was brought to a hospital
    <@12> отменила свадьбу|<@12> заказала тест на отцовство|<@12> согласилась встретиться с бывшим
    <@12> уехала в реабилитационный центр|<@12> перенесла операцию|<@12> была в клинике
"""


@pytest.mark.parametrize("told", cases(MATTER))
def test_what_was_done_planned_and_decided_is_told_of_a_day(told: str) -> None:
    assert told_openly(f"{told}. <@12> was exhausted.", DisclosureLevel.SAID) == f"{told}."


@pytest.mark.parametrize("told", cases(NOBODY_ELSES))
def test_plans_that_are_nobody_elses_business_are_not_told_of_a_day(told: str) -> None:
    assert told_openly(f"{told}.", DisclosureLevel.SAID) == ""


def test_sentences_that_name_somebody_are_left_out() -> None:
    told = "<@11> met <@12>. <@11> went home. <@!12> stayed."
    assert without_naming(told, {12}) == "<@11> went home."
    assert without_naming(told, set()) == told


def test_what_only_says_again_a_fact_that_is_told_is_told_too() -> None:
    known = [fact(f"<@{BOB}> is a software engineer at TechCorp"), fact(f"<@{BOB}> does not like Anna's cat")]
    for text, told in (
        (f"<@{BOB}> is a software engineer at TechCorp.", True),
        (f"<@{BOB}> is a software engineer at TechCorp and broke.", False),
        (f"<@{BOB}> likes Anna's cat, Rex.", False),
        (f"<@{BOB}> likes Anna's cat.", False),
    ):
        found = told_openly(text, DisclosureLevel.SAID, subject_id=BOB, facts=known)
        assert found == (text if told else ""), text
