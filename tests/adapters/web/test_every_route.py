"""The OpenAPI document is true of every route, and no route but the ways in answers who was not let in."""

import asyncio
import copy
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import hypothesis
import pytest
import requests
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import HealthCheck
from schemathesis import APIOperation, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.routing import BaseRoute, Route

from bot.adapters.web.pages.routes import pages
from bot.core.domain import GUILD_SUBJECT
from bot.memory.rights.access.records import AccessScope
from tests.adapters.web.homes import ALICE, CLOSED, GENERAL, GUILD, Home, places, remember, said

DOCUMENT = "/api/v1/openapi.json"

EXAMPLES: Final = 10
"""Requests to each route, in each of the two modes."""

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]

UNLIKELY: Final = {
    ("post", "/api/v1/reveals"),
    ("patch", "/api/v1/guilds/{guild_id}/settings"),
    ("get", "/api/v1/guilds/{guild_id}/waiting/{user_id}"),
}
"""What no request that is drawn has the right values for: tests of their own see to these."""

GUESSED: Final = {("get", "/enter"), ("post", "/api/v1/session")}
"""What counts failed tries, of which the limit would end the rest: tests of their own see to these too."""

WAYS_IN = {("get", "/enter"), ("post", "/api/v1/session"), ("get", "/healthz"), ("get", "/readyz")}
"""What needs neither token nor session. Nothing else is added but what tells nothing at all, such as a health check."""


async def document_of(served: Home) -> dict[str, Any]:
    async with await served.operator() as client:
        document: dict[str, Any] = (await client.get(DOCUMENT)).json()
    return document


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


async def test_no_route_answers_without_a_token(served: Home, ids: dict[str, int]) -> None:
    document = await document_of(served)
    assert document["openapi"].startswith("3.1")
    given = places(ids)
    open_routes = set()
    async with served.client() as nobody:
        for method, path, operation in operations(document):
            answer = await nobody.request(method, path.format(**given))
            if answer.status_code != 401:
                open_routes.add((method, path))
            else:
                assert operation["security"], path
    assert open_routes == WAYS_IN
    # They still stand: nothing was done before it was looked who asks.
    assert await served.keepsake.memory.episodes.everywhere(episode_id=ids["picnic"])


def leaves(routes: Iterable[BaseRoute]) -> Iterator[tuple[str, str]]:
    """Yield each route with its method, also of the routers that are among them."""
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from leaves(inner.routes)
        else:
            assert isinstance(route, Route | APIRoute), f"{route} is no route that this test knows"
            yield from ((method.lower(), route.path) for method in route.methods or ())


async def test_every_route_is_in_the_document(served: Home) -> None:
    """Else it would be passed over by the test above. Pages have a test of their own."""
    documented = {(method, path) for method, path, _ in operations(await document_of(served))}
    assert set(leaves(served.server.app.routes)) - set(leaves(pages().routes)) == documented


async def test_every_error_is_documented_as_a_problem(served: Home) -> None:
    for _, path, operation in operations(await document_of(served)):
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                assert set(answer["content"]) == {"application/problem+json"}, path


def with_known_ids(document: dict[str, Any], known: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """Return the document with no ids but those that are known, by the name of the parameter, and one that is not.

    With others nothing would be found, and every route would end where it looks for a server.
    """
    changed = copy.deepcopy(document)
    places = [one for _, _, operation in operations(changed) for one in operation.get("parameters", ())]
    for place in places:
        if place["name"] in known:
            place["schema"] = {"type": "string", "enum": [*map(str, known[place["name"]]), "7"]}
    return changed


@pytest.mark.parametrize("mode", GenerationMode)
async def test_whatever_is_asked_is_answered_as_documented(
    served: Home, ids: dict[str, int], mode: GenerationMode
) -> None:
    """Nothing ends in an error of the server, and nothing is answered that the document does not know."""
    night = said("Bot, remember that movie night is on Friday", 9)
    of_guild = await remember(served, night, "movie night is on Friday", subject_id=GUILD_SUBJECT)
    token = await served.keepsake.memory.access.create_token("laptop", AccessScope.WRITE)
    given = {
        "guild_id": [GUILD],
        "channel_id": [GENERAL, CLOSED],
        "user_id": [ALICE],
        "fact_id": [ids["tea"], of_guild],
        "memory_id": [ids["cake"], ids["picnic"]],
    }
    document = await document_of(served)
    if mode is GenerationMode.POSITIVE:
        document = with_known_ids(document, given)
    schema = schemathesis.openapi.from_dict(document)
    # Of a route that takes nothing, nothing can be wrong.
    asked = {
        (method, path)
        for method, path, operation in operations(document)
        if mode is GenerationMode.POSITIVE or {"parameters", "requestBody"} & {*operation}
    } - GUESSED
    found: dict[tuple[str, str], set[int]] = defaultdict(set)

    def ask(operation: APIOperation[Any, Any, Any, Any]) -> None:
        @hypothesis.settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), database=None)
        @hypothesis.given(operation.as_strategy(mode))
        def check(case: schemathesis.Case[Any]) -> None:
            answer = case.call_and_validate(
                base_url=served.url,
                session=session,
                headers={"Authorization": f"Bearer {token}"},
                checks=CHECKS,
            )
            found[operation.method, operation.path].add(answer.status_code)

        check()

    def ask_all() -> None:
        known = [one.ok() for one in schema.get_all_operations() if isinstance(one, Ok)]
        # What takes away comes last, and one before all of its kind: else there would be nothing left to find.
        for operation in sorted(known, key=lambda one: (one.method == "delete", -len(one.path))):
            if (operation.method, operation.path) in asked:
                ask(operation)

    with requests.Session() as session:
        await asyncio.to_thread(ask_all)
    assert {*found} == asked
    # Each came as far as it can: a request that is good finds something, and one that is not is refused.
    for place, statuses in found.items():
        if mode is GenerationMode.POSITIVE:
            assert statuses & {200, 201, 204} or place in UNLIKELY, place
        assert statuses <= {200, 201, 204, 400, 403, 404, 405, 422}, place
