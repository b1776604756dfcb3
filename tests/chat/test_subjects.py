"""A statement is about whom it begins with, and names go in and out of it unharmed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.domain import GUILD_SUBJECT
from bot.memory.members.roster import AmbiguousName, UnknownName
from bot.memory.members.subjects import StatementSubject, rendered, subject_of, with_mentions
from tests.chat.members import AUTHOR_ID, MEMBERS, member


@pytest.mark.parametrize(
    ("statement", "user_id", "kept"),
    [
        ("I like pizza", AUTHOR_ID, "I like pizza"),
        ("i'm tired of Bob", AUTHOR_ID, "i'm tired of <@2>"),
        ("I’m here", AUTHOR_ID, "I’m here"),
        ("my birthday is 5 May", AUTHOR_ID, "my birthday is 5 May"),
        ("мне нравится пицца", AUTHOR_ID, "мне нравится пицца"),
        ("у меня есть кот", AUTHOR_ID, "у меня есть кот"),
        ("моя кошка спит", AUTHOR_ID, "моя кошка спит"),
        ("Моё имя Алиса", AUTHOR_ID, "Моё имя Алиса"),
        ("<@2> likes tea", 2, "<@2> likes tea"),
        ("<@!2> likes tea", 2, "<@2> likes tea"),
        ("<@777> likes tea", 777, "<@777> likes tea"),
        ("gruzilkin is Sergio", 3, "<@3> is Sergio"),
        ("Bob's birthday is 5 May", 2, "<@2>'s birthday is 5 May"),
        ("@bob_77 likes tea", 2, "<@2> likes tea"),
        ("Bob, who is here, likes Alice", 2, "<@2>, who is here, likes <@1>"),
        ("Florent Martinez lives in Lyon", 13, "<@13> lives in Lyon"),
        (r"\o/ likes tea", 14, "<@14> likes tea"),
        ("Маше нравится пицца", 4, "<@4> нравится пицца"),
        ("у Маши есть кот", 4, "у <@4> есть кот"),
        ("Анна Иванова любит чай", 11, "<@11> любит чай"),
        ("gruzilkn likes tea", 3, "<@3> likes tea"),
        ("gruzilkn's birthday is 5 May", 3, "<@3>'s birthday is 5 May"),
    ],
)
def test_a_statement_is_about_whom_it_begins_with(statement: str, user_id: int, kept: str) -> None:
    assert subject_of(statement, members=MEMBERS, author_id=AUTHOR_ID) == StatementSubject(user_id, kept)


@pytest.mark.parametrize(
    "statement",
    [
        "movie night is on Friday",
        "Friday is movie night",
        "the wifi password is hunter2",
        "we meet at 8",
        "Berlin is the capital",
        "Everyone likes pizza",
        "She likes pizza",
        "May has 31 days",
        "@everyone likes pizza",
        "bob_77@acme.io is the address",
        "I/O is slow",
        "кино в пятницу",
        "мы встречаемся в восемь",
        "Сервер работает",
        "marting is fun",
        "",
    ],
)
def test_what_begins_with_no_name_is_about_the_guild(statement: str) -> None:
    assert subject_of(statement, members=MEMBERS, author_id=AUTHOR_ID) == StatementSubject(
        GUILD_SUBJECT, statement
    )


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("Zoltan likes tea", "Zoltan"),
        ("zoltan likes tea", "zoltan"),
        ("Zoltan really likes tea", "Zoltan"),
        ("Zoltan's birthday is today", "Zoltan"),
        ("Золтан любит чай", "Золтан"),
        ("Золтан не любит чай", "Золтан"),
        ("Диме нравится чай", "Дима"),
    ],
)
def test_a_leading_name_that_nobody_bears_is_given_back(statement: str, name: str) -> None:
    told = subject_of(statement, members=MEMBERS, author_id=AUTHOR_ID)
    assert told == StatementSubject(GUILD_SUBJECT, statement, names=(name,))


def test_whom_nobody_knows_by_an_at_is_said_to_be_unknown() -> None:
    unknown = subject_of("@zoltan is nice", members=MEMBERS, author_id=AUTHOR_ID)
    assert isinstance(unknown, UnknownName)
    assert unknown.name == "zoltan"


def test_an_ambiguous_opening_names_what_a_mention_may_replace() -> None:
    twins = [member(21, "alex1", display_name="Alex"), member(22, "alex2", display_name="Alex")]
    ambiguous = subject_of("Alex's cat sleeps", members=twins, author_id=1)
    assert ambiguous == AmbiguousName((21, 22))
    assert isinstance(ambiguous, AmbiguousName)
    assert ambiguous.name == "Alex"


def test_a_member_called_like_a_weekday_is_named_only_by_what_people_do() -> None:
    friday = [member(41, "x", nickname="Friday")]
    night = subject_of("Friday is movie night", members=friday, author_id=1)
    assert isinstance(night, StatementSubject)
    assert night.user_id == GUILD_SUBJECT
    assert subject_of("Friday likes tea", members=friday, author_id=1) == StatementSubject(
        41, "<@41> likes tea"
    )


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("ask @bob_77 or @alice.", "ask <@2> or <@1>."),
        ("(@BOB) said", "(<@2>) said"),
        ("with Bob, Alice's friend", "with <@2>, <@1>'s friend"),
        ("seen by @Florent Martinez today", "seen by <@13> today"),
        ("mail alice@acme.io or bob_77@acme.io", "mail alice@acme.io or bob_77@acme.io"),
        ("alice.smith and @alice.smith", "alice.smith and @alice.smith"),
        ("see <@2> and <@!3>", "see <@2> and <@!3>"),
        ("a martin in my gruzilkin", "a martin in my gruzilkin"),
        ("BOB and bOb", "BOB and bOb"),
        ("@everyone: hello", "@everyone: hello"),
        ("two  blanks\nBob", "two  blanks\n<@2>"),
    ],
)
def test_names_inside_a_text_become_mentions_only_when_they_are_clear(text: str, stored: str) -> None:
    assert with_mentions(text, MEMBERS) == stored


def test_a_shared_name_and_a_common_word_stay_as_they_are() -> None:
    members = [
        member(1, "will"),
        member(2, "a", nickname="Kim"),
        member(3, "b", nickname="Kim"),
        member(4, "Jo"),
    ]
    assert with_mentions("Kim and Jo will go", members) == "Kim and Jo will go"
    assert with_mentions("@will goes", members) == "<@1> goes"


@pytest.mark.parametrize("name", [r"\o/", r"\1", r"\g<0>", "a\\", "$1", "{0}"])
def test_a_name_full_of_signs_comes_out_literally(name: str) -> None:
    assert rendered("hello <@1> and <@!1>", {1: name}) == f"hello {name} and {name}"


def test_an_unknown_id_is_someone() -> None:
    assert rendered("<@5> likes <@6>", {6: "tea"}) == "someone likes tea"


@given(st.text(), st.dictionaries(st.integers(min_value=1), st.text()))
def test_rendering_never_fails_and_leaves_other_text_alone(text: str, names: dict[int, str]) -> None:
    around = "".join(f"[{text}<@{user_id}>" for user_id in names)
    rendered(around, names)
    assert rendered(text.replace("<@", ""), names) == text.replace("<@", "")
