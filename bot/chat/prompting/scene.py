"""What a chat reply may use (the scene), and what the writers of its sections share: the remaining tokens, short ids,
and unambiguous names.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from markupsafe import Markup

from bot.chat.prompting import budget
from bot.chat.prompting.budget import NAME_TOKENS, TokenRoom, cleaned, clipped
from bot.core.domain import Episode, Fact, Member, Message
from bot.llm import framing
from bot.llm.framing import LocalIds, shortened
from bot.memory.facts.lifecycle import is_past
from bot.memory.facts.relevance import Acquaintance
from bot.memory.members import subjects
from bot.memory.members.roster import name_key
from bot.memory.members.subjects import SOMEONE
from bot.memory.recall.search import Hit
from bot.text.claims import without_small_lines
from bot.text.dangers import endangers


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenePlace:
    """A place of a member, as it is told."""

    fact_id: int
    said_at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneMember:
    """A member who takes part, and what is known about them where the reply is read."""

    member: Member
    given_name: str = ""
    """The name that they gave themselves; it goes before nickname, display name and user name."""
    pronouns: str = ""
    acquaintance: Acquaintance | None = None
    """How well the bot and they know each other; `None` if it is not known."""
    since: datetime | None = None
    """When they were first seen."""
    context: str = ""
    """Facts, today and the week as one text."""
    profile: str = ""
    """What was learned about them."""
    facts: tuple[Fact, ...] = ()
    """The weightiest first, without those that the context tells."""
    bearing: frozenset[int] = frozenset()
    """The ids of those of them that have to do with the message."""
    is_close: bool = True
    """Whether the message comes from them or means them; else they merely sit there."""
    places: tuple[ScenePlace, ...] = ()
    named_by: tuple[int, ...] = ()
    """The ids of the facts that say name and pronouns."""
    in_context: tuple[int, ...] = ()
    """The ids of the facts that the context tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything that the prompt of one reply is made from."""

    bot_id: int
    bot_name: str
    now: datetime
    """Aware, in any zone."""
    time_zone: str
    """The guild's, by its IANA name: days and times are told in it."""
    message: Message
    """The message to answer."""
    persona: str = ""
    channel_name: str = ""
    """Empty in a direct message."""
    replied_to: Message | None = None
    summary: str = ""
    """What the running conversation said before `messages`."""
    messages: tuple[Message, ...] = ()
    """What was said before it in the channel."""
    chain: tuple[Message, ...] = ()
    """The replies that lead up to it, above the one replied to: what the talk is about, however long ago."""
    members: tuple[SceneMember, ...] = ()
    """Whoever matters most first: where room is short, the last ones go."""
    server_facts: tuple[Fact, ...] = ()
    """Facts about the guild itself, and about names that are nobody's, the weightiest first."""
    server_bearing: frozenset[int] = frozenset()
    """The ids of those of them that have to do with the message."""
    group: str = ""
    """What the group decided and plans, a line for each."""
    episodes: tuple[Episode, ...] = ()
    """What earlier conversations of the channel left behind, newest first."""
    recalled: tuple[Hit, ...] = ()
    """What else was found that has to do with the message, the best first."""
    around: Mapping[int, Sequence[Message]] = field(default_factory=dict)
    """What was said right before and after those of them that are messages, by their ids."""
    replaced: frozenset[int] = frozenset()
    """Those of the found messages of which it is known that something else holds by now."""
    recalled_facts: Mapping[int, Fact] = field(default_factory=dict)
    """Those of them that are facts, by their ids."""
    channel_names: Mapping[int, str] = field(default_factory=dict)
    """What the channels are called in which something was found."""
    called: Mapping[int, str]
    """What everyone in the guild is called, also who takes no part: texts may mention them."""


_MOST_OTHER_NAMES: Final = 5
"""Names that facts give come first; what somebody was called long ago seldom helps."""


def told_apart(members: Sequence[SceneMember], *, bot_name: str) -> dict[int, str]:
    """Return what each member is called; a name that another one or the bot bears gets the user name added."""
    plain = {known.member.user_id: _shown(known.given_name or known.member.name) for known in members}
    user_names = {known.member.user_id: _shown(known.member.user_name) for known in members}
    called = dict(plain)
    while True:
        borne = Counter(name_key(name) for name in (*called.values(), bot_name))
        shared = [
            user_id
            for user_id, name in called.items()
            if borne[name_key(name)] > 1 and name == plain[user_id] and name != user_names[user_id]
        ]
        if not shared:
            return called
        # A nickname may be chosen to look like a name with its user name, so the result is looked at again.
        called |= {user_id: f"{plain[user_id]} ({user_names[user_id]})" for user_id in shared}


def other_names(member: Member, *, called: str) -> str:
    """Return the names by which `member` is known besides the one in `called`, with commas between them."""
    user_name = _shown(member.user_name)
    plain = called.removesuffix(f" ({user_name})")
    told = {name_key(called), name_key(plain)}
    if plain != called:
        told.add(name_key(user_name))
    others: dict[str, str] = {}
    for name in (*member.aliases, member.nickname, member.display_name, member.user_name):
        shown = _shown(name)
        if shown and name_key(shown) not in told:
            others.setdefault(name_key(shown), shown)
    return ", ".join(list(others.values())[:_MOST_OTHER_NAMES])


def _shown(name: str) -> str:
    return clipped(" ".join(cleaned(name).split()), NAME_TOKENS)


YOU: Final = "you"
"""How the bot's own messages are signed."""

_NOBODY: Final = LocalIds("u")


class SectionWriter:
    """Writes the texts of one scene as they stand in its prompt."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.zone = ZoneInfo(scene.time_zone)
        self.room = TokenRoom(budget.DATA_TOKENS - budget.FRAME_TOKENS)
        self.told_apart = told_apart(scene.members, bot_name=scene.bot_name)
        self.user_ids = LocalIds("u")
        self.message_ids = LocalIds("m")
        self._called = {**scene.called, **self.told_apart, scene.bot_id: scene.bot_name}
        self._today = scene.now.astimezone(self.zone).date()

    def person(self, role: str, user_id: int) -> dict[str, str]:
        """Return the attribute that says who somebody is: a short id of a member, else a name, never mixed up."""
        if user_id == self.scene.bot_id:
            return {role: YOU}
        if user_id in self.user_ids:
            return {role: self.user_ids.short(user_id)}
        name = cleaned(self._called.get(user_id, SOMEONE))
        return {f"{role}_name": clipped(name, budget.NAME_TOKENS)}

    def signed(self, user_id: int) -> str:
        """Return how the lines of somebody are signed: "you", a short id, or a name that is taken for neither."""
        ((role, who),) = self.person("author", user_id).items()
        return who if role == "author" else framing.name(who)

    def named(self, text: str) -> str:
        """Return stored text with names put in."""
        # Once names are in, no mention is left; what is taken apart is an id such as @u3 that somebody typed.
        return cleaned(shortened(subjects.rendered(text, self._called), _NOBODY))

    def line(self, text: str) -> str:
        """Return stored text with names put in, on one line."""
        return " ".join(self.named(text).split())

    def day(self, moment: datetime) -> str:
        """Return the day of a moment where the guild is."""
        return moment.astimezone(self.zone).date().isoformat()

    def text_of(self, message: Message) -> str:
        """Return what a message says, with what is attached to it."""
        own = message.user_id == self.scene.bot_id
        text = without_small_lines(message.text) if own else message.text
        return self.named("\n".join(part for part in (text, *message.attachments) if part.strip()))

    def fact(self, fact: Fact) -> Markup:
        """Return a fact as a dated line, marked if somebody else told it, if it is uncertain, or if its day is over.

        Facts that matter for the subject's safety are marked too.
        """
        teller = self.person("teller", fact.author_id) if fact.author_id != fact.subject_id else {}
        is_own_danger = not teller and endangers(fact.content)
        return framing.tag(
            "fact",
            self.dated(fact.said_at, fact.content),
            safety="yes" if is_own_danger else None,
            **self.doubts(fact),
            **teller,
        )

    def doubts(self, fact: Fact) -> dict[str, str | None]:
        """Return the attributes that say that a fact is unsure, or that its day is over."""
        return {
            "certain": "no" if fact.is_guess else None,
            "said": "once" if fact.is_said_once else None,
            "past": "yes" if is_past(fact, self._today) else None,
        }

    def dated(self, moment: datetime, text: str) -> str:
        """Return stored text as a line with its day before it."""
        return f"- [{self.day(moment)}] {self.line(text)}"


def block(items: Iterable[Markup]) -> Markup:
    """Return `items` on lines of their own."""
    return framing.lines([Markup(""), *items, Markup("")])
