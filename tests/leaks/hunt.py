"""What can be done in the world, step by step; each notes what must be seen of which canary from then on, and looks."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from bot.app import Keepsake
from bot.core.domain import OPEN, Message
from bot.db.pool import Connection
from tests.leaks.canaries import GUILD_ID, Canary, Room, Saying, State, Way, canaries_in, words
from tests.leaks.looking import LeakError, Look, Step
from tests.leaks.world import MEMBERS, NAMES, PLACES, VISITOR, Place, World

_SOON: Final = timedelta(minutes=5)
"""So long an edited order is carried out anew."""

_DUMP_EVERY: Final = 50
_REMEMBERED: Final = 30
"""Steps that a leak is reported with."""


class Hunt:
    """Acts, and looks after every act."""

    def __init__(self, world: World, dsn: str) -> None:
        self.world = world
        self.look = Look(world)
        self.hushed: set[int] = set()
        """Channels in which nothing is heard."""
        self.absent: set[int] = set()
        """Members who want nothing kept of them."""
        self.private: set[int] = set()
        """Members about whom others are told nothing."""
        self.last_answer: dict[int, Message] = {}
        """By channel, what the bot said last."""
        self._dsn = dsn
        self._words = words()
        self._messages: dict[int, tuple[Place, Message]] = {}
        self._leaks: list[str] = []
        self._diary: list[str] = []
        self._steps = 0

    @property
    def canaries(self) -> dict[str, Canary]:
        """Everything that is known of canaries, by word."""
        return self.look.canaries

    def standing(self) -> list[tuple[Canary, int]]:
        """Return the canaries that are told, each with a message of a member that says it."""
        return [
            (canary, message_id)
            for canary in self.canaries.values()
            for message_id in canary.sayings
            if canary.state is State.TOLD and message_id in self._messages
        ]

    def editable(self) -> list[tuple[Canary, int]]:
        """Return the canaries that are told, each with the message in which its author said it first."""
        return [
            (canary, message_id)
            for canary, message_id in self.standing()
            if canary.sentence in self._messages[message_id][1].text
            and self._messages[message_id][1].channel_id not in self.hushed
        ]

    def step_of(self, message_id: int) -> Step:
        """Return who wrote a message where."""
        place, message = self._messages[message_id]
        return Step(place, message.user_id)

    def begin(self, what: str, step: Step | None = None) -> None:
        """Begin a step."""
        self._steps += 1
        where = f" in {step.place.name}" if step else ""
        who = f"{NAMES.get(step.user_id, step.user_id)}: " if step else ""
        self._diary.append(f"{self._steps}. {who}{what}{where}")
        self.look.begin(step)

    async def end(self) -> None:
        """End a step: wait until all that follows from it is done, and look everywhere; raises `LeakError`."""
        await self.world.settle()
        held = await self.look.memory()
        # Whoever looks into a process reads what is told there, and a day that is due is told behind: by the next step
        # it would be asked about as if what that step takes back had been known.
        await self.world.settle()
        leaks = [*self._leaks, *held, *await self.look.look()]
        if self._steps % _DUMP_EVERY == 0:
            leaks += await self.look.dump(self._dsn)
        if leaks:
            raise LeakError("\n".join([*self._diary[-_REMEMBERED:], *dict.fromkeys(leaks)]))

    async def finish(self) -> None:
        """Look at the whole database once more; raises `LeakError`."""
        if leaks := await self.look.dump(self._dsn):
            raise LeakError("\n".join([*self._diary[-_REMEMBERED:], *leaks]))

    async def say(self, process: Keepsake, step: Step, way: Way, thing: str, subject_id: int) -> None:
        """Say a new canary."""
        canary = Canary(
            word=next(self._words),
            way=way,
            thing=thing,
            author_id=step.user_id,
            subject_id=subject_id,
            from_visitor=step.user_id == VISITOR,
            of_absent=subject_id != step.user_id and self._is_absent(subject_id, step.place),
        )
        self.canaries[canary.word] = canary
        text = f"Bot, remember that {canary.sentence}" if way is Way.ORDER else canary.sentence
        message = await self.speak(process, step, text, saying=canary)
        if way is Way.ORDER and canary.sayings and step.user_id != VISITOR and not canary.of_absent:
            canary.note(Room(message.guild_id, message.audience))

    async def retell(self, process: Keepsake, step: Step, canary: Canary) -> None:
        """Say a canary once more, in the words of somebody else or in its author's own."""
        text = canary.sentence if step.user_id == canary.author_id else canary.retold
        canary.of_absent &= self._is_absent(canary.subject_id, step.place)
        await self.speak(process, step, text, saying=canary)

    async def speak(
        self,
        process: Keepsake,
        step: Step,
        text: str,
        *,
        saying: Canary | None = None,
        reply_to: Message | None = None,
    ) -> Message:
        """Write a message, which says a canary or none, and look at the answer."""
        message = self.world.message(step.place, step.user_id, text, reply_to=reply_to)
        if saying is not None:
            self._note(saying, step.place, message)
        _, sent = await self.world.hear(process, step.place, message)
        self._answered(step, message.text, sent)
        if saying is not None and not self._is_kept(step):
            saying.sayings.pop(message.message_id, None)
            saying.end_if_nowhere()
        return message

    async def edit(self, process: Keepsake, canary: Canary, message_id: int) -> None:
        """Let a message say a new canary in the place of one."""
        place, message = self._messages[message_id]
        step = Step(place, message.user_id)
        new = canary.instead(next(self._words))
        self.canaries[new.word] = new
        self.world.clock.advance(timedelta(seconds=20))
        edited = replace(
            message,
            text=message.text.replace(canary.word, new.word),
            edited_at=self.world.clock.now(),
            audience=self.world.audience(place.channel_id),
        )
        narrower = replace(edited, audience=max(message.audience, edited.audience))
        is_order = "remember that" in message.text
        is_kept = self._is_kept(step)
        if (
            is_order
            and is_kept
            and not canary.of_absent
            and self.world.clock.now() - message.timestamp <= _SOON
        ):
            canary.noted.discard(Room(message.guild_id, message.audience))
            new.note(Room(message.guild_id, narrower.audience))
        canary.is_edited_away = True
        canary.unsay(message_id)
        self._note(new, place, narrower)
        _, sent = await self.world.hear_edit(process, place, edited)
        self._answered(step, edited.text, sent)
        if not is_kept:
            new.sayings.clear()
            new.end_if_nowhere()

    async def delete(self, process: Keepsake, canary: Canary, message_id: int) -> None:
        """Delete a message."""
        _, message = self._messages.pop(message_id)
        await process.memory.ingest_deletion(
            guild_id=message.guild_id, channel_id=message.channel_id, message_ids=[message_id]
        )
        canary.unsay(message_id)

    async def remember_this(self, process: Keepsake, step: Step, canary: Canary, message_id: int) -> None:
        """Have a message remembered by answering it, which does something where it may be seen."""
        _, message = self._messages[message_id]
        room = Room(step.place.guild_id, self.world.audience(step.place.channel_id))
        if canary.is_visible(room) and self._is_kept(step) and not canary.from_visitor:
            canary.note(Room(message.guild_id, max(message.audience, room.audience)))
        await self.speak(process, step, "Bot, remember this", reply_to=message)

    async def forget_this(self, process: Keepsake, step: Step, canary: Canary, message_id: int) -> None:
        """Have one's own words withheld by answering them."""
        _, message = self._messages[message_id]
        await self.speak(process, step, "Bot, forget this", reply_to=message)
        if step.place.channel_id not in self.hushed:
            canary.unsay(message_id)

    def forgettable(self) -> list[tuple[Canary, Place, int]]:
        """Return which canary may be forgotten where by whom: where it may be seen, by its teller and its subject."""
        found = []
        for canary in self.canaries.values():
            if canary.state is not State.TOLD or canary.way is Way.TALK or canary.from_visitor:
                continue
            for place in PLACES:
                room = Room(place.guild_id, self.world.audience(place.channel_id))
                for user_id in sorted({canary.author_id, canary.subject_id}):
                    is_here = place.owner_id in (None, user_id) and self._is_kept(Step(place, user_id))
                    # Nothing is found, not even by themselves, of those of whom nothing is kept: they are erased.
                    is_found = is_here and not self._is_absent(canary.subject_id, place)
                    if is_found and canary.is_visible(room):
                        found.append((canary, place, user_id))
        return found

    async def forget(self, process: Keepsake, canary: Canary, step: Step, *, by_form: bool) -> None:
        """Forget a fact by its words or by a form, if it is one that holds."""
        audiences = self.audiences_seen(step.place)
        fact_ids = await self.fact_ids(canary, step.place.guild_id, audiences)
        if not fact_ids:
            return
        if by_form:
            visit = self.world.visit(step.place, step.user_id)
            said = [await process.use_cases.forget(visit, fact_id) for fact_id in fact_ids]
            self._diary.append(f"   by a form: {[one.text for one in said]}")
        else:
            own = step.user_id == canary.subject_id
            what = canary.sentence if own and canary.author_id == canary.subject_id else canary.retold
            message = self.world.message(step.place, step.user_id, f"Bot, forget that {what}")
            outcome, sent = await self.world.hear(process, step.place, message)
            self._diary.append(f"   in words: {outcome.text}")
            canary.forget(audiences, guild_id=step.place.guild_id, asker_id=step.user_id)
            self._answered(step, message.text, sent)
        canary.forget(audiences, guild_id=step.place.guild_id, asker_id=step.user_id)

    async def disown(self, process: Keepsake, canary: Canary, step: Step) -> None:
        """Have somebody choose what is about them from what a form shows, and say that it was not them."""
        audiences = self.audiences_seen(step.place)
        for fact_id in await self.fact_ids(canary, step.place.guild_id, audiences):
            told = await process.use_cases.disown(self.world.visit(step.place, step.user_id), fact_id)
            self.shown(told)
        canary.disown(audiences, guild_id=step.place.guild_id)

    async def fact_ids(self, canary: Canary, guild_id: int, audiences: Sequence[int]) -> list[int]:
        """Return the facts that hold, say a canary, and may be seen by these audiences."""

        async def read(connection: Connection) -> list[int]:
            rows = await connection.fetch(
                "SELECT fact_id FROM facts WHERE guild_id = $1 AND audience = ANY($2::bigint[])"
                " AND status = 'active' AND position($3 IN content) > 0 ORDER BY fact_id",
                guild_id,
                list(audiences),
                canary.word,
            )
            return [row["fact_id"] for row in rows]

        return await self.world.database.read(read)

    def audiences_seen(self, place: Place) -> Sequence[int]:
        """Return what may be seen in a place."""
        audience = self.world.audience(place.channel_id)
        return (OPEN,) if audience == OPEN else (OPEN, audience)

    def shown(self, shown: object, *, about_id: int | None = None) -> None:
        """Look at what a form showed, about one member if that was asked."""
        self.told_about(repr(shown), about_id)
        self._leaks += self.look.answer(repr(shown), "what a form shows")
        self._leaks += self.look.gone(repr(shown), "what a form shows")

    def told_about(self, text: str, about_id: int | None) -> None:
        """Look at what was told about a member where nothing may be told about some."""
        step = self.look.step
        if step is None or about_id is None or step.place.guild_id != GUILD_ID:
            return
        if about_id in self.absent or (about_id in self.private and about_id != step.user_id):
            self._leaks += self.look.told_about(text, about_id)

    def _answered(self, step: Step, said: str, sent: Message | None) -> None:
        """Look at an answer, and note what the bot has said by it."""
        if sent is None:
            return
        self.last_answer[sent.channel_id] = sent
        self._leaks += self.look.answer(sent.text, "an answer")
        self._leaks += self.look.gone(sent.text, "an answer")
        is_open_turn = sent.guild_id == GUILD_ID and sent.audience == OPEN and step.user_id in MEMBERS
        for canary in self._known(canaries_in(sent.text)):
            canary.told_by_bot = True
            canary.said_by_bot_in.add((sent.channel_id, sent.audience))
        if is_open_turn:
            for canary in self._known(canaries_in(f"{said}\n{sent.text}")):
                canary.exposed_to.add(step.user_id)

    def _known(self, found: Iterable[str]) -> list[Canary]:
        return [self.canaries[word] for word in found if word in self.canaries]

    def _note(self, canary: Canary, place: Place, message: Message) -> None:
        self._messages[message.message_id] = (place, message)
        saying = Saying(
            room=Room(message.guild_id, message.audience),
            channel_id=message.channel_id,
            author_id=message.user_id,
            names_subject=f"<@{canary.subject_id}>" in message.text,
        )
        canary.say(message.message_id, saying)

    def _is_kept(self, step: Step) -> bool:
        return step.place.channel_id not in self.hushed and not self._is_absent(step.user_id, step.place)

    def _is_absent(self, user_id: int, place: Place) -> bool:
        return place.guild_id == GUILD_ID and user_id in self.absent
