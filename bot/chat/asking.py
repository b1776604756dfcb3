"""Answer "what do you know about ..." and "how much do you know?" from the database."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.chat.disclosure import AskerDisclosure, disclosure_of, place_line, places_of, words_of
from bot.chat.figures import Figures, own_figures
from bot.chat.incoming import Route
from bot.chat.own_rights import audiences_in_guild, is_direct
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import GUILD_SUBJECT, Fact, Member, Message, mention_of
from bot.memory.facts.places import RememberedPlace
from bot.memory.members import roster
from bot.memory.members.names import names_borne
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.policy.disclosure import DisclosureLevel
from bot.memory.recall.asked import Whom, facts_that_answer, is_known_of, whom
from bot.memory.rights.counting.counting import counts_together
from bot.memory.rights.forgetting.meant import facts_that_say
from bot.text.commands import AskFact, AskMemory, QuestionForm
from bot.text.grammar.words import means_the_bot
from bot.text.languages import either

LATEST_MESSAGES: Final = 3
"""How many messages of the asker stand in for facts where there are none."""

_MOST_CHANNELS: Final = 3
"""Channels that are named: those in which somebody wrote most."""


async def count_own(turn: Turn, access: MemoryAccess, *, in_public: bool = False) -> Figures:
    """Return how much is kept of the asker here; in a direct message there and on all servers shared.

    What is in closed channels counts where they can read it, or `in_public` where all can who see the answer.
    """
    seen = replace(turn, reads=None) if in_public else turn
    counted = [
        await access.memory.counting.of_member(
            guild_id=guild_id,
            audiences=await audiences_in_guild(guild_id, seen),
            user_id=turn.message.user_id,
            now=turn.asked_at,
            time_zone=turn.time_zone,
        )
        for guild_id in (turn.message.guild_id, *turn.view.own_guild_ids)
    ]
    return own_figures(
        counts_together(counted),
        turn.language,
        zone=ZoneInfo(turn.time_zone),
        title="stats.own_here" if in_public else "stats.own",
    )


async def answer_figures(turn: Turn, access: MemoryAccess) -> WrittenAnswer:
    """Tell how much is kept of the asker, as far as everybody may see it who sees the answer."""
    figures = await count_own(turn, access, in_public=not is_direct(turn))
    return WrittenAnswer(route=Route.ASK_MEMORY, parts=(figures.text,))


async def where_written(turn: Turn, subject_id: int, access: MemoryAccess) -> list[str]:
    """Return how much a member has written where the asker may look, and in which channels; empty if nothing.

    Nothing of what they wrote is in it.
    """
    tally, channels = await access.library.wrote_in(
        user_id=subject_id,
        view=turn.view,
        before_message_id=turn.message.message_id,
        limit=_MOST_CHANNELS,
    )
    if tally.first_at is None:
        return []
    known = {channel.channel_id: channel for channel in await access.directory.channels(turn.view.guild_id)}
    lines = [_how_much(turn, subject_id, tally.messages, since=tally.first_at)]
    for one in channels:
        channel = known.get(one.channel_id)
        name = f"#{channel.name}" if channel is not None and channel.name else ""
        link = turn.link(one.channel_id, one.last_message_id)
        if name or link:
            lines.append(
                "- " + " · ".join(filter(None, (name, turn.say("count.messages", count=one.messages), link)))
            )
    return lines


async def own_latest(turn: Turn, access: MemoryAccess) -> tuple[list[str], list[Message]]:
    """Return how much the asker has written, and their last messages word for word; empty if nothing."""
    asker_id = turn.message.user_id
    tally, latest = await access.library.said_before(
        user_id=asker_id,
        view=turn.view,
        before_message_id=turn.message.message_id,
        limit=LATEST_MESSAGES,
    )
    if tally.first_at is None:
        return [], []
    head = turn.say("chat.the_latest", said=_how_much(turn, asker_id, tally.messages, since=tally.first_at))
    return [head, *(f"- [{turn.minute(one.timestamp)}] {words_of(one)}" for one in latest)], latest


def _how_much(turn: Turn, user_id: int, messages: int, *, since: datetime) -> str:
    counted = turn.say("count.messages", count=messages)
    return turn.say("chat.has_said", name=mention_of(user_id), messages=counted, date=turn.day(since))


async def ask_memory(turn: Turn, command: AskMemory, access: MemoryAccess) -> WrittenAnswer:
    """Tell every fact that this place may see about somebody, about the guild, or about a word.

    What was said until now is read for facts first, as far as that takes no longer than anybody would wait.
    """
    await access.noticed(turn.message)
    if command.about is None:
        return await _about(turn, GUILD_SUBJECT, access)
    if means_the_bot(command.about):
        return WrittenAnswer(route=Route.ASK_MEMORY, parts=(turn.say("chat.about_the_bot"),))
    resolved = roster.resolve(command.about, members=turn.members, author_id=turn.message.user_id)
    match resolved:
        case roster.AmbiguousName(candidates):
            return turn.ask_which(Route.ASK_MEMORY, candidates)
        case roster.FoundMember(user_id):
            if user_id == turn.bot_id:
                return WrittenAnswer(route=Route.ASK_MEMORY, parts=(turn.say("chat.about_the_bot"),))
            return await _about(turn, user_id, access)
        case roster.UnknownName():
            if len(names := _names_in(command.about)) > 1:
                return await _each(turn, names, access)
            tact = await disclosure_of(turn, access)
            asker_id = turn.message.user_id
            known = tact.facts(await access.library.all_facts(turn.view, asker_id=asker_id))
            of_name = await access.library.facts_known_of(
                (), turn.view, asker_id=asker_id, names=[command.about]
            )
            asked = AskFact(QuestionForm.WHAT, command.about)
            meant = whom(asked, turn.members, asker_id=asker_id)
            if meant.user_ids:
                # "Anna's job" is what is known of Anna, and nobody else's job.
                known = [fact for fact in known if is_known_of(fact, meant.user_ids)]
            today = turn.message.timestamp.astimezone(ZoneInfo(turn.time_zone)).date()
            saying = facts_that_say(command.about, known, author_id=asker_id)
            saying += facts_that_answer(asked, meant, known, today=today) if meant.user_ids else []
            found = list({fact.fact_id: fact for fact in (*tact.facts(of_name), *saying)}.values())
            if not found and meant.user_ids:
                return WrittenAnswer(route=Route.ASK_MEMORY, parts=(not_known(turn, meant),))
            if not found:
                return turn.unknown(Route.ASK_MEMORY, resolved)
            return _told(turn, turn.say("chat.known_about_words", words=command.about), found)


_JOINED: Final = re.compile(rf"\s*(?:,|&|(?<!\w){either('joins_names')}(?!\w))\s*", re.IGNORECASE)
_MOST_NAMES: Final = 5


def _names_in(about: str) -> list[str]:
    """Return the names of several who are asked about at once: "Alice, Bob and me"."""
    names = [name for name in _JOINED.split(about) if name]
    return names if len(names) <= _MOST_NAMES and all(len(name.split()) <= 2 for name in names) else []


def nothing_known_of(turn: Turn, about: str) -> WrittenAnswer | None:
    """Return what is said of a topic of which nothing is known; `None` for a word that may be a name."""
    is_name_like = not about.islower() or about.startswith("@") or turn.members.closest(about) is not None
    if len(about.split()) == 1 and is_name_like:
        return None
    return WrittenAnswer(
        route=Route.ASK_MEMORY, parts=(turn.say("chat.nothing_about_topic", words=about),), unknown_name=about
    )


async def _each(turn: Turn, names: Sequence[str], access: MemoryAccess) -> WrittenAnswer:
    """Tell what is known about each of several; of whom several may be meant that is asked first."""
    told = [await ask_memory(turn, AskMemory(name), access) for name in names]
    asks = next((one for one in told if one.question is not None), None)
    return asks or WrittenAnswer(
        route=Route.ASK_MEMORY,
        parts=("\n".join(part for one in told for part in one.parts),),
        memory_ids=tuple(dict.fromkeys(fact_id for one in told for fact_id in one.memory_ids)),
        quoted_ids=tuple(message_id for one in told for message_id in one.quoted_ids),
    )


async def ask_about(
    turn: Turn, subject_ids: Sequence[int], question: str, access: MemoryAccess
) -> WrittenAnswer | None:
    """Tell what is known about one subject, or the facts that `question` is about; `None` if there are none."""
    asker_id = turn.message.user_id
    if len(subject_ids) == 1:
        return await _about(turn, subject_ids[0], access)
    tact = await disclosure_of(turn, access)
    if subject_ids:
        known = await access.library.facts_about_each(subject_ids, turn.view, asker_id=asker_id)
    else:
        known = facts_that_say(
            question, await access.library.all_facts(turn.view, asker_id=asker_id), author_id=asker_id
        )
    known = tact.facts(known)
    return _told(turn, turn.say("chat.known_about_words", words=question), known) if known else None


async def _about(turn: Turn, subject_id: int, access: MemoryAccess) -> WrittenAnswer:
    tact = await disclosure_of(turn, access)
    if tact.about(subject_id) is DisclosureLevel.NOTHING:
        return WrittenAnswer(route=Route.ASK_MEMORY, parts=(not_told(turn, subject_id),))
    known = await known_about(turn, tact, subject_id, access)
    if subject_id == GUILD_SUBJECT:
        if not known:
            return WrittenAnswer(route=Route.ASK_MEMORY, parts=(turn.say("chat.nothing_known_guild"),))
        return _told(turn, turn.say("chat.known_about_guild"), known)
    name = mention_of(subject_id)
    lately = await lately_of(turn, tact, subject_id, access)
    profile = await profile_of(turn, subject_id, access)
    places = await told_places(turn, tact, subject_id, access)
    written = await written_by(turn, subject_id, access)
    if known or lately or profile:
        header = turn.say("chat.known_about", name=name)
        return _told(turn, header, known, places=places, lately=lately, profile=profile, written=written)
    latest: list[Message] = []
    if subject_id == turn.message.user_id:
        written, latest = await own_latest(turn, access)
    return WrittenAnswer(
        route=Route.ASK_MEMORY,
        parts=("\n".join([turn.say("chat.nothing_known", name=name), *written]),),
        quoted_ids=tuple(message.message_id for message in latest),
    )


def not_known(turn: Turn, meant: Whom) -> str:
    """Return one sentence that says that what was asked is not known, and what works instead."""
    if meant.user_ids == (turn.message.user_id,):
        return turn.say("chat.not_known_own")
    if len(meant.user_ids) == 1:
        return turn.say("chat.not_known_about", name=mention_of(meant.user_ids[0]))
    return turn.say("chat.not_known")


async def written_by(turn: Turn, subject_id: int, access: MemoryAccess) -> list[str]:
    """Return how much somebody else wrote, and where; of the asker, who knows it, nothing."""
    return [] if subject_id == turn.message.user_id else await where_written(turn, subject_id, access)


def not_told(turn: Turn, subject_id: int) -> str:
    """Return what is said in the place of all that is known about somebody of whom nothing is told."""
    return turn.say("chat.told_to_nobody", name=mention_of(subject_id))


async def known_about(turn: Turn, tact: AskerDisclosure, subject_id: int, access: MemoryAccess) -> list[Fact]:
    """Return the facts about somebody, or that name them, that are told to who asks, important and new first.

    Besides those about names that are nobody's for sure, but that they alone bear.
    """
    await turn.known.meet_namesakes(subject_id)
    return tact.facts(
        await access.library.facts_known_of(
            [subject_id],
            turn.view,
            asker_id=turn.message.user_id,
            names=own_names(turn.everyone, subject_id),
        )
    )


def own_names(members: Sequence[Member], user_id: int) -> list[str]:
    """Return the names that a member bears now and nobody else does."""
    known = roster.Roster.of(members)
    called = (name for member in known if member.user_id == user_id for name in names_borne(member))
    return [name for name in called if known.named(name) == (user_id,)]


async def told_places(
    turn: Turn, tact: AskerDisclosure, subject_id: int, access: MemoryAccess
) -> list[RememberedPlace]:
    """Return the places of somebody that are told to who asks."""
    return [place for place in await places_of(turn, subject_id, access) if tact.facts([place.fact])]


async def lately_of(turn: Turn, tact: AskerDisclosure, subject_id: int, access: MemoryAccess) -> str:
    """Return what the current day and the week before it say about somebody, as far as it is told here.

    To others nothing but what a model told of it: else it is what somebody wrote, word for word.
    """
    if not turn.view.audiences:
        return ""
    told = await access.memory.get_memories_of(
        turn.message.guild_id, [subject_id], audience=turn.message.audience
    )
    if subject_id not in told:
        return ""
    is_own = subject_id == turn.message.user_id
    return tact.text(subject_id, told[subject_id].lately if is_own else told[subject_id].lately_unquoted)


def profile_guild_ids(turn: Turn) -> Sequence[int]:
    """Return the guilds whose profile of the asker may be told here: in a direct message those that both share."""
    if not turn.view.audiences:
        return ()
    return turn.view.own_guild_ids or (turn.view.guild_id,)


async def profile_of(turn: Turn, subject_id: int, access: MemoryAccess) -> str:
    """Return what was learned of somebody, for themselves alone; it may be empty."""
    if subject_id != turn.message.user_id:
        return ""
    told = await access.memory.profiles.own(guild_ids=profile_guild_ids(turn), user_id=subject_id)
    return "\n".join(told[guild_id] for guild_id in sorted(told))


def _told(
    turn: Turn,
    header: str,
    known: list[Fact],
    *,
    places: Sequence[RememberedPlace] = (),
    lately: str = "",
    profile: str = "",
    written: Sequence[str] = (),
) -> WrittenAnswer:
    told_below = {place.fact.key for place in places}
    lines = [header, *(turn.told(fact) for fact in known if fact.key not in told_below)]
    if places:
        lines += [turn.say("chat.places"), *(f"- {place_line(place, turn.speech)}" for place in places)]
    if lately:
        lines += [turn.say("chat.lately"), lately]
    if profile:
        lines += [turn.say("chat.learned"), profile]
    lines += written
    return WrittenAnswer(
        route=Route.ASK_MEMORY,
        parts=("\n".join(lines),),
        memory_ids=tuple(fact.fact_id for fact in known),
    )
