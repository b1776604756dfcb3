"""A long answer arrives in two messages that read as one, and in a file where that is not enough."""

import re

from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.discord.messages import split

WORDS = st.lists(
    st.sampled_from(["word", "слово", "longer-word", "\n", "\n\n", "```py\n", "```", "\n```\n", "end."]),
    max_size=120,
)


def test_a_short_answer_is_one_message() -> None:
    assert split("Hello.").messages == ("Hello.",)
    assert split("   ").messages == ()


def test_an_answer_is_split_between_paragraphs_rather_than_lines_and_words() -> None:
    first, second = "a b " * 300, "c d " * 300
    assert split(f"{first.strip()}\n\n{second.strip()}").messages == (first.strip(), second.strip())
    assert split(f"{first.strip()}\n{second.strip()}").messages == (first.strip(), second.strip())


def test_what_two_messages_do_not_hold_is_left_for_a_file() -> None:
    parts = split("\n".join(f"line {number}" for number in range(1_000)))
    assert len(parts.messages) == 2
    together = "\n".join([*parts.messages, parts.rest])
    assert together.splitlines() == [f"line {number}" for number in range(1_000)]


def test_a_fence_that_is_cut_is_closed_and_opened_again_with_its_language() -> None:
    code = "\n".join(f"    call({number})" for number in range(150))
    first, second = split(f"Look:\n```python\n{code}\n```\nDone.").messages
    assert first.startswith("Look:\n```python\n") and first.endswith("\n```")
    assert second.startswith("```python\n    call(") and second.endswith("```\nDone.")
    lines = re.findall(r"^ {4}call\(\d+\)$", f"{first}\n{second}", re.MULTILINE)
    assert len(lines) == 150


def test_a_fence_that_has_only_begun_goes_into_the_next_message_as_a_whole() -> None:
    code = "\n".join(f"line {number}" for number in range(30))
    first, second = split(f"{'word ' * 370}\n```\n{code}\n```").messages
    assert "```" not in first
    assert second == f"```\n{code}\n```"


@given(words=WORDS, characters=st.integers(40, 200))
def test_pieces_fit_lose_no_word_and_close_what_they_open(words: list[str], characters: int) -> None:
    text = " ".join(words)
    parts = split(text, characters=characters, most=100)
    assert all(len(message) <= characters for message in parts.messages)
    assert not parts.rest
    plain = re.compile(r"[\w.-]+")
    kept = [word for message in parts.messages for word in plain.findall(re.sub(r"```(?:py)?", " ", message))]
    assert kept == plain.findall(re.sub(r"```(?:py)?", " ", text))
    if text.count("```") % 2 == 0:
        assert all(message.count("```") % 2 == 0 for message in parts.messages)


@given(text=st.text(max_size=300), characters=st.integers(20, 60))
def test_any_text_is_split_to_its_end(text: str, characters: int) -> None:
    parts = split(text, characters=characters, most=1_000)
    assert all(0 < len(message) <= characters for message in parts.messages)
    assert not parts.rest
