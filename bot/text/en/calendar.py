"""The English words of the calendar: numbers, units of time, months, weekdays, and how spans of time are named."""

from typing import Final

NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
VAGUE_NUMBERS: Final = {"couple of": 2, "a couple of": 2, "few": 3, "a few": 3}
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
SEASONS: Final = {"winter": "winter", "spring": "spring", "summer": "summer", "autumn": "autumn|fall"}
NEAR_DAYS: Final = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "tomorrow": 1,
    "tmrw": 1, "day after tomorrow": 2,
}  # fmt: skip
OPENINGS: Final = {"since": "since", "after": "after", "before": "until", "until": "until", "till": "until"}
"""What stands before a span that is open at one end, and which."""
RANGE: Final = ("between|from", "and|to|till|until")
"""What stands before the first and before the last part of a range."""

MONTH: Final = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
WEEKDAY: Final = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
IN_YEAR: Final = "(?:,? (?:of )?{year})?"
SPANS: Final = r"""
day: (?:on )?(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)? (?:of )?{month}{in_year}
day: (?:on )?{month} (?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?(?!\d){in_year}
near: (?:the )?(?P<said>day before yesterday|yesterday|today)|(?P<night>last night)
ago: (?<!\d\s)(?:about |around )?(?:{count} )?{unit} ago
past: (?:(?:in|over|during|within|for) )?(?:the )?(?:last|past) {count} {unit}
past: (?:(?:in|over|during|within|for) )?the past (?P<unit>hour|day|week|month|year)
period: (?:(?:on|in|during) )?(?:(?P<gone>last|previous)|past|this) (?P<unit>weekend|week|month|year)
weekend: (?:on|over|at|at the|on the) weekend
weekday: (?:(?P<gone>last|past|previous)|on) {weekday}
month: (?:in|last|during|back in|this) {month}{in_year}
month: {month} {year}
season: (?:(?:in|during) (?:the )?)?(?P<gone>last|past|previous) {season}{in_year}
season: (?:in|during|this) (?:the )?{season}{in_year}
year: (?:in|during|back in) {year}
"""
NAMED: Final = r"""
month: {month}{in_year}
year: {year}
weekday: {weekday}
"""
"""What names a span only where something before it says that there is one."""
