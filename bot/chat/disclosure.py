"""What of all that a channel may see is told to the asker.

Which channels the asker can read now, and how messages and places are quoted to them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias, assert_never

from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import GUILD_SUBJECT, NOBODY, Episode, Fact, Guild, Message, mention_of
from bot.memory.facts.places import RememberedPlace
from bot.memory.members.names import spelling_of, spellings_of
from bot.memory.policy.disclosure import (
    DisclosureLevel,
    as_disclosed,
    disclosure_level,
    may_be_disclosed,
    told_openly,
    without_naming,
)
from bot.text.dangers import Plan
from bot.text.sentences import say


@dataclass(frozen=True, slots=True)
class AskerDisclosure:
    """How much an asker is told about whom."""

    guild: Guild | None
    """Where it is asked, if that is known."""
    asker_id: int
    from_moderator: bool
    private_ids: frozenset[int]
    """Members about whom others are told nothing."""
    private_episode_ids: frozenset[int] = frozenset()
    """Episodes that rest on what such members said, whether or not they name them."""
    private_names: frozenset[str] = frozenset()
    """The names of such members, the asker left out, in the spellings by which names are compared."""
    plans: frozenset[Plan] = frozenset()
    """What the asker plans; of those who take part they are told what may harm them there."""

    def about(self, subject_id: int) -> DisclosureLevel:
        """Return how much of a member is told."""
        return disclosure_level(
            self.guild,
            asker_id=self.asker_id,
            subject_id=subject_id,
            from_moderator=self.from_moderator,
            is_private=subject_id in self.private_ids,
        )

    def facts(self, known: Iterable[Fact]) -> list[Fact]:
        """Return those of `known` that are told, in words or to a model that replies; of the asker's own all."""
        return self._naming_nobody_private(
            as_disclosed(fact, asker_id=self.asker_id)
            for fact in known
            if may_be_disclosed(fact, self._of(fact), asker_id=self.asker_id, plans=self.plans)
        )

    def fact(self, known: Fact | None) -> Fact | None:
        """Return this one if it is told, as it is."""
        return next(iter(self.facts([known] if known is not None else [])), None)

    def _of(self, fact: Fact) -> DisclosureLevel:
        """Return how much is told of whom a fact is about: of a name that is nobody's as of any other member.

        By a nickname a private member may be meant.
        """
        if not fact.is_about_a_name:
            return self.about(fact.subject_id)
        is_told = fact.author_id == self.asker_id
        is_private = not is_told and not self.private_names.isdisjoint(spellings_of(fact.name_about))
        return DisclosureLevel.NOTHING if is_private else self.about(NOBODY)

    def hides_note(self, subject_id: int, content: str, *, names: Sequence[str]) -> bool:
        """Tell whether the asker, who notes this, is told nothing of the kind: not even that it was known.

        `names` are those in it that are no member's; of several that of whom it is about first.
        """
        if subject_id == self.asker_id:
            return False
        is_of_name = subject_id == GUILD_SUBJECT and bool(names)
        if is_of_name and not self.private_names.isdisjoint(spellings_of(names[0])):
            return True
        about = self.about(NOBODY if is_of_name else subject_id)
        return about is DisclosureLevel.NOTHING or self.without_private(content) != content

    def text(self, subject_id: int, text: str, *, facts: Collection[Fact] = ()) -> str:
        """Return what is told of a text about a member, of whom these `facts` are told."""
        told = told_openly(text, self.about(subject_id), subject_id=subject_id, plans=self.plans, facts=facts)
        return self.without_private(told)

    def profile(self, user_id: int, text: str) -> str:
        """Return what is told of what was learned of a member: all or nothing."""
        return self.without_private(text) if self.about(user_id) is DisclosureLevel.ALL else ""

    def messages(self, known: Iterable[Message]) -> list[Message]:
        """Return those of `known` that are quoted: what private members said is for themselves."""
        return [message for message in known if not self.hides(message.user_id)]

    def episodes(self, known: Iterable[Episode]) -> list[Episode]:
        """Return `known` without what they say of private members; of which nothing is left is left out.

        So are those that rest on what a private member said: in a talk told as a whole they may stand unnamed.
        """
        shown = (one for one in known if one.episode_id not in self.private_episode_ids)
        told = (replace(one, content=self.without_private(one.content)) for one in shown)
        return [one for one in told if one.content]

    def _naming_nobody_private(self, told: Iterable[Fact]) -> list[Fact]:
        return [
            fact
            for fact in told
            if self.asker_id in {fact.subject_id, fact.author_id}
            or self.without_private(fact.content) == fact.content
        ]

    def without_private(self, text: str) -> str:
        """Return `text` without the sentences that name a member about whom the asker is told nothing."""
        return without_naming(text, self.private_ids - {self.asker_id})

    def hides(self, user_id: int) -> bool:
        """Tell whether nothing that a member said elsewhere is told."""
        return user_id in self.private_ids and user_id != self.asker_id


async def disclosure_of(
    turn: Turn, access: MemoryAccess, private: Mapping[int, Sequence[str]] | None = None
) -> AskerDisclosure:
    """Return how much the author of `turn` is told. Raises `DatabaseError`: what is not known is not told.

    The `private` members with their names are read if they are not given.
    """
    return await disclosure_to(
        turn.message.user_id,
        access,
        guild_id=turn.message.guild_id,
        guild=turn.guild,
        from_moderator=turn.from_moderator,
        private=private,
    )


async def disclosure_to(
    asker_id: int,
    access: MemoryAccess,
    *,
    guild_id: int,
    guild: Guild | None,
    from_moderator: bool,
    private: Mapping[int, Sequence[str]] | None = None,
) -> AskerDisclosure:
    """Return how much somebody is told in a guild, who need not have said anything there, as `disclosure_of` does."""
    if private is None:
        private = await access.directory.private_members(guild_id)
    others = private.keys() - {asker_id}
    episode_ids: frozenset[int] = frozenset()
    if others:
        episode_ids = await access.memory.episodes.resting_on(guild_id=guild_id, user_ids=sorted(others))
    names = frozenset(spelling_of(name) for user_id in others for name in private[user_id])
    return AskerDisclosure(guild, asker_id, from_moderator, frozenset(private), episode_ids, names)


async def readable_now(turn: Turn, channel_ids: Collection[int], access: MemoryAccess) -> frozenset[int]:
    """Return those of `channel_ids` that the asker can read now, and that may be told of where they ask."""
    here = turn.message.channel_id
    known = {channel.channel_id: channel for channel in await access.directory.channels(turn.view.guild_id)}
    asked = frozenset(channel_ids)
    if turn.can_read is not None:
        # A face may not know a thread that was archived: a public one is read by whoever reads its channel.
        parents = {
            channel_id: known[channel_id].parent_id
            for channel_id in asked
            if channel_id in known and known[channel_id].audience != channel_id
        }
        can = await turn.can_read({*asked, *(parent for parent in parents.values() if parent)})
        asked = frozenset(one for one in asked if one == here or one in can or parents.get(one) in can)
    return frozenset(
        channel_id
        for channel_id in asked
        if channel_id == here or channel_id not in known or known[channel_id].audience in turn.view.audiences
    )


async def all_readable_now(turn: Turn, access: MemoryAccess) -> frozenset[int] | None:
    """Return all channels that the asker can read now; `None` where no face knows, so that views alone decide."""
    if turn.can_read is None:
        return None
    known = [channel.channel_id for channel in await access.directory.channels(turn.view.guild_id)]
    return await readable_now(turn, [*known, turn.message.channel_id], access)


_QUOTED_CHARACTERS: Final = 160
"""A quoted message is cut to so many characters."""


def words_of(message: Message) -> str:
    """Return what a message says on one line, cut to what is quoted of one."""
    said = " ".join(" ".join([message.text, *message.attachments]).split())
    return said if len(said) <= _QUOTED_CHARACTERS else said[: _QUOTED_CHARACTERS - 1].rstrip() + "…"


def quoted(message: Message) -> str:
    """Return who said what, on one line, members as `<@id>`."""
    return f"{pointed_at(message)}: {words_of(message)}"


def pointed_at(message: Message) -> str:
    """Return who said it and nothing of what: where it can be seen is for a link beside it."""
    return mention_of(message.user_id)


Memory: TypeAlias = Message | Fact | Episode


@dataclass(frozen=True, slots=True)
class Origin:
    """When a memory was said, and the message by which it can be seen: without one 0, as is its channel."""

    at: datetime
    channel_id: int
    message_id: int


def origin_of(memory: Memory) -> Origin:
    """Return where a memory comes from."""
    match memory:
        case Message():
            return Origin(memory.timestamp, memory.channel_id, memory.message_id)
        case Fact():
            message_id = memory.source_message_id
            return Origin(memory.said_at, memory.source_channel_id if message_id else 0, message_id)
        case Episode():
            return Origin(memory.created_at, memory.channel_id, memory.first_message_id)
    assert_never(memory)


def memory_line(turn: Turn, memory: Memory, *told: str) -> str:
    """Return what is told of a memory as a line: after its day, a message after its minute, before where it is seen."""
    origin = origin_of(memory)
    when = turn.minute(origin.at) if isinstance(memory, Message) else turn.day(origin.at)
    is_here = origin.message_id and memory.guild_id == turn.message.guild_id
    link = turn.link(origin.channel_id, origin.message_id) if is_here else ""
    return f"- [{when}] {' · '.join(filter(None, (*told, link)))}"


def place_line(place: RememberedPlace, language: str) -> str:
    """Return a place without the dash before it: its name, its notes, and in how many conversations it came up."""
    mentioned = say(
        "chat.mentioned_in",
        language,
        conversations=say("count.conversations_in", language, count=max(1, place.conversations)),
    )
    name = " ".join(place.name.split())
    told = f"{name}: {place.notes}" if place.notes else name
    return f"{told} {mentioned}"


async def places_of(turn: Turn, subject_id: int, access: MemoryAccess) -> tuple[RememberedPlace, ...]:
    """Return the places of somebody that the place of this turn may see."""
    if not turn.view.audiences:
        return ()
    known = await access.memory.places.of([subject_id], turn.view, asker_id=turn.message.user_id)
    return known.get(subject_id, ())
