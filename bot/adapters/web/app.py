"""The web application: its routes, its errors, and the OpenAPI document, which also needs a token."""

from typing import Any

from fastapi import APIRouter, FastAPI

from bot import __version__
from bot.adapters.web import entering, facts, guilds, members, memories, monitoring, reveals
from bot.adapters.web.entering import NEEDS_OPERATOR
from bot.adapters.web.guard import Guard
from bot.adapters.web.pages.routes import pages
from bot.adapters.web.parts import WebParts, address_of, known_hosts
from bot.adapters.web.problems import RESPONSES, Problem, answer_errors

_ROUTERS = (
    entering.public,
    entering.sessions,
    guilds.router,
    facts.router,
    members.router,
    memories.router,
    reveals.router,
    monitoring.public,
    monitoring.figures,
)


def make_app(parts: WebParts) -> FastAPI:
    """Return the application that serves `parts`, not guarded yet."""
    app = FastAPI(
        title="Keepsake",
        version=__version__,
        description="What Keepsake keeps, for those who host it. Times are in UTC, ids are text.",
        # The pages that come along load scripts from elsewhere; the document is a route of its own below.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
    )
    app.state.parts = parts
    answer_errors(app)
    for router in _ROUTERS:
        app.include_router(router)
    app.include_router(_document(app))
    app.include_router(pages())
    return app


def guarded(app: FastAPI, parts: WebParts) -> Guard:
    """Return the application as it is served."""
    settings = parts.keepsake.settings
    return Guard(app, hosts=known_hosts(settings), is_secure=address_of(settings).startswith("https:"))


def _document(app: FastAPI) -> APIRouter:
    router = APIRouter(prefix="/api/v1", responses=RESPONSES, dependencies=NEEDS_OPERATOR, tags=["document"])

    @router.get("/openapi.json")
    async def openapi_document() -> dict[str, Any]:
        """Return this document."""
        document = app.openapi()
        # What the errors of all routes refer to.
        document["components"]["schemas"]["Problem"] = Problem.model_json_schema()
        return document

    return router
