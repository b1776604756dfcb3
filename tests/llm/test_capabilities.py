"""What each model can do, and what is learned from its refusals."""

import pytest

from bot.llm.capabilities import KnownCapabilities, is_about_a_capability, without_what_was_refused
from bot.llm.chain import parse_model
from tests.servers.abilities import known_models


@pytest.mark.parametrize("name", sorted(known_models()))
def test_the_table_promises_nothing_that_the_service_refuses(name: str) -> None:
    can, really = KnownCapabilities().of(parse_model(name)), known_models()[name]
    assert can.tools <= really.tools
    assert set(can.thinking_levels) <= really.thinking_levels
    assert not can.thinking_off or really.thinking_budget


@pytest.mark.parametrize(
    ("model", "calls", "sees", "least"),
    [
        ("gemma-3-27b-it", False, True, None),
        ("gemma-3n-e4b-it", False, False, None),
        ("gemma-4-31b-it", True, True, "MINIMAL"),
        ("gemini-flash-latest", True, True, "LOW"),
        ("gemini-flash-lite-latest", True, True, "MINIMAL"),
        ("gemini-2.5-flash", True, True, None),
        ("openai:anything", True, True, None),
        ("ollama:gemma3:4b", False, False, None),
        ("google:something-new", False, True, None),
    ],
)
def test_models_are_known_by_their_names(model: str, calls: bool, sees: bool, least: str | None) -> None:
    can = KnownCapabilities().of(parse_model(model))
    assert (can.tools, can.images, can.least_thinking) == (calls, sees, least)


def test_who_refuses_to_think_so_little_keeps_all_the_rest() -> None:
    can = KnownCapabilities().of(parse_model("gemini-flash-latest"))
    less = without_what_was_refused(can, "Thinking level LOW is not supported for this model.")
    assert (less.least_thinking, less.tools, less.images) == (None, True, True)


def test_who_refuses_pictures_keeps_all_the_rest() -> None:
    can = KnownCapabilities().of(parse_model("openai:blind"))
    less = without_what_was_refused(can, "this model does not support image input")
    assert (less.images, less.tools) == (False, True)


def test_what_is_learned_of_one_model_holds_for_it_alone() -> None:
    known, new, other = KnownCapabilities(), parse_model("openai:new"), parse_model("openai:other")
    known.learn(new, without_what_was_refused(known.of(new), "no tools here", had_tools=True))
    assert (known.of(new).tools, known.of(other).tools) == (False, True)


def test_a_refusal_of_something_else_is_none_of_a_capability() -> None:
    assert not is_about_a_capability("User location is not supported for the API use.")
