"""One question to one model: sent the way that the model takes it, and the answer checked."""

import asyncio
import json
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

import pydantic_ai
from markupsafe import Markup
from pydantic import BaseModel, ValidationError
from pydantic_ai import Agent, BinaryContent, ModelRetry, NativeOutput, RunContext, TextOutput, UserContent
from pydantic_ai.capabilities import Hooks
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.usage import UsageLimits

from bot.language import failures, framing
from bot.language.capabilities import (
    Capabilities,
    KnownCapabilities,
    is_about_a_capability,
    without_what_was_refused,
)
from bot.language.chain import ModelName
from bot.language.operation import Question, Role
from bot.language.outcome import Admit, Called, CallFailed, CallHeld
from bot.language.providers import Providers
from bot.language.tool_calls import callable_tools
from bot.language.tools import MOST_ROUNDS, what_is_wrong
from bot.log import trace

if TYPE_CHECKING:
    from pydantic_ai.models.google import GoogleModelSettings

logger = logging.getLogger(__name__)

# At the first question of a process the library would print an advertisement to a terminal.
pydantic_ai.BANNER_ENABLED = False

AnswerT = TypeVar("AnswerT", bound=BaseModel)

CORRECTIONS: Final = 1
"""How often a model may mend an answer that does not fit."""

_NUL: Final = "\\u0000"
"""As JSON writes it."""

_LIKE_JSON: Final = re.compile(r'\s*(?:```(?:json)?\s*)?\{\s*"(?P<field>\w+)"')


@dataclass(slots=True)
class _Watch:
    """Looks at every single request of a call: may it be sent, what did it cost, did it end well."""

    admit: Admit
    tools: frozenset[str] = frozenset()
    """The names of those that are offered."""
    sent: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    async def before(self, _: RunContext[None], request: ModelRequestContext) -> ModelRequestContext:
        await self.admit()
        self.sent += 1
        return request

    async def after(
        self, _: RunContext[None], *, request_context: ModelRequestContext, response: ModelResponse
    ) -> ModelResponse:
        self.input_tokens += response.usage.input_tokens
        self.output_tokens += response.usage.output_tokens
        wrong = failures.of_response(response, tools=self.tools)
        if wrong is not None:
            raise CallFailed(wrong)
        return response


class AgentCaller:
    """Puts questions to models through agents; what models refuse is remembered in `known`."""

    def __init__(self, providers: Providers, known: KnownCapabilities | None = None) -> None:
        self._providers = providers
        self._known = known or KnownCapabilities()

    async def call(
        self, model: ModelName, question: Question[AnswerT], *, timeout_seconds: float, admit: Admit
    ) -> Called[AnswerT]:
        """Return a checked answer of `model`, whatever it takes: a correction, or asking in a plainer way.

        Raises `CallFailed`, with the tokens that were spent all the same, when there is none within
        `timeout_seconds`; and `CallHeld` if `admit` does so before anything was sent.
        """
        watch = _Watch(admit, frozenset(tool.name for tool in question.tools))
        try:
            async with asyncio.timeout(timeout_seconds):
                value = await self._ask_as_it_takes_it(model, question, watch)
        except Exception as error:
            if isinstance(error, CallHeld) and not watch.sent:
                raise
            failed = failures.of_error(error)
            if failures.is_unforeseen(error):
                logger.error("asking %s about %s failed: %s", model, question.operation, trace(error))
            raise CallFailed(
                failed.kind,
                retry_after_seconds=failed.retry_after_seconds,
                input_tokens=watch.input_tokens,
                output_tokens=watch.output_tokens,
            ) from error
        return Called(
            value=value, model=model, input_tokens=watch.input_tokens, output_tokens=watch.output_tokens
        )

    async def _ask_as_it_takes_it(
        self, model: ModelName, question: Question[AnswerT], watch: _Watch
    ) -> AnswerT:
        can = self._known.of(model)
        try:
            return await self._ask(model, question, watch, can)
        except Exception as error:
            refusal = failures.refused_request(error)
            if refusal is None or not is_about_a_capability(refusal):
                raise
            offered = can.tools and bool(question.tools)
            less = without_what_was_refused(can, refusal, had_tools=offered)
            if less == can:
                raise
        try:
            value = await self._ask(model, question, watch, less)
        except Exception as error:
            # Refused this way too: then it was about something else, and nothing is learned.
            if failures.refused_request(error) is None:
                self._known.learn(model, less)
            raise
        self._known.learn(model, less)
        return value

    async def _ask(
        self, model: ModelName, question: Question[AnswerT], watch: _Watch, can: Capabilities
    ) -> AnswerT:
        tools = question.tools if can.tools and not can.is_plain else ()
        agent: Agent[None, AnswerT] = Agent(
            self._providers.model(model),
            output_type=_output(question, can, has_tools=bool(tools)),
            tools=callable_tools(tools),
            retries={"output": CORRECTIONS, "tools": CORRECTIONS},
            capabilities=[Hooks(before_model_request=watch.before, after_model_request=watch.after)],
            model_settings=_settings(question, can),
        )

        @agent.output_validator
        def _checked(answer: AnswerT) -> AnswerT:
            answer = _without_nul(answer)
            try:
                question.check(answer)
            except ValueError as error:
                raise ModelRetry(str(error)) from error
            return answer

        limits = UsageLimits(request_limit=MOST_ROUNDS if tools else None)
        return (await agent.run(_prompt(question, can, has_tools=bool(tools)), usage_limits=limits)).output

    async def close(self) -> None:
        """Close the connections to every provider."""
        await self._providers.close()


def _output(
    question: Question[AnswerT], can: Capabilities, *, has_tools: bool
) -> TextOutput[AnswerT] | NativeOutput[AnswerT]:
    # Gemini before the third generation refuses a schema of the answer beside tools, so nobody gets both.
    if has_tools and question.from_text is not None:
        return TextOutput(_reader(question.answer, question.from_text))
    if has_tools or can.is_plain:
        return TextOutput(_parser(question.answer))
    return NativeOutput(question.answer)


def _prompt(question: Question[AnswerT], can: Capabilities, *, has_tools: bool) -> list[UserContent]:
    text = question.prompt_with_tools if has_tools else question.prompt
    if can.is_plain or (has_tools and question.from_text is None):
        schema = json.dumps(question.answer.model_json_schema(), ensure_ascii=False)
        text += "\n" + framing.render("_json_answer", {"schema": Markup(schema)})  # noqa: S704 - our own
    images = question.images if can.images else ()
    return [text, *(BinaryContent(image.content, media_type=image.media_type) for image in images)]


def _settings(question: Question[AnswerT], can: Capabilities) -> "GoogleModelSettings":
    # Trying again is our own business: only we know who waits, and what it costs.
    settings: GoogleModelSettings = {"max_retries": 0, "framing_announcement": "never"}
    if question.role is not Role.CHAT:
        settings["temperature"] = 0.0
    # Even a reply is short and somebody waits for it; what is kept must not depend on a chain of thought.
    if can.least_thinking is not None:
        settings["google_thinking_config"] = {"thinking_level": can.least_thinking}  # type: ignore[typeddict-item]
    elif can.thinking_off:
        settings["thinking"] = False
    return settings


def _without_nul(answer: AnswerT) -> AnswerT:
    """Return `answer` without the one character that JSON can carry and no database takes."""
    written = answer.model_dump_json()
    if _NUL not in written:
        return answer
    return type(answer).model_validate_json(written.replace(_NUL, ""))


def _parser(answer: type[AnswerT]) -> Callable[[str], AnswerT]:
    def parse(text: str) -> AnswerT:
        try:
            return answer.model_validate_json(json_in(text))
        except ValidationError as error:
            raise ModelRetry(what_is_wrong(error)) from error

    return parse


def _reader(answer: type[AnswerT], from_text: Callable[[str], AnswerT]) -> Callable[[str], AnswerT]:
    """Return what reads a text as an answer; what begins as one in JSON all the same must be a whole one."""
    parse = _parser(answer)

    def read(text: str) -> AnswerT:
        found = _LIKE_JSON.match(text)
        is_json = found is not None and found["field"] in answer.model_fields
        return parse(text) if is_json else from_text(text)

    return read


def json_in(text: str) -> str:
    """Return the JSON object in `text`, whatever a model put around it: Markdown fences, or a few words."""
    return text[text.find("{") : text.rfind("}") + 1] or text
