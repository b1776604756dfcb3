"""Asks one model one question: in the form that the model supports, with tools if there are any. Checks the answer, and
interprets the errors of providers and their client libraries.
"""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, TypeVar, cast

import pydantic_ai
from pydantic import BaseModel, ValidationError
from pydantic_ai import Agent, BinaryContent, ModelRetry, RunContext, TextOutput, UserContent
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
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    RetryFeedbackPart,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.toolsets import FunctionToolset
from pydantic_ai.usage import RunUsage, UsageLimits

from bot.core.log import trace
from bot.llm import framing
from bot.llm.capabilities import (
    Capabilities,
    KnownCapabilities,
    is_about_a_capability,
    without_what_was_refused,
)
from bot.llm.chain import Admit, CallAnswer, CallFailed, CallHeld, Failure, ModelName
from bot.llm.limits import asking
from bot.llm.operation import MOST_ROUNDS, Question, Role, Tool, what_is_wrong
from bot.llm.providers import Providers
from bot.llm.streaming import reading_along

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


def callable_tools(tools: Sequence[Tool]) -> "list[AgentTool[_Asked]]":
    """Return `tools` for an agent; they check their input themselves, so that a model hears what is wrong."""
    return [
        AgentTool.from_schema(
            _call(tool), name=tool.name, description=tool.description, json_schema=dict(tool.schema)
        )
        for tool in tools
    ]


def _call(tool: Tool) -> Callable[..., Awaitable[dict[str, object]]]:
    async def call(**given: object) -> dict[str, object]:
        return framing.unvoiced_values((await tool.use(given)).model_dump(mode="json", exclude_defaults=True))

    return call


# At the first question of a process the library would print an advertisement to a terminal.
pydantic_ai.BANNER_ENABLED = False

AnswerT = TypeVar("AnswerT", bound=BaseModel)

CORRECTIONS: Final = 1
"""How often a model may mend an answer that does not fit."""

CORRECTION: Final = "_mend_answer"
"""The template of what it is told then."""


@dataclass(slots=True)
class _Watch:
    """Looks at every single request of a call: may it be sent, what did it cost, did it end well."""

    admit: Admit
    tools: frozenset[str] = frozenset()
    """The names of those that are offered."""
    sent: int = 0
    runs: list[RunUsage] = field(default_factory=list)
    """What each run of an agent has cost, its requests that broke off too, as far as the provider tells."""
    prolong: Callable[[], None] = lambda: None
    """Gives the call all the time that there is, once somebody reads its answer: no other model will be asked."""

    @property
    def usage(self) -> RunUsage:
        """What all runs have cost so far."""
        return sum(self.runs, RunUsage())

    def spent_on_run(self) -> RunUsage:
        """Return what counts the next run, from nothing on."""
        self.runs.append(RunUsage())
        return self.runs[-1]

    async def before(self, request: ModelRequestContext) -> ModelRequestContext:
        """Return a request as it is sent; raises `CallHeld` if it may not be."""
        await self.admit()
        self.sent += 1
        request.messages = [_in_our_words(message) for message in request.messages]
        return request

    def after(self, response: ModelResponse) -> ModelResponse:
        """Return an answer that ended well; raises `CallFailed` for another."""
        wrong = failure_of_response(response, tools=self.tools)
        if wrong is not None:
            raise CallFailed(wrong)
        return response


def _in_our_words(message: ModelMessage) -> ModelMessage:
    """Return `message` with what is wrong with an answer as our template says it, in place of the library's words."""
    if not isinstance(message, ModelRequest):
        return message
    return replace(message, parts=[_correction(part) for part in message.parts])


def _correction(part: ModelRequestPart) -> ModelRequestPart:
    if not isinstance(part, RetryFeedbackPart):
        return part
    return UserPromptPart(framing.render(CORRECTION, {"wrong": str(part.content)}))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What one run of the agent is about."""

    question: Question[BaseModel]
    watch: _Watch


async def _before(context: RunContext[_Asked], request: ModelRequestContext) -> ModelRequestContext:
    return await context.deps.watch.before(request)


async def _after(
    context: RunContext[_Asked], *, request_context: ModelRequestContext, response: ModelResponse
) -> ModelResponse:
    return context.deps.watch.after(response)


async def _read(context: RunContext[_Asked], text: str) -> BaseModel:
    """Parse an answer, or tell the model what is wrong with it.

    The check runs in a thread, since comparing the answer with a large source takes long. The listener is notified
    here.
    """
    question = context.deps.question
    try:
        return await asyncio.to_thread(question.read, text)
    except ValidationError as error:
        raise _asked_again(question, what_is_wrong(error)) from error
    except ValueError as error:
        raise _asked_again(question, str(error)) from error


class AgentCaller:
    """Puts questions to models through agents; what models refuse is remembered in `known`."""

    def __init__(self, providers: Providers, known: KnownCapabilities | None = None) -> None:
        self._providers = providers
        self._known = known or KnownCapabilities()
        # One for all questions: to make an agent takes longer than most of what it does.
        self._agent: Agent[_Asked, BaseModel] = Agent(
            # No model is held to a schema: it costs more tokens than the answer, and not all can take one.
            output_type=TextOutput[BaseModel](_read),
            deps_type=_Asked,
            retries={"output": CORRECTIONS, "tools": CORRECTIONS},
            capabilities=[Hooks(before_model_request=_before, after_model_request=_after)],
        )

    async def call(
        self,
        model: ModelName,
        question: Question[AnswerT],
        *,
        timeout_seconds: float,
        admit: Admit,
        shown_seconds: float = 0.0,
    ) -> CallAnswer[AnswerT]:
        """Return a checked answer of `model`, whatever it takes: a correction, or asking in a plainer way.

        Raises `CallFailed`, with the tokens that were spent all the same, when there is none within
        `timeout_seconds`, or `shown_seconds` if those are more and its beginning is shown by then; and `CallHeld` if
        `admit` does so before anything was sent.
        """
        watch = _Watch(admit, frozenset(tool.name for tool in question.tools))
        try:
            async with asyncio.timeout(timeout_seconds) as limit:
                until = asyncio.get_running_loop().time() + max(timeout_seconds, shown_seconds)
                watch.prolong = lambda: None if limit.expired() else limit.reschedule(until)
                with asking(model):
                    value = await self._ask_as_it_takes_it(model, question, watch)
        except Exception as error:
            if question.listener is not None:
                # What it wrote is nothing that another model goes on with.
                question.listener.heard("")
            if isinstance(error, CallHeld) and not watch.sent:
                raise
            failed = failure_of_error(error)
            if is_unforeseen(error):
                logger.error("asking %s about %s failed: %s", model, question.operation, trace(error))
            raise CallFailed(
                failed.kind,
                retry_after_seconds=failed.retry_after_seconds,
                input_tokens=watch.usage.input_tokens,
                output_tokens=watch.usage.output_tokens,
                cached_tokens=watch.usage.cache_read_tokens,
            ) from error
        return CallAnswer(
            value=value,
            model=model,
            input_tokens=watch.usage.input_tokens,
            output_tokens=watch.usage.output_tokens,
            cached_tokens=watch.usage.cache_read_tokens,
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
        tools = question.tools if can.tools else ()
        images = question.images if can.images else ()
        asked: list[UserContent] = [
            question.prompt_with_tools if tools else question.prompt,
            *(BinaryContent(image.content, media_type=image.media_type) for image in images),
        ]
        # What a model writes before it calls a tool is no part of its answer.
        listener = question.listener if question.is_text and not tools else None
        run = await self._agent.run(
            asked,
            model=self._providers.model(model),
            model_settings=_settings(question, can),
            deps=_Asked(cast("Question[BaseModel]", question), watch),
            toolsets=[FunctionToolset(callable_tools(tools), max_retries=CORRECTIONS)] if tools else None,
            usage=watch.spent_on_run(),
            usage_limits=UsageLimits(request_limit=MOST_ROUNDS if tools else None),
            event_stream_handler=None if listener is None else reading_along(listener, watch.prolong),
        )
        return cast("AnswerT", run.output)

    async def close(self) -> None:
        """Close the connections to every provider."""
        await self._providers.close()


def _asked_again(question: Question[AnswerT], wrong: str) -> ModelRetry | CallFailed:
    """Return what has a model mend its answer; the end of the call where somebody has read the beginning of it."""
    if question.listener is not None:
        if question.listener.is_shown:
            return CallFailed("invalid")
        question.listener.heard("")
    return ModelRetry(wrong)


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
