"""Writes the data of a reply's prompt: the same scene gives the same text, byte for byte."""

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from bot.conversation.prompting import shares
from bot.conversation.prompting.earlier import written_episodes, written_hits, written_summary
from bot.conversation.prompting.pen import Pen, block
from bot.conversation.prompting.people import written_members
from bot.conversation.prompting.scene import Scene
from bot.conversation.prompting.shares import cleaned, clipped, cost
from bot.conversation.prompting.talk import Talk
from bot.language import framing
from bot.language.local_ids import LocalIds
from bot.memory.recall import HitKind

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
    pen = Pen(scene)
    now, channel, unnamed = _now(pen), _channel(pen), _you(pen, "")
    pen.room.take(cost(now) + cost(channel) + cost(unnamed))
    talk = Talk(pen)
    talk.make_room_to_answer()
    you = _you(pen, clipped(cleaned(scene.persona), pen.room.share(shares.PERSONA_TOKENS)))
    pen.room.take(cost(you) - cost(unnamed))
    members = written_members(pen)
    talk.choose()
    summary = written_summary(pen)
    hits = written_hits(pen)
    episodes = written_episodes(pen)
    server, server_ids = _server(pen)
    sections = (
        you,
        now,
        channel,
        server,
        members.section,
        episodes.section,
        hits.section,
        summary,
        talk.messages(),
        talk.to_answer(),
    )
    found = {kind: tuple(hit.hit_id for hit in hits.hits if hit.kind is kind) for kind in HitKind}
    return WrittenScene(
        data=framing.tag("data", block(section for section in sections if section)),
        user_ids=pen.user_ids,
        fact_ids=tuple(dict.fromkeys([*members.fact_ids, *server_ids, *found[HitKind.FACT]])),
        episode_ids=tuple(dict.fromkeys([*episodes.episode_ids, *found[HitKind.EPISODE]])),
        message_ids=found[HitKind.MESSAGE],
    )


def _now(pen: Pen) -> Markup:
    now = pen.scene.now.astimezone(pen.zone)
    return framing.tag(
        "now",
        now.isoformat(timespec="minutes"),
        weekday=_WEEKDAYS[now.weekday()],
        time_zone=pen.scene.time_zone,
    )


def _channel(pen: Pen) -> Markup:
    name = clipped(cleaned(pen.scene.channel_name), shares.CHANNEL_TOKENS)
    return framing.tag("channel", name or "a direct message")


def _you(pen: Pen, persona: str) -> Markup:
    name = clipped(cleaned(pen.scene.bot_name), shares.BOT_NAME_TOKENS)
    return framing.tag("you", *([persona] if persona else []), name=name)


def _server(pen: Pen) -> tuple[Markup | None, list[int]]:
    """Return the section on the guild itself, and the facts that there was room for."""
    room = pen.room.share(shares.SERVER_TOKENS)
    told, fact_ids = [], []
    for fact in pen.scene.server_facts:
        piece = pen.fact(fact)
        if cost(piece) <= room:
            room -= cost(piece)
            told.append(piece)
            fact_ids.append(fact.fact_id)
    return (framing.tag("server", block(told)) if told else None), fact_ids
