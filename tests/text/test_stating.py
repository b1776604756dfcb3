"""Questions and requests for words state nothing that could be kept; a statement beside them is not passed over."""

import pytest

from bot.text.grammar.understanding import states_nothing


@pytest.mark.parametrize(
    "text",
    [
        "ramen or udon?",
        "what should we cook for Anna tonight?",
        "why is the sky blue",
        "hello! how do I make bread?",
        "tell me a story about dragons",
        "could you explain how tides work, please?",
        "write a poem about my cat",
        "hi there",
        "расскажи сказку про дракона",
        "почему небо голубое",
        "привет! что сегодня приготовить?",
        "¿qué cocino hoy?",
        "was soll ich heute kochen?",
    ],
)
def test_what_only_asks_states_nothing(text: str) -> None:
    assert states_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to peanuts, what should I eat?",
        "what should I cook? I'm vegan",
        "tell me what to cook, I'm allergic to nuts",
        "why is the sky blue and my cat is called Tom",
        "I like pizza",
        "the meeting is at five",
        "had a great day at work",
        "when I was in Rome I loved the food",
        "Что приготовить? У меня аллергия на арахис",
        "посоветуй ужин, у меня аллергия на арахис",
        "Soy alérgico a los cacahuetes, ¿qué puedo comer hoy?",
        "Ich bin gegen Nüsse allergisch, was kann ich essen?",
        "so zeigt sich das",
    ],
)
def test_what_says_something_beside_is_not_passed_over(text: str) -> None:
    assert not states_nothing(text)
