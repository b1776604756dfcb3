"""Errors of the API as problem details (RFC 9457), without internal details."""

import http
import logging
from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import Response

from bot.core.errors import DatabaseUnavailableError, InvalidInputError
from bot.core.log import trace

logger = logging.getLogger(__name__)


MEDIA_TYPE: Final = "application/problem+json"


class Problem(BaseModel):
    """What went wrong, as RFC 9457 has it."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    type: str = "about:blank"
    title: str
    """The same for every problem of this status."""
    status: int
    detail: str
    """What was wrong this time, in one sentence or a few words."""


class ProblemResponse(Response):
    """A problem, as it is sent."""

    media_type = MEDIA_TYPE

    def __init__(self, status: int, detail: str = "", headers: Mapping[str, str] | None = None) -> None:
        title = http.HTTPStatus(status).phrase
        problem = Problem(title=title, status=status, detail=detail or title)
        super().__init__(problem.model_dump_json(), status, dict(headers or {}))


_STATUSES: Final = (400, 401, 403, 404, 405, 413, 422, 429, 500, 503)

RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    status: {
        "description": http.HTTPStatus(status).phrase,
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status in _STATUSES
}
"""What every route may answer beside what it is for, as the OpenAPI document has it."""


def not_found(what: str) -> HTTPException:
    """Return the error that something is not there, or not where it was looked for."""
    return HTTPException(404, f"{what} is not known")


def answer_errors(app: FastAPI) -> None:
    """Have `app` answer all errors as problems."""
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(InvalidInputError, _refused)
    app.add_exception_handler(DatabaseUnavailableError, _away)
    app.add_exception_handler(Exception, _failed)


async def _http(_: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    return ProblemResponse(error.status_code, error.detail, error.headers)


async def _invalid(_: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    # Where and why, and not what: a wrong value may be a secret, or nothing that JSON can hold.
    wrong = ("{}: {}".format(".".join(map(str, one["loc"])), one["msg"]) for one in error.errors())
    return ProblemResponse(422, "; ".join(wrong).encode(errors="replace").decode())


async def _refused(_: Request, error: Exception) -> Response:
    return ProblemResponse(422, str(error))


async def _away(_: Request, error: Exception) -> Response:
    logger.warning("a request was not answered, since the database is away: %s", trace(error))
    return ProblemResponse(503, "the database cannot be reached now", {"Retry-After": "5"})


async def _failed(_: Request, error: Exception) -> Response:
    # It is raised once more behind this answer, and logged by the guard.
    return ProblemResponse(500)
