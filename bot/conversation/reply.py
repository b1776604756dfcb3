"""Chat: a reply to what is no command. Without a model one fixed sentence says what still works."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.conversation.claims import without_false_claims
from bot.conversation.replying import REPLY, ReplyGiven, answer_of
from bot.conversation.router import Route
from bot.conversation.texts import Text, say
from bot.conversation.turn import Doors, Turn
from bot.domain import Language
from bot.language.operation import Asker, Image, Operations, Patience
from bot.memory.answering import WrittenAnswer

NO_MODEL_PAUSE: Final = timedelta(minutes=10)
"""The fixed sentence is said at most once in this time in one channel: it would soon be noise."""


@dataclass(frozen=True, slots=True)
class Mind:
    """What a reply thinks with, and when."""

    operations: Operations
    now: datetime
    """The time of the clock that rules days, aware."""
    images: tuple[Image, ...] = ()
    seconds: float | None = None
    """Real seconds that a reply may take; `None` is its own deadline."""


async def chat(turn: Turn, doors: Doors) -> WrittenAnswer:
    """Reply to `turn` without a model: examples for an empty message, else the fixed sentence, or silence."""
    if not turn.text.strip():
        return examples(turn)
    text = await without_model(turn, doors)
    return WrittenAnswer(route=Route.CHAT, parts=(text,) if text else ())


async def replied(turn: Turn, given: ReplyGiven, mind: Mind) -> WrittenAnswer:
    """Return what a model replies to what was gathered; only code says that something was stored."""
    outcome = await mind.operations.run(
        REPLY, given, asker=asker_of(turn), images=mind.images, seconds=mind.seconds
    )
    text = outcome.value.text
    if outcome.model is not None:
        text = answer_of(without_false_claims(text, wrote=False), given) or turn.say(Text.HEARD)
    scene = given.scene
    told = [fact for member in scene.members for fact in member.facts]
    return WrittenAnswer(
        route=Route.CHAT,
        parts=(text,) if text else (),
        memory_ids=tuple(fact.fact_id for fact in (*told, *scene.server_facts)) if outcome.model else (),
        degraded=outcome.degraded,
    )


def asker_of(turn: Turn) -> Asker:
    """Return on whose account a model is asked about `turn`: somebody waits."""
    return Asker(guild_id=turn.message.guild_id, user_id=turn.message.user_id, patience=Patience.FOREGROUND)


def examples(turn: Turn) -> WrittenAnswer:
    """Say what can be said to the bot."""
    return WrittenAnswer(route=Route.CHAT, parts=(turn.say(Text.EXAMPLES),))


async def without_model(turn: Turn, doors: Doors) -> str:
    """Return the fixed sentence, or nothing if it was said in this channel lately."""
    texts = [say(Text.NO_MODEL, language, bot=turn.name_in(language)) for language in Language]
    said = await doors.memory.answers.said_lately(turn.message, texts=texts, within=NO_MODEL_PAUSE)
    return "" if said else turn.say(Text.NO_MODEL)
