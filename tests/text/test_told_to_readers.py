"""Promises about what a reader sees of a statement, names put in: the right form of every word, or the words as said.

The tables in `tests/sentences/told_*.txt` have a sentence in each row and, where it may be told in the third person,
how that reads, with the author in the case that it wants. Everything else must be a quotation.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.core.domain import Language
from bot.memory.facts.statements import Note, new_fact
from bot.memory.members.subjects import rendered
from bot.text.phrasing import quotation

CASES = ("nomn", "gent", "datv", "accs", "ablt", "loct")
FORMS = """
Маша Маши Маше Машу Машей Маше
Петя Пети Пете Петю Петей Пете
Илья Ильи Илье Илью Ильёй Илье
Женя Жени Жене Женю Женей Жене
Никита Никиты Никите Никиту Никитой Никите
Мария Марии Марии Марию Марией Марии
Любовь Любови Любови Любовь Любовью Любови
Игорь Игоря Игорю Игоря Игорем Игоре
Андрей Андрея Андрею Андрея Андреем Андрее
Павел Павла Павлу Павла Павлом Павле
Марк Марка Марку Марка Марком Марке
Мару Мару Мару Мару Мару Мару
Alex Alex Alex Alex Alex Alex
xX_dark_Xx xX_dark_Xx xX_dark_Xx xX_dark_Xx xX_dark_Xx xX_dark_Xx
"""
NAMES = {row.split()[0]: dict(zip(CASES, row.split(), strict=True)) for row in FORMS.strip().splitlines()}
ROLLO = "Rollo"
LEAST_TOLD = 0.9
"""So much of what can be told is: the rest may be quoted, which is never wrong."""


def rows(language: Language) -> Iterator[tuple[str, str]]:
    name = {Language.ENGLISH: "english", Language.RUSSIAN: "russian"}[language]
    table = Path(__file__).parents[1] / "sentences" / f"told_{name}.txt"
    for row in table.read_text(encoding="utf-8").splitlines():
        said, _, told = row.partition(" | ")
        yield said, told


def shown(said: str, name: str) -> str:
    note = Note(
        guild_id=1, subject_id=1, author_id=1, speaker_id=1, audience=0, statement=said, cause="m:1", channel_id=2,
        message_id=3, said_at=datetime(2026, 3, 4, 12, tzinfo=UTC), time_zone="UTC",
    )  # fmt: skip
    return seen(new_fact(note).content, name)


def seen(content: str, name: str) -> str:
    return rendered(content, {1: name, 2: ROLLO})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", Language)
def test_a_reader_sees_the_right_forms_or_the_words_as_they_were_said(language: Language, name: str) -> None:
    table = list(rows(language))
    about = "об" if name[0] in "АИA" else "о"
    distorted, quoted = [], 0
    for said, told in table:
        quote = seen(quotation(said, teller_id=1), name)
        right = told.format(name=name, about=about, **NAMES[name]).replace("<@2>", ROLLO) if told else quote
        found = shown(said, name)
        quoted += bool(told) and found == quote
        if found not in {right, quote}:
            distorted.append((found, right))
    assert distorted == []
    assert quoted <= (1 - LEAST_TOLD) * len(table)


@pytest.mark.parametrize("language", Language)
def test_the_tables_are_large_and_hold_what_cannot_be_told(language: Language) -> None:
    table = list(rows(language))
    assert len(dict(table)) == len(table) >= 150
    assert sum(not told for _, told in table) >= 25
