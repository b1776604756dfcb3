"""A guild whose members say to the bot what is written for them."""

import functools
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Final
from unittest import mock

from bot import app
from bot.app import Keepsake
from bot.chat import dispatch
from bot.chat.gathering import gather
from bot.chat.incoming import IncomingMessage
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Channel, Guild, Member, Message, MessageKind, snowflake_at
from tests.scripted_models import ScriptedModels

_GUILD_ID, _BOT_ID, _FIRST_CHANNEL, _FIRST_MEMBER = 1_000, 77, 2_000, 11
READ_SECONDS: Final = 60.0
"""Longer than any read."""


@contextmanager
def unhurried(models: ScriptedModels | None = None) -> Iterator[None]:
    """Let a reply have all that it reads, however busy the machine is, and have these models asked, if any."""
    with mock.patch.object(dispatch, "gather", functools.partial(gather, seconds=READ_SECONDS)):
        if models is None:
            yield
        else:
            with mock.patch.object(app, "build_models", lambda *_, **__: models):
                yield


class Stage:
    """A guild with its members and channels, by name."""

    def __init__(
        self,
        keepsake: Keepsake,
        clock: SetClock,
        *,
        members: Sequence[str],
        channels: Sequence[str],
        closed_channels: Collection[str] = (),
        persona: str = "",
        between: timedelta = timedelta(seconds=40),
    ) -> None:
        """`between` is how long a message comes after the one before it."""
        self.clock: Final = clock
        self._keepsake = keepsake
        self._channels: Mapping[str, int] = {
            name: number for number, name in enumerate(channels, _FIRST_CHANNEL)
        }
        self._members: Mapping[str, int] = {
            name: number for number, name in enumerate(members, _FIRST_MEMBER)
        }
        self._closed_ids = {self._channels[name] for name in closed_channels}
        self._persona = persona
        self._between = between

    async def set_up(self) -> None:
        """Take up guild, channels and members."""
        directory = self._keepsake.directory
        await directory.add_guild(Guild(guild_id=_GUILD_ID, name="Friends", persona=self._persona))
        for name, channel_id in self._channels.items():
            audience = self._audience(channel_id)
            await directory.put_channel(
                Channel(guild_id=_GUILD_ID, channel_id=channel_id, name=name, audience=audience)
            )
        await directory.put_members(
            [
                Member(guild_id=_GUILD_ID, user_id=user_id, user_name=name)
                for name, user_id in self._members.items()
            ]
        )

    async def say(self, name: str, text: str, channel: str) -> str | None:
        """Let a member say something; return what the bot answers."""
        said = self._message(self._members[name], text, self._channels[channel])
        conversation = self._keepsake.conversation
        outcome = await conversation.hear(
            IncomingMessage(message=said, bot_id=_BOT_ID, bot_names=("Bot", "Бот"), visitor=False)
        )
        if outcome.text is not None:
            self.clock.advance(timedelta(seconds=1))
            answer = self._message(_BOT_ID, outcome.text, said.channel_id, reply_to_id=said.message_id)
            await conversation.delivered(outcome, sent=[answer])
        self.clock.advance(self._between)
        return outcome.text

    async def settle(self) -> None:
        """Wait for all that what was said makes necessary."""
        await self._keepsake.memory.told()
        await self._keepsake.work.idle()
        await self._keepsake.memory.told()

    def _audience(self, channel_id: int) -> int:
        return channel_id if channel_id in self._closed_ids else OPEN

    def _message(
        self, user_id: int, text: str, channel_id: int, *, reply_to_id: int | None = None
    ) -> Message:
        now = self.clock.now()
        return Message(
            guild_id=_GUILD_ID,
            channel_id=channel_id,
            message_id=snowflake_at(now),
            user_id=user_id,
            text=text,
            timestamp=now,
            audience=self._audience(channel_id),
            kind=MessageKind.BOT if user_id == _BOT_ID else MessageKind.MEMBER,
            reply_to_id=reply_to_id,
        )
