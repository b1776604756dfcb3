"""The directory of guilds, channels and members: their names, settings and switches, and the leases by
which processes share the shards.
"""

import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.core.domain import OPEN, Channel, Guild, Member
from bot.core.errors import InvalidInputError
from bot.db.leases import ShardLeases
from bot.db.pool import Connection, Database
from bot.llm.framing import mentioned_in
from bot.memory.guilds import repository as guilds_repository
from bot.memory.guilds import settings, text_search
from bot.memory.guilds.notices import GuildNotices, Notices
from bot.memory.guilds.repository import Place
from bot.memory.members import repository
from bot.memory.members.known import KnownMembers
from bot.memory.members.name_index import probes_of
from bot.memory.members.names import names_borne
from bot.memory.members.repository import NewBearer
from bot.memory.policy.admission import clean
from bot.memory.policy.permissions import ReadScope, scope_of
from bot.memory.summaries import repository_episodes
from bot.text.secrets.masking import masked

logger = logging.getLogger(__name__)


async def _leave_to_others(_: NewBearer) -> None:
    """Leave it to the background work that was asked for."""


class Directory:
    """Guilds, channels and members, as they were told; names are read anew each time, never kept stale.

    `notify` is called after a commit that asked for background work. `purge_episodes` says whether the episodes of
    a channel go with it.
    """

    def __init__(
        self,
        database: Database,
        *,
        notify: Callable[[], None] = lambda: None,
        purge_episodes: bool = False,
    ) -> None:
        self._database = database
        self._notify = notify
        self._purge_episodes = purge_episodes
        self._bind: Callable[[NewBearer], Awaitable[None]] = _leave_to_others
        self.shards = ShardLeases(database)
        self.notices = Notices(database)
        self.tellings = GuildNotices(database)
        self.changed: Final[list[Callable[[Guild], None]]] = []
        """Told of each guild whose settings this process changed, as soon as they hold; none of them may raise."""

    def bind_by(self, bind: Callable[[NewBearer], Awaitable[None]]) -> None:
        """Have `bind` give members at once what was kept of their names, which background work would do otherwise."""
        self._bind = bind

    async def add_guild(self, guild: Guild) -> bool:
        """Take up `guild`; of a known one only the name is renewed, and it is no longer left.

        Tells whether it was new. Raises `InvalidInputError` for a time zone that the database does not know.
        """
        named = replace(guild, name=clean(guild.name), persona=clean(guild.persona))
        return await self._database.write(guilds_repository.add_guild, named)

    async def guild(self, guild_id: int) -> Guild | None:
        """Return a guild with its settings, or `None` if it is not known."""
        return await self._database.read(guilds_repository.guild, guild_id=guild_id)

    async def change_guild(self, was: Guild, becomes: Guild) -> Guild:
        """Write the settings in which `becomes` differs from `was`, and return the guild as it is then.

        Others that were changed meanwhile stay. They hold at once; another base role begins a new epoch. Secrets in
        a persona are masked.
        Raises `InvalidInputError` for a value that cannot be, or a guild that is not known.
        """
        becomes = replace(becomes, name=clean(becomes.name), persona=masked(clean(becomes.persona)))
        changes = settings.changes_between(was, becomes)

        async def change(connection: Connection) -> Guild:
            searches = await guilds_repository.text_searches(connection) if "text_search" in changes else []
            settings.check_settings(becomes, changes, text_searches=searches)
            changed = await guilds_repository.change_guild(connection, guild_id=was.guild_id, changes=changes)
            if changed is None:
                raise InvalidInputError(f"guild {was.guild_id} is not known")
            if "text_search" in changes:
                await text_search.ask_for_reindexing(connection, guild_id=was.guild_id)
            return changed

        changed = await self._database.write(change)
        self._notify()
        for told in self.changed:
            told(changed)
        return changed

    async def base_roles(self, guild_ids: Collection[int]) -> dict[int, int]:
        """Return the base roles of those of these guilds in which it is not @everyone."""
        return await self._database.read(guilds_repository.base_roles, guild_ids=list(guild_ids))

    async def text_searches(self) -> list[str]:
        """Return the text-search configurations that a guild may choose, such as `english`."""
        return await self._database.read(guilds_repository.text_searches)

    async def guild_left(self, guild_id: int, at: datetime) -> None:
        """Note that the bot was removed from a guild, which is no outage; until its grace is over all stays."""
        await self._database.write(guilds_repository.guild_left, guild_id=guild_id, at=at)

    async def guilds_named(self, name: str) -> list[Guild]:
        """Return the guilds of this name, without regard to case."""
        return await self._database.read(guilds_repository.guilds_named, name=name)

    async def guild_names(self) -> list[str]:
        """Return the names of all guilds but direct messages."""
        return await self._database.read(guilds_repository.guild_names)

    async def put_channel(self, channel: Channel) -> None:
        """Take up `channel`, or renew its name, parent and audience."""
        await self.put_channels([channel])

    async def put_channels(self, put: Sequence[Channel]) -> None:
        """Take up channels and threads; of known ones name, parent and audience are renewed, no switch is.

        An audience that changed begins a new epoch of its guild's memory.
        """
        last = {(one.guild_id, one.channel_id): replace(one, name=clean(one.name)) for one in put}
        if last:
            await self._database.write(guilds_repository.put_channels, [*last.values()])

    async def channel(self, *, guild_id: int, channel_id: int) -> Channel | None:
        """Return a channel or thread with what holds there, also a deleted one; `None` if it is not known."""
        return await self._database.read(guilds_repository.channel, guild_id=guild_id, channel_id=channel_id)

    async def channels(self, guild_id: int) -> list[Channel]:
        """Return the channels and threads of a guild by name, deleted ones left out."""
        return await self._database.read(guilds_repository.channels_of, guild_id=guild_id)

    async def direct_channels(self, *, limit: int) -> list[Channel]:
        """Return the direct messages with the newest messages, newest first."""
        return await self._database.read(guilds_repository.direct_channels, limit=limit)

    async def change_channel(self, was: Channel, becomes: Channel) -> Channel:
        """Set the switches (hearing, answering, quiet), persona and model in which `becomes` differs from `was`.

        Returns the channel with what holds then. A thread is heard only where its parent is, is quiet as long
        as either is, and answers as its parent does until something else is chosen for it. What is said while
        nothing is heard is never stored, by no later reading back either; an edit then takes the text of a
        message that is kept. Secrets in a persona are masked.
        Raises `InvalidInputError` if the channel is not known.
        """
        becomes = replace(becomes, persona=masked(clean(becomes.persona)))

        async def change(connection: Connection) -> Channel:
            await guilds_repository.change_channel(connection, was=was, becomes=becomes)
            changed = await guilds_repository.channel(
                connection, guild_id=was.guild_id, channel_id=was.channel_id
            )
            if changed is None:
                raise InvalidInputError(f"channel {was.channel_id} is not known")
            return changed

        return await self._database.write(change)

    async def drop_channels(self, *, guild_id: int, channel_ids: Sequence[int], at: datetime) -> None:
        """Note that these channels, and so their threads, were deleted; what was said in them stays.

        What conversations there left behind stays too, unless it is to be purged.
        """

        async def drop(connection: Connection) -> int:
            await guilds_repository.drop_channels(
                connection, guild_id=guild_id, channel_ids=channel_ids, at=at
            )
            if not self._purge_episodes:
                return 0
            return await repository_episodes.purge_episodes_of_deleted(
                connection, guild_id=guild_id, channel_ids=channel_ids
            )

        if purged := await self._database.write(drop):
            logger.info("guild %d: %d episodes went with %d channels", guild_id, purged, len(channel_ids))

    async def raise_watermarks(self, watermarks: Mapping[int, Mapping[int, int]]) -> None:
        """Raise the watermarks of channels to these message ids, by guild and channel; they never sink.

        Only what is durable may lie below one. Channels that are not known are left out.
        """
        if any(watermarks.values()):
            await self._database.write_one(guilds_repository.raise_watermarks, watermarks)

    async def begin_channels(self, guild_id: int, last_ids: Mapping[int, int]) -> None:
        """Note, by channel, the last message before the bot was to hear it: nothing below it is missing.

        Channels that are not known are left out.
        """
        if last_ids:
            await self._database.write(guilds_repository.begin, guild_id=guild_id, last_ids=last_ids)

    async def lower_beginning(self, *, guild_id: int, channel_id: int, message_id: int) -> None:
        """Note that the past of a channel has been read back down to this message."""
        await self._database.write(
            guilds_repository.lower_beginning, guild_id=guild_id, channel_id=channel_id, message_id=message_id
        )

    async def beginnings(self, guild_id: int) -> dict[int, int]:
        """Return, by channel, down to which message its past has been read back, where any was."""
        return await self._database.read(guilds_repository.beginnings, guild_id=guild_id)

    async def place(self, *, guild_id: int, channel_id: int) -> Place:
        """Return a guild and a channel, also a deleted one, with all that holds there, in one read."""
        return await self._database.read(guilds_repository.place, guild_id=guild_id, channel_id=channel_id)

    async def put_members(self, put: Sequence[Member], *, are_here: bool = True) -> None:
        """Take up members, or renew their names; a name given up still helps to recognise.

        Who had left is there again, unless the past tells of them and nobody knows whether they `are_here`.
        """
        last = {
            (one.guild_id, one.user_id): replace(
                one,
                user_name=clean(one.user_name),
                display_name=clean(one.display_name),
                nickname=clean(one.nickname),
            )
            for one in put
        }
        if not last:
            return
        bearers = await self._database.write_one(repository.put_members, [*last.values()], are_here=are_here)
        if bearers:
            self._notify()
        for one in bearers:
            # Whoever asks next is told what was kept of the name; if this is cut off, background work does it.
            await self._bind(one)

    async def member_left(self, *, guild_id: int, user_id: int, at: datetime) -> None:
        """Note that a member left a guild; what is known about them stays until their grace is over."""
        await self.members_left(guild_id=guild_id, user_ids=[user_id], at=at)

    async def members_left(self, *, guild_id: int, user_ids: Sequence[int], at: datetime) -> None:
        """Note that members left a guild; who had left before did so when that was noted."""
        await self._database.write(repository.members_left, guild_id=guild_id, user_ids=user_ids, at=at)

    async def presences(
        self, guild_id: int, *, after_id: int, limit: int, since: datetime
    ) -> dict[int, bool]:
        """Return so many members with ids above this one, and whether each is noted as here.

        Bots are left out, and who said nothing after `since` but something before.
        """
        return await self._database.read(
            repository.presences, guild_id=guild_id, after_id=after_id, limit=limit, since=since
        )

    async def members(self, guild_id: int, *, audiences: Sequence[int] = (OPEN,)) -> list[Member]:
        """Return all members of a guild, with the aliases that facts of these audiences give them.

        A large guild has many: to deal with a few members use `known`, `members_with_ids` or `names`.
        """
        return await self._database.read(repository.members_of, guild_id=guild_id, audiences=audiences)

    def known(self, view: ReadScope) -> KnownMembers:
        """Return the members who may be met where `view` is what may be drawn on: nobody yet."""
        return KnownMembers(
            self._database,
            guild_id=view.guild_id,
            audiences=view.audiences,
            own_guild_ids=view.own_guild_ids,
        )

    async def members_with_ids(
        self, guild_id: int, user_ids: Iterable[int], *, audiences: Sequence[int] = (OPEN,)
    ) -> list[Member]:
        """Return these members of a guild, all who share a name with them, and all whom facts of these audiences name.

        They come with the aliases that those facts give them. Of many with the same name only some are returned.
        """

        async def read(connection: Connection) -> list[Member]:
            ids = frozenset(user_ids)
            met = await repository.members_met(
                connection, guild_id=guild_id, audiences=audiences, probes={}, user_ids=sorted(ids),
                with_aliases=True,
            )  # fmt: skip
            called = [name for one in met if one.user_id in ids for name in (*names_borne(one), *one.aliases)]
            others = await repository.members_met(
                connection, guild_id=guild_id, audiences=audiences, probes=probes_of(called), user_ids=()
            )
            return [*{one.user_id: one for one in (*met, *others)}.values()]

        return await self._database.read(read)

    async def names(self, guild_id: int, texts: Iterable[str]) -> Mapping[int, str]:
        """Return what the members are called in a guild whose ids stand in `texts`."""
        return await self._database.read(
            repository.names_of,
            guild_id=guild_id,
            user_ids=sorted({user_id for text in texts for user_id in mentioned_in(text)}),
        )

    async def are_known(self, guild_id: int, user_ids: Collection[int]) -> frozenset[int]:
        """Return those of these ids that are of members who are known in a guild."""
        found = await self._database.read(repository.names_of, guild_id=guild_id, user_ids=sorted(user_ids))
        return frozenset(found)

    async def private_ids(self, guild_id: int) -> frozenset[int]:
        """Return the members of a guild about whom others may be told nothing."""
        return frozenset(await self._database.read(repository.private_ids, guild_id=guild_id))

    async def private_members(self, guild_id: int) -> Mapping[int, Sequence[str]]:
        """Return the members of a guild about whom others may be told nothing, and their names."""
        return await self._database.read(repository.private_members, guild_id=guild_id)

    async def private_members_and_channel_names(
        self, guild_id: int
    ) -> tuple[Mapping[int, Sequence[str]], dict[int, str]]:
        """Return those, and the names of the guild's channels."""
        return await self._database.read(repository.private_members_and_channel_names, guild_id=guild_id)

    async def view(self, *, guild_id: int, channel_audience: int, user_id: int) -> ReadScope:
        """Return what a reply to `user_id` may draw on in a channel of this audience."""
        guild = await self.guild(guild_id)
        if guild is None or not guild.direct:
            return scope_of(guild_id=guild_id, channel_audience=channel_audience)
        shared = await self._database.read(repository.shared_guild_ids, user_id=user_id)
        return scope_of(guild_id=guild_id, channel_audience=OPEN, shared_guild_ids=tuple(shared))
