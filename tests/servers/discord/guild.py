"""A guild with all that may happen in it."""

from tests.servers.discord.acting_channels import ChannelActs
from tests.servers.discord.acting_members import MemberActs
from tests.servers.discord.acting_messages import MessageActs
from tests.servers.discord.acting_roles import RoleActs
from tests.servers.discord.interaction_acts import InteractionActs


class FakeGuild(MessageActs, ChannelActs, RoleActs, MemberActs, InteractionActs):
    """A guild as tests use it: what is in it by name, and everything that its members may do."""
