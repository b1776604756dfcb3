"""Sums up running conversations behind the replies: reads, asks without holding anything, stores what still stands."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.clock import Clock
from bot.domain import GUILD_SUBJECT, MAX_ID, OPEN, Message
from bot.errors import DatabaseError
from bot.language.local_mentions import mentioned_in
from bot.language.operation import Asker, Operations, Outcome
from bot.memory import conversations
from bot.memory.conversations import Boundaries
from bot.memory.directory import Directory
from bot.memory.hashing import Hasher
from bot.memory.rolling.carried import Carried, carried_into
from bot.memory.rolling.question import ROLL, Fold, Rolled, summary_of
from bot.memory.rolling.talk import REFUSED, Talk
from bot.memory.sayable import sayable
from bot.store import conversations as log
from bot.store import summaries
from bot.store.conversations import Said
from bot.store.database import Connection, Database
from bot.store.summaries import Summary
from bot.store.work import Task

logger = logging.getLogger(__name__)

_ROUNDS: Final = 3
"""So often a conversation is summed up anew when something of it is taken back meanwhile; then it waits."""

_FIRST_PAUSE: Final = timedelta(minutes=1)
_LONGEST_PAUSE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """What was read before a model is asked."""

    guild_id: int
    channel_id: int
    talk: Talk
    memory_epoch: int
    said: Sequence[Said]
    """What is to be folded in, oldest first."""
    goes_on: bool
    """It is folded into the summary that stands; else that one is made anew."""
    messages: Sequence[Message]
    carried: Carried | None
    """What ended before, if the summary is the first of its conversation."""

    @property
    def sources(self) -> Sequence[Message]:
        """All messages that were read for it."""
        return [*(self.carried.messages if self.carried is not None else ()), *self.messages]


class Roller:
    """Makes the summaries, as background work; `every` is how many messages go into one at least."""

    def __init__(
        self,
        database: Database,
        directory: Directory,
        operations: Operations,
        clock: Clock,
        hasher: Hasher,
        boundaries: Boundaries,
        *,
        every: int,
    ) -> None:
        self._database = database
        self._directory = directory
        self._operations = operations
        self._clock = clock
        self._hasher = hasher
        self._boundaries = boundaries
        self._every = every

    async def roll(self, task: Task) -> None:
        """Fold what is due of the running conversation of the channel that `task` names into its summary.

        Nothing is done for a conversation that is over. What no model tells is told by an extract, and asked for
        again as long as the conversation runs. Raises `DatabaseError` if it changes faster than it is told.
        """
        channel_id = int(task.work_key)
        for _ in range(_ROUNDS):
            step = await self._database.read(lambda connection: self._read(connection, task, channel_id))
            if step is None:
                return
            given = await self._given(step)
            outcome = await self._operations.run(ROLL, given, asker=Asker(guild_id=step.guild_id))
            if await self._save(step, given, outcome):
                logger.info(
                    "conversation %d of channel %d, guild %d: %d messages summed up, %d tokens%s",
                    step.talk.running.conversation_id,
                    channel_id,
                    step.guild_id,
                    len(step.messages),
                    outcome.tokens,
                    ", by no model" if outcome.degraded else "",
                )
                return
        raise DatabaseError(f"the talk in channel {channel_id} changes faster than it is summed up")

    async def _read(self, connection: Connection, task: Task, channel_id: int) -> _Step | None:
        """Return what is to be done; `None` if there is nothing."""
        # Before the messages: whoever forgets one of them from now on begins a new epoch.
        memory_epoch = await summaries.epoch(connection, guild_id=task.guild_id)
        running = await conversations.running_conversation(
            connection,
            self._boundaries,
            guild_id=task.guild_id,
            channel_id=channel_id,
            up_to_id=MAX_ID,
        )
        if running is None or conversations.is_over(running, self._boundaries, now=self._clock.now()):
            return None
        talk = Talk(running, tuple({OPEN, running.said[-1].audience}))
        is_poor = talk.summary is not None and talk.summary.degraded and self._operations.has_models
        is_poor = is_poor and talk.summary is not None and talk.summary.failures < REFUSED
        # What it carries on from before cannot be read again: such a one is only gone on from.
        is_poor = (
            is_poor and talk.summary is not None and talk.summary.conversation_id == running.conversation_id
        )
        said = talk.to_fold(every=self._every)
        if is_poor:
            up_to_id = said[-1].message_id if said else talk.covers_up_to
            said = [one for one in talk.readable if one.message_id <= up_to_id]
        if not said:
            return None
        return _Step(
            guild_id=task.guild_id,
            channel_id=channel_id,
            talk=talk,
            memory_epoch=memory_epoch,
            said=said,
            goes_on=talk.summary is not None and not is_poor,
            messages=await log.messages(
                connection,
                guild_id=task.guild_id,
                channel_id=channel_id,
                from_id=said[0].message_id,
                to_id=said[-1].message_id,
                audiences=talk.audiences,
            ),
            carried=await carried_into(
                connection, self._boundaries, talk, guild_id=task.guild_id, channel_id=channel_id
            ),
        )

    async def _given(self, step: _Step) -> Fold:
        everyone = await self._directory.members(step.guild_id, audiences=step.talk.audiences)
        guild = await self._directory.guild(step.guild_id)
        kept = step.talk.summary
        before = step.carried.text if step.carried is not None else kept.content if kept is not None else ""
        return Fold(
            previous=before if step.goes_on or step.carried is not None else "",
            messages=step.messages,
            members={member.user_id: member for member in everyone},
            time_zone=guild.time_zone if guild is not None else "UTC",
            kept=before,
            kept_up_to=step.talk.covers_up_to,
        )

    async def _save(self, step: _Step, given: Fold, outcome: Outcome[Rolled]) -> bool:
        """Store the summary; `False`, and nothing done, if what it was made from stands no more."""
        text = outcome.value.text if outcome.model is None else summary_of(given, outcome.value)
        subject_ids = {message.user_id for message in step.sources} | set(mentioned_in(text))

        async def save(connection: Connection) -> bool:
            stands = await summaries.still_stands(
                connection,
                guild_id=step.guild_id,
                memory_epoch=step.memory_epoch,
                audiences={message.message_id: message.audience for message in step.sources},
            )
            if not stands:
                return False
            left = await sayable(
                connection,
                self._hasher,
                guild_id=step.guild_id,
                subject_ids=[GUILD_SUBJECT, *sorted(subject_ids)],
                text=text,
            )
            told = self._told(step, left, outcome)
            saved = await summaries.save(
                connection,
                told,
                guild_id=step.guild_id,
                channel_id=step.channel_id,
                before=step.talk.running.summary,
                memory_epoch=step.memory_epoch,
                now=self._clock.now(),
            )
            if saved and told.degraded and told.failures < REFUSED:
                await summaries.ask_again(
                    connection,
                    guild_id=step.guild_id,
                    channel_id=step.channel_id,
                    pause=_pause_after(told.failures),
                )
            return saved

        return await self._database.write(save)

    def _told(self, step: _Step, content: str, outcome: Outcome[Rolled]) -> Summary:
        kept = step.talk.summary
        covers_up_to = step.said[-1].message_id
        audiences = [message.audience for message in step.messages]
        audiences += [step.carried.audience] if step.carried is not None else []
        first_id = (
            kept.conversation_id if kept is not None and step.goes_on else step.talk.running.conversation_id
        )
        failures = kept.failures + 1 if kept is not None and kept.degraded else 1
        return Summary(
            conversation_id=step.carried.from_id if step.carried is not None else first_id,
            audience=max([*audiences, *([kept.audience] if kept is not None else [])], default=OPEN),
            content=content,
            covers_up_to=covers_up_to,
            covered=step.talk.said_up_to(covers_up_to),
            degraded=outcome.degraded,
            failures=0 if not outcome.degraded else REFUSED if outcome.refused else failures,
        )


def _pause_after(failures: int) -> timedelta:
    """Return the real time after which models are asked again: a minute, doubled each time, an hour at most."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * (1 << min(failures - 1, 10)))
