"""From what a model learned to facts: each rests on one message of the member's own, or is left out."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from bot.domain import OPEN, FactCategory, FactOrigin, Language, Message, mention_of
from bot.errors import InvalidInputError
from bot.memory import facts as fact_rules
from bot.memory.facts import Note
from bot.memory.learning.question import MOST_FACTS, Learned, Learning, facts_in
from bot.memory.secrets import masked
from bot.memory.sensitive import says_sensitive
from bot.memory.telling import invented
from bot.store.facts import NewFact

CONFIDENCE: Final = 0.85
"""A model read it out of what was said."""

IMPORTANCE: Final = 60
"""Below what members' own words are plainly read to say, above a passing mention."""

EVENT_LIFE: Final = timedelta(days=7)
"""An event that nobody asked to have remembered passes, counted from when it was told."""

_PREFERENCES: Final = ("likes:", "favorite:")


def new_facts(answer: Learned, given: Learning, *, version: int) -> list[NewFact]:
    """Return the facts of a checked answer that may be kept, five at most; `version` is that of the profile."""
    said = {message.message_id: message for message in given.messages}
    return [
        fact
        for message_id, content in facts_in(answer, given)[:MOST_FACTS]
        if (fact := _fact(content, said[message_id], given, version)) is not None
    ]


def _fact(content: str, message: Message, given: Learning, version: int) -> NewFact | None:
    """Return what a message tells about its author; `None` if it does not, or tells what is not to be kept."""
    content = content.rstrip(".")
    if mention_of(given.user_id) not in content or says_sensitive(content) or masked(content) != content:
        return None
    if not _is_said(content, message, given):
        return None
    try:
        fact = fact_rules.new_fact(
            Note(
                guild_id=message.guild_id,
                subject_id=given.user_id,
                author_id=given.user_id,
                speaker_id=given.user_id,
                audience=OPEN,
                statement=content,
                cause=f"l:{version}",
                channel_id=message.channel_id,
                message_id=message.message_id,
                said_at=message.timestamp,
                time_zone=given.time_zone,
                origin=FactOrigin.LEARNING,
            )
        )
    except InvalidInputError:
        return None
    is_event = fact.category is FactCategory.EVENT
    return replace(
        fact,
        category=FactCategory.PREFERENCE if fact.key.startswith(_PREFERENCES) else fact.category,
        raw_content=masked(message.text),
        importance=IMPORTANCE,
        confidence=CONFIDENCE,
        expires_at=message.timestamp + EVENT_LIFE if is_event else None,
    )


def _is_said(content: str, message: Message, given: Learning) -> bool:
    """Tell whether a fact says no more than its message; in another language nobody can tell by words."""
    if Language.of(message.text) is not Language.of(content):
        return True
    return not invented(content.replace(mention_of(given.user_id), ""), [message.text])
