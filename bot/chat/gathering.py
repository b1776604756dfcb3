"""Read what a chat reply may use, within one deadline.

Who takes part, the last messages, facts, summaries and search results; each part may fail alone.
"""

import asyncio
import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from bot.chat.disclosure import AskerDisclosure, disclosure_of, place_line
from bot.chat.participants import WORD, close_to, known_among, mentioned_in, met_in, taking_part
from bot.chat.prompting.prompt import ReplyGiven
from bot.chat.prompting.scene import Scene, SceneMember, ScenePlace
from bot.chat.turn import READING_SECONDS, MemoryAccess, Turn
from bot.core.domain import ANYBODY, GUILD_SUBJECT, OPEN, Episode, Fact, Member, Message, mention_of
from bot.memory.derived.reading import ReadInTime
from bot.memory.facts.places import RememberedPlace
from bot.memory.facts.relevance import Relevant, untold
from bot.memory.members.names import spellings_of
from bot.memory.policy.disclosure import DisclosureLevel
from bot.memory.recall.query import is_about_something, query_of
from bot.memory.recall.search import FLOOR, LEADERS, Hit, HitKind
from bot.memory.summaries.rolling import ConversationWindow
from bot.text.dangers import plans_of
from bot.text.grammar.understanding import may_ask

_ALIASES_SECONDS: Final = 0.2
"""Of these, how much the names that facts give members may take: they go without these, and keep their own."""

_LAST_SECONDS: Final = 0.05
"""Of these, what is kept to put together what is known when the rest is over."""

_SEARCHED_FOR: Final = 0.8
"""Of the time, how much may pass until something is found: what tells most is read after it."""

LAST_MESSAGES: Final = 20
"""Messages before the one to answer that the prompt carries word for word, at least."""

CHAIN_MESSAGES: Final = 10
"""Replies above the message to answer that the prompt carries as well, where they are older than those."""

_LOOKED_AT: Final = 40
"""Of what is found, how much is looked at: most of what is like a message stands right before it."""

_FLOOR_OF_QUESTIONS: Final = 0.12
"""The score from which a hit is told to who asks something: what answers may share a single word with the question."""

_BEST_ANYWAY: Final = 12
_LEAST_SCORE: Final = 0.03
"""Of what a question finds, the first are told from this score on: few messages say much of a long question."""

MOST_RECALLED: Final = 60
"""Of what was found elsewhere: the best, most of them short; there is seldom room for all."""

_LEAST_ASKED: Final = 3
"""Words of a message that may be about anything."""

_MOST_TELLING_MEMBERS: Final = 3
_TELLING: Final = 8
"""Of what one of these said lately, the messages that tell most."""

_MOST_LED_TO: Final = 3
"""Besides these, members who said the best of what was found, or are named there."""

_TELLING_FURTHER: Final = 4
"""Of one of those."""

_TELLING_OF_ANYBODY: Final = 32
"""Of what anybody said lately: it fills what is left of a prompt for a question."""

_FIRST: Final = 12
"""Of what was found, what stands before that."""

_SEEN_AROUND: Final = 6
"""Of these, around how many it is told what was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundElsewhere:
    """What has to do with the message and was said or is known elsewhere."""

    hits: Sequence[Hit] = ()
    """The best first."""
    facts: Mapping[int, Fact] = field(default_factory=dict)
    """Those of them that are facts, by their ids."""
    around: Mapping[int, Sequence[Message]] = field(default_factory=dict)
    """What was said right around the best messages among them."""
    replaced: frozenset[int] = frozenset()
    """The messages of which all that they told has been replaced."""


class ReplyReader:
    """Reads what a reply to `turn` may draw on, each part until the deadline."""

    def __init__(
        self,
        turn: Turn,
        access: MemoryAccess,
        *,
        now: datetime,
        seconds: float,
        search_words: Sequence[str] = (),
    ) -> None:
        self._turn = turn
        self._search_words = search_words
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
            close_ids=close_to(turn),
            text=" ".join(filter(None, (turn.text, named, *self._search_words))),
            asker_id=turn.message.user_id,
        )

    async def contexts(self, user_ids: Sequence[int]) -> Mapping[int, str]:
        """Return what is remembered of members of whom more than facts is known: facts alone are told one by one.

        Of the group, subject 0, what it decided and plans.
        """
        if not self._turn.view.audiences:
            return {}
        told = await self._access.memory.get_memories_of(
            self._turn.message.guild_id,
            user_ids,
            audience=self._turn.message.audience,
            seconds=max(0.0, self._in_time.left - _LAST_SECONDS),
        )
        asker_id = self._turn.message.user_id
        group = told.pop(GUILD_SUBJECT, None)
        own = {user_id: one.context for user_id, one in told.items() if user_id == asker_id and one.lately}
        return (
            own
            | {
                user_id: one.context_unquoted
                for user_id, one in told.items()
                if user_id != asker_id and one.lately_unquoted
            }
            | ({GUILD_SUBJECT: group.lately} if group is not None else {})
        )

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

    async def elsewhere(
        self, user_ids: Sequence[int], shown: Sequence[Message]
    ) -> tuple[FoundElsewhere, Mapping[int, Sequence[Message]]]:
        """Return what else has to do with the message, and what tells most of those whom it means or leads to."""
        found = await self.part("what was said elsewhere", lambda: self.hits(shown), share=_SEARCHED_FOR)
        found = found or FoundElsewhere()
        telling = await self.part("what tells most", lambda: self.telling(user_ids, shown, found.hits))
        return found, telling or {}

    async def hits(self, shown: Sequence[Message]) -> FoundElsewhere:
        """Return what else has to do with the message, with the talk around it; what is `shown` anyway is no find."""
        turn = self._turn
        if not turn.view.audiences or not turn.text.strip():
            return FoundElsewhere()
        query = query_of(
            turn.text,
            now=self._now,
            time_zone=turn.time_zone,
            asker_id=turn.message.user_id,
            named_ids=mentioned_in(turn.text, turn),
            near_channel_id=turn.message.channel_id,
            before_message_id=turn.message.message_id,
            exclude_ids=[message.message_id for message in shown],
            asks=may_ask(turn.text),
        )
        guild_id, audiences, memory = turn.view.guild_id, turn.view.audiences, self._access.memory
        found = await memory.recall(
            guild_id=guild_id,
            query=query,
            audiences=audiences,
            limit=_LOOKED_AT,
            leads_on=may_ask(turn.text),
        )
        if self._search_words:
            found = await memory.recollection.search_again(
                guild_id=guild_id,
                query=query,
                words=self._search_words,
                found=found,
                audiences=audiences,
                limit=_LOOKED_AT,
            )
        hits = self._worth_telling(found)
        message_ids = [hit.hit_id for hit in hits if hit.kind is HitKind.MESSAGE][:MOST_RECALLED]
        around: Mapping[int, Sequence[Message]] = {}
        replaced = frozenset[int]()
        if message_ids:
            around, replaced = await self._access.library.said_around(
                view=turn.view,
                message_ids=message_ids,
                before_message_id=turn.message.message_id,
            )
        fact_ids = [hit.hit_id for hit in hits if hit.kind is HitKind.FACT]
        facts = await memory.facts_with_ids(guild_id=guild_id, fact_ids=fact_ids) if fact_ids else []
        return FoundElsewhere(
            hits=hits,
            facts={fact.fact_id: fact for fact in facts},
            around={one: around[one] for one in message_ids[:_SEEN_AROUND] if one in around},
            replaced=replaced,
        )

    def _worth_telling(self, found: Sequence[Hit]) -> list[Hit]:
        """Return what fits well enough; what several said in the same words once, as the one said it that fits best."""
        is_question = may_ask(self._turn.text)
        floor = _FLOOR_OF_QUESTIONS if self._search_words or is_question else FLOOR
        once: dict[tuple[HitKind, str], Hit] = {}
        for hit in found:
            once.setdefault((hit.kind, hit.text), hit)
        best = _BEST_ANYWAY if is_question else 0
        return [
            hit
            for place, hit in enumerate(once.values())
            if hit.score >= floor or (place < best and hit.score >= _LEAST_SCORE)
        ]

    async def telling(
        self, user_ids: Sequence[int], shown: Sequence[Message], hits: Sequence[Hit]
    ) -> Mapping[int, Sequence[Message]]:
        """Return by member what they or others of them said lately that tells most, and by 0 the talk that is meant.

        They are those whom the message means, then those who said the best of the `hits` or are named there; for what
        may be a question `ANYBODY` too. It need share no word with the message. A mere greeting brings none of it.
        """
        turn = self._turn
        if not turn.view.audiences or len(WORD.findall(turn.text)) < _LEAST_ASKED:
            return {}
        leaders = hits[:LEADERS]
        await turn.known.meet(
            *(hit.text for hit in leaders), user_ids=map(_who_is_met, leaders), seconds=_ALIASES_SECONDS
        )
        meant = user_ids[:_MOST_TELLING_MEMBERS]
        led_to = [user_id for user_id in self._met_in(leaders) if user_id not in meant]
        limits = dict.fromkeys(meant, _TELLING) | dict.fromkeys(led_to[:_MOST_LED_TO], _TELLING_FURTHER)
        if may_ask(turn.text) and is_about_something(turn.text):
            limits[ANYBODY] = _TELLING_OF_ANYBODY
        said = await self._access.library.telling(
            view=turn.view,
            limits=limits,
            query=query_of(turn.text, now=self._now, time_zone=turn.time_zone, asks=may_ask(turn.text)),
            before_message_id=turn.message.message_id,
        )
        seen = {message.message_id for message in shown}
        return {
            user_id: [one for one in messages if one.message_id not in seen and turn.sees(one)]
            for user_id, messages in said.items()
        }

    def _met_in(self, hits: Sequence[Hit]) -> list[int]:
        """Return who said these, or is named there."""
        return known_among(
            self._turn,
            (user_id for hit in hits for user_id in (_who_is_met(hit), *mentioned_in(hit.text, self._turn))),
        )

    async def disclosure(self) -> tuple[AskerDisclosure, Mapping[int, str]]:
        """Return how much the asker is told, and what the channels are called."""
        guild_id = self._turn.message.guild_id
        private, names = await self._access.directory.private_members_and_channel_names(guild_id)
        tact = await disclosure_of(self._turn, self._access, private)
        return replace(tact, plans=plans_of(self._turn.text)), names


def _who_is_met(hit: Hit) -> int:
    """Return whom what was found is about, or who said it."""
    return hit.subject_id or hit.author_id


_NAMING_SECONDS: Final = 0.5
"""Real seconds to find what those are called of whom it is told, when all else has been read or is late."""

MOST_FURTHER: Final = 6
"""Members who take no part, and are named by what has to do with the message."""

MOST_PLACES: Final = 5
"""Places that are told of one member: those that come up most."""

_WAITED_FOR: Final = 0.5
"""Of the time, how much may pass until it is known who takes part."""


async def gather(
    turn: Turn,
    access: MemoryAccess,
    *,
    now: datetime,
    seconds: float = READING_SECONDS,
    search_words: Sequence[str] = (),
) -> ReplyGiven:
    """Read what a reply to `turn` may draw on, in `seconds` real seconds at most over all of it.

    `search_words` are other ways to say what the message asks for: by these it is looked for as well.

    First what was just said, half of the time at most, which tells who takes part; then all that is known, in the
    order of what it is worth, as many parts side by side as the reply has connections. What is late or fails is
    missing from the prompt, and nothing else is. The time begins when it is this reply's turn to be read for. `now`
    is aware; nothing is raised if the database is away.
    """
    async with access.reading.turn():
        reader = ReplyReader(turn, access, now=now, seconds=seconds, search_words=search_words)
        read = await _read(turn, reader)
        ids = _met_anywhere(read)
        naming = ReadInTime(_NAMING_SECONDS, of=f"the reply to message {turn.message.message_id}")
        await naming.part(
            "what some are called", lambda: turn.known.meet_mentioned(user_ids=ids, seconds=_ALIASES_SECONDS)
        )
    tact, episodes, found = read.tact, read.episodes, read.found
    members = {member.user_id: member for member in turn.everyone}
    # Of whom it is not known that they may be told about, nothing is told.
    if tact is None:
        told_ids = {one.episode_id for one in episodes or ()} | {hit.hit_id for hit in found.hits}
        called = {spelling for fact in read.facts for spelling in spellings_of(fact.name_about)}
        tact = AskerDisclosure(
            turn.guild,
            turn.message.user_id,
            turn.from_moderator,
            ids | members.keys(),
            frozenset(told_ids),
            frozenset(called),
        )
    hits, hit_facts = _told_hits(found.hits, found.facts, tact)
    server = read.relevant.get(GUILD_SUBJECT, Relevant())
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
        members=tuple(_everyone(read, members, tact, turn.language)),
        server_facts=tuple(tact.facts(server.facts)),
        server_bearing=server.bearing,
        group=_lines_told(read.contexts.get(GUILD_SUBJECT, ""), tact),
        episodes=tuple(tact.episodes(episodes or ())),
        channel_names=names,
        recalled_facts=hit_facts,
        around={one: tact.messages(filter(turn.sees, said)) for one, said in found.around.items()},
        replaced=found.replaced,
        called=turn.called,
    )
    telling = {user_id: those for user_id, those in read.telling.items() if not tact.hides(user_id)}
    by_anybody = _as_hits(tact.messages(telling.pop(ANYBODY, ())))
    told_anyway = _as_hits(tact.messages([one for those in telling.values() for one in those]))
    recalled = [*hits[:_FIRST], *told_anyway, *hits[_FIRST:], *by_anybody]
    return ReplyGiven(scene=replace(scene, recalled=_unseen(recalled, scene)))


def _as_hits(messages: Sequence[Message]) -> list[Hit]:
    """Return `messages` as if they had been found."""
    return [Hit.of_message(one, score=0.0) for one in messages]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """Those who take part, and all that was read; what is `None` was late or failed."""

    window: ConversationWindow
    chain: Sequence[Message]
    user_ids: Sequence[int]
    close_ids: Collection[int]
    relevant: Mapping[int, Relevant]
    contexts: Mapping[int, str]
    profiles: Mapping[int, str]
    places: Mapping[int, tuple[RememberedPlace, ...]]
    tact: AskerDisclosure | None
    channel_names: Mapping[int, str]
    episodes: Sequence[Episode] | None
    found: FoundElsewhere
    telling: Mapping[int, Sequence[Message]]

    @property
    def facts(self) -> Iterator[Fact]:
        """All facts that were read."""
        yield from (fact for about in self.relevant.values() for fact in about.facts)
        yield from (place.fact for places in self.places.values() for place in places)
        yield from self.found.facts.values()

    @property
    def all_messages(self) -> Iterator[Message]:
        """All messages that were read, but those that were merely found."""
        around = itertools.chain(*self.found.around.values(), *self.telling.values())
        return itertools.chain(self.window.messages, self.chain, around)


def _met_anywhere(read: _Read) -> frozenset[int]:
    """Return whoever said or told anything of what was read, is mentioned in it, or is whom it is about."""
    texts = [
        *(hit.text for hit in read.found.hits),
        *(one.content for one in read.episodes or ()),
        *read.contexts.values(),
        *read.profiles.values(),
        read.window.summary,
    ]
    told_of = {*read.user_ids, *read.relevant, *read.contexts, *read.profiles, *read.places}
    told_of.update(hit.author_id for hit in read.found.hits)
    return frozenset(told_of) | met_in(read.all_messages, read.facts, texts)


async def _read(turn: Turn, reader: ReplyReader) -> _Read:
    """Read what was just said, then who may be told about and what is known; what is begun first is read first."""
    window, chain = await asyncio.gather(
        reader.part("what was said before", reader.window, share=_WAITED_FOR),
        reader.part("the replies above", reader.chain, share=_WAITED_FOR),
    )
    window = window or ConversationWindow()
    said = [*(chain or ()), *window.messages]
    await reader.part(
        "who takes part",
        lambda: turn.known.meet_mentioned(
            *(one.text for one in said), user_ids=[one.user_id for one in said], seconds=_ALIASES_SECONDS
        ),
        share=_WAITED_FOR,
    )
    shown = {message.message_id for message in window.messages}
    chain = [message for message in chain or () if message.message_id not in shown]
    user_ids = taking_part(turn, [*chain, *window.messages])
    close_ids = [user_id for user_id in close_to(turn) if user_id in user_ids]
    of_members = asyncio.gather(
        reader.part("who is private, and the channels' names", reader.disclosure),
        reader.part("facts", lambda: reader.relevant(user_ids)),
        reader.part("the members' days", lambda: reader.contexts([*close_ids, GUILD_SUBJECT])),
        reader.part("profiles", lambda: reader.profiles(close_ids)),
        reader.part("places", lambda: reader.places(close_ids)),
    )
    of_the_channel = asyncio.gather(
        reader.part("the channel's memories", reader.episodes),
        reader.elsewhere(close_ids, window.messages),
    )
    disclosure, relevant, contexts, profiles, places = await of_members
    episodes, (found, telling) = await of_the_channel
    tact, channel_names = disclosure or (None, {})
    return _Read(
        window=window,
        chain=chain,
        user_ids=user_ids,
        close_ids=close_ids,
        relevant=relevant or {},
        contexts=contexts or {},
        profiles=profiles or {},
        places=places or {},
        tact=tact,
        channel_names=channel_names,
        episodes=episodes,
        found=found,
        telling=telling,
    )


def _everyone(
    read: _Read, members: Mapping[int, Member], tact: AskerDisclosure, language: str
) -> Iterator[SceneMember]:
    """Yield those who take part, then others of whom there is something that has to do with the message."""
    for user_id in read.user_ids:
        yield _known(read, members[user_id], tact, language)
    further = [user_id for user_id in read.relevant if user_id in members and user_id not in read.user_ids]
    for user_id in further[:MOST_FURTHER]:
        known = _known(read, members[user_id], tact, language)
        if known.facts:
            yield known


def _lines_told(text: str, tact: AskerDisclosure) -> str:
    told = (tact.without_private(line) for line in text.splitlines())
    return "\n".join(line for line in told if line)


def _known(read: _Read, member: Member, tact: AskerDisclosure, language: str) -> SceneMember:
    user_id = member.user_id
    about = read.relevant.get(user_id, Relevant())
    told = tact.facts(about.facts)
    context = tact.text(user_id, read.contexts.get(user_id, ""), facts=told)
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
        bearing=about.bearing,
        is_close=user_id in read.close_ids,
        places=tuple(
            ScenePlace(
                fact_id=place.fact.fact_id,
                said_at=place.fact.said_at,
                text=place_line(place, language),
            )
            for place in read.places.get(user_id, ())[:MOST_PLACES]
            if tact.facts([place.fact])
        ),
        named_by=about.known_by if is_known else (),
        in_context=tuple(fact.fact_id for fact in told if fact not in facts),
    )


def _told_hits(
    hits: Sequence[Hit], facts: Mapping[int, Fact], tact: AskerDisclosure
) -> tuple[Sequence[Hit], Mapping[int, Fact]]:
    """Return what of the found is told: facts as of whom they are, and nothing that private members said."""
    told = {fact.fact_id: fact for fact in tact.facts(facts.values())}
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
    unseen = {(hit.kind, hit.hit_id): hit for hit in hits if hit.hit_id not in seen[hit.kind]}
    return tuple(unseen.values())[:MOST_RECALLED]
