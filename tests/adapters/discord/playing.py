"""Plays a day on the loopback Discord: lets people act, waits for the bot's answers, and notes what is not as told."""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import singledispatchmethod
from typing import Any

from bot.core.domain import Language
from bot.text.sentences import say
from tests.adapters.discord import day
from tests.adapters.discord.day_acts import (
    DIRECT,
    Act,
    Chatters,
    Chooses,
    Clicks,
    Commands,
    Deletes,
    Edits,
    Forwards,
    Joins,
    Leaves,
    Pins,
    Renames,
    Says,
    Starts,
    Unfurls,
)
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction import FakeInteraction
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeChannel, FakeMessage
from tests.servers.discord.waiting import until

Meddle = Callable[[int], Awaitable[None]]
"""Called with the number of each act, when it was begun and its answer is not there yet."""


_CATCHING_UP = re.compile(
    "|".join(
        rf"\n{re.escape(line)}" for line in [say("forget.catching_up", language) for language in Language]
    )
)


def without_news_of_gaps(text: str) -> str:
    """Return an answer without the line that the bot is still catching up, which depends on the cuts."""
    return _CATCHING_UP.sub("", text)


async def nothing(_number: int) -> None:
    """Let everything go well."""


def open_house(server: DiscordServer) -> FakeGuild:
    """Make the guild of the day."""
    guild = server.add_guild("Harbour", members=(), channels=())
    for name, nickname in day.MEMBERS.items():
        guild.add_member(name, nickname=nickname)
    guild.add_member(day.MODERATOR, moderator=True)
    guild.add_member(day.HELPER, bot=True)
    for name, kind in day.CHANNELS.items():
        guild.add_channel(name, kind=kind)
    guild.add_channel(day.CLOSED, visible_to=("Moderators",))
    return guild


class Player:
    """One day as it is played; `wrong` tells what the bot did otherwise than the day says."""

    def __init__(self, server: DiscordServer, guild: FakeGuild, *, meddle: Meddle = nothing) -> None:
        self._server = server
        self._guild = guild
        self._meddle = meddle
        self._number = 0
        self.said: dict[str, FakeMessage] = {}
        """Messages by their labels, answers with `>` before the label."""
        self.messages: list[FakeMessage] = []
        """Every message that came to be, those that were deleted too."""
        self.carried: dict[int, tuple[str, ...]] = {}
        """What messages carry, as it is kept, by id."""
        self.wrong: list[str] = []

    async def play(self, acts: Iterable[Act]) -> None:
        """Let every act happen, one after another."""
        for act in acts:
            self._number += 1
            await self._happen(act)
        for channel in (*self._guild.channels.values(), *self._guild.threads.values(), *self._direct()):
            self.messages += [one for one in channel.messages.values() if one not in self.messages]
        self.messages.sort(key=lambda message: message.message_id)

    def _direct(self) -> list[FakeChannel]:
        return [one for one in self._server.world.channels.values() if one.guild is None]

    @singledispatchmethod
    async def _happen(self, act: Act) -> None:
        raise TypeError(f"nobody plays {act!r}")

    @_happen.register
    async def _say(self, act: Says) -> None:
        message = await self._said(act)
        self._note(act.label, message, act.carries)
        await self._meddled()
        if act.answer is None:
            return
        answer = await self._server.answer_to(message)
        if act.label:
            self.said[f">{act.label}"] = answer
        self._compare(message.text, self._worded(act.answer), answer.text)
        if act.without and act.without in answer.text:
            self.wrong.append(f"to {message.text!r}\n  unwanted {act.without!r}\n  said {answer.text!r}")

    async def _said(self, act: Says) -> FakeMessage:
        text = self._worded(act.text)
        if act.webhook:
            return await self._guild.say_by_webhook(act.who, act.where, text)
        to = self.said[act.to] if act.to else None
        if act.where == DIRECT:
            return await self._guild.say_directly(act.who, text, reply_to=to)
        sounds = act.fields.get("attachments", ())
        flags = act.fields.get("flags", 0)
        assert isinstance(sounds, Sequence)
        assert isinstance(flags, int)
        more: dict[str, Any] = {
            name: value for name, value in act.fields.items() if name not in ("attachments", "flags")
        }
        return await self._guild.say(
            act.who,
            act.where,
            text,
            reply_to=to,
            attachments=(*act.files, *sounds),
            embeds=act.embeds,
            flags=flags,
            **more,
        )

    @_happen.register
    async def _edit(self, act: Edits) -> None:
        message = self.said[act.label]
        await self._guild.edit(message, self._worded(act.text))
        await self._meddled()
        if act.answer is not None:
            answer, wanted = self.said[f">{act.label}"], self._worded(act.answer)
            before = answer.text
            await until(lambda: answer.text != before, what=f"{before!r} is replaced by {wanted!r}")
            self._compare(message.text, wanted, answer.text)

    @_happen.register
    async def _delete(self, act: Deletes) -> None:
        gone = [self.said[label] for label in act.labels]
        if act.in_bulk:
            await self._guild.bulk_delete(gone)
        else:
            for message in gone:
                await self._guild.delete(message)
        await self._meddled()

    @_happen.register
    async def _unfurl(self, act: Unfurls) -> None:
        await self._guild.unfurl(self.said[act.label], act.embed)
        self.carried[self.said[act.label].message_id] = act.carries
        await self._meddled()

    @_happen.register
    async def _forward(self, act: Forwards) -> None:
        forwarded = await self._guild.forward(act.who, act.where, self.said[act.label])
        self._note("", forwarded, act.carries)
        await self._meddled()

    @_happen.register
    async def _start(self, act: Starts) -> None:
        self._guild.add_thread(
            act.where,
            act.name,
            private=act.private,
            members=act.members,
            on=self.said[act.on] if act.on else None,
            text=act.text,
            author=act.who,
        )
        await self._meddled()

    @_happen.register
    async def _rename(self, act: Renames) -> None:
        self._guild.rename(act.who, act.nickname)
        await self._meddled()

    @_happen.register
    async def _join(self, act: Joins) -> None:
        self._guild.add_member(act.who)
        await self._guild.announce_join(act.who, act.where)
        await self._meddled()

    @_happen.register
    async def _leave(self, act: Leaves) -> None:
        self._guild.leave(act.who)
        await self._meddled()

    @_happen.register
    async def _pin(self, act: Pins) -> None:
        await self._guild.pin(act.who, self.said[act.label])
        await self._meddled()

    @_happen.register
    async def _chatter(self, act: Chatters) -> None:
        for number in range(act.count):
            who = act.who[number % len(act.who)]
            self._note("", await self._guild.say(who, act.where, f"chatter {number} of {who}"), ())
            if number == act.count // 2:
                await self._meddled()

    @_happen.register
    async def _click(self, act: Clicks) -> None:
        await self._meddled()
        await self._server.connected()
        clicked = await self._guild.click(act.who, self.said[f">{act.label}"], act.button)
        await until(lambda: clicked.messages, what=f"{act.who} is told what {act.button} did")
        self._compare(f"{act.button} by {act.who}", act.answer, _shown(clicked))

    @_happen.register
    async def _command(self, act: Commands) -> None:
        await self._meddled()
        await self._server.connected()
        given = await self._guild.slash(act.who, act.where, act.command, **act.options)
        for words in act.words:
            self._compare(f"/{act.command} of {act.who}", f"…{words}…", _shown(given))

    @_happen.register
    async def _choose(self, act: Chooses) -> None:
        await self._meddled()
        await self._server.connected()
        chosen = await self._guild.message_menu(act.who, act.entry, self.said[act.label])
        for words in act.words:
            self._compare(f"{act.entry} by {act.who}", f"…{words}…", _shown(chosen))

    async def _meddled(self) -> None:
        await self._meddle(self._number)

    def _note(self, label: str, message: FakeMessage, carries: tuple[str, ...]) -> None:
        if label:
            self.said[label] = message
        self.messages.append(message)
        self.carried[message.message_id] = carries

    def _worded(self, text: str) -> str:
        mentions = {member.user.name: member.mention for member in self._guild.members.values()}
        return re.sub(r"\{(\w+)\}", lambda found: mentions[found[1]], text)

    def _compare(self, to: str, wanted: str, said: str) -> None:
        told = without_news_of_gaps(said)
        if re.fullmatch(re.escape(wanted).replace("…", ".*"), told, re.DOTALL) is None:
            self.wrong.append(f"to {to!r}\n  wanted {wanted!r}\n  said   {said!r}")


def _shown(interaction: FakeInteraction) -> str:
    """Return all words that an interaction was answered with, those of embeds too."""
    words = []
    for message in interaction.messages:
        words.append(message.text)
        for embed in message.embeds:
            words += [str(embed.get("title", "")), str(embed.get("description", ""))]
    return "\n".join(filter(None, words))
