"""The sections of a reply's prompt with what is known: people, earlier conversations, and search results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import IntEnum
from typing import Final

from markupsafe import Markup

from bot.chat.prompting import budget
from bot.chat.prompting import scene as prompting_scene
from bot.chat.prompting.budget import cleaned, clipped, cost, in_turns
from bot.chat.prompting.scene import SceneMember, SectionWriter, block
from bot.core.domain import Episode, Fact
from bot.llm import framing
from bot.memory.recall.search import Hit, HitKind

_WIDEST_ID: Final = "u99"


class _Part(IntEnum):
    """What is told of a member, in the order in which it reads."""

    CONTEXT = 1
    PROFILE = 2
    FACT = 3
    PLACE = 4


@dataclass(frozen=True, slots=True)
class _Piece:
    """One text about a member, and the facts that it contains."""

    part: _Part
    written: Markup
    fact_ids: tuple[int, ...] = ()
    day: date = date.min
    """On which it was said: of two notes that differ the later one holds, and stands behind the other."""


@dataclass(slots=True)
class _Told:
    """What is told of one member, or of the guild, and how much more there may be."""

    room: int
    pieces: list[_Piece] = field(default_factory=list)

    def lines(self) -> list[Markup]:
        """Return it in the order in which it reads."""
        return [one.written for one in sorted(self.pieces, key=lambda one: (one.part, one.day))]


class KnownSections:
    """What is known of members and of the guild.

    First what has to do with the message, and what makes up those who are close to it. What else is known of these
    and of the guild fills what is left of a usual prompt, and of those who merely sit there the least.
    """

    def __init__(self, pen: SectionWriter) -> None:
        self._pen = pen
        self._listed = _listed(pen)
        self._told = [_Told(budget.MEMORY_TOKENS) for _ in self._listed]
        self._server = _Told(budget.SERVER_TOKENS)
        self._left = budget.MEMORIES_TOKENS

    def tell_of_members(self) -> None:
        """Tell what has to do with the message; everybody's weightiest comes before anybody's second."""
        self._tell([(one, list(_needed(self._pen, known))) for one, known in self._each()])

    def tell_of_server(self) -> None:
        """Tell what of the guild has to do with the message."""
        self._left = budget.SERVER_TOKENS
        self._tell([(self._server, self._server_facts(bearing=True))])

    def fill(self) -> None:
        """Tell what else is known, until a prompt has its usual length."""
        pen = self._pen
        self._left = pen.room.usual_share(at_least=budget.LEAST_FILL_TOKENS)
        close = [(one, list(_besides(pen, known))) for one, known in self._each() if known.is_close]
        self._tell([*close[:1], (self._server, self._server_facts(bearing=False)), *close[1:]])
        self._tell([(one, list(_besides(pen, known))) for one, known in self._each() if not known.is_close])

    def members(self) -> Markup | None:
        """Return the members that there was room for; these alone have a short id."""
        pen = self._pen
        elements = [
            _member(pen, known, told.lines(), pen.user_ids.short(known.member.user_id))
            for told, known in self._each()
        ]
        return framing.tag("members", block(elements)) if elements else None

    def server(self) -> Markup | None:
        """Return what is told of the guild itself."""
        lines = self._server.lines()
        return framing.tag("server", block(lines)) if lines else None

    @property
    def fact_ids(self) -> list[int]:
        """The facts that are told."""
        told = [one for whose in (*self._told, self._server) for one in whose.pieces]
        return [
            *(fact_id for known in self._listed for fact_id in known.named_by),
            *(fact_id for one in told for fact_id in one.fact_ids),
        ]

    def _each(self) -> list[tuple[_Told, SceneMember]]:
        return list(zip(self._told, self._listed, strict=True))

    def _server_facts(self, *, bearing: bool) -> list[_Piece]:
        scene = self._pen.scene
        return [
            _fact(self._pen, fact)
            for fact in scene.server_facts
            if (fact.fact_id in scene.server_bearing) is bearing
        ]

    def _tell(self, known: Sequence[tuple[_Told, Sequence[_Piece]]]) -> None:
        """Tell as much as there is room for, in turns."""
        for number, piece in in_turns([pieces for _, pieces in known]):
            told, taken = known[number][0], cost(piece.written)
            if taken <= min(self._left, told.room, self._pen.room.left):
                self._left -= taken
                told.room -= taken
                self._pen.room.take(taken)
                told.pieces.append(piece)


def _listed(pen: SectionWriter) -> list[SceneMember]:
    room = pen.room.share(budget.MEMBERS_TOKENS)
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


def _needed(pen: SectionWriter, known: SceneMember) -> Iterator[_Piece]:
    """Return what of a member has to do with the message, and what they are like if they are close to it."""
    bearing = [_fact(pen, fact) for fact in known.facts if fact.fact_id in known.bearing]
    yield from bearing[:1]
    if known.context:
        yield _text(pen, _Part.CONTEXT, known.context, budget.CONTEXT_TOKENS, known.in_context)
    if known.profile:
        asks = known.member.user_id == pen.scene.message.user_id
        room = budget.PROFILE_TOKENS if asks else budget.OTHERS_PROFILE_TOKENS
        yield _text(pen, _Part.PROFILE, known.profile, room)
    yield from bearing[1:]


def _besides(pen: SectionWriter, known: SceneMember) -> Iterator[_Piece]:
    """Return what else is known of a member, the weightiest first."""
    for fact in known.facts:
        if fact.fact_id not in known.bearing:
            yield _fact(pen, fact)
    for place in known.places:
        line = framing.tag("place", pen.dated(place.said_at, place.text))
        yield _Piece(_Part.PLACE, line, (place.fact_id,), place.said_at.date())


def _fact(pen: SectionWriter, fact: Fact) -> _Piece:
    return _Piece(_Part.FACT, pen.fact(fact), (fact.fact_id,), fact.said_at.date())


def _text(pen: SectionWriter, part: _Part, text: str, tokens: int, fact_ids: tuple[int, ...] = ()) -> _Piece:
    name = part.name.lower()
    room = tokens - cost(framing.tag(name))
    return _Piece(part, framing.tag(name, clipped(pen.named(text), room)), fact_ids)


def _member(pen: SectionWriter, known: SceneMember, told: Sequence[Markup], short_id: str) -> Markup:
    called = pen.told_apart[known.member.user_id]
    others = clipped(prompting_scene.other_names(known.member, called=called), budget.ALSO_KNOWN_TOKENS)
    return framing.tag(
        "member",
        *([block(told)] if told else []),
        id=short_id,
        name=called,
        also_known_as=others or None,
        pronouns=clipped(cleaned(known.pronouns), budget.NAME_TOKENS) or None,
        is_bot="yes" if known.member.is_bot else None,
        acquaintance=known.acquaintance,
        since=pen.day(known.since) if known.since else None,
    )


_WHAT_FOLLOWS: Final = "What earlier conversations in this channel left behind, newest first:"
_WHAT_FOR: Final = "Use them to go on where these left off; do not retell them."


def written_summary(pen: SectionWriter) -> Markup | None:
    """Return what the running conversation said before the messages that stand there word for word."""
    room = pen.room.share(budget.SUMMARY_TOKENS) - cost(framing.tag("summary"))
    text = clipped(pen.named(pen.scene.summary), max(0, room))
    if not text:
        return None
    section = framing.tag("summary", text)
    pen.room.take(cost(section))
    return section


def written_group(pen: SectionWriter) -> Markup | None:
    """Return what the group decided and plans, a line for each, the newest of it where there is no room for all."""
    room = pen.room.share(budget.GROUP_TOKENS) - cost(framing.tag("plans", block([])))
    told: list[Markup] = []
    for line in reversed(pen.scene.group.splitlines()):
        piece = framing.lines([Markup.escape(pen.line(line))])
        if cost(piece) > room:
            break
        room -= cost(piece)
        told.append(piece)
    if not told:
        return None
    section = framing.tag("plans", block(reversed(told)))
    pen.room.take(cost(section))
    return section


def written_episodes(pen: SectionWriter) -> tuple[Markup | None, list[int]]:
    """Return the memories of the channel, newest first, numbered, as many as there is room for, and their ids."""
    title = f"(memories for channel: #{clipped(cleaned(pen.scene.channel_name), budget.CHANNEL_TOKENS)})"
    room = pen.room.share(budget.EPISODES_TOKENS) - cost(_channel_memories([title, _WHAT_FOLLOWS, _WHAT_FOR]))
    letters = budget.EPISODES_CHARACTERS
    lines: list[str] = []
    episode_ids: list[int] = []
    for episode in pen.scene.episodes:
        line = _memory(pen, episode, number=len(lines) + 1)
        taken = cost(framing.lines([Markup.escape(line)]))
        if taken > room or len(line) > letters:
            break
        room -= taken
        letters -= len(line) + 1
        lines.append(line)
        episode_ids.append(episode.episode_id)
    if not lines:
        return None, []
    section = _channel_memories([title, _WHAT_FOLLOWS, *lines, _WHAT_FOR])
    pen.room.take(cost(section))
    return section, episode_ids


class FoundSection:
    """What was found outside of what stands there anyway: facts and memories by themselves, messages as talks.

    The best first to find room, in order of time.
    """

    def __init__(self, pen: SectionWriter) -> None:
        self._pen = pen
        self.kept: list[Hit] = []
        self._notes: list[Hit] = []
        self._talks: dict[tuple[str, int], dict[tuple[datetime, int], Markup]] = {}
        """The lines of each day in each channel, by the time and id of their messages."""
        shown = (*pen.scene.messages, *pen.scene.chain, pen.scene.replied_to, pen.scene.message)
        self._shown = {message.message_id for message in shown if message}
        self._left = 0

    def find_room(self) -> None:
        """Take the best hits, then the talk around the best of them, then the others."""
        recalled = self._pen.scene.recalled
        self._left = min(
            budget.RECALLED_TOKENS, self._pen.room.usual_share(at_least=budget.LEAST_RECALLED_TOKENS)
        )
        for hit in recalled[: budget.FOUND_FIRST]:
            self._take(hit)
        for hit in recalled[: budget.BEST_FOUND]:
            if hit in self.kept and hit.kind is HitKind.MESSAGE:
                self._take_around(hit)
        for hit in recalled[budget.FOUND_FIRST :]:
            self._take(hit)

    @property
    def message_ids(self) -> tuple[int, ...]:
        """The messages that stand there, those around what was found among them."""
        return tuple(message_id for lines in self._talks.values() for _, message_id in lines)

    def section(self) -> Markup | None:
        """Return the section."""
        told = [(hit.said_at, hit.hit_id, _note(self._pen, hit)) for hit in self._notes]
        told += [
            (*min(lines), self._talk(key, [lines[one] for one in sorted(lines)]))
            for key, lines in self._talks.items()
        ]
        told.sort(key=lambda one: one[:2])
        return framing.tag("recalled", block(one for *_, one in told)) if told else None

    def _take(self, hit: Hit) -> None:
        if hit.kind is HitKind.MESSAGE:
            line = self._line(hit.author_id, hit.text, past=hit.hit_id in self._pen.scene.replaced)
            taken = self._put(hit.channel_id, hit.hit_id, hit.said_at, line)
        elif taken := self._pays(cost(_note(self._pen, hit))):
            self._notes.append(hit)
        if taken:
            self.kept.append(hit)

    def _take_around(self, hit: Hit) -> None:
        for message in self._pen.scene.around.get(hit.hit_id, ()):
            if message.message_id not in self._shown:
                line = self._line(message.user_id, self._pen.text_of(message), tokens=budget.AROUND_TOKENS)
                self._put(message.channel_id, message.message_id, message.timestamp, line)

    def _put(self, channel_id: int, message_id: int, said_at: datetime, line: Markup) -> bool:
        """Put a message into the talk that it belongs to, if there is room for it."""
        key = (self._pen.day(said_at), channel_id)
        lines = self._talks.get(key, {})
        frame = 0 if lines else cost(self._talk(key, []))
        place = (said_at, message_id)
        if place in lines or not self._pays(cost(line) + frame):
            return place in lines
        self._talks[key] = {**lines, place: line}
        return True

    def _pays(self, tokens: int) -> bool:
        if tokens > self._left:
            return False
        self._left -= tokens
        self._pen.room.take(tokens)
        return True

    def _line(
        self, author_id: int, text: str, *, past: bool = False, tokens: int = budget.FOUND_TOKENS
    ) -> Markup:
        return framing.said(
            clipped(self._pen.line(text), tokens),
            by=self._pen.signed(author_id),
            at="(past)" if past else None,
        )

    def _talk(self, key: tuple[str, int], lines: Sequence[Markup]) -> Markup:
        return framing.tag("found", block(lines), date=key[0], channel=_channel_of(self._pen, key[1]))


def _channel_of(pen: SectionWriter, channel_id: int) -> str | None:
    name = cleaned(pen.scene.channel_names.get(channel_id, ""))
    return clipped(f"#{name}", budget.CHANNEL_TOKENS) if name else None


def _channel_memories(lines: list[str]) -> Markup:
    return framing.tag("channel_memories", "\n".join(["", *lines, ""]))


def _memory(pen: SectionWriter, episode: Episode, *, number: int) -> str:
    return f"{number}. [Created: {pen.day(episode.created_at)}] {pen.line(episode.content)}"


def _note(pen: SectionWriter, hit: Hit) -> Markup:
    """Return a fact or an episode that was found."""
    author = pen.person("author", hit.author_id) if hit.kind is not HitKind.EPISODE else {}
    fact = pen.scene.recalled_facts.get(hit.hit_id) if hit.kind is HitKind.FACT else None
    return framing.tag(
        "found",
        clipped(pen.named(hit.text), budget.FOUND_TOKENS),
        date=pen.day(hit.said_at),
        channel=_channel_of(pen, hit.channel_id),
        **(pen.doubts(fact) if fact else {}),
        **author,
    )
