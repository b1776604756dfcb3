"""A message that is being answered, with everything that its answer may use.

Also access to what is kept, with the slots that limit how many replies read at once.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from bot.chat.addressed import Addressed, addressed, only_command
from bot.chat.incoming import (
    HandOver,
    IncomingMessage,
    MessageOutcome,
    ReadableAudiences,
    ReadableChannels,
    Route,
)
from bot.core.domain import (
    GUILD_SUBJECT,
    AnswerMode,
    Fact,
    Guild,
    Language,
    Member,
    Message,
    RememberingOthers,
    mention_of,
)
from bot.core.log import trace
from bot.memory.facts.lifecycle import is_past
from bot.memory.manager import MemoryManager
from bot.memory.members import roster, subjects
from bot.memory.members.directory import Directory
from bot.memory.members.known import KnownMembers
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.outbox.circumstances import Circumstances, OpenQuestion
from bot.memory.outbox.removal_log import Remover
from bot.memory.policy import permissions
from bot.memory.policy.permissions import ReadScope, scope_of
from bot.memory.recall.library import Library
from bot.text import phrasing
from bot.text.commands import Command, Parsed
from bot.text.grammar.parser import is_question, parse
from bot.text.grammar.understanding import understood
from bot.text.orders import may_order
from bot.text.questions import question_of
from bot.text.sentences import Key, say, speech_of

logger = logging.getLogger(__name__)

READING_SECONDS: Final = 1.0
"""Real seconds for all that a reply reads: it never waits longer for a memory."""

CONNECTIONS: Final = 3
"""Connections that one reply has at once: its parts are read by these, what matters most first."""

_AT_ONCE: Final = 3
"""Replies that are read for at once: together they leave one connection of a usual pool of ten to what is written."""

LONGEST_SECONDS = 8.0
"""Real seconds after which a reply is read for although others are before it: a database that hangs holds up nobody."""


class ReadSlots:
    """Gives replies their turn. Were all read for side by side, all would be late; so the first ones are done first."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(_AT_ONCE)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until it is one's turn to read, and have it until the end."""
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                await self._free.acquire()
        except TimeoutError:
            yield
            return
        try:
            yield
        finally:
            self._free.release()


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    """What turns read and write of what is kept, and the turns in which replies do so."""

    memory: MemoryManager
    directory: Directory
    library: Library
    reading: ReadSlots = field(default_factory=ReadSlots)

    async def noticed(self, message: Message) -> None:
        """Wait until what was said before `message` has been read for facts, a second at most."""
        await self.memory.extractor.noticed(guild_id=message.guild_id, up_to_id=message.message_id)


@dataclass(frozen=True)
class Turn:
    """A message to the bot, and what is known about where it was said."""

    message: Message
    text: str
    """What was said to the bot, without its name."""
    bot_id: int
    bot_names: Sequence[str]
    """What the bot is called here."""
    known: KnownMembers
    """The members who were met where it was said, by a name in what was said or by their ids.

    In a direct message those of the guilds shared have names too, and none is meant by one.
    """
    set_aside: frozenset[int]
    """Members whom the asker did not choose when asked which one was meant: no name means them now."""
    view: ReadScope
    time_zone: str
    from_moderator: bool
    direct: bool
    """Said where everything is said to the bot, as in a direct message."""
    replied_to: Message | None
    from_manager: bool = False
    """The author may change the settings of the guild, or of the channel in which it was said."""
    persona: str = ""
    """Who the bot is here, in the words of the guild's managers."""
    model: str = ""
    """The model that is asked first for a reply; "" for that of the installation."""
    memory_epoch: int = 0
    """The epoch in which this turn began."""
    guild: Guild | None = None
    """Where it was said, if that is known."""
    visitor: bool = False
    """The author lacks the guild's base role: only what is said in this channel is used, and nothing is kept."""
    seeks: bool = False
    """Whoever bears a name that is not known here is sought before anything is told of that name."""
    spoken: Language = Language.ENGLISH
    """What is spoken where it was said."""
    edited: bool = False
    """The message was answered before and says something else now."""
    undoes: frozenset[int] = frozenset()
    """The facts that it wrote then: they are taken back before anything that it says now is written."""
    said_to: int | None = None
    """Who could read the message when it was said, where these are fewer than can read it now."""
    is_behind: bool = False
    """Something that was said in this guild before may still be unread."""
    within: tuple[int, ...] = ()
    """The guilds in which a command about the author's own memory is meant, once that is settled; 0 is all."""
    reads: ReadableAudiences | None = None
    can_read: ReadableChannels | None = None
    hand_over: HandOver | None = None
    said: Addressed | None = None
    """What was said as it was recognised, so that nothing is parsed twice."""
    is_one: bool = False
    """The text is one command that was settled, whatever else it may seem to hold."""
    asked_in: str = ""
    """The code of the language in which the bot asked what this answers; "" where it asked nothing."""
    order_id: int = 0
    """The message that gave the order, where this one only answers what the bot asked back about it; else 0."""
    place: int = 0
    """Which of several commands of its message this is, from 0."""
    forgets: bool = False
    """Another one has something forgotten: what held before is not told beside what this one confirms."""

    jump: Callable[[int, int], str] | None = None
    """Gives the address of a message of this guild, by its channel's id and its own, where a face has such."""

    def link(self, channel_id: int, message_id: int) -> str:
        """Return where a message of this guild can be seen; "" where the face has no addresses."""
        return self.jump(channel_id, message_id) if self.jump is not None else ""

    @cached_property
    def parts(self) -> tuple[Parsed, ...]:
        """The commands that the words give, sure or not."""
        if self.is_one:
            command = parse(self.text)
            return () if command is None else (Parsed(command, self.text),)
        if self.said is not None and self.said.text == self.text:
            return self.said.parts
        return understood(self.text)

    @property
    def command(self) -> Command | None:
        """The one command that the words clearly give."""
        return only_command(self.parts)

    def of_part(self, part: Parsed, place: int) -> "Turn":
        """Return the turn in which one command of several is carried out, the one at `place`, from 0."""
        return replace(self, text=part.text, is_one=True, place=place)

    @property
    def cause(self) -> str:
        """The cause of what this turn writes; each version of a message writes anew, and each of its commands."""
        edited_at = self.message.edited_at
        cause = f"m:{self.message.message_id}" + (f"#{self.place + 1}" if self.place else "")
        if not self.edited or edited_at is None:
            return cause
        return f"{cause}:{int(edited_at.timestamp() * 1_000_000)}"

    @property
    def asked_at(self) -> datetime:
        """When what this turn asks for was asked for."""
        edited_at = self.message.edited_at if self.edited else None
        return edited_at or self.message.timestamp

    @property
    def audience(self) -> int:
        """For whom what the message says is kept: a room that was opened since opens nothing that was said in it."""
        return self.message.audience if self.said_to is None else self.said_to

    @property
    def is_message(self) -> bool:
        """Whether a message said it, which is in the log."""
        return True

    @property
    def by(self) -> Remover:
        """Who removes what this turn removes, and by which command."""
        return Remover(user_id=self.message.user_id, cause=self.cause)

    def sees(self, message: Message) -> bool:
        """Tell whether the answer may draw on `message`: a visitor's on what stands in this channel alone."""
        return self.is_here(message) if self.visitor else message.audience in self.view.audiences

    def is_here(self, message: Message) -> bool:
        """Tell whether `message` stands where this turn is answered, for all who can read the answer."""
        return message.channel_id == self.message.channel_id and message.audience == self.message.audience

    def refusal(self, route: str, subject_ids: Iterable[int]) -> WrittenAnswer | None:
        """Return what is said instead of keeping something about these subjects; `None` where that may be."""
        if self.visitor:
            return WrittenAnswer(route=route, parts=(self.say("chat.nothing_of_visitors"),))
        guild = self.guild
        if guild is None or all(
            permissions.may_remember_about(
                guild,
                author_id=self.message.user_id,
                subject_id=subject_id,
                from_moderator=self.from_moderator,
            )
            for subject_id in subject_ids
        ):
            return None
        by_moderators = guild.remembering_others is RememberingOthers.MODERATORS
        text = self.say("chat.others_by_moderators" if by_moderators else "chat.others_by_themselves")
        return WrittenAnswer(route=route, parts=(text,))

    @property
    def everyone(self) -> Sequence[Member]:
        """The members who were met where it was said."""
        return self.known.everyone

    @property
    def members(self) -> roster.Roster:
        """Those of them whom a name may mean."""
        return self.known.without(self.set_aside)

    @property
    def bot_name(self) -> str:
        """What the bot calls itself in the language of the message."""
        return self.name_in(self.language)

    def name_in(self, language: Language) -> str:
        """Return what the bot calls itself in a language."""
        fitting = (name for name in self.bot_names if Language.of(name) is language)
        return next(fitting, self.bot_names[0])

    def asks_the_bot(self, message: Message) -> bool:
        """Tell whether `message` orders or asks the bot something: that is not what people talk about.

        Who tells it something has said it, like anything else.
        """
        said = addressed(
            message.text, names=self.bot_names, bot_id=self.bot_id, replies_to_bot=False, direct=False
        )
        if said is None:
            return self.direct and bool(understood(message.text))
        asks = is_question(said.text) or question_of(said.text) is not None
        return asks or not said.text or bool(said.parts)

    @property
    def language(self) -> Language:
        """The language to answer in: that of the message, without words that of the place."""
        return Language.of(self.text) if any(map(str.isalpha, self.text)) else self.spoken

    @property
    def called(self) -> Mapping[int, str]:
        """What each member who was met is called."""
        return {**self.known.names, self.bot_id: self.bot_names[0]}

    def rendered(self, text: str) -> str:
        """Return stored text with names put in, of members who were met.

        Answers are written with ids and rendered once, at the end.
        """
        return subjects.rendered(text, self.called)

    async def named(self, text: str) -> str:
        """Return stored text with the names put in of all whom it mentions."""
        await self.known.meet_mentioned(text, seconds=READING_SECONDS)
        return self.rendered(text)

    async def outcome(self, written: WrittenAnswer) -> MessageOutcome:
        """Return an answer that is written down as the face gets it, with names put in."""
        kept_text = "\n".join(written.parts)
        text = await self.named(kept_text)
        return MessageOutcome(
            guild_id=self.message.guild_id,
            message_id=self.message.message_id,
            route=Route(written.route),
            text=text or None,
            kept_text=kept_text,
            language=self.speech,
            degraded=written.degraded,
            undo_ids=written.fact_ids if kept_text else (),
            forgot=written.forgot,
            pings=self.guild is not None and self.guild.pings,
        )

    def say(self, key: Key, **values: str | int) -> str:
        """Return a sentence in the language of the message, as far as there is one; it may name the bot."""
        return say(key, self.speech, bot=self.bot_name, **values)

    @property
    def speech(self) -> str:
        """The code of the language to answer in: what no grammar understands may be in one that only models know."""
        return self.asked_in or self._own_speech

    @cached_property
    def _own_speech(self) -> str:
        if self.parts or not any(map(str.isalpha, self.text)):
            return self.language
        return speech_of(self.text, is_order=may_order(self.text))

    def day(self, moment: datetime) -> str:
        """Return the day of a moment in the guild's time zone."""
        return moment.astimezone(ZoneInfo(self.time_zone)).strftime("%Y-%m-%d")

    def minute(self, moment: datetime) -> str:
        """Return a moment in the guild's time zone, to the minute."""
        return moment.astimezone(ZoneInfo(self.time_zone)).strftime("%Y-%m-%d %H:%M")

    def told(self, fact: Fact) -> str:
        """Return a fact as one line: its day, who tells it unless that is the subject, what it says."""
        return f"- [{self.day(fact.said_at)}] {self.content_of(fact)}"

    def content_of(self, fact: Fact) -> str:
        """Return what a fact says, who tells it unless that is the subject, and how far it holds."""
        content = self.dated_content_of(fact, with_teller=fact.author_id != fact.subject_id)
        return self.say("chat.said_once", content=content) if fact.is_said_once else content

    def dated_content_of(self, fact: Fact, *, with_teller: bool = False) -> str:
        """Return what a fact says, and whether it is over or a guess; who tells it only if that is asked for."""
        content = fact.content
        if with_teller and not phrasing.is_quoted_from(content, fact.author_id):
            content = self.say("chat.says", teller=mention_of(fact.author_id), content=content)
        today = self.message.timestamp.astimezone(ZoneInfo(self.time_zone)).date()
        if fact.holds_on is not None and is_past(fact, today):
            key: Key = "chat.is_over" if _names_day(content, fact.holds_on) else "chat.was_on"
            content = self.say(key, content=content, day=fact.holds_on.isoformat())
        return self.say("chat.not_certain", content=content) if fact.is_guess else content

    def subject_of(
        self, statement: str
    ) -> subjects.StatementSubject | roster.AmbiguousName | roster.UnknownName:
        """Return whom a statement of the author is about, as far as it was asked and answered already."""
        return subjects.subject_of(
            statement,
            members=self.members,
            author_id=self.message.user_id,
            is_settled=GUILD_SUBJECT in self.set_aside,
        )

    def whom(self, about: str, route: str) -> int | WrittenAnswer:
        """Return the member whom `about` means, or what is said where that is nobody or several."""
        who = roster.resolve(about, members=self.members, author_id=self.message.user_id)
        return who.user_id if isinstance(who, roster.FoundMember) else self.unresolved(route, who)

    def unresolved(self, route: str, who: roster.AmbiguousName | roster.UnknownName) -> WrittenAnswer:
        """Return what is said where a name means several, or nobody."""
        if isinstance(who, roster.UnknownName):
            return self.unknown(route, who)
        return self.ask_which(route, who.candidates)

    def ask_which(self, route: str, candidates: Sequence[int]) -> WrittenAnswer:
        """Ask which of several members is meant; the next answer of the asker settles it."""
        offered = [self._distinct(one) if one else self.say("chat.somebody_else") for one in candidates]
        numbered = [f"{number}. {who}" for number, who in enumerate(offered, start=1)]
        question = OpenQuestion(
            text=self.text, choices=tuple(candidates), replied_to_id=self.message.reply_to_id
        )
        parts = ("\n".join([self.say("chat.which_member"), *numbered]),)
        return WrittenAnswer(route=route, parts=parts, question=question)

    def _distinct(self, user_id: int) -> str:
        member = next((one for one in self.everyone if one.user_id == user_id), None)
        if member is None or member.name == member.user_name:
            return mention_of(user_id)
        return f"{mention_of(user_id)} ({member.user_name})"

    def unknown(self, route: str, who: roster.UnknownName) -> WrittenAnswer:
        """Say that nobody bears a name, and who comes closest to it."""
        if who.closest_id is None or who.closest_id == self.bot_id:
            text = self.say("chat.unknown_name", name=who.name)
        else:
            closest = mention_of(who.closest_id)
            text = self.say("chat.unknown_name_closest", name=who.name, closest=closest)
        return WrittenAnswer(route=route, parts=(text,), unknown_name=who.name)


SEEKING_SECONDS: Final = 5.0
"""Real seconds for a face to find members by a name."""

_NUMBER: Final = re.compile(r"\d+")

_LONGEST_NAME: Final = 32
"""No name on Discord is longer."""


async def turn_of(
    hearing: IncomingMessage,
    said: Addressed,
    circumstances: Circumstances,
    access: MemoryAccess,
    *,
    time_zone: str,
) -> Turn:
    """Return the turn in which `said` is answered; `time_zone` is that of a guild that is not known."""
    message, kept = hearing.message, circumstances.kept
    guild, channel = circumstances.place.guild, circumstances.place.channel
    view = await _view(hearing, guild, access)
    # A command must know every name; a reply never waits for one.
    seconds = None if said.parts else READING_SECONDS
    replied_to = circumstances.replied_to
    known = access.directory.known(view)
    await known.meet(
        said.text,
        message.text,
        *([replied_to.text] if replied_to else []),
        user_ids=[message.user_id, *([replied_to.user_id] if replied_to else [])],
        seconds=seconds,
    )
    always = channel is not None and channel.answering is AnswerMode.ALWAYS
    return Turn(
        message=message,
        said_to=kept.audience if kept is not None and kept.audience > message.audience else None,
        text=said.text,
        said=said,
        bot_id=hearing.bot_id,
        bot_names=hearing.bot_names,
        known=known,
        set_aside=frozenset(),
        view=view,
        time_zone=guild.time_zone if guild else time_zone,
        persona=(channel.persona if channel else "") or (guild.persona if guild else ""),
        model=channel.model if channel else "",
        memory_epoch=guild.memory_epoch if guild else 0,
        guild=guild,
        from_moderator=hearing.from_moderator,
        from_manager=hearing.from_manager,
        direct=hearing.direct or always,
        spoken=hearing.language,
        jump=hearing.jump,
        reads=hearing.reads,
        can_read=hearing.can_read,
        # What is read back later is answered by nothing, so nothing is given either.
        hand_over=None if hearing.late else hearing.hand_over,
        visitor=hearing.visitor,
        is_behind=hearing.is_behind is not None and hearing.is_behind(),
        replied_to=replied_to,
    )


async def with_sought(turn: Turn, hearing: IncomingMessage, name: str, access: MemoryAccess) -> Turn | None:
    """Return `turn` with the members whom the face found by `name`; `None` if it found nobody."""
    guild_id = hearing.message.guild_id
    found = [member for member in await _sought(hearing, name) if member.guild_id == guild_id]
    if not found:
        return None
    await access.directory.put_members(found)
    await turn.known.meet_anew([member.user_id for member in found])
    return turn


async def _sought(hearing: IncomingMessage, name: str) -> Sequence[Member]:
    if hearing.seek is None or not 0 < len(name) <= _LONGEST_NAME:
        return ()
    try:
        async with asyncio.timeout(SEEKING_SECONDS):
            return await hearing.seek(name)
    except Exception as error:
        # Whatever the face meets with, the answer that nobody bears the name stands.
        logger.warning("message %d: nobody could be sought: %s", hearing.message.message_id, trace(error))
        return ()


async def _view(hearing: IncomingMessage, guild: Guild | None, access: MemoryAccess) -> ReadScope:
    message = hearing.message
    if guild is None or not guild.direct:
        return scope_of(guild_id=message.guild_id, channel_audience=message.audience, visitor=hearing.visitor)
    return await access.directory.view(
        guild_id=message.guild_id, channel_audience=message.audience, user_id=message.user_id
    )


def _names_day(content: str, day: date) -> bool:
    """Tell whether `content` says itself which day it is about, with its year."""
    return day.isoformat() in content or {str(day.day), str(day.year)} <= set(_NUMBER.findall(content))
