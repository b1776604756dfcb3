"""The tool `manage_memory`, bound to one message: its author is the one whose memory is kept."""

import asyncio
import logging
from dataclasses import replace
from typing import Final, assert_never

from pydantic import BaseModel

from bot.chat import grounding
from bot.chat.gathering import READING_SECONDS
from bot.chat.prompting.prompt import ReplyGiven, written
from bot.chat.remembering import note_of, why_not_kept
from bot.chat.tools.checks import (
    ChangeCheck,
    ChangeRefused,
    Kept,
    ManageMemory,
    MemoryTold,
    NotDone,
    OfferedIds,
)
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import FactOrigin, MessageKind
from bot.core.errors import AbsentSubjectError, CategorySwitchedOffError, DatabaseError, InvalidInputError
from bot.core.log import error_kind, trace
from bot.llm import framing
from bot.llm.operation import Operations, Tool, tool
from bot.memory.facts.tool_keeping import KeptByTool
from bot.memory.policy.permissions import may_correct

logger = logging.getLogger(__name__)


NAME: Final = "manage_memory"

MOST_CHANGES: Final = 5
"""Changes that the reply to one message may make: nobody tells more of themselves at once."""


def may_be_offered(turn: Turn) -> bool:
    """Tell whether a reply to `turn` may keep anything: to a member's own words, and to no visitor's."""
    return turn.message.kind is MessageKind.MEMBER and not turn.visitor and bool(turn.text.strip())


class MemoryTool:
    """The tool as the reply to one message is offered it, and what it did."""

    def __init__(self, turn: Turn, given: ReplyGiven, doors: MemoryAccess, operations: Operations) -> None:
        self._turn = turn
        self._doors = doors
        self._offered = OfferedIds(written(given.scene).user_ids)
        self._judge = ChangeCheck(turn, doors, self._offered, operations)
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
                return await self._doors.memory.keeping.kept_by(self._turn.message, cause=self._turn.cause)
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
        if asked.operation != "get_memory" and await self._doors.memory.standing.absent(
            guild_id=message.guild_id, user_ids=[message.user_id]
        ):
            raise AbsentSubjectError(subject_id=message.user_id)
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
        before = await self._doors.memory.keeping.kept_by(turn.message, cause=turn.cause)
        if (same := self._judge.said_by(before, subject_id, statement)) is not None:
            return self._told("known already", same.content)
        self._count_change()
        stored = await self._doors.memory.remember(
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
        if not await self._doors.memory.keeping.set_aside(fact, cause=turn.cause):
            raise ChangeRefused("that does not hold any more")
        self._log("deactivate_fact", fact.fact_id)
        return self._told("no longer kept as true", fact.content)

    async def _add_place(self, asked: ManageMemory) -> BaseModel:
        place = await self._judge.place(asked.place, notes=asked.notes)
        self._count_change()
        placed = await self._doors.memory.places.add(place)
        if placed.fact_id is None:
            raise ChangeRefused("that was taken back or forgotten before")
        self._log("add_place", placed.fact_id)
        return self._told("place remembered" if placed.is_new else "place mentioned", placed.content)

    async def _mention_place(self, asked: ManageMemory) -> BaseModel:
        place = await self._judge.place(asked.place, notes="")
        placed = await self._doors.memory.places.mention(place)
        if placed.fact_id is None:
            raise ChangeRefused(f"no place called {asked.place!r} is known: add_place keeps a new one")
        self._log("mention_place", placed.fact_id)
        return self._told("place mentioned", placed.content)

    async def _get_memory(self) -> BaseModel:
        turn = self._turn
        speaker_id = turn.message.user_id
        document = await self._doors.memory.documents.of(speaker_id, turn.view, asker_id=speaker_id)
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
