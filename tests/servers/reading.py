"""Reads what a request to `generateContent` asks."""

import base64
import binascii
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from aiohttp import web

from tests.servers.asked import Asked, SentImage

Json = dict[str, object]


async def asked_of(request: web.Request) -> Asked:
    """Return what `request` asks, read from its path, headers and body."""
    body: Json = await request.json()
    config = _in_camel_case(object_in(_field(body, "generationConfig")))
    if "thinkingConfig" in config:
        config["thinkingConfig"] = _in_camel_case(object_in(config["thinkingConfig"]))
    contents = objects_in(body.get("contents"))
    system = object_in(_field(body, "systemInstruction"))
    functions = [each for tool in objects_in(body.get("tools")) for each in _functions(tool)]
    names = tuple(str(each["name"]) for each in functions)
    must_call = bool(functions) and _must_call(body)
    return Asked(
        model=request.match_info["model"],
        path=request.path,
        at=datetime.now(UTC),
        headers=dict(request.headers),
        body=body,
        api_key=request.headers.get("x-goog-api-key") or request.query.get("key"),
        system=_text(system) if system else None,
        turns=tuple((str(content.get("role", "user")), _text(content)) for content in contents),
        images=tuple(image for content in contents for image in _images(content)),
        config=config,
        tools=names,
        tool_results=tuple(result for content in contents for result in _results(content)),
        must_call=names if must_call else (),
        schema_sent=_schema_of_call(functions[0]) if must_call else _schema_of_answer(config),
    )


def _field(message: Mapping[str, object], name: str) -> object:
    """Return a field of `message`: the service takes names in camelCase and in snake_case, and clients mix them."""
    in_snake_case = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return message.get(name, message.get(in_snake_case))


def _in_camel_case(message: Mapping[str, object]) -> Json:
    return {
        re.sub("_([a-z])", lambda found: found[1].upper(), name): value for name, value in message.items()
    }


def _functions(tool: Mapping[str, object]) -> list[Json]:
    return objects_in(_field(tool, "functionDeclarations"))


def _schema_of_answer(config: Mapping[str, object]) -> Json | None:
    return object_in(config.get("responseJsonSchema") or config.get("responseSchema")) or None


def _schema_of_call(function: Mapping[str, object]) -> Json | None:
    return object_in(_field(function, "parametersJsonSchema") or _field(function, "parameters")) or None


def _must_call(body: Mapping[str, object]) -> bool:
    calling = object_in(_field(object_in(_field(body, "toolConfig")), "functionCallingConfig"))
    return calling.get("mode") == "ANY"


def _text(content: Mapping[str, object]) -> str:
    return "\n".join(str(part["text"]) for part in objects_in(content.get("parts")) if "text" in part)


def _results(content: Mapping[str, object]) -> list[Json]:
    """Return what functions returned, as it is sent back in a turn of the user."""
    sent = (object_in(_field(part, "functionResponse")) for part in objects_in(content.get("parts")))
    return [object_in(one.get("response")) for one in sent if one]


def _images(content: Mapping[str, object]) -> list[SentImage]:
    found = []
    for part in objects_in(content.get("parts")):
        data = object_in(_field(part, "inlineData"))
        if data:
            found.append(SentImage(str(_field(data, "mimeType")), _decoded(str(data.get("data", "")))))
    return found


def _decoded(text: str) -> bytes:
    """Return the bytes behind either alphabet of base64; none if it is neither."""
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
    except binascii.Error:
        return b""


def objects_in(value: object) -> list[Json]:
    """Return the objects of a JSON list; none if it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def object_in(value: object) -> Json:
    """Return a JSON object; an empty one if it is something else."""
    return value if isinstance(value, dict) else {}
