"""What the sections of one prompt share: the room that is left, the names, the short ids and the guild's days."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from markupsafe import Markup

from bot.conversation import names
from bot.conversation.claims import without_small_lines
from bot.conversation.names.mentions import SOMEONE
from bot.conversation.prompting import naming, shares
from bot.conversation.prompting.scene import Scene
from bot.conversation.prompting.shares import Room, cleaned, clipped
from bot.domain import Fact, Message
from bot.language import framing
from bot.language.local_ids import LocalIds
from bot.language.local_mentions import shortened
from bot.memory.lifecycle.past import is_past

YOU: Final = "you"
"""How the bot's own messages are signed."""

_NOBODY: Final = LocalIds("u")


class Pen:
    """Writes the texts of one scene as they stand in its prompt."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.zone = ZoneInfo(scene.time_zone)
        self.room = Room(shares.DATA_TOKENS - shares.FRAME_TOKENS)
        self.told_apart = naming.told_apart(scene.members, bot_name=scene.bot_name)
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
        return {f"{role}_name": clipped(name, shares.NAME_TOKENS)}

    def named(self, text: str) -> str:
        """Return stored text with names put in."""
        # Once names are in, no mention is left; what is taken apart is an id such as @u3 that somebody typed.
        return cleaned(shortened(names.rendered(text, self._called), _NOBODY))

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
        """Return a fact as a dated line, marked if somebody else tells it, it is unsure, or its day is over."""
        teller = self.person("teller", fact.author_id) if fact.author_id != fact.subject_id else {}
        return framing.tag("fact", self.dated(fact.said_at, fact.content), **self.doubts(fact), **teller)

    def doubts(self, fact: Fact) -> dict[str, str | None]:
        """Return the attributes that say that a fact is unsure, or that its day is over."""
        return {
            "certain": "no" if fact.tentative else None,
            "past": "yes" if is_past(fact, self._today) else None,
        }

    def dated(self, moment: datetime, text: str) -> str:
        """Return stored text as a line with its day before it."""
        return f"- [{self.day(moment)}] {self.line(text)}"


def block(items: Iterable[Markup]) -> Markup:
    """Return `items` on lines of their own."""
    return framing.lines([Markup(""), *items, Markup("")])
