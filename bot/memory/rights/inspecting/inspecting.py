"""What operators may look at: how much there is of everything, and the texts within a read scope."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, assert_never

from bot.core.domain import GUILD_SUBJECT, MAX_ID, OPEN, Episode, Fact, Guild
from bot.db import copying, jobs, service
from bot.db.pool import Connection, Database
from bot.llm.budget import Spent
from bot.llm.ledger import UsageKey, usage_after
from bot.memory.facts.repository import facts_with_ids
from bot.memory.members import repository as members_repository
from bot.memory.members.names import spelling_of, spellings_of
from bot.memory.messages import repository_quarantine
from bot.memory.outbox import repository as outbox_repository
from bot.memory.policy.disclosure import is_said_by_or_names, without_naming
from bot.memory.policy.permissions import OperatorScope, scope_of_operator
from bot.memory.policy.redaction import without_opted_out
from bot.memory.recall.search import Hit, HitKind
from bot.memory.rights.access.access import Revealed
from bot.memory.rights.exporting.document import ExportedSource
from bot.memory.rights.exporting.repository import sources_of
from bot.memory.rights.inspecting import repository
from bot.memory.rights.inspecting.records import (
    GuildSize,
    KeptFact,
    ListedChannel,
    ListedGuild,
    ListedMember,
    WorkHealth,
)
from bot.memory.summaries.repository_episodes import episodes_resting_on

NOTHING_REVEALED: Final = Revealed()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactPage:
    """Facts about one subject, each with every time that it was said, and how many the scope does not reach."""

    facts: Sequence[KeptFact]
    sources: Mapping[int, Sequence[ExportedSource]]
    next_id: int | None
    """Behind which the next page begins; `None` if this was the last one."""
    hidden: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodePage:
    """Episodes of a channel, and how many the scope does not reach."""

    episodes: Sequence[Episode]
    next_id: int | None
    """Before which the next page begins; `None` if this was the last one."""
    hidden: int


class Inspecting:
    """Reads for operators. None waits for a model, and none changes anything."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def guilds(self, *, after_id: int, limit: int) -> list[ListedGuild]:
        """Return the guilds with larger ids than `after_id`, by id; direct messages too, each a guild."""
        return await self._database.read(repository.guilds_after, after_id=after_id, limit=limit)

    async def guild(self, guild_id: int) -> ListedGuild | None:
        """Return a guild, or `None` if it is not known."""
        return await self._database.read(repository.listed_guild, guild_id=guild_id)

    async def size_of(self, guild_id: int) -> GuildSize:
        """Return how much is kept of a guild, open or closed."""
        return await self._database.read(repository.size_of_guild, guild_id=guild_id)

    async def channels(self, *, guild_id: int, after_id: int, limit: int) -> list[ListedChannel]:
        """Return the channels and threads of a guild with larger ids than `after_id`, by id, deleted ones too."""
        return await self._database.read(
            repository.channels_after, guild_id=guild_id, after_id=after_id, limit=limit
        )

    async def members(self, *, guild_id: int, name: str, after_id: int, limit: int) -> list[ListedMember]:
        """Return the members with larger ids than `after_id` with `name`, in any case, in one of their names, by id."""
        return await self._database.read(
            repository.members_after, guild_id=guild_id, name=name, after_id=after_id, limit=limit
        )

    async def names(self, *, guild_id: int, user_ids: Sequence[int]) -> Mapping[int, str]:
        """Return what these members of a guild are called, by their ids, as far as they are known."""
        return await self._database.read(members_repository.names_of, guild_id=guild_id, user_ids=user_ids)

    async def member(self, *, guild_id: int, user_id: int) -> ListedMember | None:
        """Return a member, or `None` if they are not known."""
        return await self._database.read(repository.listed_member, guild_id=guild_id, user_id=user_id)

    async def scope(self, guild: Guild, *, revealed: Revealed = NOTHING_REVEALED) -> OperatorScope:
        """Return what an operator may read in a guild."""

        async def read(connection: Connection) -> OperatorScope:
            return scope_of_operator(
                guild,
                revealed=await repository.closed_audiences(
                    connection, guild_id=guild.guild_id, channel_ids=sorted(revealed.channel_ids)
                ),
                private_ids=await _private(connection, guild, revealed),
            )

        return await self._database.read(read)

    async def scope_about(self, guild: Guild, member: ListedMember, *, revealed: Revealed) -> OperatorScope:
        """Return what an operator may read about a member: of one who is private nothing until it is revealed."""
        if member.user_id not in revealed.user_ids:
            scope = await self.scope(guild, revealed=revealed)
            return replace(scope, audiences=()) if member.private else scope

        async def read(connection: Connection) -> OperatorScope:
            everywhere = await repository.channel_ids(connection, guild_id=guild.guild_id)
            private = await _private(connection, guild, revealed)
            return scope_of_operator(guild, revealed=[OPEN, *everywhere], private_ids=private)

        return await self._database.read(read)

    async def facts(self, scope: OperatorScope, *, subject_id: int, after_id: int, limit: int) -> FactPage:
        """Return the facts about a member, or the guild itself, with larger ids than `after_id`, by id.

        What held once is among them.
        """

        async def read(connection: Connection) -> FactPage:
            found = await repository.facts_after(
                connection, scope, subject_id=subject_id, after_id=after_id, limit=limit
            )
            sources = await sources_of(
                connection, guild_id=scope.guild_id, fact_ids=[one.fact.fact_id for one in found]
            )
            hidden = await repository.count_hidden_facts(connection, scope, subject_id=subject_id)
            names = await _private_names(connection, scope) if subject_id == GUILD_SUBJECT else frozenset()
            shown = [one for one in found if not _may_mean(names, one.fact)]
            return FactPage(
                facts=shown,
                sources=sources,
                next_id=found[-1].fact.fact_id if len(found) == limit else None,
                hidden=hidden + len(found) - len(shown),
            )

        return await self._database.read(read)

    async def episodes(
        self, scope: OperatorScope, *, channel_id: int, before_id: int | None, limit: int
    ) -> EpisodePage:
        """Return the episodes of a channel before one, or the newest, as far as they may be told."""

        async def read(connection: Connection) -> EpisodePage:
            found = await repository.episodes_before(
                connection,
                scope,
                channel_id=channel_id,
                before_id=MAX_ID if before_id is None else before_id,
                limit=limit,
            )
            present = await without_opted_out(
                connection, guild_id=scope.guild_id, texts=[one.content for one in found]
            )
            left = [without_naming(text, scope.private_ids) for text in present]
            hidden_ids = await _resting_on_private(connection, scope)
            return EpisodePage(
                episodes=[
                    replace(one, content=text)
                    for one, text in zip(found, left, strict=True)
                    if text and one.episode_id not in hidden_ids
                ],
                next_id=found[-1].episode_id if len(found) == limit else None,
                hidden=await repository.count_hidden_episodes(connection, scope, channel_id=channel_id),
            )

        return await self._database.read(read)

    async def told(self, scope: OperatorScope, hits: Sequence[Hit]) -> list[Hit]:
        """Return search results as far as members would be told them.

        Nothing of private members: neither what they said, nor what is about them or names them.
        """

        async def read(connection: Connection) -> tuple[frozenset[int], frozenset[int]]:
            of_names = [one.hit_id for one in hits if one.kind is HitKind.FACT and not one.subject_id]
            names = await _private_names(connection, scope) if of_names else frozenset()
            known = (
                await facts_with_ids(connection, guild_id=scope.guild_id, fact_ids=of_names) if names else []
            )
            meant = frozenset(one.fact_id for one in known if _may_mean(names, one))
            return await _resting_on_private(connection, scope), meant

        resting_ids, meant_ids = await self._database.read(read)
        shown = (
            _without_private(one, scope, resting_ids)
            for one in hits
            if one.kind is not HitKind.FACT or one.hit_id not in meant_ids
        )
        return [one for one in shown if one is not None]

    async def usage(
        self, since: date, *, guild_id: int | None, after: UsageKey | None, limit: int
    ) -> list[Spent]:
        """Return what models were used for since a day, behind a row that was listed; of one guild or of all."""
        return await self._database.read(usage_after, since, guild_id=guild_id, after=after, limit=limit)

    async def health(self) -> WorkHealth:
        """Return what fails and what waits, in whichever process."""
        return await self._database.read(read_health)


async def read_health(connection: Connection) -> WorkHealth:
    """Return what the processes on a database tell of their work."""
    return WorkHealth(
        services=await service.read_failing(connection),
        work=await jobs.waiting(connection),
        answers=await outbox_repository.waiting_answers(connection),
        messages=await repository_quarantine.count(connection),
        last_backup_at=await copying.last_backup(connection),
    )


async def _private_names(connection: Connection, scope: OperatorScope) -> frozenset[str]:
    """Return the names of private members, in the spellings by which names are compared."""
    if not scope.private_ids:
        return frozenset()
    names = await repository.names_borne_by(connection, guild_id=scope.guild_id, user_ids=scope.private_ids)
    return frozenset(spelling_of(name) for name in names)


def _may_mean(names: frozenset[str], fact: Fact) -> bool:
    """Tell whether a fact about a name that belongs to no member may be about a member with one of these `names`."""
    return fact.is_about_a_name and not names.isdisjoint(spellings_of(fact.name_about))


async def _resting_on_private(connection: Connection, scope: OperatorScope) -> frozenset[int]:
    """Return the episodes that rest on what private members said: in a talk told as a whole they may stand unnamed."""
    if not scope.private_ids:
        return frozenset()
    return await episodes_resting_on(connection, guild_id=scope.guild_id, user_ids=scope.private_ids)


def _without_private(hit: Hit, scope: OperatorScope, resting_ids: Collection[int]) -> Hit | None:
    match hit.kind:
        case HitKind.MESSAGE:
            hides = is_said_by_or_names(scope.private_ids, hit.text, author_id=hit.author_id)
            return None if hides else hit
        case HitKind.FACT:
            hides = (
                hit.subject_id in scope.private_ids or without_naming(hit.text, scope.private_ids) != hit.text
            )
            return None if hides else hit
        case HitKind.EPISODE:
            text = without_naming(hit.text, scope.private_ids)
            return replace(hit, text=text) if text and hit.hit_id not in resting_ids else None
    assert_never(hit.kind)


async def _private(connection: Connection, guild: Guild, revealed: Revealed) -> frozenset[int]:
    """Return the members of a guild who are private and were not revealed."""
    private = await members_repository.private_ids(connection, guild_id=guild.guild_id)
    return frozenset(private) - revealed.user_ids
