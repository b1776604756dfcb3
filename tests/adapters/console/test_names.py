"""Names become ids that are always the same, and mentions where a member is meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.console.guild import id_of, mentionable, with_mentions
from bot.core.domain import MAX_ID, Member, moment_of

_BOT_ID = 99


def _member(user_id: int, user_name: str, nickname: str = "") -> Member:
    return Member(guild_id=1, user_id=user_id, user_name=user_name, nickname=nickname)


_USER_IDS = mentionable(
    [
        _member(1, "alice"),
        _member(2, "alice smith"),
        _member(3, "Chris|"),
        _member(4, "robert", "Bob"),
        _member(5, "bob"),
        _member(6, "anna_1", "Anna"),
        _member(7, "anna_2", "Anna"),
        _member(8, "маша"),
    ],
    bot_id=_BOT_ID,
    bot_names=["Bot", "Бот"],
)


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("ask @alice!", "ask <@1>!"),
        ("ask @ALICE's dog", "ask <@1>'s dog"),
        ("ask @alice.", "ask <@1>."),
        ("ask @alice smith", "ask <@2>"),
        ("ask @alice smithers", "ask <@1> smithers"),
        ("@alice @alice", "<@1> <@1>"),
        ("ask @Chris| too", "ask <@3> too"),
        ("что знаешь о @Маша?", "что знаешь о <@8>?"),
        ("@Bot and @бот", "<@99> and <@99>"),
        ("a user name comes before a nickname: @bob", "a user name comes before a nickname: <@5>"),
        ("@Anna may be one of two", "@Anna may be one of two"),
        ("@anna_1 is one", "<@6> is one"),
        ("mail me@alice or x.y@alice.org", "mail me@alice or x.y@alice.org"),
        ("mail @alice.org or @alice@acme.io", "mail @alice.org or @alice@acme.io"),
        ("@alicette is somebody else", "@alicette is somebody else"),
        ("already <@1>", "already <@1>"),
        ("@everyone @ @@", "@everyone @ @@"),
    ],
)
def test_an_at_and_a_known_name_is_a_mention(text: str, stored: str) -> None:
    assert with_mentions(text, _USER_IDS) == stored


@given(st.text())
def test_a_text_without_known_names_stays_as_it_is(text: str) -> None:
    assert with_mentions(text, {}) == text


@given(st.lists(st.text(), min_size=1, max_size=3))
def test_an_id_is_the_same_each_time_and_as_discord_could_give_it(words: list[str]) -> None:
    assert id_of(*words) == id_of(*words)
    assert 0 < id_of(*words) <= MAX_ID
    assert 2016 <= moment_of(id_of(*words)).year <= 2024


def test_ids_of_different_things_differ_and_case_makes_no_difference() -> None:
    assert (
        len({id_of("member", "alice"), id_of("guild", "alice"), id_of("memberalice"), id_of("member", "bob")})
        == 4
    )
    assert id_of("member", "Alice") == id_of("member", "alice")
