"""Who takes part in what a reply is about: those who speak there, are named or are mentioned."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from bot.chat.turn import Turn
from bot.core.domain import GUILD_SUBJECT, Fact, Message
from bot.llm import framing
from bot.memory.members import subjects
from bot.text.grammar.words import is_function_word

MOST_MEMBERS: Final = 12
"""Members of whom a prompt tells; a talk of more is rare, and its prompt would be about nobody."""

_WORDS_SEARCHED: Final = 80
"""Words of a message that are looked at for names; what is behind them is seldom asked about."""

_MOST_BY_WORD: Final = 4
"""Members found by a single word of a message: it may be no name at all, so they must not crowd out speakers."""

WORD: Final = re.compile(r"[^\W\d_][\w'’-]+")
"""A word that may name somebody."""


def taking_part(turn: Turn, messages: Sequence[Message]) -> list[int]:
    """Return the participants, most important first: those close to the message, then the most recent speakers."""
    user_ids = (
        *close_to(turn),
        *(message.user_id for message in reversed(messages)),
        *(user_id for message in reversed(messages) for user_id in framing.mentioned_in(message.text)),
    )
    return known_among(turn, user_ids)[:MOST_MEMBERS]


def close_to(turn: Turn) -> list[int]:
    """Return who says the message or is meant by it: the asker, who is named and who is replied to."""
    replied_to = turn.replied_to if turn.replied_to is not None and turn.sees(turn.replied_to) else None
    user_ids = (
        turn.message.user_id,
        *mentioned_in(turn.text, turn),
        *([replied_to.user_id] if replied_to else []),
        *_named_by_a_word(turn),
    )
    return known_among(turn, user_ids)


def known_among(turn: Turn, user_ids: Iterable[int]) -> list[int]:
    """Return those of `user_ids` who were met and are not the bot, nobody twice."""
    known = {member.user_id for member in turn.everyone} - {turn.bot_id}
    return [user_id for user_id in dict.fromkeys(user_ids) if user_id in known]


def mentioned_in(text: str, turn: Turn) -> list[int]:
    """Return the members whom `text` names, by a mention or by a name that they have here."""
    return framing.mentioned_in(subjects.with_mentions(text, turn.members))


def _named_by_a_word(turn: Turn) -> list[int]:
    """Return members whom the message may name by an alias, in another case or in other letters."""
    found: dict[int, None] = {}
    for word in WORD.findall(turn.text)[:_WORDS_SEARCHED]:
        if not is_function_word(word):
            members = turn.members
            found |= dict.fromkeys(members.named(word) or members.declined(word) or members.owning(word))
    return list(found)[:_MOST_BY_WORD]


def met_in(messages: Iterable[Message], facts: Iterable[Fact], texts: Iterable[str]) -> frozenset[int]:
    """Return the authors of these messages, the tellers and subjects of these facts, and everybody mentioned."""
    said = [(one.text, one.user_id, one.user_id) for one in messages]
    said += [(one.content, one.author_id, one.subject_id) for one in facts]
    mentioned = {
        user_id for text in (*texts, *(text for text, _, _ in said)) for user_id in framing.mentioned_in(text)
    }
    return frozenset(mentioned.union(*((one, other) for _, one, other in said))) - {GUILD_SUBJECT}
