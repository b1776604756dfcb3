"""Routes: revealing closed texts, which is logged, and the audit of operators."""

from fastapi import APIRouter

from bot.adapters.web.entering import NEEDS_OPERATOR, Asking
from bot.adapters.web.models import DEFAULT_LIMIT, AuditItem, AuditList, Cursor, Limit, NewReveal
from bot.adapters.web.parts import Web
from bot.adapters.web.problems import RESPONSES
from bot.adapters.web.seeing import known_channel, known_guild, known_member
from bot.core.errors import InvalidInputError
from bot.memory.policy.admission import clean
from bot.text.secrets.masking import masked

router = APIRouter(prefix="/api/v1", responses=RESPONSES, dependencies=NEEDS_OPERATOR, tags=["audit"])


@router.post("/reveals", status_code=201)
async def reveal(web: Web, asking: Asking, wanted: NewReveal) -> AuditItem:
    """Have the texts of a closed channel, or all that is about a member, shown for 15 minutes.

    They are shown to the token or session that asks alone. It is noted with the reason.
    """
    if (wanted.channel_id is None) == (wanted.user_id is None):
        raise InvalidInputError("it must be either channelId or userId that is given")
    await known_guild(web, wanted.guild_id)
    if wanted.channel_id is not None:
        await known_channel(web, wanted.guild_id, wanted.channel_id)
    if wanted.user_id is not None:
        await known_member(web, wanted.guild_id, wanted.user_id)
    entry = await web.access.reveal(
        asking,
        guild_id=wanted.guild_id,
        channel_id=wanted.channel_id or 0,
        user_id=wanted.user_id or 0,
        reason=masked(clean(wanted.reason)),
    )
    return AuditItem.of(entry)


@router.get("/audit")
async def audit(web: Web, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT) -> AuditList:
    """List what operators did, the newest first."""
    found = await web.access.audit(before_id=cursor, limit=limit)
    return AuditList(
        entries=[AuditItem.of(one) for one in found],
        next_cursor=found[-1].audit_id if len(found) == limit else None,
    )
