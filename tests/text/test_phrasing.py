"""Promises about phrasing: what somebody says of themselves is stored as others would tell it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.phrasing import speaks_of_author, third_person

ENGLISH = [
    ("I like pizza", "<@1> likes pizza"),
    ("  i like pizza.  ", "<@1> likes pizza"),
    ("I LOVE PIZZA", "<@1> loves pizza"),
    ("I love my dog and I hate cats", "<@1> loves their dog and they hate cats"),
    ("I like pizza and hate olives", "<@1> likes pizza and hates olives"),
    ("I like pizza, but hate olives", "<@1> likes pizza, but hates olives"),
    ("I like music and play guitar", "<@1> likes music and plays guitar"),
    ("I like tea and work", "<@1> likes tea and work"),
    ("I'm vegan and make me a sandwich", "<@1> is vegan and make them a sandwich"),
    ("I like people who cook and bake", "<@1> likes people who cook and bake"),
    ("I want to travel and hate flying", "<@1> wants to travel and hates flying"),
    ("I can swim and cook", "<@1> can swim and cook"),
    ("I don't smoke or drink", "<@1> doesn't smoke or drink"),
    ("I'm a nurse and work at night", "<@1> is a nurse and works at night"),
    ("I go to the gym and do yoga", "<@1> goes to the gym and does yoga"),
    ("I'm allergic to nuts", "<@1> is allergic to nuts"),
    ("i’m vegan", "<@1> is vegan"),
    ("im vegan", "<@1> is vegan"),
    ("I am tall", "<@1> is tall"),
    ("I've moved to Berlin", "<@1> has moved to Berlin"),
    ("I have a cat", "<@1> has a cat"),
    ("I haven't slept", "<@1> hasn't slept"),
    ("I don't eat meat", "<@1> doesn't eat meat"),
    ("I do yoga", "<@1> does yoga"),
    ("I can't swim", "<@1> can't swim"),
    ("I'll be late", "<@1> will be late"),
    ("I won't come", "<@1> won't come"),
    ("I'd like a dog", "<@1> would like a dog"),
    ("I'd never been to Rome", "<@1> had never been to Rome"),
    ("I went home", "<@1> went home"),
    ("I bought a car", "<@1> bought a car"),
    ("I was born in 1990", "<@1> was born in 1990"),
    ("I lived in Rome", "<@1> lived in Rome"),
    ("I used to smoke", "<@1> used to smoke"),
    ("I just quit my job", "<@1> just quit their job"),
    ("I put my keys in the bowl every day", "<@1> puts their keys in the bowl every day"),
    ("I need a visa", "<@1> needs a visa"),
    ("I study physics", "<@1> studies physics"),
    ("I play chess", "<@1> plays chess"),
    ("I watch films", "<@1> watches films"),
    ("I miss you", "<@1> misses you"),
    ("I fly to Rome", "<@1> flies to Rome"),
    ("I really like tea", "<@1> really likes tea"),
    ("I never eat fish", "<@1> never eats fish"),
    ("I also have a cat", "<@1> also has a cat"),
    ("I no longer eat meat", "<@1> no longer eats meat"),
    ("I usually work from home", "<@1> usually works from home"),
    ("I think I am smart", "<@1> thinks they are smart"),
    ("I think I'm smart and I've won", "<@1> thinks they are smart and they have won"),
    ("my exam is on 20 June", "<@1>'s exam is on 20 June"),
    ("My name is José", "<@1>'s name is José"),
    ("my name is john and i like pizza", "<@1>'s name is john and they like pizza"),
    ("a friend of mine is Bob", "a friend of <@1>'s is Bob"),
    ("I lost a book of mine", "<@1> lost a book of theirs"),
    ("this car is mine", "this car is <@1>'s"),
    ("I work in a coal mine", "<@1> works in a coal mine"),
    ("I taught myself Python", "<@1> taught themselves Python"),
    ("everyone calls me Al", "everyone calls <@1> Al"),
    ("I know that Bob saw me", "<@1> knows that Bob saw them"),
    ("call me Al", "<@1> wants to be called Al"),
    ("please call me Al, I hate Albert", "<@1> wants to be called Al, they hate Albert"),
    ("Bob and I like pizza", "Bob and <@1> like pizza"),
    ("my wife and I have two kids", "<@1>'s wife and <@1> have two kids"),
    ("<@2> likes tea and I like coffee", "<@2> likes tea and <@1> likes coffee"),
    ("Bob told me that I should rest", "Bob told <@1> that they should rest"),
    ("so am I", "so is <@1>"),
    ("<@2> is my brother", "<@2> is <@1>'s brother"),
    ("I like how Bob likes tea", "<@1> likes how Bob likes tea"),
    ("alice@acme.io is my email", "alice@acme.io is <@1>'s email"),
    ('I said "I like my dog"', '<@1> said "I like my dog"'),
    ("I run `my script`", "<@1> runs `my script`"),
    ("I like Достоевский и Чехов", "<@1> likes Достоевский и Чехов"),
]
RUSSIAN = [
    ("я люблю пиццу", "<@1> любит пиццу"),
    ("Я люблю пиццу.", "<@1> любит пиццу"),
    ("Я ЛЮБЛЮ КОТОВ", "<@1> любит котов"),
    ("я не ем мясо", "<@1> не ест мясо"),
    ("я никогда не пью кофе", "<@1> никогда не пьёт кофе"),
    ("я живу в Берлине", "<@1> живёт в Берлине"),
    ("я работаю врачом", "<@1> работает врачом"),
    ("я занимаюсь йогой", "<@1> занимается йогой"),
    ("я учусь и работаю", "<@1> учится и работает"),
    ("я буду в Москве", "<@1> будет в Москве"),
    ("я хочу купить дом, но не могу", "<@1> хочет купить дом, но не может"),
    ("я куплю машину", "<@1> купит машину"),
    ("я пою в хоре", "<@1> поёт в хоре"),
    ("я лечу в Рим", "<@1> летит в Рим"),
    ("я люблю пиццу и ненавижу оливки", "<@1> любит пиццу и ненавидит оливки"),
    ("люблю пиццу", "<@1> любит пиццу"),
    ("Люблю пиццу", "<@1> любит пиццу"),
    ("не ем мясо", "<@1> не ест мясо"),
    ("по вечерам играю в шахматы", "по вечерам <@1> играет в шахматы"),
    ("я купил машину", "<@1> купил машину"),
    ("я купил мою машину", "<@1> купил свою машину"),
    ("я купил свою машину", "<@1> купил свою машину"),
    ("я мою посуду каждый день", "<@1> моет посуду каждый день"),
    ("я люблю моего кота", "<@1> любит своего кота"),
    ("я люблю мой дом и мой сад", "<@1> любит свой дом и свой сад"),
    ("я программист", "<@1> программист"),
    ("мне нравится пицца", "<@1> нравится пицца"),
    ("мне 25 лет", "<@1> 25 лет"),
    ("у меня есть кот", "у <@1> есть кот"),
    ("У меня нет кота", "У <@1> нет кота"),
    ("меня зовут Маша", "<@1> зовут Маша"),
    ("мой экзамен 20 июня", "у <@1> экзамен 20 июня"),
    ("Мой экзамен завтра", "У <@1> экзамен завтра"),
    ("моя собака Рекс", "у <@1> собака Рекс"),
    ("моё имя Маша", "у <@1> имя Маша"),
    ("сегодня моя очередь", "сегодня у <@1> очередь"),
    ("моя мама врач, а мой папа — инженер", "у <@1> мама врач, а у <@1> папа — инженер"),
    ("моего кота зовут Барсик", "кота <@1> зовут Барсик"),
    ("Мою маму зовут Анна", "Маму <@1> зовут Анна"),
    ("у моего брата есть кот", "у брата <@1> есть кот"),
    ("в моей комнате холодно", "в комнате <@1> холодно"),
    ("<@2> мой брат", "<@2> брат <@1>"),
    ("это мой младший брат", "это младший брат <@1>"),
    ("эта машина моя", "эта машина принадлежит <@1>"),
    ("он ходил ко мне", "он ходил к <@1>"),
    ("все знают обо мне", "все знают о <@1>"),
    ("поедем со мной", "поедем с <@1>"),
    ("зови меня Саша", "<@1> просит звать себя Саша"),
    ("называй меня Сашей", "<@1> просит называть себя Сашей"),
    ("я сказал «я люблю тебя»", "<@1> сказал «я люблю тебя»"),
    ("я люблю my little pony", "<@1> любит my little pony"),
]
OTHERS = [
    "<@2> likes pizza",
    "movie night is on Friday",
    "World War I ended in 1918",
    "hawaii like beaches are great",
    "we have a meeting",
    "i.e. this",
    "<@2> любит пиццу",
    "кино в пятницу",
    "мы любим пиццу",
    "по-моему, это песня",
    'the song "My Way"',
    "",
]


@pytest.mark.parametrize(("said", "stored"), [*ENGLISH, *RUSSIAN])
def test_what_somebody_says_of_themselves_is_said_of_them(said: str, stored: str) -> None:
    assert third_person(said, author_id=1) == stored


@pytest.mark.parametrize("said", OTHERS)
def test_what_is_said_of_others_stays(said: str) -> None:
    assert third_person(said, author_id=1) == said


@pytest.mark.parametrize("said", [*OTHERS, *(said for said, _ in (*ENGLISH, *RUSSIAN))])
def test_what_is_stored_is_not_rewritten_again(said: str) -> None:
    once = third_person(said, author_id=1)
    assert third_person(once, author_id=1) == once


def words_of(table: list[tuple[str, str]]) -> st.SearchStrategy[str]:
    pieces = sorted(
        {word for said, _ in table for word in said.split()} | {",", "—", ".", "'s", "mine", "war"}
    )
    return st.lists(st.sampled_from(pieces), max_size=10).map(" ".join)


@given(words_of(ENGLISH) | words_of(RUSSIAN) | st.text(max_size=150))
@settings(max_examples=500, deadline=None)
def test_no_text_is_too_odd_and_none_is_rewritten_twice(said: str) -> None:
    once = third_person(said, author_id=1)
    assert third_person(once, author_id=1) == once


OF_THE_AUTHOR = """
    coffee makes me sick | in summer I live in Spain | people call me Lily | Rex is my dog | the blue mug is mine
    my favourite song is I Will Survive | hate olives | love tea | don't eat meat | work at night | live in Leeds
    allergic to nuts | born in 1990 | vegan | got a cat | imma go to bed early | these days i'm in Oslo
    живу в Казани | люблю чай | не ем мясо | родилась 12 марта | родился в Уфе | переехала в Казань | купил дом
    вчера сдала экзамен | по выходным катаюсь на велике | в субботу иду в кино | аллергия у меня на орехи
    мы с братом играем в теннис | мою собаку зовут Рекс | у сестры моей день рождения | завела щенка
"""
OF_NOBODY_OR_OTHERS = """
    the song I Will Survive is great | World War I ended in 1918 | Elizabeth I died | love is blind | oh my god he came
    live music is great | vegan food is great | work is hard | the gold mine closed | he said "I like tea"
    like button is broken | hate speech is banned here | have a nice day | movie night is on Friday
    <@2> likes tea | пришёл <@2> | упал сервер | умер кот | пошёл дождь | мы играем по пятницам | вышел новый патч
    день рождения <@2> 3 мая | стрим отменили | закончилась пицца | он сказал «я люблю чай» | еду привезут в 5
    раздача в парке | кино в пятницу
"""


def sentences_of(table: str) -> list[str]:
    return [said.strip() for line in table.strip().splitlines() for said in line.split("|")]


@pytest.mark.parametrize("said", sentences_of(OF_THE_AUTHOR))
def test_a_statement_speaks_of_its_author_wherever_they_stand_in_it(said: str) -> None:
    assert speaks_of_author(said)


@pytest.mark.parametrize("said", sentences_of(OF_NOBODY_OR_OTHERS))
def test_titles_quotations_and_others_are_not_the_author(said: str) -> None:
    assert not speaks_of_author(said)


@pytest.mark.parametrize(
    ("shouted", "told"),
    [
        ("I HATE OLIVES", "<@1> hates olives"),
        ("Я НЕНАВИЖУ ОЛИВКИ!", "<@1> ненавидит оливки!"),
        ("I love NASA", "<@1> loves NASA"),
        ("TKT 100 ABC DEF", "TKT 100 ABC DEF"),
    ],
)
def test_shouting_is_told_calmly_and_an_abbreviation_stays(shouted: str, told: str) -> None:
    assert third_person(shouted, author_id=1) == told
