"""Selects what is known about the participants of a conversation for one reply: who they are, and the facts that fit,
by one statement.
"""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Final

from bot.core.clock import Clock
from bot.core.domain import GUILD_SUBJECT, OF_A_NAME, Fact, mention_of
from bot.core.log import trace
from bot.db.pool import Connection, Database, Row
from bot.db.rows import rows_as
from bot.db.service import BackgroundWork
from bot.db.signs import woken
from bot.memory.facts.about import AboutRole
from bot.memory.facts.repository import FACT_COLUMNS
from bot.memory.policy.permissions import ReadScope
from bot.memory.policy.redaction import sentences_of
from bot.memory.policy.repository import TEXT_SEARCH, of_present, tells_of_present
from bot.text.dangers import Plan, plans_of, words_to_find
from bot.text.tokens import content_stems, is_negated
from bot.text.topics import bits_of, kin_of, may_be_about_food, speaks_of_time, topics_of

logger = logging.getLogger(__name__)


class GivenReason(IntEnum):
    """Why a fact is given; the column of this name holds it for those that are given whatever is said."""

    KNOWN = 1
    """It says how somebody wants to be called and spoken of."""
    FEELING = 2
    """It is how somebody feels now."""
    PREFERENCE = 3
    MESSAGE = 4
    """It has to do with the message, or is important."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevanceQuery:
    """Whose facts are chosen from, and for which message."""

    guild_id: int
    user_ids: Sequence[int]
    """Whoever takes part, and the guild itself as subject 0."""
    close_ids: Sequence[int]
    """Those of them whom the message is about or comes from: of these more is told than what it asks for."""
    audiences: Sequence[int]
    own_guild_ids: Sequence[int]
    """Guilds of which the asker's own open facts are looked at too."""
    asker_id: int
    text: str
    """What the message is about; its words are stemmed as those of the facts are."""
    topics: int
    """The topics of the message, as facts keep theirs."""
    kin_topics: int
    """Topics that those border on: who cooks for somebody had better know what they drink."""
    with_dates: bool
    """Whether the message speaks of time: then facts with a day to come have to do with it."""
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedFact:
    """A fact and why it was chosen."""

    fact: Fact
    standing: GivenReason
    bears: bool
    """Whether it has to do with the message, or with somebody whom such a fact names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """What is kept about a member beside facts."""

    user_id: int
    pronouns: str
    turns: int
    """Replies that the bot gave them in this guild; in a direct message, in all that the two share."""
    since: datetime | None
    """When they were first seen, as far as anything is kept of it."""


ASKER_PREFERENCES: Final = 5
OTHERS_PREFERENCES: Final = 2
OF_THE_ASKER: Final = 14
"""Facts about who asks: what is only implied about them is asked for in no word of theirs."""

OF_THE_CLOSE: Final = 10
"""Facts about somebody else whom the message means, and about the guild."""

OF_A_BYSTANDER: Final = 5
"""Facts about anybody else, where they have to do with the message."""

FILL_OF_A_BYSTANDER: Final = 1

FRESH: Final = timedelta(days=7)
"""What was said, confirmed or used so lately is likely to be still on somebody's mind."""

_USUAL_FACTS: Final = 200
"""How many facts a word's rarity is reckoned among: counting them at each reply would cost more than it tells."""

_STANDING: Final = 12
"""Two names, two ways to be spoken of, two feelings (one of each of two audiences), and preferences."""

_LOOKED_AT: Final = 30
"""The weightiest facts of somebody, of which the fresh ones are preferred."""

_HAVING_TO_DO: Final = 15
"""The weightiest of those that share a topic with the message."""

_SEEDS: Final = 8
"""The facts that fit best: whomever they name is asked about as well."""

_FURTHER: Final = 12
"""Members, and names in each of their spellings, to which these lead."""

_TOPIC_WEIGHT: Final = 1.5
"""Of a topic in common: as much as a word that a quarter of the facts hold, less than a rare one."""
_KIN_WEIGHT: Final = 0.5
_DATE_WEIGHT: Final = 0.8
"""Of a day to come, where the message speaks of time."""
_NAMED_WEIGHT: Final = 1.0
"""Of naming somebody whom the message names: such a fact is about them, and no more than their own."""
_FURTHER_WEIGHT: Final = 0.75
"""Of a fact about somebody to whom a fact led that fits."""
_FRESH_WEIGHT: Final = 0.2
_IMPORTANCE_WEIGHT: Final = 0.6
"""Of full importance: decides between facts that fit alike, and never makes up for a word in common."""

_VISIBLE: Final = """status = 'active' AND category <> 'place' AND (expires_at IS NULL OR expires_at > $4)"""
_OF_PERSON: Final = (
    f"guild_id = whose_guild_id AND subject_id = whose_id AND audience = ANY(sees) AND {_VISIBLE}"
)

_TO_COME: Final = "coalesce($9 AND holds_on >= ($4::timestamptz - interval '1 day')::date, false)"
"""A day that the message may ask for; it may have begun in the guild's zone and not in UTC."""

_WEIGHTIEST: Final = (
    f"(topics & $8 <> 0 OR {_TO_COME}) DESC, importance DESC, said_at DESC LIMIT {_LOOKED_AT}"
)


def _fitting(table: str, *, also: float = 0.0) -> str:
    """Return the statement that judges how well the facts in `table` fit the message, each `also` by so much more."""
    return f"""
    SELECT {table}.*, coalesce(words, 0) + {also}::float8 + {_TOPIC_WEIGHT}::float8 * (topics & $8 <> 0)::int
            + {_KIN_WEIGHT}::float8 * (topics & $12 <> 0)::int + {_DATE_WEIGHT}::float8 * ({_TO_COME})::int AS overlap,
        {_IMPORTANCE_WEIGHT}::float8 * importance / 100 + {_FRESH_WEIGHT}::float8
            * (greatest(said_at, last_used_at, confirmed_at) > $4::timestamptz - $11::interval)::int AS weight
    FROM {table} LEFT JOIN (
        SELECT guild_id, fact_id, sum(said.weight) AS words FROM (
            SELECT guild_id, fact_id, CASE WHEN stem = ANY($2::bigint[]::text[]) THEN {_NAMED_WEIGHT}::float8
                ELSE ln(1 + {_USUAL_FACTS} / (count(*) OVER (PARTITION BY stem) + 0.5))::float8 END AS weight
            FROM {table} CROSS JOIN unnest(tsvector_to_array(lexemes)) AS stem
            WHERE stem = ANY(ARRAY(SELECT stem FROM word)) AND stem <> subject_id::text
        ) said GROUP BY guild_id, fact_id
    ) by_words USING (guild_id, fact_id)"""


_IS_NAME: Final = f"starts_with(key, '{OF_A_NAME}')"

_CHOOSE: Final = f"""
WITH person AS MATERIALIZED (
    SELECT *, whose_id = ANY($10::bigint[]) AS is_close FROM (
        SELECT $1::bigint AS whose_guild_id, unnest($2::bigint[]) AS whose_id, $3::bigint[] AS sees
        UNION ALL
        SELECT unnest($5::bigint[]), $6::bigint, ARRAY[0]::bigint[]
    ) everybody
    WHERE {of_present("whose_id", guild="whose_guild_id", guilds="array_append($5::bigint[], $1)")}
), word AS MATERIALIZED (
    SELECT unnest(tsvector_to_array(lexemes_of(config, $7))) AS stem
    FROM (SELECT {TEXT_SEARCH} AS config) guild
), always AS MATERIALIZED (
    SELECT guild_id, fact_id, standing AS reason FROM (
        SELECT best.*, is_close, row_number() OVER (
            PARTITION BY subject_id, standing ORDER BY importance DESC, said_at DESC
        ) AS place
        FROM person CROSS JOIN LATERAL (
            SELECT * FROM facts WHERE {_OF_PERSON} AND standing IS NOT NULL
            ORDER BY standing, importance DESC, said_at DESC LIMIT {_STANDING}
        ) best
    ) placed
    WHERE place <= CASE standing WHEN {GivenReason.KNOWN} THEN {_STANDING}
        WHEN {GivenReason.FEELING} THEN (subject_id = $6)::int
        ELSE CASE WHEN subject_id = $6 THEN {ASKER_PREFERENCES} WHEN is_close THEN {OTHERS_PREFERENCES} ELSE 0 END END
), found AS MATERIALIZED (
    SELECT * FROM facts
    WHERE status = 'active' AND stem_keys(guild_id, subject_id, lexemes) && (
        SELECT array_agg(hashtextextended(stem, whose_guild_id # whose_id)) FROM person, word
    )
), near AS MATERIALIZED (
    SELECT DISTINCT ON (guild_id, fact_id) * FROM (
        SELECT facts.* FROM always JOIN facts USING (guild_id, fact_id)
        UNION ALL
        SELECT found.* FROM person JOIN found ON {_OF_PERSON}
        UNION ALL
        -- Twice, since the index that has them by importance knows no topics.
        SELECT important.* FROM person CROSS JOIN LATERAL (
            SELECT * FROM facts WHERE {_OF_PERSON}
            ORDER BY importance DESC, said_at DESC LIMIT CASE WHEN is_close THEN {_LOOKED_AT} ELSE 1 END
        ) important
        UNION ALL
        SELECT to_do.* FROM person CROSS JOIN LATERAL (
            SELECT * FROM facts WHERE {_OF_PERSON} AND (topics & ($8::integer | $12::integer) <> 0 OR {_TO_COME})
            ORDER BY importance DESC, said_at DESC LIMIT {_HAVING_TO_DO}
        ) to_do
        UNION ALL
        -- Those that name somebody whom the message means, or that they told, are about them too.
        SELECT naming.* FROM person CROSS JOIN LATERAL (
            SELECT facts.* FROM fact_about a JOIN facts USING (guild_id, fact_id)
            WHERE a.guild_id = $1 AND a.user_id = whose_id AND a.name = '' AND a.role <> '{AboutRole.SUBJECT}'
              AND audience = ANY($3) AND {_VISIBLE}
            ORDER BY a.role, {_WEIGHTIEST}
        ) naming
        WHERE is_close AND whose_id <> 0 AND whose_guild_id = $1
    ) either
), fitting AS MATERIALIZED (
    {_fitting("near")}
), further AS MATERIALIZED (
    -- One step on: whoever is named by what fits best, in the sister of Bob's whose birthday it is.
    SELECT user_id, name FROM (
        SELECT guild_id, fact_id, overlap FROM fitting
        WHERE guild_id = $1 AND overlap > {_NAMED_WEIGHT} ORDER BY overlap DESC, fact_id DESC LIMIT {_SEEDS}
    ) seed JOIN fact_about USING (guild_id, fact_id)
    WHERE role <> '{AboutRole.TELLER}' AND (name <> '' OR user_id <> ALL($2::bigint[]))
    GROUP BY user_id, name ORDER BY max(overlap) DESC LIMIT {_FURTHER}
), beyond AS MATERIALIZED (
    SELECT DISTINCT ON (guild_id, fact_id) facts.* FROM further CROSS JOIN LATERAL (
        SELECT facts.* FROM (
            SELECT fact_id FROM fact_about
            WHERE guild_id = $1 AND user_id = further.user_id AND further.name = '' AND name = ''
              AND role <> '{AboutRole.TELLER}'
            UNION
            SELECT fact_id FROM fact_about WHERE guild_id = $1 AND name = further.name AND name <> ''
        ) a JOIN facts ON guild_id = $1 AND facts.fact_id = a.fact_id
        WHERE audience = ANY($3) AND {_VISIBLE}
        ORDER BY {_WEIGHTIEST}
    ) facts
), judged AS (
    SELECT DISTINCT ON (guild_id, fact_id) * FROM (
        SELECT * FROM fitting
        UNION ALL
        ({_fitting("beyond", also=_FURTHER_WEIGHT)})
    ) either
    ORDER BY guild_id, fact_id, overlap DESC
), ranked AS (
    SELECT judged.*, coalesce(reason, {GivenReason.MESSAGE}) AS because, row_number() OVER (
        PARTITION BY subject_id, CASE WHEN {_IS_NAME} THEN split_part(key, '|', 1) END
        ORDER BY reason IS NULL, overlap + weight DESC, said_at DESC, fact_id DESC
    ) AS place, row_number() OVER (
        PARTITION BY subject_id, overlap > 0 ORDER BY overlap + weight DESC, said_at DESC, fact_id DESC
    ) AS place_alike
    FROM judged LEFT JOIN always USING (guild_id, fact_id)
)
SELECT {FACT_COLUMNS}, because AS standing, overlap > 0 AS bears, overlap + weight AS fits FROM ranked
WHERE (because < {GivenReason.MESSAGE} OR CASE
        WHEN {_IS_NAME} THEN overlap > 0 AND place_alike <= {OF_THE_CLOSE}
        WHEN subject_id = $6 THEN place <= {OF_THE_ASKER}
        WHEN subject_id = ANY($10::bigint[]) THEN place <= {OF_THE_CLOSE}
        WHEN overlap > 0 THEN place_alike <= {OF_A_BYSTANDER}
        WHEN subject_id = ANY($2) THEN place <= {FILL_OF_A_BYSTANDER}
        ELSE place <= {FILL_OF_A_BYSTANDER} AND EXISTS (
            SELECT FROM fact_about a WHERE a.guild_id = $1 AND a.fact_id = ranked.fact_id
              AND a.role = '{AboutRole.NAMED}' AND a.name = '' AND a.user_id = ANY($10)
        ) END)
  AND {tells_of_present("subject_id", "content", guild="guild_id", guilds="array_append($5::bigint[], $1)")}
"""

_PEOPLE: Final = f"""
WITH person AS (
    SELECT * FROM (
        SELECT $1::bigint AS guild_id, unnest($2::bigint[]) AS user_id
        UNION ALL
        SELECT unnest($3::bigint[]), $4::bigint
    ) everybody
    WHERE {of_present("user_id", guild="guild_id", guilds="array_append($3::bigint[], $1)")}
)
SELECT user_id, coalesce(max(pronouns), '') AS pronouns, coalesce(sum(turns), 0)::int AS turns,
    least(min(joined_at), min(spoke_at), min(known_at)) AS since
FROM person
LEFT JOIN members USING (guild_id, user_id)
LEFT JOIN LATERAL (
    SELECT min(timestamp) AS spoke_at FROM chat_history
    WHERE chat_history.guild_id = person.guild_id AND chat_history.user_id = person.user_id
) spoke ON true
LEFT JOIN LATERAL (
    SELECT min(said_at) AS known_at FROM facts
    WHERE facts.guild_id = person.guild_id AND subject_id = person.user_id AND audience = 0 AND status = 'active'
) known ON true
GROUP BY user_id
"""


async def choose_facts(connection: Connection, wanted: RelevanceQuery) -> list[SelectedFact]:
    """Return what of everybody's facts goes into a reply: what has to do with the message first, best first."""
    rows = await connection.fetch(
        _CHOOSE,
        wanted.guild_id, list(wanted.user_ids), list(wanted.audiences), wanted.now, list(wanted.own_guild_ids),
        wanted.asker_id, wanted.text, wanted.topics, wanted.with_dates, list(wanted.close_ids), FRESH,
        wanted.kin_topics,
    )  # fmt: skip
    best_first = sorted(rows, key=_order_of)
    return rows_as(SelectedFact, best_first)


def _planned(text: str) -> frozenset[Plan]:
    return plans_of(text) | ({Plan.FOOD} if may_be_about_food(text) else frozenset())


def _order_of(row: Row) -> tuple[bool, int, float, int]:
    standing = 0 if row["bears"] else row["standing"]
    return not row["bears"], standing, -row["fits"], -row["fact_id"]


async def read_people(
    connection: Connection,
    *,
    guild_id: int,
    user_ids: Sequence[int],
    own_guild_ids: Sequence[int],
    asker_id: int,
) -> list[Person]:
    """Return since when, and how well, the bot and each of these members know each other."""
    rows = await connection.fetch(_PEOPLE, guild_id, list(user_ids), list(own_guild_ids), asker_id)
    return rows_as(Person, rows)


async def note_used(
    connection: Connection, *, guild_ids: Sequence[int], fact_ids: Sequence[int], at: datetime
) -> None:
    """Note that these facts were given to a model; who is changing one of them is not waited for."""
    await connection.execute(
        """
        UPDATE facts SET last_used_at = $3
        WHERE (guild_id, fact_id) IN (
            SELECT guild_id, fact_id FROM facts
            WHERE guild_id = ANY($1::bigint[]) AND fact_id = ANY($2::bigint[]) AND status = 'active'
              AND (last_used_at IS NULL OR last_used_at < $3)
            FOR UPDATE SKIP LOCKED
        )
        """,
        list(guild_ids), list(fact_ids), at,
    )  # fmt: skip


ACQUAINTED_TURNS: Final = 10
"""So many replies make an acquaintance: an evening or two of talking with each other."""

FAMILIAR_TURNS: Final = 100
"""Of somebody with so many, months of talk are kept."""

_TEXT_CHARACTERS: Final = 300
"""Of the beginning and of the end of a message: what it is about stands there, and a pasted log between."""

_FLUSH_SECONDS: Final = 1.0
"""Real seconds in which uses gather: a busy guild gives the same facts many times a minute."""

_MOST_UNWRITTEN: Final = 10_000
"""Uses that wait while the database is away; that a fact was used is no loss worth more memory."""


class Acquaintance(StrEnum):
    """How well the bot and a member know each other: counted, never judged by a model."""

    NEW = "new"
    ACQUAINTED = "acquainted"
    FAMILIAR = "familiar"


def acquaintance_of(turns: int) -> Acquaintance:
    """Return how well a member is known to whom the bot has replied `turns` times."""
    if turns < ACQUAINTED_TURNS:
        return Acquaintance.NEW
    return Acquaintance.ACQUAINTED if turns < FAMILIAR_TURNS else Acquaintance.FAMILIAR


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevant:
    """What a reply is given about one member, or about the guild itself."""

    given_name: str = ""
    """The name that they gave themselves."""
    pronouns: str = ""
    since: datetime | None = None
    """When they were first seen, as far as anything is kept of it."""
    turns: int = 0
    facts: tuple[Fact, ...] = ()
    """What the message is about, how they feel, what they prefer, and what else is important; the weightiest first."""
    bearing: frozenset[int] = frozenset()
    """The ids of those of them that have to do with the message."""
    known_by: tuple[int, ...] = ()
    """The ids of the facts that say name and pronouns."""

    @property
    def acquaintance(self) -> Acquaintance:
        """How well the two know each other."""
        return acquaintance_of(self.turns)


def untold(facts: Sequence[Fact], text: str) -> tuple[Fact, ...]:
    """Return those of `facts` that no single sentence of `text` says with all their words.

    Whom a fact is about is not looked for: in a text about them they are mostly "she". What one denies and the
    other does not is not the same.
    """
    told = [(content_stems(sentence), is_negated(sentence)) for sentence in sentences_of(text)]
    return tuple(fact for fact in facts if not _is_told(fact, told))


def _is_told(fact: Fact, told: Sequence[tuple[frozenset[str], bool]]) -> bool:
    stems = content_stems(fact.content) - {mention_of(fact.subject_id)}
    negated = is_negated(fact.content)
    return bool(stems) and any(stems <= sentence and negated == denied for sentence, denied in told)


class Relevance:
    """Chooses facts for replies, and notes behind them which were used."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._used: dict[int, frozenset[int]] = {}
        """Where to look for each fact that was used and is not noted yet."""
        self._noting = BackgroundWork()
        self._hurry = asyncio.Event()

    async def relevant(
        self,
        *,
        view: ReadScope,
        user_ids: Sequence[int],
        close_ids: Collection[int],
        text: str,
        asker_id: int,
    ) -> dict[int, Relevant]:
        """Return the facts for a reply to `text` about each of `user_ids`, and about the guild as subject 0.

        For `close_ids` among them, the guild and the asker it returns more than what `text` asks for. It also returns,
        by their ids, facts about members whom the chosen facts name. Only what `view` shows; in a direct message that
        includes the asker's own open facts from shared guilds. One statement chooses, for any number of participants.
        """
        topics = topics_of(text)
        wanted = RelevanceQuery(
            guild_id=view.guild_id,
            user_ids=list(dict.fromkeys([GUILD_SUBJECT, *user_ids])),
            close_ids=sorted({GUILD_SUBJECT, asker_id, *close_ids}),
            audiences=view.audiences,
            own_guild_ids=view.own_guild_ids,
            asker_id=asker_id,
            # Of those whom it is about, what may harm them is known to whoever plans, however little it is weighed.
            text=" ".join([_matter(text), *words_to_find(_planned(text))]),
            topics=bits_of(topics),
            kin_topics=bits_of(kin_of(topics)),
            with_dates=speaks_of_time(text),
            now=self._clock.now(),
        )

        async def read(connection: Connection) -> tuple[list[SelectedFact], list[Person]]:
            chosen = await choose_facts(connection, wanted)
            people = await read_people(
                connection,
                guild_id=view.guild_id,
                user_ids=user_ids,
                own_guild_ids=view.own_guild_ids,
                asker_id=asker_id,
            )
            return chosen, people

        if not view.audiences:
            return {}
        chosen, people = await self._database.read(read)
        known = {person.user_id: person for person in people}
        return {
            user_id: _relevant([one for one in chosen if one.fact.subject_id == user_id], known.get(user_id))
            for user_id in dict.fromkeys([*wanted.user_ids, *(one.fact.subject_id for one in chosen)])
        }

    def used(self, *, view: ReadScope, fact_ids: Sequence[int]) -> None:
        """Note behind that these facts were given to a model; returns at once. A crash may lose the last of it."""
        guild_ids = frozenset({view.guild_id, *view.own_guild_ids})
        if len(self._used) < _MOST_UNWRITTEN:
            self._used |= dict.fromkeys(fact_ids, guild_ids)
        if self._used and self._noting.is_idle:
            self._noting.begin(self._note(), name="note what was used")

    async def settled(self) -> None:
        """Return when all uses are noted, at once."""
        self._hurry.set()
        await self._noting.settled()
        self._hurry.clear()

    async def _note(self) -> None:
        while self._used:
            await woken(self._hurry, seconds=_FLUSH_SECONDS)
            used, self._used = self._used, {}
            try:
                await self._write(used)
            except Exception as error:
                logger.warning("that %d facts were used is not noted: %s", len(used), trace(error))

    async def _write(self, used: Mapping[int, frozenset[int]]) -> None:
        guild_ids = frozenset[int]().union(*used.values())
        now = self._clock.now()
        await self._database.write(note_used, guild_ids=sorted(guild_ids), fact_ids=sorted(used), at=now)


def _relevant(chosen: Sequence[SelectedFact], person: Person | None) -> Relevant:
    by_key = {one.fact.key: one.fact for one in reversed(chosen) if one.standing is GivenReason.KNOWN}
    told = [one for one in chosen if one.standing is not GivenReason.KNOWN]
    pronouns = by_key["pronouns"].value if "pronouns" in by_key else person.pronouns if person else ""
    return Relevant(
        given_name=by_key["name"].value if "name" in by_key else "",
        pronouns=pronouns,
        since=person.since if person else None,
        turns=person.turns if person else 0,
        facts=tuple(one.fact for one in told),
        bearing=frozenset(one.fact.fact_id for one in told if one.bears),
        known_by=tuple(fact.fact_id for fact in by_key.values()),
    )


def _matter(text: str) -> str:
    if len(text) <= 2 * _TEXT_CHARACTERS:
        return text
    return f"{text[:_TEXT_CHARACTERS]} {text[-_TEXT_CHARACTERS:]}"
