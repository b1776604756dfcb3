"""The estimate of tokens: bytes by four, for every script."""

from bot.llm.framing import estimated_tokens


def test_tokens_are_bytes_by_four_rounded_up() -> None:
    assert [estimated_tokens(text) for text in ("", "a", "four", "fives", "привет")] == [0, 1, 1, 2, 3]
