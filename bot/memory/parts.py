"""The parts that stand behind the manager's door, each with a door of its own; built here, once for a process."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.clock import Clock
from bot.domain import Message
from bot.language.operation import Operations
from bot.memory.catchup import CatchUp
from bot.memory.clock_watch import ClockWatch
from bot.memory.directory import Directory
from bot.memory.documents import Documents
from bot.memory.episodes import Episodes
from bot.memory.erasing import Erasing
from bot.memory.exporting import Exporting
from bot.memory.forgetting.sets import Forgettings
from bot.memory.hashing import Hasher
from bot.memory.keeping import Keeping
from bot.memory.learning import KIND as LEARNING
from bot.memory.learning import Learner, Turns
from bot.memory.memories import Memories
from bot.memory.noticing import Noticer
from bot.memory.places import Places
from bot.memory.profiles import Profiles
from bot.memory.recall import Recall
from bot.memory.relevance import Relevance
from bot.memory.removals import KIND as REMOVALS
from bot.memory.removals import RemovalLog
from bot.memory.rolling import Rolling
from bot.memory.standing import Standing
from bot.service import Services
from bot.settings import Settings
from bot.store.database import Database
from bot.work import Handler


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What every part may need."""

    database: Database
    directory: Directory
    operations: Operations
    clock: Clock
    clock_watch: ClockWatch
    settings: Settings
    hasher: Hasher
    notify: Callable[[], None]
    """Called after a commit that asked for background work."""
    services: Services
    """What runs the loops of the process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What `MemoryManager` offers beside its own methods."""

    catchup: CatchUp
    memories: Memories
    places: Places
    documents: Documents
    keeping: Keeping
    episodes: Episodes
    exporting: Exporting
    profiles: Profiles
    turns: Turns
    learner: Learner
    recall: Recall
    relevance: Relevance
    rolling: Rolling
    noticer: Noticer
    standing: Standing
    erasing: Erasing
    removals: RemovalLog
    forgettings: Forgettings

    def handlers(self) -> Mapping[str, Handler]:
        """Return who does the background work of the parts, by its kind."""
        return {
            **self.episodes.handlers(),
            **self.erasing.handlers(),
            **self.recall.handlers(),
            **self.rolling.handlers(),
            **self.forgettings.handlers(),
            LEARNING: self.learner.learn,
            REMOVALS: self.removals.post,
        }

    def heard(self, messages: Sequence[Message]) -> None:
        """Take note of what was stored; waits for nothing."""
        self.episodes.heard(messages)
        self.rolling.heard(messages)
        self.noticer.wake()


def build_parts(given: Surroundings) -> Parts:
    """Build the parts over what is given."""
    return Parts(
        erasing=Erasing(given.database, given.clock, given.settings, notify=given.notify),
        standing=Standing(given.database, given.clock, given.clock_watch, notify=given.notify),
        removals=RemovalLog(given.database, notify=given.notify),
        forgettings=Forgettings(given.database, given.clock, given.hasher, notify=given.notify),
        exporting=Exporting(given.database, given.clock),
        catchup=CatchUp(
            given.database,
            given.directory,
            given.operations,
            given.clock,
            gap=timedelta(minutes=given.settings.conversation_gap_minutes),
        ),
        noticer=Noticer(
            given.database, given.clock, given.hasher, notify=given.notify, services=given.services
        ),
        rolling=Rolling(
            given.database,
            given.directory,
            given.operations,
            given.clock,
            given.settings,
            given.hasher,
            notify=given.notify,
        ),
        relevance=Relevance(given.database, given.clock),
        recall=Recall(
            given.database,
            given.clock,
            notify=given.notify,
            gap=timedelta(minutes=given.settings.conversation_gap_minutes),
        ),
        memories=Memories(
            given.database, given.directory, given.operations, given.clock, given.settings, given.hasher
        ),
        profiles=Profiles(given.database, given.clock, given.hasher),
        turns=Turns(
            given.database,
            given.clock,
            learns=given.settings.learning,
            every=given.settings.learn_every_turns,
            notify=given.notify,
        ),
        learner=Learner(
            given.database,
            given.directory,
            given.operations,
            given.clock,
            given.hasher,
            learns=given.settings.learning,
        ),
        places=Places(given.database, given.clock, given.hasher, given.settings, notify=given.notify),
        documents=Documents(given.database, given.clock, given.settings),
        keeping=Keeping(given.database, given.clock, given.hasher, notify=given.notify),
        episodes=Episodes(
            given.database,
            given.directory,
            given.operations,
            given.clock,
            given.settings,
            given.hasher,
            notify=given.notify,
            services=given.services,
        ),
    )
