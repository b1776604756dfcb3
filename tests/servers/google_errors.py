"""Errors in the shape in which Google's services send them (`google.rpc.Status`, with details)."""

from collections.abc import Mapping

from tests.servers.faults import Fault
from tests.servers.quota import Exceeded

_RPC = "type.googleapis.com/google.rpc"
_SERVICE = "generativelanguage.googleapis.com"

Failure = tuple[int, dict[str, object]]
"""An HTTP status and the body that comes with it."""


def failure(code: int, status: str, message: str, *details: Mapping[str, object]) -> Failure:
    """Return an error with this HTTP status, canonical `status`, message for people and details for programs."""
    error: dict[str, object] = {"code": code, "message": message, "status": status}
    if details:
        error["details"] = list(details)
    return code, {"error": error}


def invalid_argument(message: str) -> Failure:
    """Return the answer to a request that asks what the model cannot do."""
    return failure(400, "INVALID_ARGUMENT", message)


def bad_key() -> Failure:
    """Return the answer to a key that does not exist or was withdrawn."""
    message = "API key not valid. Please pass a valid API key."
    return failure(
        400,
        "INVALID_ARGUMENT",
        message,
        {
            "@type": f"{_RPC}.ErrorInfo",
            "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
            "metadata": {"service": _SERVICE},
        },
        {"@type": f"{_RPC}.LocalizedMessage", "locale": "en-US", "message": message},
    )


def no_key() -> Failure:
    """Return the answer to a request without any key."""
    return failure(
        403,
        "PERMISSION_DENIED",
        "Method doesn't allow unregistered callers (callers without established identity)."
        " Please use API Key or other form of API consumer identity to call this API.",
    )


def unknown_model(model: str) -> Failure:
    """Return the answer to a name that no model has (any more)."""
    return failure(
        404,
        "NOT_FOUND",
        f"models/{model} is not found for API version v1beta, or is not supported for generateContent."
        " Call ModelService.ListModels to see the list of available models and their supported methods.",
    )


def quota_exceeded(model: str, exceeded: Exceeded) -> Failure:
    """Return the answer to a request beyond a quota: how much is allowed, and when to come again."""
    metric = f"{_SERVICE}/generate_content_free_tier_requests"
    message = (
        "You exceeded your current quota, please check your plan and billing details."
        " For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.\n"
        f"* Quota exceeded for metric: {metric}, limit: {exceeded.limit}, model: {model}\n"
        f"Please retry in {exceeded.retry_seconds:.9g}s."
    )
    violation = {
        "quotaMetric": metric,
        "quotaId": f"GenerateRequestsPer{exceeded.period.value}PerProjectPerModel-FreeTier",
        "quotaDimensions": {"location": "global", "model": model},
        "quotaValue": str(exceeded.limit),
    }
    links = [
        {
            "description": "Learn more about Gemini API quotas",
            "url": "https://ai.google.dev/gemini-api/docs/rate-limits",
        }
    ]
    return failure(
        429,
        "RESOURCE_EXHAUSTED",
        message,
        {"@type": f"{_RPC}.Help", "links": links},
        {"@type": f"{_RPC}.QuotaFailure", "violations": [violation]},
        {"@type": f"{_RPC}.RetryInfo", "retryDelay": _delay(exceeded.retry_seconds)},
    )


def _delay(seconds: float) -> str:
    """Return a duration as programs are told it: whole seconds, unless there is less than one left."""
    return f"{int(seconds)}s" if seconds >= 1 else f"{seconds:.3f}s"


def failure_of(fault: Fault | None, *, model: str, exceeded: Exceeded) -> Failure | None:
    """Return the error that a fault makes of a request to `model`, or `None` if it is no such fault."""
    match fault:
        case Fault.BAD_KEY:
            return bad_key()
        case Fault.UNKNOWN_MODEL:
            return unknown_model(model)
        case Fault.MINUTE_QUOTA | Fault.DAY_QUOTA:
            return quota_exceeded(model, exceeded)
        case Fault.INTERNAL:
            return failure(
                500,
                "INTERNAL",
                "An internal error has occurred. Please retry or report in"
                " https://developers.generativeai.google/guide/troubleshooting",
            )
        case Fault.UNAVAILABLE:
            return failure(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")
        case _:
            return None
