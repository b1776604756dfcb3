"""All pages: they read and write by the functions of the API's routes, and add nothing but how it looks."""

from fastapi import APIRouter

from bot.adapters.web.pages import entering, guilds, places


def pages() -> APIRouter:
    """Return the routes of all pages, which the OpenAPI document leaves out."""
    router = APIRouter()
    for one in (entering.router, guilds.router, places.router):
        router.include_router(one)
    return router
