"""The sections on what was before: earlier conversations of the channel, what was found elsewhere, and the summary."""

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from bot.conversation.prompting import shares
from bot.conversation.prompting.pen import Pen, block
from bot.conversation.prompting.shares import cleaned, clipped, cost
from bot.domain import Episode
from bot.language import framing
from bot.memory.recall import Hit, HitKind

_WHAT_FOLLOWS: Final = "What earlier conversations in this channel left behind, newest first:"
_WHAT_FOR: Final = "Use them to go on where these left off; do not retell them."


@dataclass(frozen=True, slots=True)
class WrittenEpisodes:
    """The section, and the episodes that there was room for."""

    section: Markup | None = None
    episode_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenHits:
    """The section, and what there was room for."""

    section: Markup | None = None
    hits: tuple[Hit, ...] = ()


def written_summary(pen: Pen) -> Markup | None:
    """Return what the running conversation said before the messages that stand there word for word."""
    room = pen.room.share(shares.SUMMARY_TOKENS) - cost(framing.tag("summary"))
    text = clipped(pen.named(pen.scene.summary), max(0, room))
    if not text:
        return None
    section = framing.tag("summary", text)
    pen.room.take(cost(section))
    return section


def written_episodes(pen: Pen) -> WrittenEpisodes:
    """Return the memories of the channel, newest first, numbered, as many as there is room for."""
    title = f"(memories for channel: #{clipped(cleaned(pen.scene.channel_name), shares.CHANNEL_TOKENS)})"
    room = pen.room.share(shares.EPISODES_TOKENS) - cost(_channel_memories([title, _WHAT_FOLLOWS, _WHAT_FOR]))
    letters = shares.EPISODES_CHARACTERS
    lines: list[str] = []
    episode_ids: list[int] = []
    for episode in pen.scene.episodes:
        line = _memory(pen, episode, number=len(lines) + 1)
        taken = cost(framing.lines([Markup.escape(line)]))
        if taken > room or len(line) > letters:
            break
        room -= taken
        letters -= len(line) + 1
        lines.append(line)
        episode_ids.append(episode.episode_id)
    if not lines:
        return WrittenEpisodes()
    section = _channel_memories([title, _WHAT_FOLLOWS, *lines, _WHAT_FOR])
    pen.room.take(cost(section))
    return WrittenEpisodes(section, tuple(episode_ids))


def written_hits(pen: Pen) -> WrittenHits:
    """Return what was found outside of what stands there anyway, the best first to find room, in order of time."""
    room = pen.room.share(shares.RECALLED_TOKENS)
    kept: list[Hit] = []
    for hit in pen.scene.recalled:
        taken = cost(_found(pen, hit))
        if taken <= room:
            room -= taken
            pen.room.take(taken)
            kept.append(hit)
    if not kept:
        return WrittenHits()
    kept.sort(key=lambda hit: (hit.said_at, hit.hit_id))
    return WrittenHits(framing.tag("recalled", block(_found(pen, hit) for hit in kept)), tuple(kept))


def _channel_memories(lines: list[str]) -> Markup:
    return framing.tag("channel_memories", "\n".join(["", *lines, ""]))


def _memory(pen: Pen, episode: Episode, *, number: int) -> str:
    return f"{number}. [Created: {pen.day(episode.created_at)}] {pen.line(episode.content)}"


def _found(pen: Pen, hit: Hit) -> Markup:
    channel = cleaned(pen.scene.channel_names.get(hit.channel_id, ""))
    author = pen.person("author", hit.author_id) if hit.kind is not HitKind.EPISODE else {}
    fact = pen.scene.recalled_facts.get(hit.hit_id) if hit.kind is HitKind.FACT else None
    return framing.tag(
        "found",
        clipped(pen.named(hit.text), shares.FOUND_TOKENS),
        date=pen.day(hit.said_at),
        channel=clipped(f"#{channel}", shares.CHANNEL_TOKENS) if channel else None,
        **(pen.doubts(fact) if fact else {}),
        **author,
    )
