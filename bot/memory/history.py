"""The historical summary: a member's days 2 to 7 as one narrative, many members in one call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from bot.language import framing
from bot.language.local_ids import LocalIds
from bot.language.local_mentions import mentioned_in, shortened
from bot.language.operation import Asker, Operation, Operations, Role
from bot.language.tokens import estimated_tokens
from bot.memory.sensitive import without_sensitive
from bot.memory.telling_each import Telling, TextOf, Texts, Told, check_texts, tell_each

HISTORICAL_CHARACTERS: Final = 500
"""What a week takes of a prompt."""

LONGEST_HISTORICAL: Final = 2 * HISTORICAL_CHARACTERS
"""A model that writes more has not summed up."""

_TAGS_TOKENS: Final = 20


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


@dataclass(frozen=True)
class Weeks:
    """What the operation is given: the weeks of some members."""

    members: Sequence[MemberWeek]

    @cached_property
    def users(self) -> LocalIds:
        """The short ids of the members, and of those mentioned."""
        users = LocalIds("u")
        for member in self.members:
            users.short(member.user_id)
        for member in self.members:
            for day in member.days:
                for user_id in mentioned_in(day.text):
                    users.short(user_id)
        return users

    @cached_property
    def known(self) -> str:
        """All days, as the prompt has them."""
        told = "\n".join(day.text for member in self.members for day in member.days)
        return shortened(told, self.users)


def as_dated_sentences(week: MemberWeek, *, characters: int = HISTORICAL_CHARACTERS) -> str:
    """Return the days with their dates, oldest first; of more than fit the fullest are kept, each as a whole."""
    kept: list[DayText] = []
    left = characters
    for day in sorted(week.days, key=lambda one: (-len(one.text), one.day)):
        if len(line := _dated(day)) <= left:
            kept.append(day)
            left -= len(line) + 1
    if not kept and week.days:
        fullest = max(week.days, key=lambda one: len(one.text))
        return f"{_dated(fullest)[: characters - 1].rstrip()}…"
    return "\n".join(_dated(day) for day in sorted(kept, key=lambda one: one.day))


def _dated(day: DayText) -> str:
    return f"[{day.day.isoformat()}] {day.text}"


def _frame(given: Weeks) -> Mapping[str, object]:
    return {
        "members": framing.lines(
            framing.tag(
                "member",
                framing.lines(
                    framing.tag(
                        "day",
                        shortened(day.text, given.users),
                        date=day.day.isoformat(),
                        weekday=f"{day.day:%A}",
                    )
                    for day in member.days
                ),
                id=given.users.short(member.user_id),
            )
            for member in given.members
        ),
        "characters": HISTORICAL_CHARACTERS,
    }


def _check(given: Weeks, answer: Texts) -> None:
    asked_ids = [member.user_id for member in given.members]
    check_texts(answer, given, asked_ids=asked_ids, longest=LONGEST_HISTORICAL)


def _fallback(given: Weeks) -> Texts:
    return Texts(
        texts=[
            TextOf(
                member=given.users.short(member.user_id),
                text=shortened(as_dated_sentences(member), given.users),
            )
            for member in given.members
        ]
    )


HISTORICAL: Final = Operation(
    name="historical",
    role=Role.MEMORY,
    answer=Texts,
    frame=_frame,
    check=_check,
    fallback=_fallback,
)


def _tokens(week: MemberWeek) -> int:
    return _TAGS_TOKENS + sum(_TAGS_TOKENS + estimated_tokens(day.text) for day in week.days)


_TELLING: Final = Telling(operation=HISTORICAL, given=Weeks, tokens=_tokens)


async def tell_weeks(
    operations: Operations, weeks: Sequence[MemberWeek], *, guild_id: int
) -> dict[int, Told]:
    """Return the historical summary of each member, in as few calls as their days fit into.

    Every week must have a day. A text that holds nothing but sensitive matters comes back empty.
    """
    told = await tell_each(operations, _TELLING, weeks, asker=Asker(guild_id=guild_id))
    return {user_id: Told(without_sensitive(one.text), one.degraded) for user_id, one in told.items()}
