"""Questions and requests for words state nothing that could be kept; a statement beside them is not passed over."""

import pytest

from bot.text.grammar.understanding import may_ask, states_nothing


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


@pytest.mark.parametrize(
    "text",
    [
        "whens the match",
        "can i bring my brother",
        "any news of the lease",
        "is my boat still in the shed",
        "my boat costs how much",
        "сколько стоит ремонт",
        "у кого ключ от подвала",
        "лодка ещё в сарае",
        "where is it?",
    ],
)
def test_a_question_typed_without_its_mark_may_ask(text: str) -> None:
    assert may_ask(text)


@pytest.mark.parametrize(
    "text",
    [
        "I had a nice day at the beach",
        "you are funny",
        "я сегодня был в кино",
        "ты смешной",
        "what a match that was!",
        "morning",
        "how are you?",
        "",
    ],
)
def test_what_somebody_says_of_themselves_or_of_the_bot_asks_nothing(text: str) -> None:
    assert not may_ask(text)
