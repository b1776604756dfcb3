"""Endpoints for monitoring: whether the process answers, and whether it does its work."""

from typing import Literal

from fastapi import APIRouter, Depends, Request, Security
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from bot.adapters.monitoring.exporting import SCRAPED_TYPE
from bot.adapters.web.entering import BEARER_SCHEME, COOKIE_SCHEME, known_operator
from bot.adapters.web.parts import Web, is_loopback, parts_of
from bot.adapters.web.problems import RESPONSES

public = APIRouter(responses=RESPONSES, tags=["monitoring"])
"""Needs neither token nor session: it tells nothing but whether all is well, and the names of what fails."""


class Wellness(BaseModel):
    """That all is well."""

    status: Literal["ok"] = "ok"


@public.get("/healthz")
async def healthz() -> Wellness:
    """Tell that the process answers."""
    return Wellness()


@public.get("/readyz")
async def readyz(web: Web) -> Wellness:
    """Tell whether the process does its work; the problem (503) names what stands still or fails."""
    failing = await web.health.failing()
    if failing:
        raise HTTPException(503, f"failing: {', '.join(failing)}")
    return Wellness()


async def _may_scrape(request: Request) -> None:
    """Allow a request with a token; without any token, requests from this machine, since metrics name nobody."""
    parts = parts_of(request)
    settings = parts.keepsake.settings
    is_here_alone = is_loopback(settings.web_host) and settings.web_url is None
    if not is_here_alone or await parts.access.has_tokens():
        await known_operator(request)


figures = APIRouter(
    responses=RESPONSES,
    dependencies=[Depends(_may_scrape), Security(BEARER_SCHEME), Security(COOKIE_SCHEME)],
    tags=["monitoring"],
)


class _Scraped(Response):
    """Figures in the form of Prometheus."""

    media_type = SCRAPED_TYPE


@figures.get("/metrics", response_class=_Scraped)
async def metrics(web: Web) -> _Scraped:
    """Tell all figures, for Prometheus to scrape."""
    return _Scraped(await web.figures.scraped())
