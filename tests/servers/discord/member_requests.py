"""Members asked for over the gateway (opcode 8), answered in chunks of a thousand."""

import json

from tests.servers.discord.guild_base import GuildBase
from tests.servers.discord.render import member_json
from tests.servers.discord.sessions import Session
from tests.servers.discord.state import FakeMember, Json
from tests.servers.discord.world import Intent, World

CHUNK = 1000
"""How many members one answer carries at most."""


def answer(world: World, session: Session, data: Json) -> str | None:
    """Answer a request for members; returns what is wrong with it, else `None`."""
    guild_ids = data.get("guild_id")
    guild = world.guilds.get(int(str(guild_ids[0] if isinstance(guild_ids, list) else guild_ids)))
    if guild is None:
        return f"no such guild: {guild_ids!r}"
    if not guild.has_bot:
        # It crossed the removal of the bot on its way: no answer comes, and nobody did anything wrong.
        return None
    query, user_ids, limit = data.get("query"), data.get("user_ids"), int(str(data.get("limit") or 0))
    if query is None and user_ids is None:
        return "neither query nor user_ids"
    if query is not None and limit > 100:
        return f"limit {limit}: 100 at most with a query"
    if query == "" and limit == 0 and not session.intents & Intent.MEMBERS:
        return "all members without the members intent"
    not_found: list[str] = []
    if user_ids is not None:
        wanted = [str(one) for one in (user_ids if isinstance(user_ids, list) else [user_ids])]
        if len(wanted) > 100:
            return f"{len(wanted)} user_ids: 100 at most"
        found = [guild.members[int(one)] for one in wanted if int(one) in guild.members]
        not_found = [one for one in wanted if int(one) not in guild.members]
    else:
        found = matching(guild, str(query), limit or None)
    chunks = [found[at : at + CHUNK] for at in range(0, len(found), CHUNK)] or [[]]
    for number, chunk in enumerate(chunks):
        body: Json = {
            "guild_id": str(guild.guild_id),
            "members": [member_json(member) for member in chunk],
            "chunk_index": number,
            "chunk_count": len(chunks),
            "not_found": not_found,
        }
        if data.get("nonce") is not None:
            body["nonce"] = data["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", json.dumps(body, ensure_ascii=False))
    return None


def matching(guild: GuildBase, query: str, limit: int | None) -> list[FakeMember]:
    """Return the members one of whose names begins with `query`, whatever the case."""
    prefix = query.casefold()
    found = [
        member
        for member in guild.members.values()
        if any(
            name.casefold().startswith(prefix)
            for name in (member.user.name, member.nickname, member.user.display_name)
            if name is not None
        )
    ]
    return found[:limit]
