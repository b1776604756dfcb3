"""The sections of a reply's prompt.

People, earlier conversations, search results, and messages word for word.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Final

from markupsafe import Markup

from bot.chat.prompting import budget
from bot.chat.prompting import scene as prompting_scene
from bot.chat.prompting.budget import cleaned, clipped, cost, in_turns
from bot.chat.prompting.scene import SceneMember, SectionWriter, block
from bot.core.domain import Episode, Message
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
    """One thing that is told of a member, and the facts that it tells."""

    part: _Part
    written: Markup
    fact_ids: tuple[int, ...] = ()


def written_members(pen: SectionWriter) -> tuple[Markup | None, list[int]]:
    """Return the members that there is room for, and the facts that are told of them; these alone get a short id."""
    listed = _listed(pen)
    if not listed:
        return None, []
    told = _told(pen, listed)
    elements = [
        _member(pen, known, [one.written for one in pieces], pen.user_ids.short(known.member.user_id))
        for known, pieces in zip(listed, told, strict=True)
    ]
    fact_ids = [fact_id for known in listed for fact_id in known.named_by]
    fact_ids += [fact_id for pieces in told for one in pieces for fact_id in one.fact_ids]
    return framing.tag("members", block(elements)), fact_ids


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


def _told(pen: SectionWriter, listed: Sequence[SceneMember]) -> list[list[_Piece]]:
    """Return what is told of each member; everybody's weightiest memory comes before anybody's second."""
    room = pen.room.share(budget.MEMORIES_TOKENS)
    rooms = [budget.MEMORY_TOKENS] * len(listed)
    told: list[list[_Piece]] = [[] for _ in listed]
    for number, piece in in_turns([list(_pieces(pen, known)) for known in listed]):
        taken = cost(piece.written)
        if taken <= min(room, rooms[number]):
            room -= taken
            rooms[number] -= taken
            pen.room.take(taken)
            told[number].append(piece)
    return [sorted(pieces, key=lambda one: one.part) for pieces in told]


def _pieces(pen: SectionWriter, known: SceneMember) -> Iterator[_Piece]:
    """Return all that could be told of a member, what there must be room for first."""
    facts = [_Piece(_Part.FACT, pen.fact(fact), (fact.fact_id,)) for fact in known.facts]
    texts = []
    if known.context:
        texts.append(_text(pen, _Part.CONTEXT, known.context, budget.CONTEXT_TOKENS, known.in_context))
    if known.profile:
        asks = known.member.user_id == pen.scene.message.user_id
        room = budget.PROFILE_TOKENS if asks else budget.OTHERS_PROFILE_TOKENS
        texts.append(_text(pen, _Part.PROFILE, known.profile, room))
    yield from facts[:1]
    yield from texts
    yield from facts[1:]
    for place in known.places:
        line = framing.tag("place", pen.dated(place.said_at, place.text))
        yield _Piece(_Part.PLACE, line, (place.fact_id,))


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


def written_hits(pen: SectionWriter) -> tuple[Markup | None, list[Hit]]:
    """Return what was found outside of what stands there anyway, the best first to find room, in order of time."""
    room = pen.room.share(budget.RECALLED_TOKENS)
    kept: list[Hit] = []
    for hit in pen.scene.recalled:
        taken = cost(_found(pen, hit))
        if taken <= room:
            room -= taken
            pen.room.take(taken)
            kept.append(hit)
    if not kept:
        return None, []
    kept.sort(key=lambda hit: (hit.said_at, hit.hit_id))
    return framing.tag("recalled", block(_found(pen, hit) for hit in kept)), kept


def _channel_memories(lines: list[str]) -> Markup:
    return framing.tag("channel_memories", "\n".join(["", *lines, ""]))


def _memory(pen: SectionWriter, episode: Episode, *, number: int) -> str:
    return f"{number}. [Created: {pen.day(episode.created_at)}] {pen.line(episode.content)}"


def _found(pen: SectionWriter, hit: Hit) -> Markup:
    channel = cleaned(pen.scene.channel_names.get(hit.channel_id, ""))
    author = pen.person("author", hit.author_id) if hit.kind is not HitKind.EPISODE else {}
    fact = pen.scene.recalled_facts.get(hit.hit_id) if hit.kind is HitKind.FACT else None
    return framing.tag(
        "found",
        clipped(pen.named(hit.text), budget.FOUND_TOKENS),
        date=pen.day(hit.said_at),
        channel=clipped(f"#{channel}", budget.CHANNEL_TOKENS) if channel else None,
        **(pen.doubts(fact) if fact else {}),
        **author,
    )


ShownMessage = tuple[Message, str]
"""A message, and as much of its text as there is room for."""


class TalkSections:
    """The messages of one prompt."""

    def __init__(self, pen: SectionWriter) -> None:
        self._pen = pen
        self._texts: dict[int, str] = {}
        self._earlier = self._said_before()
        self._shown: list[ShownMessage] = []
        self._text = ""
        for message in (*self._earlier, pen.scene.message):
            pen.message_ids.short(message.message_id)

    def make_room_to_answer(self) -> None:
        """Take the room of the message to answer, for which every other section makes room.

        No member has a short id yet, so it is measured with its author's name, which takes more than the id.
        """
        pen, every_id = self._pen, set(self._texts)
        # One token more than the frame costs: the text begins inside a token that the frame has begun.
        room = pen.room.left - cost(self._to_answer("", every_id)) - 1
        self._text = clipped(pen.text_of(pen.scene.message), room)
        pen.room.take(cost(self._to_answer(self._text, every_id)))

    def choose(self) -> None:
        """Take the room of the messages before it.

        The one replied to comes first, then the replies above it, as many as are no crowd, then the newest.
        """
        scene, left = self._pen.scene, self._pen.room.share(budget.MESSAGES_TOKENS)
        above = {message.message_id for message in scene.chain}
        replied_to = scene.replied_to
        first = [one for one in self._earlier if replied_to and one.message_id == replied_to.message_id]
        chain = [one for one in reversed(self._earlier) if one.message_id in above and one not in first]
        newest = [one for one in reversed(self._earlier) if one not in first and one not in chain]
        shown = self._fitting(first, left, longest=(budget.REPLIED_TOKENS,) * len(first))
        room = min(left, self._cost(shown) + budget.CHAIN_TOKENS)
        shown = self._fitting(chain, room, longest=(budget.MESSAGE_TOKENS,) * len(chain), beside=shown)
        said: list[ShownMessage] = []
        for recent, older in budget.SHORT_FORMS:
            longest = [recent if place < budget.LAST_MESSAGES else older for place in range(len(newest))]
            said = self._fitting(newest, left, longest=longest, beside=shown)
            if len(said) == len(newest) + len(shown):
                break
        self._shown = sorted(said, key=lambda one: one[0].message_id)
        self._pen.room.take(self._cost(self._shown))

    def messages(self) -> Markup | None:
        """Return what was said before, by day, oldest first, and of how much there was no room."""
        shown_ids = {message.message_id for message, _ in self._shown}
        days: dict[str, list[Markup]] = {}
        for message, text in self._shown:
            said = self._message(message, text, shown_ids)
            days.setdefault(self._pen.day(message.timestamp), []).append(said)
        elements = [framing.tag("day", block(said), date=day) for day, said in days.items()]
        if not elements:
            return None
        left_out = len(self._earlier) - len(self._shown)
        return framing.tag("messages", block(elements), left_out=str(left_out) if left_out else None)

    def to_answer(self) -> Markup:
        """Return the message to answer."""
        shown_ids = {message.message_id for message, _ in self._shown}
        return framing.tag("to_answer", block([self._to_answer(self._text, shown_ids)]))

    def _said_before(self) -> list[Message]:
        """Return the messages before the one to answer, oldest first, the one replied to among them."""
        scene = self._pen.scene
        said = {
            message.message_id: message
            for message in (*scene.messages, *scene.chain, scene.replied_to)
            if message
        }
        said.pop(scene.message.message_id, None)
        for number, message in said.items():
            if message.withheld is None and (text := self._pen.text_of(message)):
                self._texts[number] = text
        return [said[number] for number in sorted(self._texts)]

    def _fitting(
        self,
        messages: Sequence[Message],
        room: int,
        *,
        longest: Sequence[int],
        beside: Sequence[ShownMessage] = (),
    ) -> list[ShownMessage]:
        """Return `beside` and as many of `messages` as there is room for, from the first on, each cut to its length."""
        fitting = list(beside)
        room -= self._cost(fitting)
        days = {self._pen.day(message.timestamp) for message, _ in fitting}
        for message, length in zip(messages, longest, strict=True):
            text = clipped(self._texts[message.message_id], min(length, max(0, room)))
            day = self._pen.day(message.timestamp)
            taken = self._cost_alone(message, text, opens_day=day not in days)
            if not text or taken > room:
                break
            days.add(day)
            room -= taken
            fitting.append((message, text))
        return fitting

    def _cost(self, shown: Iterable[ShownMessage]) -> int:
        days: set[str] = set()
        total = 0
        for message, text in shown:
            day = self._pen.day(message.timestamp)
            total += self._cost_alone(message, text, opens_day=day not in days)
            days.add(day)
        return total

    def _cost_alone(self, message: Message, text: str, *, opens_day: bool) -> int:
        """Return the tokens that a message takes, as if it quoted another: it may take less, never more."""
        frame = cost(self._dated([], message.timestamp)) if opens_day else 0
        return frame + cost(self._message(message, text, set(self._texts)))

    def _to_answer(self, text: str, shown_ids: set[int]) -> Markup:
        message = self._pen.scene.message
        return self._dated([self._message(message, text, shown_ids)], message.timestamp)

    def _message(self, message: Message, text: str, shown_ids: set[int]) -> Markup:
        ids, replied = self._pen.message_ids, message.reply_to_id
        return framing.tag(
            "message",
            text,
            id=ids.short(message.message_id),
            reply_to=ids.short(replied) if replied in shown_ids and replied else None,
            time=message.timestamp.astimezone(self._pen.zone).strftime("%H:%M"),
            **self._pen.person("author", message.user_id),
        )

    def _dated(self, said: Iterable[Markup], moment: datetime) -> Markup:
        return framing.tag("day", block(said), date=self._pen.day(moment))
