"""What a Discord does that is no error, and that a client must not be led astray by."""

from collections import Counter
from dataclasses import dataclass, field

from tests.servers.discord.state import FakeChannel, Json

_LEFT_OF_AN_EVENT = frozenset({"id", "guild_id", "channel_id", "message_id"})


@dataclass(slots=True)
class Unkind:
    """The switches; all are off unless a test says otherwise."""

    last_id_lag: int = 0
    """By how many messages the `last_message_id` of every channel lags behind."""
    history_lag: int = 0
    """How many of the newest messages of every channel its history does not show yet, though each can be fetched."""
    garbled_events: Counter[str] = field(default_factory=Counter)
    """How many of the next events of each name cannot be read."""

    def last_id(self, channel: FakeChannel) -> int | None:
        """Return the `last_message_id` that is told of `channel`."""
        if not self.last_id_lag:
            return channel.last_message_id
        older = channel.order[: -self.last_id_lag]
        return older[-1] if older else None

    def garbled(self, name: str, data: Json) -> Json | None:
        """Return an event that is not to be read, all but its ids being null; `None` if it is to be read."""
        if self.garbled_events[name] <= 0:
            return None
        self.garbled_events[name] -= 1
        return {key: value if key in _LEFT_OF_AN_EVENT else None for key, value in data.items()}
