"""Answer "how do you know that?": the memories behind an answer that the asker may see."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.chat.disclosure import AskerDisclosure, disclosure_of, memory_line, pointed_at, quoted
from bot.chat.incoming import WRITES, Route
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import OPEN, Episode, Fact, FactStatus, Message, mention_of
from bot.memory.outbox.answers import WrittenAnswer, as_written
from bot.text.dangers import plans_of

_MOST_LINES: Final = 12
"""Memories of one kind that an answer names; of more it says how many."""


@dataclass(frozen=True, slots=True)
class AnswerSources:
    """What an answer rests on, and may be seen where it is asked."""

    facts: tuple[Fact, ...] = ()
    messages: tuple[Message, ...] = ()
    episodes: tuple[Episode, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.facts or self.messages or self.episodes)


async def answer_why(turn: Turn, access: MemoryAccess) -> WrittenAnswer:
    """Say what the answer that is replied to rests on, else the bot's answer just before."""
    told = turn.replied_to or await _just_said(turn, access)
    sources = None if told is None else await sources_of(turn, told, access)
    if sources is None:
        return WrittenAnswer(route=Route.WHY, parts=(turn.say("chat.why_what"),))
    if not sources:
        return WrittenAnswer(route=Route.WHY, parts=(turn.say("chat.rests_on_nothing"),))
    return WrittenAnswer(
        route=Route.WHY,
        parts=("\n".join([turn.say("chat.rests_on"), *_lines(turn, sources)]),),
        memory_ids=tuple(fact.fact_id for fact in sources.facts),
        quoted_ids=tuple(message.message_id for message in sources.messages),
        episode_ids=tuple(episode.episode_id for episode in sources.episodes),
    )


async def sources_of(turn: Turn, told: Message, access: MemoryAccess) -> AnswerSources | None:
    """Return what a message of the bot's rests on, as far as `turn` sees it; `None` if it is no answer of its own."""
    if told.user_id != turn.bot_id:
        return None
    answer = await access.memory.answers.sent_as(told)
    if answer is None:
        return None
    return await _seen(turn, as_written(answer), await disclosure_of(turn, access), access)


async def may_still_be_told(turn: Turn, answer: WrittenAnswer, access: MemoryAccess) -> bool:
    """Tell whether an answer that was written down before may be said as `turn` stands now.

    Since then a room may have been opened, and somebody may be private. What the answer wrote is its asker's own, and
    so is what it took back.
    """
    if turn.said_to is not None:
        return False
    guild_id = turn.message.guild_id
    tact = replace(await disclosure_of(turn, access), plans=plans_of(turn.text))
    seen = await _seen(turn, answer, tact, access)
    unseen = {*answer.memory_ids} - {*answer.fact_ids, *(fact.fact_id for fact in seen.facts)}
    if await _facts(turn, sorted(unseen), access):
        return False
    if answer.route in WRITES:
        return True
    said = await access.library.messages(guild_id=guild_id, message_ids=answer.quoted_ids)
    # What was said right here stands where everybody reads it.
    quoted = {one.message_id for one in said if one in seen.messages or turn.is_here(one)}
    text = "\n".join(answer.parts)
    return (
        quoted.issuperset(answer.quoted_ids)
        and {one.episode_id for one in seen.episodes}.issuperset(answer.episode_ids)
        and tact.without_private(text) == text
    )


async def _facts(
    turn: Turn, fact_ids: Sequence[int], access: MemoryAccess, *, to_be_told: bool = False
) -> list[Fact]:
    """Return these facts, of this guild or of one that the asker shares with the bot, as far as they have a text."""
    return [
        fact
        for guild_id in (turn.message.guild_id, *turn.view.own_guild_ids)
        for fact in await access.memory.facts_with_ids(
            guild_id=guild_id, fact_ids=fact_ids, to_be_told=to_be_told
        )
        if fact.status is not FactStatus.FORGOTTEN
    ]


async def _seen(
    turn: Turn, answer: WrittenAnswer, tact: AskerDisclosure, access: MemoryAccess
) -> AnswerSources:
    """Return what an answer rests on, as far as `turn` sees it."""
    guild_id = turn.message.guild_id
    facts = await _facts(turn, [*answer.fact_ids, *answer.memory_ids], access, to_be_told=True)
    messages = await access.library.messages(guild_id=guild_id, message_ids=answer.quoted_ids)
    episodes = await access.memory.episodes.with_ids(
        guild_id=guild_id, episode_ids=answer.episode_ids, audiences=turn.view.audiences
    )
    return AnswerSources(
        facts=tuple(fact for fact in tact.facts(facts) if _sees(turn, fact)),
        messages=tuple(
            message for message in tact.messages(messages) if turn.sees(message) and message.withheld is None
        ),
        episodes=tuple(tact.episodes(episodes)),
    )


def _sees(turn: Turn, fact: Fact) -> bool:
    """Tell whether a fact may be seen here: from another guild that is the asker's own, if it is open."""
    if fact.guild_id == turn.view.guild_id:
        return fact.audience in turn.view.audiences
    return fact.audience == OPEN and fact.subject_id == turn.message.user_id


async def _just_said(turn: Turn, access: MemoryAccess) -> Message | None:
    before = await access.library.just_before(turn.message)
    return before[0] if before and before[0].user_id == turn.bot_id else None


def retold_message(turn: Turn, message: Message) -> str:
    """Return who said what; of what others said nothing but who it was."""
    return quoted(message) if message.user_id == turn.message.user_id else pointed_at(message)


def _lines(turn: Turn, sources: AnswerSources) -> list[str]:
    told = [
        memory_line(turn, fact, fact.content, turn.say("chat.said_by", name=mention_of(fact.author_id)))
        for fact in sources.facts
    ]
    heard = [memory_line(turn, message, retold_message(turn, message)) for message in sources.messages]
    left = [
        memory_line(turn, episode, episode.content, turn.say("chat.of_a_talk"))
        for episode in sources.episodes
    ]
    return [line for lines in (told, heard, left) for line in _shortened(turn, lines)]


def _shortened(turn: Turn, lines: Sequence[str]) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return list(lines)
    return [*lines[:_MOST_LINES], turn.say("chat.and_more", number=len(lines) - _MOST_LINES)]
