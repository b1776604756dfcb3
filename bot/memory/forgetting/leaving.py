"""What stays of a fact that said more than is forgotten: a fact of its own, as old and as certain as it was."""

from collections.abc import Sequence
from datetime import datetime

from bot.domain import Fact
from bot.memory import facts as fact_rules
from bot.memory.hashing import Hasher
from bot.store.database import Connection
from bot.store.facts import NewFact


def left_of(fact: Fact, content: str) -> NewFact:
    """Return what is left of `fact`.

    No message says it any more: the one that did has lost its text.
    """
    key, value = fact_rules.key_and_value(content)
    return NewFact(
        guild_id=fact.guild_id,
        subject_id=fact.subject_id,
        audience=fact.audience,
        category=fact.category,
        key=key,
        value=value,
        content=content,
        raw_content=content,
        importance=fact.importance,
        confidence=fact.confidence,
        origin=fact.origin,
        author_id=fact.author_id,
        source_channel_id=fact.source_channel_id,
        source_message_id=0,
        cause=fact.cause,
        said_at=fact.said_at,
        holds_on=fact.holds_on,
        expires_at=fact.expires_at,
    )


async def put(connection: Connection, hasher: Hasher, left: Sequence[NewFact], *, now: datetime) -> None:
    """Store what is left of facts that were forgotten in part."""
    for fact in left:
        await fact_rules.store(
            connection,
            fact,
            buried_key=hasher.buried_key(guild_id=fact.guild_id, subject_id=fact.subject_id, key=fact.key),
            now=now,
        )
