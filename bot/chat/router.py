"""The router: ask a model what a message wants when the grammar is not sure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from markupsafe import Markup
from pydantic import BaseModel, Field, field_validator

from bot.chat.grounding import candidates
from bot.chat.turn import Turn
from bot.core.domain import GUILD_SUBJECT, MAX_FACT_CHARACTERS, Fact, Member, Message, MessageKind
from bot.llm import framing
from bot.llm.framing import LocalIds, lengthened, shortened
from bot.llm.operation import Operation, Role
from bot.memory.members.roster import Roster, name_key, names_of

RECENT_MESSAGES: Final = 10
"""How many messages before the one to the bot may be what "this" means."""

RECENT_FACTS: Final = 20
"""How many facts a correction may mean."""

_LONGEST_SHOWN: Final = 600
"""Characters of an earlier message: what it says last is seldom what "this" means."""

_MOST_ALIASES: Final = 5
GUILD: Final = "guild"
BOT: Final = "bot"
NOBODY: Final = "nobody"
"""Stands where an id would for whoever cannot be told."""


@dataclass(frozen=True, kw_only=True)
class RouteGiven:
    """What the route of a message is decided from."""

    message: Message
    text: str
    """What was said to the bot, without its name."""
    bot_id: int
    time_zone: str
    members: tuple[Member, ...]
    """Whom the message may mean; its author is the first."""
    replied_to: Message | None
    recent: tuple[Message, ...]
    """What was said before, oldest first."""
    facts: tuple[Fact, ...]
    """What a correction may mean: the last write first, all of it visible here."""
    last_written: frozenset[int]
    """The facts of the last write of this author."""

    @cached_property
    def users(self) -> LocalIds:
        """The short ids of the members; the author has the first one, to which the rules refer."""
        return _ids("u", [self.message.user_id, *(member.user_id for member in self.members)])

    @cached_property
    def messages(self) -> LocalIds:
        """The short ids of the messages; that to the bot has the last one."""
        replied_to = [self.replied_to] if self.replied_to is not None else []
        said = {one.message_id: one for one in (*replied_to, *self.recent)}
        return _ids("m", [*sorted(said), self.message.message_id])

    @cached_property
    def memories(self) -> LocalIds:
        """The short ids of the facts."""
        return _ids("f", [fact.fact_id for fact in self.facts])

    @property
    def earlier(self) -> tuple[Message, ...]:
        """The messages before, with the one replied to, oldest first."""
        said = {one.message_id: one for one in self.recent}
        if self.replied_to is not None:
            said[self.replied_to.message_id] = self.replied_to
        return tuple(said[message_id] for message_id in sorted(said))

    def subject(self, short: str) -> int:
        """Return the subject of a short id: a member, the guild or the bot; `ValueError` if it was not offered."""
        if short == GUILD:
            return GUILD_SUBJECT
        return self.bot_id if short == BOT else self.users.long(short)

    def with_long_ids(self, text: str) -> str:
        """Return a text of the model with members as `<@id>`; `ValueError` for one who was not offered."""
        known = " ".join([self.text, *(message.text for message in self.earlier)])
        return lengthened(" ".join(text.split()), self.users, known=known)


def route_given(
    turn: Turn, *, recent: Sequence[Message], facts: Sequence[Fact], last_written: Sequence[int]
) -> RouteGiven:
    """Return what the route of `turn` is decided from.

    `recent` is what was said in the channel before, in any order; `facts` what its author may see; `last_written`
    the ids of the facts that the bot wrote last for this author.
    """
    before = sorted(
        (one for one in recent if _is_readable(one) and one.message_id != turn.message.message_id),
        key=lambda one: one.message_id,
    )[-RECENT_MESSAGES:]
    replied_to = turn.replied_to
    if replied_to is not None and not (_is_readable(replied_to) and turn.sees(replied_to)):
        replied_to = None
    taking_part = [turn.message.user_id, *([replied_to.user_id] if replied_to else [])]
    taking_part += [one.user_id for one in reversed(before)]
    texts = [turn.text, *([replied_to.text] if replied_to else []), *(one.text for one in reversed(before))]
    roster = Roster([member for member in turn.members if member.user_id != turn.bot_id])
    author_id = turn.message.user_id
    if author_id not in roster.user_ids:
        roster = Roster([Member(guild_id=turn.message.guild_id, user_id=author_id, user_name=""), *roster])
    members = candidates(taking_part, texts, roster)
    written = frozenset(last_written)
    listed = {member.user_id for member in members} | {GUILD_SUBJECT}
    meant = [
        fact
        for fact in facts
        if fact.fact_id in written
        or turn.message.user_id in {fact.author_id, fact.subject_id}
        or fact.subject_id in listed
    ]
    meant.sort(key=lambda fact: (fact.fact_id in written, fact.said_at, fact.fact_id), reverse=True)
    return RouteGiven(
        message=turn.message,
        text=turn.text,
        bot_id=turn.bot_id,
        time_zone=turn.time_zone,
        members=members,
        replied_to=replied_to,
        recent=tuple(before),
        facts=tuple(meant[:RECENT_FACTS]),
        last_written=written,
    )


_MOST_WORDS: Final = 5
_LONGEST_WORD: Final = 40
"""Characters of a word to search by; what is longer is a sentence."""

RouteKind: TypeAlias = Literal["remember", "forget", "correct", "ask_memory", "search", "chat", "none"]
"""What a message may want. `prompts/route.j2` tells the model what each is; `PROPOSALS` has what comes of it."""


class RoutedFact(BaseModel):
    """One thing to remember."""

    subject: str | None = Field(
        default=None, description='whom it is about: "u3", "guild", "bot", or null if unclear'
    )
    text: str = Field(description="the fact in the third person, in the language in which it was said")
    source: str | None = Field(
        default=None, description="the earlier message that says it, such as m4, if one does"
    )

    @field_validator("subject")
    @classmethod
    def _or_nobody(cls, subject: str | None) -> str | None:
        return None if subject == NOBODY else subject


class Routed(BaseModel):
    """What the model takes the message for; only the fields of its kind are filled."""

    kind: RouteKind
    confident: bool = Field(default=False, description="true only if nothing else can be meant")
    facts: list[RoutedFact] = Field(default_factory=list, description="remember: one or several")
    subjects: list[str] = Field(default_factory=list, description="forget, ask_memory: whom it is about")
    what: str = Field(default="", description="forget: what is to be forgotten")
    everything: bool = Field(default=False, description="forget: everything about one member")
    fact: str | None = Field(
        default=None, description="correct: the fact that is wrong, null for the last write"
    )
    value: str = Field(default="", description="correct: the whole fact as it is right, in the third person")
    new_subject: str | None = Field(default=None, description="correct: whom the fact is about instead")
    take_back: bool = Field(default=False, description="correct: the fact is to be taken back")
    question: str = Field(default="", description="ask_memory: what is asked")
    topic: str = Field(default="", description="search: the words to look for in old messages")
    words: list[str] = Field(default_factory=list, description="other words to search by")

    @field_validator("words", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        """Take words in one line, too: what is only searched by is worth no second question."""
        return re.split(r"[,;\n]+", value) if isinstance(value, str) else value or []

    @property
    def texts(self) -> tuple[str, ...]:
        """All that the model wrote in words of its own."""
        return (*(fact.text for fact in self.facts), self.what, self.value, self.question, self.topic)

    @property
    def search_words(self) -> tuple[str, ...]:
        """The first few different words that may be searched by."""
        words = dict.fromkeys(" ".join(word.split()).casefold() for word in self.words)
        return tuple(word for word in words if 0 < len(word) <= _LONGEST_WORD)[:_MOST_WORDS]


def _check(given: RouteGiven, routed: Routed) -> None:
    """Refuse ids that were not offered, and empty or long texts, with a sentence that helps to do better."""
    match routed.kind:
        case "remember":
            if not routed.facts:
                raise ValueError("remember needs at least one fact")
            for fact in routed.facts:
                _check_text(given, "text", fact.text)
                _check_subjects(given, [fact.subject] if fact.subject is not None else [])
                if fact.source is not None:
                    given.messages.long(fact.source)
        case "forget":
            _check_subjects(given, routed.subjects)
            if not routed.everything:
                _check_text(given, "what", routed.what)
        case "correct":
            _check_subjects(given, [routed.new_subject] if routed.new_subject is not None else [])
            if routed.fact is not None:
                given.memories.long(routed.fact)
            if not routed.take_back and routed.new_subject is None:
                _check_text(given, "value", routed.value)
        case "ask_memory":
            _check_subjects(given, routed.subjects)
            _check_text(given, "question", routed.question)
        case "search":
            _check_text(given, "topic", routed.topic)
        case "chat" | "none":
            pass


def _check_subjects(given: RouteGiven, subjects: Sequence[str]) -> None:
    for short in subjects:
        given.subject(short)


def _check_text(given: RouteGiven, name: str, text: str) -> None:
    if not text.strip():
        raise ValueError(f"{name} is empty")
    if len(text) > MAX_FACT_CHARACTERS:
        raise ValueError(f"{name} has {len(text)} characters, {MAX_FACT_CHARACTERS} at most")
    given.with_long_ids(text)


def _frame(given: RouteGiven) -> Mapping[str, object]:
    before = framing.talk(_saying(given, one, one.text[:_LONGEST_SHOWN]) for one in given.earlier)
    asked = framing.talk([_saying(given, given.message, given.text)])
    return {
        "members": framing.lines(_member(given, member) for member in given.members),
        "facts": framing.lines(_fact(given, fact) for fact in given.facts),
        "messages": framing.lines(
            framing.block(name, said) for name, said in (("messages", before), ("to_bot", asked)) if said
        ),
    }


def _saying(given: RouteGiven, message: Message, text: str) -> framing.Saying:
    moment = message.timestamp.astimezone(ZoneInfo(given.time_zone))
    return framing.Saying(
        text=shortened(text, given.users),
        by=_author(given, message),
        at=f"{moment:%H:%M}",
        short_id=given.messages.short(message.message_id),
        reply_to=_offered(given.messages, message.reply_to_id),
        under=f"{moment:%Y-%m-%d %A}",
    )


def _member(given: RouteGiven, member: Member) -> Markup:
    shared = sum(name_key(member.name) == name_key(other.name) for other in given.members) > 1
    name = f"{member.name} ({member.user_name})" if shared else member.name
    others = dict.fromkeys((*member.aliases, member.display_name, member.user_name))
    also = [other for other in others if other and name_key(other) != name_key(member.name)][:_MOST_ALIASES]
    return framing.tag(
        "member", id=given.users.short(member.user_id), name=name, also_known_as=", ".join(also) or None
    )


def _fact(given: RouteGiven, fact: Fact) -> Markup:
    return framing.tag(
        "fact",
        shortened(fact.content, given.users),
        id=given.memories.short(fact.fact_id),
        subject=GUILD if fact.subject_id == GUILD_SUBJECT else _offered(given.users, fact.subject_id),
        last_write="yes" if fact.fact_id in given.last_written else None,
    )


def _author(given: RouteGiven, message: Message) -> str:
    if message.user_id == given.bot_id:
        return BOT
    return _offered(given.users, message.user_id) or "somebody"


def _offered(ids: LocalIds, long: int | None) -> str | None:
    return ids.short(long) if long is not None and long in ids else None


def _names(given: RouteGiven) -> Mapping[str, str]:
    """Return what may stand for an id: the names that one member alone bears, and the words for all others."""
    return {
        **names_of(given.users, given.members),
        GUILD: GUILD,
        "server": GUILD,
        BOT: BOT,
        NOBODY: NOBODY,
    }


def _ids(prefix: str, longs: Sequence[int]) -> LocalIds:
    ids = LocalIds(prefix)
    for long in longs:
        ids.short(long)
    return ids


def _is_readable(message: Message) -> bool:
    known = message.kind in {MessageKind.MEMBER, MessageKind.BOT}
    return known and message.withheld is None and bool(message.text.strip())


def as_chat(_: RouteGiven) -> Routed:
    """Return the route without a model: what the grammar is not sure of is chat, never a write."""
    return Routed(kind="chat")


ROUTE: Final = Operation(
    name="route",
    role=Role.MEMORY,
    answer=Routed,
    frame=_frame,
    check=_check,
    names=_names,
    fallback=as_chat,
    deadline_seconds=6.0,
)
