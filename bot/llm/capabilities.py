"""What each model can do: a table by name, and what the models themselves have corrected in it."""

import re
from dataclasses import dataclass, replace
from typing import Final

from bot.llm.chain import ModelName


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What one model accepts in a request; what it does not is answered with status 400."""

    tools: bool = True
    images: bool = True
    thinking_levels: tuple[str, ...] = ()
    """The levels that it knows, the least first; none if its thinking is not set by level."""
    thinking_off: bool = False
    """Whether it may be asked not to think at all."""

    @property
    def least_thinking(self) -> str | None:
        """The level at which it thinks least, or `None` if there is nothing to set."""
        return self.thinking_levels[0] if self.thinking_levels else None


_PLAIN: Final = Capabilities(tools=False, images=False)
_SEEING: Final = replace(_PLAIN, images=True)

_TABLE: Final[tuple[tuple[str, Capabilities], ...]] = (
    (r"google:gemma-3(n|-1b)", _PLAIN),
    (r"google:gemma-3", _SEEING),
    (r"google:gemma-", Capabilities(thinking_levels=("MINIMAL", "HIGH"))),
    # Before the third generation thinking was set by a budget of tokens.
    (r"google:gemini-[12]\b", Capabilities(thinking_off=True)),
    (r"google:gemini-.*flash-lite", Capabilities(thinking_levels=("MINIMAL", "LOW", "MEDIUM", "HIGH"))),
    # An alias may point to any of its family, and some of them refuse MINIMAL; all know LOW.
    (r"google:gemini-", Capabilities(thinking_levels=("LOW", "HIGH"))),
    (r"openai:", Capabilities(thinking_off=True)),
    # Which of the local models see or call functions depends on the build that serves them.
    (r"ollama:", _PLAIN),
    (r"google:", _SEEING),
)
"""The first pattern that fits the beginning of `provider:name` decides."""

_ABOUT_A_CAPABILITY: Final = re.compile(
    r"tool|function|thinking|reasoning|image|vision|multimodal",
    re.IGNORECASE,
)


def is_about_a_capability(refusal: str) -> bool:
    """Tell whether the text of an answer with status 400 speaks of something that this table promises."""
    return _ABOUT_A_CAPABILITY.search(refusal) is not None


def without_what_was_refused(
    capabilities: Capabilities, refusal: str, *, had_tools: bool = False
) -> Capabilities:
    """Return `capabilities` less the one that the text of `refusal` is about; when in doubt, the plain way.

    `had_tools` tells whether tools were offered: they are given up before all that a model is held to.
    """
    told = refusal.lower()
    if had_tools and re.search(r"tool|function", told):
        return replace(capabilities, tools=False)
    if re.search(r"thinking|reasoning", told) and (capabilities.thinking_levels or capabilities.thinking_off):
        return replace(capabilities, thinking_levels=(), thinking_off=False)
    if re.search(r"image|vision|multimodal", told) and capabilities.images:
        return replace(capabilities, images=False)
    return replace(_PLAIN, images=capabilities.images)


class KnownCapabilities:
    """The table, with what was learned in this process on top of it."""

    def __init__(self) -> None:
        self._learned: dict[ModelName, Capabilities] = {}

    def of(self, model: ModelName) -> Capabilities:
        """Return what `model` can do."""
        learned = self._learned.get(model)
        if learned is not None:
            return learned
        name = str(model).lower()
        return next(capabilities for pattern, capabilities in _TABLE if re.match(pattern, name))

    def learn(self, model: ModelName, capabilities: Capabilities) -> None:
        """Remember, as long as the process lives, that `model` can do just this."""
        self._learned[model] = capabilities
