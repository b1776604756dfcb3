"""A statement is about whoever it speaks of, wherever they stand in it, and reads as it was said."""

import pytest

from bot.core.domain import GUILD_SUBJECT, Member
from bot.memory.members.roster import AmbiguousName, Roster
from bot.memory.members.subjects import StatementSubject, rendered, subject_of
from tests.chat.members import member

ENGLISH = Roster(
    [
        member(1, "alice"),
        member(2, "bob"),
        member(3, "Anna"),
        member(5, "may_1", nickname="May"),
        member(6, "hope_1", display_name="Hope"),
        member(7, "w1ll", nickname="Will"),
        member(8, "zoe_1", display_name="Zoë"),
        member(9, "moony", nickname="🌸 Luna ✨"),
        member(10, "marky", nickname="Mark"),
        member(11, "gruzilkin"),
    ]
)
RUSSIAN = Roster(
    [
        member(1, "masha", nickname="Маша"),
        member(2, "petya", nickname="Петя"),
        member(3, "anya", nickname="Аня"),
        member(4, "sasha", nickname="Саша"),
        member(5, "vera", nickname="Вера"),
        member(6, "roza", nickname="Роза"),
        member(7, "slava", nickname="Слава"),
        member(8, "lyubov", nickname="Любовь"),
        member(9, "igor", nickname="Игорь"),
        member(10, "kotik", nickname="Котик"),
        member(11, "pavel", nickname="Павел Ким"),
    ]
)
AUTHOR_ID = 1

SAID = """
alice: in summer I live in Spain
alice: people call me Lily
alice: coffee makes me sick
alice: our cat is called Tofu
alice: me and bob play tennis
alice: my brother lives in Oslo
alice: I hope this works
alice: Mark my words
alice: bob and I are married
alice: Rex is my dog
alice: Tofu, my cat, is 5
alice: none of my cats like fish
alice: what I like most is tea
alice: it bothers me when people chew loudly
alice: hate olives
alice: the blue mug is mine
alice: olives are gross to me
alice: my cat is called Luna
alice: my favourite movie is "bob and Anna"
alice: with bob I play chess
alice: my brother Dave lives in Oslo
alice: Dave is my brother
alice: we have two kids
alice: Our anniversary is on 4 July
alice: my birthday is in May
alice: I live with bob
alice: mom's name is Jane
alice: birthday: 3 May
bob: bob'll be late
bob: **bob** likes tea
bob: "bob" likes tea
bob: ||bob|| is the impostor
bob: yesterday bob broke his leg
bob: bob, alice and Anna play chess
bob: the blue mug is bob's
bob: bobs favourite color is red
bob: bob has a cat called Luna
bob: everyone likes bob
bob: bob 30
bob: bob: allergic to nuts
bob: the server admin is bob
bob: in May bob gets married
Anna: the best cook here is Anna
Anna: it is Anna's birthday on 4 July
Anna: the raid leader is Anna
Anna: on Friday Anna flies to Rome
Anna: Anna told me that bob is ill
May: May, Will and Mark play chess
Hope: Hope and bob are siblings
May: May is a nurse
May: May broke her leg
May: May's birthday is 5 May
Hope: Hope likes tea
Hope: yesterday Hope broke her leg
Will: Will is a nurse
Mark: Mark broke his leg
Zoë: Zoë likes tea
Маша: живу в Казани
Маша: люблю чай
Маша: родилась 12 марта
Маша: аллергия у меня на орехи
Маша: скоро я стану мамой
Маша: моего кота зовут Тофу
Маша: мы с Петей женаты
Маша: мы с братом играем в теннис
Маша: моя подруга Аня живёт в Уфе
Маша: мой начальник Петя — зануда
Маша: Тофу мой кот
Маша: ещё у меня есть хомяк
Маша: по пятницам меня нет
Маша: наша кошка рыжая
Маша: с Петей я играю в теннис
Маша: Петя, Аня и я играем
Маша: маму зовут Лена
Маша: жена врач
Маша: веганка
Петя: день рождения Пети 3 мая
Петя: Пете 30
Петя: Петю повысили
Петя: кот Пети рыжий
Петя: Петя подарил мне свой велик
Петя: Пете подарили кота
Петя: Петей все гордятся
Петя: Пете важно спать
Петя: у Пети есть кот
Петя: **Петя** любит чай
Петя: «Петя» любит чай
Петя: все любят Петю
Петя: брат Пети — врач
Петя: Петя и Аня женаты
Аня: лучший повар тут Аня
Аня: Аня, Петя и Саша играют в шахматы
Аня: Аня старше Пети
Вера: Вера любит чай
Вера: Вере 30
Вера: вчера Вера сломала ногу
Роза: Роза — врач
Любовь: Любови 30 лет
Любовь: у Любови есть кот
Игорь: Игорю нравится чай
Игорь: с Игорем живёт кот
Павел Ким: Павел Ким любит чай
Котик: Котик любит чай
-: movie night is on Friday
-: Berlin is the capital of Germany
-: May is a nice month
-: Will you be there
-: the raid is at bob's place
-: the raid is on Friday with bob and Anna
-: the wifi password is swordfish
-: we meet at 8
-: our raid is at 8
-: we play DnD every Friday at 8pm
-: Everyone likes pizza
-: coffee is great
-: 5 May is a holiday
-: the meeting in May is cancelled
-: Minecraft needs java
-: Discord is down
-: вера в бога важна
-: роза — красивый цветок
-: сервер падает по пятницам
-: рейд в субботу у Пети
-: машина сломалась
-: Берлин — столица Германии
"""
"""Statements, each behind the name of whom it is about; "-" is nobody."""


def roster_of(statement: str) -> Roster:
    return ENGLISH if statement.isascii() or "ë" in statement else RUSSIAN


@pytest.mark.parametrize("row", SAID.strip().splitlines())
def test_a_statement_is_about_whom_it_speaks_of(row: str) -> None:
    who, _, statement = row.partition(": ")
    members = roster_of(statement)
    names = {one.user_id: one.name for one in members}
    told = subject_of(statement, members=members, author_id=AUTHOR_ID)
    assert isinstance(told, StatementSubject)
    assert names.get(told.user_id, "-") == who
    assert rendered(told.statement, names) == statement


@pytest.mark.parametrize(
    ("statement", "user_id", "told"),
    [
        ("Zoe likes tea", 8, "Zoë likes tea"),
        ("luna likes tea", 9, "🌸 Luna ✨ likes tea"),
        ("BOB likes tea", 2, "bob likes tea"),
        ("annas bday is 4 July", 3, "Annas bday is 4 July"),
        ("gruzilkn likes tea", 11, "gruzilkin likes tea"),
        ("Петин день рождения 3 мая", 2, "день рождения Пети 3 мая"),
        ("Сашина собака лает", 4, "собака Саши лает"),
        ("Анин любимый цвет синий", 3, "любимый цвет Ани синий"),
        ("Шура любит чай", 4, "Саша любит чай"),
        ("у Александра есть кот", 4, "у Саши есть кот"),
        ("Пашу повысили", 11, "Павла Кима повысили"),
        ("Павлу 30", 11, "Павлу Киму 30"),
        ("петю повысили", 2, "Петю повысили"),
    ],
)
def test_a_name_is_told_as_its_bearer_writes_it(statement: str, user_id: int, told: str) -> None:
    members = roster_of(statement)
    subject = subject_of(statement, members=members, author_id=AUTHOR_ID)
    assert isinstance(subject, StatementSubject)
    assert subject.user_id == user_id
    assert rendered(subject.statement, {one.user_id: one.name for one in members}) == told


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("dave lives in York", ("dave",)),
        ("Dave Smith lives in York", ("Dave Smith",)),
        ("Zoltan is a nurse", ("Zoltan",)),
        ("yesterday Zoltan broke his leg", ("Zoltan",)),
        ("Sarah and bob play chess", ("Sarah",)),
        ("rob lives in York", ("rob",)),
        ("Dave's cat is called Bob", ("Dave",)),
        ("Rome wants no cars", ()),
        ("Python is a language", ()),
        ("Дима живёт в Омске", ("Дима",)),
        ("Диму уволили", ("Дима",)),
        ("позавчера Диму видели в Омске", ("Дима",)),
        ("Москва — столица", ()),
    ],
)
def test_a_statement_about_somebody_who_is_no_member_names_them(
    statement: str, names: tuple[str, ...]
) -> None:
    told = subject_of(statement, members=roster_of(statement), author_id=AUTHOR_ID)
    assert isinstance(told, StatementSubject)
    assert told.user_id == GUILD_SUBJECT
    assert told.names == names


@pytest.mark.parametrize(
    "statement",
    [
        "I go by Ali",
        "I'm Dave",
        "I am Dave",
        "call me Ali from now on",
        "my name is Dave",
        "bob is Robert",
        "меня зовут Даша",
        "я Даша",
        "я — Даша",
        "Петя — это Пётр",
    ],
)
def test_another_name_of_somebody_is_nobody_else(statement: str) -> None:
    told = subject_of(statement, members=roster_of(statement), author_id=AUTHOR_ID)
    assert isinstance(told, StatementSubject)
    assert told.user_id in {AUTHOR_ID, 2}
    assert told.names == ()


@pytest.mark.parametrize(
    ("statement", "user_id", "settled", "plain"),
    [
        ("Hope dies last", 6, "<@6> dies last", "Hope dies last"),
        ("Роза завяла", 6, "<@6> завяла", "Роза завяла"),
        ("gruzilka likes tea", 11, "<@11> likes tea", "gruzilka likes tea"),
    ],
)
def test_what_may_be_a_word_or_another_name_is_asked_about(
    statement: str, user_id: int, settled: str, plain: str
) -> None:
    members = roster_of(statement)
    doubtful = subject_of(statement, members=members, author_id=AUTHOR_ID)
    assert doubtful == AmbiguousName((user_id, GUILD_SUBJECT))
    assert subject_of(statement, members=members, author_id=AUTHOR_ID, is_settled=True) == StatementSubject(
        user_id, settled
    )
    others: list[Member] = [one for one in members if one.user_id != user_id]
    word = subject_of(statement, members=others, author_id=AUTHOR_ID)
    assert isinstance(word, StatementSubject)
    assert (word.user_id, word.statement) == (GUILD_SUBJECT, plain)
