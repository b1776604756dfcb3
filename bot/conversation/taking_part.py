"""Who takes part in a talk: whoever asks, is meant or is replied to, and those who spoke last."""

import re
from collections.abc import Sequence
from typing import Final

from bot.conversation import names
from bot.conversation.names.vocabulary import is_function_word
from bot.conversation.turn import Turn
from bot.domain import Message

MOST_MEMBERS: Final = 12
"""Members of whom a prompt tells; a talk of more is rare, and its prompt would be about nobody."""

_WORDS_SEARCHED: Final = 80
"""Words of a message that are looked at for names; what is behind them is seldom asked about."""

_MOST_BY_WORD: Final = 4
"""Members found by a single word of a message: it may be no name at all, so they must not crowd out speakers."""

_MENTION: Final = re.compile(r"<@!?([0-9]{1,19})>")
_WORD: Final = re.compile(r"[^\W\d_][\w'’-]+")


def taking_part(turn: Turn, messages: Sequence[Message]) -> list[int]:
    """Return who takes part, whoever matters most first: the asker, who is meant or replied to, who spoke last."""
    replied_to = turn.replied_to if turn.replied_to is not None and turn.sees(turn.replied_to) else None
    user_ids = (
        turn.message.user_id,
        *mentioned_in(turn.text, turn),
        *([replied_to.user_id] if replied_to else []),
        *_named_by_a_word(turn),
        *(message.user_id for message in reversed(messages)),
        *(user_id for message in reversed(messages) for user_id in _mentioned(message.text)),
    )
    known = {member.user_id for member in turn.everyone} - {turn.bot_id}
    return [user_id for user_id in dict.fromkeys(user_ids) if user_id in known][:MOST_MEMBERS]


def mentioned_in(text: str, turn: Turn) -> list[int]:
    """Return the members whom `text` names, by a mention or by what they are called here."""
    return list(dict.fromkeys(_mentioned(names.with_mentions(text, turn.members))))


def _mentioned(text: str) -> list[int]:
    return [int(found[1]) for found in _MENTION.finditer(text)]


def _named_by_a_word(turn: Turn) -> list[int]:
    """Return members whom the message may name by an alias, in another case or in other letters."""
    found: dict[int, None] = {}
    for word in _WORD.findall(turn.text)[:_WORDS_SEARCHED]:
        if not is_function_word(word):
            found |= dict.fromkeys(turn.members.named(word) or turn.members.declined(word))
    return list(found)[:_MOST_BY_WORD]
