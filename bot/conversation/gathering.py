"""What a chat reply may draw on, read in one second at most: what matters most first, each part failing alone."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.conversation.prompting import KnownMember, KnownPlace, Scene
from bot.conversation.reply_reader import ReplyReader
from bot.conversation.replying import ReplyGiven
from bot.conversation.tact import Tact, tact_of
from bot.conversation.taking_part import taking_part
from bot.conversation.telling_places import place_line
from bot.conversation.turn import Doors, Turn
from bot.domain import GUILD_SUBJECT, Episode, Fact, Member, Message
from bot.memory.place_facts import RememberedPlace
from bot.memory.recall import Hit, HitKind
from bot.memory.relevance import Relevant, untold
from bot.memory.rolling import Window
from bot.memory.telling_others import Discretion

READING_SECONDS: Final = 1.0
"""Real seconds for all that a reply reads: it never waits longer for a memory."""

MOST_PLACES: Final = 5
"""Places that are told of one member: those that come up most."""

MOST_RECALLED: Final = 6
"""Of what was found elsewhere: the few best."""

_WAITED_FOR: Final = 0.5
"""Of the time, how much may pass until it is known who takes part."""


async def gather(
    turn: Turn,
    doors: Doors,
    *,
    now: datetime,
    persona: str = "",
    fallback_text: str = "",
    seconds: float = READING_SECONDS,
) -> ReplyGiven:
    """Read what a reply to `turn` may draw on, in `seconds` real seconds at most over all of it.

    First what was just said, half of the time at most, which tells who takes part; then all that is known, in the
    order of what it is worth, as many parts side by side as the reply has connections. What is late or fails is
    missing from the prompt, and nothing else is. The time begins when it is this reply's turn to be read for. `now`
    is aware; nothing is raised if the database is away.
    """
    async with doors.reading.turn():
        read = await _read(turn, doors, ReplyReader(turn, doors, now=now, seconds=seconds))
    company, tact, episodes, found = read.company, read.tact, read.episodes, read.found
    members = {member.user_id: member for member in turn.everyone}
    # Of whom it is not known that they may be told about, nothing is told.
    found_hits, found_facts = found or ([], {})
    if tact is None:
        told_ids = {one.episode_id for one in episodes or ()} | {hit.hit_id for hit in found_hits}
        tact = Tact(turn, frozenset(members), frozenset(told_ids))
    hits, hit_facts = _told_hits(found_hits, found_facts, tact)
    names = read.channel_names or {}
    replied_to = turn.replied_to
    scene = Scene(
        bot_id=turn.bot_id,
        bot_name=turn.bot_name,
        persona=persona,
        now=now,
        time_zone=turn.time_zone,
        channel_name=names.get(turn.message.channel_id, ""),
        message=turn.message,
        replied_to=replied_to if replied_to is not None and turn.sees(replied_to) else None,
        summary=company.window.summary,
        messages=company.window.messages,
        chain=tuple(company.chain),
        members=tuple(_known(company, members[user_id], tact) for user_id in company.user_ids),
        server_facts=tuple(tact.prompted(company.relevant.get(GUILD_SUBJECT, Relevant()).facts)),
        episodes=tuple(tact.episodes(episodes or ())),
        channel_names=names,
        recalled_facts=hit_facts,
        called=turn.called,
    )
    return ReplyGiven(scene=replace(scene, recalled=_unseen(hits, scene)), fallback_text=fallback_text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Company:
    """Those who take part, and what is known of them."""

    window: Window
    chain: Sequence[Message]
    user_ids: Sequence[int]
    relevant: Mapping[int, Relevant]
    contexts: Mapping[int, str]
    profiles: Mapping[int, str]
    places: Mapping[int, tuple[RememberedPlace, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """All that was read; what is `None` was late or failed."""

    company: _Company
    tact: Tact | None
    episodes: Sequence[Episode] | None
    found: tuple[list[Hit], dict[int, Fact]] | None
    channel_names: Mapping[int, str] | None


async def _read(turn: Turn, doors: Doors, reader: ReplyReader) -> _Read:
    """Read what was just said and who may be told about, and then what is known; what is begun first is read first."""
    window, chain, tact = await asyncio.gather(
        reader.part("what was said before", reader.window, share=_WAITED_FOR),
        reader.part("the replies above", reader.chain, share=_WAITED_FOR),
        reader.part("who is private", lambda: tact_of(turn, doors)),
    )
    window = window or Window()
    shown = {message.message_id for message in window.messages}
    chain = [message for message in chain or () if message.message_id not in shown]
    user_ids = taking_part(turn, [*chain, *window.messages])
    of_members = asyncio.gather(
        reader.part("facts", lambda: reader.relevant(user_ids)),
        reader.part("the members' days", lambda: reader.contexts(user_ids)),
        reader.part("profiles", lambda: reader.profiles(user_ids)),
        reader.part("places", lambda: reader.places(user_ids)),
    )
    of_the_channel = asyncio.gather(
        reader.part("the channel's memories", reader.episodes),
        reader.part("what was said elsewhere", reader.hits),
        reader.part("the channels' names", reader.channel_names),
    )
    relevant, contexts, profiles, places = await of_members
    episodes, found, channel_names = await of_the_channel
    company = _Company(
        window=window,
        chain=chain,
        user_ids=user_ids,
        relevant=relevant or {},
        contexts=contexts or {},
        profiles=profiles or {},
        places=places or {},
    )
    return _Read(company=company, tact=tact, episodes=episodes, found=found, channel_names=channel_names)


def _known(company: _Company, member: Member, tact: Tact) -> KnownMember:
    user_id = member.user_id
    about = company.relevant.get(user_id, Relevant())
    told = tact.prompted(about.facts)
    context = tact.text(user_id, company.contexts.get(user_id, ""))
    facts = untold(told, context)
    is_known = tact.about(user_id) is not Discretion.NOTHING
    return KnownMember(
        member=member,
        given_name=about.given_name if is_known else "",
        pronouns=about.pronouns or member.pronouns,
        acquaintance=about.acquaintance if user_id in company.relevant and is_known else None,
        since=about.since if is_known else None,
        context=context,
        profile=tact.profile(user_id, company.profiles.get(user_id, "")),
        facts=facts,
        places=tuple(
            KnownPlace(
                fact_id=place.fact.fact_id,
                said_at=place.fact.said_at,
                text=place_line(place, tact.turn.language),
            )
            for place in company.places.get(user_id, ())[:MOST_PLACES]
            if tact.prompted([place.fact])
        ),
        named_by=about.known_by if is_known else (),
        in_context=tuple(fact.fact_id for fact in told if fact not in facts),
    )


def _told_hits(
    hits: Sequence[Hit], facts: Mapping[int, Fact], tact: Tact
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
