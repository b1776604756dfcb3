"""Builds episodes as background work, and makes room in a channel with too many: one is dropped, or two are merged."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from typing import Final, Literal

from pydantic import BaseModel, Field

from bot.core.domain import Episode, MessageKind
from bot.db import jobs
from bot.db.jobs import Job
from bot.db.pool import Connection
from bot.llm import framing
from bot.llm.framing import LocalIds, mentioned_in, shortened
from bot.llm.operation import Operation, Outcome, Role
from bot.memory.derived.checking import MemberInput
from bot.memory.derived.engine import MemoryDependencies, OperationMaker, Sources
from bot.memory.derived.grounding import Grounds, Said
from bot.memory.policy.redaction import without_opted_out
from bot.memory.summaries import episode_jobs, repository_episodes
from bot.memory.summaries.episode_jobs import EpisodeJob
from bot.memory.summaries.episode_prompt import (
    LONGEST_EPISODE,
    MAKE_EPISODE,
    EndedTalk,
    EpisodeText,
    content_of,
    tags_of,
)
from bot.memory.summaries.repository_episodes import EPISODE_JOB, NewEpisode
from bot.text.sensitive import without_sensitive

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CompactionInput(MemberInput):
    """What the operation is given: the episodes of one channel, more than there may be, or two that become one."""

    episodes: Sequence[Episode]
    """Newest first."""
    most: int
    """So many may be kept."""

    @property
    def is_pair(self) -> bool:
        """Whether there are only two: one text may be told of both, with nothing else in sight."""
        return len(self.episodes) == 2

    @property
    def newest(self) -> Episode:
        """The one that was stored last."""
        return max(self.episodes, key=lambda one: one.episode_id)

    @cached_property
    def ids(self) -> LocalIds:
        """The short ids of the episodes: those of no other channel are among them."""
        return LocalIds("e", (episode.episode_id for episode in self.episodes))

    @cached_property
    def users(self) -> LocalIds:
        """The short ids of the members of whom they tell."""
        return LocalIds("u", (user_id for text in self.wrote for user_id in mentioned_in(text)))

    def grounds_of(self, whose: int | None) -> Grounds:
        """Return what they tell."""
        return Grounds(Said(text) for text in self.wrote)

    @property
    def wrote(self) -> Sequence[str]:
        """All that they tell."""
        return [episode.content for episode in self.episodes]


class CompactionAnswer(BaseModel):
    """What is to be done."""

    action: Literal["delete", "edit"]
    target: str = Field(description="id of a note, such as e3: the one to delete, or to write anew")
    merged: str | None = Field(default=None, description="edit: id of the note that goes into it")
    text: str = Field(default="", description="edit, of two notes: what takes the place of the target's text")


@dataclass(frozen=True, slots=True)
class CompactionDecision:
    """Which episode goes, and into which other one it is merged, if any."""

    gone: Episode
    into: Episode | None = None
    content: str = ""
    """What takes the place of the other's text; empty while that is still to be told."""


def least_of(episodes: Sequence[Episode]) -> Episode:
    """Return the oldest of the least important."""
    return min(episodes, key=lambda one: (one.importance, one.created_at, one.episode_id))


def decision_in(given: CompactionInput, decision: CompactionAnswer) -> CompactionDecision:
    """Return what `decision` wants. Raises `ValueError` for ids that were not offered and texts that cannot be."""
    by_id = {episode.episode_id: episode for episode in given.episodes}
    target = by_id[given.ids.long(decision.target)]
    if decision.action == "delete":
        return CompactionDecision(target)
    merged = by_id[given.ids.long(decision.merged)] if decision.merged else given.newest
    if merged.episode_id == target.episode_id:
        raise ValueError(f"{decision.target} cannot be merged into itself: name two notes")
    if not given.is_pair:
        return CompactionDecision(merged, into=target)
    given.check(decision.text, longest=LONGEST_EPISODE)
    text = given.with_ids(" ".join(decision.text.split()))
    if not (content := without_sensitive(text).strip()):
        raise ValueError("the text may not tell of such matters")
    return CompactionDecision(merged, into=target, content=content)


def _frame(given: CompactionInput) -> Mapping[str, object]:
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
        "most": given.most,
        "longest": LONGEST_EPISODE,
    }


def _mend(given: CompactionInput, answer: CompactionAnswer) -> CompactionAnswer:
    """Take the newest note for one that was not offered, and of two the other one; the target has to be named.

    A text is wanted of two notes only.
    """
    offered = [given.ids.short(episode.episode_id) for episode in given.episodes]
    if not given.is_pair:
        merged = answer.merged if answer.merged in offered else None
        return answer.model_copy(update={"merged": merged, "text": ""})
    other = next((one for one in offered if one != answer.target), None)
    return answer.model_copy(
        update={"merged": other, "text": given.fitting(answer.text, longest=LONGEST_EPISODE)}
    )


def _check(given: CompactionInput, answer: CompactionAnswer) -> None:
    decision_in(given, answer)


def _fallback(given: CompactionInput) -> CompactionAnswer:
    """Drop the oldest of the least important."""
    return CompactionAnswer(action="delete", target=given.ids.short(least_of(given.episodes).episode_id))


COMPACT_EPISODES: Final[Operation[CompactionInput, CompactionAnswer]] = Operation(
    name="compact_episodes",
    role=Role.MEMORY,
    answer=CompactionAnswer,
    frame=_frame,
    mend=_mend,
    check=_check,
    fallback=_fallback,
    deadline_seconds=30.0,
)


COMPACTION_JOB: Final = "episodes"
"""The kind of background work that makes room in a channel; its key is the channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Crowd(Sources):
    """All episodes of one channel, newest first."""

    channel_id: int
    episodes: Sequence[Episode]


class Compactor(OperationMaker[Job, _Crowd, CompactionInput, CompactionAnswer]):
    """Brings a channel down to as many episodes as it may have; those of no other channel are offered or touched.

    A model decides once what goes or is merged. What takes the place of two it tells with only these in sight: a text
    goes with whatever it rests on, and would else outlive a third that it repeats. While there are still too many, the
    oldest of the least important goes.
    """

    def __init__(self, needs: MemoryDependencies) -> None:
        super().__init__(needs, COMPACT_EPISODES)
        self._most = needs.settings.episodes_per_channel

    async def read(self, connection: Connection, key: Job) -> _Crowd | None:
        """Return the episodes of the channel that the job names, if they are too many."""
        channel_id = int(key.work_key)
        episodes = await repository_episodes.episodes_everywhere(
            connection, guild_id=key.guild_id, channel_id=channel_id
        )
        if len(episodes) <= self._most:
            return None
        return _Crowd(
            guild_id=key.guild_id,
            place=f"channel {channel_id}",
            channel_id=channel_id,
            episodes=episodes,
        )

    async def given(self, sources: _Crowd) -> CompactionInput:
        """Return the episodes as a model may be shown them."""
        left = await self._needs.database.read(
            without_opted_out,
            guild_id=sources.guild_id,
            texts=[one.content for one in sources.episodes],
        )
        shown = [replace(one, content=text) for one, text in zip(sources.episodes, left, strict=True)]
        return CompactionInput(shown, min(self._most, len(shown) - 1))

    async def tell(self, sources: _Crowd) -> tuple[CompactionInput, Outcome[CompactionAnswer]]:
        """Ask which one goes and, where it goes into another, what is to be kept of both."""
        given, outcome = await super().tell(sources)
        decision = decision_in(given, outcome.value)
        if decision.into is None or given.is_pair:
            return given, outcome
        two = (decision.gone.episode_id, decision.into.episode_id)
        pair = [one for one in sources.episodes if one.episode_id in two]
        return await super().tell(replace(sources, episodes=pair))

    async def store(
        self, connection: Connection, sources: _Crowd, told: tuple[CompactionInput, Outcome[CompactionAnswer]]
    ) -> bool:
        """Carry out what was decided, and remove what is still too much, if the episodes are those that were read."""
        given, outcome = told
        place = {"guild_id": sources.guild_id, "channel_id": sources.channel_id}
        standing = await repository_episodes.lock_episodes(connection, **place)
        if _by_id(standing) != _by_id(sources.episodes):
            return False
        await self._do(connection, sources, decision_in(given, outcome.value))
        standing = await repository_episodes.lock_episodes(connection, **place)
        while len(standing) > self._most:
            least = least_of(standing)
            await _remove(connection, least)
            standing.remove(least)
        return True

    async def _do(self, connection: Connection, sources: _Crowd, wanted: CompactionDecision) -> None:
        left = await self.redacted(connection, sources, wanted.content) if wanted.into else ""
        if wanted.into is None or not left:
            await _remove(connection, wanted.gone)
            return
        target_id = wanted.into.episode_id
        logger.info("%s of guild %d: edited episode %d", sources.place, sources.guild_id, target_id)
        await repository_episodes.merge_episodes(
            connection,
            target=wanted.into,
            merged=wanted.gone,
            content=left,
            # Written with both in sight, it belongs to the narrower.
            audience=max(wanted.into.audience, wanted.gone.audience),
            now=self._needs.clock.now(),
        )


async def _remove(connection: Connection, episode: Episode) -> None:
    logger.info(
        "channel %d of guild %d: removed episode %d", episode.channel_id, episode.guild_id, episode.episode_id
    )
    await repository_episodes.remove_episodes(
        connection,
        guild_id=episode.guild_id,
        channel_id=episode.channel_id,
        episode_ids=[episode.episode_id],
    )


def _by_id(crowd: Sequence[Episode]) -> dict[int, Episode]:
    return {episode.episode_id: episode for episode in crowd}


_TRIES: Final = 3
"""So often models are asked about one conversation that none of them tells; then it leaves no episode."""

_PAUSES: Final = (timedelta(minutes=1), timedelta(minutes=10))
"""Real time between those tries."""


class EpisodeBuilder(OperationMaker[Job, EpisodeJob, EndedTalk, EpisodeText]):
    """Makes the episode of a conversation that has ended.

    What models refuse, or fail at three times, leaves no episode, nor does a conversation in which no member spoke.
    """

    def __init__(self, needs: MemoryDependencies) -> None:
        super().__init__(needs, MAKE_EPISODE)

    async def read(self, connection: Connection, key: Job) -> EpisodeJob | None:
        """Return the conversation that the job names, unless it is settled."""
        channel_id, first_message_id = map(int, key.work_key.split(":"))
        return await episode_jobs.read_job(
            connection, guild_id=key.guild_id, channel_id=channel_id, first_message_id=first_message_id
        )

    def is_worth_asking(self, sources: EpisodeJob) -> bool:
        """Tell whether a member spoke, where episodes are kept."""
        if sources.channel_is_deleted and self._needs.settings.purge_episodes_of_deleted_channels:
            return False
        return any(message.kind is MessageKind.MEMBER for message in sources.messages)

    async def given(self, sources: EpisodeJob) -> EndedTalk:
        """Return the talk with those who may be named in it."""
        audiences = sorted({message.audience for message in sources.messages})
        return EndedTalk(
            messages=sources.messages,
            summary=sources.summary,
            covers_up_to=sources.covers_up_to,
            members=await self._needs.members_in(
                sources.messages, sources.summary, guild_id=sources.guild_id, audiences=audiences
            ),
            time_zone=sources.time_zone,
        )

    async def store(
        self, connection: Connection, sources: EpisodeJob, told: tuple[EndedTalk, Outcome[EpisodeText]]
    ) -> bool:
        """Store the episode unless another process did, and ask for room to be made where there are too many."""
        given, outcome = told
        if outcome.model is None:
            await self._failed(connection, sources, outcome)
            return True
        content = await self.redacted(connection, sources, content_of(given, outcome.value))
        # Of two who tell the same conversation the second waits here and finds it settled.
        if not await episode_jobs.settle_job(connection, sources.ended) or not content:
            return True
        episode_id = await repository_episodes.add_episode(
            connection,
            NewEpisode(
                guild_id=sources.guild_id,
                channel_id=sources.ended.channel_id,
                audience=max(sources.summary_audience, *(message.audience for message in sources.messages)),
                content=content,
                importance=outcome.value.importance,
                tags=tags_of(outcome.value),
                first_message_id=sources.ended.first_message_id,
                last_message_id=sources.ended.last_message_id,
                memory_epoch=sources.memory_epoch,
                created_at=sources.ended.ended_at,
            ),
            told_ids=sources.told_ids,
            now=self._needs.clock.now(),
        )
        if episode_id is None:
            return True
        await jobs.enqueue(
            connection,
            guild_id=sources.guild_id,
            kind=COMPACTION_JOB,
            work_key=str(sources.ended.channel_id),
        )
        return True

    def stored(self, sources: EpisodeJob, told: tuple[EndedTalk, Outcome[EpisodeText]]) -> None:
        """Have room made."""
        self._needs.notify()

    async def _failed(
        self, connection: Connection, sources: EpisodeJob, outcome: Outcome[EpisodeText]
    ) -> None:
        """Note that no model told of a conversation, and ask again later if that may help."""
        attempts = await episode_jobs.note_failure(connection, sources.ended)
        if not outcome.degraded or outcome.refused or attempts >= _TRIES:
            await episode_jobs.settle_job(connection, sources.ended)
        else:
            await jobs.enqueue(
                connection,
                guild_id=sources.guild_id,
                kind=EPISODE_JOB,
                work_key=f"{sources.ended.channel_id}:{sources.ended.first_message_id}",
                pause=_PAUSES[attempts - 1],
            )
