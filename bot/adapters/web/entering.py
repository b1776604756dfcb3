"""Authentication: tokens and sessions, and what a request that changes something needs in addition."""

import hmac
from typing import Annotated, Final, TypeAlias

from fastapi import APIRouter, Depends, Query, Request, Security
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from bot.adapters.web.models import NewSession, SessionState
from bot.adapters.web.parts import Web, WebParts, address_of, parts_of
from bot.adapters.web.problems import RESPONSES
from bot.memory.rights.access.access import SESSION_LASTS, Operator, csrf_token_of
from bot.memory.rights.access.records import AccessScope

COOKIE: Final = "keepsake_session"

CSRF_HEADER: Final = "X-CSRF-Token"

_SESSION: Final = "/api/v1/session"

HOME: Final = "/"
"""Where the link of the start leads."""

LEAVING: Final = "/logout"
"""The page that ends a session."""

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})

COOKIE_SCHEME: Final = APIKeyCookie(
    name=COOKIE,
    scheme_name="session",
    description=f"A session; what changes something also needs the header {CSRF_HEADER}",
    auto_error=False,
)
BEARER_SCHEME: Final = HTTPBearer(
    scheme_name="token", description="A token made by `keepsake token create`", auto_error=False
)


async def known_operator(request: Request) -> Operator:
    """Return the operator of a request who may do what it asks for.

    Raises 401 without a valid token or session, 403 if the scope is insufficient, 429 for an address with too many
    failed attempts.
    """
    operator = await let_in(request)
    if request.method not in _SAFE:
        check_change(request, operator, request.headers.get(CSRF_HEADER, ""))
    return operator


async def let_in(request: Request) -> Operator:
    """Return who asks, before it is looked what they may do. Raises 401 and 429."""
    parts = parts_of(request)
    check_tries(request, parts)
    header, cookie = request.headers.get("authorization"), request.cookies.get(COOKIE)
    if header is None and cookie is None:
        raise _unknown("a token or a session is needed")
    if header is not None:
        scheme, _, token = header.partition(" ")
        operator = await parts.access.by_token(token.strip()) if scheme.casefold() == "bearer" else None
    else:
        operator = await parts.access.by_session(cookie or "")
    if operator is None:
        parts.tries.failed(client_of(request))
        raise _unknown("the token or session is not known, has ended, or was revoked")
    return operator


Asking: TypeAlias = Annotated[Operator, Depends(known_operator)]
"""Who asks, as an argument of a route."""

NEEDS_OPERATOR: Final = [Depends(known_operator), Security(BEARER_SCHEME), Security(COOKIE_SCHEME)]
"""The dependencies of every router but the public one. The schemes say in the OpenAPI document what is needed."""


def check_tries(request: Request, parts: WebParts) -> None:
    """Raise 429 for an address from which too many came in vain."""
    seconds = parts.tries.seconds_to_wait(client_of(request))
    if seconds:
        raise HTTPException(
            429, f"too many failed tries: wait for {seconds} seconds", {"Retry-After": str(seconds)}
        )


def client_of(request: Request) -> str:
    """Return the address that a request comes from."""
    return request.client.host if request.client is not None else ""


def check_change(request: Request, operator: Operator, csrf: str) -> None:
    """Raise 403 unless an operator, who gave this token of their session, may change something by the request."""
    if operator.session is not None:
        expected = csrf_token_of(request.cookies.get(COOKIE, ""))
        if not hmac.compare_digest(expected.encode(), csrf.encode(errors="replace")):
            raise HTTPException(
                403,
                f"a session needs its token in the header {CSRF_HEADER}, or in the form, to change something",
            )
        if request.url.path in (_SESSION, LEAVING):
            # Whoever may only read may leave all the same.
            return
    if operator.scope is not AccessScope.WRITE:
        raise HTTPException(403, "a token of the scope write is needed for that")


def _unknown(detail: str) -> HTTPException:
    return HTTPException(401, detail, {"WWW-Authenticate": 'Bearer realm="keepsake"'})


public = APIRouter(responses=RESPONSES, tags=["entering"])
"""The ways in, which need neither token nor session."""

sessions = APIRouter(prefix="/api/v1", responses=RESPONSES, dependencies=NEEDS_OPERATOR, tags=["entering"])


@public.get("/enter", status_code=303, response_class=RedirectResponse)
async def enter_by_link(
    request: Request, web: Web, code: Annotated[str, Query(max_length=200)]
) -> RedirectResponse:
    """Open a session by the link that was printed at the start, which works once."""
    check_tries(request, web)
    if web.link is None or not web.link.used(code):
        web.tries.failed(client_of(request))
        raise _unknown("the link was used, is too old, or is wrong: 'keepsake token create' makes a token")
    secret, _ = await web.access.enter(by=None)
    response = RedirectResponse(HOME, 303)
    _put_cookie(response, request, web, secret)
    return response


@public.post(_SESSION, status_code=201)
async def enter_by_token(request: Request, response: Response, web: Web, given: NewSession) -> SessionState:
    """Open a session by a token, for pages."""
    check_tries(request, web)
    by = await web.access.by_token(given.token)
    if by is None:
        web.tries.failed(client_of(request))
        raise _unknown("the token is not known, or was revoked")
    secret, operator = await web.access.enter(by=by)
    _put_cookie(response, request, web, secret)
    return _state(operator, secret)


@sessions.get("/session")
async def session_state(request: Request, asking: Asking) -> SessionState:
    """Tell who asks, and what a session needs to change something."""
    return _state(asking, request.cookies.get(COOKIE, ""))


@sessions.delete("/session", status_code=204)
async def leave(request: Request, response: Response, web: Web, asking: Asking) -> None:
    """End the session; a token that came with the request stays as it is."""
    if asking.session is not None:
        await web.access.leave(asking, request.cookies.get(COOKIE, ""))
        response.delete_cookie(COOKIE)


def _state(operator: Operator, secret: str) -> SessionState:
    session = operator.session
    return SessionState(
        name=operator.name,
        scope=operator.scope,
        expires_at=session.expires_at if session is not None else None,
        csrf=csrf_token_of(secret) if session is not None else None,
    )


def _put_cookie(response: Response, request: Request, web: WebParts, secret: str) -> None:
    response.set_cookie(
        COOKIE,
        secret,
        max_age=int(SESSION_LASTS.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https" or address_of(web.keepsake.settings).startswith("https:"),
    )
