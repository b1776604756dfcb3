"""Texts about many members in one call: who fits into a call, whose texts come back, and who was left out. Weeks and
contexts are made this way.
"""

import asyncio
import hashlib
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, partial
from typing import Final, Generic, Protocol, Self, TypeVar

from markupsafe import Markup
from pydantic import BaseModel, Field

from bot.llm import framing
from bot.llm.framing import LocalIds, estimated_tokens, mentioned_in, shortened
from bot.llm.operation import Asker, Operation, Operations, Outcome, Role
from bot.memory.derived.checking import MemberInput
from bot.memory.derived.engine import leading, whole_lines
from bot.memory.derived.grounding import Grounds, Said
from bot.memory.derived.tellers import keeping_tellers
from bot.text.sensitive import without_sensitive

CALL_TOKENS: Final = 6_000
"""Estimated tokens of data in one call: a free-tier model takes 15,000 a minute, all told."""


class TextOf(BaseModel):
    """The text about one member."""

    member: str = Field(description="id of the member, such as u3")
    text: str = Field(description="what is told about this member, in the third person")
    mood: str = Field(default="", description="how it felt to them, where that is asked for")


class Texts(BaseModel):
    """What a question about many members returns."""

    texts: list[TextOf] = Field(description="one for each member asked about")


TextsT = TypeVar("TextsT", bound=Texts)


@dataclass(frozen=True, slots=True)
class MemberText:
    """A text about one member; `degraded` if it is a fallback's although a model was configured."""

    text: str
    degraded: bool
    mood: str = ""
    """How it felt, where that was asked for: others are told the text alone."""


class AskedMember(Protocol):
    """One of those who are asked about."""

    @property
    def user_id(self) -> int:
        """The member."""

    @property
    def texts(self) -> Sequence[str]:
        """What the question says about the member."""

    @property
    def address(self) -> str:
        """What changes with anything that the question says."""


AskedT = TypeVar("AskedT", bound=AskedMember)


class AskedInput(MemberInput):
    """What a question about many members is given."""

    @property
    @abstractmethod
    def asked_ids(self) -> Sequence[int]:
        """The members whom it asks about."""

    @abstractmethod
    def only(self, user_ids: Sequence[int]) -> Self:
        """Return the question about these of them alone."""

    def answer(self, texts: Mapping[int, str]) -> Texts:
        """Return `texts` by member as a model would answer."""
        return Texts(
            texts=[
                TextOf(member=self.users.short(user_id), text=shortened(text, self.users))
                for user_id, text in texts.items()
            ]
        )

    def mended(self, answer: TextsT, *, longest: int) -> TextsT:
        """Return an answer with what it tells of those asked about, as far as it can be kept; one text for each."""
        asked = {self.users.short(user_id) for user_id in self.asked_ids}
        told: dict[str, TextOf] = {}
        for one in answer.texts:
            member = one.member.removeprefix("@")
            if member not in asked:
                continue
            before = told.get(member)
            whose = self.users.long(member)
            joined = f"{before.text} {one.text}" if before else one.text
            text = self.fitting(joined, longest=longest, whose=whose)
            mood = self.fitting(one.mood, longest=longest, whose=whose) or (before.mood if before else "")
            if text:
                told[member] = TextOf(member=member, text=text, mood=mood)
        return answer.model_copy(update={"texts": list(told.values())})

    def texts_in(self, answer: Texts) -> dict[int, str]:
        """Return what a mended answer tells by member, with members as `<@id>`."""
        return {self.users.long(one.member): self.with_ids(one.text) for one in answer.texts}

    def moods_in(self, answer: Texts) -> dict[int, str]:
        """Return how it felt by member, of those of whom that is told."""
        moods = {one.member: self.with_ids(one.mood) for one in answer.texts}
        return {self.users.long(member): mood for member, mood in moods.items() if mood}


InputT = TypeVar("InputT", bound=AskedInput)


@dataclass(frozen=True)
class MemberBatch(AskedInput, Generic[AskedT]):
    """The members whom one call asks about, each with their own texts."""

    members: Sequence[AskedT]

    @property
    def asked_ids(self) -> Sequence[int]:
        """All of them."""
        return [member.user_id for member in self.members]

    def only(self, user_ids: Sequence[int]) -> Self:
        """Return the batch of these alone."""
        return replace(self, members=[one for one in self.members if one.user_id in user_ids])

    @cached_property
    def users(self) -> LocalIds:
        """The short ids of the members, and of those mentioned."""
        mentioned = (one for text in self.wrote for one in mentioned_in(text))
        return LocalIds("u", [*self.asked_ids, *mentioned])

    @property
    def wrote(self) -> Sequence[str]:
        """The texts of all members."""
        return [text for member in self.members for text in member.texts]

    def grounds_of(self, whose: int | None) -> Grounds:
        """Return what is said of a member."""
        return Grounds(
            Said(text, with_tellers=False)
            for member in self.members
            if member.user_id == whose
            for text in member.texts
        )


def mended(longest: int) -> Callable[[AskedInput, Texts], Texts]:
    """Return what mends an answer about members, with texts of `longest` characters at most.

    Whom it tells of without being asked is left out, and so is a sentence about who was not offered; a text that is
    too long ends at a sentence. Those who are missing then are asked about once more, alone.
    """
    return partial(_mended, longest=longest)


def _mended(given: AskedInput, answer: Texts, *, longest: int) -> Texts:
    return given.mended(answer, longest=longest)


def check_told(given: AskedInput, answer: Texts) -> None:
    """Raise `ValueError` for an answer that tells of nobody who was asked about."""
    if given.asked_ids and not answer.texts:
        raise ValueError("no member is told: give one line for each member listed, the id first")


def batched(
    asked: Sequence[AskedT], tokens: Callable[[AskedT], int], *, limit: int = CALL_TOKENS
) -> list[Sequence[AskedT]]:
    """Return `asked` in as few lists as hold `limit` tokens each; one that is larger alone is a list of its own."""
    batches: list[Sequence[AskedT]] = []
    left = asked
    while left:
        end = leading(map(tokens, left), limit, least=1)
        batches.append(left[:end])
        left = left[end:]
    return batches


async def tell_asked(
    operations: Operations, operation: Operation[InputT, TextsT], given: InputT, *, asker: Asker
) -> tuple[dict[int, MemberText], Outcome[TextsT]]:
    """Return the texts about the members asked about, and the outcome.

    A member whom the model leaves out is asked about once more, unless the model has already answered twice; the
    fallback covers members who are left out again, as far as it can.
    """
    was_mended = False

    def check(given: InputT, answer: TextsT) -> None:
        nonlocal was_mended
        try:
            operation.check(given, answer)
        except ValueError:
            was_mended = True
            raise

    outcome = await operations.run(replace(operation, check=check), given, asker=asker)
    told = _by_member(given, outcome)
    left = [user_id for user_id in given.asked_ids if user_id not in told]
    if left and outcome.model is not None and not was_mended:
        given = given.only(left)
        # An answer without them is taken: to have it mended would be to ask a third time, and then the next model.
        told |= _by_member(given, await operations.run(_taken_as_it_is(operation), given, asker=asker))
    return _completed(operation, given, told, degraded=True), outcome


async def _tell_once(
    operations: Operations, operation: Operation[InputT, TextsT], given: InputT, *, asker: Asker
) -> tuple[dict[int, MemberText], Outcome[TextsT]]:
    """Return what one answer tells of those asked about, and of whom it leaves out what the fallback does."""
    outcome = await operations.run(_taken_as_it_is(operation), given, asker=asker)
    # Whom a model that answered leaves out, to them the same would happen the next time.
    return _completed(operation, given, _by_member(given, outcome), degraded=outcome.degraded), outcome


def _taken_as_it_is(operation: Operation[InputT, TextsT]) -> Operation[InputT, TextsT]:
    """Return the operation without its check, so that no answer is sent back to be written again."""
    return replace(operation, check=lambda _given, _answer: None)


def _completed(
    operation: Operation[InputT, TextsT], given: InputT, told: Mapping[int, MemberText], *, degraded: bool
) -> dict[int, MemberText]:
    """Return `told` with what the fallback tells of those asked about who are missing, as far as it can."""
    left = [user_id for user_id in given.asked_ids if user_id not in told]
    if not left:
        return dict(told)
    rest = given.only(left)
    instead = rest.texts_in(operation.fallback(rest))
    return {**told, **{user_id: MemberText(text, degraded) for user_id, text in instead.items()}}


def _by_member(given: AskedInput, outcome: Outcome[TextsT]) -> dict[int, MemberText]:
    told, moods = given.texts_in(outcome.value), given.moods_in(outcome.value)
    return {
        user_id: MemberText(text, outcome.degraded, moods.get(user_id, "")) for user_id, text in told.items()
    }


@dataclass(frozen=True, slots=True)
class Telling(Generic[AskedT]):
    """How many members are asked about in few calls."""

    operation: Operation[MemberBatch[AskedT], Texts]
    tag_tokens: int
    """What a member's tags take in the prompt; each of the texts counts by itself."""
    text_tokens: int = 0
    """What the tags of one of the texts take."""
    put_right: Callable[[AskedT, str], str] = lambda _, text: text
    """What of a text about a member code knows better."""
    asked_for: Callable[[AskedT], str] = lambda _: ""
    """What a member asked to have remembered: of sensitive matters that is told, and no more."""
    fallback_tells_all: bool = False
    """Whether the fallback's text is as complete as a model's: then it tells whom a model left out, and no model is
    asked about them again."""

    def tokens(self, member: AskedT) -> int:
        """Return about how many tokens one member takes in the prompt."""
        return self.tag_tokens + sum(self.text_tokens + estimated_tokens(text) for text in member.texts)

    async def told(
        self, operations: Operations, asked: Sequence[AskedT], *, guild_id: int
    ) -> dict[int, MemberText]:
        """Return a text for every one of `asked`: the model's, or the fallback's if the model left the member out.

        As few calls as possible are made. A text with nothing but sensitive matters becomes empty.
        """
        asker = Asker(guild_id=guild_id)
        batches = [MemberBatch(batch) for batch in batched(asked, self.tokens)]
        tell = _tell_once if self.fallback_tells_all else tell_asked
        answers = await asyncio.gather(
            *(tell(operations, self.operation, batch, asker=asker) for batch in batches)
        )
        told = {user_id: text for answer, _ in answers for user_id, text in answer.items()}
        return {
            one.user_id: MemberText(
                without_sensitive(self.put_right(one, told[one.user_id].text), asked=self.asked_for(one)),
                told[one.user_id].degraded,
            )
            for one in asked
        }


def _asking(
    name: str,
    tags_of: Callable[[AskedT, LocalIds], Iterable[Markup]],
    instead: Callable[[AskedT], str],
    *,
    characters: int,
) -> Operation[MemberBatch[AskedT], Texts]:
    """Return the operation that is shown `tags_of` each member; without a model their text is what `instead` makes."""

    def frame(given: MemberBatch[AskedT]) -> Mapping[str, object]:
        return {
            "members": framing.lines(
                framing.tag(
                    "member",
                    framing.lines(tags_of(member, given.users)),
                    id=given.users.short(member.user_id),
                )
                for member in given.members
            ),
            "characters": characters,
        }

    def fallback(given: MemberBatch[AskedT]) -> Texts:
        return given.answer({member.user_id: instead(member) for member in given.members})

    return Operation(
        name=name,
        role=Role.MEMORY,
        answer=Texts,
        frame=frame,
        # A model that writes more has not summed up.
        mend=mended(2 * characters),
        check=check_told,
        fallback=fallback,
    )


def _hash_of(parts: Iterable[str]) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


WEEK_CHARACTERS: Final = 500
"""What a week takes of a prompt."""


@dataclass(frozen=True, slots=True)
class DayText:
    """One member's summary of one day of the guild."""

    day: date
    text: str


@dataclass(frozen=True, slots=True)
class MemberWeek:
    """The days of one member that are over, oldest first."""

    user_id: int
    days: tuple[DayText, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """What the days tell."""
        return tuple(day.text for day in self.days)

    @property
    def address(self) -> str:
        """What changes with any of the days."""
        return _hash_of(f"{day.day.isoformat()} {day.text}" for day in self.days)


def as_dated_sentences(week: MemberWeek, *, characters: int = WEEK_CHARACTERS) -> str:
    """Return the days with their dates, oldest first; of more than fit the fullest are kept, each as a whole."""
    fullest_first = sorted(week.days, key=lambda one: (-len(one.text), one.day))
    kept = whole_lines(((day, dated_text(day)) for day in fullest_first), limit=characters + 1)
    if not kept and week.days:
        return f"{dated_text(fullest_first[0])[: characters - 1].rstrip()}…"
    return "\n".join(dated_text(day) for day in sorted(kept, key=lambda one: one.day))


def dated_text(day: DayText) -> str:
    """Return what is told of a day with its date."""
    return f"[{day.day.isoformat()}] {day.text}"


def _tags_of_week(week: MemberWeek, users: LocalIds) -> Iterable[Markup]:
    for day in week.days:
        yield framing.tag(
            "day", shortened(day.text, users), date=day.day.isoformat(), weekday=f"{day.day:%A}"
        )


TELL_WEEK: Final = _asking("historical", _tags_of_week, as_dated_sentences, characters=WEEK_CHARACTERS)
tell_weeks: Final = Telling(TELL_WEEK, tag_tokens=20, text_tokens=20).told
"""Returns the historical summary of each member; every week must have a day."""


async def tell_weeks_of_days(
    operations: Operations, weeks: Sequence[MemberWeek], *, guild_id: int
) -> dict[int, MemberText]:
    """Return what `tell_weeks` does of weeks of several days; a single day is told as it is."""
    several = [week for week in weeks if len(week.days) > 1]
    single = {
        week.user_id: MemberText(as_dated_sentences(week), degraded=False)
        for week in weeks
        if len(week.days) == 1
    }
    return single | await tell_weeks(operations, several, guild_id=guild_id)


CONTEXT_CHARACTERS: Final = 800
"""What one member takes of a prompt."""


@dataclass(frozen=True, slots=True)
class ContextSources:
    """What a context is made from; an empty text is a source that knows nothing."""

    user_id: int
    facts: str
    current: str
    """The summary of the current day."""
    historical: str

    @property
    def texts(self) -> tuple[str, ...]:
        """What there is, in the order of its weight: facts, today, the days before."""
        return tuple(text for text in (self.facts, self.current, self.historical) if text)

    @property
    def address(self) -> str:
        """What changes with any of the three, and with their places."""
        return _hash_of((self.facts, self.current, self.historical))


def joined(sources: ContextSources) -> str:
    """Return the sources one below the other, facts first: the context that needs no model."""
    return "\n".join(sources.texts)


def needs_a_merge(sources: ContextSources) -> bool:
    """Tell whether there is more than one source: a single one is the context as it is."""
    return len(sources.texts) > 1


def _tags_of_context(sources: ContextSources, users: LocalIds) -> Iterable[Markup]:
    named = (("facts", sources.facts), ("today", sources.current), ("week", sources.historical))
    return (framing.tag(name, shortened(text, users)) for name, text in named if text)


MERGE_CONTEXT: Final = _asking("merge_context", _tags_of_context, joined, characters=CONTEXT_CHARACTERS)
_CONTEXTS: Final = Telling(
    MERGE_CONTEXT,
    tag_tokens=40,
    put_right=lambda one, text: keeping_tellers(text, one.facts.splitlines(), subject_id=one.user_id),
    asked_for=lambda sources: sources.facts,
    fallback_tells_all=True,
)


async def merge_contexts(
    operations: Operations, members: Sequence[ContextSources], *, guild_id: int
) -> dict[int, MemberText]:
    """Return the context of each member who has more than one source."""
    return await _CONTEXTS.told(operations, [one for one in members if needs_a_merge(one)], guild_id=guild_id)
