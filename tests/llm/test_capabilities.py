"""What each model can do, and what is learned from its refusals."""

import pytest

from bot.llm.capabilities import KnownCapabilities, is_about_a_capability, without_what_was_refused
from bot.llm.chain import parse_model
from tests.servers.abilities import known_models


@pytest.mark.parametrize("name", sorted(known_models()))
def test_the_table_promises_nothing_that_the_service_refuses(name: str) -> None:
    can, really = KnownCapabilities().of(parse_model(name)), known_models()[name]
    assert can.system_instruction <= really.system_instruction
    assert can.json_schema <= really.json_mode
    assert can.tools <= really.tools
    assert set(can.thinking_levels) <= really.thinking_levels
    assert not can.thinking_off or really.thinking_budget


@pytest.mark.parametrize(
    ("model", "plain", "sees", "least"),
    [
        ("gemma-3-27b-it", True, True, None),
        ("gemma-3n-e4b-it", True, False, None),
        ("gemma-4-31b-it", False, True, "MINIMAL"),
        ("gemini-flash-latest", False, True, "LOW"),
        ("gemini-flash-lite-latest", False, True, "MINIMAL"),
        ("gemini-2.5-flash", False, True, None),
        ("openai:anything", False, True, None),
        ("ollama:gemma3:4b", True, False, None),
        ("google:something-new", True, True, None),
    ],
)
def test_models_are_known_by_their_names(model: str, plain: bool, sees: bool, least: str | None) -> None:
    can = KnownCapabilities().of(parse_model(model))
    assert (can.is_plain, can.images, can.least_thinking) == (plain, sees, least)


@pytest.mark.parametrize(
    "refusal",
    [
        "Developer instruction is not enabled for models/gemma-9",
        "JSON mode is not enabled for models/gemma-9",
        "'response_format' of type 'json_schema' is not supported",
    ],
)
def test_who_refuses_a_way_of_asking_is_asked_in_the_plain_way(refusal: str) -> None:
    can = KnownCapabilities().of(parse_model("gemma-4-31b-it"))
    assert is_about_a_capability(refusal)
    assert without_what_was_refused(can, refusal).is_plain


def test_who_refuses_to_think_so_little_keeps_all_the_rest() -> None:
    can = KnownCapabilities().of(parse_model("gemini-flash-latest"))
    less = without_what_was_refused(can, "Thinking level LOW is not supported for this model.")
    assert (less.least_thinking, less.is_plain, less.images) == (None, False, True)


def test_who_refuses_pictures_keeps_all_the_rest() -> None:
    can = KnownCapabilities().of(parse_model("openai:blind"))
    less = without_what_was_refused(can, "this model does not support image input")
    assert (less.images, less.is_plain) == (False, False)


def test_what_is_learned_of_one_model_holds_for_it_alone() -> None:
    known, new, other = KnownCapabilities(), parse_model("openai:new"), parse_model("openai:other")
    known.learn(new, without_what_was_refused(known.of(new), "no json here"))
    assert (known.of(new).is_plain, known.of(other).is_plain) == (True, False)


def test_a_refusal_of_something_else_is_none_of_a_capability() -> None:
    assert not is_about_a_capability("User location is not supported for the API use.")
