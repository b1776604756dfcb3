"""The simulated guild: its channels, members and direct messages, made when they are first named, and its
log channel.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final, Self
from zoneinfo import ZoneInfo

from bot.chat.rights_texts import removal_line
from bot.core.domain import (
    DISCORD_EPOCH,
    MAX_ID,
    OPEN,
    Channel,
    Guild,
    Language,
    Member,
    mention_of,
    snowflake_at,
)
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from bot.memory.members.directory import Directory
from bot.memory.members.subjects import rendered
from bot.memory.outbox.removal_log import Removal

# Ids of made-up things look as if these had been created in the years 2016 to 2024.
_OLDEST_ID: Final = snowflake_at(DISCORD_EPOCH + timedelta(days=365))
_NEWEST_ID: Final = snowflake_at(DISCORD_EPOCH + timedelta(days=365 * 9))

# A mention begins at an @ that is no part of an e-mail address, and is not opened as `<@` already.
_AT: Final = re.compile(r"(?<![\w.+\-@<])@")
_GOES_ON: Final = re.compile(r"[\w@]|[.\-]\w")
"""What follows a longer name, or the domain of an address."""


def same_name(name: str) -> str:
    """Return the form in which two spellings of one name are equal."""
    return unicodedata.normalize("NFC", name).casefold()


def id_of(*words: str) -> int:
    """Return the id that goes with these words: always the same, and as large as ids of Discord are."""
    digest = hashlib.blake2b("\0".join(same_name(word) for word in words).encode(), digest_size=8).digest()
    return _OLDEST_ID + int.from_bytes(digest) % (_NEWEST_ID - _OLDEST_ID)


def mentionable(members: Iterable[Member], *, bot_id: int, bot_names: Iterable[str]) -> dict[str, int]:
    """Return who is meant by each name after an @: a user name before a nickname; no name that two share."""
    by_user_name: dict[str, set[int]] = {}
    by_shown_name: dict[str, set[int]] = {}
    for member in members:
        by_user_name.setdefault(same_name(member.user_name), set()).add(member.user_id)
        for name in (member.nickname, member.display_name):
            by_shown_name.setdefault(same_name(name), set()).add(member.user_id)
    found = {same_name(name): bot_id for name in bot_names}
    for names in (by_user_name, by_shown_name):
        for name, user_ids in names.items():
            if name and len(user_ids) == 1:
                found.setdefault(name, next(iter(user_ids)))
    return found


def with_mentions(text: str, user_ids: Mapping[str, int]) -> str:
    """Return `text` with each `@name` of `user_ids` written as Discord does, the longest name first."""
    longest = max(map(len, user_ids), default=0)
    parts: list[str] = []
    done = 0
    for at in _AT.finditer(text):
        if at.start() < done:
            continue
        start = at.end()
        for end in range(min(len(text), start + longest), start, -1):
            user_id = user_ids.get(same_name(text[start:end]))
            if user_id is not None and not _GOES_ON.match(text, end):
                parts += [text[done : at.start()], mention_of(user_id)]
                done = end
                break
    return "".join([*parts, text[done:]])


DEFAULT_NAME: Final = "Keepsake"
"""The guild where the console talks if none is named."""

_BOT_USER_NAME: Final = "keepsake"


class SimulatedGuild:
    """One guild as the console plays it. What Discord would know is in the directory; who may do what is kept here."""

    def __init__(self, directory: Directory, guild: Guild, bot_names: Sequence[str]) -> None:
        self._directory = directory
        self._moderator_ids: set[int] = set()
        self._manager_ids: set[int] = set()
        self.guild: Final = guild
        self.zone: Final = ZoneInfo(guild.time_zone)
        self.bot_id: Final = id_of("bot", _BOT_USER_NAME)
        self.bot_names: Final = tuple(dict.fromkeys((*bot_names, _BOT_USER_NAME)))

    @classmethod
    async def enter(cls, directory: Directory, settings: Settings, name: str) -> Self:
        """Go to the guild called `name` (or with this id), which is made if nobody knows it.

        Raises `InvalidInputError` if several guilds have the name, or if it is empty.
        """
        if not name.strip():
            raise InvalidInputError("the name of a guild is empty: it needs at least one letter")
        guild = await _guild_called(directory, name)
        if guild is None:
            guild = Guild(guild_id=id_of("guild", name), name=name, time_zone=settings.time_zone)
            await directory.add_guild(guild)
        entered = cls(directory, guild, settings.bot_names)
        await directory.put_members([entered._bot_in(guild.guild_id)])
        return entered

    @property
    def bot_name(self) -> str:
        """What the bot is called here."""
        return self.bot_names[0]

    def rejoin(self, directory: Directory) -> None:
        """Continue with the directory of a bot that was restarted."""
        self._directory = directory

    async def channels(self) -> list[Channel]:
        """Return the channels of the guild by name."""
        return await self._directory.channels(self.guild.guild_id)

    async def members(self) -> list[Member]:
        """Return the members of the guild without the bot itself."""
        known = await self._directory.members(self.guild.guild_id)
        return [member for member in known if member.user_id != self.bot_id]

    async def channel(self, name: str) -> Channel:
        """Return the channel called `name`; a new one is open."""
        return await self.declare_channel(name, closed=None)

    async def declare_channel(self, name: str, *, closed: bool | None) -> Channel:
        """Make the channel called `name` open or closed; `None` leaves it as it is, or open if it is new.

        Raises `InvalidInputError` if several channels have the name.
        """
        channel = await self._channel_called(name)
        if channel is not None and closed is None:
            return channel
        if channel is None:
            channel_id = id_of("channel", str(self.guild.guild_id), name)
            channel = Channel(guild_id=self.guild.guild_id, channel_id=channel_id, name=name)
        channel = replace(channel, audience=channel.channel_id if closed else OPEN)
        await self._directory.put_channel(channel)
        return channel

    async def member(self, name: str) -> Member:
        """Return the member called `name`, who joins if nobody is.

        Raises `InvalidInputError` if several are, or if it is the bot's own name.
        """
        if same_name(name) in map(same_name, self.bot_names):
            raise InvalidInputError(f"{name!r} is the bot itself, which nobody else can speak for")
        known = _member_called(await self.members(), name)
        if known is not None:
            return known
        joined = Member(guild_id=self.guild.guild_id, user_id=id_of("member", name), user_name=name)
        await self._directory.put_members([joined])
        return joined

    async def declare_member(self, name: str, *, moderator: bool, manager: bool = False) -> Member:
        """Return the member called `name`, who is a moderator or manager from now on, or none.

        Raises as `member` does.
        """
        member = await self.member(name)
        (self._moderator_ids.add if moderator else self._moderator_ids.discard)(member.user_id)
        (self._manager_ids.add if manager else self._manager_ids.discard)(member.user_id)
        return member

    async def declare_bot(self, name: str) -> Member:
        """Return the member called `name`, who is another bot from now on; raises as `member` does."""
        member = await self.member(name)
        if not member.is_bot:
            member = replace(member, is_bot=True)
            await self._directory.put_members([member])
        return member

    def is_moderator(self, member: Member) -> bool:
        """Tell whether `member` was declared a moderator."""
        return member.user_id in self._moderator_ids

    def is_manager(self, member: Member) -> bool:
        """Tell whether `member` was declared a manager, who may change the settings."""
        return member.user_id in self._manager_ids

    async def direct_channel(self, member: Member) -> Channel:
        """Return the channel of `member`'s direct messages with the bot, which is a guild of its own."""
        channel_id = id_of("direct", str(self.bot_id), str(member.user_id))
        if await self._directory.guild(channel_id) is None:
            await self._directory.add_guild(
                Guild(guild_id=channel_id, name="", time_zone=self.guild.time_zone, direct=True)
            )
        channel = Channel(guild_id=channel_id, channel_id=channel_id, name=member.name)
        await self._directory.put_channel(channel)
        await self._directory.put_members([replace(member, guild_id=channel_id), self._bot_in(channel_id)])
        return channel

    async def zone_of(self, guild_id: int) -> ZoneInfo:
        """Return the time zone that a guild, this one or one of direct messages, has by now."""
        guild = await self._directory.guild(guild_id)
        return ZoneInfo(guild.time_zone) if guild else self.zone

    async def reads(self, guild_id: int) -> tuple[int, ...]:
        """Return the audiences of a guild that any member can read: here everybody may speak in every channel."""
        if guild_id != self.guild.guild_id:
            return (OPEN,)
        return tuple({OPEN, *(channel.audience for channel in await self.channels())})

    async def as_stored(self, text: str) -> str:
        """Return `text` with members written as `<@id>` where it names them with an @."""
        if "@" not in text:
            return text
        members = await self.members()
        return with_mentions(text, mentionable(members, bot_id=self.bot_id, bot_names=self.bot_names))

    async def _channel_called(self, name: str) -> Channel | None:
        same = [channel for channel in await self.channels() if same_name(channel.name) == same_name(name)]
        found = [channel for channel in same if channel.name == name] or same
        if len(found) > 1:
            raise InvalidInputError(
                f"{len(found)} channels are called {name!r} here, so it names none of them"
            )
        return found[0] if found else None

    def _bot_in(self, guild_id: int) -> Member:
        return Member(
            guild_id=guild_id,
            user_id=self.bot_id,
            user_name=_BOT_USER_NAME,
            display_name=self.bot_name,
            is_bot=True,
        )


async def _guild_called(directory: Directory, name: str) -> Guild | None:
    found = await directory.guilds_named(name)
    if not found and name.isascii() and name.isdigit() and int(name) <= MAX_ID:
        guild = await directory.guild(int(name))
        return None if guild is None or guild.direct else guild
    if len(found) > 1:
        ids = ", ".join(str(guild.guild_id) for guild in found)
        raise InvalidInputError(f"{len(found)} guilds are called {name!r}: name one by its id, of {ids}")
    return found[0] if found else None


def _member_called(members: Iterable[Member], name: str) -> Member | None:
    """Return who is called `name`: by user name if somebody is, else by the name that is shown."""
    members = list(members)
    for names in (
        {m: (m.user_name,) for m in members},
        {m: (m.nickname, m.display_name) for m in members},
    ):
        same = [m for m in members if same_name(name) in map(same_name, names[m])]
        found = [m for m in same if name in names[m]] or same
        if len(found) > 1:
            users = ", ".join(sorted(m.user_name for m in found))
            raise InvalidInputError(
                f"{len(found)} members are called {name!r}: write a user name, of {users}"
            )
        if found:
            return found[0]
    return None


class LogLines:
    """Takes the lines of the guild that the console plays; every other guild has a face of its own."""

    def __init__(self, guild: SimulatedGuild) -> None:
        self._guild = guild
        self._lines: list[str] = []

    async def post(self, removal: Removal, *, channel_id: int) -> bool:
        """Take one line, members and channel by their names; `False` for another guild than the one that is played."""
        if removal.guild_id != self._guild.guild.guild_id:
            return False
        channels = {channel.channel_id: channel.name for channel in await self._guild.channels()}
        called = {member.user_id: member.name for member in await self._guild.members()}
        line = rendered(removal_line(removal, Language.ENGLISH), called)
        self._lines.append(f"[#{channels.get(channel_id, 'log')}] {line}")
        return True

    def taken(self) -> list[str]:
        """Return the lines that came since this was last asked."""
        lines, self._lines = self._lines, []
        return lines
