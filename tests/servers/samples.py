"""Sensible answers to a JSON schema, for requests that no test has scripted."""

import json
from collections.abc import Iterator, Mapping

Schema = Mapping[str, object]

_HARMLESS_KINDS = ("none", "chat", "nothing", "keep", "unsure", "other")
"""Which of several allowed words a sample prefers: those that ask for nothing to be done."""


def sample(schema: Schema, say: str = "All is well.") -> object:
    """Return a value that fits `schema`, as small as it may be, with `say` for the free texts."""
    return _value(schema, schema, say)


_LINES: Mapping[str, str] = {
    "route": "kind: chat",
    "judge_note": "verdict: fine",
    "choose_facts": "facts: none",
    "make_episode": "text: {say}",
    "roll_summary": "text: {say}",
    "learn_profile": "profile: {say}",
    "merge_facts": "narrative: {say}",
}
"""The smallest answers in lines; whatever is not here is answered by a text alone."""


def lines_for(operation: str | None, say: str = "All is well.") -> str:
    """Return what answers an operation that asks for lines or for a text, with `say` for the free texts."""
    return _LINES.get(operation or "", "{say}").replace("{say}", say)


def schema_in(prompt: str) -> Schema | None:
    """Return the JSON schema that is written out in a prompt, or `None` if there is none."""
    decoder = json.JSONDecoder()
    position = prompt.find("{")
    while position >= 0:
        try:
            found, _ = decoder.raw_decode(prompt, position)
        except ValueError:
            found = None
        if isinstance(found, dict) and (isinstance(found.get("properties"), dict) or "$defs" in found):
            return found
        position = prompt.find("{", position + 1)
    return None


def _value(schema: Schema, root: Schema, say: str) -> object:
    schema = _resolved(schema, root)
    if "const" in schema:
        return schema["const"]
    if "default" in schema and schema["default"] not in ("", None):
        return schema["default"]
    allowed = schema.get("enum")
    if isinstance(allowed, list):
        return next((word for word in _HARMLESS_KINDS if word in allowed), allowed[0])
    choices = [*_schemas(schema.get("anyOf")), *_schemas(schema.get("oneOf"))]
    if choices:
        return _value(_most_harmless(choices, root), root, say)
    return _of_type(schema, root, say)


def _of_type(schema: Schema, root: Schema, say: str) -> object:
    kind = schema.get("type")
    match str(kind[0] if isinstance(kind, list) else kind or "object").lower():
        case "object":
            return _object(schema, root, say)
        case "array":
            items = schema.get("items")
            count = schema.get("minItems", 0)
            one = items if isinstance(items, dict) else {"type": "string"}
            return [_value(one, root, say) for _ in range(count if isinstance(count, int) else 0)]
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "null":
            return None
        case _:
            longest = schema.get("maxLength")
            return say[:longest] if isinstance(longest, int) else say


def _object(schema: Schema, root: Schema, say: str) -> dict[str, object]:
    properties = schema.get("properties")
    required = schema.get("required")
    if not isinstance(properties, dict):
        return {}
    names = required if isinstance(required, list) and required else list(properties)
    return {name: _value(properties[name], root, say) for name in names if name in properties}


def _resolved(schema: Schema, root: Schema) -> Schema:
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return schema
    target: object = root
    for step in reference.removeprefix("#/").split("/"):
        target = target[step] if isinstance(target, Mapping) else {}
    return _resolved(target, root) if isinstance(target, Mapping) else {}


def _schemas(value: object) -> Iterator[Schema]:
    yield from (item for item in value if isinstance(item, dict)) if isinstance(value, list) else ()


def _most_harmless(choices: list[Schema], root: Schema) -> Schema:
    """Return the choice that is null or says a harmless kind, else the first."""
    for word in ("null", *_HARMLESS_KINDS):
        for choice in choices:
            resolved = _resolved(choice, root)
            if resolved.get("type") in (word, word.upper()) or word in _constants(resolved):
                return choice
    return choices[0]


def _constants(schema: Schema) -> set[object]:
    properties = schema.get("properties")
    found: set[object] = set()
    for each in properties.values() if isinstance(properties, dict) else ():
        if isinstance(each, dict):
            allowed = each.get("enum")
            found |= {each.get("const")} | (
                set(allowed) if isinstance(allowed, list) and len(allowed) == 1 else set()
            )
    return found
