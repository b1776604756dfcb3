"""What of the stored texts of days may be told: whatever was opted out of since they were stored is left out."""

from collections.abc import Sequence
from dataclasses import replace

from bot.memory.days.freshness import DAY_SUBJECT
from bot.memory.sayable import of_present
from bot.store.database import Connection
from bot.store.distillations import Distillation


async def tellable(connection: Connection, stored: Sequence[Distillation]) -> list[Distillation]:
    """Return `stored`, all of one guild, without texts about members of whom nothing is kept.

    Other texts lose the sentences that name one. The rows that stand for the days themselves stay.
    """
    texts = [one for one in stored if one.content]
    if not texts:
        return list(stored)
    left = await of_present(
        connection,
        guild_id=texts[0].guild_id,
        texts=[one.content or "" for one in texts],
        whose=[one.subject_id for one in texts],
    )
    markers = [one for one in stored if one.subject_id == DAY_SUBJECT]
    return [*markers, *(replace(one, content=text) for one, text in zip(texts, left, strict=True) if text)]
