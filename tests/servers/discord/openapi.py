"""Discord's own description of its REST API, as a judge of bodies: requests, responses and objects of events.

The description is read once; a `$ref` is looked up in a dictionary, so that a message is judged in about a millisecond.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from tests.servers.discord.openapi_corrections import CORRECTED, IN_REQUESTS
from tests.servers.discord.openapi_formats import FORMATS
from tests.servers.discord.openapi_problems import problems

DESCRIPTION = Path(__file__).parents[4] / "shared" / "data" / "discord-openapi.json"
"""Where the description lies; it is not part of the repository."""

Schema: TypeAlias = Mapping[str, object]

_SCHEMAS = "#/components/schemas/"


class OperationUnknownError(LookupError):
    """The description knows no such method and path."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path: what may be sent to it, and what it may answer."""

    name: str
    request: str | None
    """The key of the schema of the request's body; nothing where the operation takes none."""
    needs_body: bool
    responses: Mapping[str, str | None]
    """By status ("200", "4XX"), the key of the schema of the body; nothing where the answer has none."""


class Description:
    """The whole description, with a validator for each schema that was asked for, made once."""

    def __init__(self, document: Mapping[str, object]) -> None:
        """Take the description as parsed from its JSON."""
        self._components: Mapping[str, Mapping[str, Schema]] = document["components"]  # type: ignore[assignment]
        self._schemas: dict[str, Schema] = {**self._components["schemas"], **CORRECTED}
        self._paths: dict[tuple[str, ...], Mapping[str, object]] = {
            tuple(path.strip("/").split("/")): methods
            for path, methods in document["paths"].items()  # type: ignore[attr-defined]
        }
        self._operations: dict[tuple[str, tuple[str, ...]], Operation] = {}
        self._kinds = {True: self._kind(IN_REQUESTS), False: self._kind({})}
        self._validators: dict[tuple[str, bool], Draft202012Validator] = {}

    def names(self) -> frozenset[str]:
        """Return the names of all schemas."""
        return frozenset(self._components["schemas"])

    def operation(self, method: str, path: str) -> Operation:
        """Return what is known of a request; `path` is without query, with or without `/api/v10`.

        Raises `OperationUnknownError` where the description has no such path, or not that method.
        """
        parts = tuple(path.strip("/").split("/"))
        if parts[:1] == ("api",):
            parts = parts[2:]
        for template in sorted(self._fitting(parts), key=_freedom):
            found = self._operation_of(method.lower(), template)
            if found is not None:
                return found
        raise OperationUnknownError(f"{method} /{'/'.join(parts)} is not in Discord's description")

    def problems_of(self, schema: str, body: object, *, is_sent: bool = False) -> list[str]:
        """Return what is wrong with `body` as a `schema`, one line each; nothing if it fits.

        A body that a client sent is judged as Discord takes it, which is wider than what Discord sends.
        """
        key = (schema, is_sent)
        if key not in self._validators:
            if schema not in self._schemas:
                raise LookupError(f"Discord's description has no schema {schema!r}")
            self._validators[key] = self._kinds[is_sent](dict(self._schemas[schema]), format_checker=FORMATS)
        return problems(self._validators[key].iter_errors(body))

    def fields_of(self, schema: str) -> frozenset[str]:
        """Return the names of the fields that an object of this kind may have."""
        found = self._schemas[schema].get("properties", {})
        assert isinstance(found, dict), f"{schema} is no object"
        return frozenset(found)

    def schema(self, name: str) -> Schema:
        """Return a schema as it is described."""
        return self._schemas[name]

    def add(self, name: str, schema: Schema) -> None:
        """Add a schema of our own, which may refer to those of the description."""
        self._schemas[name] = schema

    def _kind(self, instead: Mapping[str, Schema]) -> type[Draft202012Validator]:
        def follow(
            validator: Draft202012Validator, reference: str, instance: object, _: Schema
        ) -> Iterator[ValidationError]:
            name = reference.removeprefix(_SCHEMAS)
            yield from validator.descend(instance, instead.get(name) or self._schemas[name])

        kind: type[Draft202012Validator] = extend(  # type: ignore[no-untyped-call]
            Draft202012Validator, {"$ref": follow}
        )
        return kind

    def _fitting(self, parts: Sequence[str]) -> Iterator[tuple[str, ...]]:
        for template in self._paths:
            if len(template) == len(parts) and all(
                wanted == part or (wanted.startswith("{") and part)
                for wanted, part in zip(template, parts, strict=True)
            ):
                yield template

    def _operation_of(self, method: str, template: tuple[str, ...]) -> Operation | None:
        described = self._paths[template].get(method)
        if described is None:
            return None
        key = (method, template)
        if key not in self._operations:
            self._operations[key] = self._read(described)  # type: ignore[arg-type]
        return self._operations[key]

    def _read(self, described: Mapping[str, object]) -> Operation:
        name = str(described["operationId"])
        sent: Mapping[str, object] = described.get("requestBody", {})  # type: ignore[assignment]
        answered: dict[str, str | None] = {}
        for status, response in described["responses"].items():  # type: ignore[attr-defined]
            shared = response.get("$ref", "").rpartition("/")[2]
            whole = self._components["responses"][shared] if shared else response
            answered[status] = self._keep(f"{name} -> {status}", whole)
        return Operation(name, self._keep(f"{name} <-", sent), bool(sent.get("required")), answered)

    def _keep(self, key: str, described: Mapping[str, object]) -> str | None:
        content: Mapping[str, Schema] = described.get("content", {})  # type: ignore[assignment]
        # An upload is judged by its JSON part, which is described like the body without files.
        for kind in ("application/json", "multipart/form-data"):
            if kind in content:
                self._schemas[key] = content[kind]["schema"]  # type: ignore[assignment]
                return key
        return None


def _freedom(template: tuple[str, ...]) -> int:
    return sum(part.startswith("{") for part in template)


@cache
def description() -> Description:
    """Return Discord's description, read once. Raises `FileNotFoundError` where it is absent."""
    return Description(json.loads(DESCRIPTION.read_text(encoding="utf-8")))


def check_request(method: str, path: str, body: object) -> list[str]:
    """Return what is wrong with the JSON body of a request (`None`: it has none), one line each.

    Raises `OperationUnknownError` for a request that Discord does not describe.
    """
    operation = description().operation(method, path)
    if body is None:
        return [f"{operation.name} needs a body"] if operation.needs_body else []
    if operation.request is None:
        return [f"{operation.name} takes no body"]
    return _named(operation.name, description().problems_of(operation.request, body, is_sent=True))


def check_response(method: str, path: str, status: int, body: object) -> list[str]:
    """Return what is wrong with an answer's status and JSON body (`None`: it has none), one line each.

    Nothing is described, and so nothing wrong, from status 500 on. Raises `OperationUnknownError`.
    """
    if status >= 500:
        return []
    operation = description().operation(method, path)
    key = next((key for key in (str(status), f"{status // 100}XX") if key in operation.responses), None)
    if key is None:
        return [f"{operation.name} never answers {status}, only {', '.join(sorted(operation.responses))}"]
    schema = operation.responses[key]
    if schema is None:
        return [] if body is None else [f"{operation.name} answers {status} without a body"]
    return _named(f"{operation.name} -> {status}", description().problems_of(schema, body))


def check_object(schema: str, body: object) -> list[str]:
    """Return what is wrong with `body` as one of Discord's objects, such as "MessageResponse", one line each."""
    return _named(schema, description().problems_of(schema, body))


def _named(name: str, found: Sequence[str]) -> list[str]:
    return [f"{name}: {problem}" for problem in found]
