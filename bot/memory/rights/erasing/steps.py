"""What follows when a step of an erasing has taken its rows: what rests on them goes in the same transaction. And what
an erasing would take, or leave.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.core.domain import RedactionReason
from bot.db.pool import Connection
from bot.db.rows import row_as, rows_as
from bot.memory.facts import repository as facts_repository
from bot.memory.facts import repository_narratives, repository_slots, slots
from bot.memory.messages import repository_writing
from bot.memory.outbox import repository as outbox_repository
from bot.memory.policy.repository import says
from bot.memory.recall import lexicon
from bot.memory.rights.erasing import repository
from bot.memory.rights.erasing.batches import Erased
from bot.memory.rights.forgetting import withholding
from bot.memory.rights.personal_data import READABLE_FACTS, Then
from bot.memory.rights.rows import ErasingScope, FoundRows
from bot.memory.summaries import episode_jobs
from bot.text import tokens


async def follow(connection: Connection, scope: ErasingScope, then: Then, found: FoundRows) -> Erased:
    """Do what follows the rows that a batch found, and return what went."""
    guild_id = scope.guild_id
    match then:
        case Then.ANSWERS_GO:
            replies = await repository_writing.bots_answers_to(
                connection, guild_id=guild_id, message_ids=found.ids
            )
            return await _withhold(connection, scope, [*found.also, *replies])
        case Then.WORDS_OF_THE_BOT_GO:
            await outbox_repository.empty_answers_sent_as(
                connection, guild_id=guild_id, message_ids=found.ids
            )
            return await _withhold(connection, scope, found.ids)
        case Then.MESSAGES_GO:
            wiped = await outbox_repository.wipe_answers(
                connection, guild_id=guild_id, fact_ids=(), message_ids=found.ids
            )
            gone = await withholding.take_back_told(
                connection, guild_id=guild_id, message_ids=found.ids, now=scope.now
            )
            sent = await _withhold(connection, scope, wiped.sent_ids)
            return Erased(messages=found.counted, episodes=gone.summaries) + sent
        case Then.SOURCES_GO:
            fact_ids = await repository_slots.facts_of(connection, guild_id=guild_id, source_ids=found.ids)
            return await _take_facts(
                connection, scope, fact_ids, source_ids=found.ids, saying=sorted(set(found.also))
            )
        case Then.FACTS_GO:
            taken = await _take_facts(connection, scope, found.ids)
            return replace(taken, facts=found.counted)
        case Then.DAYS_GO:
            await episode_jobs.take_back_texts(connection, guild_id=guild_id, message_ids=())
            return Erased(mentions=found.counted)
        case Then.RETOLD:
            await repository_narratives.tell_anew(connection, guild_id=guild_id, fact_ids=found.ids)
    return Erased()


async def _withhold(connection: Connection, scope: ErasingScope, message_ids: Sequence[int]) -> Erased:
    """Take the text from messages that the member did not write: the bot's, and commands that told of the member."""
    if not message_ids:
        return Erased()
    told = await repository_writing.withhold(
        connection, guild_id=scope.guild_id, message_ids=message_ids, reason=RedactionReason.FORGOTTEN
    )
    gone = await withholding.take_back_told(
        connection, guild_id=scope.guild_id, message_ids=message_ids, now=scope.now
    )
    return Erased(answers=told, episodes=gone.summaries)


async def _take_facts(
    connection: Connection,
    scope: ErasingScope,
    fact_ids: Sequence[int],
    *,
    source_ids: Sequence[int] = (),
    saying: Sequence[int] = (),
) -> Erased:
    """Take facts; with `source_ids` only these times that they were said, and those that were said at no other.

    So go the answers that told them, and what others said in `saying` to have them remembered.
    """
    guild_id = scope.guild_id
    held = await repository_slots.hold_slots_of_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    gone = list(fact_ids)
    if source_ids:
        gone = await repository_slots.drop_sources(connection, guild_id=guild_id, source_ids=source_ids)
    await repository_narratives.tell_anew(connection, guild_id=guild_id, fact_ids=fact_ids)
    await facts_repository.remove_facts(connection, guild_id=guild_id, fact_ids=gone)
    await slots.settle_slots(connection, guild_id=guild_id, lines=held, now=scope.now)
    # What else was learned from a command that is to go must not outlive it.
    await withholding.withdraw(connection, guild_id=guild_id, message_ids=saying, now=scope.now)
    wiped = await outbox_repository.wipe_answers(
        connection, guild_id=guild_id, fact_ids=gone, message_ids=saying
    )
    commands = await _withhold(connection, scope, saying)
    told_again = await _withhold(connection, scope, wiped.sent_ids)
    await withholding.take_elsewhere(connection, wiped.elsewhere, fact_ids=gone, now=scope.now)
    return told_again + Erased(facts=len(gone), mentions=commands.answers, episodes=commands.episodes)


_SHORTEST_NAME: Final = 2
"""Letters of a name that the bot's own words are searched for."""


async def query_naming(connection: Connection, *, guild_id: int, user_id: int) -> str | None:
    """Return the query that finds a member in the bot's words, by id and names; `None` in their direct messages.

    "The" may be somebody's name, so such words alone are not searched for.
    """
    known = await repository.names_of(connection, guild_id=guild_id, user_id=user_id)
    return await repository.query_of_names(
        connection,
        guild_id=guild_id,
        user_id=user_id,
        names=[name for name in known if len(name.strip()) >= _SHORTEST_NAME and tokens.content_stems(name)],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingNotes:
    """Notes of others about an erased member, in rooms that the member cannot read."""

    user_id: int
    facts: int
    audiences: Sequence[int]
    """The closed channels."""


async def count_of_member(connection: Connection, scope: ErasingScope) -> Erased:
    """Return what erasing a member would take, of the bot's messages the answers to them alone."""
    row = await connection.fetchrow(
        f"""
        SELECT (SELECT coalesce(sum(messages), 0)::bigint FROM message_counts
                WHERE guild_id = $1 AND user_id = $2) AS messages,
               (SELECT count(*) FROM chat_history
                WHERE {says("$5::text::tsquery")} AND user_id <> $2 AND withheld IS NULL AND kind <> 'bot'
                  AND without_id(message_text || attachments::text, $2) <> message_text || attachments::text
               ) AS mentions,
               (SELECT count(*) FROM answers
                WHERE guild_id = $1 AND user_id = $2 AND cardinality(parts) > 0) AS answers,
               (SELECT count(*) FROM facts f
                WHERE guild_id = $1 AND status <> 'forgotten'
                  AND (author_id = $2 OR (subject_id = $2 AND {READABLE_FACTS}))
                  AND NOT EXISTS (
                      SELECT FROM fact_sources s
                      WHERE s.guild_id = $1 AND s.fact_id = f.fact_id AND NOT (
                          s.said_at <= $3 AND (s.author_id = $2 OR (f.subject_id = $2 AND {READABLE_FACTS}))
                      )
                  )) AS facts,
               (SELECT count(DISTINCT e.episode_id) FROM ended_conversations e, unnest(e.told_ids) AS told_id
                JOIN chat_history h ON h.guild_id = $1 AND h.message_id = told_id AND h.user_id = $2
                WHERE e.guild_id = $1 AND e.episode_id IS NOT NULL) AS episodes,
               (SELECT count(*) FROM profiles WHERE guild_id = $1 AND user_id = $2) AS profiles,
               (SELECT count(*) FROM distillations WHERE guild_id = $1 AND subject_id = $2)
               + (SELECT count(*) FROM user_facts WHERE guild_id = $1 AND user_id = $2) AS texts
        """,
        scope.guild_id, scope.user_id, scope.up_to, scope.audiences, lexicon.quoted(str(scope.user_id)),
    )  # fmt: skip
    if row is None:
        raise AssertionError("aggregates without a row")
    return row_as(Erased, row)


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
