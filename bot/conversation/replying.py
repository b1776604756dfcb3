"""The chat reply of a model: what it is given, what it may answer, and how its words become an answer."""

import asyncio
import html
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from pydantic import BaseModel, Field

from bot.conversation import names
from bot.conversation.names.vocabulary import is_function_word
from bot.conversation.prompting import TAGS, KnownMember, Scene, written
from bot.conversation.turn import Doors, Turn
from bot.domain import GUILD_SUBJECT, Fact, Member, Message
from bot.errors import DatabaseError
from bot.language.local_mentions import lengthened
from bot.language.operation import Operation, Role

logger = logging.getLogger(__name__)

REPLY_SECONDS: Final = 20.0
"""Real seconds after which a member has waited long enough and gets the fallback."""

READING_SECONDS: Final = 1.0
"""Real seconds for all that a reply reads: it never waits longer for a memory."""

_LAST_SECONDS: Final = 0.05
"""Of these, what is kept to put together what is known when the rest is over."""

LAST_MESSAGES: Final = 20
"""Messages before the one to answer that the prompt carries word for word."""

CHAIN_MESSAGES: Final = 10
"""Replies above the message to answer that the prompt carries as well, where they are older than those."""

MOST_MEMBERS: Final = 12
"""Members of whom a prompt tells; a talk of more is rare, and its prompt would be about nobody."""

LONGEST_REPLY: Final = 4_000
"""Characters; two messages of Discord, and more than anybody reads in a chat."""

_WORDS_SEARCHED: Final = 80
"""Words of a message that are looked at for names; what is behind them is seldom asked about."""

_MOST_BY_WORD: Final = 4
"""Members found by a single word of a message: it may be no name at all, so they must not crowd out speakers."""

_TAG: Final = re.compile(rf"<[/]?(?:{'|'.join(sorted(TAGS))})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_MENTION: Final = re.compile(r"<@!?([0-9]{1,19})>")
_WORD: Final = re.compile(r"[^\W\d_][\w'’-]+")
_ENTITY: Final = re.compile(r"&(?:lt|gt|amp|quot|#34|#39);")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyGiven:
    """What the reply operation is given: the scene, and what is said if no model answers."""

    scene: Scene
    fallback_text: str = ""
    """Empty is silence."""


class ReplyText(BaseModel):
    """What the reply operation returns."""

    text: str = Field(description="the chat message, without name or tag before it")


def _check(given: ReplyGiven, answer: ReplyText) -> None:
    if not answer.text.strip():
        raise ValueError("the text is empty: it must be the chat message")
    if leaked := _TAG.search(answer.text):
        raise ValueError(f"the text holds the tag {leaked[0]!r}: it must be plain chat without tags")
    if len(answer.text) > LONGEST_REPLY:
        raise ValueError(f"the text has {len(answer.text)} characters: it must have {LONGEST_REPLY} at most")
    answer_of(answer.text, given)


def _frame(given: ReplyGiven) -> Mapping[str, object]:
    return {"data": written(given.scene).data}


REPLY: Final = Operation(
    name="reply",
    role=Role.CHAT,
    answer=ReplyText,
    frame=_frame,
    fallback=lambda given: ReplyText(text=given.fallback_text),
    check=_check,
    deadline_seconds=REPLY_SECONDS,
)


async def gather(
    turn: Turn,
    doors: Doors,
    *,
    now: datetime,
    persona: str = "",
    fallback_text: str = "",
    seconds: float = READING_SECONDS,
) -> ReplyGiven:
    """Read what a reply to `turn` may draw on, in `seconds` real seconds at most over all of it.

    What was not read by then is missing from the prompt: messages first, then facts, then the channel's name, and
    last what is remembered of everyone who takes part. `now` is aware; nothing is raised if the database is away.
    """
    messages: list[Message] = []
    chain: list[Message] = []
    facts: list[Fact] = []
    channel_name = ""
    memories: Mapping[int, str] = {}
    user_ids = _taking_part(turn, messages)
    began = asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout(seconds):
            messages = [
                message
                for message in await doors.library.latest_in_channel(turn.message, limit=LAST_MESSAGES)
                if turn.sees(message)
            ]
            chain = await _chain(turn, messages, doors)
            user_ids = _taking_part(turn, [*chain, *messages])
            facts = await doors.library.facts_about_each(
                [GUILD_SUBJECT, *user_ids], turn.view, asker_id=turn.message.user_id
            )
            channels = await doors.directory.channels(turn.message.guild_id)
            channel_name = next(
                (channel.name for channel in channels if channel.channel_id == turn.message.channel_id), ""
            )
            memories = await _memories(turn, user_ids, doors, deadline=began + seconds)
    except (TimeoutError, DatabaseError) as error:
        logger.warning(
            "the reply to message %d goes without all memories: %s",
            turn.message.message_id,
            type(error).__name__,
        )
    known = {member.user_id: member for member in turn.everyone}
    scene = Scene(
        bot_id=turn.bot_id,
        bot_name=turn.bot_name,
        persona=persona,
        now=now,
        time_zone=turn.time_zone,
        channel_name=channel_name,
        message=turn.message,
        replied_to=_visible(turn),
        messages=tuple(messages),
        chain=tuple(chain),
        members=tuple(
            _known(known[user_id], facts, memories.get(user_id, ""))
            for user_id in user_ids
            if user_id in known
        ),
        server_facts=tuple(fact for fact in facts if fact.subject_id == GUILD_SUBJECT),
        called=turn.called,
    )
    return ReplyGiven(scene=scene, fallback_text=fallback_text)


def answer_of(text: str, given: ReplyGiven) -> str:
    """Return what a model said as it is kept: members as `<@id>`, nothing of the prompt's own marks left.

    Rendered, it reads as the model wrote it, but for short ids, which become names. `ValueError` for a short
    id that was not offered; an answer that was checked has none.
    """
    scene = given.scene
    said = text.strip()
    for prefix in (f"{scene.bot_name}:", "you:"):
        said = said.removeprefix(prefix).lstrip()
    if not _ENTITY.search(scene.message.text):
        said = _ENTITY.sub(lambda entity: html.unescape(entity[0]), said)
    people_wrote = "\n".join(message.text for message in (*scene.messages, *scene.chain, scene.message))
    said = lengthened(said, written(scene).user_ids, known=people_wrote)
    # Only a name that comes back as it was written is taken for its bearer: a reply keeps its words.
    bearers = [
        replace(known.member, nickname="", display_name="", user_name=name, aliases=(), old_names=())
        for known in scene.members
        if (name := scene.called.get(known.member.user_id, ""))
    ]
    return names.with_mentions(said, bearers)


def _taking_part(turn: Turn, messages: Sequence[Message]) -> list[int]:
    """Return who takes part, whoever matters most first: the asker, who is meant or replied to, who spoke last."""
    replied_to = _visible(turn)
    user_ids = (
        turn.message.user_id,
        *_mentioned(names.with_mentions(turn.text, turn.members)),
        *([replied_to.user_id] if replied_to else []),
        *_named_by_a_word(turn),
        *(message.user_id for message in reversed(messages)),
        *(user_id for message in reversed(messages) for user_id in _mentioned(message.text)),
    )
    known = {member.user_id for member in turn.everyone} - {turn.bot_id}
    return [user_id for user_id in dict.fromkeys(user_ids) if user_id in known][:MOST_MEMBERS]


def _mentioned(text: str) -> list[int]:
    return [int(found[1]) for found in _MENTION.finditer(text)]


def _named_by_a_word(turn: Turn) -> list[int]:
    """Return members whom the message may name by an alias, in another case or in other letters."""
    found: dict[int, None] = {}
    for word in _WORD.findall(turn.text)[:_WORDS_SEARCHED]:
        if not is_function_word(word):
            found |= dict.fromkeys(turn.members.named(word) or turn.members.declined(word))
    return list(found)[:_MOST_BY_WORD]


async def _chain(turn: Turn, messages: Sequence[Message], doors: Doors) -> list[Message]:
    """Return the replies above the message to answer that are not among `messages`, oldest first."""
    if turn.replied_to is None or turn.replied_to.reply_to_id is None:
        return []
    among = {message.message_id for message in messages}
    above = await doors.library.chain_above(turn.message, limit=CHAIN_MESSAGES)
    return [message for message in above if message.message_id not in among and turn.sees(message)]


def _visible(turn: Turn) -> Message | None:
    replied_to = turn.replied_to
    return replied_to if replied_to is not None and turn.sees(replied_to) else None


async def _memories(
    turn: Turn, user_ids: Sequence[int], doors: Doors, *, deadline: float
) -> Mapping[int, str]:
    """Return what is remembered of members of whom more than facts is known: facts alone are told one by one."""
    if not turn.view.audiences:
        return {}
    told = await doors.memory.get_memories_of(
        turn.message.guild_id,
        user_ids,
        audience=turn.message.audience,
        seconds=max(0.0, deadline - asyncio.get_running_loop().time() - _LAST_SECONDS),
    )
    return {user_id: memories.context for user_id, memories in told.items() if memories.lately}


def _known(member: Member, facts: Sequence[Fact], memory: str) -> KnownMember:
    told = tuple(fact for fact in facts if fact.subject_id == member.user_id)
    own_names = (fact.value for fact in told if fact.key == "name" and fact.author_id == member.user_id)
    return KnownMember(member=member, given_name=next(own_names, ""), facts=told, memory=memory)
