"""The question which of a channel's episodes goes, or which two become one, when there are too many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from pydantic import BaseModel, Field

from bot.domain import Episode
from bot.language import framing
from bot.language.local_ids import LocalIds
from bot.language.local_mentions import lengthened, mentioned_in, shortened
from bot.language.operation import Operation, Role
from bot.memory.episodes.question import LONGEST_EPISODE, check_text
from bot.memory.sensitive import without_sensitive


@dataclass(frozen=True)
class Crowd:
    """What the operation is given: the episodes of one channel, more than there may be."""

    episodes: Sequence[Episode]
    """Newest first."""
    most: int
    """So many may be kept."""

    @property
    def newest(self) -> Episode:
        """The one that was stored last."""
        return max(self.episodes, key=lambda one: one.episode_id)

    @cached_property
    def ids(self) -> LocalIds:
        """The short ids of the episodes: those of no other channel are among them."""
        ids = LocalIds("e")
        for episode in self.episodes:
            ids.short(episode.episode_id)
        return ids

    @cached_property
    def users(self) -> LocalIds:
        """The short ids of the members of whom they tell."""
        users = LocalIds("u")
        for episode in self.episodes:
            for user_id in mentioned_in(episode.content):
                users.short(user_id)
        return users

    @cached_property
    def known(self) -> str:
        """All that they tell, as the prompt has it."""
        return shortened("\n".join(episode.content for episode in self.episodes), self.users)


class Decision(BaseModel):
    """What is to be done."""

    action: Literal["delete", "edit"]
    target: str = Field(description="id of a note, such as e3: the one to delete, or to write anew")
    merged: str | None = Field(default=None, description="edit: id of the note that goes into it")
    text: str = Field(default="", description="edit: what takes the place of the target's text")
    reason: str = Field(default="", description="why, in a few words")


@dataclass(frozen=True, slots=True)
class Delete:
    """That an episode goes."""

    target: Episode


@dataclass(frozen=True, slots=True)
class Merge:
    """That `content` takes the place of an episode, and another one goes."""

    target: Episode
    merged: Episode
    content: str


def least(episodes: Sequence[Episode]) -> Episode:
    """Return the oldest of the least important."""
    return min(episodes, key=lambda one: (one.importance, one.created_at, one.episode_id))


def read(given: Crowd, decision: Decision) -> Delete | Merge:
    """Return what `decision` wants. Raises `ValueError` for ids that were not offered and texts that cannot be."""
    by_id = {episode.episode_id: episode for episode in given.episodes}
    target = by_id[given.ids.long(decision.target)]
    if decision.action == "delete":
        return Delete(target)
    merged = by_id[given.ids.long(decision.merged)] if decision.merged else given.newest
    if merged.episode_id == target.episode_id:
        raise ValueError(f"{decision.target} cannot be merged into itself: name two notes")
    check_text(decision.text, given.users)
    text = lengthened(" ".join(decision.text.split()), given.users, known=given.known)
    if not (content := without_sensitive(text).strip()):
        raise ValueError("the text may not tell of such matters")
    return Merge(target, merged, content)


def _frame(given: Crowd) -> Mapping[str, object]:
    return {
        "episodes": framing.lines(
            framing.tag(
                "note",
                shortened(episode.content, given.users),
                id=given.ids.short(episode.episode_id),
                date=episode.created_at.date().isoformat(),
                importance=str(episode.importance),
                new="yes" if episode is given.newest else None,
            )
            for episode in given.episodes
        ),
        "newest": given.ids.short(given.newest.episode_id),
        "most": given.most,
        "longest": LONGEST_EPISODE,
    }


def _check(given: Crowd, answer: Decision) -> None:
    read(given, answer)


def _fallback(given: Crowd) -> Decision:
    """Let the oldest of the least important go."""
    return Decision(action="delete", target=given.ids.short(least(given.episodes).episode_id))


COMPACT: Final[Operation[Crowd, Decision]] = Operation(
    name="compact_episodes",
    role=Role.MEMORY,
    answer=Decision,
    frame=_frame,
    check=_check,
    fallback=_fallback,
    deadline_seconds=30.0,
)
