"""Personas: those to choose from, a preview of one, and one that a manager asks for in words.

Those to choose from are sentences of the catalogue, so that managers see them in their own language: each has a name, a
text for the model, and a sample.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from pydantic import BaseModel, Field

from bot.chat.incoming import Route
from bot.chat.output_filter import FilterContext, filtered
from bot.chat.prompting.prompt import TAGS, default_persona
from bot.chat.reply import ReplyContext
from bot.chat.turn import MemoryAccess, Turn
from bot.core.domain import Channel, Language
from bot.llm import framing
from bot.llm.operation import Asker, Operation, Operations, Patience, Role
from bot.memory.guilds.settings import MAX_PERSONA_CHARACTERS
from bot.memory.outbox.answers import WrittenAnswer
from bot.memory.outbox.circumstances import OpenQuestion
from bot.text.bot_orders import persona_wished
from bot.text.sentences import say

PERSONAS: Final = (
    "librarian",
    "innkeeper",
    "captain",
    "gardener",
    "detective",
    "coach",
    "cat",
    "poet",
    "engineer",
    "grandmother",
)
"""Their names as commands take them."""


def persona_text(name: str, language: Language) -> str:
    """Return what a model is given for the persona `name`."""
    return say(f"persona_text.{name}", language)


def persona_named(written: str) -> str:
    """Return the persona that somebody named, in either language; "" if `written` is no name of one."""
    wanted = written.strip().casefold()
    return next(
        (
            name
            for name in PERSONAS
            if wanted in {name, *(say(f"persona_name.{name}", language).casefold() for language in Language)}
        ),
        "",
    )


def sample_of(text: str) -> str:
    """Return how the persona with this `text` sounds, as it was written for it; "" for a text of somebody's own."""
    for language in Language:
        for name in PERSONAS:
            if persona_text(name, language) == text.strip():
                return say(f"persona_sample.{name}", language)
    return ""


PREVIEW_SECONDS: Final = 20.0
"""Real seconds that somebody waits at most to hear a persona."""

LONGEST_GREETING: Final = 500
"""Characters; two sentences have far fewer."""

_TAG: Final = re.compile(rf"<[/]?(?:{'|'.join(sorted(TAGS | {'language'}))})(?:\s[^<>]*)?/?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewGiven:
    """What a preview is made from."""

    bot_name: str
    persona: str
    language: Language


class Greeting(BaseModel):
    """What the preview operation returns."""

    text: str = Field(description="the greeting, one or two sentences")


def _held_against(given: PreviewGiven) -> FilterContext:
    return FilterContext(bot_names=(given.bot_name,), persona=given.persona)


def _frame(given: PreviewGiven) -> Mapping[str, object]:
    you = framing.tag("you", given.persona or default_persona(), name=given.bot_name)
    language = framing.tag("language", say("language.in_english", given.language))
    return {"data": framing.tag("data", framing.lines([you, language]))}


def _fallback(given: PreviewGiven) -> Greeting:
    return Greeting(text=say("form.preview_greeting", given.language, bot=given.bot_name))


def _check(given: PreviewGiven, answer: Greeting) -> None:
    if not answer.text.strip():
        raise ValueError("the text is empty: it must be the greeting")
    if leaked := _TAG.search(answer.text):
        raise ValueError(f"the text holds the tag {leaked[0]!r}: it must be a greeting without tags")
    if len(answer.text) > LONGEST_GREETING:
        raise ValueError(
            f"the text has {len(answer.text)} characters: it must have {LONGEST_GREETING} at most"
        )
    if not filtered(answer.text, _held_against(given)):
        raise ValueError("the text says or promises what a greeting does not: it must only greet")


PREVIEW: Final = Operation(
    name="preview",
    role=Role.CHAT,
    answer=Greeting,
    frame=_frame,
    fallback=_fallback,
    check=_check,
    is_text=True,
    deadline_seconds=PREVIEW_SECONDS,
)


async def heard(given: PreviewGiven, asker: Asker, operations: Operations) -> str:
    """Return how a greeting reads with a persona, as a sentence.

    Without a model that answers it is the sample of a persona that has one, else a sentence that says so.
    """
    outcome = await operations.run(PREVIEW, given, asker=asker)
    if outcome.model is not None:
        greeting = filtered(outcome.value.text, _held_against(given))
    elif not (greeting := sample_of(given.persona)):
        return outcome.value.text
    return say("form.preview", given.language, greeting=greeting)


async def ask_whether(turn: Turn, access: MemoryAccess, context: ReplyContext) -> WrittenAnswer:
    """Preview for a manager the persona that a message asks for, and ask whether to use it in this channel.

    Members who may not change it are told who may, as is anybody who asks for other changes to the bot.
    """
    persona, channel = persona_wished(turn.text), await _channel(turn, access)
    if channel is None or not 0 < len(persona) <= MAX_PERSONA_CHARACTERS:
        return _told(turn.say("chat.about_the_bot"))
    given = PreviewGiven(bot_name=turn.bot_name, persona=persona, language=turn.language)
    asker = Asker(guild_id=channel.guild_id, user_id=turn.message.user_id, patience=Patience.FOREGROUND)
    sounds = await heard(given, asker, context.operations)
    parts = (turn.say("chat.persona_asked", persona=persona), sounds, turn.say("rights.say_yes"))
    return replace(_told("\n".join(parts)), question=OpenQuestion(text=turn.text))


async def take(turn: Turn, access: MemoryAccess) -> WrittenAnswer:
    """Make what was asked for the persona of this channel, once a manager said yes."""
    persona, channel = persona_wished(turn.text), await _channel(turn, access)
    if channel is None or not persona:
        return _told(turn.say("chat.about_the_bot"))
    await access.directory.change_channel(channel, replace(channel, persona=persona))
    return _told(turn.say("form.channel_persona", persona=persona))


async def _channel(turn: Turn, access: MemoryAccess) -> Channel | None:
    """Return the channel whose persona the author may set here; `None` if they may not, or there is none."""
    if turn.direct or not turn.from_manager:
        return None
    return await access.directory.channel(guild_id=turn.message.guild_id, channel_id=turn.message.channel_id)


def _told(text: str) -> WrittenAnswer:
    return WrittenAnswer(route=Route.REMEMBER, parts=(text,))
