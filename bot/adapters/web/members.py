"""Routes: what is known of a member: facts with their life, profile, days, and the file of a member."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import StreamingResponse

from bot.adapters.web.entering import NEEDS_OPERATOR, Asking
from bot.adapters.web.files import JSON_FILE, json_file
from bot.adapters.web.guilds import known_guild, known_member
from bot.adapters.web.models import (
    DEFAULT_LIMIT,
    Cursor,
    DayEntry,
    DayList,
    Deleted,
    FactEntry,
    FactList,
    FactSource,
    GivenId,
    GuildId,
    Limit,
    ProfileEntry,
    ProfileList,
    UserId,
)
from bot.adapters.web.parts import Web, WebParts
from bot.adapters.web.problems import RESPONSES, not_found
from bot.core.domain import OPEN, FactStatus
from bot.memory.policy.permissions import OperatorScope, scope_of
from bot.memory.rights.access.access import Operator
from bot.memory.rights.access.records import AuditAction
from bot.memory.rights.exporting.document import ExportedDay, ExportedProfile, ExportedSource
from bot.memory.rights.inspecting.records import KeptFact

router = APIRouter(
    prefix="/api/v1/guilds/{guild_id}/members/{user_id}",
    responses=RESPONSES,
    dependencies=NEEDS_OPERATOR,
    tags=["members"],
)

_DAY_CURSOR = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\.[0-9]{1,18}\.(day|mood)$"


async def _scope(web: WebParts, asking: Operator, guild_id: int, user_id: int) -> OperatorScope:
    """Return what an operator may read about a member, or raise 404."""
    guild = await known_guild(web, guild_id)
    member = await known_member(web, guild_id, user_id)
    revealed = await web.access.revealed(asking, guild_id=guild_id)
    return await web.keepsake.memory.inspecting.scope_about(guild, member, revealed=revealed)


@router.get("/facts")
async def facts(
    web: Web,
    asking: Asking,
    guild_id: GuildId,
    user_id: UserId,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> FactList:
    """List the facts about a member, also what held once, each with where it comes from."""
    scope = await _scope(web, asking, guild_id, user_id)
    page = await web.keepsake.memory.inspecting.facts(
        scope, user_id=user_id, after_id=cursor or 0, limit=limit
    )
    return FactList(
        facts=[_fact(one, page.sources.get(one.fact.fact_id, ())) for one in page.facts],
        next_cursor=page.facts[-1].fact.fact_id if len(page.facts) == limit else None,
        hidden=page.hidden,
    )


@router.delete("/facts/{fact_id}")
async def delete_fact(
    web: Web, asking: Asking, guild_id: GuildId, user_id: UserId, fact_id: GivenId
) -> Deleted:
    """Forget a fact, closed or not, with all that says it: as a moderator's "forget" does, it never comes back."""
    known = await web.keepsake.memory.facts_with_ids(guild_id=guild_id, fact_ids=[fact_id])
    standing = [one for one in known if one.subject_id == user_id and one.status is not FactStatus.FORGOTTEN]
    if not standing:
        raise not_found(f"fact {fact_id} about member {user_id}")
    await web.access.note(
        asking, AuditAction.DELETE_FACT, guild_id=guild_id, user_id=user_id, item_id=fact_id
    )
    where = scope_of(guild_id=guild_id, channel_audience=standing[0].audience)
    forgotten = await web.keepsake.memory.forget(
        guild_id=guild_id, fact_ids=[fact_id], audiences=where.audiences
    )
    if not forgotten.facts:
        raise not_found(f"fact {fact_id} about member {user_id}")
    return Deleted(deleted_count=forgotten.facts)


@router.get("/profile")
async def profile(web: Web, asking: Asking, guild_id: GuildId, user_id: UserId) -> ProfileList:
    """List the versions of what was learned of a member, the newest first."""
    scope = await _scope(web, asking, guild_id, user_id)
    page = await web.keepsake.memory.exporting.page(
        "profile",
        guild_id=guild_id,
        user_id=user_id,
        audiences=scope.audiences,
        after=None,
        limit=DEFAULT_LIMIT,
    )
    found = page.parts if page is not None else ()
    return ProfileList(versions=[ProfileEntry.of(one) for one in found if isinstance(one, ExportedProfile)])


@router.get("/days")
async def days(
    web: Web,
    asking: Asking,
    guild_id: GuildId,
    user_id: UserId,
    cursor: Annotated[
        str | None, Query(pattern=_DAY_CURSOR, description="`nextCursor` of the page before")
    ] = None,
    limit: Limit = DEFAULT_LIMIT,
) -> DayList:
    """List what is told of a member's days, the oldest first."""
    scope = await _scope(web, asking, guild_id, user_id)
    page = await web.keepsake.memory.exporting.page(
        "days",
        guild_id=guild_id,
        user_id=user_id,
        audiences=scope.audiences,
        after=_day_behind(cursor) if cursor is not None else None,
        limit=limit,
    )
    if page is None:
        return DayList(days=[], next_cursor=None)
    return DayList(
        days=[
            DayEntry(
                day=one.day,
                kind=one.kind,
                closed=one.audience != OPEN,
                content=one.content,
                told_at=one.told_at,
            )
            for one in page.parts
            if isinstance(one, ExportedDay)
        ],
        next_cursor=".".join(map(str, page.last)),
    )


def _day_behind(cursor: str) -> tuple[object, ...]:
    day, audience, kind = cursor.split(".")
    return day, int(audience), kind


@router.get("/export", response_class=StreamingResponse, responses=JSON_FILE, tags=["export"])
async def export_member(web: Web, asking: Asking, guild_id: GuildId, user_id: UserId) -> StreamingResponse:
    """Write what is kept about a member into a file, as far as it is open or was revealed: see docs/export.md."""
    scope = await _scope(web, asking, guild_id, user_id)
    await web.access.note(asking, AuditAction.EXPORT_MEMBER, guild_id=guild_id, user_id=user_id)
    pieces = web.keepsake.memory.exporting.pieces(
        guild_id=guild_id, user_id=user_id, audiences=scope.audiences
    )
    return json_file(pieces, f"member-{user_id}.json")


def _fact(one: KeptFact, sources: Sequence[ExportedSource]) -> FactEntry:
    fact = one.fact
    return FactEntry(
        id=fact.fact_id,
        kind=fact.category,
        content=fact.content,
        status=fact.status,
        confidence=fact.confidence,
        importance=fact.importance,
        origin=fact.origin,
        tentative=fact.tentative,
        closed=fact.audience != OPEN,
        said_at=fact.said_at,
        updated_at=one.updated_at,
        holds_on=fact.holds_on,
        expires_at=fact.expires_at,
        supersedes=fact.supersedes,
        superseded_by=one.superseded_by,
        sources=[FactSource.of(source) for source in sources],
    )
