"""Asks each model one tiny question and puts what goes wrong into words for whoever runs the bot."""

import asyncio
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, Field
from pydantic_ai.exceptions import ModelNotFoundError, ModelQuotaExceededError

from bot.llm import framing
from bot.llm.calling import AgentCaller
from bot.llm.chain import CallFailed, Failure, ModelName, Provider
from bot.llm.operation import Question, Role
from bot.llm.providers import Access, Providers

QUESTION: Final = "check_model"

_KEYS: Final[Mapping[Provider, str]] = {
    "google": "GEMINI_API_KEY",
    "openai": "OPENAI_API_KEY",
    "ollama": "OLLAMA_BASE_URL",
}

_ADDRESSES: Final[Mapping[Provider, str]] = {
    "google": "the network of this machine, and GEMINI_BASE_URL if it is set",
    "openai": "that the server runs, and OPENAI_BASE_URL",
    "ollama": "that Ollama runs (ollama serve), and OLLAMA_BASE_URL",
}

_OTHERWISE: Final[Mapping[Failure, str]] = {
    "overloaded": "the service is overloaded or broken: try again later, and name a second model behind it",
    "refused": "it refuses even a harmless question: name another model",
    "cut_off": "its answer is cut off or empty: name another model",
    "invalid": "it does not answer in the form that it is asked for: name another model",
    "capability": "it does not take the questions that Keepsake puts: name another model",
    "other": "the service rejects the question: check that the name is that of a model for text",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedModel:
    """How one model took its question."""

    model: ModelName
    seconds: float
    trouble: str = ""
    """What is wrong and what to do, in one sentence without its full stop; empty if it answered."""


class _Sign(BaseModel):
    text: str = Field(description="the word OK")


async def examine(
    models: Collection[ModelName], access: Mapping[Provider, Access], *, timeout_seconds: float
) -> list[ExaminedModel]:
    """Ask all `models` at once, each once and for `timeout_seconds` at most; `access` is how to reach them."""
    caller = AgentCaller(Providers(models, access))
    try:
        return await asyncio.gather(*(_examined(caller, model, timeout_seconds) for model in models))
    finally:
        await caller.close()


async def _examined(caller: AgentCaller, model: ModelName, timeout_seconds: float) -> ExaminedModel:
    question = Question(
        operation=QUESTION, role=Role.MEMORY, prompt=framing.render(QUESTION, {}), answer=_Sign
    )
    started = time.monotonic()
    trouble = ""
    try:
        await caller.call(model, question, timeout_seconds=timeout_seconds, admit=_always)
    except CallFailed as failed:
        trouble = _trouble(model, failed, timeout_seconds)
    return ExaminedModel(model=model, seconds=time.monotonic() - started, trouble=trouble)


async def _always() -> None:
    """Admit a request that nobody's quota is asked for."""


def _trouble(model: ModelName, failed: CallFailed, timeout_seconds: float) -> str:
    match failed.kind:
        case "unauthorised" if isinstance(failed.__cause__, ModelNotFoundError):
            if model.provider == "ollama":
                return f"Ollama does not have it: run “ollama pull {model.name}”"
            return "the service knows no model of this name: mend the name"
        case "unauthorised":
            return f"the key is refused: check {_KEYS[model.provider]}"
        case "rate_limited" if isinstance(failed.__cause__, ModelQuotaExceededError):
            return (
                "its quota of the day, or the credit, is used up: wait, pay, or name a second model behind it"
            )
        case "rate_limited":
            return f"it is over its quota{_until(failed)}: try again then, or name a second model behind it"
        case "timeout":
            return f"no answer within {timeout_seconds:g} seconds: check {_ADDRESSES[model.provider]}"
        case "connection":
            return f"it cannot be reached: check {_ADDRESSES[model.provider]}"
        case otherwise:
            return _OTHERWISE[otherwise]


def _until(failed: CallFailed) -> str:
    seconds = failed.retry_after_seconds
    return "" if seconds is None else f" for the next {seconds:.0f} seconds"
