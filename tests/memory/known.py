"""Facts made by hand, for the rules that need no database."""

from datetime import UTC, datetime, timedelta

from bot.core.domain import Fact, FactCategory, FactOrigin, FactStatus

FIRST = datetime(2026, 3, 1, 12, tzinfo=UTC)


def fact(
    fact_id: int,
    content: str,
    *,
    subject_id: int = 7,
    author_id: int = 7,
    importance: int = 80,
    origin: FactOrigin = FactOrigin.COMMAND,
) -> Fact:
    """Return a fact that was said so many hours after the first."""
    return Fact(
        guild_id=1,
        fact_id=fact_id,
        subject_id=subject_id,
        audience=0,
        category=FactCategory.FACT,
        key=f"note:{fact_id}",
        value=content,
        content=content,
        raw_content=content,
        importance=importance,
        confidence=1.0,
        status=FactStatus.ACTIVE,
        origin=origin,
        author_id=author_id,
        source_channel_id=2,
        source_message_id=fact_id,
        cause=f"m:{fact_id}",
        said_at=FIRST + timedelta(hours=fact_id),
    )
