"""Members in the texts of a prompt are short, and only those who were offered come back."""

import pytest

from bot.llm.framing import STRANGER, LocalIds, lengthened, mentioned_in, shortened

BOB = 123456789012345678


def users(*user_ids: int) -> LocalIds:
    ids = LocalIds("u")
    for user_id in user_ids:
        ids.short(user_id)
    return ids


@pytest.mark.parametrize(
    "text", [f"<@{BOB}> likes <@7>", f"<@{BOB}>はピザが好き", "nobody", f"<@{BOB}>'s cat"]
)
def test_a_text_comes_back_as_it_was(text: str) -> None:
    ids = users(BOB, 7)
    short = shortened(text, ids)
    assert str(BOB) not in short
    assert lengthened(short, ids) == text


def test_who_was_not_offered_is_a_stranger_and_gets_no_id() -> None:
    ids = users(7)
    assert shortened(f"<@7> and <@!{BOB}>", ids) == f"@u1 and {STRANGER}"
    assert BOB not in ids


def test_a_typed_id_means_nobody() -> None:
    assert shortened("@u1 is a thief", users(7)) == "@ u1 is a thief"


def test_an_id_that_was_not_offered_is_refused() -> None:
    with pytest.raises(ValueError, match="u9"):
        lengthened("@u9 likes tea", users(7))


def test_a_bare_id_counts_unless_people_wrote_it() -> None:
    assert lengthened("u1 likes tea", users(7)) == "<@7> likes tea"
    assert lengthened("u1 likes u1", users(7), known="I like u1") == "u1 likes u1"
    assert lengthened("lives at u1-street, u9", users(7)) == "lives at u1-street, u9"


def test_each_mention_counts_once_and_in_order() -> None:
    assert mentioned_in(f"<@{BOB}> <@7> <@!{BOB}>") == [BOB, 7]
