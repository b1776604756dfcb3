"""Routes: servers, their channels and members, settings, search and usage."""

from dataclasses import asdict
from datetime import date, timedelta
from typing import Annotated

from fastapi import APIRouter, Body, Query

from bot.adapters.web.entering import NEEDS_OPERATOR, Asking
from bot.adapters.web.models import (
    DEFAULT_LIMIT,
    ChannelEntry,
    ChannelList,
    Cursor,
    GivenId,
    GuildDetails,
    GuildEntry,
    GuildId,
    GuildList,
    HitEntry,
    HitList,
    Limit,
    MemberEntry,
    MemberList,
    SettingEntry,
    SettingList,
    UsageEntry,
    UsageList,
    UserId,
)
from bot.adapters.web.parts import Web, WebParts
from bot.adapters.web.problems import RESPONSES, not_found
from bot.adapters.web.seeing import InGuild, known_guild, known_member
from bot.chat.usecases.guild_settings import listed_settings
from bot.chat.usecases.managing import with_setting
from bot.core.domain import MAX_ID, Guild, Language
from bot.core.errors import InvalidInputError
from bot.llm.budget import Spent
from bot.llm.ledger import UsageKey
from bot.memory.guilds.settings import GUILD_SETTINGS
from bot.memory.policy.admission import clean
from bot.memory.rights.access.records import AuditAction
from bot.memory.rights.inspecting.records import ListedGuild

router = APIRouter(prefix="/api/v1", responses=RESPONSES, dependencies=NEEDS_OPERATOR)

_USAGE_DAYS = 30

_USAGE_CURSOR = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\.(0|[1-9][0-9]{0,17}|[1-8][0-9]{18})\.[a-z_]{1,64}\..{1,200}$"
"""Day, server, operation and model of the last row of a page."""


@router.get("/guilds", tags=["guilds"])
async def guilds(web: Web, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT) -> GuildList:
    """List the servers, and the direct messages, each of which is one of its own."""
    found = await web.keepsake.memory.inspecting.guilds(after_id=cursor or 0, limit=limit)
    return GuildList(
        guilds=[_guild(one) for one in found], next_cursor=found[-1].guild_id if len(found) == limit else None
    )


@router.get("/guilds/{guild_id}", tags=["guilds"])
async def guild_details(web: Web, guild_id: GuildId) -> GuildDetails:
    """Tell how much is kept of a server."""
    found = await web.keepsake.memory.inspecting.guild(guild_id)
    if found is None:
        raise not_found(f"guild {guild_id}")
    size = await web.keepsake.memory.inspecting.size_of(guild_id)
    return GuildDetails(**_guild(found).model_dump(), **asdict(size))


@router.get("/guilds/{guild_id}/channels", tags=["guilds"])
async def channels(
    web: Web, seen: InGuild, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> ChannelList:
    """List the channels and threads of a server, deleted ones too, with how much is kept of each."""
    found = await web.keepsake.memory.inspecting.channels(
        guild_id=seen.guild.guild_id, after_id=cursor or 0, limit=limit
    )
    entries = [
        ChannelEntry(
            id=one.channel_id,
            name=one.name if seen.is_shown(channel_id=one.channel_id, audience=one.audience) else None,
            parent_id=one.parent_id,
            closed=seen.is_closed(one.audience),
            deleted_at=one.deleted_at,
            messages=one.messages,
            memories=one.episodes,
        )
        for one in found
    ]
    return ChannelList(channels=entries, next_cursor=found[-1].channel_id if len(found) == limit else None)


@router.get("/guilds/{guild_id}/members", tags=["members"])
async def members(
    web: Web,
    guild_id: GuildId,
    search: Annotated[str, Query(max_length=100, description="A part of a name, in any case")] = "",
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> MemberList:
    """List the members of a server who are known, or those with a name."""
    await known_guild(web, guild_id)
    found = await web.keepsake.memory.inspecting.members(
        guild_id=guild_id, name=clean(search), after_id=cursor or 0, limit=limit
    )
    return MemberList(
        members=[MemberEntry.of(one) for one in found],
        next_cursor=found[-1].user_id if len(found) == limit else None,
    )


@router.get("/guilds/{guild_id}/members/{user_id}", tags=["members"])
async def member(web: Web, guild_id: GuildId, user_id: UserId) -> MemberEntry:
    """Tell who a member is."""
    return MemberEntry.of(await known_member(web, guild_id, user_id))


@router.get("/guilds/{guild_id}/search", tags=["search"])
async def search(
    web: Web,
    seen: InGuild,
    q: Annotated[str, Query(min_length=1, max_length=500, description="Words, or a question")],
    limit: Annotated[int, Query(ge=1, le=50)] = 20,
) -> HitList:
    """Find messages, facts and memories of a server by words, as far as they are open or were revealed."""
    hits = await web.keepsake.memory.recall(
        guild_id=seen.guild.guild_id, query=clean(q), audiences=seen.scope.audiences, limit=limit
    )
    told = await web.keepsake.memory.inspecting.told(seen.scope, hits)
    return HitList(hits=[HitEntry.of(one) for one in told])


@router.get("/usage", tags=["usage"])
async def usage(
    web: Web,
    since: Annotated[date | None, Query(description="The first day; 30 days ago if none is given")] = None,
    guild_id: Annotated[GivenId | None, Query(alias="guildId")] = None,
    cursor: Annotated[
        str | None, Query(pattern=_USAGE_CURSOR, description="`nextCursor` of the page before")
    ] = None,
    limit: Limit = DEFAULT_LIMIT,
) -> UsageList:
    """Tell what models were used for, by day, server, operation and model."""
    first = since or web.keepsake.clock.now().date() - timedelta(days=_USAGE_DAYS)
    used = await web.keepsake.memory.inspecting.usage(
        first, guild_id=guild_id, after=_usage_key(cursor) if cursor is not None else None, limit=limit
    )
    return UsageList(
        usage=[UsageEntry.of(one) for one in used],
        next_cursor=_usage_cursor(used[-1]) if len(used) == limit else None,
    )


def _usage_cursor(last: Spent) -> str:
    return f"{last.day}.{last.guild_id}.{last.operation}.{last.model}"


def _usage_key(cursor: str) -> UsageKey:
    day, guild_id, operation, model = cursor.split(".", 3)
    try:
        return UsageKey(
            day=date.fromisoformat(day), guild_id=int(guild_id), operation=operation, model=clean(model)
        )
    except ValueError:
        raise InvalidInputError("the cursor is not one that a page ended with") from None


@router.get("/guilds/{guild_id}/settings", tags=["settings"])
async def settings(web: Web, guild_id: GuildId) -> SettingList:
    """Tell how the settings of a server stand."""
    return await _settings(web, await known_guild(web, guild_id))


@router.patch("/guilds/{guild_id}/settings", tags=["settings"])
async def change_settings(
    web: Web,
    asking: Asking,
    guild_id: GuildId,
    changes: Annotated[
        dict[str, str], Body(description='Values by the names of settings; "" is the default', max_length=50)
    ],
) -> SettingList:
    """Change settings of a server, all or, if one of the values cannot be, none."""
    guild = await known_guild(web, guild_id)
    becomes = guild
    for name, value in changes.items():
        known = (
            await with_setting(web.keepsake.use_cases, becomes, name, value)
            if name in GUILD_SETTINGS
            else None
        )
        if known is None:
            raise InvalidInputError(await _not_allowed(web, name))
        becomes = known
    await web.access.note(asking, AuditAction.CHANGE_SETTINGS, guild_id=guild_id)
    return await _settings(web, await web.keepsake.directory.change_guild(guild, becomes))


async def _not_allowed(web: WebParts, name: str) -> str:
    if name not in GUILD_SETTINGS:
        return f"there is no such setting: the settings are {', '.join(GUILD_SETTINGS)}"
    searches = await web.keepsake.directory.text_searches()
    allowed = {
        one.name: one.allowed for one in listed_settings(Guild(guild_id=MAX_ID, name=""), _LANGUAGE, searches)
    }
    return f"the setting {name} cannot be that: it may be {allowed[name]}"


_LANGUAGE = Language.ENGLISH


async def _settings(web: WebParts, guild: Guild) -> SettingList:
    searches = await web.keepsake.directory.text_searches()
    return SettingList(settings=[SettingEntry.of(one) for one in listed_settings(guild, _LANGUAGE, searches)])


def _guild(one: ListedGuild) -> GuildEntry:
    return GuildEntry(
        id=one.guild_id,
        name=None if one.direct else one.name,
        direct=one.direct,
        time_zone=one.time_zone,
        joined_at=one.joined_at,
        left_at=one.left_at,
    )
