"""The English words of the calendar: numbers, units of time, months and weekdays."""

from typing import Final

NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "couple of": 2, "a couple of": 2, "two": 2, "few": 3, "a few": 3, "three": 3, "four": 4,
    "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
UNITS: Final = {
    "minute": "m min mins minute minutes",
    "hour": "h hr hrs hour hours",
    "day": "d day days",
    "week": "w week weeks",
    "weekend": "weekend weekends",
    "month": "month months",
    "year": "year years",
}
MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""What each begins with."""
WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""What each begins with, Monday first."""
