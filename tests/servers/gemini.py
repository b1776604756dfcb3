"""A Gemini API on the loopback (`generateContent`, `streamGenerateContent`), for the real `google-genai` client.

    async with GeminiServer() as server:
        server.answer("route", {"intent": "chat"})
        server.fail(Fault.MINUTE_QUOTA, model="gemini-flash-latest", times=1)
        ...  # a client with the base URL `server.url`
        assert server.requests_of("route")[0].temperature == 0

`python -m tests.servers.gemini --port 8765` runs it alone, with a few rules in place of a mind.
"""

import json
import uuid
from typing import cast

from aiohttp import web

from tests.servers import google_errors, reading
from tests.servers.abilities import Abilities, known_models, refusal
from tests.servers.asked import Asked, tokens_of
from tests.servers.base import Answer, ModelServer, Reply, ToolCall, sent_by_half
from tests.servers.faults import Fault, spoiled
from tests.servers.google_errors import Failure
from tests.servers.quota import Exceeded, Period, Quotas
from tests.servers.streaming import Events

__all__ = ["Abilities", "Asked", "Fault", "GeminiServer", "Reply", "ToolCall"]

_THOUGHT_TOKENS = 40
"""What a model that was not told to think little or not at all reports to have thought."""

_TIER = {"x-gemini-service-tier": "standard"}

Json = dict[str, object]


class GeminiServer(ModelServer):
    """The Gemini API as its real clients know it, with its models, quotas, refusals and bad days."""

    def __init__(self, *, port: int = 0, api_key: str | None = None) -> None:
        """Listen on `port` (0: any that is free) and accept only `api_key` (`None`: any key, but one there must be)."""
        super().__init__(port=port)
        self.models = known_models()
        """What the service has and what each can do; tests may take away and change."""
        self.quotas = Quotas()
        self._api_key = api_key

    def limit(self, model: str, *, per_minute: int | None = None, per_day: int | None = None) -> None:
        """Give a model quotas of requests; it has none of itself."""
        self.quotas.limit(model, per_minute=per_minute, per_day=per_day)

    def add_routes(self, router: web.UrlDispatcher) -> None:
        router.add_get("/{version}/models", self._list_models)
        router.add_get("/{version}/models/{model}", self._get_model)
        router.add_post("/{version}/models/{model}:generateContent", self.handle)
        router.add_post("/{version}/models/{model}:streamGenerateContent", self.handle)

    async def _list_models(self, _: web.Request) -> web.Response:
        return web.json_response({"models": [_described(name) for name in self.models]})

    async def _get_model(self, request: web.Request) -> web.Response:
        name = request.match_info["model"]
        if name not in self.models:
            return _sent(google_errors.unknown_model(name))
        return web.json_response(_described(name))

    async def answered(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        over = await self.meet_fault(request, asked)
        if over is not None:
            return over
        failed = self._failure(asked)
        if failed is not None:
            return _sent(failed)
        abilities = self.models[asked.model]
        answer = await self.reply_to(asked)
        body = _response(asked, answer, version=abilities.stands_for or asked.model)
        if request.path.endswith(":streamGenerateContent"):
            return await self._streamed(request, asked, body)
        await self.pen.whole(asked.answer or "")
        if asked.fault is Fault.DROPPED_IN_BODY:
            return await sent_by_half(request, json.dumps(body).encode())
        return web.json_response(body, headers=_TIER)

    async def _streamed(self, request: web.Request, asked: Asked, body: Json) -> web.StreamResponse:
        """Send a response piece by piece: each carries the counts so far, the last one why it ended."""
        events = Events(request, _TIER)
        text = _text_of(body)
        if not text:
            await events.send(body)
            return await events.end()
        written = ""
        async for piece in self.pen.pieces(asked, text):
            written += piece
            if asked.fault is Fault.DROPPED_IN_BODY and 2 * len(written) > len(text):
                return await events.drop()
            await events.send(_piece(body, piece, written, is_last=written == text))
        return await events.end()

    async def read(self, request: web.Request) -> Asked:
        return await reading.asked_of(request)

    def _failure(self, asked: Asked) -> Failure | None:
        """Return why the service refuses `asked`, in the order in which it looks."""
        if not asked.api_key:
            return google_errors.no_key()
        if self._api_key not in (None, asked.api_key):
            return google_errors.bad_key()
        if asked.model not in self.models:
            return google_errors.unknown_model(asked.model)
        beyond = self.quotas.count(asked.model)
        failed = google_errors.failure_of(asked.fault, model=asked.model, exceeded=self._pretended(asked))
        if failed is None and beyond is not None:
            failed = google_errors.quota_exceeded(asked.model, beyond)
        if failed is None and (message := refusal(asked, self.models[asked.model])) is not None:
            failed = google_errors.invalid_argument(message)
        return failed

    def _pretended(self, asked: Asked) -> Exceeded:
        if asked.fault is Fault.DAY_QUOTA:
            return self.quotas.exceeded(asked.model, Period.DAY)
        told = self.quotas.exceeded(asked.model, Period.MINUTE)
        return Exceeded(Period.MINUTE, told.limit, self.retry_seconds)


def _response(asked: Asked, answer: Answer, *, version: str) -> Json:
    """Return the body of a 200: what the model says, or why it says nothing, and the tokens counted."""
    candidate = _candidate(asked, answer)
    said = asked.answer or ""
    thought = 0 if _thinks_little(asked) else _THOUGHT_TOKENS
    counts: Json = {"promptTokenCount": asked.tokens, "totalTokenCount": asked.tokens}
    body: Json = {"usageMetadata": counts, "modelVersion": version, "responseId": uuid.uuid4().hex[:22]}
    if candidate is None:
        body["promptFeedback"] = {"blockReason": "PROHIBITED_CONTENT"}
        return body
    body["candidates"] = [candidate]
    if asked.cached:
        counts["cachedContentTokenCount"] = asked.cached
    counts["candidatesTokenCount"] = tokens_of(said)
    counts["promptTokensDetails"] = [{"modality": "TEXT", "tokenCount": asked.tokens}]
    if thought:
        counts["thoughtsTokenCount"] = thought
    counts["totalTokenCount"] = asked.tokens + tokens_of(said) + thought
    return body


def _candidates(body: Json) -> list[Json]:
    return cast("list[Json]", body.get("candidates", []))


def _text_of(body: Json) -> str:
    """Return the text that a response carries; "" if it carries something else."""
    contents = [cast("Json", candidate.get("content", {})) for candidate in _candidates(body)]
    parts = [part for content in contents for part in cast("list[Json]", content.get("parts", []))]
    return "".join(str(part.get("text", "")) for part in parts)


def _piece(body: Json, piece: str, written: str, *, is_last: bool) -> Json:
    """Return the part of a response that carries this piece of its text."""
    said: Json = {"index": 0, "content": {"role": "model", "parts": [{"text": piece}]}}
    if is_last:
        return {**body, "candidates": [{**_candidates(body)[0], **said}]}
    counts = cast("dict[str, int]", body["usageMetadata"])
    so_far = tokens_of(written)
    counts = {
        **counts,
        "candidatesTokenCount": so_far,
        "totalTokenCount": counts["promptTokenCount"] + so_far,
    }
    return {**body, "usageMetadata": counts, "candidates": [said]}


def _candidate(asked: Asked, answer: Answer) -> Json | None:
    """Return what the model says, or `None` where the prompt was blocked."""
    match asked.fault:
        case Fault.BLOCKED_PROMPT:
            return None
        case Fault.SAFETY:
            rating = {"category": "HARM_CATEGORY_HARASSMENT", "probability": "HIGH", "blocked": True}
            return {"index": 0, "finishReason": "SAFETY", "safetyRatings": [rating]}
        case Fault.RECITATION:
            return {"index": 0, "finishReason": "RECITATION"}
        case Fault.MAX_TOKENS:
            return {"index": 0, "content": {"role": "model"}, "finishReason": "MAX_TOKENS"}
        case Fault.MALFORMED_CALL:
            return _malformed_call("final_result")
    return _said(asked, answer) if isinstance(answer, str) else _called(asked, answer)


def _malformed_call(name: str) -> Json:
    message = f"Malformed function call: print(default_api.{name}("
    return {
        "index": 0,
        "content": {},
        "finishReason": "MALFORMED_FUNCTION_CALL",
        "finishMessage": message,
    }


def _called(asked: Asked, answer: ToolCall) -> Json:
    """Return a call of a function; faults of the text spoil its arguments, or stand in its place."""
    if asked.fault in (Fault.TRUNCATED_JSON, Fault.CUT_OFF):
        return _malformed_call(answer.name)
    if asked.fault in (Fault.EMPTY_TEXT, Fault.REFUSAL):
        return _said(asked, "")
    changed = asked.fault if asked.fault in (Fault.WRONG_IDS, Fault.INJECTED) else None
    arguments = json.loads(spoiled(changed, json.dumps(dict(answer.arguments))))
    asked.answer = json.dumps({"name": answer.name, "args": arguments}, ensure_ascii=False)
    part: Json = {"functionCall": {"name": answer.name, "args": arguments}}
    return {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}


def _said(asked: Asked, answer: str) -> Json:
    text = spoiled(asked.fault, answer)
    finish = "MAX_TOKENS" if asked.fault is Fault.CUT_OFF else "STOP"
    allowed = asked.config.get("maxOutputTokens")
    if isinstance(allowed, int) and tokens_of(text) > allowed:
        text, finish = text.encode()[: allowed * 4].decode(errors="ignore"), "MAX_TOKENS"
    asked.answer = text
    return {"index": 0, "content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish}


def _thinks_little(asked: Asked) -> bool:
    thinking = asked.thinking
    return (
        asked.model.startswith("gemma-3")
        or str(thinking.get("thinkingLevel", "")).upper() == "MINIMAL"
        or thinking.get("thinkingBudget") == 0
    )


def _sent(failed: Failure) -> web.Response:
    status, body = failed
    return web.json_response(body, status=status)


def _described(name: str) -> Json:
    return {
        "name": f"models/{name}",
        "displayName": name,
        "inputTokenLimit": 1048576,
        "outputTokenLimit": 65536,
        "supportedGenerationMethods": ["generateContent", "countTokens"],
    }


if __name__ == "__main__":
    from tests.servers.brain import main

    main()
