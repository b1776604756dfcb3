"""The chat reply of a model: what it is given, what it may answer, and how its words become an answer."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from pydantic import BaseModel, Field

from bot.conversation import names
from bot.conversation.prompting import TAGS, Scene, WrittenScene, written
from bot.language.local_mentions import lengthened
from bot.language.operation import Operation, Role

REPLY_SECONDS: Final = 20.0
"""Real seconds after which a member has waited long enough and gets the fallback."""

LONGEST_REPLY: Final = 4_000
"""Characters; two messages of Discord, and more than anybody reads in a chat."""

_TAG: Final = re.compile(rf"<[/]?(?:{'|'.join(sorted(TAGS))})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?:lt|gt|amp|quot|#34|#39);")


@dataclass(frozen=True, kw_only=True)
class ReplyGiven:
    """What the reply operation is given: the scene, and what is said if no model answers."""

    scene: Scene
    fallback_text: str = ""
    """Empty is silence."""

    @cached_property
    def written(self) -> WrittenScene:
        """The scene as the prompt has it."""
        return written(self.scene)


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
    return {"data": given.written.data}


REPLY: Final = Operation(
    name="reply",
    role=Role.CHAT,
    answer=ReplyText,
    frame=_frame,
    fallback=lambda given: ReplyText(text=given.fallback_text),
    check=_check,
    deadline_seconds=REPLY_SECONDS,
    from_text=lambda text: ReplyText(text=text),
)


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
    said = lengthened(said, given.written.user_ids, known=people_wrote)
    # Only a name that comes back as it was written is taken for its bearer: a reply keeps its words.
    bearers = [
        replace(known.member, nickname="", display_name="", user_name=name, aliases=(), old_names=())
        for known in scene.members
        if (name := scene.called.get(known.member.user_id, ""))
    ]
    return names.with_mentions(said, bearers)
