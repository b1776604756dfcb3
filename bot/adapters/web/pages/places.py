"""Pages of a member and of a channel: what is kept there, and forms that have it forgotten."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from bot.adapters.web import guilds, memories
from bot.adapters.web import members as api
from bot.adapters.web.entering import Asking
from bot.adapters.web.models import ChannelId, Cursor, FactEntry, GivenId, GuildId, UserId
from bot.adapters.web.pages.guilds import names_in
from bot.adapters.web.pages.rendering import Form, PageRoute, done, page
from bot.adapters.web.parts import Web
from bot.core.domain import MAX_ID, OPEN
from bot.memory.members.subjects import rendered

router = APIRouter(prefix="/guilds/{guild_id}", route_class=PageRoute, include_in_schema=False)

_WEEK: Final = timedelta(days=7)

_FIRST_DAY: Final = date(2015, 1, 1)
_LAST_DAY: Final = date(2100, 1, 1)
"""Discord began, and what an id can say ends, between them."""


@router.get("/members/{user_id}")
async def member(
    request: Request,
    web: Web,
    asking: Asking,
    guild_id: GuildId,
    user_id: UserId,
    cursor: Cursor = None,
    until: Annotated[date | None, Query(ge=_FIRST_DAY, le=_LAST_DAY)] = None,
) -> Response:
    """Show what is known of a member: facts with their life, a week as it is told, and the versions of the profile."""
    entry = await guilds.member(web, guild_id, user_id)
    last = until or web.keepsake.now().date()
    # The cursor is the end of the day before the week: of every audience and kind.
    told = await api.days(web, asking, guild_id, user_id, cursor=f"{last - _WEEK}.{MAX_ID}.mood")
    facts = await api.facts(web, asking, guild_id, user_id, cursor)
    names = await names_in(web, guild_id)
    profile = await api.profile(web, asking, guild_id, user_id)
    return page(
        request,
        "member.html",
        asking=asking,
        guild=await guilds.guild_details(web, guild_id),
        member=entry,
        facts=facts.model_copy(update={"facts": [_named(one, names) for one in facts.facts]}),
        names=names,
        days=[
            one.model_copy(update={"content": rendered(one.content, names)})
            for one in told.days
            if one.day <= str(last)
        ],
        versions=[
            one.model_copy(update={"content": rendered(one.content, names)}) for one in profile.versions
        ],
        first=last - _WEEK + timedelta(days=1),
        last=last,
        earlier=last - _WEEK,
        later=last + _WEEK if last < web.keepsake.now().date() else None,
    )


def _named(fact: FactEntry, names: Mapping[int, str]) -> FactEntry:
    return fact.model_copy(update={"content": rendered(fact.content, names)})


@router.post("/members/{user_id}/facts/{fact_id}/delete")
async def delete_fact(web: Web, form: Form, guild_id: GuildId, user_id: UserId, fact_id: GivenId) -> Response:
    """Forget a fact."""
    await api.delete_fact(web, form.operator, guild_id, user_id, fact_id)
    return done(f"/guilds/{guild_id}/members/{user_id}", "fact")


@router.get("/channels/{channel_id}")
async def channel(
    request: Request,
    web: Web,
    asking: Asking,
    guild_id: GuildId,
    channel_id: ChannelId,
    cursor: Cursor = None,
) -> Response:
    """Show what conversations in a channel left behind."""
    guild, kept = await memories.known_channel(web, guild_id, channel_id)
    is_closed = guild.direct or kept.audience != OPEN
    revealed = await web.access.revealed(asking, guild_id=guild_id)
    found = await memories.memories(web, asking, guild_id, channel_id, cursor)
    names = await names_in(web, guild_id)
    is_shown = not is_closed or channel_id in revealed.channel_ids
    return page(
        request,
        "channel.html",
        asking=asking,
        guild=await guilds.guild_details(web, guild_id),
        channel_id=channel_id,
        name=kept.name if is_shown else None,
        is_closed=is_closed,
        is_shown=is_shown,
        listed=found.model_copy(
            update={
                "memories": [
                    one.model_copy(update={"content": rendered(one.content, names)}) for one in found.memories
                ]
            }
        ),
    )


@router.post("/channels/{channel_id}/memories/delete")
async def delete_memories(web: Web, form: Form, guild_id: GuildId, channel_id: ChannelId) -> Response:
    """Delete all memories of a channel."""
    await memories.delete_memories(web, form.operator, guild_id, channel_id)
    return done(f"/guilds/{guild_id}/channels/{channel_id}", "memories")


@router.post("/channels/{channel_id}/memories/{memory_id}/delete")
async def delete_memory(
    web: Web, form: Form, guild_id: GuildId, channel_id: ChannelId, memory_id: GivenId
) -> Response:
    """Delete one memory of a channel."""
    await memories.delete_memory(web, form.operator, guild_id, channel_id, memory_id)
    return done(f"/guilds/{guild_id}/channels/{channel_id}", "memory")
