"""Two spellings of one identifier name the same thing, and no longer number, code or address does."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.text.identifiers import Named, NameKind, names_in


def only(text: str) -> Named:
    (found,) = (one for one in names_in(text) if one.is_sure)
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("+49 30 555017", "030 5550 17"),
        ("+49 (0)30 555017", "0049-30-555017"),
        ("my number is 030 5550 17 (not the mobile)", "call 030/5550 17"),
        ("+1 555 010 9999", "15550109999"),
        ("TKT-007", "tkt_7"),
        ("“Alice@Acme.io”", "alice@acme.io"),
        ("https://www.acme.io/alice/", "acme.io/alice"),
        ("on 4 July", "July 4th"),
        ("4 July 2026", "2026-07-04"),
        ("04.07.2026", "the 4th of July"),
        ("13/7", "13 July"),
        ("4-го июля", "4 июля 2026"),
    ],
)
def test_spellings_of_one_thing_are_the_same(one: str, other: str) -> None:
    assert only(one).is_same(only(other))
    assert only(other).is_same(only(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("+49 30 555017", "+43 30 555017"),
        ("030 5550 17", "030 5550 178"),
        ("TKT-100", "TKT-1001"),
        ("TKT-100", "TKT-10"),
        ("alice@acme.io", "alice@acme.io.uk"),
        ("acme.io/alice", "acme.io/alice/shop"),
        ("4 July", "14 July"),
        ("4 July 2025", "4 July 2026"),
        ("10.0.0.1", "10.0.0.12"),
        ("v2.1", "v2.10"),
        ("5550109999", "15550109999"),
    ],
)
def test_what_is_longer_or_lies_elsewhere_is_another(one: str, other: str) -> None:
    assert not only(one).is_same(only(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("alice+news@acme.io", "alice@acme.io"),
        ("A.B-100", "AB100"),
        ("7/4", "4 July"),
        ("8 912 000 11 22", "+7 912 000 11 22"),
    ],
)
def test_what_may_be_the_same_is_alike_only(one: str, other: str) -> None:
    assert only(one).is_alike(only(other))
    assert not only(one).is_same(only(other))


@given(
    letters=st.text("abcdefghij", min_size=2, max_size=5),
    digits=st.integers(1, 999_999),
    padding=st.integers(0, 3),
    joint=st.sampled_from(["-", "_", "#", "/", ""]),
    further=st.text("0123456789", min_size=1, max_size=2),
)
def test_a_code_is_one_in_every_spelling_and_no_longer_one(
    letters: str, digits: int, padding: int, joint: str, further: str
) -> None:
    code = only(f"{letters.upper()}-{digits}")
    spelt = f"{letters}{joint}{'0' * padding}{digits}"
    assert only(spelt).is_same(code)
    assert not only(f"{spelt}{further}").is_same(code)
    assert not only(f"{spelt}{further}").is_alike(code)


@given(
    area=st.integers(20, 999),
    number=st.integers(100_000, 9_999_999),
    gaps=st.lists(st.sampled_from(["", " ", "-", "/", "."]), min_size=11, max_size=11),
    further=st.sampled_from("0123456789"),
)
def test_a_number_is_one_with_and_without_its_country(
    area: int, number: int, gaps: list[str], further: str
) -> None:
    digits = f"0{area}{number}"
    spelt = "".join(digit + gap for digit, gap in zip(digits, [*gaps, ""], strict=False)).rstrip(" -/.")
    # Four short groups with dots between them are the address of a host.
    assume(not re.search(r"(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)", spelt))
    abroad = only(f"+49 {area} {number}")
    assert abroad.kind is NameKind.PHONE
    home = [one for one in names_in(spelt) if one.kind is NameKind.PHONE]
    assert all(one.is_same(abroad) for one in home)
    assert only(digits).is_same(abroad)
    assert not only(digits + further).is_same(abroad)


@given(st.text(max_size=80))
def test_whatever_the_text_what_is_found_stands_in_it_in_order(text: str) -> None:
    found = names_in(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert [one.start for one in found] == sorted(one.start for one in found)
    assert all(one.is_same(one) for one in found)
