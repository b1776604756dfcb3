"""A name finds the member whom it means, and nobody else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.domain import Member
from bot.memory.members.roster import AmbiguousName, FoundMember, Roster, UnknownName, resolve
from bot.memory.members.subjects import StatementSubject, subject_of, with_mentions
from tests.chat.members import ALICE, AUTHOR_ID, MARTIN, MEMBERS, member


def found(name: str) -> int | None:
    resolved = resolve(name, members=MEMBERS, author_id=AUTHOR_ID)
    return resolved.user_id if isinstance(resolved, FoundMember) else None


@pytest.mark.parametrize(
    ("name", "user_id"),
    [
        ("<@2>", 2),
        ("<@!2>", 2),
        ("<@777>", 777),
        ("2", 2),
        ("@bob_77", 2),
        ("BOB", 2),
        ("Bob?", 2),
        ("Bob's", 2),
        ("Bob’s", 2),
        ("Sergey", 3),
        ("петр", 8),
        ("Пётр", 8),
        ("Florent  Martinez", 13),
        (r"\o/", 14),
        ("gruzilkn", 3),
        ("gruzlikin", 3),
    ],
)
def test_a_name_finds_its_member(name: str, user_id: int) -> None:
    assert found(name) == user_id


@pytest.mark.parametrize("name", ["me", "I", "Myself", "я", "мне", "меня", "обо мне", "про меня"])
def test_the_first_person_is_the_author(name: str) -> None:
    assert found(name) == AUTHOR_ID


@pytest.mark.parametrize(
    ("name", "user_id"),
    [
        ("Маше", 4),
        ("Машу", 4),
        ("Маши", 4),
        ("Машей", 4),
        ("Саше", 5),
        ("Сергея", 6),
        ("Сергею", 6),
        ("Сергеем", 6),
        ("Боба", 7),
        ("Бобом", 7),
        ("Петра", 8),
        ("Петру", 8),
        ("Павла", 10),
        ("Павлом", 10),
        ("Анне Ивановой", 11),
        ("Анну Иванову", 11),
        ("Паша", 10),
        ("Паше", 10),
        ("Шурой", 5),
    ],
)
def test_a_declined_name_is_its_nominative(name: str, user_id: int) -> None:
    assert found(name) == user_id


@pytest.mark.parametrize("name", ["Даша", "Dasha", "Marvin", "Alce", "Bop", "Zoltan", "Бори", ""])
def test_another_name_is_nobody(name: str) -> None:
    assert isinstance(resolve(name, members=MEMBERS, author_id=AUTHOR_ID), UnknownName)


def test_nobody_comes_with_the_closest_name_if_one_is_close() -> None:
    assert resolve("Marvin", members=MEMBERS, author_id=AUTHOR_ID) == UnknownName("Marvin", MARTIN.user_id)
    assert resolve("Xqzwy", members=MEMBERS, author_id=AUTHOR_ID) == UnknownName("Xqzwy", None)


def test_members_who_share_a_name_are_ambiguous_whatever_kind_of_name_it_is() -> None:
    one, two = member(21, "alex1", display_name="Alex"), member(22, "alex2", display_name="alex")
    assert resolve("Alex", members=[one, two], author_id=1) == AmbiguousName((21, 22))
    three = member(23, "third", nickname="Alex")
    assert resolve("Alex", members=[one, two, three], author_id=1) == AmbiguousName((23, 21, 22))


def test_two_close_names_are_none() -> None:
    twins = [member(31, "gruzilkin"), member(32, "gruziilkin")]
    assert isinstance(resolve("gruzillkin", members=twins, author_id=1), UnknownName)


def test_an_id_too_large_for_the_database_is_nobody() -> None:
    assert isinstance(resolve("<@99999999999999999999>", members=MEMBERS, author_id=1), UnknownName)
    assert isinstance(resolve("9999999999999999999", members=MEMBERS, author_id=1), UnknownName)


@given(
    st.lists(
        st.from_regex(r"[b-hj-z][a-z0-9_.]{2,11}|[А-Я][а-яё]{2,9}( [А-Я][а-я]{2,9})?", fullmatch=True),
        min_size=1,
    )
)
def test_every_member_is_found_by_their_user_name(names: list[str]) -> None:
    members = [member(1_000 + position, name) for position, name in enumerate(names)]
    for one in members:
        resolved = resolve(one.user_name, members=members, author_id=1)
        if isinstance(resolved, AmbiguousName):
            assert one.user_id in resolved.candidates
        else:
            assert resolved == FoundMember(one.user_id)


@given(st.text(), st.text())
def test_no_text_breaks_the_names(text: str, name: str) -> None:
    members = Roster([member(5, name or "nobody", nickname=name), ALICE])
    resolve(text, members=members, author_id=1)
    subject_of(text, members=members, author_id=1)
    with_mentions(text, members)


def test_a_roster_is_used_as_it_is_so_that_its_lookups_are_built_once() -> None:
    assert Roster.of(MEMBERS) is MEMBERS
    crowd = Roster(
        [member(number, f"user{number}", display_name=f"Name {number}") for number in range(1, 10_001)]
    )
    for number in range(1, 2_001):
        assert resolve(f"user{number}", members=crowd, author_id=1) == FoundMember(number)
        assert subject_of(f"Name {number} likes tea", members=crowd, author_id=1) == StatementSubject(
            number, f"<@{number}> likes tea"
        )


def test_the_first_of_several_names_will_do() -> None:
    people = [
        Member(guild_id=1, user_id=1, user_name="asmith", display_name="Anna Smith"),
        Member(guild_id=1, user_id=2, user_name="ivan", nickname="Иван Петров"),
        Member(guild_id=1, user_id=3, user_name="bobby", display_name="Bob Dark"),
        Member(guild_id=1, user_id=4, user_name="bobo", display_name="Bob Light"),
    ]
    assert resolve("Anna", members=people, author_id=9) == FoundMember(1)
    assert resolve("Иване", members=people, author_id=9) == FoundMember(2)
    assert resolve("Bob", members=people, author_id=9) == AmbiguousName((3, 4))
    assert subject_of("Anna likes tea", members=people, author_id=9) == StatementSubject(1, "<@1> likes tea")


ERIN, ANNA = 101, 102
TAKEN = [
    Member(guild_id=1, user_id=ERIN, user_name="erin", nickname="alice", display_name="Erin"),
    Member(guild_id=1, user_id=ANNA, user_name="alice", nickname="Ally", display_name="Alice B"),
    Member(guild_id=1, user_id=103, user_name="masha", nickname="Маша"),
    Member(guild_id=1, user_id=104, user_name="eve", nickname="Маше"),
    Member(guild_id=1, user_id=105, user_name="kim", nickname="Kim", aliases=("Captain",)),
    Member(guild_id=1, user_id=106, user_name="lee", nickname="captain"),
    Member(guild_id=1, user_id=107, user_name="max", display_name="Ally"),
]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("alice", {ERIN, ANNA}),
        ("@Alice", {ERIN, ANNA}),
        ("alice's", {ERIN, ANNA}),
        ("Ally", {ANNA, 107}),
        ("Маше", {103, 104}),
        ("captain", {105, 106}),
    ],
)
def test_a_name_that_fits_two_by_any_of_their_names_is_asked_about(name: str, expected: set[int]) -> None:
    resolved = resolve(name, members=TAKEN, author_id=AUTHOR_ID)
    assert isinstance(resolved, AmbiguousName)
    assert set(resolved.candidates) == expected
    said = "любит чай" if name == "Маше" else "likes tea"
    if not name.endswith("s"):
        subject = subject_of(f"{name} {said}", members=TAKEN, author_id=AUTHOR_ID)
        assert isinstance(subject, AmbiguousName)
        assert set(subject.candidates) == expected
    assert "<@" not in with_mentions(f"we met {name} there", TAKEN)


def test_a_name_that_only_one_bears_is_not_asked_about() -> None:
    assert resolve("Erin", members=TAKEN, author_id=AUTHOR_ID) == FoundMember(ERIN)
    assert resolve("Машу", members=TAKEN, author_id=AUTHOR_ID) == FoundMember(103)
