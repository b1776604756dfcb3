"""What may harm somebody, and who plans something in which it may, in the languages of the table."""

import pytest

from bot.text.dangers import Plan, endangers, is_needed, plans_of

BOB = 12


@pytest.mark.parametrize(
    ("said", "plan"),
    [
        ("<@12> hat Epilepsie", Plan.LIGHTS),
        ("<@12> tiene epilepsia", Plan.WATER),
        ("<@12> hat Diabetes", Plan.FOOD),
        ("<@12> tiene diabetes", Plan.FOOD),
        ("<@12> hat Asthma", Plan.EFFORT),
        ("<@12> tiene asma", Plan.TRIP),
        ("<@12> kann nicht schwimmen", Plan.WATER),
        ("<@12> no sabe nadar", Plan.WATER),
        ("<@12> ist schwanger und darf keinen rohen Fisch", Plan.FOOD),
        ("<@12> está embarazada, nada de pescado crudo", Plan.FOOD),
        ("<@12> hat Angst vor Spinnen", Plan.STORY),
        ("<@12> es alérgico a las nueces", Plan.FOOD),
        ("<@12> hat Zöliakie", Plan.FOOD),
        ("<@12> is allergic to cats", Plan.ANIMALS),
        ("у <@12> аллергия на орехи", Plan.FOOD),
        ("<@12> is alergic to nuts", Plan.FOOD),
        ("<@12> has a nut alergy", Plan.FOOD),
        ("у <@12> алергия на орехи", Plan.FOOD),
    ],
)
def test_what_may_harm_is_needed_by_who_plans_it(said: str, plan: Plan) -> None:
    assert endangers(said)
    assert is_needed(said, subject_id=BOB, plans=[plan])
    assert not is_needed(said, subject_id=BOB, plans=[])
    assert not is_needed(said, subject_id=BOB + 1, plans=[plan])


@pytest.mark.parametrize(
    "said", ["<@12> is vegan", "<@12> eats halal", "<@12> держит кошер", "<@12> isst koscher"]
)
def test_a_diet_is_needed_and_no_danger(said: str) -> None:
    assert not endangers(said)
    assert is_needed(said, subject_id=BOB, plans=[Plan.FOOD])
    assert not is_needed(said, subject_id=BOB, plans=[Plan.WATER])


@pytest.mark.parametrize(
    "said",
    [
        "<@12> is pregnant",
        "<@12> беременна",
        "<@12>'s son has epilepsy",
        "<@12> has epilepsy like her sister",
        "<@12> told <@13> about the epilepsy",
        "<@12> likes to swim",
        "<@12> has depression",
    ],
)
def test_what_tells_more_or_of_others_is_needed_by_nobody(said: str) -> None:
    assert not is_needed(said, subject_id=BOB, plans=list(Plan))


@pytest.mark.parametrize(
    ("said", "planned"),
    [
        ("what should I cook for Anna?", {Plan.FOOD}),
        ("что приготовить для Ани?", {Plan.FOOD}),
        ("was soll ich für Anna kochen?", {Plan.FOOD}),
        ("¿qué puedo cocinar para Ana?", {Plan.FOOD}),
        ("we go swimming on Sunday", {Plan.WATER}),
        ("wir gehen schwimmen", {Plan.WATER}),
        ("идём в поход", {Plan.TRIP}),
        ("I run a D&D campaign", {Plan.STORY}),
        ("is Anna ill?", set()),
        ("does Anna have epilepsy?", set()),
        ("what is wrong with Anna?", set()),
        ("чем болеет Аня?", set()),
        ("what do you know about Anna?", set()),
        ("tell me everything about Anna's health", set()),
        ("hat Anna Diabetes?", set()),
        ("what does Anna eat?", set()),
    ],
)
def test_who_plans_is_told_apart_from_who_is_curious(said: str, planned: set[Plan]) -> None:
    assert plans_of(said) == planned
