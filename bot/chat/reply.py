"""Reply in chat with a model; without one, one fixed sentence says what still works."""

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from bot.chat import answering, searching
from bot.chat.incoming import Route
from bot.chat.privacy import DataPractice
from bot.chat.prompting.prompt import REPLY, ReplyGiven, ReplyText, answer_of
from bot.chat.streaming import StreamedReply
from bot.chat.tools.manage_memory import MemoryTool, may_be_offered
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import Language
from bot.core.errors import DatabaseError
from bot.llm.operation import Asker, Image, Operations, Outcome, Patience
from bot.memory.facts.tool_keeping import KeptByTool
from bot.memory.outbox.answers import WrittenAnswer
from bot.text.claims import written_line
from bot.text.commands import AskFact
from bot.text.grammar.rules import plain
from bot.text.grammar.understanding import asks, order_in
from bot.text.language_detection import COMMON_WORDS
from bot.text.languages import either
from bot.text.sentences import ABROAD, Key, say

NO_MODEL_PAUSE: Final = timedelta(minutes=10)
"""The fixed sentence is said at most once in this time in one channel: it would soon be noise."""


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """What a reply thinks with, and when."""

    operations: Operations
    now: datetime
    """The time of the clock that rules days, aware."""
    practice: DataPractice
    """What becomes of what is said, for whoever asks."""
    images: tuple[Image, ...] = ()
    seconds: float | None = None
    """Real seconds that a reply may take; `None` is its own deadline."""
    search_words: tuple[str, ...] = ()
    """Other words with which what is asked about may have been said, as the router thinks."""
    streamed: StreamedReply | None = None
    """Shows the reply while it is written, where that may be."""
    carried_out: dict[int, WrittenAnswer] = field(default_factory=dict)
    """What of several commands was carried out, by their place: an answer that is found anew does none of it twice."""


_WHO_ARE_YOU: Final = re.compile(rf"(?<!\w){either('who_is_the_bot')}[\s?!.)]*$", re.IGNORECASE)
_MOST_KNOWN: Final = 3
"""Memories that are told where no model answered."""

MOST_IMAGES: Final = 4
MOST_BYTES: Final = 8_000_000
"""All pictures of one question together."""

MEDIA_TYPES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})


def images_for(message_images: Sequence[Image], replied_images: Sequence[Image]) -> tuple[Image, ...]:
    """Return the pictures that a model is shown: those of the message, then those of the one replied to.

    At most `MOST_IMAGES` of `MEDIA_TYPES` with at most `MOST_BYTES` bytes together; empty ones are left out,
    and one that is too large makes way for those behind it.
    """
    shown: list[Image] = []
    left = MOST_BYTES
    for image in (*message_images, *replied_images):
        media_type = image.media_type.partition(";")[0].strip().lower()
        if len(shown) < MOST_IMAGES and media_type in MEDIA_TYPES and 0 < len(image.content) <= left:
            shown.append(replace(image, media_type=media_type))
            left -= len(image.content)
    return tuple(shown)


async def reply_without_model(turn: Turn, access: MemoryAccess) -> WrittenAnswer:
    """Reply to `turn` without a model: examples for an empty message, else the fixed sentence, or silence."""
    if not turn.text.strip():
        return await answer_help(turn)
    if (nearest := _nearest_order(turn)) is not None:
        return nearest
    if _WHO_ARE_YOU.search(plain(turn.text)):
        return WrittenAnswer(route=Route.CHAT, parts=(turn.say("chat.who_i_am"),))
    text = await no_model_text(turn, access)
    return WrittenAnswer(route=Route.CHAT, parts=(text,) if text else ())


async def reply_with_model(
    turn: Turn, given: ReplyGiven, access: MemoryAccess, context: ReplyContext, *, to_bot: bool = False
) -> WrittenAnswer:
    """Return what a model replies to what was gathered; only code says that something was stored.

    If anything was forgotten meanwhile, a neutral sentence takes the place of what was thought out before. A model
    with tools may keep what the message says. Of a visitor and of another bot nothing is kept, and to the latter
    nothing is said if no model answers.
    """
    memory_tool = (
        MemoryTool(turn, given, access, context.operations) if not to_bot and may_be_offered(turn) else None
    )
    streamed, rests_on = context.streamed, _resting_on(given)
    async with (
        contextlib.nullcontext()
        if streamed is None
        else streamed.following(rests_on, lambda text: _sayable_so_far(text, given))
    ):
        outcome = await context.operations.run(
            REPLY,
            given,
            asker=asker_of(turn),
            images=context.images,
            seconds=context.seconds,
            tools=(memory_tool.tool(),) if memory_tool is not None else (),
            listener=streamed,
        )
    # Whoever answers in the end, what was kept on the way is told.
    kept = (
        await memory_tool.kept()
        if memory_tool is not None and context.operations.has_models
        else KeptByTool()
    )
    is_withdrawn = streamed is not None and not await streamed.still_stands()
    if is_withdrawn or await _is_forgotten_since(turn, kept.memory_epoch, access):
        neutral = WrittenAnswer(route=Route.CHAT, parts=(turn.say("chat.heard"),), degraded=True)
        return with_kept(turn, neutral, kept)
    if outcome.model is not None:
        text = answer_of(outcome.value.text, given, wrote=bool(kept))
        text = text or ("" if kept else turn.say("chat.heard"))
        answer = replace(rests_on, parts=(text,) if text else ())
    elif streamed is not None and streamed.shown is not None:
        # The model broke off: what was seen of it are whole sentences, and they stand.
        answer = replace(streamed.shown, degraded=True)
    else:
        has_models = context.operations.has_models
        told = await _without_answer(turn, access, outcome, kept, to_bot=to_bot, has_models=has_models)
        return with_kept(turn, told, kept)
    access.memory.used(view=turn.view, fact_ids=answer.memory_ids)
    return with_kept(turn, answer, kept)


def _resting_on(given: ReplyGiven) -> WrittenAnswer:
    """Return an answer in chat that says nothing yet, with all of the memory that a model was given for it."""
    was_given = given.written
    return WrittenAnswer(
        route=Route.CHAT,
        memory_ids=was_given.fact_ids,
        quoted_ids=was_given.message_ids,
        episode_ids=was_given.episode_ids,
    )


def _sayable_so_far(text: str, given: ReplyGiven) -> str:
    """Return what may be said of the beginning of a reply; `ValueError` if the whole will be refused for it."""
    said = answer_of(text, given)
    if said:
        REPLY.check(given, ReplyText(text=text))
    return said


async def _without_answer(
    turn: Turn,
    access: MemoryAccess,
    outcome: Outcome[ReplyText],
    kept: KeptByTool,
    *,
    to_bot: bool,
    has_models: bool,
) -> WrittenAnswer:
    """Return what is said where no model answered."""
    if to_bot:
        return WrittenAnswer(route=Route.CHAT, degraded=outcome.degraded)
    if not kept and (nearest := _nearest_order(turn)) is not None:
        return replace(nearest, degraded=outcome.degraded)
    if has_models and (known := await _what_memory_knows(turn, access)) is not None:
        return replace(known, route=Route.CHAT, degraded=outcome.degraded)
    text = await no_model_text(turn, access, has_models=has_models)
    return WrittenAnswer(route=Route.CHAT, parts=(text,) if text else (), degraded=outcome.degraded)


async def _what_memory_knows(turn: Turn, access: MemoryAccess) -> WrittenAnswer | None:
    """Return what is kept about a question that no model answered, and that none did; `None` if nothing is."""
    failed = turn.say("chat.model_failed_known")
    try:
        for command in (part.command for part in turn.parts):
            if isinstance(command, AskFact):
                told = await answering.answer_question(turn, command, access, has_models=False)
                if told is not None and told.parts:
                    return replace(told, parts=(f"{failed}\n{told.parts[0]}", *told.parts[1:]))
        if not asks(turn.text):
            return None
        found = await searching.find_memories(turn, turn.text, access, limit=_MOST_KNOWN)
    except DatabaseError:
        # That no model answered can be said without it.
        return None
    return searching.found_answer(turn, failed, found) if found.memories else None


async def _is_forgotten_since(turn: Turn, epoch: int | None, access: MemoryAccess) -> bool:
    """Tell whether anything was forgotten since `turn` began; the epoch of the memory is read if it is not known."""
    if epoch is None:
        guild = await access.directory.guild(turn.message.guild_id)
        epoch = turn.memory_epoch if guild is None else guild.memory_epoch
    return epoch != turn.memory_epoch


def with_kept(turn: Turn, answer: WrittenAnswer, kept: KeptByTool) -> WrittenAnswer:
    """Return `answer` with a small line for whatever was kept while it was thought out, which an Undo takes back."""
    lines = [
        written_line(turn.say(label), [fact.content for fact in facts])
        for label, facts in (
            ("chat.kept_by_tool", kept.facts),
            ("chat.set_aside_by_tool", kept.set_aside),
            ("chat.mentioned_by_tool", kept.mentioned),
        )
    ]
    told = [fact.fact_id for fact in (*kept.set_aside, *kept.facts, *kept.mentioned)]
    parts = [*answer.parts, *filter(None, lines)]
    return replace(
        answer,
        parts=tuple(parts),
        # What a correction puts right is the last of them: something new, if there is anything.
        fact_ids=tuple(fact.fact_id for fact in (*kept.set_aside, *kept.facts)),
        memory_ids=tuple(dict.fromkeys([*answer.memory_ids, *told])),
    )


def asker_of(turn: Turn) -> Asker:
    """Return on whose account a model is asked about `turn`: somebody waits."""
    return Asker(
        guild_id=turn.message.guild_id,
        user_id=turn.message.user_id,
        patience=Patience.FOREGROUND,
        model=turn.model,
    )


async def answer_help(turn: Turn) -> WrittenAnswer:
    """Say what can be said to the bot."""
    return WrittenAnswer(route=Route.CHAT, parts=(turn.say("chat.examples"),))


async def no_model_text(turn: Turn, access: MemoryAccess, *, has_models: bool = False) -> str:
    """Return the sentence that no model is there, or with `has_models` that it did not answer.

    If it was said in this channel lately, a question gets what is nearest to it, and small talk nothing: that it was
    heard is shown without words.
    """
    key: Key = "chat.model_failed" if has_models else "chat.no_model"
    texts = [
        say(one, tongue.code, bot=turn.name_in(tongue.language))
        for one in (key, "chat.nearest_abroad")
        for tongue in COMMON_WORDS
        if tongue.code in (*Language, *ABROAD)
    ]
    is_abroad = not has_models and turn.speech in ABROAD
    said = await access.memory.answers.said_lately(turn.message, texts=texts, within=NO_MODEL_PAUSE)
    if not said:
        return turn.say("chat.nearest_abroad" if is_abroad else key)
    if not asks(turn.text):
        return ""
    return turn.say("chat.model_failed" if has_models else "chat.nearest_question")


def _nearest_order(turn: Turn) -> WrittenAnswer | None:
    """Return what is said to an order to the memory that was not understood; `None` where there is none."""
    match order_in(turn.text):
        case "abroad":
            return WrittenAnswer(route=Route.REMEMBER, parts=(turn.say("chat.nearest_abroad"),))
        case "remember":
            return WrittenAnswer(route=Route.REMEMBER, parts=(turn.say("chat.nearest_remember"),))
        case "forget":
            return WrittenAnswer(route=Route.FORGET, parts=(turn.say("chat.nearest_forget"),))
        case _:
            return None
