"""Facts about a date, once that is over."""

from datetime import date

from bot.domain import Fact


def is_past(fact: Fact, today: date) -> bool:
    """Tell whether `fact` is about a date before `today`, in the guild's days: it is told as past then."""
    return fact.holds_on is not None and fact.holds_on < today
