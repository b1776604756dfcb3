"""After each step: whatever was asked, said and kept is held against what may still be seen, and where."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.core.domain import OPEN
from tests.leaks.canaries import GUILD_ID, Canary, Room, State, canaries_in
from tests.leaks.searches import Found, dumped, held_with_canaries, rooms_of_messages, rows_with_canaries
from tests.leaks.world import PLACES, VISITOR, Place, World
from tests.servers.asked import Asked

BEHIND: Final = frozenset(
    {
        "summarise_day",
        "historical",
        "merge_context",
        "merge_facts",
        "roll_summary",
        "make_episode",
        "compact_episodes",
        "learn_profile",
    }
)
"""Operations that nobody waits for; all others are asked of what may be seen where somebody waits."""

_FACTS: Final = frozenset({"facts", "fact_sources", "user_facts", "profiles"})
"""Where nothing stands that only a visitor said."""

_TOLD: Final = _FACTS | {"distillations", "episodes", "conversation_summaries"}
"""Where nothing stands that was said of a member of whom nothing is kept."""

_MERGED: Final = frozenset({"historical", "context"})
"""Texts that stay stored when a message of theirs is deleted; their address is not asked for any more."""

_OWNERS: Final = {place.guild_id: place.owner_id for place in PLACES if place.owner_id is not None}
_OPEN_ROOM: Final = Room(GUILD_ID, OPEN)


@dataclass(frozen=True, slots=True)
class Step:
    """Who does something where; a step of nobody has no place."""

    place: Place
    user_id: int


class LeakError(AssertionError):
    """A canary where it must not be."""


@dataclass
class Look:
    """What is known of the canaries, and how far was looked."""

    world: World
    canaries: dict[str, Canary] = field(default_factory=dict)
    step: Step | None = None
    """What is being done."""
    unseen: set[str] = field(default_factory=set)
    """What stood nowhere before the step."""
    _prompts: int = 0

    def begin(self, step: Step | None) -> None:
        """Begin a step: what is gone by now must not be asked about again."""
        self.step = step
        self.unseen = {word for word, canary in self.canaries.items() if _is_nowhere(canary)}

    async def look(self) -> list[str]:
        """Return every leak that the last step has left in what was asked and in what is stored."""
        return [*self.prompts(), *await self.columns()]

    def prompts(self) -> Iterable[str]:
        """Look at what was asked of the model since the last look."""
        gemini = self.world.gemini
        if gemini is None:
            return
        asked, self._prompts = gemini.calls[self._prompts :], len(gemini.calls)
        for one in asked:
            yield from self._prompt(one)

    def _prompt(self, asked: Asked) -> Iterable[str]:
        words = canaries_in(asked.prompt)
        operation = asked.operation
        for word in sorted(words & self.unseen):
            yield f"{self._told(word)} stands in a prompt of {operation}"
        known = [self.canaries[word] for word in words - self.unseen if word in self.canaries]
        told = [canary for canary in known if canary.state is not State.GONE]
        if operation not in BEHIND:
            yield from self.answer(asked.prompt, f"a prompt of {operation}")
        elif operation == "learn_profile":
            for canary in told:
                if not canary.is_visible(_OPEN_ROOM):
                    yield f"{self._told(canary.word)} is learned from"
        elif not any(
            all(one.is_visible(room, owner_id=owner) for one in told) for room, owner in self._rooms()
        ):
            together = ", ".join(self._told(one.word) for one in told)
            yield f"a prompt of {operation} tells together what no room may see together: {together}"

    def answer(self, text: str, name: str) -> Iterable[str]:
        """Look at what was said, or asked, for somebody who waits for an answer."""
        if self.step is None:
            return
        place, user_id = self.step.place, self.step.user_id
        audience = self.world.audience(place.channel_id)
        room = Room(place.guild_id, audience)
        for word in sorted(canaries_in(text) - self.unseen):
            canary = self.canaries.get(word)
            if canary is None or canary.state is State.GONE:
                continue
            if user_id == VISITOR:
                is_fine = canary.is_visible_to_visitor(place.channel_id, audience)
            else:
                is_fine = canary.is_visible(room, owner_id=place.owner_id)
            if not is_fine:
                yield f"{self._told(word)} stands in {name} in {place.name} (audience {audience})"

    def told_about(self, text: str, subject_id: int) -> Iterable[str]:
        """Look at what is told about somebody about whom nothing may be told."""
        for word in sorted(canaries_in(text)):
            canary = self.canaries.get(word)
            # Who told it may see that much to have it forgotten.
            is_own = canary is not None and self.step is not None and canary.author_id == self.step.user_id
            if canary is not None and canary.subject_id == subject_id and not is_own:
                yield f"{self._told(word)} is told of {subject_id}, about whom nothing is told"

    def gone(self, text: str, name: str) -> Iterable[str]:
        """Look for what stands nowhere any more."""
        for word in sorted(canaries_in(text)):
            if word in self.canaries and _is_nowhere(self.canaries[word]):
                yield f"{self._told(word)} stands in {name}"

    async def columns(self) -> list[str]:
        """Look at every column with words of every table."""
        found = await rows_with_canaries(self.world.database)
        rooms = await rooms_of_messages(self.world.database)
        facts = {one.number("fact_id"): one.room for one in found if one.table == "facts" and one.room}
        return [leak for one in found for leak in self._row(one, _room_of(one, rooms, facts))]

    def _row(self, found: Found, room: Room | None) -> Iterable[str]:
        where = f"{found.table}.{'+'.join(found.columns)} of {room}"
        for word in sorted(found.words):
            canary = self.canaries.get(word)
            if canary is None:
                yield f"{word}, which was never to be kept, stands in {where}"
                continue
            is_merged = found.table == "distillations" and found.row["kind"] in _MERGED
            if is_merged and canary.state is not State.GONE and room in canary.rooms_ever:
                continue
            if _is_nowhere(canary):
                yield f"{self._told(word)} stands in {where}"
            elif room is None:
                yield f"{self._told(word)} stands in {where}, which belongs to no room"
            elif not canary.is_visible(room, owner_id=_OWNERS.get(room.guild_id)):
                yield f"{self._told(word)} stands in {where}"
            elif found.table == "chat_history" and found.row["kind"] == "member":
                if found.number("message_id") not in canary.sayings:
                    yield f"{self._told(word)} stands in {where}: message {found.row['message_id']} does not say it"
            elif canary.of_absent and found.table in _TOLD:
                yield f"{self._told(word)}, of somebody of whom nothing is kept, stands in {where}"
            elif canary.from_visitor and not canary.may_linger and found.table in _FACTS:
                yield f"{self._told(word)}, which only a visitor said, stands in {where}"

    async def memory(self) -> list[str]:
        """Look at what the processes hold; what was forgotten must have left them."""
        leaks = []
        for number, process in enumerate(self.world.processes):
            for guild_id in {place.guild_id for place in PLACES}:
                # Whatever was forgotten has left a process with the next read of its guild at the latest.
                await process.memory.get_memories_of(guild_id, [])
            roots = (
                process.memory,
                process.directory,
                process.library,
                process.conversation,
                process.use_cases,
            )
            for root in (*roots, process.work, process.retention):
                for path, words in held_with_canaries(root, f"process {number}: {type(root).__name__}"):
                    leaks += [f"{self._told(word)} stands in {path}" for word in words if self._is_gone(word)]
        return leaks

    async def dump(self, dsn: str) -> list[str]:
        """Look at a whole dump of the database for what is gone."""
        leaks: list[str] = []
        table = ""
        for line in (await dumped(dsn)).splitlines():
            table = line.split()[1] if line.startswith("COPY ") else table
            gone = (word for word in sorted(canaries_in(line)) if self._is_gone(word))
            leaks += [f"{self._told(word)} stands in a dump, in {table}: {line}" for word in gone]
        return leaks

    def _is_gone(self, word: str) -> bool:
        return word not in self.canaries or self.canaries[word].state is State.GONE

    def _rooms(self) -> Iterable[tuple[Room, int | None]]:
        for canary in self.canaries.values():
            for room in canary.rooms_ever:
                yield room, _OWNERS.get(room.guild_id)
        yield _OPEN_ROOM, None

    def _told(self, word: str) -> str:
        canary = self.canaries.get(word)
        if canary is None:
            return word
        rooms = ", ".join(f"{one.guild_id}/{one.audience}" for one in sorted(canary.rooms, key=str))
        return f"{word} ({canary.state}, {canary.way}, of {rooms or 'no room'})"


def _is_nowhere(canary: Canary) -> bool:
    return canary.state is State.GONE or (canary.state is State.UNSAID and not canary.may_linger)


def _room_of(found: Found, messages: Mapping[int, Room], facts: Mapping[int, Room]) -> Room | None:
    """Return where a row belongs: by its own audience, or by that of the message or fact that it is about."""
    match found.table:
        case "profiles":
            return Room(found.number("guild_id"), OPEN)
        case "fact_sources":
            return facts.get(found.number("fact_id"))
        case "answers":
            return messages.get(found.number("message_id"))
        case _:
            return found.room
