"""A chain of models is read as it was meant, or refused in one sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.chain import PROVIDERS, ModelName, parse_chain

NAMES = st.text(st.characters(categories=["Ll", "Nd"], include_characters="-.:/"), min_size=1, max_size=20)
MODELS = st.builds(ModelName, st.sampled_from(PROVIDERS), NAMES)


def test_models_are_tried_in_the_order_in_which_they_are_named() -> None:
    assert parse_chain("google:gemini-flash-latest, openai:gpt-x") == (
        ModelName("google", "gemini-flash-latest"),
        ModelName("openai", "gpt-x"),
    )


@pytest.mark.parametrize("name", ["gemini-flash-latest", "gemma-4-31b-it", "gemini-flash-latest:tuned"])
def test_what_is_googles_by_its_name_needs_no_provider(name: str) -> None:
    assert parse_chain(name) == (ModelName("google", name),)


def test_the_tag_of_a_local_model_belongs_to_its_name() -> None:
    assert parse_chain("ollama:gemma3:4b") == (ModelName("ollama", "gemma3:4b"),)


def test_a_model_that_is_named_twice_is_asked_once() -> None:
    assert parse_chain("gemma-4-31b-it,google:gemma-4-31b-it") == (ModelName("google", "gemma-4-31b-it"),)


@pytest.mark.parametrize("empty", ["", " ", ",", " , "])
def test_nothing_names_no_model(empty: str) -> None:
    assert parse_chain(empty) == ()


@pytest.mark.parametrize("wrong", ["gpt-x", "anthropic:x", "openai:", ":x", "openai: a b", "google"])
def test_a_wrong_name_is_refused_in_one_sentence(wrong: str) -> None:
    with pytest.raises(ValueError, match="names no model: write provider:name") as refused:
        parse_chain(f"gemini-flash-latest, {wrong}")
    told = str(refused.value)
    assert told.startswith(repr(wrong))
    assert "google, openai, ollama" in told
    assert "\n" not in told


@given(st.lists(MODELS, unique=True))
def test_a_chain_survives_being_written_and_read(chain: list[ModelName]) -> None:
    assert parse_chain(",".join(map(str, chain))) == tuple(chain)
