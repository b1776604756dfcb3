"""What a request is about (a server, a channel or a member), and how much of it the operator may see."""

from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias

from fastapi import Depends

from bot.adapters.web.entering import Asking
from bot.adapters.web.models import ChannelId, GuildId, UserId
from bot.adapters.web.parts import Web, WebParts
from bot.adapters.web.problems import not_found
from bot.core.domain import OPEN, Channel, Guild
from bot.memory.policy.permissions import OperatorScope
from bot.memory.rights.access.access import Revealed
from bot.memory.rights.inspecting.records import ListedMember


async def known_guild(web: WebParts, guild_id: int) -> Guild:
    """Return a guild, or raise 404."""
    guild = await web.keepsake.directory.guild(guild_id)
    if guild is None:
        raise not_found(f"guild {guild_id}")
    return guild


async def known_channel(web: WebParts, guild_id: int, channel_id: int) -> tuple[Guild, Channel]:
    """Return a guild and its channel, or raise 404."""
    place = await web.keepsake.directory.place(guild_id=guild_id, channel_id=channel_id)
    if place.guild is None or place.channel is None:
        raise not_found(f"channel {channel_id} of guild {guild_id}")
    return place.guild, place.channel


async def known_member(web: WebParts, guild_id: int, user_id: int) -> ListedMember:
    """Return a member, or raise 404."""
    found = await web.keepsake.memory.inspecting.member(guild_id=guild_id, user_id=user_id)
    if found is None:
        raise not_found(f"member {user_id} of guild {guild_id}")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenGuild:
    """A server as an operator sees it."""

    guild: Guild
    revealed: Revealed
    scope: OperatorScope

    def is_closed(self, audience: int) -> bool:
        """Tell whether what belongs to an audience is shown only once it is revealed."""
        return self.guild.direct or audience != OPEN

    def is_shown(self, *, channel_id: int, audience: int) -> bool:
        """Tell whether a channel of this audience is told by its name and with its texts."""
        return not self.is_closed(audience) or channel_id in self.revealed.channel_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenChannel(SeenGuild):
    """A channel as an operator sees it."""

    channel: Channel
    """Its name is empty where it is not told."""

    @property
    def channel_is_closed(self) -> bool:
        """Whether its texts are shown only once it is revealed."""
        return self.is_closed(self.channel.audience)

    @property
    def channel_is_shown(self) -> bool:
        """Whether its texts are shown."""
        return self.is_shown(channel_id=self.channel.channel_id, audience=self.channel.audience)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenMember:
    """A member as an operator sees them."""

    guild: Guild
    member: ListedMember
    scope: OperatorScope


async def _seen(web: WebParts, asking: Asking, guild: Guild) -> SeenGuild:
    revealed = await web.access.revealed(asking, guild_id=guild.guild_id)
    scope = await web.keepsake.memory.inspecting.scope(guild, revealed=revealed)
    return SeenGuild(guild=guild, revealed=revealed, scope=scope)


async def _in_guild(web: Web, asking: Asking, guild_id: GuildId) -> SeenGuild:
    return await _seen(web, asking, await known_guild(web, guild_id))


async def _in_channel(web: Web, asking: Asking, guild_id: GuildId, channel_id: ChannelId) -> SeenChannel:
    guild, channel = await known_channel(web, guild_id, channel_id)
    seen = await _seen(web, asking, guild)
    if not seen.is_shown(channel_id=channel_id, audience=channel.audience):
        channel = replace(channel, name="")
    return SeenChannel(guild=guild, revealed=seen.revealed, scope=seen.scope, channel=channel)


async def _about_member(web: Web, asking: Asking, guild_id: GuildId, user_id: UserId) -> SeenMember:
    guild = await known_guild(web, guild_id)
    member = await known_member(web, guild_id, user_id)
    revealed = await web.access.revealed(asking, guild_id=guild_id)
    scope = await web.keepsake.memory.inspecting.scope_about(guild, member, revealed=revealed)
    return SeenMember(guild=guild, member=member, scope=scope)


InGuild: TypeAlias = Annotated[SeenGuild, Depends(_in_guild)]
"""The server of a route's path, as an argument of the route; so are the next two. One that is not known is a 404."""
InChannel: TypeAlias = Annotated[SeenChannel, Depends(_in_channel)]
AboutMember: TypeAlias = Annotated[SeenMember, Depends(_about_member)]
