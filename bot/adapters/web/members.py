"""Routes: what was told and learned of a member, and the file of a member."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import StreamingResponse

from bot.adapters.web.entering import NEEDS_OPERATOR, Asking
from bot.adapters.web.files import JSON_FILE, json_file
from bot.adapters.web.models import DEFAULT_LIMIT, DayEntry, DayList, Limit, ProfileEntry, ProfileList
from bot.adapters.web.parts import Web
from bot.adapters.web.problems import RESPONSES
from bot.adapters.web.seeing import AboutMember
from bot.core.domain import OPEN
from bot.memory.rights.access.records import AuditAction
from bot.memory.rights.exporting.document import ExportedDay, ExportedProfile

router = APIRouter(
    prefix="/api/v1/guilds/{guild_id}/members/{user_id}",
    responses=RESPONSES,
    dependencies=NEEDS_OPERATOR,
    tags=["members"],
)

_DAY_CURSOR = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\.[0-9]{1,18}\.(day|mood)$"


@router.get("/profile")
async def profile(web: Web, about: AboutMember) -> ProfileList:
    """List the versions of what was learned of a member, the newest first."""
    page = await web.keepsake.memory.exporting.page(
        "profile",
        guild_id=about.scope.guild_id,
        user_id=about.member.user_id,
        audiences=about.scope.audiences,
        after=None,
        limit=DEFAULT_LIMIT,
    )
    found = page.parts if page is not None else ()
    return ProfileList(versions=[ProfileEntry.of(one) for one in found if isinstance(one, ExportedProfile)])


@router.get("/days")
async def days(
    web: Web,
    about: AboutMember,
    cursor: Annotated[
        str | None, Query(pattern=_DAY_CURSOR, description="`nextCursor` of the page before")
    ] = None,
    limit: Limit = DEFAULT_LIMIT,
) -> DayList:
    """List what is told of a member's days, the oldest first."""
    page = await web.keepsake.memory.exporting.page(
        "days",
        guild_id=about.scope.guild_id,
        user_id=about.member.user_id,
        audiences=about.scope.audiences,
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
async def export_member(web: Web, asking: Asking, about: AboutMember) -> StreamingResponse:
    """Write what is kept about a member into a file, as far as it is open or was revealed: see docs/export.md."""
    guild_id, user_id = about.scope.guild_id, about.member.user_id
    await web.access.note(asking, AuditAction.EXPORT_MEMBER, guild_id=guild_id, user_id=user_id)
    pieces = web.keepsake.memory.exporting.pieces(
        guild_id=guild_id, user_id=user_id, audiences=about.scope.audiences
    )
    return json_file(pieces, f"member-{user_id}.json")
