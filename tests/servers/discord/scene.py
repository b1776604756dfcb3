"""Where an interaction happens and to whom: what Discord tells the bot about guild, channel, member and message."""

from dataclasses import dataclass, field

from tests.servers.discord.guild_base import GuildBase
from tests.servers.discord.permissions import TALKING, Permission, permissions_in
from tests.servers.discord.render import channel_json, member_json, partial_member_json, role_json, user_json
from tests.servers.discord.state import (
    ChannelKind,
    FakeChannel,
    FakeMember,
    FakeMessage,
    FakeRole,
    FakeUser,
    Json,
)
from tests.servers.discord.world import World

_ATTACHMENT_LIMIT = 10 * 2**20
_DIRECT_PERMISSIONS = int(TALKING | Permission.MENTION_EVERYONE)
"""What anybody may do in direct messages, as Discord states it there."""

_PARTIAL_CHANNEL = frozenset(
    "id type name flags guild_id parent_id last_message_id nsfw topic position rate_limit_per_user "
    "thread_metadata owner_id message_count member_count total_message_sent recipients".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A user in a channel of a guild, or (without one) in direct messages with the bot."""

    world: World
    user: FakeUser
    channel: FakeChannel
    guild: GuildBase | None

    @property
    def member(self) -> FakeMember | None:
        """The user as a member; nobody in direct messages."""
        return None if self.guild is None else self.guild.members[self.user.user_id]

    @property
    def permissions(self) -> int:
        """What the user may do in the channel."""
        return _DIRECT_PERMISSIONS if self.member is None else permissions_in(self.channel, self.member)

    def json(self) -> Json:
        """Return the part of an interaction that tells the scene."""
        body: Json = {
            "channel": partial_channel_json(self.channel, self),
            "channel_id": str(self.channel.channel_id),
            "locale": self.user.locale,
            "app_permissions": str(_DIRECT_PERMISSIONS),
            "context": 1,
            "authorizing_integration_owners": {"0": "0"},
            "attachment_size_limit": _ATTACHMENT_LIMIT,
            "entitlements": [],
            "entitlement_sku_ids": [],
        }
        if self.guild is None or self.member is None:
            return {**body, "user": user_json(self.user)}
        return {
            **body,
            "guild_id": str(self.guild.guild_id),
            "guild": {"id": str(self.guild.guild_id), "locale": self.guild.locale, "features": []},
            "guild_locale": self.guild.locale,
            "member": {**member_json(self.member), "permissions": str(self.permissions)},
            "app_permissions": str(permissions_in(self.channel, self.guild.bot)),
            "context": 0,
            "authorizing_integration_owners": {"0": str(self.guild.guild_id)},
        }


def partial_channel_json(channel: FakeChannel, scene: Scene) -> Json:
    """Return a channel as interactions carry it: with what the user may do there, without overwrites."""
    body = {
        key: value for key, value in channel_json(channel, scene.world).items() if key in _PARTIAL_CHANNEL
    }
    if channel.kind is ChannelKind.DIRECT:
        return body
    member = scene.member
    # An interaction names a channel to the bot even where the bot cannot see it.
    body |= {"name": channel.name, "flags": 0}
    body["permissions"] = str(0 if member is None else permissions_in(channel, member))
    return body


@dataclass(slots=True)
class Resolved:
    """The objects behind the ids in an interaction's data."""

    scene: Scene
    _objects: dict[str, dict[str, Json]] = field(default_factory=dict)

    def add_user(self, user: FakeUser) -> str:
        """Add a user, as a member too if they are one, and return the id."""
        guild = self.scene.guild
        member = None if guild is None else guild.members.get(user.user_id)
        if member is not None:
            body = partial_member_json(member)
            body["permissions"] = str(permissions_in(self.scene.channel, member))
            # So it is described: partial members come without these two.
            del body["mute"], body["deaf"]
            self._keep("members", user.user_id, body)
        return self._keep("users", user.user_id, user_json(user))

    def add_role(self, role: FakeRole) -> str:
        """Add a role and return the id."""
        return self._keep("roles", role.role_id, role_json(role))

    def add_channel(self, channel: FakeChannel) -> str:
        """Add a channel and return the id."""
        return self._keep("channels", channel.channel_id, partial_channel_json(channel, self.scene))

    def add_message(self, message: FakeMessage, body: Json) -> str:
        """Add a message as it is rendered and return the id."""
        return self._keep("messages", message.message_id, body)

    def json(self) -> Json:
        """Return the field `resolved`, inside of the object that is to have it; nothing if nothing was added."""
        return {"resolved": dict(self._objects)} if self._objects else {}

    def _keep(self, kind: str, snowflake: int, body: Json) -> str:
        self._objects.setdefault(kind, {})[str(snowflake)] = body
        return str(snowflake)
