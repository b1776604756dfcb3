"""Answers one question ("when is Anna's birthday?") from facts, else from messages. Askers learn nothing about others
that they would not be told anyway, and no answer that only may fit.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_date

from bot.chat.asking import not_known, not_told
from bot.chat.disclosure import AskerDisclosure, disclosure_of, words_of
from bot.chat.incoming import Route
from bot.chat.searching import find_memories
from bot.chat.turn import READING_SECONDS, MemoryAccess, Turn
from bot.core.domain import GUILD_SUBJECT, Fact, FactOrigin, Message, mention_of
from bot.core.errors import DatabaseError
from bot.memory.facts.statements import is_free_sentence
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.policy.disclosure import DisclosureLevel, may_be_quoted, speaks_of_somebody
from bot.memory.recall.asked import Whom, facts_that_answer, message_answers, whom
from bot.text.commands import AskFact, QuestionForm
from bot.text.phrasing import is_quoted_from
from bot.text.questions import asks_for_name_alone, tells_time

MOST_FACTS: Final = 10
_MOST_MESSAGES: Final = 3
_QUOTED_CHARACTERS: Final = 160
"""Characters of what somebody said; of more only a part is the fact."""


async def answer_question(
    turn: Turn, asked: AskFact, access: MemoryAccess, *, has_models: bool
) -> WrittenAnswer | None:
    """Return the facts or messages that surely answer a question, or that nothing is known.

    Where there are models `None` leaves to them what no fact about a member answers.
    """
    meant = whom(asked, turn.members, asker_id=turn.message.user_id)
    if turn.bot_id in meant.user_ids:
        return None if has_models else _answer(turn.say("chat.about_the_bot"))
    if meant.candidates:
        return turn.ask_which(Route.ASK_MEMORY, meant.candidates)
    if has_models and not meant.user_ids and asked.form is not QuestionForm.WHO:
        return None
    if has_models:
        return await _read_in_time(turn, asked, meant, access)
    tact, found = await _read(turn, asked, meant, access)
    if found:
        return await _told(turn, found, access)
    hidden = [one for one in meant.user_ids if tact.about(one) is DisclosureLevel.NOTHING]
    if hidden:
        return _answer(not_told(turn, hidden[0]))
    messages = await _messages(turn, asked, meant, access)
    if messages:
        return WrittenAnswer(
            route=Route.ASK_MEMORY,
            parts=("\n".join(_said(turn, one) for one in messages),),
            quoted_ids=tuple(one.message_id for one in messages),
        )
    if asked.form is QuestionForm.WHETHER and not meant.user_ids:
        # "Everything all right?" asks for nothing that could be remembered.
        return None
    return _answer(_not_known(turn, asked, meant))


async def _read_in_time(
    turn: Turn, asked: AskFact, meant: Whom, access: MemoryAccess
) -> WrittenAnswer | None:
    """Return the facts that answer, if they are read as soon as a reply would be."""
    try:
        async with access.reading.turn(), asyncio.timeout(READING_SECONDS):
            _, found = await _read(turn, asked, meant, access)
    except (TimeoutError, DatabaseError):
        return None
    # Of what may be otherwise by now a model is given what was said since.
    if not found or any(_may_have_changed(turn, fact) for fact in found):
        return None
    return await _told(turn, found, access)


_CHANGING: Final = frozenset(
    "lives_in works_at works_as age relationship vehicle address day time amount".split()
)
"""Keys, up to their colon, of what is seldom so for years."""


def _may_have_changed(turn: Turn, fact: Fact) -> bool:
    """Tell whether a fact from before today is about a plan, or about what changes in a life."""
    is_old = turn.message.timestamp - fact.said_at > timedelta(days=1)
    is_plan = is_free_sentence(fact.key) and tells_time(fact.content)
    return is_old and (fact.key.partition(":")[0] in _CHANGING or is_plan)


async def _read(
    turn: Turn, asked: AskFact, meant: Whom, access: MemoryAccess
) -> tuple[AskerDisclosure, list[Fact]]:
    """Return how much the asker may be told, and those of the answering facts that they may be told."""
    await access.noticed(turn.message)
    tact = await disclosure_of(turn, access)
    about = [*meant.user_ids, GUILD_SUBJECT] if meant.user_ids else None
    facts = await access.library.facts_about_each(about, turn.view, asker_id=turn.message.user_id)
    today = turn.message.timestamp.astimezone(ZoneInfo(turn.time_zone)).date()
    return tact, facts_that_answer(asked, meant, tact.facts(facts), today=today)[:MOST_FACTS]


async def _messages(turn: Turn, asked: AskFact, meant: Whom, access: MemoryAccess) -> list[Message]:
    """Return the messages that answer: the asker's own, and what others wrote that speaks of nobody."""
    asker_id = turn.message.user_id
    if any(user_id != asker_id for user_id in meant.user_ids):
        return []
    result = await find_memories(turn, meant.words, access, limit=_MOST_MESSAGES)
    return [
        one
        for one in result.memories
        if isinstance(one, Message)
        and (one.user_id == asker_id or (not meant.user_ids and _is_anybodys(one)))
        and message_answers(asked, meant, one.text)
    ]


def _is_anybodys(message: Message) -> bool:
    return may_be_quoted(message.text) and not speaks_of_somebody(message.text)


def _answer(text: str) -> WrittenAnswer:
    return WrittenAnswer(route=Route.ASK_MEMORY, parts=(text,))


async def _told(turn: Turn, found: Sequence[Fact], access: MemoryAccess) -> WrittenAnswer:
    """Tell one fact as a sentence, several as a list."""
    if len(found) == 1:
        text = await _sentence(turn, found[0], access)
    else:
        text = "\n".join(turn.told(fact) for fact in found)
    return WrittenAnswer(
        route=Route.ASK_MEMORY, parts=(text,), memory_ids=tuple(fact.fact_id for fact in found)
    )


async def _sentence(turn: Turn, fact: Fact, access: MemoryAccess) -> str:
    """Return a fact with when it was said and by whom: to its teller about themselves in their own words."""
    asker_id = turn.message.user_id
    day = _day(turn, fact.said_at)
    if fact.author_id == asker_id == fact.subject_id and (said := await _own_words(fact, access)):
        return turn.say("chat.answer_own", day=day, words=said)
    content = turn.dated_content_of(fact)
    if is_quoted_from(content, fact.author_id):
        return turn.say("chat.answer_quoted", content=content, day=day)
    if fact.author_id == asker_id:
        return turn.say("chat.answer_by_asker", content=content, day=day)
    return turn.say("chat.answer", content=content, teller=mention_of(fact.author_id), day=day)


async def _own_words(fact: Fact, access: MemoryAccess) -> str:
    """Return in which words somebody said a fact about themselves; "" if these are not known or do not say it alone."""
    said = fact.raw_content
    if fact.origin is FactOrigin.PATTERN:
        message = await access.library.message(guild_id=fact.guild_id, message_id=fact.source_message_id)
        said = "" if message is None or message.withheld is not None else message.text
    said = " ".join(said.split())
    return said if len(said) <= _QUOTED_CHARACTERS and _is_verbatim(fact, said) else ""


def _is_verbatim(fact: Fact, said: str) -> bool:
    """Tell whether the words of the teller say all that the fact says: "tomorrow" became a day in it."""
    days = [word for word in fact.content.split() if any(map(str.isdigit, word)) and "<@" not in word]
    return all(word.strip(".,()") in said for word in days)


def _said(turn: Turn, message: Message) -> str:
    day = _day(turn, message.timestamp)
    if message.user_id == turn.message.user_id:
        return turn.say("chat.answer_own", day=day, words=words_of(message))
    return turn.say(
        "chat.answer_message", teller=mention_of(message.user_id), day=day, words=words_of(message)
    )


def _day(turn: Turn, moment: datetime) -> str:
    """Return a day as it is spoken of, with its year if that is over."""
    zone = ZoneInfo(turn.time_zone)
    day, today = moment.astimezone(zone).date(), turn.message.timestamp.astimezone(zone).date()
    return format_date(day, "d MMMM" if day.year == today.year else "d MMMM y", locale=turn.speech)


def _not_known(turn: Turn, asked: AskFact, meant: Whom) -> str:
    """Return what is said where nothing is known; who asks for their own name is called something at least."""
    asker_id = turn.message.user_id
    if meant.user_ids == (asker_id,) and asks_for_name_alone(asked, meant.words):
        return turn.say("chat.answer_called", name=mention_of(asker_id))
    return not_known(turn, meant)
