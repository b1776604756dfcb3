"""Finds who left a guild or came back while the bot was not connected: whenever a session begins, Discord is asked
about all stored members, slowly and after everything else.
"""

import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final

import discord

from bot.adapters.discord.members import Introductions
from bot.adapters.discord.schedule import Schedule
from bot.chat.keepsake import Keepsake
from bot.core.domain import DISCORD_EPOCH
from bot.core.errors import DatabaseError, MembersUnknownError
from bot.core.log import trace
from bot.db.service import Supervised
from bot.db.signs import rest, silent_for, waited

logger = logging.getLogger(__name__)


_ASKED: Final = 99
"""Members of one question: a hundred with the bot itself, as many as Discord takes."""

_APART_SECONDS: Final = 2.0
"""Real seconds between two questions: of the 120 frames that a connection may send in a minute most stay free."""

_ANSWER_SECONDS: Final = 90.0
"""Real seconds for one answer: the library may wait for 60 until it may ask, and gives up after 30 more."""

_CALM_SECONDS: Final = 600.0
"""Real seconds after which it is no longer waited for that all is read back."""

_LONGEST_PAUSE_SECONDS: Final = 300.0
_DATABASE_AWAY_SECONDS: Final = 5.0


class Departures(Supervised):
    """Notes who is no longer a member, and who is one again, though no event told of it; `start` before use.

    A member is gone only by an answer of Discord's that names others of the same question: no answer, a late one or
    one that was lost says nothing of anybody, and it is asked again.
    """

    def __init__(
        self,
        client: discord.Client,
        dependencies: Keepsake,
        introductions: Introductions,
        *,
        calm: Callable[[], Awaitable[None]],
    ) -> None:
        """`calm` returns when nothing is left to be read back, since members may wait for that."""
        super().__init__(dependencies.services, {"members who left": self._run})
        self._client = client
        self._dependencies = dependencies
        self._introductions = introductions
        self._calm = calm
        self._guilds = Schedule()
        self._anew: set[int] = set()
        self._up_to: dict[int, int] = {}

    def look_at(self, guild_id: int) -> None:
        """Have everybody asked for who is kept of a guild: some may have left, or come back, unheard."""
        self._anew.add(guild_id)
        self._guilds.add_if_new(guild_id)

    async def _run(self) -> None:
        while True:
            guild_id = await self._guilds.take()
            try:
                await self._look(guild_id)
            except Exception as error:
                # Whatever it is, all other guilds are looked at, and this one is again, from where it was left.
                away = isinstance(error, DatabaseError)
                at_most = _DATABASE_AWAY_SECONDS if away else _LONGEST_PAUSE_SECONDS
                pause = self._guilds.failed(guild_id, at_most=at_most)
                logger.info("who left guild %d is asked in %.0f seconds: %s", guild_id, pause, trace(error))
            else:
                self._guilds.done(guild_id)
            await rest(_APART_SECONDS)

    async def _look(self, guild_id: int) -> None:
        """Ask for the next members of a guild; once it is through, the next look begins with the first."""
        with contextlib.suppress(TimeoutError):
            await waited(self._calm, seconds=_CALM_SECONDS)
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            # Whoever is told that it is back has it looked at.
            return
        if guild_id in self._anew:
            self._anew.discard(guild_id)
            self._up_to[guild_id] = 0
        kept = await self._dependencies.directory.presences(
            guild_id,
            after_id=self._up_to.get(guild_id, 0),
            limit=_ASKED,
            since=guild.me.joined_at or DISCORD_EPOCH,
        )
        if kept:
            await self._compare(guild, kept)
        if len(kept) == _ASKED:
            self._up_to[guild_id] = max(kept)
            self._guilds.add(guild_id)
        else:
            self._up_to.pop(guild_id, None)

    async def _compare(self, guild: discord.Guild, kept: dict[int, bool]) -> None:
        """Note who of these members is gone, and who is back; `kept` says of each whether they are noted as here."""
        before = {user_id: guild.get_member(user_id) for user_id in kept}
        found = {member.id: member for member in await self._asked(guild, kept)}
        gone = [user_id for user_id, is_here in kept.items() if is_here and user_id not in found]
        for user_id in gone:
            known = guild.get_member(user_id)
            if known is not None and known is before[user_id]:
                # The client has it from before an outage of Discord's, and would take no notice of a return.
                guild._remove_member(known)
        back = [found[user_id] for user_id, is_here in kept.items() if not is_here and user_id in found]
        if gone:
            back += await self._note_gone(guild.id, gone)
        for member in back:
            self._introductions.forget(guild_id=guild.id, user_id=member.id)
        await self._introductions.meet(back, guild_id=guild.id)
        if gone or back:
            logger.info("guild %d: unheard, %d members left and %d came back", guild.id, len(gone), len(back))

    async def _asked(self, guild: discord.Guild, user_ids: Collection[int]) -> Sequence[discord.Member]:
        """Return those of these users who are members. Raises `MembersUnknownError` if Discord did not answer."""
        own_id = guild.me.id
        with silent_for(_ANSWER_SECONDS):
            found = await guild.query_members(
                user_ids=[own_id, *user_ids], limit=len(user_ids) + 1, cache=False
            )
        # A question that is lost with its connection ends like one that nobody was found for.
        if own_id not in {member.id for member in found}:
            raise MembersUnknownError(f"the members of guild {guild.id} were not told")
        return found

    async def _note_gone(self, guild_id: int, gone: Sequence[int]) -> list[discord.Member]:
        """Note that these members left, and return those who have come back meanwhile."""
        await self._dependencies.directory.members_left(
            guild_id=guild_id, user_ids=gone, at=self._dependencies.clock.now()
        )
        for user_id in gone:
            self._introductions.forget(guild_id=guild_id, user_id=user_id)
        # Whoever joined while that was written may have been written first.
        guild = self._client.get_guild(guild_id)
        known = [guild.get_member(user_id) for user_id in gone] if guild is not None else []
        return [member for member in known if member is not None]
