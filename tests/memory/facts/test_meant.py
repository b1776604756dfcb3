"""Which facts somebody means who wants something forgotten: never what they except."""

import pytest

from bot.memory.rights.forgetting.meant import facts_meant
from tests.memory.known import fact

KNOWN = [
    fact(1, "<@7>'s name is Tom"),
    fact(2, "<@7>'s dog is called Rex"),
    fact(3, "<@7> likes nothing but tea"),
    fact(4, "у <@7> день рождения 5 мая"),
]


@pytest.mark.parametrize(
    "what",
    [
        "everything but my name",
        "all but Rex",
        "everything but tea",
        "anything but tea",
        "everything about me except my name",
        "not my name",
        "nothing about tea",
        "всё кроме дня рождения",
    ],
)
def test_what_is_excepted_is_never_meant(what: str) -> None:
    meant = facts_meant(what, KNOWN, author_id=7)
    assert (meant.sure, meant.nearest) == ((), ())


@pytest.mark.parametrize(
    ("what", "content"),
    [("my name", "<@7>'s name is Tom"), ("I like nothing but tea", "<@7> likes nothing but tea")],
)
def test_what_excepts_nothing_is_meant(what: str, content: str) -> None:
    assert [one.content for one in facts_meant(what, KNOWN, author_id=7).sure] == [content]
