"""What a member's file keeps back of texts about them: what these tell of others of whom they are to know nothing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from bot.domain import Episode
from bot.language.local_mentions import mentioned_in
from bot.memory.telling_others import without_naming
from bot.store import standing
from bot.store.database import Connection
from bot.store.exporting import Day, Scope
from bot.store.profiles import Profile

ToldT = TypeVar("ToldT", Day, Episode, Profile)


async def discreet(connection: Connection, scope: Scope, rows: Sequence[ToldT]) -> list[ToldT]:
    """Return `rows` without the sentences that name others who are private, or of whom nothing is kept.

    Of which nothing is left is left out.
    """
    named = sorted({user_id for row in rows for user_id in mentioned_in(row.content)} - {scope.user_id})
    absent = await standing.absent(connection, guild_id=scope.guild_id, user_ids=named)
    private = await standing.private(connection, guild_id=scope.guild_id, user_ids=named)
    told = (replace(row, content=without_naming(row.content, absent | private)) for row in rows)
    return [row for row in told if row.content]
