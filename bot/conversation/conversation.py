"""One message in, one answer or none out."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never

from bot.clock import Clock
from bot.conversation import asking, correcting, forgetting, grammar, remembering, reply
from bot.conversation.addressed import addressed
from bot.conversation.commands import (
    AskMemory,
    Command,
    Forget,
    ForgetEverything,
    ForgetThis,
    Help,
    MoveSubject,
    Remember,
    RememberThis,
    ReplaceValue,
    Search,
    TakeBack,
)
from bot.conversation.router import Route, route_of
from bot.conversation.texts import Text
from bot.conversation.turn import Doors, Turn
from bot.domain import Message, MessageKind
from bot.errors import DatabaseError, EmptyFactError, FactTooLongError
from bot.memory.answering import OpenQuestion, WrittenAnswer
from bot.memory.directory import Directory
from bot.memory.library import Library
from bot.memory.manager import MemoryManager
from bot.settings import Settings

logger = logging.getLogger(__name__)

_NUMBER: Final = re.compile(r"\s*#?(\d{1,2})[.)]?\s*")
_LONGEST_CHOICE: Final = 40
"""Longer messages settle no question, so that they need not be held against one."""

_YES: Final = frozenset("yes y yeah yep sure ok да ага угу конечно".split())
_NO: Final = frozenset("no n nope нет не".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """A message as a face heard it."""

    message: Message
    bot_id: int
    bot_names: Sequence[str]
    """What the bot is called where this was said; the first is what it calls itself."""
    direct: bool = False
    from_moderator: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a message: the way that it went, and what is said in answer, if anything."""

    guild_id: int
    message_id: int
    route: Route
    text: str | None = None
    """The answer with names put in."""
    kept_text: str = ""
    """The answer as it is kept, with members as `<@id>`: names change."""
    degraded: bool = False


class Conversation:
    """Hears messages and answers those that are for the bot."""

    def __init__(
        self,
        memory: MemoryManager,
        directory: Directory,
        library: Library,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._doors = Doors(memory, directory, library)
        self._clock = clock
        self._settings = settings

    async def hear(self, hearing: Hearing) -> Outcome:
        """Store a message durably and, if it is for the bot, return the answer, which is stored before it is sent.

        The face sends it and then calls `delivered`. A message that was answered before, in this process or
        another, gets no second answer.
        """
        message = hearing.message
        await self._doors.memory.ingest_message(message)
        nothing = Outcome(guild_id=message.guild_id, message_id=message.message_id, route=Route.NONE)
        if message.kind is not MessageKind.MEMBER:
            return nothing
        replied_to = await self._replied_to(message)
        said = addressed(
            message.text,
            names=hearing.bot_names,
            bot_id=hearing.bot_id,
            replies_to_bot=replied_to is not None and replied_to.user_id == hearing.bot_id,
            direct=hearing.direct,
        )
        text = said.text if said is not None else message.text
        question = (
            await self._doors.memory.answers.open_question(message) if len(text) <= _LONGEST_CHOICE else None
        )
        if said is None and question is None:
            return nothing
        turn = await self._turn(hearing, text, replied_to)
        settled = await self._settled(turn, question) if question is not None else None
        if settled is None and said is None:
            return nothing
        if not await self._doors.memory.answers.claim(message):
            return nothing
        answer = await self._answered(turn, settled)
        await self._doors.memory.answers.write(message, answer)
        kept_text = "\n".join(answer.parts)
        return Outcome(
            guild_id=message.guild_id,
            message_id=message.message_id,
            route=Route(answer.route),
            text=turn.rendered(kept_text) or None,
            kept_text=kept_text,
            degraded=answer.degraded,
        )

    async def delivered(self, outcome: Outcome, *, sent: Sequence[Message]) -> None:
        """Store the messages in which an answer was sent, and that it was; of one message the text with ids."""
        if len(sent) == 1:
            sent = [replace(sent[0], text=outcome.kept_text)]
        await self._doors.memory.ingest_messages(sent)
        await self._doors.memory.answers.sent(
            guild_id=outcome.guild_id,
            message_id=outcome.message_id,
            sent_ids=[message.message_id for message in sent],
        )

    async def _replied_to(self, message: Message) -> Message | None:
        if message.reply_to_id is None:
            return None
        return await self._doors.library.message(guild_id=message.guild_id, message_id=message.reply_to_id)

    async def _turn(self, hearing: Hearing, text: str, replied_to: Message | None) -> Turn:
        message = hearing.message
        guild = await self._doors.directory.guild(message.guild_id)
        view = await self._doors.directory.view(
            guild_id=message.guild_id, channel_audience=message.audience, user_id=message.user_id
        )
        everyone = await self._doors.directory.members(message.guild_id, audiences=view.audiences)
        return Turn(
            message=message,
            text=text,
            bot_id=hearing.bot_id,
            bot_name=hearing.bot_names[0],
            everyone=everyone,
            set_aside=frozenset(),
            view=view,
            time_zone=guild.time_zone if guild else self._settings.time_zone,
            from_moderator=hearing.from_moderator,
            replied_to=replied_to,
        )

    async def _settled(self, turn: Turn, question: OpenQuestion) -> "_Settled | None":
        """Return what the asker wants now that the bot's question is answered; `None` if this is no answer."""
        choice = _choice(turn, question)
        if choice is None:
            return None
        if not await self._doors.memory.answers.settle(question, guild_id=turn.message.guild_id):
            return None
        replied_to = turn.replied_to
        if question.replied_to_id is not None:
            replied_to = await self._doors.library.message(
                guild_id=turn.message.guild_id, message_id=question.replied_to_id
            )
        others = frozenset(question.choices) - {choice.user_id} if choice.user_id else frozenset()
        return _Settled(
            turn=replace(turn, text=question.text, set_aside=others, replied_to=replied_to),
            agreed=choice.agreed,
        )

    async def _answered(self, turn: Turn, settled: "_Settled | None") -> WrittenAnswer:
        if settled is not None:
            turn = settled.turn
        command = grammar.parse(turn.text)
        route = route_of(command)
        try:
            if settled is not None and settled.agreed is False:
                return WrittenAnswer(route=route, parts=(turn.say(Text.KEPT),))
            if settled is not None and settled.agreed and isinstance(command, ForgetEverything):
                return await forgetting.forget_everything_now(turn, command, self._doors)
            return await _carried_out(turn, command, self._doors)
        except EmptyFactError:
            return WrittenAnswer(route=route, parts=(turn.say(Text.EMPTY_FACT),))
        except FactTooLongError as error:
            text = turn.say(Text.FACT_TOO_LONG, characters=error.characters, allowed=error.allowed)
            return WrittenAnswer(route=route, parts=(text,))
        except DatabaseError:
            logger.warning("message %d could not be answered from the database", turn.message.message_id)
            return WrittenAnswer(route=route, parts=(turn.say(Text.DATABASE_AWAY),))


@dataclass(frozen=True, slots=True)
class _Choice:
    user_id: int | None = None
    agreed: bool | None = None


@dataclass(frozen=True, slots=True)
class _Settled:
    turn: Turn
    agreed: bool | None


def _choice(turn: Turn, question: OpenQuestion) -> _Choice | None:
    """Return what an answer to the bot's question chooses; `None` if it is about something else."""
    word = turn.text.strip().strip(".!").casefold()
    if not question.choices:
        return _Choice(agreed=word in _YES) if word in _YES | _NO else None
    number = _NUMBER.fullmatch(turn.text)
    if number is not None:
        index = int(number[1]) - 1
        return _Choice(question.choices[index]) if 0 <= index < len(question.choices) else None
    chosen = [
        member.user_id
        for member in turn.everyone
        if member.user_id in question.choices
        and word in {member.user_name.casefold(), member.name.casefold()}
    ]
    return _Choice(chosen[0]) if len(chosen) == 1 else None


async def _carried_out(turn: Turn, command: Command | None, doors: Doors) -> WrittenAnswer:
    match command:
        case None:
            return await reply.chat(turn, doors)
        case Help():
            return reply.examples(turn)
        case Remember():
            return await remembering.remember(turn, command, doors)
        case RememberThis():
            return await remembering.remember_this(turn, command, doors)
        case Forget():
            return await forgetting.forget(turn, command, doors)
        case ForgetThis():
            return await forgetting.forget_this(turn, command, doors)
        case ForgetEverything():
            return await forgetting.forget_everything(turn, command, doors)
        case ReplaceValue():
            return await correcting.replace_value(turn, command, doors)
        case MoveSubject():
            return await correcting.move_subject(turn, command, doors)
        case TakeBack():
            return await correcting.take_back(turn, command, doors)
        case AskMemory():
            return await asking.ask_memory(turn, command, doors)
        case Search():
            return await asking.search(turn, command, doors)
    assert_never(command)
