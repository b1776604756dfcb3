"""The section on those who take part: who they are, and what is known about each of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from markupsafe import Markup

from bot.conversation.prompting import naming, shares
from bot.conversation.prompting.pen import Pen, block
from bot.conversation.prompting.scene import KnownMember
from bot.conversation.prompting.shares import cleaned, clipped, cost, in_turns
from bot.language import framing

_WIDEST_ID: Final = "u99"


class _Part(IntEnum):
    """What is told of a member, in the order in which it reads."""

    CONTEXT = 1
    PROFILE = 2
    FACT = 3
    PLACE = 4


@dataclass(frozen=True, slots=True)
class _Told:
    """One thing that is told of a member, and the facts that it tells."""

    part: _Part
    written: Markup
    fact_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenMembers:
    """The section, and the facts that it was made from."""

    section: Markup | None
    fact_ids: tuple[int, ...] = ()


def written_members(pen: Pen) -> WrittenMembers:
    """Return the members that there is room for, with what is known about them; these alone get a short id."""
    listed = _listed(pen)
    if not listed:
        return WrittenMembers(None)
    told = _told(pen, listed)
    elements = [
        _member(pen, known, [one.written for one in pieces], pen.user_ids.short(known.member.user_id))
        for known, pieces in zip(listed, told, strict=True)
    ]
    fact_ids = [fact_id for known in listed for fact_id in known.named_by]
    fact_ids += [fact_id for pieces in told for one in pieces for fact_id in one.fact_ids]
    return WrittenMembers(framing.tag("members", block(elements)), tuple(fact_ids))


def _listed(pen: Pen) -> list[KnownMember]:
    room = pen.room.share(shares.MEMBERS_TOKENS)
    listed = []
    for known in pen.scene.members:
        taken = cost(_member(pen, known, (), _WIDEST_ID)) + 1
        if taken > room:
            break
        room -= taken
        pen.room.take(taken)
        pen.user_ids.short(known.member.user_id)
        listed.append(known)
    return listed


def _told(pen: Pen, listed: Sequence[KnownMember]) -> list[list[_Told]]:
    """Return what is told of each member; everybody's weightiest memory comes before anybody's second."""
    room = pen.room.share(shares.MEMORIES_TOKENS)
    rooms = [shares.MEMORY_TOKENS] * len(listed)
    told: list[list[_Told]] = [[] for _ in listed]
    for number, piece in in_turns([list(_pieces(pen, known)) for known in listed]):
        taken = cost(piece.written)
        if taken <= min(room, rooms[number]):
            room -= taken
            rooms[number] -= taken
            pen.room.take(taken)
            told[number].append(piece)
    return [sorted(pieces, key=lambda one: one.part) for pieces in told]


def _pieces(pen: Pen, known: KnownMember) -> Iterator[_Told]:
    """Return all that could be told of a member, what there must be room for first."""
    facts = [_Told(_Part.FACT, pen.fact(fact), (fact.fact_id,)) for fact in known.facts]
    texts = []
    if known.context:
        texts.append(_text(pen, _Part.CONTEXT, known.context, shares.CONTEXT_TOKENS, known.in_context))
    if known.profile:
        asks = known.member.user_id == pen.scene.message.user_id
        room = shares.PROFILE_TOKENS if asks else shares.OTHERS_PROFILE_TOKENS
        texts.append(_text(pen, _Part.PROFILE, known.profile, room))
    yield from facts[:1]
    yield from texts
    yield from facts[1:]
    for place in known.places:
        line = framing.tag("place", pen.dated(place.said_at, place.text))
        yield _Told(_Part.PLACE, line, (place.fact_id,))


def _text(pen: Pen, part: _Part, text: str, tokens: int, fact_ids: tuple[int, ...] = ()) -> _Told:
    name = part.name.lower()
    room = tokens - cost(framing.tag(name))
    return _Told(part, framing.tag(name, clipped(pen.named(text), room)), fact_ids)


def _member(pen: Pen, known: KnownMember, told: Sequence[Markup], short_id: str) -> Markup:
    called = pen.told_apart[known.member.user_id]
    others = clipped(naming.other_names(known.member, called=called), shares.ALSO_KNOWN_TOKENS)
    return framing.tag(
        "member",
        *([block(told)] if told else []),
        id=short_id,
        name=called,
        also_known_as=others or None,
        pronouns=clipped(cleaned(known.pronouns), shares.NAME_TOKENS) or None,
        is_bot="yes" if known.member.is_bot else None,
        acquaintance=known.acquaintance,
        since=pen.day(known.since) if known.since else None,
    )
