"""The OpenAI-compatible shape on the loopback (`/v1/chat/completions`), as small as it can be.

It stands in for Ollama, llama.cpp and the like: any model name is known, functions are not called.
"""

import base64
import json
import uuid
from datetime import UTC, datetime

from aiohttp import web

from tests.servers.asked import Asked, SentImage, tokens_of
from tests.servers.base import Answer, ModelServer, ToolCall, sent_by_half
from tests.servers.faults import REFUSAL, Fault, spoiled
from tests.servers.reading import object_in, objects_in
from tests.servers.streaming import Events

__all__ = ["Asked", "Fault", "OpenAIServer"]

Json = dict[str, object]

_FAILURES = {
    Fault.BAD_KEY: (401, "Incorrect API key provided.", "invalid_request_error", "invalid_api_key"),
    Fault.MINUTE_QUOTA: (429, "Rate limit reached for requests.", "requests", "rate_limit_exceeded"),
    Fault.DAY_QUOTA: (429, "You exceeded your current quota.", "insufficient_quota", "insufficient_quota"),
    Fault.INTERNAL: (500, "The server had an error while processing your request.", "server_error", None),
    Fault.UNAVAILABLE: (503, "The engine is currently overloaded.", "server_error", None),
    Fault.BLOCKED_PROMPT: (
        400,
        "Invalid prompt: your prompt was flagged.",
        "invalid_request_error",
        "invalid_prompt",
    ),
}
_UNFINISHED = {
    Fault.SAFETY: "content_filter",
    Fault.RECITATION: "content_filter",
    Fault.MAX_TOKENS: "length",
    Fault.CUT_OFF: "length",
}
_SILENT = frozenset({Fault.SAFETY, Fault.RECITATION, Fault.MAX_TOKENS})


class OpenAIServer(ModelServer):
    """A server of chat completions; its `url` ends in `/v1`, as clients expect."""

    faults = frozenset(Fault) - {Fault.MALFORMED_CALL}
    _base_path = "/v1"

    def add_routes(self, router: web.UrlDispatcher) -> None:
        router.add_get("/v1/models", self._list_models)
        router.add_post("/v1/chat/completions", self.handle)

    async def _list_models(self, _: web.Request) -> web.Response:
        model = {"id": "local-model", "object": "model", "created": 1767225600, "owned_by": "library"}
        return web.json_response({"object": "list", "data": [model]})

    async def read(self, request: web.Request) -> Asked:
        body: Json = await request.json()
        messages = objects_in(body.get("messages"))
        said = [(str(message.get("role")), _text(message.get("content"))) for message in messages]
        system = [text for role, text in said if role in ("system", "developer")]
        return Asked(
            model=str(body.get("model")),
            path=request.path,
            at=datetime.now(UTC),
            headers=dict(request.headers),
            body=body,
            api_key=request.headers.get("Authorization", "").removeprefix("Bearer ") or None,
            system="\n".join(system) if system else None,
            turns=tuple((role, text) for role, text in said if role not in ("system", "developer")),
            images=tuple(image for message in messages for image in _images(message.get("content"))),
            config={name: value for name, value in body.items() if name != "messages"},
            tools=tuple(
                str(object_in(tool.get("function")).get("name")) for tool in objects_in(body.get("tools"))
            ),
            schema_sent=object_in(
                object_in(object_in(body.get("response_format")).get("json_schema")).get("schema")
            )
            or None,
        )

    async def answered(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        over = await self.meet_fault(request, asked)
        if over is not None:
            return over
        if asked.fault is Fault.UNKNOWN_MODEL:
            return _failed(404, f"model {asked.model!r} not found", "not_found_error", "model_not_found")
        if asked.fault in _FAILURES:
            status, message, kind, code = _FAILURES[asked.fault]
            wait = self.retry_seconds if asked.fault is Fault.MINUTE_QUOTA else None
            return _failed(status, message, kind, code, wait_seconds=wait)
        body = _completion(asked, await self.reply_to(asked))
        if asked.config.get("stream"):
            return await self._streamed(request, asked, body)
        await self.pen.whole(asked.answer or "")
        if asked.fault is Fault.DROPPED_IN_BODY:
            return await sent_by_half(request, json.dumps(body).encode())
        return web.json_response(body, headers=self.limit_headers)

    async def _streamed(self, request: web.Request, asked: Asked, body: Json) -> web.StreamResponse:
        """Send a completion piece by piece, then why it ended, then the counts if they were asked for."""
        events = Events(request)
        [choice] = objects_in(body["choices"])
        chunk = {name: body[name] for name in ("id", "created", "model")}
        chunk["object"] = "chat.completion.chunk"

        async def send(delta: Json, finish: object = None) -> None:
            await events.send({**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

        await send({"role": "assistant", "content": ""})
        if refusal := object_in(choice["message"]).get("refusal"):
            await send({"refusal": refusal})
        text, written = asked.answer or "", ""
        async for piece in self.pen.pieces(asked, text):
            written += piece
            if asked.fault is Fault.DROPPED_IN_BODY and 2 * len(written) > len(text):
                return await events.drop()
            await send({"content": piece})
        await send({}, choice["finish_reason"])
        if object_in(asked.config.get("stream_options")).get("include_usage"):
            await events.send({**chunk, "choices": [], "usage": body["usage"]})
        await events.send("[DONE]")
        return await events.end()


def _completion(asked: Asked, answer: Answer) -> Json:
    if isinstance(answer, ToolCall):
        raise TypeError(f"{answer!r}: this server calls no functions, script a text or a mapping")
    content: str | None = "" if asked.fault in _SILENT else spoiled(asked.fault, answer)
    message: Json = {"role": "assistant", "content": content}
    if asked.fault is Fault.REFUSAL:
        message = {"role": "assistant", "content": None, "refusal": REFUSAL}
    asked.answer = content
    told = tokens_of(content or "")
    finish = _UNFINISHED.get(asked.fault, "stop") if asked.fault is not None else "stop"
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex[:12]}",
        "object": "chat.completion",
        "created": int(asked.at.timestamp()),
        "model": asked.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {
            "prompt_tokens": asked.tokens,
            "completion_tokens": told,
            "total_tokens": asked.tokens + told,
            "prompt_tokens_details": {"cached_tokens": asked.cached},
        },
    }


def _failed(
    status: int, message: str, kind: str, code: str | None, *, wait_seconds: float | None = None
) -> web.Response:
    headers = {"retry-after": f"{wait_seconds:g}"} if wait_seconds is not None else {}
    error = {"message": message, "type": kind, "param": None, "code": code}
    return web.json_response({"error": error}, status=status, headers=headers)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in objects_in(content) if part.get("type") == "text")


def _images(content: object) -> list[SentImage]:
    found = []
    for part in objects_in(content):
        url = str(object_in(part.get("image_url")).get("url", ""))
        if url.startswith("data:"):
            media_type, _, data = url.removeprefix("data:").partition(";base64,")
            found.append(SentImage(media_type, base64.b64decode(data)))
    return found
