"""Erasing a member from facts and texts: those about them, those that they told, and their id in those
about others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.db.pool import Connection, Row
from bot.db.rows import rows_as
from bot.memory.facts import lifecycle, repository_narratives, repository_slots, slots
from bot.memory.facts import repository as facts_repository
from bot.memory.outbox import repository as outbox_repository
from bot.memory.rights.erasing.batches import BATCH_ROWS, Batches, Erased, ErasingScope
from bot.memory.rights.erasing.messages import withhold_messages

_CONFIGURATION = "coalesce((SELECT text_search FROM guilds WHERE guild_id = $1), 'russian')"

# $1 guild, $2 member, $3 until when, $4 the audiences that they can read, NULL for all. What others keep about them
# in closed rooms waits for a manager; what nobody can read any more, since it was forgotten, does not.
_GOES = """(
    s.author_id = $2
    OR (f.subject_id = $2 AND (f.status = 'forgotten' OR $4::bigint[] IS NULL OR f.audience = ANY($4::bigint[])))
)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingNotes:
    """Notes of others about an erased member, in rooms that the member cannot read."""

    user_id: int
    facts: int
    audiences: Sequence[int]
    """The closed channels."""


async def _sources_to_erase(connection: Connection, scope: ErasingScope) -> Sequence[Row]:
    """Return a batch of times that a member told a fact, or others one about them where they can read.

    Each with `source_id`, `fact_id`, and `saying`: if others had it remembered, the message that said it and the one
    that commanded it, which is in the cause `m:<message>`, also with `:<edit>` behind it.
    """
    return await connection.fetch(
        f"""
        SELECT s.source_id, s.fact_id,
               CASE WHEN s.author_id <> $2 AND s.origin IN ('command', 'tool', 'import') THEN array_remove(ARRAY[
                   s.message_id, CASE WHEN s.cause LIKE 'm:%' THEN split_part(s.cause, ':', 2)::bigint ELSE 0 END
               ], 0) ELSE '{{}}' END AS saying
        FROM fact_sources s JOIN facts f ON f.guild_id = s.guild_id AND f.fact_id = s.fact_id
        WHERE s.guild_id = $1 AND s.said_at <= $3 AND {_GOES}
        ORDER BY s.fact_id, s.source_id LIMIT $5
        """,
        scope.guild_id, scope.user_id, scope.up_to, scope.audiences, BATCH_ROWS,
    )  # fmt: skip


async def _unsupported_facts(connection: Connection, scope: ErasingScope) -> list[int]:
    """Return a batch of facts that a member told, or others about them where they can read, and that rest on nothing.

    Those that were forgotten and are about somebody else stay: they keep what they were from coming back.
    """
    rows = await connection.fetch(
        """
        SELECT fact_id FROM facts f
        WHERE guild_id = $1 AND said_at <= $3
          AND ((author_id = $2 AND status <> 'forgotten')
               OR (subject_id = $2 AND (
                   status = 'forgotten' OR $4::bigint[] IS NULL OR audience = ANY($4::bigint[]))))
          AND NOT EXISTS (SELECT FROM fact_sources s WHERE s.guild_id = $1 AND s.fact_id = f.fact_id)
        ORDER BY fact_id LIMIT $5
        """,
        scope.guild_id, scope.user_id, scope.up_to, scope.audiences, BATCH_ROWS,
    )  # fmt: skip
    return [row["fact_id"] for row in rows]


async def _facts_keyed_by(connection: Connection, scope: ErasingScope) -> list[int]:
    """Return a batch of facts about others that are what they are by the member: under another key they are nothing."""
    rows = await connection.fetch(
        """
        SELECT fact_id FROM facts
        WHERE guild_id = $1 AND subject_id <> $2 AND said_at <= $3 AND without_id(key, $2) <> key
        ORDER BY fact_id LIMIT $4
        """,
        scope.guild_id, scope.user_id, scope.up_to, BATCH_ROWS,
    )  # fmt: skip
    return [row["fact_id"] for row in rows]


async def _unname_facts(connection: Connection, scope: ErasingScope) -> list[tuple[int, int]]:
    """Let a member be nobody in a batch of facts about others; return subject and audience of those changed."""
    await connection.execute(
        """
        UPDATE fact_sources s
        SET content = without_id(s.content, $2), raw_content = without_id(s.raw_content, $2)
        FROM facts f
        WHERE s.guild_id = $1 AND f.guild_id = $1 AND f.fact_id = s.fact_id AND f.subject_id <> $2
          AND s.said_at <= $3 AND without_id(s.content || s.raw_content, $2) <> s.content || s.raw_content
        """,
        scope.guild_id, scope.user_id, scope.up_to,
    )  # fmt: skip
    rows = await connection.fetch(
        f"""
        WITH naming AS (
            SELECT fact_id FROM facts
            WHERE guild_id = $1 AND subject_id <> $2 AND said_at <= $3
              AND without_id(concat_ws(' ', content, raw_content, value, details::text), $2)
                  <> concat_ws(' ', content, raw_content, value, details::text)
            ORDER BY fact_id LIMIT $4 FOR UPDATE
        )
        UPDATE facts f SET
            content = without_id(content, $2), raw_content = without_id(raw_content, $2),
            value = without_id(value, $2), details = without_id(details::text, $2)::jsonb,
            lexemes = lexemes_of({_CONFIGURATION}, without_id(content, $2))
        FROM naming WHERE f.guild_id = $1 AND f.fact_id = naming.fact_id
        RETURNING f.subject_id, f.audience
        """,
        scope.guild_id, scope.user_id, scope.up_to, BATCH_ROWS,
    )  # fmt: skip
    return sorted({(row["subject_id"], row["audience"]) for row in rows})


async def count_facts(connection: Connection, scope: ErasingScope) -> int:
    """Return how many facts a member told alone, or others about them where they can read, forgotten ones left out."""
    count: int = await connection.fetchval(
        f"""
        SELECT count(*) FROM facts f
        WHERE guild_id = $1 AND status <> 'forgotten' AND (subject_id = $2 OR author_id = $2)
          AND NOT EXISTS (
              SELECT FROM fact_sources s
              WHERE s.guild_id = $1 AND s.fact_id = f.fact_id AND NOT (s.said_at <= $3 AND {_GOES})
          )
          AND (author_id = $2 OR $4::bigint[] IS NULL OR audience = ANY($4::bigint[]))
        """,
        scope.guild_id, scope.user_id, scope.up_to, scope.audiences,
    )  # fmt: skip
    return count


async def notes_about(
    connection: Connection,
    *,
    guild_id: int,
    user_ids: Sequence[int],
    up_to: Sequence[datetime],
    audiences: Sequence[int] = (),
) -> list[WaitingNotes]:
    """Return what others keep about each of these members outside of what is open and `audiences`.

    Of each only what was told until the time beside them, in their order; whoever has none is left out.
    """
    rows = await connection.fetch(
        """
        SELECT erased.user_id, count(*) AS facts, array_agg(DISTINCT f.audience ORDER BY f.audience) AS audiences
        FROM unnest($2::bigint[], $3::timestamptz[]) WITH ORDINALITY AS erased (user_id, up_to, place)
        JOIN facts f ON f.guild_id = $1 AND f.subject_id = erased.user_id
        WHERE f.audience <> 0 AND f.audience <> ALL($4::bigint[]) AND f.status <> 'forgotten' AND EXISTS (
            SELECT FROM fact_sources s
            WHERE s.guild_id = $1 AND s.fact_id = f.fact_id AND s.author_id <> f.subject_id
              AND s.said_at <= erased.up_to
        )
        GROUP BY erased.user_id, erased.place ORDER BY erased.place
        """,
        guild_id, list(user_ids), list(up_to), list(audiences),
    )  # fmt: skip
    return rows_as(WaitingNotes, rows)


async def notes_left(connection: Connection, scope: ErasingScope) -> WaitingNotes:
    """Return what an erasing leaves of what others keep about the member: none of it if all is to go."""
    found = (
        await notes_about(
            connection,
            guild_id=scope.guild_id,
            user_ids=[scope.user_id],
            up_to=[scope.up_to],
            audiences=scope.audiences,
        )
        if scope.audiences is not None
        else []
    )
    return found[0] if found else WaitingNotes(user_id=scope.user_id, facts=0, audiences=())


async def erase_told(batches: Batches, scope: ErasingScope) -> Erased:
    """Take the facts that the member told, and those that others told about them where the member can read."""

    async def batch(connection: Connection) -> Erased | None:
        said = await _sources_to_erase(connection, scope)
        return await _unsaid(connection, scope, said) if said else None

    async def leftovers(connection: Connection) -> Erased | None:
        if gone := await _unsupported_facts(connection, scope):
            await _retell(connection, scope, gone)
            await facts_repository.remove_facts(connection, guild_id=scope.guild_id, fact_ids=gone)
            return Erased()
        # Nobody has told what is forgotten about others, and what told it loses its words.
        await connection.execute(
            """
            UPDATE facts SET author_id = 0, raw_content = ''
            WHERE guild_id = $1 AND author_id = $2 AND said_at <= $3
            """,
            scope.guild_id, scope.user_id, scope.up_to,
        )  # fmt: skip
        return None

    return await batches.until_none(batch) + await batches.until_none(leftovers)


async def _unsaid(connection: Connection, scope: ErasingScope, said: Sequence[Row]) -> Erased:
    """Take away that facts were said; what was said by nobody else goes, and so do the commands of others."""
    guild_id = scope.guild_id
    fact_ids = sorted({row["fact_id"] for row in said})
    held = await slots.hold_slots_of_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    await repository_slots.drop_sources(
        connection, guild_id=guild_id, source_ids=[row["source_id"] for row in said]
    )
    gone = await facts_repository.facts_without_sources(connection, guild_id=guild_id, fact_ids=fact_ids)
    await _retell(connection, scope, fact_ids)
    await facts_repository.remove_facts(connection, guild_id=guild_id, fact_ids=gone)
    await slots.settle_slots(connection, guild_id=guild_id, lines=held, now=scope.now)
    saying = sorted({message_id for row in said for message_id in row["saying"]})
    # What else was learned from a command that is to go must not outlive it.
    await lifecycle.withdraw_facts(connection, guild_id=guild_id, message_ids=saying, now=scope.now)
    wiped = await outbox_repository.wipe_answers(
        connection, guild_id=guild_id, fact_ids=gone, message_ids=saying
    )
    sent = wiped.sent_ids
    commands = await withhold_messages(connection, scope, saying)
    told_again = await withhold_messages(connection, scope, sent)
    return told_again + Erased(facts=len(gone), mentions=commands.answers, episodes=commands.episodes)


async def _retell(connection: Connection, scope: ErasingScope, fact_ids: Sequence[int]) -> None:
    """Remove the narratives that tell these facts, and ask for them to be told anew from what is left."""
    known = await facts_repository.facts_with_ids(connection, guild_id=scope.guild_id, fact_ids=fact_ids)
    for subject_id, audience in sorted({(fact.subject_id, fact.audience) for fact in known}):
        await repository_narratives.drop_narrative(
            connection, guild_id=scope.guild_id, subject_id=subject_id, audience=audience
        )
        await repository_narratives.ask_for_narrative(
            connection, guild_id=scope.guild_id, subject_id=subject_id, audience=audience
        )


async def erase_keyed(batches: Batches, scope: ErasingScope) -> Erased:
    """Take the facts about others whose very key is the member."""

    async def batch(connection: Connection) -> Erased | None:
        gone = await _facts_keyed_by(connection, scope)
        if not gone:
            return None
        held = await slots.hold_slots_of_facts(connection, guild_id=scope.guild_id, fact_ids=gone)
        await _retell(connection, scope, gone)
        await facts_repository.remove_facts(connection, guild_id=scope.guild_id, fact_ids=gone)
        await slots.settle_slots(connection, guild_id=scope.guild_id, lines=held, now=scope.now)
        wiped = await outbox_repository.wipe_answers(
            connection, guild_id=scope.guild_id, fact_ids=gone, message_ids=()
        )
        sent = wiped.sent_ids
        return Erased(facts=len(gone)) + await withhold_messages(connection, scope, sent)

    return await batches.until_none(batch)


async def erase_naming(batches: Batches, scope: ErasingScope) -> Erased:
    """Let the member be nobody in facts about others."""

    async def batch(connection: Connection) -> Erased | None:
        changed = await _unname_facts(connection, scope)
        for subject_id, audience in changed:
            await repository_narratives.ask_for_narrative(
                connection, guild_id=scope.guild_id, subject_id=subject_id, audience=audience
            )
        return Erased() if changed else None

    return await batches.until_none(batch)
