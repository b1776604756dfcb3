"""What went wrong, read from what a provider and its client library say."""

import json
import re
from collections.abc import Collection
from datetime import timedelta
from typing import Final

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

from bot.language.capabilities import is_about_a_capability
from bot.language.outcome import CallFailed, CallHeld, Failure

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


def of_response(response: ModelResponse, *, tools: Collection[str] = ()) -> Failure | None:
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


def of_error(error: Exception) -> CallFailed:
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
