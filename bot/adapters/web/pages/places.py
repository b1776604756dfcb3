"""Pages of a member, of a channel, and of what is known of a server itself, with forms that have it forgotten."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from bot.adapters.web import facts, members, memories
from bot.adapters.web.entering import Asking
from bot.adapters.web.models import ChannelId, Cursor, FactList, GivenId, GuildId, ProfileEntry, UserId
from bot.adapters.web.pages.differences import TextPart, differences
from bot.adapters.web.pages.rendering import Form, PageRoute, done, names_in, page
from bot.adapters.web.parts import Web, WebParts
from bot.adapters.web.seeing import AboutMember, InChannel, InGuild, SeenGuild
from bot.core.domain import MAX_ID
from bot.memory.members.subjects import rendered
from bot.memory.rights.access.access import Operator

router = APIRouter(prefix="/guilds/{guild_id}", route_class=PageRoute, include_in_schema=False)

_WEEK: Final = timedelta(days=7)

_FIRST_DAY: Final = date(2015, 1, 1)
_LAST_DAY: Final = date(2100, 1, 1)
"""Discord began, and what an id can say ends, between them."""


@router.get("/facts")
async def guild_facts(
    request: Request, web: Web, asking: Asking, seen: InGuild, cursor: Cursor = None
) -> Response:
    """Show what is known of a server itself: facts with their life."""
    return await _facts_page(
        request, web, asking, seen, await facts.guild_facts(web, seen, cursor), title="Facts about the server"
    )


@router.get("/waiting")
async def waiting_notes(request: Request, web: Web, asking: Asking, seen: InGuild) -> Response:
    """Show about whom notes of others wait for a manager, after they were erased."""
    found = await facts.waiting_notes(web, seen)
    return page(request, "notes_list.html", asking=asking, guild=seen.guild, waiting=found.waiting)


@router.get("/waiting/{user_id}")
async def waiting_facts(
    request: Request, web: Web, asking: Asking, seen: InGuild, user_id: UserId, cursor: Cursor = None
) -> Response:
    """Show what waits about an erased member, as far as its channels were revealed."""
    known = await facts.waiting_facts(web, seen, user_id, cursor)
    return await _facts_page(
        request, web, asking, seen, known, title=f"What waits about member {user_id}", may_forget=False
    )


async def _facts_page(
    request: Request,
    web: WebParts,
    asking: Operator,
    seen: SeenGuild,
    known: FactList,
    *,
    title: str,
    may_forget: bool = True,
) -> Response:
    texts, authors = _told_in(known)
    return page(
        request,
        "facts.html",
        asking=asking,
        guild=seen.guild,
        title=title,
        may_forget=may_forget,
        facts=known,
        names=await names_in(web, seen.guild.guild_id, texts, user_ids=authors),
    )


@router.get("/members/{user_id}")
async def member(
    request: Request,
    web: Web,
    asking: Asking,
    about: AboutMember,
    cursor: Cursor = None,
    until: Annotated[date | None, Query(ge=_FIRST_DAY, le=_LAST_DAY)] = None,
) -> Response:
    """Show what is known of a member: facts with their life, a week as it is told, and the versions of the profile."""
    today = web.keepsake.now().date()
    last = until or today
    # The cursor is the end of the day before the week: of every audience and kind.
    told = await members.days(web, about, cursor=f"{last - _WEEK}.{MAX_ID}.mood")
    days = [one for one in told.days if one.day <= str(last)]
    known = await facts.member_facts(web, about, cursor)
    versions = (await members.profile(web, about)).versions
    texts, authors = _told_in(known)
    texts += [*(one.content for one in days), *(one.content for one in versions)]
    names = await names_in(web, about.guild.guild_id, texts, user_ids=authors)
    return page(
        request,
        "member.html",
        asking=asking,
        guild=about.guild,
        member=about.member,
        facts=known,
        names=names,
        days=days,
        versions=versions,
        changed=_changed(versions, names),
        first=last - _WEEK + timedelta(days=1),
        last=last,
        earlier=last - _WEEK,
        later=last + _WEEK if last < today else None,
    )


def _changed(versions: Sequence[ProfileEntry], names: Mapping[int, str]) -> Mapping[int, Sequence[TextPart]]:
    """Return the texts of versions, newest first, by their numbers, each beside the one before it."""
    texts = [rendered(one.content, names) for one in versions]
    older = [*texts[1:], *texts[-1:]]
    return {
        one.version: differences(before, text)
        for one, before, text in zip(versions, older, texts, strict=True)
    }


def _told_in(known: FactList) -> tuple[list[str], set[int]]:
    """Return the texts of facts with those in which they were said, and who said them."""
    sources = [source for one in known.facts for source in one.sources]
    texts = [*(one.content for one in known.facts), *(source.said for source in sources)]
    return texts, {source.author_id for source in sources}


@router.post("/facts/{fact_id}/delete")
async def delete_guild_fact(web: Web, form: Form, guild_id: GuildId, fact_id: GivenId) -> Response:
    """Forget a fact about a server itself."""
    await facts.delete_guild_fact(web, form.operator, guild_id, fact_id)
    return done(f"/guilds/{guild_id}/facts", "fact")


@router.post("/members/{user_id}/facts/{fact_id}/delete")
async def delete_fact(web: Web, form: Form, guild_id: GuildId, user_id: UserId, fact_id: GivenId) -> Response:
    """Forget a fact about a member."""
    await facts.delete_member_fact(web, form.operator, guild_id, user_id, fact_id)
    return done(f"/guilds/{guild_id}/members/{user_id}", "fact")


@router.get("/channels/{channel_id}")
async def channel(
    request: Request, web: Web, asking: Asking, seen: InChannel, cursor: Cursor = None
) -> Response:
    """Show what conversations in a channel left behind."""
    listed = await memories.memories(web, seen, cursor)
    return page(
        request,
        "channel.html",
        asking=asking,
        guild=seen.guild,
        channel=seen.channel,
        is_closed=seen.channel_is_closed,
        is_shown=seen.channel_is_shown,
        listed=listed,
        names=await names_in(web, seen.guild.guild_id, (one.content for one in listed.memories)),
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
