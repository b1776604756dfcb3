"""What a read has found out so far of one audience, for the members themselves and for others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from bot.memory.context import Sources
from bot.memory.history import DayText, MemberWeek, as_dated_sentences
from bot.memory.memories.told_days import ToldDay
from bot.store.day_marks import Mark


@dataclass(frozen=True, slots=True)
class Context:
    """The context of one audience, for the member and for others."""

    text: str
    unquoted: str


@dataclass(slots=True)
class Part:
    """One audience of a read."""

    facts: Mapping[int, str] = field(default_factory=dict)
    current: dict[int, str] = field(default_factory=dict)
    weeks: dict[int, MemberWeek] = field(default_factory=dict)
    historical: Mapping[int, str] = field(default_factory=dict)
    quoted: dict[int, set[date]] = field(default_factory=dict)
    """Days of members whose text is made of their own sentences."""
    contexts: Mapping[int, str] | None = None
    """`None` as long as they are not known; then of whom it has none, there is nothing to tell."""

    def take_days(self, told: Mapping[Mark, ToldDay], user_ids: Sequence[int], *, today: date) -> None:
        """Take up what is told of the days: the current one, and those before it as weeks."""
        in_order = sorted(told.items(), key=lambda one: one[0].day)
        self.current = {}
        self.weeks = {}
        self.quoted = {}
        for mark, day in in_order:
            for user_id in day.quoted_ids:
                self.quoted.setdefault(user_id, set()).add(mark.day)
        for user_id in user_ids:
            texts = {mark.day: day.texts[user_id] for mark, day in in_order if user_id in day.texts}
            if today in texts:
                self.current[user_id] = texts.pop(today)
            if texts:
                days = tuple(DayText(day, text) for day, text in texts.items())
                self.weeks[user_id] = MemberWeek(user_id, days)

    def sources(self, user_id: int) -> Sources:
        """Return what the context of a member is made from, as far as it is known."""
        week = self.weeks.get(user_id)
        historical = self.historical.get(user_id)
        if historical is None and week is not None:
            historical = as_dated_sentences(week)
        return Sources(
            user_id,
            facts=self.facts.get(user_id, ""),
            current=self.current.get(user_id, ""),
            historical=historical or "",
        )

    def unquoted(self, user_id: int, *, today: date) -> Sources:
        """Return the sources of a member without their own sentences."""
        sources = self.sources(user_id)
        quoted = self.quoted.get(user_id)
        if not quoted:
            return sources
        week = self.weeks.get(user_id)
        days = tuple(day for day in week.days if day.day not in quoted) if week is not None else ()
        return replace(
            sources,
            current="" if today in quoted else sources.current,
            historical=as_dated_sentences(MemberWeek(user_id, days)),
        )
