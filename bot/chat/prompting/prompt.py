"""Writes the data of a reply's prompt, and defines the operation that uses it. The same scene gives the same text, byte
for byte.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Final

from markupsafe import Markup
from pydantic import BaseModel, Field

from bot.chat.output_filter import (
    FilterContext,
    PromptRules,
    filtered,
    has_tag,
    in_another_language,
    unframed,
)
from bot.chat.prompting import budget
from bot.chat.prompting.budget import cleaned, clipped, cost
from bot.chat.prompting.scene import Scene, SectionWriter, block
from bot.chat.prompting.sections import (
    FoundSection,
    KnownSections,
    written_episodes,
    written_group,
    written_summary,
)
from bot.chat.prompting.talk import TalkSections
from bot.llm import framing
from bot.llm.framing import LocalIds, lengthened
from bot.llm.operation import Operation, Role
from bot.memory.members import subjects
from bot.memory.recall.search import HitKind

TAGS: Final = frozenset(
    """data you now channel server plans members member context profile fact place channel_memories recalled found
    summary messages to_answer""".split()
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

    Sections ask for room in the order in which they matter, and stand in the order in which they read. What has
    nothing to do with the message fills a usual prompt and no more. What does not fit is cut in this order: that,
    memories of the channel, what was found elsewhere, plans of the group, facts about the guild, the summary, messages
    (the oldest first, after all have been shortened), memories (the least weighty first), members (the last first),
    persona. The message to answer is whole unless it alone exceeds all the room.
    """
    pen = SectionWriter(scene)
    now, channel, unnamed = _now(pen), _channel(pen), _you(pen, "")
    pen.room.take(cost(now) + cost(channel) + cost(unnamed))
    talk = TalkSections(pen)
    talk.make_room_to_answer()
    you = _you(
        pen, clipped(cleaned(scene.persona or default_persona()), pen.room.share(budget.PERSONA_TOKENS))
    )
    pen.room.take(cost(you) - cost(unnamed))
    known, found = KnownSections(pen), FoundSection(pen)
    known.tell_of_members()
    talk.choose()
    summary = written_summary(pen)
    known.tell_of_server()
    group = written_group(pen)
    found.find_room()
    episodes, episode_ids = written_episodes(pen)
    known.fill()
    sections = (
        you,
        now,
        channel,
        known.server(),
        group,
        known.members(),
        episodes,
        found.section(),
        summary,
        talk.messages(),
        talk.to_answer(),
    )
    told = {kind: tuple(hit.hit_id for hit in found.kept if hit.kind is kind) for kind in HitKind}
    return WrittenScene(
        data=framing.tag("data", block(section for section in sections if section)),
        user_ids=pen.user_ids,
        fact_ids=tuple(dict.fromkeys([*known.fact_ids, *told[HitKind.FACT]])),
        episode_ids=tuple(dict.fromkeys([*episode_ids, *told[HitKind.EPISODE]])),
        message_ids=found.message_ids,
    )


@cache
def default_persona() -> str:
    """Return what the bot is like where nobody wrote a persona."""
    return " ".join(framing.render("_persona", {}).split())


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


REPLY_SECONDS: Final = 20.0
"""Real seconds after which a member has waited long enough and gets the fallback."""

LONGEST_REPLY: Final = 4_000
"""Characters; two messages of Discord, and more than anybody reads in a chat."""

_ENTITY: Final = re.compile(r"&(?:lt|gt|amp|quot|#34|#39);")


@dataclass(frozen=True, kw_only=True)
class ReplyGiven:
    """What the reply operation is given."""

    scene: Scene

    @cached_property
    def written(self) -> WrittenScene:
        """The scene as the prompt has it."""
        return written(self.scene)

    @cached_property
    def held_against(self) -> FilterContext:
        """What a model's reply is held against before it is said."""
        scene = self.scene
        author_id = scene.message.user_id
        talk = (*scene.messages, *scene.chain, scene.message)
        facts = [*scene.server_facts, *(fact for known in scene.members for fact in known.facts)]
        known = (message.text for message in talk)
        return FilterContext(
            question=scene.message.text,
            asker_before=" ".join(message.text for message in talk[:-1] if message.user_id == author_id),
            bot_names=(scene.bot_name,),
            persona=scene.persona,
            known="\n".join([*known, *scene.called.values(), *(fact.content for fact in facts)]),
            user_ids=self.written.user_ids.shorts,
            tags=TAGS,
            rules=_rules(),
        )


class ReplyText(BaseModel):
    """What the reply operation returns."""

    text: str = Field(description="the chat message, without name or tag before it")


def _check(given: ReplyGiven, answer: ReplyText) -> None:
    if not answer.text.strip():
        raise ValueError("the text is empty: it must be the chat message")
    if len(answer.text) > LONGEST_REPLY:
        raise ValueError(f"the text has {len(answer.text)} characters: it must have {LONGEST_REPLY} at most")
    if has_tag(unframed(answer.text, given.held_against), given.held_against):
        raise ValueError("the text holds a tag of the data: it must be plain chat without tags")
    if in_another_language(answer.text, given.held_against):
        raise ValueError("the text is in another language than the message to answer: it must be in the same")
    if not answer_of(answer.text, given, wrote=True):
        raise ValueError(
            "the text only promises what you cannot do (to remind, to look something up), or names ids or rules:"
            " it must say plainly what you know, or that you cannot"
        )


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
    is_text=True,
)


def answer_of(text: str, given: ReplyGiven, *, wrote: bool = False) -> str:
    """Return what a model said as it is kept: members as `<@id>`, without what must not be said; "" if nothing is left.

    `wrote` says that this turn stored something, so that the model may say so. It may be given the beginning of a
    reply up to the end of a sentence.
    """
    scene = given.scene
    said = text.strip()
    if not _ENTITY.search(scene.message.text):
        said = _ENTITY.sub(lambda entity: html.unescape(entity[0]), said)
    said = filtered(said, given.held_against, wrote=wrote)
    said = lengthened(said, given.written.user_ids, known=given.held_against.known)
    # Only a name that comes back as it was written is taken for its bearer: a reply keeps its words.
    bearers = [
        replace(known.member, nickname="", display_name="", user_name=name, aliases=(), old_names=())
        for known in scene.members
        if (name := scene.called.get(known.member.user_id, ""))
    ]
    return subjects.with_mentions(said, bearers)


@cache
def _rules() -> PromptRules:
    """Return the rules of the prompt, with tools and without."""
    return PromptRules.of(
        "\n\n".join(framing.render(REPLY.name, {"data": "", "has_tools": tools}) for tools in (False, True))
    )
