"""Whether what a model wants done by `manage_memory` may be done: who says it, about whom, and in which words."""

from collections.abc import Mapping
from typing import Final

from bot.conversation import considering, grounding, names
from bot.conversation.orders import Order, orders, own_words
from bot.conversation.router import Route
from bot.conversation.tools.given import ManageMemory
from bot.conversation.tools.showing import Offered
from bot.conversation.turn import Doors, Turn
from bot.domain import GUILD_SUBJECT, Fact, mention_of
from bot.language.operation import Operations
from bot.memory import phrasing
from bot.memory.decency import Verdict
from bot.memory.forgetting import facts_that_say
from bot.memory.keeping import Hindrance, KeptByTool
from bot.memory.overlap import stems, telling
from bot.memory.places import NewPlace

_THE_SERVER: Final = frozenset({"server", "guild"})

_HINDRANCES: Final[Mapping[Hindrance, str]] = {
    Hindrance.UNSPEAKABLE: "it holds a secret such as a password or a number of a card: secrets are never kept",
    Hindrance.SENSITIVE: "it is about health, religion, politics, orientation or money: that is kept only if its"
    " author asks outright to remember it",
    Hindrance.WITHHELD: "the message was deleted or forgotten meanwhile",
    Hindrance.FORGOTTEN: "that was forgotten on request: it is kept again only if its author asks outright to"
    " remember it",
}


class Refused(Exception):  # noqa: N818 - it names what happened, and never leaves this package
    """What was asked for is not done; the text tells a model why."""


class Judge:
    """Judges by one message and by who wrote it; raises `Refused` for what must not be done."""

    def __init__(self, turn: Turn, doors: Doors, offered: Offered, operations: Operations) -> None:
        self._turn = turn
        self._doors = doors
        self._operations = operations
        self._offered = offered

    async def allow(self, subject_id: int, content: str) -> None:
        """Return if `content` may be kept about a subject; else raise what tells a model why not."""
        turn = self._turn
        if subject_id == turn.bot_id:
            raise Refused("no memories are kept about the bot")
        if turn.refusal(Route.CHAT, [subject_id]) is not None:
            raise Refused("the rules of this server do not let its author have that remembered about others")
        hindrance = await self._doors.memory.keeping.hindrance(
            turn.message,
            subject_id=subject_id,
            content=content,
            ordered=orders(turn.text, Order.REMEMBER),
        )
        if hindrance is not None:
            raise Refused(_HINDRANCES[hindrance])
        said = considering.wanted(turn, subject_id=subject_id, statement=content)
        if await considering.verdict(turn, [said], self._operations) is not Verdict.FINE:
            raise Refused(
                "insults, accusations and sensitive matters are kept about nobody on another's word"
            )

    def subject(self, about: str) -> int:
        """Return whom a fact is about: the author, the server, or a member whom the author names."""
        wanted = about.strip().lstrip("@").lower()
        if not wanted:
            return self._turn.message.user_id
        if wanted in _THE_SERVER:
            return GUILD_SUBJECT
        user_id = self._offered.user_id(wanted)
        if user_id is None:
            raise Refused(
                f"{about!r} is nobody's id here: leave it empty for the author, or give an id such as u2"
            )
        if user_id != self._turn.message.user_id and not grounding.is_named(
            user_id, self._turn.text, list(self._turn.members)
        ):
            raise Refused("the message does not name that member: keep only what it says itself")
        return user_id

    def statement(self, text: str, subject_id: int) -> str:
        """Return what a model wants kept with members as `<@id>`, among them the one whom it is about."""
        told = self._with_ids(text.strip())
        if not told:
            raise Refused("text is empty: it must be the fact, as one short sentence")
        told = names.with_mentions(told, self._turn.members)
        third = phrasing.third_person(told, author_id=self._turn.message.user_id)
        if subject_id == GUILD_SUBJECT or mention_of(subject_id) in third:
            return told
        joint = " " if told[0].islower() else ": "
        return f"{mention_of(subject_id)}{joint}{told}"

    def said_by(self, before: KeptByTool, subject_id: int, statement: str) -> Fact | None:
        """Return what this message has said already in other words: a second model must not keep it twice."""
        said = stems(self._turn.text)
        wanted = grounding.like(telling(statement), said)
        for fact in before.facts:
            told = grounding.like(telling(fact.content), said)
            if fact.subject_id == subject_id and (wanted <= told or told <= wanted):
                return fact
        return None

    async def fact_meant(self, asked: ManageMemory) -> Fact:
        """Return the one fact that a model means by its id, or by what it says."""
        turn = self._turn
        if asked.fact.strip():
            fact_id = self._offered.fact_id(asked.fact.strip())
            known = await self._doors.memory.facts_with_ids(
                guild_id=turn.message.guild_id, fact_ids=[] if fact_id is None else [fact_id]
            )
            if not known:
                raise Refused(
                    f"{asked.fact!r} is no id of a fact here: get_memory tells those that there are"
                )
            return known[0]
        statement = self.statement(asked.text, turn.message.user_id)
        known = await self._doors.library.facts_about(
            turn.message.user_id, turn.view, asker_id=turn.message.user_id
        )
        here = [fact for fact in known if fact.guild_id == turn.message.guild_id]
        found = facts_that_say(statement, here, author_id=turn.message.user_id)
        if not found:
            raise Refused("nothing that is known says that: get_memory tells all that there is")
        if len(found) > 1:
            raise Refused("several facts say that: get_memory tells their ids")
        return found[0]

    async def place(self, called: str, *, notes: str) -> NewPlace:
        """Return the place of its author that the message names, if `notes` stand in it too."""
        turn, message = self._turn, self._turn.message
        name, notes = self._with_ids(called.strip()), self._with_ids(notes.strip())
        words = telling(name) or stems(name)
        if not words or len(grounding.like(words, stems(own_words(turn.text)))) < len(words):
            raise Refused(
                "the message does not name that place: place must be its name, as the author says it"
            )
        about = f"{name}: {notes}" if notes.strip() else ""
        if about and not grounding.bears_out(
            turn.text, about, subject_id=message.user_id, members=list(turn.members)
        ):
            raise Refused(
                "the message does not say that about the place: notes must be in its author's words"
            )
        await self.allow(message.user_id, about or name)
        return NewPlace(
            guild_id=message.guild_id,
            subject_id=message.user_id,
            author_id=message.user_id,
            audience=message.audience,
            name=name,
            notes=notes,
            language=turn.language,
            cause=turn.cause,
            channel_id=message.channel_id,
            message_id=message.message_id,
            said_at=message.timestamp,
            said=turn.text,
        )

    def _with_ids(self, text: str) -> str:
        """Return `text` of a model with members as `<@id>`, who are all among those that it was shown."""
        if "<@" in text:
            raise Refused("members are named by the ids that were given, such as @u2")
        try:
            return self._offered.lengthened(text, known=self._turn.text)
        except ValueError as error:
            raise Refused(str(error)) from error
