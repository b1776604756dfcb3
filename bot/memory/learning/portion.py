"""What one question is about: the oldest turns that no learning has covered, as many as fit, with a little before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.domain import Message, MessageKind
from bot.memory.learning.question import message_tokens
from bot.store import turns
from bot.store.database import Connection
from bot.store.turns import TurnIds

MOST_MESSAGES: Final = 60
"""Messages of one question; more are asked about one portion after the other."""

LEAST_MESSAGES: Final = 20
"""With fewer, turns that were learned from before say what is talked about."""

PORTION_TOKENS: Final = 8_000
"""Estimated tokens of messages in one question: a free-tier model takes 15,000 a minute, all told."""


@dataclass(frozen=True, slots=True)
class Portion:
    """The turns of one question."""

    turn_ids: tuple[int, ...]
    """The messages that began the turns which it covers."""
    messages: tuple[Message, ...]
    """What was said, oldest first; of turns that were learned from before, too."""
    is_last: bool
    """It covers all that was due when it was read."""

    @property
    def has_words(self) -> bool:
        """Whether there is anything that the member said, and that may be learned from."""
        return any(message.kind is MessageKind.MEMBER for message in self.messages)


async def read_portion(connection: Connection, *, guild_id: int, user_id: int) -> Portion | None:
    """Return the next portion of what is due to be learned about a member; `None` if nothing is."""
    due = await turns.due(connection, guild_id=guild_id, user_id=user_id)
    if not due:
        return None
    said = await turns.messages(connection, guild_id=guild_id, user_id=user_id, turns=due[:MOST_MESSAGES])
    by_turn = _by_turn(due, said)
    taken = _fitting(due, by_turn)
    messages = [message for turn in taken for message in by_turn[turn.message_id]]
    if len(messages) < LEAST_MESSAGES:
        before = await turns.learned_before(
            connection,
            guild_id=guild_id,
            user_id=user_id,
            message_id=taken[0].message_id,
            limit=LEAST_MESSAGES,
        )
        earlier = await turns.messages(connection, guild_id=guild_id, user_id=user_id, turns=before)
        messages += _latest(
            before,
            _by_turn(before, earlier),
            room=LEAST_MESSAGES - len(messages),
            tokens=PORTION_TOKENS - sum(map(message_tokens, messages)),
        )
    return Portion(
        turn_ids=tuple(turn.message_id for turn in taken),
        messages=tuple(sorted(messages, key=lambda message: message.message_id)),
        is_last=len(taken) == len(due) and len(due) < turns.MOST_READ,
    )


def _by_turn(wanted: Sequence[TurnIds], said: Sequence[Message]) -> Mapping[int, list[Message]]:
    """Return the messages of each turn; a turn whose question may not be learned from has none."""
    by_id = {message.message_id: message for message in said}
    return {
        turn.message_id: [
            by_id[message_id] for message_id in (turn.message_id, *turn.sent_ids) if message_id in by_id
        ]
        if turn.message_id in by_id
        else []
        for turn in wanted
    }


def _fitting(due: Sequence[TurnIds], by_turn: Mapping[int, Sequence[Message]]) -> list[TurnIds]:
    """Return the oldest turns that fit into one question; at least one."""
    taken: list[TurnIds] = []
    messages = tokens = 0
    for turn in due[:MOST_MESSAGES]:
        said = by_turn[turn.message_id]
        messages += len(said)
        tokens += sum(map(message_tokens, said))
        if taken and (messages > MOST_MESSAGES or tokens > PORTION_TOKENS):
            break
        taken.append(turn)
    return taken


def _latest(
    before: Sequence[TurnIds], by_turn: Mapping[int, Sequence[Message]], *, room: int, tokens: int
) -> list[Message]:
    """Return the messages of the last turns until there are at least `room` of them, as far as `tokens` reach."""
    messages: list[Message] = []
    for turn in reversed(before):
        tokens -= sum(map(message_tokens, by_turn[turn.message_id]))
        if len(messages) >= room or tokens < 0:
            break
        messages += by_turn[turn.message_id]
    return messages
