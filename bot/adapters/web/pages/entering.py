"""Pages for logging in and out with a token, and the styles; the link printed at the start has its own route."""

from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, RedirectResponse, Response

from bot.adapters.web.entering import HOME, LEAVING, enter_by_token, leave
from bot.adapters.web.models import NewSession
from bot.adapters.web.pages.rendering import LOGIN, Form, PageRoute, form_of, page
from bot.adapters.web.parts import Web

STYLE_SHEET: Final = "/static/keepsake.css"

_STATIC: Final = Path(__file__).parents[1] / "static"

_LONGEST_TOKEN: Final = 200

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get(STYLE_SHEET)
async def style_sheet() -> FileResponse:
    """Return how pages look: it tells nothing of anybody."""
    return FileResponse(_STATIC / "keepsake.css", headers={"Cache-Control": "no-cache"})


@router.get(LOGIN)
async def login(request: Request) -> Response:
    """Ask for a token."""
    return page(request, "login.html", wrong="")


@router.post(LOGIN)
async def enter(request: Request, web: Web) -> Response:
    """Open a session by a token, and lead to the overview."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        # Else a page of somebody else's could have a browser work under a token of theirs.
        raise HTTPException(403, "another site sent this form")
    token = (await form_of(request)).get("token", "").strip()
    entered = RedirectResponse(HOME, 303)
    try:
        await enter_by_token(request, entered, web, NewSession(token=token[:_LONGEST_TOKEN]))
    except HTTPException as error:
        if error.status_code != 401:
            raise
        return page(request, "login.html", status=401, wrong=error.detail)
    return entered


@router.post(LEAVING)
async def logout(request: Request, web: Web, form: Form) -> Response:
    """End the session."""
    left = RedirectResponse(LOGIN, 303)
    await leave(request, left, web, form.operator)
    return left
