"""The tool `manage_memory`, bound to one message: its author is the one whose memory is kept."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal, assert_never

from pydantic import BaseModel, Field, field_validator

from bot.chat import grounding, remembering
from bot.chat.disclosure import disclosure_of
from bot.chat.incoming import Route
from bot.chat.intents import may_be_order
from bot.chat.prompting.prompt import ReplyGiven
from bot.chat.remembering import note_of, why_not_kept
from bot.chat.turn import READING_SECONDS, MemoryAccess, Turn
from bot.core.domain import GUILD_SUBJECT, Fact, FactOrigin, MessageKind, mention_of
from bot.core.errors import AbsentSubjectError, CategorySwitchedOffError, DatabaseError, InvalidInputError
from bot.core.log import error_kind, trace
from bot.llm import framing
from bot.llm.framing import LocalIds, lengthened, shortened
from bot.llm.operation import Operations, Tool, tool
from bot.memory.facts.places import NewPlace
from bot.memory.facts.tool_keeping import Hindrance, KeptByTool
from bot.memory.members import subjects
from bot.memory.policy.admission import Verdict, clean
from bot.memory.policy.permissions import may_correct
from bot.memory.recall.documents import DocumentFact, DocumentPlace, MemoryDocument
from bot.memory.rights.forgetting.meant import facts_that_say
from bot.text import phrasing
from bot.text.grammar.understanding import states_nothing
from bot.text.orders import Order, orders, own_words
from bot.text.tokens import stems, telling_stems

logger = logging.getLogger(__name__)


class ManageMemory(BaseModel):
    """One operation on the memory of the member who speaks."""

    operation: Literal["add_fact", "deactivate_fact", "add_place", "mention_place", "get_memory"]
    text: str = Field(default="", description="add_fact: the fact; deactivate_fact: what no longer holds")
    about: str = Field(
        default="",
        description="add_fact: whom it is about, if not the author: an id such as u2, or server",
    )
    fact: str = Field(default="", description="deactivate_fact: the id of a fact, such as f2")
    place: str = Field(default="", description="add_place, mention_place: the name of the place")
    notes: str = Field(default="", description="add_place: what the message says about the place")

    @field_validator("text", "about", "fact", "place", "notes", mode="before")
    @classmethod
    def _nothing_is_empty(cls, value: object) -> object:
        return "" if value is None else value

    @field_validator("text", "about", "fact", "place", "notes")
    @classmethod
    def _storable(cls, value: str) -> str:
        return clean(value)


class Kept(BaseModel):
    """A change was made, or had been made already."""

    done: bool
    what: Literal[
        "remembered", "known already", "no longer kept as true", "place remembered", "place mentioned"
    ]
    memory: str
    """What it says, members by short ids."""


class NotDone(BaseModel):
    """Nothing was changed, and why; what a model can mend it may try again."""

    done: bool
    problem: str


class MemoryTold(BaseModel):
    """All that holds about the member who speaks."""

    done: bool
    document: MemoryDocument


class OfferedIds:
    """The short ids of one reply: members as its prompt has them, facts as they were shown."""

    def __init__(self, user_ids: LocalIds) -> None:
        self._user_ids = user_ids
        self._fact_ids = LocalIds("f")

    def shown(self, document: MemoryDocument, *, guild_id: int) -> MemoryDocument:
        """Return `document` as a model gets it: short ids, and nothing that only people who export it need.

        What is kept in another guild than `guild_id` gets no id: it is changed there.
        """
        return document.model_copy(
            update={
                "facts": tuple(self._fact(one, guild_id=guild_id) for one in document.facts),
                "places": tuple(self._place(one, guild_id=guild_id) for one in document.places),
            }
        )

    def user_id(self, short: str) -> int | None:
        """Return the member who was offered under a short id."""
        return _long(self._user_ids, short)

    def fact_id(self, short: str) -> int | None:
        """Return the fact that was shown under a short id."""
        return _long(self._fact_ids, short)

    def lengthened(self, text: str, *, known: str) -> str:
        """Return `text` of a model with members as `<@id>`; `ValueError` for an id that was not offered."""
        return lengthened(text, self._user_ids, known=known)

    def shortened(self, text: str) -> str:
        """Return `text` with members by their short ids."""
        return shortened(text, self._user_ids)

    def _fact(self, fact: DocumentFact, *, guild_id: int) -> DocumentFact:
        return DocumentFact(
            id=self._short(fact.id, is_here=fact.guild == guild_id),
            importance=fact.importance,
            origin=fact.origin,
            said_at=fact.said_at,
            category=fact.category,
            content=self.shortened(fact.content),
            holds_on=fact.holds_on,
            expires_at=fact.expires_at,
            tentative=fact.tentative,
        )

    def _place(self, place: DocumentPlace, *, guild_id: int) -> DocumentPlace:
        return DocumentPlace(
            id=self._short(place.id, is_here=place.guild == guild_id),
            importance=place.importance,
            origin=place.origin,
            said_at=place.said_at,
            name=self.shortened(place.name),
            notes=self.shortened(place.notes),
            conversations=place.conversations,
        )

    def _short(self, fact_id: str, *, is_here: bool) -> str:
        return self._fact_ids.short(int(fact_id)) if is_here else "elsewhere"


def _long(ids: LocalIds, short: str) -> int | None:
    try:
        return ids.long(short)
    except ValueError:
        return None


_THE_SERVER: Final = frozenset({"server", "guild"})

_HINDRANCES: Final[Mapping[Hindrance, str]] = {
    Hindrance.UNSPEAKABLE: "it holds a secret such as a password or a number of a card: secrets are never kept",
    Hindrance.SENSITIVE: "it is about health, religion, politics, orientation or money: that is kept only if its"
    " author asks outright to remember it",
    Hindrance.INSTRUCTS: "it tells you what to do, and no memory does that",
    Hindrance.WITHHELD: "the message was deleted or forgotten meanwhile",
    Hindrance.FORGOTTEN: "that was forgotten on request: it is kept again only if its author asks outright to"
    " remember it",
}


class ChangeRefused(Exception):  # noqa: N818 - it names what happened, and never leaves this package
    """What was asked for is not done; the text tells a model why."""


class ChangeCheck:
    """Judges by one message and by who wrote it; raises `ChangeRefused` for what must not be done."""

    def __init__(self, turn: Turn, access: MemoryAccess, offered: OfferedIds, operations: Operations) -> None:
        self._turn = turn
        self._access = access
        self._operations = operations
        self._offered = offered

    async def allow(self, subject_id: int, content: str) -> None:
        """Return if `content` may be kept about a subject; else raise what tells a model why not."""
        turn = self._turn
        if subject_id == turn.bot_id:
            raise ChangeRefused("no memories are kept about the bot")
        if turn.refusal(Route.CHAT, [subject_id]) is not None:
            raise ChangeRefused(
                "the rules of this server do not let its author have that remembered about others"
            )
        tact = await disclosure_of(turn, self._access)
        if tact.hides_note(subject_id, content, names=()):
            raise ChangeRefused(
                "what is known of that member is for themselves alone: nothing is added to it"
            )
        hindrance = await self._access.memory.keeping.hindrance(
            turn.message,
            subject_id=subject_id,
            content=content,
            ordered=orders(turn.text, Order.REMEMBER),
        )
        if hindrance is not None:
            raise ChangeRefused(_HINDRANCES[hindrance])
        said = remembering.wanted_statement(turn, subject_id=subject_id, statement=content)
        if await remembering.verdict_on_all(turn, [said], self._operations) is not Verdict.FINE:
            raise ChangeRefused(
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
            raise ChangeRefused(
                f"{about!r} is nobody's id here: leave it empty for the author, or give an id such as u2"
            )
        if user_id != self._turn.message.user_id and not grounding.is_named(
            user_id, self._turn.text, list(self._turn.members)
        ):
            raise ChangeRefused("the message does not name that member: keep only what it says itself")
        return user_id

    def statement(self, text: str, subject_id: int) -> str:
        """Return what a model wants kept with members as `<@id>`, among them the one whom it is about."""
        told = self._with_ids(text.strip())
        if not told:
            raise ChangeRefused("text is empty: it must be the fact, as one short sentence")
        told = subjects.with_mentions(told, self._turn.members)
        third = phrasing.third_person(told, author_id=self._turn.message.user_id)
        if subject_id == GUILD_SUBJECT or mention_of(subject_id) in third:
            return told
        joint = " " if told[0].islower() else ": "
        return f"{mention_of(subject_id)}{joint}{told}"

    def said_by(self, before: KeptByTool, subject_id: int, statement: str) -> Fact | None:
        """Return what this message has said already in other words: a second model must not keep it twice."""
        said = stems(self._turn.text)
        wanted = grounding.like(telling_stems(statement), said)
        for fact in before.facts:
            told = grounding.like(telling_stems(fact.content), said)
            if fact.subject_id == subject_id and (wanted <= told or told <= wanted):
                return fact
        return None

    async def fact_meant(self, asked: ManageMemory) -> Fact:
        """Return the one fact that a model means by its id, or by what it says."""
        turn = self._turn
        if asked.fact.strip():
            fact_id = self._offered.fact_id(asked.fact.strip())
            known = await self._access.memory.facts_with_ids(
                guild_id=turn.message.guild_id, fact_ids=[] if fact_id is None else [fact_id]
            )
            if not known:
                raise ChangeRefused(
                    f"{asked.fact!r} is no id of a fact here: get_memory tells those that there are"
                )
            return known[0]
        statement = self.statement(asked.text, turn.message.user_id)
        known = await self._access.library.facts_about(
            turn.message.user_id, turn.view, asker_id=turn.message.user_id
        )
        here = [fact for fact in known if fact.guild_id == turn.message.guild_id]
        found = facts_that_say(statement, here, author_id=turn.message.user_id)
        if not found:
            raise ChangeRefused("nothing that is known says that: get_memory tells all that there is")
        if len(found) > 1:
            raise ChangeRefused("several facts say that: get_memory tells their ids")
        return found[0]

    async def place(self, called: str, *, notes: str) -> NewPlace:
        """Return the place of its author that the message names, if `notes` stand in it too."""
        turn, message = self._turn, self._turn.message
        name, notes = self._with_ids(called.strip()), self._with_ids(notes.strip())
        words = telling_stems(name) or stems(name)
        if not words or len(grounding.like(words, stems(own_words(turn.text)))) < len(words):
            raise ChangeRefused(
                "the message does not name that place: place must be its name, as the author says it"
            )
        about = f"{name}: {notes}" if notes.strip() else ""
        if about and not grounding.bears_out(
            turn.text, about, subject_id=message.user_id, members=list(turn.members)
        ):
            raise ChangeRefused(
                "the message does not say that about the place: notes must be in its author's words"
            )
        await self.allow(message.user_id, about or name)
        return NewPlace(
            guild_id=message.guild_id,
            subject_id=message.user_id,
            author_id=message.user_id,
            audience=turn.audience,
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
            raise ChangeRefused("members are named by the ids that were given, such as @u2")
        try:
            return self._offered.lengthened(text, known=self._turn.text)
        except ValueError as error:
            raise ChangeRefused(str(error)) from error


NAME: Final = "manage_memory"

MOST_CHANGES: Final = 5
"""Changes that the reply to one message may make: nobody tells more of themselves at once."""


def may_be_offered(turn: Turn) -> bool:
    """Tell whether a reply to `turn` may keep anything: to a member's own words that order or state something.

    Nothing is kept of visitors. To a question the tool is of no use, costs a thousand tokens, and keeps the reply from
    being shown while it is written.
    """
    if turn.message.kind is not MessageKind.MEMBER or turn.visitor or not turn.text.strip():
        return False
    return may_be_order(turn) or not states_nothing(turn.text)


class MemoryTool:
    """The tool as the reply to one message is offered it, and what it did."""

    def __init__(self, turn: Turn, given: ReplyGiven, access: MemoryAccess, operations: Operations) -> None:
        self._turn = turn
        self._access = access
        self._offered = OfferedIds(given.written.user_ids)
        self._judge = ChangeCheck(turn, access, self._offered, operations)
        self._alone = asyncio.Lock()
        self._under_way: set[asyncio.Task[BaseModel]] = set()
        self._changes = 0
        self._used = False

    def tool(self) -> Tool:
        """Return the tool for a question to a model."""
        return tool(
            NAME, description=framing.render("_manage_memory", {}).strip(), takes=ManageMemory, use=self._use
        )

    async def kept(self) -> KeptByTool:
        """Return what was kept for this message and still stands, once nothing is under way any more.

        It is read from what is stored: a process that died before it answered may have kept something too.
        Nobody waits for more than a second to find that nothing was done. Raises `DatabaseError`.
        """
        if self._under_way:
            await asyncio.wait(self._under_way)
        try:
            async with asyncio.timeout(None if self._used else READING_SECONDS):
                return await self._access.memory.keeping.kept_by(self._turn.message, cause=self._turn.cause)
        except (TimeoutError, DatabaseError) as error:
            if self._used:
                raise
            logger.warning(
                "what was kept for message %d is not known: %s",
                self._turn.message.message_id,
                error_kind(error),
            )
            return KeptByTool()

    async def _use(self, asked: ManageMemory) -> BaseModel:
        # A model that is not waited for any longer must not leave a write half known.
        self._used = True
        task = asyncio.create_task(self._carried_out(asked))
        self._under_way.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[BaseModel]) -> None:
        self._under_way.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a tool of message %d failed: %s", self._turn.message.message_id, trace(error))

    async def _carried_out(self, asked: ManageMemory) -> BaseModel:
        async with self._alone:
            try:
                return await self._done(asked)
            except ChangeRefused as refused:
                return NotDone(done=False, problem=str(refused))
            except (AbsentSubjectError, CategorySwitchedOffError) as error:
                problem = self._offered.shortened(why_not_kept(self._turn, error))
                return NotDone(done=False, problem=problem)
            except InvalidInputError as error:
                return NotDone(done=False, problem=str(error))
            except DatabaseError as error:
                logger.warning(
                    "%s for message %d failed: %s",
                    asked.operation,
                    self._turn.message.message_id,
                    error_kind(error),
                )
                return NotDone(done=False, problem="the memory cannot be reached now: nothing was changed")

    async def _done(self, asked: ManageMemory) -> BaseModel:
        message = self._turn.message
        if asked.operation != "get_memory" and await self._access.memory.consent.absent(
            guild_id=message.guild_id, user_ids=[message.user_id]
        ):
            raise AbsentSubjectError(subject_id=message.user_id)
        await self._turn.known.meet(asked.text)
        match asked.operation:
            case "add_fact":
                return await self._add_fact(asked)
            case "deactivate_fact":
                return await self._deactivate_fact(asked)
            case "add_place":
                return await self._add_place(asked)
            case "mention_place":
                return await self._mention_place(asked)
            case "get_memory":
                return await self._get_memory()
        assert_never(asked.operation)

    async def _add_fact(self, asked: ManageMemory) -> BaseModel:
        turn = self._turn
        subject_id = self._judge.subject(asked.about)
        statement = self._judge.statement(asked.text, subject_id)
        if not grounding.bears_out(turn.text, statement, subject_id=subject_id, members=list(turn.members)):
            raise ChangeRefused(
                "the message itself does not state that: keep only what its author says there, in their words"
            )
        await self._judge.allow(subject_id, statement)
        before = await self._access.memory.keeping.kept_by(turn.message, cause=turn.cause)
        if (same := self._judge.said_by(before, subject_id, statement)) is not None:
            return self._told("known already", same.content)
        self._count_change()
        stored = await self._access.memory.remember(
            replace(note_of(turn, subject_id=subject_id, statement=statement), origin=FactOrigin.TOOL)
        )
        if stored.fact_id is None:
            raise ChangeRefused("that was taken back or forgotten before")
        self._log("add_fact", stored.fact_id)
        return self._told("remembered" if stored.is_new else "known already", stored.content)

    async def _deactivate_fact(self, asked: ManageMemory) -> BaseModel:
        turn = self._turn
        fact = await self._judge.fact_meant(asked)
        # What only moderators may is never done on a model's word, not even in reply to one of them.
        if not may_correct(turn.guild, fact, user_id=turn.message.user_id, from_moderator=False):
            raise ChangeRefused("only who told that or whom it is about may have it changed in this way")
        if not grounding.may_end(
            turn.text, fact.content, subject_id=fact.subject_id, members=list(turn.members)
        ):
            raise ChangeRefused("the message itself does not say that this is so no longer")
        self._count_change()
        if not await self._access.memory.keeping.set_aside(fact, cause=turn.cause):
            raise ChangeRefused("that does not hold any more")
        self._log("deactivate_fact", fact.fact_id)
        return self._told("no longer kept as true", fact.content)

    async def _add_place(self, asked: ManageMemory) -> BaseModel:
        place = await self._judge.place(asked.place, notes=asked.notes)
        self._count_change()
        placed = await self._access.memory.places.add(place)
        if placed.fact_id is None:
            raise ChangeRefused("that was taken back or forgotten before")
        self._log("add_place", placed.fact_id)
        return self._told("place remembered" if placed.is_new else "place mentioned", placed.content)

    async def _mention_place(self, asked: ManageMemory) -> BaseModel:
        place = await self._judge.place(asked.place, notes="")
        placed = await self._access.memory.places.mention(place)
        if placed.fact_id is None:
            raise ChangeRefused(f"no place called {asked.place!r} is known: add_place keeps a new one")
        self._log("mention_place", placed.fact_id)
        return self._told("place mentioned", placed.content)

    async def _get_memory(self) -> BaseModel:
        turn = self._turn
        speaker_id = turn.message.user_id
        document = await self._access.memory.documents.of(speaker_id, turn.view, asker_id=speaker_id)
        return MemoryTold(
            done=True, document=self._offered.shown(document.active(), guild_id=turn.message.guild_id)
        )

    def _count_change(self) -> None:
        if self._changes == MOST_CHANGES:
            raise ChangeRefused(f"{MOST_CHANGES} changes were made for this message: that is all; answer now")
        self._changes += 1

    def _told(self, what: str, content: str) -> Kept:
        return Kept.model_validate({"done": True, "what": what, "memory": self._offered.shortened(content)})

    def _log(self, operation: str, fact_id: int) -> None:
        message = self._turn.message
        logger.info(
            "%s: fact %d, member %d, message %d, guild %d, said at %s",
            operation,
            fact_id,
            message.user_id,
            message.message_id,
            message.guild_id,
            message.timestamp.isoformat(),
        )
