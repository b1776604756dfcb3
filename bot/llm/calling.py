"""One question to one model: sent the way that the model takes it, with tools as the library takes them,
the answer checked, and what went wrong read from what a provider and its client library say.
"""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, TypeVar

import pydantic_ai
from markupsafe import Markup
from pydantic import BaseModel, ValidationError
from pydantic_ai import Agent, BinaryContent, ModelRetry, NativeOutput, RunContext, TextOutput, UserContent
from pydantic_ai import Tool as AgentTool
from pydantic_ai.capabilities import Hooks
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelRequestTimeout,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    OutputTokenLimitExceeded,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
)
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.usage import UsageLimits

from bot.core.log import trace
from bot.llm import framing
from bot.llm.capabilities import (
    Capabilities,
    KnownCapabilities,
    is_about_a_capability,
    without_what_was_refused,
)
from bot.llm.chain import Admit, CallAnswer, CallFailed, CallHeld, Failure, ModelName
from bot.llm.operation import MOST_ROUNDS, Question, Role, Tool, what_is_wrong
from bot.llm.providers import Providers

if TYPE_CHECKING:
    from pydantic_ai.models.google import GoogleModelSettings

logger = logging.getLogger(__name__)


EXHAUSTED_SECONDS: Final = (900.0, 3600.0)
"""How long to leave a model alone, at least and at most, whose quota of a day or whose credit is used up: the
delay that it names is no help, and somebody may raise the quota."""

_KINDS: Final[tuple[tuple[type[Exception] | tuple[type[Exception], ...], Failure], ...]] = (
    ((TimeoutError, ModelTimeoutError, ModelRequestTimeout), "timeout"),
    ((ModelRateLimitError, ModelQuotaExceededError), "rate_limited"),
    ((ModelUnavailableError, ModelServerError), "overloaded"),
    (ModelConnectionError, "connection"),
    ((ModelAuthenticationError, ModelNotFoundError), "unauthorised"),
    (ModelContextWindowExceededError, "other"),
    (ContentFilterError, "refused"),
    (OutputTokenLimitExceeded, "cut_off"),
    ((UnexpectedModelBehavior, UsageLimitExceeded), "invalid"),
    # Held back only when it was to be mended.
    (CallHeld, "invalid"),
)
"""The first that fits decides, so what is special stands before what is general."""

_OTHERWISE_REJECTED: Final = (
    ModelAuthenticationError,
    ModelNotFoundError,
    ModelContextWindowExceededError,
)

_REFUSED_PROMPT: Final = frozenset({"invalid_prompt", "content_filter", "content_policy_violation"})
"""How servers of the OpenAI shape refuse what was said, with the status of a malformed request."""

_FINISHED_WELL: Final = frozenset({None, "STOP", "FINISH_REASON_UNSPECIFIED", "stop"})

_RETRY_IN: Final = re.compile(
    r"retry in (?=\d)(?:(?P<hours>\d+)h)?(?:(?P<minutes>\d+)m(?!s))?"
    r"(?:(?P<seconds>\d+(?:\.\d+)?)s|(?P<milliseconds>\d+(?:\.\d+)?)ms)?",
    re.IGNORECASE,
)


def failure_of_response(response: ModelResponse, *, tools: Collection[str] = ()) -> Failure | None:
    """Return what is wrong with the way in which `response` ended, or `None` if it ended well.

    A text that was cut off or blocked half-way may well be valid, and is wrong all the same. A call of one of
    `tools`, which were offered, is a good end.
    """
    details = response.provider_details or {}
    called = {part.tool_name for part in response.parts if isinstance(part, ToolCallPart)}
    calls_well = bool(called) and called <= set(tools)
    match response.finish_reason:
        case "content_filter":
            return "refused"
        case "length":
            return "cut_off"
        case "error":
            return "invalid"
        case "tool_call":
            return None if calls_well else "invalid"
        case _:
            pass
    if details.get("finish_reason") not in _FINISHED_WELL:
        return "other"
    if called:
        return None if calls_well else "invalid"
    said = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    return None if said.strip() else "cut_off"


def failure_of_error(error: Exception) -> CallFailed:
    """Return `error`, as a client library or a call of ours raised it, as one of our kinds."""
    if isinstance(error, CallFailed):
        return error
    kind = next((kind for types, kind in _KINDS if isinstance(error, types)), None)
    if kind is None:
        kind = _kind_of_other(error)
    return CallFailed(kind, retry_after_seconds=_retry_after(error) if kind == "rate_limited" else None)


def is_unforeseen(error: Exception) -> bool:
    """Tell whether `error` is none of those that calls end with: a mistake of ours, or of a library."""
    return not isinstance(error, (CallFailed, CallHeld, AgentRunError, TimeoutError))


def refused_request(error: Exception) -> str | None:
    """Return the words in which a provider refused a request as such (status 400), or `None` if it did not."""
    if not isinstance(error, ModelRequestRejectedError) or isinstance(error, _OTHERWISE_REJECTED):
        return None
    return _body(error)


def _kind_of_other(error: Exception) -> Failure:
    refusal = refused_request(error)
    if refusal is not None and isinstance(error, ModelAPIError):
        if error.provider_error_code in _REFUSED_PROMPT:
            return "refused"
        return "capability" if is_about_a_capability(refusal) else "other"
    # What is no error of HTTP was no answer of the service at all: a page that asks to sign in, say.
    is_unreadable = isinstance(error, ModelAPIError) and not isinstance(error, ModelHTTPError)
    return "connection" if is_unreadable else "other"


def _retry_after(error: Exception) -> float | None:
    if not isinstance(error, ModelAPIError):
        return None
    # The detail for programs is rounded down, the message for people is not.
    told = [delay for delay in (error.retry_after, delay_in(_body(error))) if delay is not None]
    delay = max(told, default=None)
    if isinstance(error, ModelQuotaExceededError):
        least, most = EXHAUSTED_SECONDS
        return min(most, max(least, delay or 0.0))
    return delay


def _body(error: ModelAPIError) -> str:
    return json.dumps(error.body, ensure_ascii=False, default=str) if error.body else ""


def delay_in(text: str) -> float | None:
    """Return the seconds of a "Please retry in 25.4s" in `text`, or `None` if there is none."""
    found = _RETRY_IN.search(text)
    if found is None or not any(found.groups()):
        return None
    parts = {name: float(value) for name, value in found.groupdict().items() if value is not None}
    return timedelta(**parts).total_seconds()


def callable_tools(tools: Sequence[Tool]) -> list[AgentTool[None]]:
    """Return `tools` for an agent; they check their input themselves, so that a model hears what is wrong."""
    return [
        AgentTool.from_schema(
            _call(tool), name=tool.name, description=tool.description, json_schema=dict(tool.schema)
        )
        for tool in tools
    ]


def _call(tool: Tool) -> Callable[..., Awaitable[dict[str, object]]]:
    async def call(**given: object) -> dict[str, object]:
        return (await tool.use(given)).model_dump(mode="json", exclude_defaults=True)

    return call


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
        wrong = failure_of_response(response, tools=self.tools)
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
    ) -> CallAnswer[AnswerT]:
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
            failed = failure_of_error(error)
            if is_unforeseen(error):
                logger.error("asking %s about %s failed: %s", model, question.operation, trace(error))
            raise CallFailed(
                failed.kind,
                retry_after_seconds=failed.retry_after_seconds,
                input_tokens=watch.input_tokens,
                output_tokens=watch.output_tokens,
            ) from error
        return CallAnswer(
            value=value, model=model, input_tokens=watch.input_tokens, output_tokens=watch.output_tokens
        )

    async def _ask_as_it_takes_it(
        self, model: ModelName, question: Question[AnswerT], watch: _Watch
    ) -> AnswerT:
        can = self._known.of(model)
        try:
            return await self._ask(model, question, watch, can)
        except Exception as error:
            refusal = refused_request(error)
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
            if refused_request(error) is None:
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
