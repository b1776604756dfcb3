"""A pattern that is compiled late behaves as one that is compiled at once, and none is wrong unnoticed."""

import gc
import re
from importlib import import_module
from pkgutil import walk_packages

import pytest

import bot.text
from bot.text.languages import with_gaps
from bot.text.patterns import LazyPattern, lazy_pattern


def test_every_pattern_can_be_compiled() -> None:
    for module in walk_packages(bot.text.__path__, "bot.text."):
        import_module(module.name)
    patterns = [one for one in gc.get_objects() if isinstance(one, LazyPattern)]
    assert len(patterns) > 500
    for pattern in patterns:
        pattern.compiled()


def test_it_finds_and_replaces_what_the_pattern_does() -> None:
    text = "Nine boats, nine oars and a NINE"
    early, late = (
        re.compile(r"(?P<many>nine) (\w+)", re.IGNORECASE),
        lazy_pattern(r"(?P<many>nine) (\w+)", re.I),
    )
    for _ in range(2):
        assert [one.span() for one in late.finditer(text)] == [one.span() for one in early.finditer(text)]
        assert late.sub(r"ten \2", text) == early.sub(r"ten \2", text)
        assert late.findall(text, 5) == early.findall(text, 5)
        assert late.search("boats, no oars") is late.fullmatch(text) is None
        assert (found := late.match(text)) is not None
        assert found["many"] == "Nine"
        assert late.split(text) == early.split(text)
        assert (late.pattern, late.flags, late.groups) == (early.pattern, early.flags, early.groups)
        assert late.groupindex == early.groupindex


def test_a_wrong_pattern_is_told_at_its_first_use() -> None:
    wrong = lazy_pattern("(boats")
    with pytest.raises(re.error):
        wrong.search("boats")


def test_a_blank_in_a_table_is_any_gap_and_one_with_a_question_mark_may_be_missing() -> None:
    pattern = re.compile(with_gaps("my nick ?name"))
    assert all(map(pattern.fullmatch, ("my nickname", "my nick name", "my\n nick  name")))
    assert pattern.fullmatch("mynickname") is None
