"""What each model of the Gemini API accepts, and with which words it refuses the rest.

The levels of thinking are those that the service accepted in autumn 2026: `gemini-flash-latest` stands for
Gemini 3.8 Flash, which refuses MINIMAL; Gemma 4 knows two levels and no budget; Gemma 3 does not think.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.servers.asked import Asked

_ALL_LEVELS = frozenset({"MINIMAL", "LOW", "MEDIUM", "HIGH"})
_IMAGE_TYPES = frozenset({"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What one model accepts."""

    stands_for: str | None = None
    """The name that answers carry as `modelVersion`, where the model is an alias."""
    system_instruction: bool = True
    json_mode: bool = True
    tools: bool = True
    tools_with_json: bool = True
    """Whether functions may be offered where the answer has to be JSON."""
    thinking_levels: frozenset[str] = _ALL_LEVELS
    thinking_budget: bool = True


_GEMMA_3 = Abilities(
    system_instruction=False, json_mode=False, tools=False, thinking_levels=frozenset(), thinking_budget=False
)
_GEMMA_4 = Abilities(
    tools_with_json=False, thinking_levels=frozenset({"MINIMAL", "HIGH"}), thinking_budget=False
)
_GEMINI_2_5 = Abilities(tools_with_json=False, thinking_levels=frozenset())


def known_models() -> dict[str, Abilities]:
    """Return the models that the server has, by name; each server gets a table of its own to change."""
    return {
        "gemini-flash-latest": Abilities(
            stands_for="gemini-3.8-flash", thinking_levels=_ALL_LEVELS - {"MINIMAL"}
        ),
        "gemini-flash-lite-latest": Abilities(stands_for="gemini-3.1-flash-lite"),
        "gemini-3.8-flash": Abilities(thinking_levels=_ALL_LEVELS - {"MINIMAL"}),
        "gemini-3.1-flash-lite": Abilities(),
        "gemini-2.5-flash": _GEMINI_2_5,
        "gemini-2.5-flash-lite": _GEMINI_2_5,
        "gemma-4-31b-it": _GEMMA_4,
        "gemma-4-26b-a4b-it": _GEMMA_4,
        "gemma-3-27b-it": _GEMMA_3,
        "gemma-3-12b-it": _GEMMA_3,
        "gemma-3-4b-it": _GEMMA_3,
    }


def refusal(asked: Asked, abilities: Abilities) -> str | None:
    """Return the message with which the model refuses what it cannot do, or `None` if it can do all of it."""
    return next(_refusals(asked, abilities), None)


def _refusals(asked: Asked, abilities: Abilities) -> Iterator[str]:
    name = f"models/{asked.model}"
    if not any(text or asked.images for _, text in asked.turns):
        yield "* GenerateContentRequest.contents: contents is not specified\n"
    if asked.system is not None and not abilities.system_instruction:
        yield f"Developer instruction is not enabled for {name}"
    if asked.json_mode and not abilities.json_mode:
        yield f"JSON mode is not enabled for {name}"
    if asked.tools and not abilities.tools:
        yield f"Function calling is not enabled for {name}"
    if asked.tools and asked.json_mode and not abilities.tools_with_json:
        yield "Function calling with a response mime type: 'application/json' is unsupported"
    yield from _refusals_to_think(asked.thinking, abilities)
    for image in asked.images:
        if image.media_type not in _IMAGE_TYPES:
            yield f"Unsupported MIME type: {image.media_type}"
        elif not image.content:
            yield "Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting"


def _refusals_to_think(thinking: Mapping[str, object], abilities: Abilities) -> Iterator[str]:
    level = thinking.get("thinkingLevel")
    budget = thinking.get("thinkingBudget")
    if thinking and not abilities.thinking_levels and not abilities.thinking_budget:
        yield "Thinking is not enabled for this model"
    if level is not None and budget is not None:
        yield "You can only set only one of thinking budget and thinking level."
    if level is not None and not abilities.thinking_levels:
        yield "Thinking level is not supported for this model."
    if level is not None and str(level).upper() not in abilities.thinking_levels:
        yield (
            f"Thinking level {level} is not supported for this model. Please retry with other thinking level."
        )
    if budget is not None and not abilities.thinking_budget:
        yield "Thinking budget is not supported for this model."
