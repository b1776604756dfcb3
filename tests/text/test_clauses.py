"""Promises about clauses: each thing said can be corrected and forgotten by itself, and nothing is torn apart."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.clauses import MOST_CLAUSES, clauses

APART = """
I keep bees and coach a rowing team | I keep bees; I coach a rowing team
I live in Oslo, work at Equinor and have two dogs | I live in Oslo; I work at Equinor; I have two dogs
my brother lives in Oslo and my sister in Rome | my brother lives in Oslo; my sister lives in Rome
my brother lives in Oslo and works at Equinor | my brother lives in Oslo; my brother works at Equinor
I fix bikes, teach yoga and wash dogs | I fix bikes; I teach yoga; I wash dogs
I hate olives, love cheese and don't eat meat | I hate olives; I love cheese; I don't eat meat
I moved to Oslo and bought a house | I moved to Oslo; I bought a house
I'm a nurse and work at night | I'm a nurse; I work at night
I'm allergic to nuts and hate cilantro | I'm allergic to nuts; I hate cilantro
I like tea and @bob likes coffee | I like tea; @bob likes coffee
my name is john and i like pizza | my name is john; i like pizza
I like tea and that my dog is called Rex | I like tea; my dog is called Rex
I like tea, and that I hate rum | I like tea; I hate rum
my bf tom hates cilantro and that i love it | my bf tom hates cilantro; i love cilantro
tom loves olives but i hate them | tom loves olives; i hate olives
i was born in lyon and moved to oslo | i was born in lyon; I moved to oslo
im vegan also i have a dog | im vegan; i have a dog
im vegan & have a dog | im vegan; I have a dog
im vegan n my cat is called Tom | im vegan; my cat is called Tom
im vegan. also i have a dog | im vegan; i have a dog
I like tea and that Tom likes rum and that i hate figs | I like tea; Tom likes rum; i hate figs
bob likes ramen and hates onions | bob likes ramen; bob hates onions
<@2> likes tea and I like coffee | <@2> likes tea; I like coffee
my dog is called Rex and my cat is called Luna | my dog is called Rex; my cat is called Luna
I'm vegan. I live in Leeds. I play bass | I'm vegan; I live in Leeds; I play bass
- I'm vegan / - I live in Leeds | I'm vegan; I live in Leeds
мой парень ненавидит кинзу, а я её люблю | мой парень ненавидит кинзу; я люблю кинзу
я веган, ещё у меня кот | я веган; у меня кот
я веган. ещё у меня кот | я веган; у меня кот
держу пчёл и тренирую команду | держу пчёл; тренирую команду
я люблю пиццу и ненавижу грибы | я люблю пиццу; я ненавижу грибы
я живу в Осло, работаю в Equinor и у меня две собаки | я живу в Осло; я работаю в Equinor; у меня две собаки
я люблю чай и что моя собака любит кость | я люблю чай; моя собака любит кость
моя мама врач, а мой папа — инженер | моя мама врач; мой папа — инженер
Петя любит чай и ненавидит кофе | Петя любит чай; Петя ненавидит кофе
я купила дом и продала машину | я купила дом; я продала машину
я веган и люблю чай | я веган; я люблю чай
я живу в Казани, а Петя живёт в Уфе | я живу в Казани; Петя живёт в Уфе
меня зовут Мария, мне 27 | меня зовут Мария; мне 27
у меня аллергия на орехи, и я не ем рыбу | у меня аллергия на орехи; я не ем рыбу
- я веган / - живу в Казани / - играю на басу | я веган; живу в Казани; играю на басу
"""
TOGETHER = """
I think that tea is fine and that rum is bad
I love that song and that movie
I like this and that
bob likes tea and that coffee from Lidl
I like bread and butter
I like rock n roll
tom likes his job and i hate it
my birthday is may 5 and my wifes is june 3
i love pizza and hate it when its cold
i love you and you hate it
I like rock and roll
I like tea and coffee
I like tea and work
I watch anime and cry
I'm vegan and make me a sandwich
I'm vegan and suggest a recipe
I like love songs and love stories
I like pizza, but only if I made it myself
I have a brother and he is a chef
I moved to Oslo and love it
I want to travel and see Rome
I was born in Rome and raised in Oslo
Bob and I like pizza
my wife and I have two kids
I know Bob and I like him
I like people who cook and bake
I said "I like tea and I hate milk"
I can swim and cook
I never eat meat and drink milk
I drink tea and eat cake when I'm sad
I'm in Rome and work from home until Friday
I'm tall and blond
I have a cat, a dog and two fish
I think you and I are friends
movie night is on Friday and Saturday
the rules are simple. Be kind. Have fun
мне 27, а брату 30
я хочу купить дом и продать машину
я люблю мой дом и мой сад
петя любит меня, а я его ненавижу
у меня есть кот и собака
я могу, хочу и буду
я люблю чай, но он дорогой
я люблю кошек и собак
я работаю, когда все спят, и сплю днём
мы с братом играем в теннис и в шахматы
Петя и Маша любят чай
друзья зовут меня Мару и смеются
"""


@pytest.mark.parametrize("row", APART.strip().splitlines())
def test_each_clause_stands_by_itself_with_its_subject(row: str) -> None:
    said, _, apart = row.partition(" | ")
    assert clauses(said.replace(" / ", "\n")) == apart.split("; ")


@pytest.mark.parametrize("said", TOGETHER.strip().splitlines())
def test_what_belongs_together_stays_together(said: str) -> None:
    assert clauses(said) == [said]


PIECES = sorted(
    {word for row in (APART + TOGETHER).splitlines() for word in row.split()} | {"\n", ".", '"', "<@2>"}
)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join) | st.text(max_size=100))
@settings(max_examples=300, deadline=None)
def test_no_text_is_too_odd_to_be_taken_apart(said: str) -> None:
    found = clauses(said)
    assert found == [said] or (1 < len(found) <= MOST_CLAUSES and all(found))


def test_a_letter_without_a_name_is_an_unknown_word() -> None:
    # Unicode names no letter of these blocks, and the Russian dictionary asks for the name of each.
    assert clauses("𗀀 приехала, а 𠀀 уехал") == ["𗀀 приехала, а 𠀀 уехал"]
