"""The historical summary: a member's days 2 to 7 as one narrative, many members in one call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from bot.language import framing
from bot.language.local_mentions import shortened
from bot.language.operation import Asker, Operation, Operations, Role
from bot.language.tokens import estimated_tokens
from bot.memory.sensitive import without_sensitive
from bot.memory.telling_each import Members, Telling, Texts, Told, checked, fallen_back, tell_each

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

    @property
    def texts(self) -> tuple[str, ...]:
        """What the days tell."""
        return tuple(day.text for day in self.days)


Weeks = Members[MemberWeek]
"""What the operation is given."""


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


HISTORICAL: Final[Operation[Weeks, Texts]] = Operation(
    name="historical",
    role=Role.MEMORY,
    answer=Texts,
    frame=_frame,
    check=checked(LONGEST_HISTORICAL),
    fallback=fallen_back(as_dated_sentences),
)


def _tokens(week: MemberWeek) -> int:
    return _TAGS_TOKENS + sum(_TAGS_TOKENS + estimated_tokens(day.text) for day in week.days)


_TELLING: Final = Telling(operation=HISTORICAL, tokens=_tokens)


async def tell_weeks(
    operations: Operations, weeks: Sequence[MemberWeek], *, guild_id: int
) -> dict[int, Told]:
    """Return the historical summary of each member, in as few calls as their days fit into.

    Every week must have a day. A text that holds nothing but sensitive matters comes back empty.
    """
    told = await tell_each(operations, _TELLING, weeks, asker=Asker(guild_id=guild_id))
    return {user_id: Told(without_sensitive(one.text), one.degraded) for user_id, one in told.items()}
