"""The SQL of forgetting: messages that hold given words, messages that are forgotten as a set, what
forgettings took, and what of large ones is still to be taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict

from bot.core.domain import GUILD_SUBJECT, MessageKind
from bot.db.pool import Connection
from bot.db.rows import json_of, row_as, rows_as
from bot.memory.facts.repository_narratives import ASK_FOR_NARRATIVES, NARRATIVE_JOB
from bot.memory.guilds.repository import NEW_EPOCH
from bot.memory.policy.repository import TEXT_SEARCH, says

_SPOKEN: Final = "audience = ANY($2::bigint[]) AND withheld IS NULL AND kind <> 'system'"
_REACHED: Final = "(audience = ANY($2::bigint[]) OR kind = 'bot') AND withheld IS NULL AND kind <> 'system'"
"""What the bot repeated is reached wherever it did: it may have told what is open in a closed room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoughtWords:
    """What is looked for about a subject."""

    number: int
    """Which of several that are looked for at once."""
    subject_id: int
    """`GUILD_SUBJECT`: whoever says it means it."""
    stems: Sequence[str]
    """What a message must hold; none if the words have none that text search knows."""
    names: Sequence[str]
    """By which the subject is known."""
    is_sought_elsewhere: bool
    """Also where members say it who have nothing to do with the subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A message that may say something."""

    number: int
    """Of what was looked for."""
    is_near: bool
    """It was found as one that is by the subject, names them or answers them."""
    message_id: int
    user_id: int
    kind: MessageKind
    text: str
    """What was written, and what its attachments are."""


_SAYING: Final = f"""
    SELECT message_id, user_id, kind, message_text, attachments, timestamp FROM chat_history said
    WHERE {_REACHED}
"""
_NEWEST: Final = "ORDER BY timestamp DESC LIMIT"
_NEAR: Final = """(said.user_id = subject_id OR said.lexemes @@ called OR EXISTS (
    SELECT FROM chat_history asked
    WHERE asked.guild_id = $1 AND asked.message_id = said.reply_to_id AND asked.user_id = subject_id
))"""


async def messages_holding(
    connection: Connection,
    *,
    guild_id: int,
    audiences: Sequence[int],
    sought: Sequence[SoughtWords],
    most: int,
    most_elsewhere: int,
) -> list[Saying]:
    """Return the newest messages that hold all stems of what is sought: `most` that have to do with its subject, and
    `most_elsewhere` of other members.

    By what was sought, those of the subject first, the newest first. One may be found by several.
    """
    if not sought:
        return []
    rows = await connection.fetch(
        f"""
        WITH sought AS MATERIALIZED (
            SELECT number, subject_id, is_sought_elsewhere, (
                SELECT string_agg(quote_literal(stem), ' & ')::tsquery FROM jsonb_array_elements_text(stems) AS stem
            ) AS query, (
                SELECT string_agg('(' || query::text || ')', ' | ')::tsquery FROM (
                    SELECT phraseto_tsquery(config, searchable(name)) AS query
                    FROM jsonb_array_elements_text(names) AS name
                    UNION ALL SELECT quote_literal(subject_id::text)::tsquery
                ) name WHERE numnode(query) > 0
            ) AS called
            FROM jsonb_to_recordset($3::jsonb) AS given (
                number int, subject_id bigint, stems jsonb, names jsonb, is_sought_elsewhere boolean
            ), (
                SELECT {TEXT_SEARCH}::regconfig AS config
            ) guild
        )
        SELECT number, is_near, message_id, user_id, kind,
               concat_ws(E'\\n', message_text, array_to_string(attachments, E'\\n')) AS text
        FROM sought CROSS JOIN LATERAL (
            SELECT *, true AS is_near FROM (
                {_SAYING} AND {says("query")} AND (subject_id = {GUILD_SUBJECT} OR {_NEAR}) {_NEWEST} $4::int
            ) near
            UNION ALL
            SELECT *, true FROM (
                {_SAYING} AND guild_id = $1 AND query IS NULL AND {_NEAR} {_NEWEST} $4::int
            ) whatever_it_says
            UNION ALL
            SELECT *, false FROM (
                {_SAYING} AND {says("query")} AND is_sought_elsewhere AND kind = 'member' AND user_id <> subject_id
                {_NEWEST} $5::int
            ) elsewhere
        ) found
        ORDER BY number, is_near DESC, timestamp DESC
        """,
        guild_id, list(audiences), json_of(sought), most, most_elsewhere,
    )  # fmt: skip
    return rows_as(Saying, rows)


async def rare_among(
    connection: Connection, *, guild_id: int, audiences: Sequence[int], stems: Sequence[str], among: int
) -> frozenset[str]:
    """Return those of `stems` that at most one of so many messages holds."""
    rows = await connection.fetch(
        f"""
        SELECT stem FROM unnest($3::text[]) AS stem
        CROSS JOIN (
            SELECT coalesce(sum(messages), 0)::bigint / $4 AS messages FROM message_counts
            WHERE guild_id = $1 AND audience = ANY($2::bigint[]) AND kind <> 'system'
        ) AS at_most
        WHERE (
            SELECT count(*) FROM (
                SELECT FROM chat_history WHERE {says("quote_literal(stem)::tsquery")} AND {_SPOKEN}
                LIMIT at_most.messages + 1
            ) AS holding
        ) <= at_most.messages
        """,
        guild_id, list(audiences), list(stems), among,
    )  # fmt: skip
    return frozenset(row["stem"] for row in rows)


async def names_of(
    connection: Connection, *, guild_id: int, user_ids: Sequence[int], audiences: Sequence[int]
) -> Mapping[int, Sequence[str]]:
    """Return the names by which these members are known, also those that they gave up or that facts give them.

    A name that several members bear means none of them for sure, and is left out.
    """
    if not user_ids:
        return {}
    rows = await connection.fetch(
        """
        WITH told AS MATERIALIZED (
            SELECT subject_id AS user_id, value AS name FROM facts
            WHERE guild_id = $1 AND audience = ANY($3::bigint[])
              AND status = 'active' AND (key = 'name' OR key LIKE 'alias:%')
        ), bearer AS (
            SELECT unnest($2::bigint[]) AS user_id
            UNION
            -- Who is called the same has the same key, or of a name that a fact gives the same words.
            SELECT namesake.user_id FROM (
                SELECT DISTINCT unnest(name_keys) AS name_key FROM members
                WHERE guild_id = $1 AND user_id = ANY($2::bigint[])
            ) AS borne CROSS JOIN LATERAL (
                SELECT n.user_id FROM member_names n
                WHERE n.guild_id = $1 AND n.name_key = borne.name_key ORDER BY n.user_id LIMIT 25
            ) AS namesake WHERE borne.name_key > 0
            UNION
            SELECT namesake.user_id FROM told CROSS JOIN LATERAL (
                SELECT m.user_id FROM members m
                WHERE m.guild_id = $1 AND m.name_words @@ phraseto_tsquery('simple', searchable(told.name)) LIMIT 25
            ) AS namesake WHERE told.user_id = ANY($2::bigint[])
            UNION
            (SELECT user_id FROM members WHERE guild_id = $1 AND name_keys IS NULL ORDER BY user_id LIMIT 1000)
        ), called AS (
            SELECT user_id, unnest(borne.names) AS name FROM bearer CROSS JOIN LATERAL (
                SELECT ARRAY[m.user_name, m.display_name, m.nickname] || m.old_names AS names FROM members m
                WHERE m.guild_id = $1 AND m.user_id = bearer.user_id OFFSET 0
            ) AS borne
            UNION
            SELECT user_id, name FROM told
        ), clear AS (
            SELECT lower(name) AS name FROM called WHERE name <> ''
            GROUP BY 1 HAVING count(DISTINCT user_id) = 1
        )
        SELECT user_id, array_agg(DISTINCT called.name) AS names
        FROM called JOIN clear ON clear.name = lower(called.name)
        WHERE user_id = ANY($2::bigint[]) GROUP BY user_id
        """,
        guild_id, list(user_ids), list(audiences),
    )  # fmt: skip
    return {row["user_id"]: tuple(row["names"]) for row in rows}


_SAID_IN_SET: Final = """guild_id = $1 AND kind <> 'system' AND audience = ANY($2::bigint[])
    AND ($3::bigint IS NULL OR user_id = $3) AND ($4::bigint IS NULL OR channel_id = $4)
    AND ($5::timestamptz IS NULL OR timestamp >= $5) AND message_id <= $6"""
_MEANT_IN_SET: Final = f"{_SAID_IN_SET} AND withheld IS NULL"
_OWN_IN_SET: Final = """({own}::bigint IS NULL OR facts.subject_id = {own}
    OR (facts.author_id = {own} AND (facts.subject_id = 0 OR NOT {spares}::boolean)))"""


class MessageSelection(BaseModel):
    """Which messages are meant, in a form that outlives the process."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    audiences: tuple[int, ...]
    author_id: int | None = None
    """Whose; `None`: whoever wrote them."""
    channel_id: int | None = None
    """Of which channel; `None`: wherever they stand in `audiences`."""
    since: datetime | None = None
    """From when on, aware; `None`: from the beginning."""
    up_to_id: int
    """What is said later is not meant."""
    spares_others: bool = False
    """What the author told about others stays known: they have no right to have that forgotten."""

    @property
    def limits(self) -> tuple[object, ...]:
        """What stands behind the guild among the arguments of a statement about the messages that are meant."""
        return list(self.audiences), self.author_id, self.channel_id, self.since, self.up_to_id


async def count_messages(connection: Connection, *, guild_id: int, selection: MessageSelection) -> int:
    """Return how many messages with a text are meant."""
    found: int = await connection.fetchval(
        f"SELECT count(*) FROM chat_history WHERE {_MEANT_IN_SET}",
        guild_id, *selection.limits,
    )  # fmt: skip
    return found


async def some_messages(
    connection: Connection, *, guild_id: int, selection: MessageSelection, limit: int
) -> list[int]:
    """Return the newest `limit` messages that are meant and have a text."""
    rows = await connection.fetch(
        f"SELECT message_id FROM chat_history WHERE {_MEANT_IN_SET} ORDER BY message_id DESC LIMIT $7",
        guild_id, *selection.limits, limit,
    )  # fmt: skip
    return [row["message_id"] for row in rows]


async def facts_resting_on(
    connection: Connection, *, guild_id: int, selection: MessageSelection, limit: int
) -> list[int]:
    """Return at most `limit` facts that nothing says any more but messages that are meant, or commands in them.

    With an author only those that they told, unless they spare others, or that are about them.
    """
    rows = await connection.fetch(
        f"""
        WITH meant AS MATERIALIZED (SELECT message_id FROM chat_history WHERE {_SAID_IN_SET})
        SELECT facts.fact_id
        FROM facts JOIN fact_sources s ON s.guild_id = $1 AND s.fact_id = facts.fact_id AND NOT s.ended
        WHERE facts.guild_id = $1 AND facts.status <> 'forgotten' AND {_OWN_IN_SET.format(own="$3", spares="$7")}
        GROUP BY facts.fact_id
        HAVING bool_and(s.message_id IN (SELECT message_id FROM meant) OR (
            coalesce(substring(s.cause FROM '^m:([0-9]+)')::bigint, 0) IN (SELECT message_id FROM meant)
        ))
        ORDER BY facts.fact_id LIMIT $8
        """,
        guild_id, *selection.limits, selection.spares_others, limit,
    )  # fmt: skip
    return [row["fact_id"] for row in rows]


FORGETTING_JOB: Final = "forget"
"""The kind of background work that goes on with a large forgetting; its key is the command."""

KEPT_FOR: Final = timedelta(days=30)
"""Nobody looks at the details of a forgetting later than that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """How much was taken, and which messages that say it may still stand in their channels."""

    facts: int = 0
    messages: int = 0
    sayings: int = 0
    """Of these, messages of the asker's that said what no fact says; orders are none."""
    summaries: int = 0
    """Profiles, summaries of talks and episodes that lost a sentence or went."""
    days: int = 0
    """Days that are told anew, or lost a sentence."""
    own_ids: tuple[int, ...] = ()
    """Messages of the bot that told it."""
    left_ids: tuple[int, ...] = ()
    """Messages of others with the same words, which keep them."""

    def __add__(self, other: "Forgotten") -> "Forgotten":
        return Forgotten(
            facts=self.facts + other.facts,
            messages=self.messages + other.messages,
            sayings=self.sayings + other.sayings,
            summaries=self.summaries + other.summaries,
            days=self.days + other.days,
            own_ids=tuple(dict.fromkeys((*self.own_ids, *other.own_ids))),
            left_ids=tuple(dict.fromkeys((*self.left_ids, *other.left_ids))),
        )


async def orders_among(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int]
) -> frozenset[int]:
    """Return which of these messages ordered something to be forgotten."""
    rows = await connection.fetch(
        "SELECT message_id FROM answers WHERE guild_id = $1 AND message_id = ANY($2::bigint[]) AND route = 'forget'",
        guild_id, list(message_ids),
    )  # fmt: skip
    return frozenset(row["message_id"] for row in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingMessage:
    """A message that stands in a channel."""

    guild_id: int
    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgettingReport:
    """What somebody had forgotten by one command."""

    taken: Forgotten
    own: tuple[StandingMessage, ...]
    left: tuple[StandingMessage, ...]
    is_done: bool


async def add_forgotten(
    connection: Connection,
    *,
    guild_id: int,
    cause: str,
    user_id: int,
    taken: Forgotten,
    now: datetime,
) -> None:
    """Note what a command had forgotten, on top of what it had before; old notes of the guild go."""
    await connection.execute(
        """
        WITH old AS (
            DELETE FROM forgettings WHERE guild_id = $1 AND cause <> $2 AND asked_at < $11 AND selection IS NULL
        )
        INSERT INTO forgettings AS known
            (guild_id, cause, user_id, asked_at, facts, messages, summaries, days, own_ids, left_ids)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (guild_id, cause) DO UPDATE SET
            facts = known.facts + excluded.facts, messages = known.messages + excluded.messages,
            summaries = known.summaries + excluded.summaries, days = known.days + excluded.days,
            own_ids = ARRAY(SELECT DISTINCT unnest(known.own_ids || excluded.own_ids) ORDER BY 1),
            left_ids = ARRAY(SELECT DISTINCT unnest(known.left_ids || excluded.left_ids) ORDER BY 1)
        """,
        guild_id, cause, user_id, now, taken.facts, taken.messages, taken.summaries, taken.days,
        list(taken.own_ids), list(taken.left_ids), now - KEPT_FOR,
    )  # fmt: skip


async def begin_forgetting(
    connection: Connection,
    *,
    guild_id: int,
    cause: str,
    user_id: int,
    selection: str,
    facts: int,
    now: datetime,
) -> None:
    """Note that a command takes what a `stored_plan` means, as JSON, in several steps, `facts` in number."""
    await connection.execute(
        """
        INSERT INTO forgettings (guild_id, cause, user_id, asked_at, selection, facts)
        VALUES ($1, $2, $3, $4, $5::text::jsonb, $6) ON CONFLICT (guild_id, cause) DO NOTHING
        """,
        guild_id, cause, user_id, now, selection, facts,
    )  # fmt: skip


async def stored_plan(connection: Connection, *, guild_id: int, cause: str) -> tuple[int, str] | None:
    """Return who asked for it and what a command is still taking, as JSON; `None` if it is done."""
    row = await connection.fetchrow(
        """
        SELECT user_id, selection::text AS selection FROM forgettings
        WHERE guild_id = $1 AND cause = $2 AND selection IS NOT NULL
        """,
        guild_id, cause,
    )  # fmt: skip
    return (row["user_id"], row["selection"]) if row else None


async def finish_forgetting(connection: Connection, *, guild_id: int, cause: str) -> None:
    """Note that a command has taken all that it meant."""
    await connection.execute(
        "UPDATE forgettings SET selection = NULL WHERE guild_id = $1 AND cause = $2", guild_id, cause
    )


async def forgetting_report(
    connection: Connection,
    *,
    guild_ids: Sequence[int],
    user_id: int,
    audiences: Sequence[int],
    cause: str | None = None,
) -> ForgettingReport | None:
    """Return what a member had forgotten by a command, by their last one if none is named; `None` if nothing.

    Of messages of others only those that these audiences may see.
    """
    row = await connection.fetchrow(
        """
        WITH wanted AS (
            SELECT cause FROM forgettings
            WHERE guild_id = ANY($1::bigint[]) AND user_id = $2 AND ($3::text IS NULL OR cause = $3)
            ORDER BY asked_at DESC, cause DESC LIMIT 1
        )
        SELECT sum(facts)::int AS facts, sum(messages)::int AS messages, sum(summaries)::int AS summaries,
               sum(days)::int AS days, bool_and(selection IS NULL) AS is_done
        FROM forgettings
        WHERE guild_id = ANY($1::bigint[]) AND user_id = $2 AND cause = (SELECT cause FROM wanted)
        HAVING count(*) > 0
        """,
        list(guild_ids), user_id, cause,
    )  # fmt: skip
    if row is None:
        return None
    standing = await connection.fetch(
        """
        WITH wanted AS (
            SELECT guild_id, own_ids, left_ids FROM forgettings
            WHERE guild_id = ANY($1::bigint[]) AND user_id = $2 AND cause = coalesce($3, (
                SELECT cause FROM forgettings WHERE guild_id = ANY($1::bigint[]) AND user_id = $2
                ORDER BY asked_at DESC, cause DESC LIMIT 1
            ))
        )
        SELECT h.guild_id, h.channel_id, h.message_id, h.message_id = ANY(own_ids) AS is_own
        FROM wanted JOIN chat_history h
            ON h.guild_id = wanted.guild_id AND h.message_id = ANY(own_ids || left_ids)
        WHERE (h.message_id = ANY(own_ids) AND h.withheld IS DISTINCT FROM 'deleted')
           OR (h.message_id = ANY(left_ids) AND h.withheld IS NULL AND h.audience = ANY($4::bigint[]))
        ORDER BY h.message_id
        """,
        list(guild_ids), user_id, cause, list(audiences),
    )  # fmt: skip
    found = [
        (
            one["is_own"],
            row_as(StandingMessage, one),
        )
        for one in standing
    ]
    return ForgettingReport(
        taken=row_as(Forgotten, row),
        own=tuple(one for is_own, one in found if is_own),
        left=tuple(one for is_own, one in found if not is_own),
        is_done=row["is_done"],
    )


async def empty_facts(
    connection: Connection,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    buried_keys: Sequence[str],
    now: datetime,
) -> None:
    """Mark these facts as forgotten: nothing of their text stays, here or in their sources.

    The key becomes its keyed hash. The narratives of their subjects are requested again, and a new epoch begins, since
    the parts of merged texts cannot be traced.
    """
    await connection.execute(
        f"""
        WITH emptied AS (
            UPDATE facts
            SET status = 'forgotten', key = gone.key, value = '', content = '', raw_content = '', lexemes = '',
                details = '{{}}', holds_on = NULL, updated_at = $4
            FROM unnest($2::bigint[], $3::text[]) AS gone (fact_id, key)
            WHERE facts.guild_id = $1 AND facts.fact_id = gone.fact_id
            RETURNING subject_id, audience
        ), unsaid AS (
            UPDATE fact_sources SET ended = true, content = '', raw_content = '', holds_on = NULL
            WHERE guild_id = $1 AND fact_id = ANY($2::bigint[])
        ), untold AS (
            DELETE FROM user_facts
            WHERE guild_id = $1 AND (user_id, audience) IN (SELECT subject_id, audience FROM emptied)
        ), asked AS ({ASK_FOR_NARRATIVES.format(
            guild="$1", kind="$5", keys="ARRAY(SELECT DISTINCT subject_id || ':' || audience FROM emptied)"
        )}), {NEW_EPOCH}
        """,
        guild_id, list(fact_ids), list(buried_keys), now, NARRATIVE_JOB,
    )  # fmt: skip


async def note_deleted(
    connection: Connection, *, guild_id: int, user_id: int, message_ids: Sequence[int]
) -> None:
    """Note that these messages of the bot no longer stand in their channels."""
    await connection.execute(
        """
        UPDATE forgettings SET own_ids = ARRAY(
            SELECT own_id FROM unnest(own_ids) AS own_id WHERE own_id <> ALL($3::bigint[]) ORDER BY 1
        )
        WHERE guild_id = $1 AND user_id = $2 AND own_ids && $3::bigint[]
        """,
        guild_id, user_id, list(message_ids),
    )  # fmt: skip
