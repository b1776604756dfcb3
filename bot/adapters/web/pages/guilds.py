"""Pages of the installation and of one server: overview, search, settings, health and the audit."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from bot.adapters.web import guilds as api
from bot.adapters.web import reveals
from bot.adapters.web.entering import Asking
from bot.adapters.web.models import DEFAULT_LIMIT, Cursor, GuildId, NewReveal
from bot.adapters.web.pages.charts import charts_of, drawn_charts, energy_chart
from bot.adapters.web.pages.rendering import Form, PageRoute, changed_settings, done, names_in, page
from bot.adapters.web.parts import Web, WebParts
from bot.adapters.web.seeing import InGuild, known_guild
from bot.chat.usecases.guild_settings import choice_labels
from bot.core.domain import Language
from bot.core.errors import InvalidInputError
from bot.llm.providers import usage_limits_of
from bot.memory.guilds.settings import GUILD_SETTINGS, Text
from bot.memory.rights.counting.counting import GuildCounts

router = APIRouter(route_class=PageRoute, include_in_schema=False)

_LONG_TEXTS: Final = frozenset(
    name for name, setting in GUILD_SETTINGS.items() if isinstance(setting.value, Text)
)


@router.get("/")
async def overview(request: Request, web: Web, asking: Asking, cursor: Cursor = None) -> Response:
    """Show how much is kept in all, what it took, and the servers."""
    listed = await api.guilds(web, cursor)
    if not listed.guilds and cursor is None:
        return page(request, "empty.html", asking=asking)
    kept = await web.kept.counts()
    usage = await web.keepsake.memory.counting.usage_everywhere(next(iter(kept.by_day)))
    prices = usage_limits_of(web.keepsake.settings).prices
    charts = [*charts_of(GuildCounts(kept=kept, usage=usage), prices)]
    if web.keepsake.models is not None and (energies := await web.keepsake.models.energies()):
        charts.append(energy_chart(energies))
    return page(
        request,
        "overview.html",
        asking=asking,
        listed=listed,
        kept=kept,
        is_priced=bool(prices),
        charts=await drawn_charts(charts),
    )


@router.get("/guilds/{guild_id}")
async def guild(
    request: Request,
    web: Web,
    asking: Asking,
    seen: InGuild,
    name: Annotated[str, Query(max_length=100)] = "",
    members: Cursor = None,
    channels: Cursor = None,
) -> Response:
    """Show a server: how much is kept of it, its channels, and its members or those with a name."""
    guild = await web.keepsake.memory.inspecting.guild(seen.guild.guild_id)
    counts = await web.keepsake.memory.counting.of_guild(
        guild_id=seen.guild.guild_id, audiences=None, now=web.keepsake.now(), time_zone=seen.guild.time_zone
    )
    return page(
        request,
        "guild.html",
        asking=asking,
        guild=guild or seen.guild,
        name=name,
        kept=counts.kept,
        channels=await api.channels(web, seen, channels),
        members=await api.members(web, seen.guild.guild_id, name, members),
        charts=await drawn_charts(charts_of(counts, usage_limits_of(web.keepsake.settings).prices)),
    )


@router.get("/guilds/{guild_id}/search")
async def search(
    request: Request, web: Web, asking: Asking, seen: InGuild, q: Annotated[str, Query(max_length=500)] = ""
) -> Response:
    """Find messages, facts and memories of a server."""
    hits = (await api.search(web, seen, q)).hits if q.strip() else []
    concerned = {one for hit in hits for one in (hit.author_id, hit.subject_id) if one}
    names = await names_in(web, seen.guild.guild_id, (hit.text for hit in hits), user_ids=concerned)
    return page(request, "search.html", asking=asking, guild=seen.guild, q=q, hits=hits, names=names)


@router.get("/guilds/{guild_id}/settings")
async def settings(request: Request, web: Web, asking: Asking, guild_id: GuildId) -> Response:
    """Show the settings of a server in a form."""
    return await _settings(request, web, asking, guild_id)


@router.post("/guilds/{guild_id}/settings")
async def change_settings(request: Request, web: Web, form: Form, guild_id: GuildId) -> Response:
    """Change the settings that were chosen otherwise."""
    listed = await api.settings(web, guild_id)
    changes = changed_settings(form, listed.settings)
    try:
        await api.change_settings(web, form.operator, guild_id, changes)
    except InvalidInputError as error:
        return await _settings(request, web, form.operator, guild_id, wrong=str(error), given=changes)
    return done(f"/guilds/{guild_id}/settings", "settings")


async def _settings(
    request: Request,
    web: WebParts,
    asking: Asking,
    guild_id: int,
    *,
    wrong: str = "",
    given: Mapping[str, str] | None = None,
) -> Response:
    guild = await known_guild(web, guild_id)
    listed = await api.settings(web, guild_id)
    return page(
        request,
        "settings.html",
        asking=asking,
        status=422 if wrong else 200,
        guild=guild,
        settings=listed.settings,
        labels={one.name: choice_labels(one.name, Language.ENGLISH) for one in listed.settings},
        long_texts=_LONG_TEXTS,
        wrong=wrong,
        given=given or {},
    )


@router.post("/guilds/{guild_id}/reveal")
async def reveal(web: Web, form: Form, guild_id: GuildId) -> Response:
    """Have what is closed of a channel, or about a member, shown, and lead back to its page."""
    place = {name: form.field(name) for name in ("channel_id", "user_id") if form.field(name)}
    try:
        wanted = NewReveal.model_validate(
            {"guild_id": str(guild_id), "reason": form.field("reason"), **place}
        )
    except ValueError:
        raise InvalidInputError("a reason of 3 to 500 characters is needed: it is noted") from None
    await reveals.reveal(web, form.operator, wanted)
    where = f"channels/{wanted.channel_id}" if wanted.channel_id is not None else f"members/{wanted.user_id}"
    return done(f"/guilds/{guild_id}/{where}", "revealed")


@router.get("/health")
async def health(request: Request, web: Web, asking: Asking) -> Response:
    """Show what stands still or fails here, as /readyz tells it, what waits, and when the last backup was made."""
    found = await web.keepsake.memory.inspecting.health()
    running = sorted(web.keepsake.services.names)
    return page(
        request,
        "health.html",
        asking=asking,
        failing=await web.health.failing(),
        health=found,
        running=running,
        waited=timedelta(seconds=round(found.work.oldest_seconds)),
        answers_waited=timedelta(seconds=round(found.answers.oldest_seconds)),
    )


@router.get("/audit")
async def audit(request: Request, web: Web, asking: Asking, cursor: Cursor = None) -> Response:
    """Show what operators did."""
    return page(request, "audit.html", asking=asking, audit=await reveals.audit(web, cursor, DEFAULT_LIMIT))
