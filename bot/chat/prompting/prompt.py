"""Write the data of a reply's prompt, and the model operation that uses it.

The same scene gives the same text, byte for byte.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from markupsafe import Markup
from pydantic import BaseModel, Field

from bot.chat.prompting import budget
from bot.chat.prompting.budget import cleaned, clipped, cost
from bot.chat.prompting.scene import Scene, SectionWriter, block
from bot.chat.prompting.sections import (
    TalkSections,
    written_episodes,
    written_hits,
    written_members,
    written_summary,
)
from bot.llm import framing
from bot.llm.framing import LocalIds, lengthened
from bot.llm.operation import Operation, Role
from bot.memory.members import subjects
from bot.memory.recall.search import HitKind

TAGS: Final = frozenset(
    """data you now channel server members member context profile fact place channel_memories recalled found summary
    messages day message to_answer""".split()
)
"""Every tag that the data may hold."""

_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenScene:
    """The data of a prompt, whom its short ids mean, and what of the memory went into it."""

    data: Markup
    user_ids: LocalIds
    fact_ids: tuple[int, ...] = ()
    episode_ids: tuple[int, ...] = ()
    message_ids: tuple[int, ...] = ()
    """The messages that were found elsewhere."""


def written(scene: Scene) -> WrittenScene:
    """Return `scene` as one element of at most `shares.DATA_TOKENS` tokens.

    Sections ask for room in the order in which they matter, and stand in the order in which they read. What does
    not fit is cut in this order: facts about the guild, memories of the channel, what was found elsewhere, the
    summary, messages (the oldest first, after all have been shortened), memories (the least weighty first), members
    (the last first), persona. The message to answer is whole unless it alone exceeds all the room.
    """
    pen = SectionWriter(scene)
    now, channel, unnamed = _now(pen), _channel(pen), _you(pen, "")
    pen.room.take(cost(now) + cost(channel) + cost(unnamed))
    talk = TalkSections(pen)
    talk.make_room_to_answer()
    you = _you(pen, clipped(cleaned(scene.persona), pen.room.share(budget.PERSONA_TOKENS)))
    pen.room.take(cost(you) - cost(unnamed))
    members, member_fact_ids = written_members(pen)
    talk.choose()
    summary = written_summary(pen)
    recalled, hits = written_hits(pen)
    episodes, episode_ids = written_episodes(pen)
    server, server_ids = _server(pen)
    sections = (
        you,
        now,
        channel,
        server,
        members,
        episodes,
        recalled,
        summary,
        talk.messages(),
        talk.to_answer(),
    )
    found = {kind: tuple(hit.hit_id for hit in hits if hit.kind is kind) for kind in HitKind}
    return WrittenScene(
        data=framing.tag("data", block(section for section in sections if section)),
        user_ids=pen.user_ids,
        fact_ids=tuple(dict.fromkeys([*member_fact_ids, *server_ids, *found[HitKind.FACT]])),
        episode_ids=tuple(dict.fromkeys([*episode_ids, *found[HitKind.EPISODE]])),
        message_ids=found[HitKind.MESSAGE],
    )


def _now(pen: SectionWriter) -> Markup:
    now = pen.scene.now.astimezone(pen.zone)
    return framing.tag(
        "now",
        now.isoformat(timespec="minutes"),
        weekday=_WEEKDAYS[now.weekday()],
        time_zone=pen.scene.time_zone,
    )


def _channel(pen: SectionWriter) -> Markup:
    name = clipped(cleaned(pen.scene.channel_name), budget.CHANNEL_TOKENS)
    return framing.tag("channel", name or "a direct message")


def _you(pen: SectionWriter, persona: str) -> Markup:
    name = clipped(cleaned(pen.scene.bot_name), budget.BOT_NAME_TOKENS)
    return framing.tag("you", *([persona] if persona else []), name=name)


def _server(pen: SectionWriter) -> tuple[Markup | None, list[int]]:
    """Return the section on the guild itself, and the facts that there was room for."""
    room = pen.room.share(budget.SERVER_TOKENS)
    told, fact_ids = [], []
    for fact in pen.scene.server_facts:
        piece = pen.fact(fact)
        if cost(piece) <= room:
            room -= cost(piece)
            told.append(piece)
            fact_ids.append(fact.fact_id)
    return (framing.tag("server", block(told)) if told else None), fact_ids


REPLY_SECONDS: Final = 20.0
"""Real seconds after which a member has waited long enough and gets the fallback."""

LONGEST_REPLY: Final = 4_000
"""Characters; two messages of Discord, and more than anybody reads in a chat."""

_TAG: Final = re.compile(rf"<[/]?(?:{'|'.join(sorted(TAGS))})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?:lt|gt|amp|quot|#34|#39);")


@dataclass(frozen=True, kw_only=True)
class ReplyGiven:
    """What the reply operation is given."""

    scene: Scene

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
    fallback=lambda _: ReplyText(text=""),
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
    return subjects.with_mentions(said, bearers)
