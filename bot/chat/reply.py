"""Reply in chat with a model; without one, one fixed sentence says what still works."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.chat.incoming import Route
from bot.chat.privacy import DataPractice
from bot.chat.prompting.prompt import REPLY, ReplyGiven, answer_of
from bot.chat.tools.manage_memory import MemoryTool, may_be_offered
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import Language
from bot.llm.operation import Asker, Image, Operations, Patience
from bot.memory.facts.tool_keeping import KeptByTool
from bot.memory.outbox.answers import WrittenAnswer
from bot.text.claims import without_false_claims, written_line
from bot.text.sentences import say

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
    gathered: ReplyGiven | None = None
    """What a model is given that replies, once that was read."""


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
    outcome = await context.operations.run(
        REPLY,
        given,
        asker=asker_of(turn),
        images=context.images,
        seconds=context.seconds,
        tools=(memory_tool.tool(),) if memory_tool is not None else (),
    )
    # Whoever answers in the end, what was kept on the way is told.
    kept = (
        await memory_tool.kept()
        if memory_tool is not None and context.operations.has_models
        else KeptByTool()
    )
    if await _is_forgotten_since(turn, kept.memory_epoch, access):
        neutral = WrittenAnswer(route=Route.CHAT, parts=(turn.say("chat.heard"),), degraded=True)
        return with_kept(turn, neutral, kept)
    text = outcome.value.text
    if outcome.model is not None:
        text = answer_of(without_false_claims(text, wrote=bool(kept)), given)
        text = text or ("" if kept else turn.say("chat.heard"))
    elif not to_bot:
        text = await no_model_text(turn, access)
    answer = WrittenAnswer(route=Route.CHAT, parts=(text,) if text else (), degraded=outcome.degraded)
    if outcome.model is not None:
        was_given = given.written
        access.memory.used(view=turn.view, fact_ids=was_given.fact_ids)
        answer = replace(
            answer,
            memory_ids=was_given.fact_ids,
            quoted_ids=was_given.message_ids,
            episode_ids=was_given.episode_ids,
        )
    return with_kept(turn, answer, kept)


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
    return Asker(guild_id=turn.message.guild_id, user_id=turn.message.user_id, patience=Patience.FOREGROUND)


async def answer_help(turn: Turn) -> WrittenAnswer:
    """Say what can be said to the bot."""
    return WrittenAnswer(route=Route.CHAT, parts=(turn.say("chat.examples"),))


async def no_model_text(turn: Turn, access: MemoryAccess) -> str:
    """Return the fixed sentence, or nothing if it was said in this channel lately."""
    texts = [say("chat.no_model", language, bot=turn.name_in(language)) for language in Language]
    said = await access.memory.answers.said_lately(turn.message, texts=texts, within=NO_MODEL_PAUSE)
    return "" if said else turn.say("chat.no_model")
