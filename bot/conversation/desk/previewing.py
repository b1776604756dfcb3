"""How the bot would sound with a persona: a greeting by the chat model, before anybody decides on it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, Field

from bot.conversation.claims import without_false_claims
from bot.conversation.desk.texts import DeskText
from bot.conversation.desk.visit import Said, Visit
from bot.conversation.prompting import TAGS
from bot.conversation.texts import say
from bot.domain import Language
from bot.language import framing
from bot.language.operation import Asker, Operation, Operations, Patience, Role

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


def _frame(given: PreviewGiven) -> Mapping[str, object]:
    you = framing.tag("you", given.persona, name=given.bot_name)
    language = framing.tag("language", "Russian" if given.language is Language.RUSSIAN else "English")
    return {"data": framing.tag("data", framing.lines([you, language]))}


def _fallback(given: PreviewGiven) -> Greeting:
    return Greeting(text=say(DeskText.PREVIEW_GREETING, given.language, bot=given.bot_name))


def _check(_: PreviewGiven, answer: Greeting) -> None:
    if not answer.text.strip():
        raise ValueError("the text is empty: it must be the greeting")
    if leaked := _TAG.search(answer.text):
        raise ValueError(f"the text holds the tag {leaked[0]!r}: it must be a greeting without tags")
    if len(answer.text) > LONGEST_GREETING:
        raise ValueError(
            f"the text has {len(answer.text)} characters: it must have {LONGEST_GREETING} at most"
        )
    if not without_false_claims(answer.text, wrote=False).strip():
        raise ValueError("the text says that something was stored: it must only greet")


PREVIEW: Final = Operation(
    name="preview",
    role=Role.CHAT,
    answer=Greeting,
    frame=_frame,
    fallback=_fallback,
    check=_check,
    deadline_seconds=PREVIEW_SECONDS,
)


async def preview(visit: Visit, persona: str, operations: Operations) -> Said:
    """Return how a greeting reads with `persona`; without a model that answers, a sentence that says so."""
    given = PreviewGiven(bot_name=visit.bot_name, persona=persona.strip(), language=visit.language)
    asker = Asker(guild_id=visit.guild_id, user_id=visit.user_id, patience=Patience.FOREGROUND)
    outcome = await operations.run(PREVIEW, given, asker=asker)
    if outcome.model is None:
        return Said(outcome.value.text)
    greeting = without_false_claims(outcome.value.text, wrote=False).strip()
    return Said(say(DeskText.PREVIEW, visit.language, greeting=greeting))
