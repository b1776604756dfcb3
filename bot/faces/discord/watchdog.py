"""The watchdog of answers: whatever stays written and is not sent is told, and sent again."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import aiohttp
import discord

from bot.errors import HistoryUnreadableError
from bot.faces.discord.hearing import Ears
from bot.faces.discord.inside import Inside
from bot.faces.discord.owner import Trouble, Troubles
from bot.faces.discord.requests import Requests
from bot.faces.discord.sentences import Sentence
from bot.log import trace
from bot.memory.answering import Unsent

if TYPE_CHECKING:
    from bot.service import Service

logger = logging.getLogger(__name__)

OVERDUE: Final = timedelta(minutes=2)
"""In real time: by then all tries of the delivery are over, the library's own included."""

_WITHIN: Final = timedelta(days=1)
"""What was asked longer ago is no longer answered: nobody waits for it."""

_PAUSE_SECONDS: Final = 30.0
"""Real seconds between looks."""

_MOST: Final = 500
"""Answers of one look; the next one finds the others."""

_NAMED: Final = 10
"""Messages of which the log tells the ids."""

_STUCK_SECONDS: Final = 120.0
"""Real seconds after which a request to Discord takes too long: something keeps all of them waiting."""


class Watchdog:
    """Looks now and then, first at the start: what a process that died left unsent counts too."""

    def __init__(
        self, client: discord.Client, inside: Inside, ears: Ears, troubles: Troubles, requests: Requests
    ) -> None:
        self._client = client
        self._inside = inside
        self._ears = ears
        self._troubles = troubles
        self._requests = requests
        self._service: Service | None = None

    def start(self) -> None:
        """Begin to look; done again, it changes nothing."""
        if self._service is None:
            self._service = self._inside.services.start("watchdog of answers", self._run)

    async def stop(self) -> None:
        """End; what is not sent by now is found after the next start."""
        if self._service is not None:
            await self._service.stop()

    async def look(self) -> None:
        """Tell of answers that stay written, and send them. Raises `DatabaseError`."""
        self._look_at_requests()
        overdue = await self._inside.memory.answers.unsent(
            guild_ids=[guild.id for guild in self._client.guilds if not guild.unavailable],
            with_direct=self._has_direct,
            overdue=OVERDUE,
            within=_WITHIN,
            most=_MOST,
        )
        if not overdue:
            return
        left = [one for one in overdue if not self._ears.is_sending(one.message_id)]
        self._tell(overdue, sending=len(overdue) - len(left))
        for one in left:
            try:
                await self._send(one)
            except (discord.DiscordException, aiohttp.ClientError, OSError, HistoryUnreadableError) as error:
                logger.warning("the answer to message %d stays written: %s", one.message_id, trace(error))

    async def _run(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(_PAUSE_SECONDS)

    def _look_at_requests(self) -> None:
        seconds = self._requests.oldest_seconds
        if seconds > _STUCK_SECONDS:
            logger.error(
                "%d requests to Discord are under way, the oldest for %.0f seconds: nothing may be sent meanwhile",
                self._requests.count,
                seconds,
            )

    def _tell(self, overdue: Sequence[Unsent], *, sending: int) -> None:
        logger.error(
            "%d answers stay written for more than %d seconds: %d are being sent, %d are sent again now; messages %s",
            len(overdue),
            OVERDUE.total_seconds(),
            sending,
            len(overdue) - sending,
            ", ".join(str(one.message_id) for one in overdue[:_NAMED]),
        )
        minutes = int(OVERDUE.total_seconds()) // 60
        self._troubles.add(Trouble(Sentence.ANSWERS_UNSENT, {"count": len(overdue), "minutes": minutes}))

    async def _send(self, unsent: Unsent) -> None:
        """Send an answer again, unless what it answers is gone or can no longer be read."""
        try:
            message = await self._answered(unsent)
        except (discord.NotFound, discord.Forbidden) as error:
            logger.warning("the answer to message %d is given up: %s", unsent.message_id, trace(error))
            await self._inside.conversation.given_up(guild_id=unsent.guild_id, message_id=unsent.message_id)
            return
        await self._ears.send_again(message)

    async def _answered(self, unsent: Unsent) -> discord.Message:
        """Return the message that is answered, from what the client remembers: history may be closed to the bot."""
        remembered = discord.utils.get(self._client.cached_messages, id=unsent.message_id)
        if remembered is not None:
            return remembered
        channel = self._client.get_channel(unsent.channel_id)
        channel = channel or await self._client.fetch_channel(unsent.channel_id)
        if not isinstance(channel, discord.abc.Messageable):
            raise AssertionError(f"channel {unsent.channel_id} held a message, and takes none")
        return await channel.fetch_message(unsent.message_id)

    @property
    def _has_direct(self) -> bool:
        shard_ids = getattr(self._client, "shard_ids", None)
        return shard_ids is None or 0 in shard_ids
