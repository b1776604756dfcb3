"""Binding: facts about a name that belonged to no member are assigned to a member who now has that name.

The name in the text of a fact becomes `<@id>`, and a fact about the name becomes a fact about the member, in the
member's slots. This happens for account names and display names; for a nickname only once the member, or whoever told
the fact, has said that it is them. It never happens if two members have the name, and never beyond the audience of the
fact.
"""

import logging
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.core.domain import (
    EXPLICIT,
    GUILD_SUBJECT,
    MAX_FACT_CHARACTERS,
    OPEN,
    FactCategory,
    FactOrigin,
    Member,
    mention_of,
)
from bot.core.log import trace
from bot.db.jobs import Job
from bot.db.pool import Connection
from bot.db.rows import json_of, rows_as
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.facts import lifecycle, repository, repository_slots, slots, statements
from bot.memory.facts.about import bare_key, surfaces_of, with_member
from bot.memory.facts.repository import NewFact
from bot.memory.facts.repository_slots import Slot, Source
from bot.memory.guilds import repository as guilds_repository
from bot.memory.members import repository as members_repository
from bot.memory.members.name_index import probes_of
from bot.memory.members.names import names_borne, spelling_of, spellings_of
from bot.memory.members.repository import BIND_FACT, BIND_MEMBER, NewBearer
from bot.memory.policy.repository import TEXT_SEARCH
from bot.memory.policy.tombstones import Hasher
from bot.text import tokens

logger = logging.getLogger(__name__)

_NOBODY: Final = 0
"""A mention of nobody, which is shown as "someone"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFact:
    """A fact with a name that belonged to no member when it was written."""

    fact_id: int
    name: str
    is_subject: bool
    subject_id: int
    audience: int
    category: FactCategory
    key: str
    value: str
    content: str
    raw_content: str
    origin: FactOrigin
    author_id: int
    cause: str
    said_at: datetime
    sources: tuple[Source, ...]

    def line(self, guild_id: int) -> Slot:
        """Return where it competes."""
        return Slot(guild_id=guild_id, subject_id=self.subject_id, audience=self.audience, key=self.key)

    def with_member(self, user_id: int) -> "NamedFact":
        """Return it with a member in place of the name."""

        def said(text: str) -> str:
            return with_member(text, self.name, user_id)

        content = said(self.content)
        if len(content) > MAX_FACT_CHARACTERS:
            # It is about the member all the same, and shown as it was told.
            return replace(self, subject_id=user_id, key=bare_key(self.key)) if self.is_subject else self
        key, value = bare_key(self.key) if self.is_subject else self.key, said(self.value)
        if statements.is_free_sentence(key) or statements.key_and_value(self.content) == (
            self.key,
            self.value,
        ):
            key, value = statements.key_and_value(content)
        subject_id = user_id if self.is_subject else self.subject_id
        return replace(self._said_otherwise(said), subject_id=subject_id, key=key, value=value)

    def without_member(self, user_id: int) -> "NamedFact":
        """Return it with nobody in place of a member whom it names."""
        mention = re.compile(rf"<@!?{user_id}>")

        def said(text: str) -> str:
            return mention.sub(mention_of(_NOBODY), text)

        content, value, key = said(self.content), said(self.value), self.key
        if statements.is_free_sentence(bare_key(key)):
            key, value = statements.keyed_by_name(content, [self.name] if self.name else [])
        elif statements.key_and_value(self.content) == (self.key, self.value):
            key, value = statements.key_and_value(content)
        return replace(self._said_otherwise(said), key=key, value=value)

    def _said_otherwise(self, said: Callable[[str], str]) -> "NamedFact":
        """Return it with each of its texts, and those of its sources, as `said` has them."""
        return replace(
            self,
            content=said(self.content),
            raw_content=said(self.raw_content),
            sources=tuple(
                replace(one, content=said(one.content), raw_content=said(one.raw_content))
                for one in self.sources
            ),
        )

    def as_new(self, guild_id: int) -> NewFact:
        """Return it as it would be written now, to be asked whether it may be kept."""
        return NewFact(
            guild_id=guild_id,
            subject_id=self.subject_id,
            audience=self.audience,
            category=self.category,
            key=self.key,
            value=self.value,
            content=self.content,
            raw_content=self.raw_content,
            importance=0,
            confidence=1.0,
            origin=self.origin,
            author_id=self.author_id,
            source_channel_id=0,
            source_message_id=0,
            cause=self.cause,
            said_at=self.said_at,
        )


@dataclass(frozen=True, slots=True)
class ToldAlias:
    """What somebody is said to be called, by whom, and who can see that."""

    subject_id: int
    author_id: int
    audience: int
    value: str


class Bearers:
    """The members of a guild by the spellings of the names that they bear now."""

    def __init__(self, members: Sequence[Member], aliases: Sequence[ToldAlias]) -> None:
        self._by_account: dict[str, set[int]] = {}
        self._by_any: dict[str, set[int]] = {}
        self._bots = {member.user_id for member in members if member.is_bot}
        self._aliases: dict[str, list[ToldAlias]] = {}
        for member in members:
            for name in (member.user_name, member.display_name):
                self._by_account.setdefault(spelling_of(name), set()).add(member.user_id)
            for name in names_borne(member):
                self._by_any.setdefault(spelling_of(name), set()).add(member.user_id)
        for alias in aliases:
            self._aliases.setdefault(spelling_of(alias.value), []).append(alias)

    def of(self, fact: NamedFact) -> int | None:
        """Return who is meant for sure by the name in `fact`; `None` if nobody is."""
        bearers = self._by_any.get(fact.name, set())
        if len(bearers) == 1 and bearers == self._by_account.get(fact.name):
            return None if bearers <= self._bots else next(iter(bearers))
        tellers = {source.author_id for source in fact.sources}
        called = [one for one in self._aliases.get(fact.name, ()) if one.audience in {OPEN, fact.audience}]
        known = bearers.union(one.subject_id for one in called)
        said = {one.subject_id for one in called if one.author_id in {one.subject_id, *tellers}}
        return next(iter(said)) if len(known) == 1 and said == known else None


class NameBinding:
    """Binds names in the background, and at once where somebody waits for it."""

    def __init__(self, needs: MemoryDependencies) -> None:
        self._database = needs.database
        self._clock = needs.clock
        self._hasher = needs.hasher
        self._notify = needs.notify

    async def carry_out(self, job: Job) -> None:
        """Bind the names that a job of the kind `BIND_JOB` is about."""
        await self.bind(guild_id=job.guild_id, work_keys=[job.work_key])

    async def bind_to(self, bearer: NewBearer) -> None:
        """Bind what was kept of the names of a member, who bears them now; if that fails, the job does it later."""
        try:
            await self.bind(guild_id=bearer.guild_id, work_keys=[f"{BIND_MEMBER}{bearer.user_id}"])
        except Exception as error:
            logger.error("names of member %d are bound later: %s", bearer.user_id, trace(error))

    async def bind(self, *, guild_id: int, work_keys: Collection[str]) -> int:
        """Bind the names of these members, and in these facts; returns how many facts changed."""
        bound = await self._database.write(
            bind_names, self._hasher, guild_id=guild_id, work_keys=work_keys, now=self._clock.now()
        )
        if bound:
            self._notify()
        return bound


async def bind_names(
    connection: Connection, hasher: Hasher, *, guild_id: int, work_keys: Collection[str], now: datetime
) -> int:
    """Bind the names of the members `member:<id>` and in the facts `fact:<id>`; returns how many facts changed."""
    if not await _are_any(connection, guild_id=guild_id):
        return 0
    user_ids = {int(key.removeprefix(BIND_MEMBER)) for key in work_keys if key.startswith(BIND_MEMBER)}
    aliases = await _told_aliases(connection, guild_id=guild_id)
    wanted = await _members(connection, guild_id=guild_id, names=(), user_ids=user_ids)
    names = _names_of(user_ids, wanted, aliases)
    fact_ids = [int(key.removeprefix(BIND_FACT)) for key in work_keys if key.startswith(BIND_FACT)]
    # What is found is held, and looked at again: another may have bound or changed it meanwhile.
    found = await _named_facts(connection, guild_id=guild_id, names=sorted(names), fact_ids=fact_ids)
    members = await _members(
        connection, guild_id=guild_id, names=[fact.name for fact in found], user_ids=user_ids
    )
    bearers = Bearers(members, aliases)
    if not any(bearers.of(fact) for fact in found):
        return 0
    lines = {fact.line(guild_id) for fact in found}
    lines |= {fact.with_member(user_id).line(guild_id) for fact in found if (user_id := bearers.of(fact))}
    held = await repository_slots.hold_slots(connection, guild_id=guild_id, lines=lines)
    changed = 0
    for seen in found:
        # One by one, since a second name of a fact is sought in the words that the first one left.
        again = await _named_facts(
            connection, guild_id=guild_id, names=[seen.name], fact_ids=[seen.fact_id], both=True
        )
        for fact in again:
            user_id = bearers.of(fact)
            if user_id is None:
                continue
            bound = fact.with_member(user_id)
            if not {fact.line(guild_id), bound.line(guild_id)} <= held:
                lines = {*held, fact.line(guild_id), bound.line(guild_id)}
                held = await repository_slots.hold_slots(connection, guild_id=guild_id, lines=lines)
            await _bind(
                connection, hasher, fact, bound, user_id=user_id, guild_id=guild_id, held=held, now=now
            )
            changed += 1
    await slots.settle_slots(connection, guild_id=guild_id, lines=held, now=now)
    await guilds_repository.bump_epoch(connection, guild_id=guild_id)
    return changed


async def _members(
    connection: Connection, *, guild_id: int, names: Sequence[str], user_ids: Collection[int]
) -> list[Member]:
    """Return who bears one of these names, and these members."""
    return await members_repository.members_met(
        connection, guild_id=guild_id, audiences=(), probes=probes_of(names), user_ids=sorted(user_ids)
    )


def _names_of(user_ids: Collection[int], members: Sequence[Member], aliases: Sequence[ToldAlias]) -> set[str]:
    """Return the spellings of all that these members are called."""
    called = [name for member in members if member.user_id in user_ids for name in names_borne(member)]
    called += [one.value for one in aliases if one.subject_id in user_ids]
    return {spelling_of(name) for name in called} - {""}


async def _bind(
    connection: Connection,
    hasher: Hasher,
    fact: NamedFact,
    bound: NamedFact,
    *,
    user_id: int,
    guild_id: int,
    held: Collection[Slot],
    now: datetime,
) -> None:
    """Make a fact name a member, unless the member had it erased or forgotten after it was said."""
    gone = await _unwanted(connection, hasher, bound, user_id=user_id, guild_id=guild_id)
    spellings = {one for surface in surfaces_of(fact.content, fact.name) for one in spellings_of(surface)}
    await _unbind(connection, guild_id=guild_id, fact_id=fact.fact_id, names=sorted({*spellings, fact.name}))
    if gone and not fact.is_subject:
        bound = fact.with_member(_NOBODY)
    elif len(gone) == len(bound.sources):
        await repository.remove_facts(connection, guild_id=guild_id, fact_ids=[fact.fact_id])
        return
    elif gone:
        await repository_slots.drop_sources(connection, guild_id=guild_id, source_ids=sorted(gone))
        bound = replace(bound, sources=tuple(one for one in bound.sources if one.source_id not in gone))
    await place_anew(connection, guild_id=guild_id, fact=bound, held=held, now=now)


async def place_anew(
    connection: Connection, *, guild_id: int, fact: NamedFact, held: Collection[Slot], now: datetime
) -> None:
    """Write a fact with what it says now, in a line that is held: into the one that says the same there, if one does.

    Whoever calls settles the lines then.
    """
    known = await repository_slots.load_slots(connection, guild_id=guild_id, lines=held)
    same = next(
        (
            row.fact_id
            for row in known.rows
            if row.line == fact.line(guild_id)
            and row.fact_id != fact.fact_id
            and tokens.normalised(row.value) == tokens.normalised(fact.value)
        ),
        None,
    )
    await _rewrite(connection, guild_id=guild_id, bound=fact, into=same, now=now)


async def _unwanted(
    connection: Connection, hasher: Hasher, bound: NamedFact, *, user_id: int, guild_id: int
) -> set[int]:
    """Return the sources of a fact that must not be bound to a member, because of what they had removed since."""
    fact = bound.as_new(guild_id)
    by_source = {one.source_id: replace(fact, said_at=one.said_at) for one in bound.sources}
    rules = await lifecycle.rules_for(connection, hasher, [*by_source.values()], guild_id=guild_id)
    if bound.is_subject and rules.is_switched_off(fact):
        return set(by_source)
    gone = {source_id for source_id, said in by_source.items() if (user_id, said.said_at) in rules.erased}
    if bound.is_subject and rules.has_tombstones:
        for source_id, said in by_source.items():
            if not await lifecycle.may_be_asked_for(connection, hasher, said, asked_at=said.said_at):
                gone.add(source_id)
    return gone


async def _are_any(connection: Connection, *, guild_id: int) -> bool:
    """Tell whether a guild keeps anything about a name that belongs to no member."""
    found: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT FROM fact_about WHERE guild_id = $1 AND name <> '')", guild_id
    )
    return found


async def _told_aliases(connection: Connection, *, guild_id: int) -> list[ToldAlias]:
    """Return what members are said to be called, by somebody who asked to have that remembered or by themselves."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT f.subject_id, s.author_id, f.audience, f.value
        FROM facts f JOIN fact_sources s USING (guild_id, fact_id)
        WHERE f.guild_id = $1 AND f.status = 'active' AND (f.key = 'name' OR f.key LIKE 'alias:%')
          AND f.subject_id <> 0 AND NOT s.ended AND (s.author_id = f.subject_id OR s.origin = ANY($2::text[]))
        """,
        guild_id, sorted(EXPLICIT),
    )  # fmt: skip
    return rows_as(ToldAlias, rows)


_NAMED_COLUMNS: Final = """f.subject_id, f.audience, f.category, f.key, f.value, f.content, f.raw_content, f.origin,
    f.author_id, f.cause, f.said_at, said.sources"""
_ITS_SOURCES: Final = f"""
    SELECT coalesce(jsonb_agg(to_jsonb(one) ORDER BY source_id), '[]') AS sources FROM (
        SELECT {repository_slots.SOURCE_COLUMNS} FROM fact_sources s
        WHERE s.guild_id = $1 AND s.fact_id = f.fact_id
    ) one
"""


async def _named_facts(
    connection: Connection,
    *,
    guild_id: int,
    names: Sequence[str],
    fact_ids: Sequence[int],
    both: bool = False,
) -> list[NamedFact]:
    """Return the facts with one of these names, or all names of these facts; with `both` only these in those."""
    rows = await connection.fetch(
        f"""
        SELECT f.fact_id, a.name, a.role = 'subject' AND f.subject_id = {GUILD_SUBJECT} AS is_subject,
               {_NAMED_COLUMNS}
        FROM fact_about a JOIN facts f USING (guild_id, fact_id) CROSS JOIN LATERAL ({_ITS_SOURCES}) said
        WHERE a.guild_id = $1 AND a.name <> '' AND f.status <> 'forgotten'
          AND CASE WHEN $4 THEN a.name = ANY($2::text[]) AND a.fact_id = ANY($3::bigint[])
              ELSE a.name = ANY($2::text[]) OR a.fact_id = ANY($3::bigint[]) END
        ORDER BY f.fact_id, a.role DESC, a.name
        """,
        guild_id, list(names), list(fact_ids), both,
    )  # fmt: skip
    return rows_as(NamedFact, rows)


async def facts_naming(
    connection: Connection, *, guild_id: int, fact_ids: Sequence[int], user_id: int
) -> list[NamedFact]:
    """Return those of these facts that name a member and are about somebody else."""
    rows = await connection.fetch(
        f"""
        SELECT f.fact_id, coalesce((
                   SELECT min(called.name) FROM fact_about called
                   WHERE called.guild_id = $1 AND called.fact_id = f.fact_id AND called.role = 'subject'
               ), '') AS name, false AS is_subject, {_NAMED_COLUMNS}
        FROM fact_about a JOIN facts f USING (guild_id, fact_id) CROSS JOIN LATERAL ({_ITS_SOURCES}) said
        WHERE a.guild_id = $1 AND a.fact_id = ANY($2::bigint[]) AND a.role = 'named' AND a.user_id = $3
          AND f.status <> 'forgotten' AND f.subject_id <> $3
        ORDER BY f.fact_id
        """,
        guild_id, list(fact_ids), user_id,
    )  # fmt: skip
    return rows_as(NamedFact, rows)


async def _unbind(connection: Connection, *, guild_id: int, fact_id: int, names: Sequence[str]) -> None:
    """Note that these names in a fact now belong to members."""
    await connection.execute(
        "DELETE FROM fact_about WHERE guild_id = $1 AND fact_id = $2 AND name = ANY($3::text[])",
        guild_id, fact_id, list(names),
    )  # fmt: skip


async def _rewrite(
    connection: Connection, *, guild_id: int, bound: NamedFact, into: int | None, now: datetime
) -> None:
    """Write a fact as it is bound, resting until it is settled; `into` is the fact that says the same, if one does."""
    said: Mapping[str, object] = {"said": bound.sources}
    await connection.execute(
        f"""
        WITH said AS (
            SELECT * FROM jsonb_populate_recordset(NULL::fact_sources, $3::jsonb -> 'said')
        ), sources AS (
            UPDATE fact_sources s
            SET content = said.content, raw_content = said.raw_content, fact_id = coalesce($2, s.fact_id)
            FROM said WHERE s.guild_id = $1 AND s.source_id = said.source_id
        ), answered AS (
            UPDATE answers
            SET fact_ids = array_replace(fact_ids, $4::bigint, $2::bigint),
                memory_ids = array_replace(memory_ids, $4::bigint, $2::bigint)
            WHERE $2 IS NOT NULL AND guild_id = $1
              AND (fact_ids @> ARRAY[$4::bigint] OR memory_ids @> ARRAY[$4::bigint])
        ), gone AS (
            DELETE FROM facts WHERE $2 IS NOT NULL AND guild_id = $1 AND fact_id = $4
        )
        UPDATE facts SET
            subject_id = $5, key = $6, value = $7, content = $8, raw_content = $9, updated_at = $10,
            status = CASE WHEN status = 'active' THEN 'superseded' ELSE status END,
            lexemes = lexemes_of(
                {TEXT_SEARCH}::regconfig, $8)
        WHERE $2 IS NULL AND guild_id = $1 AND fact_id = $4
        """,
        guild_id, into, json_of(said), bound.fact_id, bound.subject_id, bound.key, bound.value, bound.content,
        bound.raw_content, now,
    )  # fmt: skip
