"""One message in, one answer or none out."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.clock import Clock
from bot.conversation import answering, grammar
from bot.conversation.addressed import addressed
from bot.conversation.answering import Settled
from bot.conversation.choosing import LONGEST_CHOICE, choice
from bot.conversation.pictures import images_for
from bot.conversation.reply import Mind
from bot.conversation.replying import READING_SECONDS
from bot.conversation.router import Route, route_of
from bot.conversation.texts import Text, say
from bot.conversation.turn import Doors, Turn
from bot.domain import Language, Message, MessageKind
from bot.errors import DatabaseError
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
    replied_images: tuple[Image, ...] = ()
    """Those of the message that it replies to."""


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
        try:
            return await self._answer(hearing) or nothing
        except Exception as error:
            # Whatever it is, somebody may wait for an answer, and the next message must not be lost over it.
            logger.error("message %d could not be answered: %s", message.message_id, trace(error))
            return self._failed(hearing, error)

    async def _answer(self, hearing: Hearing) -> Outcome | None:
        """Return the answer to a message that is stored; `None` if it is not for the bot, or was answered."""
        message = hearing.message
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
            return None
        turn = await self._turn(hearing, text, replied_to)
        settled = await self._settled(turn, question) if question is not None else None
        if settled is None and said is None:
            return None
        claim = await self._doors.memory.answers.claim(message)
        if claim is None:
            return None
        if claim.unsent:
            written = WrittenAnswer(route=route_of(grammar.parse(turn.text)), parts=claim.unsent)
        else:
            mind = Mind(
                self._operations, self._clock.now(), images_for(hearing.images, hearing.replied_images)
            )
            written = await answering.answer(turn, settled, self._doors, mind)
            if not await self._doors.memory.answers.write(message, claim, written):
                return None
        kept_text = "\n".join(written.parts)
        return Outcome(
            guild_id=message.guild_id,
            message_id=message.message_id,
            route=Route(written.route),
            text=turn.rendered(kept_text) or None,
            kept_text=kept_text,
            degraded=written.degraded,
        )

    @staticmethod
    def _failed(hearing: Hearing, error: Exception) -> Outcome:
        """Return what is said when an answer was impossible, to whom called the bot at least."""
        message = hearing.message
        said = addressed(
            message.text,
            names=hearing.bot_names,
            bot_id=hearing.bot_id,
            replies_to_bot=False,
            direct=hearing.direct,
        )
        if said is None:
            return Outcome(guild_id=message.guild_id, message_id=message.message_id, route=Route.NONE)
        text = say(
            Text.DATABASE_AWAY if isinstance(error, DatabaseError) else Text.FAILED, Language.of(said.text)
        )
        return Outcome(
            guild_id=message.guild_id,
            message_id=message.message_id,
            route=route_of(grammar.parse(said.text)),
            text=text,
            kept_text=text,
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
        # A command must know every name; a reply never waits for one.
        seconds = None if grammar.parse(text) is not None else READING_SECONDS
        everyone = await self._doors.directory.members(
            message.guild_id, audiences=view.audiences, seconds=seconds
        )
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
            memory_epoch=guild.memory_epoch if guild else 0,
            from_moderator=hearing.from_moderator,
            direct=hearing.direct,
            replied_to=replied_to,
        )

    async def _settled(self, turn: Turn, question: OpenQuestion) -> Settled | None:
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
        return Settled(
            turn=replace(turn, text=question.text, set_aside=others, replied_to=replied_to),
            agreed=chosen.agreed,
        )
