"""Removes a member from facts about others: mentions of them become mentions of nobody, and the rest of each fact
stays.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.db.pool import Connection
from bot.memory.facts import about_binding, repository_slots
from bot.memory.facts import repository as facts_repository
from bot.memory.facts.slots import settle_slots
from bot.memory.guilds import repository as guilds_repository
from bot.memory.policy import decisions, redaction
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.decisions import DecisionKind
from bot.memory.policy.tombstones import Hasher
from bot.memory.rights.forgetting import tombstones, withholding


async def take_out(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    user_id: int,
    now: datetime,
) -> int:
    """Remove a member from facts that only name them, by replacing mentions with nobody; returns the number of facts.

    The words with the member in them are not learned again, and are removed from generated texts. Messages keep their
    text, since they are their authors'.
    """
    held = await repository_slots.hold_slots_of_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    known = await about_binding.facts_naming(
        connection, guild_id=guild_id, fact_ids=fact_ids, user_id=user_id
    )
    if not known:
        return 0
    ids = [fact.fact_id for fact in known]
    await decisions.note(connection, DecisionKind.UNNAMED, guild_id=guild_id, user_id=user_id, ids=ids)
    buried = await facts_repository.lock_for_forgetting(connection, guild_id=guild_id, fact_ids=ids)
    words = await redaction.stemmed(connection, guild_id=guild_id, texts=tombstones.texts_of(buried))
    stones = tombstones.tombstones_of_facts(hasher, words, guild_id=guild_id, buried=buried)
    await policy_repository.add_tombstones(connection, guild_id=guild_id, tombstones=stones, at=now)
    for fact in known:
        left = fact.without_member(user_id)
        if left.line(guild_id) not in held:
            lines = {*held, left.line(guild_id)}
            held = await repository_slots.hold_slots(connection, guild_id=guild_id, lines=lines)
        await about_binding.place_anew(connection, guild_id=guild_id, fact=left, held=held, now=now)
    await settle_slots(connection, guild_id=guild_id, lines=held, now=now)
    said = [replace(one, named=True) for one in tombstones.forbidden_words(words, buried)]
    await redaction.redact(connection, guild_id=guild_id, said=said)
    await withholding.take_answers(connection, guild_id=guild_id, fact_ids=ids, now=now)
    await guilds_repository.bump_epoch(connection, guild_id=guild_id)
    return len(known)
