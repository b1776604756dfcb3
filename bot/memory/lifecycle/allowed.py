"""Which facts may be stored: none about members of whom nothing is kept, none of a category that is switched off.

Nor what was said before somebody was erased whom it concerns, however late it comes.
"""

from collections.abc import Sequence

from bot.errors import AbsentSubjectError, CategorySwitchedOffError
from bot.language.local_mentions import mentioned_in
from bot.store import erasing, standing
from bot.store.database import Connection
from bot.store.facts import NewFact


async def allowed(connection: Connection, given: Sequence[NewFact], *, guild_id: int) -> list[NewFact]:
    """Return those of `given`, facts of one guild, that all whom they concern let it keep."""
    concerned = {user_id for fact in given for user_id in _concerned(fact)}
    absent = await standing.absent(connection, guild_id=guild_id, user_ids=sorted(concerned))
    erased = [await _erased(connection, fact) for fact in given]
    off = await standing.switched_off(
        connection, guild_id=guild_id, user_ids=sorted({fact.subject_id for fact in given})
    )
    return [
        fact
        for fact, gone in zip(given, erased, strict=True)
        if not gone
        and absent.isdisjoint(_concerned(fact))
        and (fact.subject_id, fact.category.value) not in off
    ]


async def check(connection: Connection, fact: NewFact) -> None:
    """Let `fact` pass if all whom it concerns let the guild keep it.

    Raises `AbsentSubjectError` with whom it is about, who says it or who is named in it, whoever of them is absent
    first; and `CategorySwitchedOffError`.
    """
    concerned = _concerned(fact)
    absent = await standing.absent(connection, guild_id=fact.guild_id, user_ids=concerned)
    erased = await _erased(connection, fact)
    for user_id in concerned:
        if user_id in absent or user_id in erased:
            raise AbsentSubjectError(subject_id=user_id)
    off = await standing.switched_off(connection, guild_id=fact.guild_id, user_ids=[fact.subject_id])
    if (fact.subject_id, fact.category.value) in off:
        raise CategorySwitchedOffError(subject_id=fact.subject_id, category=fact.category.value)


async def _erased(connection: Connection, fact: NewFact) -> frozenset[int]:
    """Return those whom a fact concerns who were erased with all that was said until it was."""
    concerned = _concerned(fact)
    gone = await erasing.were_erased(
        connection,
        guild_id=fact.guild_id,
        user_ids=concerned,
        seen_at=[fact.said_at] * len(concerned),
    )
    return frozenset(user_id for user_id, is_gone in zip(concerned, gone, strict=True) if is_gone)


def _concerned(fact: NewFact) -> list[int]:
    """Return whom a fact is about, who says it, and whom it names."""
    return list(dict.fromkeys([fact.subject_id, fact.author_id, *mentioned_in(fact.content)]))
