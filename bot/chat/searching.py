"""Answers "when did we talk about ..." from messages, facts and episodes, best first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, assert_never

from bot.chat.disclosure import Memory, disclosure_of, memory_line, pointed_at, quoted, readable_now
from bot.chat.incoming import Route
from bot.chat.participants import mentioned_in
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import Episode, Fact, FactStatus, Message, mention_of
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.policy.disclosure import may_be_quoted
from bot.memory.recall.query import Query, query_of
from bot.memory.recall.search import FLOOR, Hit, HitKind
from bot.text.commands import Search
from bot.text.grammar.understanding import understood
from bot.text.tokens import LOOSELY_ALIKE, shared_stems, telling_stems

FOUND: Final = 5
"""How many memories an answer in words names."""

_LOOKED_AT: Final = 8
"""For one that is named so many are looked at, some of which only say something to the bot."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The search results that the asker may see."""

    topic: str
    memories: tuple[Memory, ...] = ()
    """The best first."""
    is_about_others: bool = False
    """The search names somebody else: what others wrote is pointed at and not quoted."""
    kept_since: datetime | None = None
    """When the oldest message was written that is kept, where the question asks for a time before it."""


async def search(turn: Turn, command: Search, access: MemoryAccess) -> WrittenAnswer:
    """Name what fits the topic best: who said it, when, and where it can be seen."""
    result = await find_memories(turn, command.topic, access, limit=FOUND)
    return found_answer(turn, result_header(turn, result), result)


def found_answer(turn: Turn, header: str, result: SearchResult) -> WrittenAnswer:
    """Return the answer that names what was found below `header`."""
    lines = [header, *(memory_line(turn, one, retold_memory(turn, result, one)) for one in result.memories)]
    return WrittenAnswer(
        route=Route.SEARCH,
        parts=("\n".join(lines),),
        memory_ids=tuple(one.fact_id for one in result.memories if isinstance(one, Fact)),
        quoted_ids=tuple(one.message_id for one in result.memories if isinstance(one, Message)),
        episode_ids=tuple(one.episode_id for one in result.memories if isinstance(one, Episode)),
    )


async def find_memories(turn: Turn, topic: str, access: MemoryAccess, *, limit: int) -> SearchResult:
    """Return at most `limit` memories about `topic`, whose words may name a time; what is said to the bot is none."""
    guild_id, audiences = turn.view.guild_id, turn.view.audiences
    query = _query(turn, topic)
    hits = await access.memory.recall(
        guild_id=guild_id, query=query, audiences=audiences, limit=_LOOKED_AT * limit
    )
    known = await _known(turn, hits, access)
    await turn.known.meet_mentioned(*(marked_memory(turn, memory) for memory in known.values()))
    memories = [
        known[hit.kind, hit.hit_id]
        for hit in hits
        if (hit.kind, hit.hit_id) in known and _is_about(turn, query, hit, known[hit.kind, hit.hit_id])
    ]
    quotable = {memory.message_id for memory in memories if isinstance(memory, Message)}
    told_once = [
        memory
        for memory in memories
        if not (isinstance(memory, Fact) and memory.source_message_id in quotable)
    ]
    kept_since = await _kept_since(query, access, guild_id=guild_id, audiences=audiences)
    about_others = any(user_id not in {turn.message.user_id, turn.bot_id} for user_id in query.named_ids)
    return SearchResult(topic, tuple(told_once[:limit]), about_others, kept_since)


def result_header(turn: Turn, result: SearchResult) -> str:
    """Return what is said above the memories, or instead of them."""
    said = turn.say(
        "chat.talked_about" if result.memories else "chat.never_talked_about",
        topic=turn.rendered(result.topic),
    )
    if result.kept_since is None:
        return said
    return f"{said}\n{turn.say('chat.kept_since', date=turn.day(result.kept_since))}"


def retold_memory(turn: Turn, result: SearchResult, memory: Memory) -> str:
    """Return what is told of a memory that was found, members as `<@id>`.

    Of a message of somebody else who wrote it, where the search is for a member or the message is nobody else's
    business: the words are for whoever goes there.
    """
    if not isinstance(memory, Message) or memory.user_id == turn.message.user_id:
        return marked_memory(turn, memory)
    is_quoted = not result.is_about_others and may_be_quoted(memory.text)
    return quoted(memory) if is_quoted else pointed_at(memory)


def marked_memory(turn: Turn, memory: Memory) -> str:
    """Return what a memory says, members as `<@id>`, and what it is where it is no message."""
    match memory:
        case Message():
            return quoted(memory)
        case Fact():
            return turn.say("chat.found_fact", content=turn.content_of(memory))
        case Episode():
            return turn.say("chat.found_episode", content=memory.content)
    assert_never(memory)


def _query(turn: Turn, topic: str) -> Query:
    query = query_of(
        topic,
        now=turn.message.timestamp,
        time_zone=turn.time_zone,
        asker_id=turn.message.user_id,
        named_ids=mentioned_in(topic, turn),
        before_message_id=turn.message.message_id,
    )
    if query.words or query.identifiers or query.named_ids or query.narrows:
        return query
    # Whoever searches for small talk means just that.
    return replace(query, text=topic, words=tuple(topic.casefold().split()))


async def _known(
    turn: Turn, hits: Sequence[Hit], access: MemoryAccess
) -> Mapping[tuple[HitKind, int], Memory]:
    """Return of what was found that which may still be told, by kind and id."""
    guild_id, audiences = turn.view.guild_id, turn.view.audiences
    ids = {kind: [hit.hit_id for hit in hits if hit.kind is kind] for kind in HitKind}
    messages = await access.library.messages(guild_id=guild_id, message_ids=ids[HitKind.MESSAGE])
    facts = await access.memory.facts_with_ids(guild_id=guild_id, fact_ids=ids[HitKind.FACT])
    episodes = await access.memory.episodes.with_ids(
        guild_id=guild_id, episode_ids=ids[HitKind.EPISODE], audiences=audiences
    )
    to_bot = await _said_to_bot(turn, messages, access)
    spoken_in = {one.channel_id for one in messages} | {one.channel_id for one in episodes}
    readable = await readable_now(turn, spoken_in, access)
    tact = await disclosure_of(turn, access)
    known: dict[tuple[HitKind, int], Memory] = {}
    for message in tact.messages(messages):
        if message.channel_id not in readable:
            continue
        if message.withheld is None and turn.sees(message) and message.message_id not in to_bot:
            known[HitKind.MESSAGE, message.message_id] = message
    for fact in tact.facts(facts):
        if fact.status is FactStatus.ACTIVE and fact.audience in audiences:
            known[HitKind.FACT, fact.fact_id] = fact
    for episode in tact.episodes(one for one in episodes if one.channel_id in readable):
        known[HitKind.EPISODE, episode.episode_id] = episode
    return known


async def _said_to_bot(turn: Turn, messages: Sequence[Message], access: MemoryAccess) -> set[int]:
    """Return which messages ask the bot, or reply to it: who asked it about something has not talked about it."""
    reply_ids = {message.reply_to_id for message in messages if message.reply_to_id is not None}
    replied_to = await access.library.messages(guild_id=turn.view.guild_id, message_ids=sorted(reply_ids))
    of_bot = {message.message_id for message in replied_to if message.user_id == turn.bot_id}
    return {
        message.message_id
        for message in messages
        if turn.asks_the_bot(message)
        or (message.reply_to_id in of_bot and (not turn.direct or understood(message.text)))
    }


def _is_about(turn: Turn, query: Query, hit: Hit, memory: Memory) -> bool:
    """Tell whether a hit says half of what was searched for itself, or stands amid talk that says it."""
    wanted = telling_stems(" ".join([query.text, *query.identifiers]))
    if hit.score >= FLOOR or not wanted:
        return True
    said = marked_memory(turn, memory)
    if isinstance(memory, Message):
        said = " ".join([mention_of(memory.user_id), memory.text, *memory.attachments])
    common = shared_stems(wanted, telling_stems(f"{said} {turn.rendered(said)}"), common_part=LOOSELY_ALIKE)
    return 2 * len(common) >= len(wanted)


async def _kept_since(
    query: Query, access: MemoryAccess, *, guild_id: int, audiences: Sequence[int]
) -> datetime | None:
    """Return when the oldest message that is kept was written, if the question asks for a time before it."""
    span = query.span if query.narrows else None
    if span is None:
        return None
    kept_since = await access.memory.recollection.kept_since(guild_id=guild_id, audiences=audiences)
    if kept_since is None:
        return None
    asked_from = span.begins or span.ends
    return kept_since if asked_from is not None and asked_from < kept_since else None
