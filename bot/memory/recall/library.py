"""The library: paged reading of facts, messages and counts within a read scope."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.core.clock import Clock
from bot.core.domain import OPEN, Fact, Message
from bot.db.pool import Connection, Database, shared_by
from bot.memory.facts import repository as facts_repository
from bot.memory.members.names import spellings_of
from bot.memory.messages import conversations, repository_counts, repository_nearby
from bot.memory.messages import repository as messages_repository
from bot.memory.messages.conversations import Boundaries
from bot.memory.messages.repository import MessageVersion
from bot.memory.messages.repository_counts import MessageTally, WroteIn
from bot.memory.policy.permissions import ReadScope
from bot.memory.recall.query import Query
from bot.memory.recall.telling import LOOKED_BACK, most_telling

_WEIGHED: Final = 200
"""Messages of one member, and of a day, of which those are chosen that tell most."""


class Library:
    """Pages of what is kept, as far as a view reaches. After a silence of `gap` a conversation is over."""

    def __init__(self, database: Database, clock: Clock, *, gap: timedelta) -> None:
        self._database = database
        self._clock = clock
        self._boundaries = Boundaries(gap=gap)

    def sharing(self, connections: int) -> AbstractContextManager[None]:
        """Limit everything that is read and written inside to so many connections at once, in order of arrival."""
        return shared_by(connections)

    async def facts_about(self, subject_id: int, view: ReadScope, *, asker_id: int) -> list[Fact]:
        """Return every active fact about a subject that `view` shows, important and new first."""
        return await self.facts_about_each([subject_id], view, asker_id=asker_id)

    async def facts_about_each(
        self, subject_ids: Sequence[int] | None, view: ReadScope, *, asker_id: int, naming_asker: bool = False
    ) -> list[Fact]:
        """Return every active fact about these subjects, or about all, that `view` shows, important and new first.

        With `naming_asker` also those here that name the asker. In a direct message the asker's own open facts from
        the guilds shared with the bot are among them.
        """
        read = partial(facts_repository.active_facts, now=self._clock.now())

        async def both(connection: Connection) -> list[Fact]:
            here = await read(
                connection,
                guild_ids=[view.guild_id],
                audiences=view.audiences,
                subject_ids=subject_ids,
                naming=asker_id if naming_asker else None,
            )
            if not view.own_guild_ids or (subject_ids is not None and asker_id not in subject_ids):
                return here
            return here + await read(
                connection, guild_ids=view.own_guild_ids, audiences=[OPEN], subject_ids=[asker_id]
            )

        return await self._database.read(both)

    async def facts_known_of(
        self, user_ids: Sequence[int], view: ReadScope, *, asker_id: int, names: Sequence[str] = ()
    ) -> list[Fact]:
        """Return every active fact visible in `view` that is about these members or names, or names them.

        `names` are names that belong to no member, in any case. In a direct message this includes facts about the asker
        from guilds shared with the bot.
        """
        spellings = sorted({spelling for name in names for spelling in spellings_of(name)})
        read = partial(facts_repository.facts_known_of, now=self._clock.now())

        async def both(connection: Connection) -> list[Fact]:
            here = await read(
                connection,
                guild_ids=[view.guild_id],
                audiences=view.audiences,
                user_ids=user_ids,
                names=spellings,
            )
            if not view.own_guild_ids or asker_id not in user_ids:
                return here
            return here + await facts_repository.active_facts(
                connection,
                guild_ids=view.own_guild_ids,
                audiences=[OPEN],
                subject_ids=[asker_id],
                now=self._clock.now(),
            )

        return await self._database.read(both)

    async def all_facts(self, view: ReadScope, *, asker_id: int) -> list[Fact]:
        """Return every active fact visible in `view`, about anybody."""
        return await self.facts_about_each(None, view, asker_id=asker_id)

    async def message(self, *, guild_id: int, message_id: int) -> Message | None:
        """Return one message, also a withheld one, or `None` if it was never heard."""
        return await self._database.read(
            messages_repository.message, guild_id=guild_id, message_id=message_id
        )

    async def messages(self, *, guild_id: int, message_ids: Sequence[int]) -> list[Message]:
        """Return these messages, also withheld ones, oldest first; those never heard are missing."""
        return await self._database.read(
            messages_repository.messages, guild_id=guild_id, message_ids=message_ids
        )

    async def said_around(
        self, *, view: ReadScope, message_ids: Sequence[int], before_message_id: int
    ) -> tuple[Mapping[int, Sequence[Message]], frozenset[int]]:
        """Return what was said right around these messages, and which told what has been replaced since."""
        return await self._database.read(
            repository_nearby.said_around,
            guild_id=view.guild_id,
            message_ids=message_ids,
            before_message_id=before_message_id,
            audiences=view.audiences,
        )

    async def telling(
        self,
        *,
        view: ReadScope,
        limits: Mapping[int, int],
        query: Query,
        before_message_id: int,
    ) -> dict[int, list[Message]]:
        """Return by member what they said lately, or others of them, that tells most, and by 0 the talk that is meant.

        That is what was said on a day that `query` asks about, or in a channel that it names. `limits` say of how many
        messages each member is told at most; with `ANYBODY` among them what states something is told whoever said it.
        """
        now = self._clock.now()
        span = query.span if query.narrows else None
        said = await self._database.survey(
            repository_nearby.said_by_or_in,
            guild_id=view.guild_id,
            user_ids=list(limits),
            since=now - LOOKED_BACK,
            span=(span.begins, span.ends or now) if span is not None and span.begins else None,
            words=query.words,
            before_message_id=before_message_id,
            audiences=view.audiences,
            limit=_WEIGHED,
        )
        return most_telling(said, limits=limits)

    async def said_before(
        self, *, user_id: int, view: ReadScope, before_message_id: int, limit: int
    ) -> tuple[MessageTally, list[Message]]:
        """Return how much a member has said before a message, and the last of it, oldest first."""

        async def read(connection: Connection) -> tuple[MessageTally, list[Message]]:
            tally = await repository_counts.tally_of_member(
                connection,
                guild_id=view.guild_id,
                user_id=user_id,
                audiences=view.audiences,
                before_message_id=before_message_id,
            )
            latest = await messages_repository.latest_by_member(
                connection,
                guild_id=view.guild_id,
                user_id=user_id,
                audiences=view.audiences,
                before_message_id=before_message_id,
                limit=limit,
            )
            return tally, latest

        return await self._database.read(read)

    async def wrote_in(
        self, *, user_id: int, view: ReadScope, before_message_id: int, limit: int
    ) -> tuple[MessageTally, list[WroteIn]]:
        """Return how much a member has said before a message, and the `limit` channels with most of it."""

        async def read(connection: Connection) -> tuple[MessageTally, list[WroteIn]]:
            tally = await repository_counts.tally_of_member(
                connection,
                guild_id=view.guild_id,
                user_id=user_id,
                audiences=view.audiences,
                before_message_id=before_message_id,
            )
            if not tally.messages:
                return tally, []
            channels = await repository_counts.fullest_channels(
                connection,
                guild_id=view.guild_id,
                user_id=user_id,
                audiences=view.audiences,
                before_message_id=before_message_id,
                limit=limit,
            )
            return tally, channels

        return await self._database.read(read)

    async def in_conversation(
        self, *, guild_id: int, channel_id: int, user_id: int, before_message_id: int, limit: int
    ) -> list[Message]:
        """Return what a member said last in the running conversation of a channel, oldest first."""

        async def read(connection: Connection) -> list[Message]:
            first_id = await conversations.first_message_id(
                connection,
                self._boundaries,
                guild_id=guild_id,
                channel_id=channel_id,
                up_to_id=before_message_id,
            )
            if first_id is None:
                return []
            return await messages_repository.by_member_since(
                connection,
                guild_id=guild_id,
                channel_id=channel_id,
                user_id=user_id,
                first_message_id=first_id,
                before_message_id=before_message_id,
                limit=limit,
            )

        return await self._database.read(read)

    async def just_before(self, message: Message) -> list[Message]:
        """Return the message before this one in its channel, as a list of one, or of none."""
        return await self.latest_in_channel(message, limit=1)

    async def latest_in_channel(self, message: Message, *, limit: int) -> list[Message]:
        """Return the last messages before this one in its channel, oldest first."""
        return await self._database.read(
            messages_repository.latest_in_channel,
            guild_id=message.guild_id,
            channel_id=message.channel_id,
            before_message_id=message.message_id,
            limit=limit,
        )

    async def chain_above(self, message: Message, *, limit: int) -> list[Message]:
        """Return the messages that `message` replies to, one above the other, `limit` at most, oldest first."""
        reply_to_id = message.reply_to_id
        if reply_to_id is None:
            return []
        return await self._database.read(
            messages_repository.reply_chain, guild_id=message.guild_id, message_id=reply_to_id, limit=limit
        )

    async def previous_of(self, message: Message) -> Message | None:
        """Return the author's message before this one in the running conversation of its channel."""
        previous = await self.in_conversation(
            guild_id=message.guild_id,
            channel_id=message.channel_id,
            user_id=message.user_id,
            before_message_id=message.message_id,
            limit=1,
        )
        return previous[0] if previous else None

    async def kept_versions(
        self, *, guild_id: int, channel_id: int, from_id: int, to_id: int
    ) -> list[MessageVersion]:
        """Return which versions are kept of a channel's messages within the range of ids, both ends included.

        Oldest first, withheld ones too: what is missing here was never heard.
        """
        return await self._database.read(
            messages_repository.message_versions,
            guild_id=guild_id,
            channel_id=channel_id,
            from_id=from_id,
            to_id=to_id,
        )

    async def newest_ids(self) -> dict[int, int]:
        """Return, by guild, the largest id of the messages that are kept, where there are any."""
        return await self._database.read(messages_repository.newest_ids)

    async def newest_time(self, guild_id: int) -> datetime | None:
        """Return when the newest message of a guild was written, or `None` if it has none."""
        return await self._database.read(messages_repository.newest_time, guild_id=guild_id)

    async def newest_id(self, *, guild_id: int, from_id: int, to_id: int) -> int | None:
        """Return the largest message id of a guild within the range, both ends included."""
        return await self._database.read(
            messages_repository.newest_id, guild_id=guild_id, from_id=from_id, to_id=to_id
        )
