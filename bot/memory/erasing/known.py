"""Erasing a member from facts: those that they told, those about them, and their id in those about others."""

from collections.abc import Sequence

from bot.memory import lifecycle, retelling
from bot.memory.erasing.asked import Erased, Scope
from bot.memory.erasing.batches import BATCH_ROWS, Batches
from bot.memory.erasing.taking import withhold
from bot.memory.lifecycle import lines
from bot.store import answers, erasing_facts, erasing_texts, facts, narratives, sources
from bot.store.database import Connection
from bot.store.erasing_facts import Said


async def told(batches: Batches, scope: Scope) -> Erased:
    """Take the facts that the member told, and those that others told about them where the member can read."""

    async def batch(connection: Connection) -> Erased | None:
        said = await erasing_facts.said(
            connection,
            guild_id=scope.guild_id,
            user_id=scope.user_id,
            up_to=scope.up_to,
            audiences=scope.audiences,
            limit=BATCH_ROWS,
        )
        return await _unsaid(connection, scope, said) if said else None

    async def leftovers(connection: Connection) -> Erased | None:
        gone = await erasing_facts.unsupported(
            connection,
            guild_id=scope.guild_id,
            user_id=scope.user_id,
            up_to=scope.up_to,
            audiences=scope.audiences,
            limit=BATCH_ROWS,
        )
        if not gone:
            await erasing_facts.without_author(
                connection, guild_id=scope.guild_id, user_id=scope.user_id, up_to=scope.up_to
            )
            return None
        await _retell(connection, scope, gone)
        await facts.remove(connection, guild_id=scope.guild_id, fact_ids=gone)
        return Erased()

    return await batches.until_none(batch) + await batches.until_none(leftovers)


async def _unsaid(connection: Connection, scope: Scope, said: Sequence[Said]) -> Erased:
    """Take away that facts were said; what was said by nobody else goes, and so do the commands of others."""
    guild_id = scope.guild_id
    fact_ids = sorted({one.fact_id for one in said})
    held = await lines.hold_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    await sources.drop(connection, guild_id=guild_id, source_ids=[one.source_id for one in said])
    gone = await facts.without_sources(connection, guild_id=guild_id, fact_ids=fact_ids)
    await _retell(connection, scope, fact_ids)
    await facts.remove(connection, guild_id=guild_id, fact_ids=gone)
    await lines.settled(connection, guild_id=guild_id, lines=held, now=scope.now)
    saying = sorted(
        {message_id for one in said for message_id in (one.message_id, one.command_id) if message_id}
    )
    # What else was learned from a command that is to go must not outlive it.
    await lifecycle.withdraw(connection, guild_id=guild_id, message_ids=saying, now=scope.now)
    sent = await answers.wipe(connection, guild_id=guild_id, fact_ids=gone, message_ids=saying)
    commands = await withhold(connection, scope, saying)
    told_again = await withhold(connection, scope, sent)
    return told_again + Erased(facts=len(gone), mentions=commands.answers, episodes=commands.episodes)


async def _retell(connection: Connection, scope: Scope, fact_ids: Sequence[int]) -> None:
    """Remove the narratives that tell these facts, and ask for them to be told anew from what is left."""
    known = await facts.with_ids(connection, guild_id=scope.guild_id, fact_ids=fact_ids)
    for subject_id, audience in sorted({(fact.subject_id, fact.audience) for fact in known}):
        await narratives.drop(connection, guild_id=scope.guild_id, subject_id=subject_id, audience=audience)
        await retelling.ask(connection, guild_id=scope.guild_id, subject_id=subject_id, audience=audience)


async def texts(batches: Batches, scope: Scope) -> Erased:
    """Take the days, weeks, contexts and narratives about the member."""

    async def drop(connection: Connection) -> Erased:
        return Erased(
            texts=await erasing_texts.drop_about(connection, guild_id=scope.guild_id, user_id=scope.user_id)
        )

    return await batches.run(drop)


async def keyed(batches: Batches, scope: Scope) -> Erased:
    """Take the facts about others whose very key is the member."""

    async def batch(connection: Connection) -> Erased | None:
        gone = await erasing_facts.keyed_by(
            connection, guild_id=scope.guild_id, user_id=scope.user_id, up_to=scope.up_to, limit=BATCH_ROWS
        )
        if not gone:
            return None
        held = await lines.hold_facts(connection, guild_id=scope.guild_id, fact_ids=gone)
        await _retell(connection, scope, gone)
        await facts.remove(connection, guild_id=scope.guild_id, fact_ids=gone)
        await lines.settled(connection, guild_id=scope.guild_id, lines=held, now=scope.now)
        sent = await answers.wipe(connection, guild_id=scope.guild_id, fact_ids=gone, message_ids=())
        return Erased(facts=len(gone)) + await withhold(connection, scope, sent)

    return await batches.until_none(batch)


async def naming(batches: Batches, scope: Scope) -> Erased:
    """Let the member be nobody in facts about others."""

    async def batch(connection: Connection) -> Erased | None:
        changed = await erasing_facts.unname(
            connection, guild_id=scope.guild_id, user_id=scope.user_id, up_to=scope.up_to, limit=BATCH_ROWS
        )
        for subject_id, audience in changed:
            await retelling.ask(connection, guild_id=scope.guild_id, subject_id=subject_id, audience=audience)
        return Erased() if changed else None

    return await batches.until_none(batch)
