"""Versions of a text beside one another."""

from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.web.pages.differences import PartKind, TextPart, differences

TEXTS = st.text(st.sampled_from("ab \n."), max_size=30)


@given(TEXTS, TEXTS)
def test_both_texts_are_there_whole(older: str, newer: str) -> None:
    parts = differences(older, newer)
    assert "".join(one.text for one in parts if one.kind is not PartKind.ADDED) == older
    assert "".join(one.text for one in parts if one.kind is not PartKind.REMOVED) == newer


def test_what_changed_is_marked_word_by_word() -> None:
    assert differences("Lives in Rome.", "Lives in Oslo.") == [
        TextPart(PartKind.SAME, "Lives in"),
        TextPart(PartKind.REMOVED, " Rome."),
        TextPart(PartKind.ADDED, " Oslo."),
    ]
