"""All pages. They read and write through the functions of the API routes, and add only presentation."""

from fastapi import APIRouter

from bot.adapters.web.pages import entering, guilds, places


def pages() -> APIRouter:
    """Return the routes of all pages, which the OpenAPI document leaves out."""
    router = APIRouter()
    for one in (entering.router, guilds.router, places.router):
        router.include_router(one)
    return router
