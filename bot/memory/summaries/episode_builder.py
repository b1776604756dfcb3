"""Building episodes as background work, and making room in a channel that has too many: one goes, or two
become one.
"""

import functools
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from typing import Final, Literal

from pydantic import BaseModel, Field

from bot.core.clock import Clock
from bot.core.domain import GUILD_SUBJECT, Episode, MessageKind
from bot.core.errors import DatabaseError
from bot.core.log import trace
from bot.core.settings import Settings
from bot.db import jobs
from bot.db.jobs import Job
from bot.db.pool import Connection, Database
from bot.llm import framing
from bot.llm.framing import LocalIds, lengthened, mentioned_in, shortened
from bot.llm.operation import Asker, Operation, Operations, Outcome, Role
from bot.memory.members.directory import Directory
from bot.memory.policy.redaction import redacted, without_opted_out
from bot.memory.policy.tombstones import Hasher
from bot.memory.summaries import episode_jobs, repository_episodes
from bot.memory.summaries.episode_jobs import EpisodeJob
from bot.memory.summaries.episode_prompt import (
    LONGEST_EPISODE,
    MAKE_EPISODE,
    EndedTalk,
    EpisodeText,
    check_text,
    content_of,
    tags_of,
)
from bot.memory.summaries.repository_episodes import NewEpisode
from bot.text.sensitive import without_sensitive

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CompactionInput:
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


class CompactionAnswer(BaseModel):
    """What is to be done."""

    action: Literal["delete", "edit"]
    target: str = Field(description="id of a note, such as e3: the one to delete, or to write anew")
    merged: str | None = Field(default=None, description="edit: id of the note that goes into it")
    text: str = Field(default="", description="edit: what takes the place of the target's text")
    reason: str = Field(default="", description="why, in a few words")


@dataclass(frozen=True, slots=True)
class DeleteEpisode:
    """That an episode goes."""

    target: Episode


@dataclass(frozen=True, slots=True)
class MergeEpisodes:
    """That `content` takes the place of an episode, and another one goes."""

    target: Episode
    merged: Episode
    content: str


def least_of(episodes: Sequence[Episode]) -> Episode:
    """Return the oldest of the least important."""
    return min(episodes, key=lambda one: (one.importance, one.created_at, one.episode_id))


def decision_in(given: CompactionInput, decision: CompactionAnswer) -> DeleteEpisode | MergeEpisodes:
    """Return what `decision` wants. Raises `ValueError` for ids that were not offered and texts that cannot be."""
    by_id = {episode.episode_id: episode for episode in given.episodes}
    target = by_id[given.ids.long(decision.target)]
    if decision.action == "delete":
        return DeleteEpisode(target)
    merged = by_id[given.ids.long(decision.merged)] if decision.merged else given.newest
    if merged.episode_id == target.episode_id:
        raise ValueError(f"{decision.target} cannot be merged into itself: name two notes")
    check_text(decision.text, given.users)
    text = lengthened(" ".join(decision.text.split()), given.users, known=given.known)
    if not (content := without_sensitive(text).strip()):
        raise ValueError("the text may not tell of such matters")
    return MergeEpisodes(target, merged, content)


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
        "newest": given.ids.short(given.newest.episode_id),
        "most": given.most,
        "longest": LONGEST_EPISODE,
    }


def _check(given: CompactionInput, answer: CompactionAnswer) -> None:
    decision_in(given, answer)


def _fallback(given: CompactionInput) -> CompactionAnswer:
    """Let the oldest of the least important go."""
    return CompactionAnswer(action="delete", target=given.ids.short(least_of(given.episodes).episode_id))


COMPACT_EPISODES: Final[Operation[CompactionInput, CompactionAnswer]] = Operation(
    name="compact_episodes",
    role=Role.MEMORY,
    answer=CompactionAnswer,
    frame=_frame,
    check=_check,
    fallback=_fallback,
    deadline_seconds=30.0,
)


COMPACTION_JOB: Final = "episodes"
"""The kind of background work that makes room in a channel; its key is the channel."""

_COMPACTION_ROUNDS: Final = 2
"""So often a decision is asked for anew when the episodes changed meanwhile; then none is waited for."""


class Compactor:
    """Makes room as background work. Nothing but the episodes of the one channel is ever offered or touched."""

    def __init__(
        self, database: Database, operations: Operations, clock: Clock, settings: Settings, hasher: Hasher
    ) -> None:
        self._database = database
        self._operations = operations
        self._clock = clock
        self._hasher = hasher
        self._most = settings.episodes_per_channel

    async def compact(self, task: Job) -> None:
        """Bring a channel down to as many episodes as it may have.

        A model decides once what goes or is merged. While there are still too many, the oldest of the least
        important goes.
        """
        guild_id, channel_id = task.guild_id, int(task.work_key)
        for _ in range(_COMPACTION_ROUNDS):
            crowd = await self._database.read(
                repository_episodes.episodes_everywhere, guild_id=guild_id, channel_id=channel_id
            )
            if len(crowd) <= self._most:
                return
            given = CompactionInput(await self._tellable(crowd), self._most)
            outcome = await self._operations.run(COMPACT_EPISODES, given, asker=Asker(guild_id=guild_id))
            wanted = decision_in(given, outcome.value)
            if outcome.model is None and outcome.degraded:
                logger.warning("channel %d of guild %d: no model made room", channel_id, guild_id)
            if await self._again_once(guild_id, channel_id, crowd, wanted):
                return
        await self._again_once(guild_id, channel_id, (), None)

    async def _tellable(self, crowd: Sequence[Episode]) -> list[Episode]:
        """Return the episodes as a model may be shown them."""
        guild_id, texts = crowd[0].guild_id, [one.content for one in crowd]
        left = await self._database.read(without_opted_out, guild_id=guild_id, texts=texts)
        return [replace(one, content=text) for one, text in zip(crowd, left, strict=True)]

    async def _again_once(
        self,
        guild_id: int,
        channel_id: int,
        crowd: Sequence[Episode],
        wanted: DeleteEpisode | MergeEpisodes | None,
    ) -> bool:
        """Carry out what is `wanted`, in a second try if the database fails at the first."""
        try:
            return await self._carried_out(guild_id, channel_id, crowd, wanted)
        except DatabaseError as error:
            logger.warning(
                "channel %d of guild %d: room is made again: %s", channel_id, guild_id, trace(error)
            )
            return await self._carried_out(guild_id, channel_id, crowd, wanted)

    async def _carried_out(
        self,
        guild_id: int,
        channel_id: int,
        crowd: Sequence[Episode],
        wanted: DeleteEpisode | MergeEpisodes | None,
    ) -> bool:
        """Do what is `wanted` and remove what is still too much; `False` if the episodes are not `crowd` any more."""

        async def change(connection: Connection) -> list[tuple[str, int]] | None:
            done: list[tuple[str, int]] = []
            standing = await repository_episodes.lock_episodes(
                connection, guild_id=guild_id, channel_id=channel_id
            )
            if wanted is not None:
                if _by_id(standing) != _by_id(crowd):
                    return None
                done.append(await self._do(connection, wanted, audience=max(one.audience for one in crowd)))
                standing = await repository_episodes.lock_episodes(
                    connection, guild_id=guild_id, channel_id=channel_id
                )
            while len(standing) > self._most:
                least = least_of(standing)
                await _remove(connection, least)
                standing.remove(least)
                done.append(("removed", least.episode_id))
            return done

        done = await self._database.write(change)
        for action, episode_id in done or ():
            logger.info("channel %d of guild %d: %s episode %d", channel_id, guild_id, action, episode_id)
        return done is not None

    async def _do(
        self, connection: Connection, wanted: DeleteEpisode | MergeEpisodes, *, audience: int
    ) -> tuple[str, int]:
        match wanted:
            case DeleteEpisode(target):
                await _remove(connection, target)
                return "deleted", target.episode_id
            case MergeEpisodes(target, merged, content):
                left = await redacted(
                    connection,
                    self._hasher,
                    guild_id=target.guild_id,
                    subject_ids=[GUILD_SUBJECT, *mentioned_in(content)],
                    text=content,
                )
                if not left:
                    await _remove(connection, merged)
                    return "deleted", merged.episode_id
                # The text was written with all of them in sight: it belongs to the narrowest.
                await repository_episodes.merge_episodes(
                    connection,
                    target=target,
                    merged=merged,
                    content=left,
                    audience=audience,
                    now=self._clock.now(),
                )
                await episode_jobs.note_merged(
                    connection,
                    guild_id=target.guild_id,
                    episode_id=merged.episode_id,
                    into_id=target.episode_id,
                )
                return "edited", target.episode_id


async def _remove(connection: Connection, episode: Episode) -> None:
    await repository_episodes.remove_episodes(
        connection,
        guild_id=episode.guild_id,
        channel_id=episode.channel_id,
        episode_ids=[episode.episode_id],
    )


def _by_id(crowd: Sequence[Episode]) -> dict[int, Episode]:
    return {episode.episode_id: episode for episode in crowd}


_BUILD_ROUNDS: Final = 3
"""So often a conversation is told anew when something of it is taken back meanwhile; then it waits."""

_TRIES: Final = 3
"""So often models are asked about one conversation that none of them tells; then it leaves no episode."""

_PAUSES: Final = (timedelta(minutes=1), timedelta(minutes=10))
"""Real time between those tries."""


class EpisodeBuilder:
    """Makes episodes as background work; `notify` is called after a commit that asked for more of it."""

    def __init__(
        self,
        database: Database,
        directory: Directory,
        operations: Operations,
        clock: Clock,
        settings: Settings,
        hasher: Hasher,
        *,
        notify: Callable[[], None],
    ) -> None:
        self._database = database
        self._directory = directory
        self._operations = operations
        self._clock = clock
        self._settings = settings
        self._hasher = hasher
        self._notify = notify

    async def make(self, task: Job) -> None:
        """Make the episode of the conversation that `task` names, unless it is settled.

        What models refuse, or fail at three times, leaves no episode. Raises `DatabaseError` if it could not be
        stored: then it is told again after a pause.
        """
        channel_id, first_message_id = (int(part) for part in task.work_key.split(":"))
        read = functools.partial(
            episode_jobs.read_job,
            guild_id=task.guild_id,
            channel_id=channel_id,
            first_message_id=first_message_id,
        )
        for _ in range(_BUILD_ROUNDS):
            told = await self._database.read(read)
            if told is None or await self._is_done(told):
                return
        raise DatabaseError(f"conversation {first_message_id} changes faster than it is told")

    async def _is_done(self, told: EpisodeJob) -> bool:
        """Ask about a conversation and store what comes back; `False` if it must be read once more."""
        is_purged = told.channel_is_deleted and self._settings.purge_episodes_of_deleted_channels
        if is_purged or not any(message.kind is MessageKind.MEMBER for message in told.messages):
            await self._give_up(told)
            return True
        began = time.monotonic()
        talk = await self._talk(told)
        asker = Asker(guild_id=told.ended.guild_id)
        outcome = await self._operations.run(MAKE_EPISODE, talk, asker=asker)
        if outcome.model is None:
            await self._failed(told, outcome)
            return True
        try:
            done = await self._save(told, talk, outcome.value)
        except DatabaseError as error:
            logger.warning("episode of conversation %d is stored again: %s", _id(told), trace(error))
            done = await self._save(told, talk, outcome.value)
        if done:
            logger.info(
                "conversation %d of channel %d, guild %d: episode from %d messages, %d tokens, %.1f s, %.1f s of these"
                " for the model",
                _id(told),
                told.ended.channel_id,
                told.ended.guild_id,
                len(told.messages),
                outcome.tokens,
                time.monotonic() - began,
                outcome.seconds,
            )
            self._notify()
        return done

    async def _talk(self, told: EpisodeJob) -> EndedTalk:
        everyone = await self._directory.members(
            told.ended.guild_id, audiences=sorted({message.audience for message in told.messages})
        )
        return EndedTalk(
            messages=told.messages,
            summary=told.summary,
            covers_up_to=told.covers_up_to,
            members={member.user_id: member for member in everyone},
            time_zone=told.time_zone,
        )

    async def _save(self, told: EpisodeJob, talk: EndedTalk, left: EpisodeText) -> bool:
        """Store the episode, once; `False`, and nothing done, if something of it was taken back meanwhile."""
        content = content_of(talk, left)

        async def save(connection: Connection) -> bool:
            if not await episode_jobs.may_be_stored(connection, told):
                return False
            left_over = await self._sayable(connection, told, content)
            if not left_over:
                await episode_jobs.settle_job(connection, told.ended)
                return True
            await self._store(connection, told, left_over, left)
            return True

        return await self._database.write(save)

    async def _store(self, connection: Connection, told: EpisodeJob, content: str, left: EpisodeText) -> None:
        """Store the episode unless another process did, and ask for room to be made where there are too many."""
        # Taken first, so that of two who tell the same conversation the second waits here and finds it settled.
        if not await episode_jobs.settle_job(connection, told.ended):
            return
        episode_id = await repository_episodes.add_episode(
            connection,
            NewEpisode(
                guild_id=told.ended.guild_id,
                channel_id=told.ended.channel_id,
                audience=max(told.summary_audience, *(message.audience for message in told.messages)),
                content=content,
                importance=left.importance,
                tags=tags_of(left),
                first_message_id=told.ended.first_message_id,
                last_message_id=told.ended.last_message_id,
                memory_epoch=told.memory_epoch,
                created_at=told.ended.ended_at,
            ),
            now=self._clock.now(),
        )
        if episode_id is None:
            return
        await episode_jobs.note_episode(
            connection,
            told.ended,
            episode_id=episode_id,
            told_ids=told.resting_ids,
        )
        await jobs.enqueue(
            connection,
            guild_id=told.ended.guild_id,
            kind=COMPACTION_JOB,
            work_key=str(told.ended.channel_id),
        )

    async def _sayable(self, connection: Connection, told: EpisodeJob, content: str) -> str:
        """Return `content` without sentences that may not be kept about one of those it may be about."""
        subject_ids = {message.user_id for message in told.messages} | set(mentioned_in(content))
        return await redacted(
            connection,
            self._hasher,
            guild_id=told.ended.guild_id,
            subject_ids=[GUILD_SUBJECT, *sorted(subject_ids)],
            text=content,
        )

    async def _failed(self, told: EpisodeJob, outcome: Outcome[EpisodeText]) -> None:
        """Note that no model told of a conversation, and ask again later if that may help."""

        async def note(connection: Connection) -> bool:
            attempts = await episode_jobs.note_failure(connection, told.ended)
            is_final = not outcome.degraded or outcome.refused or attempts >= _TRIES
            if is_final:
                await episode_jobs.settle_job(connection, told.ended)
            else:
                await episode_jobs.ask_for_job_again(connection, told.ended, pause=_PAUSES[attempts - 1])
            return is_final

        is_final = await self._database.write(note)
        if outcome.degraded:
            logger.warning(
                "conversation %d of channel %d, guild %d: no model told of it, %s",
                _id(told),
                told.ended.channel_id,
                told.ended.guild_id,
                "it leaves no episode" if is_final else "asked again later",
            )

    async def _give_up(self, told: EpisodeJob) -> None:
        await self._database.write(episode_jobs.settle_job, told.ended)


def _id(told: EpisodeJob) -> int:
    return told.ended.first_message_id
