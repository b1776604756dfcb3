"""What was missed as conversations: the messages of a channel between two silences. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain import Message


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation, as far as it was missed."""

    messages: tuple[Message, ...]
    """Of one channel, oldest first; at least one."""

    @property
    def first(self) -> Message:
        """Where it begins."""
        return self.messages[0]

    @property
    def last_at(self) -> datetime:
        """When something was said last."""
        return self.messages[-1].timestamp

    @property
    def people(self) -> tuple[int, ...]:
        """Who talked, whoever said most first."""
        return tuple(user_id for user_id, _ in Counter(one.user_id for one in self.messages).most_common())


def talks_of(messages: Sequence[Message], *, asker_id: int, gap: timedelta) -> tuple[Talk, ...]:
    """Return the conversations that `messages` are, in the order of their ends.

    A silence of `gap` ends one. One in which only the asker talked is no news.
    """
    open_talks: dict[int, list[Message]] = {}
    found: list[list[Message]] = []
    for message in sorted(messages, key=lambda one: one.message_id):
        talk = open_talks.get(message.channel_id)
        if talk is None or message.timestamp - talk[-1].timestamp >= gap:
            talk = open_talks[message.channel_id] = []
            found.append(talk)
        talk.append(message)
    talks = (Talk(tuple(talk)) for talk in found if any(one.user_id != asker_id for one in talk))
    return tuple(sorted(talks, key=lambda talk: (talk.last_at, talk.first.message_id)))


def busiest(talks: Sequence[Talk], *, most: int) -> tuple[Talk, ...]:
    """Return `most` of `talks`, the one with most messages first, of equals the newest."""
    ranked = sorted(talks, key=lambda talk: (len(talk.messages), talk.last_at), reverse=True)
    return tuple(ranked[:most])
