"""What the same days would have cost by two simpler ways, with the same prompts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bench.talk import Day, Talk
from bot.core.domain import Member, Message
from bot.llm.framing import estimated_tokens
from bot.memory.summaries.day_prompt import SUMMARISE_DAY, DayPart, day_tokens, in_parts
from bot.memory.summaries.extractive import DAY_CHARACTERS


@dataclass(frozen=True, slots=True)
class Cost:
    """Calls and prompt tokens."""

    calls: int = 0
    tokens: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        """Return both together."""
        return Cost(self.calls + other.calls, self.tokens + other.tokens)

    def __mul__(self, times: int) -> "Cost":
        """Return it so many times."""
        return Cost(self.calls * times, self.tokens * times)


def whole_days_again(talk: Talk, days: Sequence[Day], refreshes: Sequence[datetime]) -> Cost:
    """Return what it costs to tell the whole day up to then at each refresh, and every day once when it is over."""
    members = _members(talk)
    cost = Cost()
    for day in days:
        for moment in refreshes:
            if moment.date() == day.begins.date():
                so_far = [message for message in day.messages if message.timestamp <= moment]
                cost += _told(so_far, members, day)
        cost += _told(day.messages, members, day)
    return cost


def member_by_member(talk: Talk, days: Sequence[Day]) -> Cost:
    """Return what it costs to ask about every member of every day alone, once, when it is over."""
    members = _members(talk)
    cost = Cost()
    for day in days:
        active = list(dict.fromkeys(message.user_id for message in day.messages))
        cost += _told(day.messages, members, day, wanted=active[:1]) * len(active)
    return cost


def _members(talk: Talk) -> Mapping[int, Member]:
    return {member.user_id: member for member in talk.members()}


def _told(
    messages: Sequence[Message],
    members: Mapping[int, Member],
    day: Day,
    *,
    wanted: Sequence[int] | None = None,
) -> Cost:
    """Return what it costs to tell of these messages, in as many parts as fit into a prompt."""
    cost = Cost()
    seen: set[int] = set()
    for part in in_parts(messages, day_tokens):
        given = DayPart(
            day=day.begins.date(),
            time_zone="UTC",
            messages=part,
            wanted=wanted or list(dict.fromkeys(message.user_id for message in part)),
            members=members,
        )
        for question in given.questions():
            earlier = {user_id: "x" * DAY_CHARACTERS for user_id in question.wanted if user_id in seen}
            cost += Cost(1, estimated_tokens(SUMMARISE_DAY.prompt(replace(question, earlier=earlier))))
        seen.update(given.wanted)
    return cost
