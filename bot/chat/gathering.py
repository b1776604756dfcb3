"""Read what a chat reply may use, within one deadline.

Who takes part, the last messages, facts, summaries and search results; each part may fail alone.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.chat.disclosure import AskerDisclosure, disclosure_of, place_line
from bot.chat.prompting.prompt import ReplyGiven
from bot.chat.prompting.scene import Scene, SceneMember, ScenePlace
from bot.chat.turn import READING_SECONDS, MemoryAccess, Turn
from bot.core.domain import GUILD_SUBJECT, OPEN, Episode, Fact, Member, Message, mention_of
from bot.llm import framing
from bot.memory.derived.reading import ReadInTime
from bot.memory.facts.places import RememberedPlace
from bot.memory.facts.relevance import Relevant, untold
from bot.memory.members import subjects
from bot.memory.policy.disclosure import DisclosureLevel
from bot.memory.recall.query import query_of
from bot.memory.recall.search import FLOOR, Hit, HitKind
from bot.memory.summaries.rolling import ConversationWindow
from bot.text.grammar.words import is_function_word

MOST_MEMBERS: Final = 12
"""Members of whom a prompt tells; a talk of more is rare, and its prompt would be about nobody."""

_WORDS_SEARCHED: Final = 80
"""Words of a message that are looked at for names; what is behind them is seldom asked about."""

_MOST_BY_WORD: Final = 4
"""Members found by a single word of a message: it may be no name at all, so they must not crowd out speakers."""

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
        *(user_id for message in reversed(messages) for user_id in framing.mentioned_in(message.text)),
    )
    known = {member.user_id for member in turn.everyone} - {turn.bot_id}
    return [user_id for user_id in dict.fromkeys(user_ids) if user_id in known][:MOST_MEMBERS]


def mentioned_in(text: str, turn: Turn) -> list[int]:
    """Return the members whom `text` names, by a mention or by what they are called here."""
    return framing.mentioned_in(subjects.with_mentions(text, turn.members))


def _named_by_a_word(turn: Turn) -> list[int]:
    """Return members whom the message may name by an alias, in another case or in other letters."""
    found: dict[int, None] = {}
    for word in _WORD.findall(turn.text)[:_WORDS_SEARCHED]:
        if not is_function_word(word):
            found |= dict.fromkeys(turn.members.named(word) or turn.members.declined(word))
    return list(found)[:_MOST_BY_WORD]


_LAST_SECONDS: Final = 0.05
"""Of these, what is kept to put together what is known when the rest is over."""

LAST_MESSAGES: Final = 20
"""Messages before the one to answer that the prompt carries word for word, at least."""

CHAIN_MESSAGES: Final = 10
"""Replies above the message to answer that the prompt carries as well, where they are older than those."""

_LOOKED_AT: Final = 40
"""Of what is found, how much is looked at: most of what is like a message stands right before it."""


class ReplyReader:
    """Reads what a reply to `turn` may draw on, each part until the deadline."""

    def __init__(self, turn: Turn, access: MemoryAccess, *, now: datetime, seconds: float) -> None:
        self._turn = turn
        self._access = access
        self._now = now
        self._in_time = ReadInTime(seconds, of=f"the reply to message {turn.message.message_id}")
        self.part: Final = self._in_time.part

    async def window(self) -> ConversationWindow:
        """Return the running conversation; of a visitor what stands in this channel alone."""
        message = self._turn.message
        audiences = (message.audience,) if self._turn.visitor else self._turn.view.audiences
        window = await self._access.memory.rolling.window(message, audiences=audiences, least=LAST_MESSAGES)
        return ConversationWindow(
            summary=window.summary,
            covers_up_to=window.covers_up_to,
            messages=tuple(one for one in window.messages if self._turn.sees(one)),
        )

    async def chain(self) -> list[Message]:
        """Return the replies above the message to answer, oldest first."""
        if self._turn.replied_to is None or self._turn.replied_to.reply_to_id is None:
            return []
        above = await self._access.library.chain_above(self._turn.message, limit=CHAIN_MESSAGES)
        return [message for message in above if self._turn.sees(message)]

    async def relevant(self, user_ids: Sequence[int]) -> Mapping[int, Relevant]:
        """Return who everyone is, and the facts that fit."""
        turn = self._turn
        # Whom the message names counts as its words: "is she married to Bob?" is about a fact that names him.
        named = " ".join(mention_of(user_id) for user_id in mentioned_in(turn.text, turn))
        return await self._access.memory.relevant(
            view=turn.view,
            user_ids=user_ids,
            text=f"{turn.text} {named}".strip(),
            asker_id=turn.message.user_id,
        )

    async def contexts(self, user_ids: Sequence[int]) -> Mapping[int, str]:
        """Return what is remembered of members of whom more than facts is known: facts alone are told one by one."""
        if not self._turn.view.audiences:
            return {}
        told = await self._access.memory.get_memories_of(
            self._turn.message.guild_id,
            user_ids,
            audience=self._turn.message.audience,
            seconds=max(0.0, self._in_time.left - _LAST_SECONDS),
        )
        asker_id = self._turn.message.user_id
        own = {user_id: one.context for user_id, one in told.items() if user_id == asker_id and one.lately}
        return own | {
            user_id: one.context_unquoted
            for user_id, one in told.items()
            if user_id != asker_id and one.lately_unquoted
        }

    async def profiles(self, user_ids: Sequence[int]) -> Mapping[int, str]:
        """Return what was learned of members, where what is open may be told; of the asker also from elsewhere."""
        view, asker_id = self._turn.view, self._turn.message.user_id
        if OPEN not in view.audiences:
            return {}
        if not view.own_guild_ids:
            return await self._access.memory.profiles.of(guild_id=view.guild_id, user_ids=user_ids)
        own = await self._access.memory.profiles.own(guild_ids=view.own_guild_ids, user_id=asker_id)
        return {asker_id: "\n".join(own[guild_id] for guild_id in sorted(own))}

    async def places(self, user_ids: Sequence[int]) -> Mapping[int, tuple[RememberedPlace, ...]]:
        """Return the places of members."""
        if not self._turn.view.audiences:
            return {}
        return await self._access.memory.places.of(
            user_ids, self._turn.view, asker_id=self._turn.message.user_id
        )

    async def episodes(self) -> list[Episode]:
        """Return what earlier conversations of this channel left behind, newest first."""
        if not self._turn.view.audiences:
            return []
        message = self._turn.message
        return await self._access.memory.episodes.of_channel(
            guild_id=message.guild_id, channel_id=message.channel_id, audiences=self._turn.view.audiences
        )

    async def hits(self) -> tuple[list[Hit], dict[int, Fact]]:
        """Return what else has to do with the message, the best first, and those hits that are facts."""
        turn = self._turn
        if not turn.view.audiences or not turn.text.strip():
            return [], {}
        query = query_of(
            turn.text,
            now=self._now,
            time_zone=turn.time_zone,
            asker_id=turn.message.user_id,
            named_ids=mentioned_in(turn.text, turn),
            before_message_id=turn.message.message_id,
        )
        found = await self._access.memory.recall(
            guild_id=turn.view.guild_id, query=query, audiences=turn.view.audiences, limit=_LOOKED_AT
        )
        hits = [hit for hit in found if hit.score >= FLOOR]
        fact_ids = [hit.hit_id for hit in hits if hit.kind is HitKind.FACT]
        facts = await self._access.memory.facts_with_ids(guild_id=turn.view.guild_id, fact_ids=fact_ids)
        return hits, {fact.fact_id: fact for fact in facts}

    async def disclosure(self) -> tuple[AskerDisclosure, Mapping[int, str]]:
        """Return how much the asker is told, and what the channels are called."""
        guild_id = self._turn.message.guild_id
        private_ids, names = await self._access.directory.private_ids_and_channel_names(guild_id)
        return await disclosure_of(self._turn, self._access, private_ids), names


MOST_PLACES: Final = 5
"""Places that are told of one member: those that come up most."""

MOST_RECALLED: Final = 6
"""Of what was found elsewhere: the few best."""

_WAITED_FOR: Final = 0.5
"""Of the time, how much may pass until it is known who takes part."""


async def gather(
    turn: Turn,
    access: MemoryAccess,
    *,
    now: datetime,
    seconds: float = READING_SECONDS,
) -> ReplyGiven:
    """Read what a reply to `turn` may draw on, in `seconds` real seconds at most over all of it.

    First what was just said, half of the time at most, which tells who takes part; then all that is known, in the
    order of what it is worth, as many parts side by side as the reply has connections. What is late or fails is
    missing from the prompt, and nothing else is. The time begins when it is this reply's turn to be read for. `now`
    is aware; nothing is raised if the database is away.
    """
    async with access.reading.turn():
        read = await _read(turn, ReplyReader(turn, access, now=now, seconds=seconds))
    tact, episodes, found = read.tact, read.episodes, read.found
    members = {member.user_id: member for member in turn.everyone}
    # Of whom it is not known that they may be told about, nothing is told.
    found_hits, found_facts = found or ([], {})
    if tact is None:
        told_ids = {one.episode_id for one in episodes or ()} | {hit.hit_id for hit in found_hits}
        tact = AskerDisclosure(turn, frozenset(members), frozenset(told_ids))
    hits, hit_facts = _told_hits(found_hits, found_facts, tact)
    names = read.channel_names
    replied_to = turn.replied_to
    scene = Scene(
        bot_id=turn.bot_id,
        bot_name=turn.bot_name,
        persona=turn.persona,
        now=now,
        time_zone=turn.time_zone,
        channel_name=names.get(turn.message.channel_id, ""),
        message=turn.message,
        replied_to=replied_to if replied_to is not None and turn.sees(replied_to) else None,
        summary=read.window.summary,
        messages=read.window.messages,
        chain=tuple(read.chain),
        members=tuple(_known(read, members[user_id], tact) for user_id in read.user_ids),
        server_facts=tuple(tact.prompted(read.relevant.get(GUILD_SUBJECT, Relevant()).facts)),
        episodes=tuple(tact.episodes(episodes or ())),
        channel_names=names,
        recalled_facts=hit_facts,
        called=turn.called,
    )
    return ReplyGiven(scene=replace(scene, recalled=_unseen(hits, scene)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """Those who take part, and all that was read; what is `None` was late or failed."""

    window: ConversationWindow
    chain: Sequence[Message]
    user_ids: Sequence[int]
    relevant: Mapping[int, Relevant]
    contexts: Mapping[int, str]
    profiles: Mapping[int, str]
    places: Mapping[int, tuple[RememberedPlace, ...]]
    tact: AskerDisclosure | None
    channel_names: Mapping[int, str]
    episodes: Sequence[Episode] | None
    found: tuple[list[Hit], dict[int, Fact]] | None


async def _read(turn: Turn, reader: ReplyReader) -> _Read:
    """Read what was just said, then who may be told about and what is known; what is begun first is read first."""
    window, chain = await asyncio.gather(
        reader.part("what was said before", reader.window, share=_WAITED_FOR),
        reader.part("the replies above", reader.chain, share=_WAITED_FOR),
    )
    window = window or ConversationWindow()
    shown = {message.message_id for message in window.messages}
    chain = [message for message in chain or () if message.message_id not in shown]
    user_ids = taking_part(turn, [*chain, *window.messages])
    of_members = asyncio.gather(
        reader.part("who is private, and the channels' names", reader.disclosure),
        reader.part("facts", lambda: reader.relevant(user_ids)),
        reader.part("the members' days", lambda: reader.contexts(user_ids)),
        reader.part("profiles", lambda: reader.profiles(user_ids)),
        reader.part("places", lambda: reader.places(user_ids)),
    )
    of_the_channel = asyncio.gather(
        reader.part("the channel's memories", reader.episodes),
        reader.part("what was said elsewhere", reader.hits),
    )
    disclosure, relevant, contexts, profiles, places = await of_members
    episodes, found = await of_the_channel
    tact, channel_names = disclosure or (None, {})
    return _Read(
        window=window,
        chain=chain,
        user_ids=user_ids,
        relevant=relevant or {},
        contexts=contexts or {},
        profiles=profiles or {},
        places=places or {},
        tact=tact,
        channel_names=channel_names,
        episodes=episodes,
        found=found,
    )


def _known(read: _Read, member: Member, tact: AskerDisclosure) -> SceneMember:
    user_id = member.user_id
    about = read.relevant.get(user_id, Relevant())
    told = tact.prompted(about.facts)
    context = tact.text(user_id, read.contexts.get(user_id, ""))
    facts = untold(told, context)
    is_known = tact.about(user_id) is not DisclosureLevel.NOTHING
    return SceneMember(
        member=member,
        given_name=about.given_name if is_known else "",
        pronouns=about.pronouns or member.pronouns,
        acquaintance=about.acquaintance if user_id in read.relevant and is_known else None,
        since=about.since if is_known else None,
        context=context,
        profile=tact.profile(user_id, read.profiles.get(user_id, "")),
        facts=facts,
        places=tuple(
            ScenePlace(
                fact_id=place.fact.fact_id,
                said_at=place.fact.said_at,
                text=place_line(place, tact.turn.language),
            )
            for place in read.places.get(user_id, ())[:MOST_PLACES]
            if tact.prompted([place.fact])
        ),
        named_by=about.known_by if is_known else (),
        in_context=tuple(fact.fact_id for fact in told if fact not in facts),
    )


def _told_hits(
    hits: Sequence[Hit], facts: Mapping[int, Fact], tact: AskerDisclosure
) -> tuple[Sequence[Hit], Mapping[int, Fact]]:
    """Return what of the found is told: facts as of whom they are, and nothing that private members said."""
    told = {fact.fact_id: fact for fact in tact.prompted(facts.values())}
    kept = [
        replace(hit, text=text)
        for hit in hits
        if not tact.hides(hit.author_id)
        and (hit.kind is not HitKind.FACT or hit.hit_id in told)
        and (hit.kind is not HitKind.EPISODE or hit.hit_id not in tact.private_episode_ids)
        and (text := tact.without_private(hit.text) if hit.kind is HitKind.EPISODE else hit.text)
    ]
    return kept, told


def _unseen(hits: Sequence[Hit], scene: Scene) -> tuple[Hit, ...]:
    """Return the best hits that tell what the prompt does not hold anyway."""
    shown = {message.message_id for message in (*scene.messages, *scene.chain, scene.replied_to) if message}
    facts = {
        fact_id
        for known in scene.members
        for fact_id in (
            *(fact.fact_id for fact in known.facts),
            *(place.fact_id for place in known.places),
            *known.named_by,
            *known.in_context,
        )
    } | {fact.fact_id for fact in scene.server_facts}
    seen = {
        HitKind.MESSAGE: shown,
        HitKind.FACT: facts,
        HitKind.EPISODE: {episode.episode_id for episode in scene.episodes},
    }
    return tuple(hit for hit in hits if hit.hit_id not in seen[hit.kind])[:MOST_RECALLED]
