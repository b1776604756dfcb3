"""Routes: facts about a member, about a server itself, and those that wait, with their life; and forgetting one."""

from collections.abc import Sequence

from fastapi import APIRouter

from bot.adapters.web.entering import NEEDS_OPERATOR, Asking
from bot.adapters.web.models import (
    DEFAULT_LIMIT,
    Cursor,
    Deleted,
    FactEntry,
    FactList,
    FactSource,
    GivenId,
    GuildId,
    Limit,
    UserId,
    WaitingEntry,
    WaitingList,
)
from bot.adapters.web.parts import Web, WebParts
from bot.adapters.web.problems import RESPONSES, not_found
from bot.adapters.web.seeing import AboutMember, InGuild
from bot.core.domain import GUILD_SUBJECT, OPEN, FactStatus
from bot.memory.outbox.removal_log import OPERATOR, Remover
from bot.memory.policy.permissions import OperatorScope, scope_of
from bot.memory.rights.access.access import Operator
from bot.memory.rights.access.records import AuditAction
from bot.memory.rights.exporting.document import ExportedSource
from bot.memory.rights.inspecting.records import KeptFact

router = APIRouter(
    prefix="/api/v1/guilds/{guild_id}", responses=RESPONSES, dependencies=NEEDS_OPERATOR, tags=["facts"]
)


@router.get("/facts")
async def guild_facts(
    web: Web, seen: InGuild, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> FactList:
    """List the facts about the server itself, also what held once, each with where it comes from."""
    return await _listed(web, seen.scope, GUILD_SUBJECT, cursor, limit)


@router.get("/members/{user_id}/facts")
async def member_facts(
    web: Web, about: AboutMember, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> FactList:
    """List the facts about a member, also what held once, each with where it comes from."""
    return await _listed(web, about.scope, about.member.user_id, cursor, limit)


@router.get("/waiting")
async def waiting_notes(web: Web, seen: InGuild) -> WaitingList:
    """List about whom notes of others wait for a manager, who decides whether they are erased as well."""
    found = await web.keepsake.memory.erasing.waiting(guild_id=seen.guild.guild_id)
    return WaitingList(waiting=[WaitingEntry.of(one) for one in found])


@router.get("/waiting/{user_id}")
async def waiting_facts(
    web: Web, seen: InGuild, user_id: UserId, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> FactList:
    """List what waits about an erased member, as far as the channels where it belongs were revealed."""
    found = await web.keepsake.memory.erasing.waiting(guild_id=seen.guild.guild_id)
    if user_id not in {one.user_id for one in found}:
        raise not_found(f"anything that waits about member {user_id}")
    return await _listed(web, seen.scope, user_id, cursor, limit)


@router.delete("/facts/{fact_id}")
async def delete_guild_fact(web: Web, asking: Asking, guild_id: GuildId, fact_id: GivenId) -> Deleted:
    """Forget a fact about the server itself, as one about a member is forgotten."""
    return await _forgotten(web, asking, guild_id, GUILD_SUBJECT, fact_id)


@router.delete("/members/{user_id}/facts/{fact_id}")
async def delete_member_fact(
    web: Web, asking: Asking, guild_id: GuildId, user_id: UserId, fact_id: GivenId
) -> Deleted:
    """Forget a fact, closed or not, with all that says it: as a moderator's "forget" does, it never comes back.

    It is noted in the log channel of the server, if there is one, as done by whoever runs the bot.
    """
    return await _forgotten(web, asking, guild_id, user_id, fact_id)


async def _listed(
    web: WebParts, scope: OperatorScope, subject_id: int, cursor: int | None, limit: int
) -> FactList:
    page = await web.keepsake.memory.inspecting.facts(
        scope, subject_id=subject_id, after_id=cursor or 0, limit=limit
    )
    return FactList(
        facts=[_fact(one, page.sources.get(one.fact.fact_id, ())) for one in page.facts],
        next_cursor=page.next_id,
        hidden=page.hidden,
    )


async def _forgotten(
    web: WebParts, asking: Operator, guild_id: int, subject_id: int, fact_id: int
) -> Deleted:
    unknown = not_found(f"fact {fact_id} about {f'member {subject_id}' if subject_id else 'the server'}")
    known = await web.keepsake.memory.facts_with_ids(guild_id=guild_id, fact_ids=[fact_id])
    standing = [
        one for one in known if one.subject_id == subject_id and one.status is not FactStatus.FORGOTTEN
    ]
    if not standing:
        raise unknown
    noted = await web.access.note(
        asking, AuditAction.DELETE_FACT, guild_id=guild_id, user_id=subject_id, item_id=fact_id
    )
    where = scope_of(guild_id=guild_id, channel_audience=standing[0].audience)
    forgotten = await web.keepsake.memory.forget(
        guild_id=guild_id,
        fact_ids=[fact_id],
        audiences=where.audiences,
        by=Remover(user_id=OPERATOR, cause=f"a:{noted.audit_id}"),
    )
    if not forgotten.facts:
        raise unknown
    return Deleted(deleted_count=forgotten.facts)


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
