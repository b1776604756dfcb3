"""One message in, one answer or none out."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from bot.clock import Clock
from bot.conversation import asking, correcting, forgetting, grammar, remembering, reply
from bot.conversation.addressed import addressed
from bot.conversation.choosing import LONGEST_CHOICE, choice
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
from bot.conversation.pictures import images_for
from bot.conversation.reply import Mind
from bot.conversation.router import Route, route_of
from bot.conversation.texts import Text
from bot.conversation.turn import Doors, Turn
from bot.domain import Message, MessageKind
from bot.errors import DatabaseError, EmptyFactError, FactTooLongError
from bot.language.operation import Image, Operations
from bot.log import trace
from bot.memory.answering import OpenQuestion, WrittenAnswer
from bot.memory.directory import Directory
from bot.memory.library import Library
from bot.memory.manager import MemoryManager
from bot.settings import Settings

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """A message as a face heard it."""

    message: Message
    bot_id: int
    bot_names: Sequence[str]
    """What the bot is called where this was said; the first is what it calls itself."""
    direct: bool = False
    from_moderator: bool = False
    images: tuple[Image, ...] = ()
    """The pictures of the message, for models that see."""


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
        operations: Operations,
    ) -> None:
        self._doors = Doors(memory, directory, library)
        self._clock = clock
        self._operations = operations
        self._settings = settings

    async def hear(self, hearing: Hearing) -> Outcome:
        """Store a message durably and, if it is for the bot, return the answer, which is stored before it is sent.

        The face sends it and then calls `delivered`. A message that was answered before, in this process or
        another, gets no second answer.
        """
        message = await self._doors.memory.ingest_message(hearing.message)
        hearing = replace(hearing, message=message)
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
            await self._doors.memory.answers.open_question(message) if len(text) <= LONGEST_CHOICE else None
        )
        if said is None and question is None:
            return nothing
        turn = await self._turn(hearing, text, replied_to)
        settled = await self._settled(turn, question) if question is not None else None
        if settled is None and said is None:
            return nothing
        claim = await self._doors.memory.answers.claim(message)
        if claim is None:
            return nothing
        if claim.unsent:
            answer = WrittenAnswer(route=route_of(grammar.parse(turn.text)), parts=claim.unsent)
        else:
            mind = Mind(self._operations, self._clock.now(), images_for(hearing.images, ()))
            answer = await self._answered(turn, settled, mind)
            if not await self._doors.memory.answers.write(message, claim, answer):
                return nothing
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

    async def _correction(self, turn: Turn) -> Command | None:
        """Return the correction that a reply to the confirmation of a write may well be."""
        told = turn.replied_to
        if told is None or told.user_id != turn.bot_id or told.reply_to_id is None:
            return None
        command = grammar.parse_reply(turn.text)
        if command is None:
            return None
        answer = await self._doors.memory.answers.to_message(
            guild_id=turn.message.guild_id, message_id=told.reply_to_id
        )
        return command if answer is not None and answer.fact_ids else None

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
        # Facts from the guilds shared tell of people whom this conversation does not know.
        elsewhere = [
            member
            for guild_id in view.own_guild_ids
            for member in await self._doors.directory.members(guild_id)
        ]
        return Turn(
            message=message,
            text=text,
            bot_id=hearing.bot_id,
            bot_names=hearing.bot_names,
            everyone=everyone,
            elsewhere=elsewhere,
            set_aside=frozenset(),
            view=view,
            time_zone=guild.time_zone if guild else self._settings.time_zone,
            persona=guild.persona if guild else "",
            from_moderator=hearing.from_moderator,
            direct=hearing.direct,
            replied_to=replied_to,
        )

    async def _settled(self, turn: Turn, question: OpenQuestion) -> "_Settled | None":
        """Return what the asker wants now that the bot's question is answered; `None` if this is no answer."""
        chosen = choice(turn, question)
        if chosen is None:
            return None
        if not await self._doors.memory.answers.settle(question, turn.message):
            return None
        replied_to = turn.replied_to
        if question.replied_to_id is not None:
            replied_to = await self._doors.library.message(
                guild_id=turn.message.guild_id, message_id=question.replied_to_id
            )
        others = frozenset(question.choices) - {chosen.user_id} if chosen.user_id else frozenset()
        return _Settled(
            turn=replace(turn, text=question.text, set_aside=others, replied_to=replied_to),
            agreed=chosen.agreed,
        )

    async def _answered(self, turn: Turn, settled: "_Settled | None", mind: Mind) -> WrittenAnswer:
        if settled is not None:
            turn = settled.turn
        command = grammar.parse(turn.text) or await self._correction(turn)
        route = route_of(command)
        try:
            if settled is not None and settled.agreed is False:
                return WrittenAnswer(route=route, parts=(turn.say(Text.KEPT),))
            if settled is not None and settled.agreed and isinstance(command, ForgetEverything):
                return await forgetting.forget_everything_now(turn, command, self._doors)
            return await _carried_out(turn, command, self._doors, mind)
        except EmptyFactError:
            return WrittenAnswer(route=route, parts=(turn.say(Text.EMPTY_FACT),))
        except FactTooLongError as error:
            text = turn.say(Text.FACT_TOO_LONG, characters=error.characters, allowed=error.allowed)
            return WrittenAnswer(route=route, parts=(text,))
        except DatabaseError:
            logger.warning("message %d could not be answered from the database", turn.message.message_id)
            return WrittenAnswer(route=route, parts=(turn.say(Text.DATABASE_AWAY),))
        except Exception as error:
            # Whatever it is, somebody waits for an answer, and nobody else's message may be lost over it.
            logger.error("message %d could not be answered: %s", turn.message.message_id, trace(error))
            return WrittenAnswer(route=route, parts=(turn.say(Text.FAILED),))


@dataclass(frozen=True, slots=True)
class _Settled:
    turn: Turn
    agreed: bool | None


async def _carried_out(turn: Turn, command: Command | None, doors: Doors, mind: Mind) -> WrittenAnswer:
    match command:
        case None:
            return await reply.chat(turn, doors, mind)
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
