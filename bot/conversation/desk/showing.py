"""Showing what is known about somebody, and offering of it what the visitor may have forgotten."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.conversation import asking
from bot.conversation.desk.form_turn import FormTurn
from bot.conversation.desk.visit import Choice, Line, Shown
from bot.conversation.sourcing import sources_of, told_of
from bot.conversation.tact import tact_of
from bot.conversation.telling_places import place_line
from bot.conversation.texts import Text
from bot.conversation.turn import Doors
from bot.domain import GUILD_SUBJECT, Episode, Fact, FactStatus, Message, mention_of
from bot.memory.place_facts import RememberedPlace
from bot.memory.rights import may_forget

LONGEST_LABEL: Final = 100
"""Characters that Discord shows of one suggestion."""


async def show(turn: FormTurn, subject_id: int, doors: Doors) -> Shown:
    """Return what `turn` may see about a subject; with no facts the title says so, and what a member last said."""
    if subject_id == turn.bot_id:
        return Shown(turn.say(Text.ABOUT_THE_BOT))
    await doors.noticed(turn.message)
    tact = await tact_of(turn, doors)
    known = await asking.known_about(tact, subject_id, doors)
    if not known:
        answer = await asking.ask_about(turn, [subject_id], "", doors)
        return Shown(turn.rendered("\n".join(answer.parts)) if answer is not None else "")
    title = (
        turn.say(Text.KNOWN_ABOUT_GUILD)
        if subject_id == GUILD_SUBJECT
        else turn.say(Text.KNOWN_ABOUT, name=mention_of(subject_id))
    )
    lately = await asking.lately_of(tact, subject_id, doors)
    written = await asking.written_by(turn, subject_id, doors) if subject_id != GUILD_SUBJECT else []
    below = [*((turn.say(Text.LATELY), lately) if lately else ()), *written]
    profile = await asking.profile_of(turn, subject_id, doors)
    return Shown(
        turn.rendered(title),
        _lines(turn, known, await asking.told_places(tact, subject_id, doors)),
        lately=turn.rendered("\n".join(below)),
        profile=turn.rendered(f"{turn.say(Text.LEARNED)}\n{profile}") if profile else "",
    )


async def why(turn: FormTurn, doors: Doors) -> Shown:
    """Return what the answer of the bot's that `turn` replies to rests on, as far as it may be seen here."""
    sources = None if turn.replied_to is None else await sources_of(turn, turn.replied_to, doors)
    if sources is None:
        return Shown(turn.say(Text.WHY_NO_ANSWER))
    if not sources:
        return Shown(turn.say(Text.RESTS_ON_NOTHING))
    return Shown(
        turn.say(Text.RESTS_ON_THIS),
        (
            *(line_of(turn, fact) for fact in sources.facts),
            *(message_line(turn, message, told_of(turn, message)) for message in sources.messages),
            *(episode_line(turn, episode) for episode in sources.episodes),
        ),
    )


async def choices(
    turn: FormTurn, subject_ids: Sequence[int], typed: str, doors: Doors, *, limit: int
) -> list[Choice]:
    """Return the facts about these subjects that the visitor may have forgotten and that hold all words `typed`."""
    tact = await tact_of(turn, doors)
    known = tact.facts(
        await doors.library.facts_about_each(subject_ids, turn.view, asker_id=turn.message.user_id)
    )
    wanted = typed.casefold().split()
    found: list[Choice] = []
    for fact in known:
        if len(found) == limit:
            break
        if not may_forget(turn.guild, fact, user_id=turn.message.user_id, from_moderator=turn.from_moderator):
            continue
        label = f"[{turn.day(fact.said_at)}] {' '.join(line_of(turn, fact).text.split())}"
        if all(word in label.casefold() for word in wanted):
            found.append(Choice(fact.fact_id, clipped(label)))
    return found


def _lines(turn: FormTurn, known: Sequence[Fact], places: Sequence[RememberedPlace]) -> tuple[Line, ...]:
    """Return the facts, then the places."""
    told_below = {place.fact.key for place in places}
    facts = [line_of(turn, fact) for fact in known if fact.key not in told_below]
    below = [
        replace(line_of(turn, place.fact), text=turn.rendered(place_line(place, turn.language)))
        for place in places
    ]
    return (*facts, *below)


def line_of(turn: FormTurn, fact: Fact) -> Line:
    """Return a fact as it is shown."""
    was_said = fact.source_message_id != 0
    holds = fact.status is FactStatus.ACTIVE
    return Line(
        text=turn.rendered(turn.content_of(fact)),
        said_at=fact.said_at,
        fact_id=fact.fact_id,
        guild_id=fact.guild_id,
        channel_id=fact.source_channel_id if was_said else 0,
        message_id=fact.source_message_id,
        is_forgettable=holds,
        is_own=holds and fact.subject_id == turn.message.user_id,
    )


def message_line(turn: FormTurn, message: Message, told: str) -> Line:
    """Return a message as it is shown, with what is told of it."""
    return Line(
        text=turn.rendered(told),
        said_at=message.timestamp,
        fact_id=0,
        guild_id=message.guild_id,
        channel_id=message.channel_id,
        message_id=message.message_id,
    )


def episode_line(turn: FormTurn, episode: Episode) -> Line:
    """Return what a conversation left behind as it is shown, marked as such."""
    return Line(
        text=turn.rendered(turn.say(Text.FOUND_EPISODE, content=episode.content)),
        said_at=episode.created_at,
        fact_id=0,
        guild_id=episode.guild_id,
        channel_id=episode.channel_id,
        message_id=episode.first_message_id,
    )


def clipped(label: str) -> str:
    """Return `label` cut to what Discord shows of one suggestion."""
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1].rstrip() + "…"
