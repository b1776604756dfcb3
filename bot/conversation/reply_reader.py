"""What a chat reply may draw on, each part read by itself, as far as the view reaches and until one deadline."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Final, TypeVar

from bot.conversation.taking_part import mentioned_in
from bot.conversation.turn import Doors, Turn
from bot.domain import OPEN, Episode, Fact, Message, mention_of
from bot.errors import DatabaseError
from bot.log import kind
from bot.memory.place_facts import RememberedPlace
from bot.memory.recall import FLOOR, Hit, HitKind, query_of
from bot.memory.relevance import Relevant
from bot.memory.rolling import Window

logger = logging.getLogger(__name__)

_LAST_SECONDS: Final = 0.05
"""Of these, what is kept to put together what is known when the rest is over."""

LAST_MESSAGES: Final = 20
"""Messages before the one to answer that the prompt carries word for word, at least."""

CHAIN_MESSAGES: Final = 10
"""Replies above the message to answer that the prompt carries as well, where they are older than those."""

_LOOKED_AT: Final = 40
"""Of what is found, how much is looked at: most of what is like a message stands right before it."""

T = TypeVar("T")


class ReplyReader:
    """Reads what a reply to `turn` may draw on, each part until the deadline."""

    def __init__(self, turn: Turn, doors: Doors, *, now: datetime, seconds: float) -> None:
        self._turn = turn
        self._doors = doors
        self._now = now
        self._began = asyncio.get_running_loop().time()
        self._seconds = seconds

    @property
    def left(self) -> float:
        """The seconds until the deadline."""
        return max(0.0, self._began + self._seconds - asyncio.get_running_loop().time())

    async def part(self, name: str, read: Callable[[], Awaitable[T]], *, share: float = 1.0) -> T | None:
        """Return what `read` gives within `share` of all the time; `None` if it is late or fails, which is logged."""
        try:
            async with asyncio.timeout_at(self._began + share * self._seconds):
                return await read()
        except (TimeoutError, DatabaseError) as error:
            logger.warning(
                "the reply to message %d goes without %s: %s",
                self._turn.message.message_id,
                name,
                kind(error),
            )
            return None

    async def window(self) -> Window:
        """Return the running conversation; of a visitor what stands in this channel alone."""
        message = self._turn.message
        audiences = (message.audience,) if self._turn.visitor else self._turn.view.audiences
        window = await self._doors.memory.rolling.window(message, audiences=audiences, least=LAST_MESSAGES)
        return Window(
            summary=window.summary,
            covers_up_to=window.covers_up_to,
            messages=tuple(one for one in window.messages if self._turn.sees(one)),
        )

    async def chain(self) -> list[Message]:
        """Return the replies above the message to answer, oldest first."""
        if self._turn.replied_to is None or self._turn.replied_to.reply_to_id is None:
            return []
        above = await self._doors.library.chain_above(self._turn.message, limit=CHAIN_MESSAGES)
        return [message for message in above if self._turn.sees(message)]

    async def relevant(self, user_ids: Sequence[int]) -> Mapping[int, Relevant]:
        """Return who everyone is, and the facts that fit."""
        turn = self._turn
        # Whom the message names counts as its words: "is she married to Bob?" is about a fact that names him.
        named = " ".join(mention_of(user_id) for user_id in mentioned_in(turn.text, turn))
        return await self._doors.memory.relevant(
            view=turn.view,
            user_ids=user_ids,
            text=f"{turn.text} {named}".strip(),
            asker_id=turn.message.user_id,
        )

    async def contexts(self, user_ids: Sequence[int]) -> Mapping[int, str]:
        """Return what is remembered of members of whom more than facts is known: facts alone are told one by one."""
        if not self._turn.view.audiences:
            return {}
        told = await self._doors.memory.get_memories_of(
            self._turn.message.guild_id,
            user_ids,
            audience=self._turn.message.audience,
            seconds=max(0.0, self.left - _LAST_SECONDS),
        )
        asker_id = self._turn.message.user_id
        own = {user_id: one.context for user_id, one in told.items() if user_id == asker_id and one.lately}
        return own | {
            user_id: one.context_unquoted
            for user_id, one in told.items()
            if user_id != asker_id and one.lately_unquoted
        }

    async def profiles(self, user_ids: Sequence[int]) -> Mapping[int, str]:
        """Return what was learned of members, where what is open may be told; of the asker also from elsewhere."""
        view, asker_id = self._turn.view, self._turn.message.user_id
        if OPEN not in view.audiences:
            return {}
        if not view.own_guild_ids:
            return await self._doors.memory.profiles.of(guild_id=view.guild_id, user_ids=user_ids)
        own = await self._doors.memory.profiles.own(guild_ids=view.own_guild_ids, user_id=asker_id)
        return {asker_id: "\n".join(own[guild_id] for guild_id in sorted(own))}

    async def places(self, user_ids: Sequence[int]) -> Mapping[int, tuple[RememberedPlace, ...]]:
        """Return the places of members."""
        if not self._turn.view.audiences:
            return {}
        return await self._doors.memory.places.of(
            user_ids, self._turn.view, asker_id=self._turn.message.user_id
        )

    async def episodes(self) -> list[Episode]:
        """Return what earlier conversations of this channel left behind, newest first."""
        if not self._turn.view.audiences:
            return []
        message = self._turn.message
        return await self._doors.memory.episodes.of_channel(
            guild_id=message.guild_id, channel_id=message.channel_id, audiences=self._turn.view.audiences
        )

    async def hits(self) -> tuple[list[Hit], dict[int, Fact]]:
        """Return what else has to do with the message, the best first, and those hits that are facts."""
        turn = self._turn
        if not turn.view.audiences or not turn.text.strip():
            return [], {}
        query = query_of(
            turn.text,
            now=self._now,
            time_zone=turn.time_zone,
            asker_id=turn.message.user_id,
            named_ids=mentioned_in(turn.text, turn),
            before_message_id=turn.message.message_id,
        )
        found = await self._doors.memory.recall(
            guild_id=turn.view.guild_id, query=query, audiences=turn.view.audiences, limit=_LOOKED_AT
        )
        hits = [hit for hit in found if hit.score >= FLOOR]
        fact_ids = [hit.hit_id for hit in hits if hit.kind is HitKind.FACT]
        facts = await self._doors.memory.facts_with_ids(guild_id=turn.view.guild_id, fact_ids=fact_ids)
        return hits, {fact.fact_id: fact for fact in facts}

    async def channel_names(self) -> Mapping[int, str]:
        """Return what the channels are called."""
        channels = await self._doors.directory.channels(self._turn.message.guild_id)
        return {channel.channel_id: channel.name for channel in channels}
