"""The members loaded for a turn: those who may be named in what is said, and those whom the ids in it mean."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from bot.core.domain import Member
from bot.db.jobs import Job
from bot.db.pool import Database
from bot.llm.framing import mentioned_in
from bot.memory.members import repository
from bot.memory.members.name_index import Probes, probes_in
from bot.memory.members.names import names_borne
from bot.memory.members.roster import Roster

SMALL_GUILD: Final = 200
"""Members of a guild that is met as a whole: so few are read as quickly as those who are named in a text."""

INDEXING_JOB: Final = "names"
"""The kind of background work that indexes the names of members who were there before the index was."""

_INDEXED_AT_ONCE: Final = 1_000


class KnownMembers:
    """The members of a guild that have been loaded so far; of a large guild only these are read.

    Load the members who may be named in a text before asking whom it names, and the members whom ids mean before
    turning ids into names. Nobody is read twice, and once all members of a small guild are loaded, nothing is read any
    more.
    """

    def __init__(
        self,
        database: Database,
        *,
        guild_id: int,
        audiences: Sequence[int],
        own_guild_ids: Sequence[int] = (),
    ) -> None:
        """Begin with no members. Facts of `audiences` give members further names.

        In `own_guild_ids` members are loaded only by id, to show their names: a name never refers to them.
        """
        self._database = database
        self._guild_id = guild_id
        self._audiences = audiences
        self._own_guild_ids = own_guild_ids
        self._probed: set[int] = set()
        self._asked_ids: set[int] = set()
        self._has_begun = False
        self._is_whole = False
        self._by_id: dict[int, Member] = {}
        self._elsewhere: dict[tuple[int, int], Member] = {}
        self._everyone: tuple[Member, ...] = ()
        self._names: Mapping[int, str] = {}
        self._rosters: dict[frozenset[int], Roster] = {}

    @property
    def everyone(self) -> Sequence[Member]:
        """The members of the guild who were met, by their ids."""
        return self._everyone

    @property
    def names(self) -> Mapping[int, str]:
        """What those are called who were met, here or else in the other guilds."""
        return self._names

    def without(self, set_aside: frozenset[int]) -> Roster:
        """Return those of the guild who were met, but for some, with lookups that are kept until more are met."""
        if set_aside not in self._rosters:
            self._rosters[set_aside] = Roster([one for one in self._everyone if one.user_id not in set_aside])
        return self._rosters[set_aside]

    async def meet(self, *texts: str, user_ids: Iterable[int] = (), seconds: float | None = None) -> None:
        """Meet who may be named in `texts` or is mentioned there, and members with these ids, in one statement.

        With `seconds`, real ones, names that facts give are left out if they are not there by then.
        """
        ids = {*user_ids, *(user_id for text in texts for user_id in mentioned_in(text))} - self._asked_ids
        probes: Probes = {}
        if not self._is_whole:
            found = probes_in(texts)
            probes = {key: most for key, most in found.items() if key not in self._probed}
        elif not self._own_guild_ids:
            return
        if not (ids or probes) and self._has_begun:
            return
        first = 0 if self._has_begun else SMALL_GUILD + 1
        try:
            async with asyncio.timeout(seconds):
                met = await self._read(probes, ids, first=first, audiences=self._audiences)
        except TimeoutError:
            met = await self._read(probes, ids, first=first, audiences=())
        self._take(met)
        self._probed.update(probes)
        self._asked_ids |= ids
        self._is_whole = self._is_whole or (first > 0 and len(self._by_id) <= SMALL_GUILD)
        self._has_begun = True

    async def meet_mentioned(
        self, *texts: str, user_ids: Iterable[int] = (), seconds: float | None = None
    ) -> None:
        """Load the members whom the ids in `texts` mean, and members with these ids, as `meet` does."""
        ids = {*user_ids, *(user_id for text in texts for user_id in mentioned_in(text))}
        if ids - self._names.keys():
            await self.meet(user_ids=ids, seconds=seconds)

    async def meet_namesakes(self, user_id: int) -> None:
        """Meet a member and all who bear one of their names."""
        await self.meet(user_ids=[user_id])
        if (member := self._by_id.get(user_id)) is not None:
            await self.meet(*names_borne(member))

    async def meet_anew(self, user_ids: Collection[int]) -> None:
        """Read these members as they are now."""
        self._take(await self._read({}, user_ids, first=0, audiences=self._audiences))

    async def _read(
        self, probes: Probes, user_ids: Collection[int], *, first: int, audiences: Sequence[int]
    ) -> list[Member]:
        return await self._database.read(
            repository.members_met,
            guild_id=self._guild_id,
            audiences=audiences,
            probes=probes,
            user_ids=sorted(user_ids),
            own_guild_ids=self._own_guild_ids,
            first=first,
            with_aliases=first > 0,
        )

    def _take(self, met: Iterable[Member]) -> None:
        for member in met:
            if member.guild_id == self._guild_id:
                self._by_id[member.user_id] = member
            else:
                self._elsewhere[member.guild_id, member.user_id] = member
        self._everyone = tuple(self._by_id[user_id] for user_id in sorted(self._by_id))
        elsewhere = (self._elsewhere[key] for key in sorted(self._elsewhere))
        self._names = {one.user_id: one.name for one in (*elsewhere, *self._everyone)}
        self._rosters.clear()


class NameIndexer:
    """Indexes the names of members who were there before the index was, a batch at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def index(self, job: Job) -> None:
        """Index all names of the guild of `job` that are not yet; until then who bears them is met anyway."""
        while await self._database.write(
            repository.index_names, guild_id=job.guild_id, limit=_INDEXED_AT_ONCE
        ):
            pass
