"""The English words for days that depend on when they are said, as rules that make them absolute."""

import re
from datetime import timedelta
from typing import Final

from bot.text.calendar import EXACT_NUMBER, ISO, MONTH, NEAR_DAYS, number_of, weekday_of
from bot.text.dates import INTRODUCING, DateChange, DatedStatement, DateRule, date_rule, which_of
from bot.text.tokens import words

_DAY: Final = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|(?-i:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat)(?![a-z]))"
)
_PART: Final = r"(?:morning|afternoon|evening|night)"
_COUNT: Final = f"(?:{EXACT_NUMBER})"
_UNIT: Final = r"(?:minute|hour|day|week|month|year)"
_NOT_A_DAY: Final = words(
    """black good casual cyber easter super ash palm giving freaky ruby love loves like likes hate hates prefer
    prefers enjoy enjoys"""
)
_NOT_A_SPAN: Final = words("times once twice over than half")
_COUNTED_FROM: Final = re.compile(rf"\b{_UNIT}s?\s+from\s+\Z", re.IGNORECASE)
"""Before a day from which is counted on: "two weeks from Monday" is another one."""
_TO: Final = r"\s+(?:to|through|thru|till|until)\s+"
_RANGE_BEGUN: Final = re.compile(
    rf"(?<!from\s)(?<!between\s)(?<!next\s)(?<!this\s)(?<!last\s)\b{_DAY}{_TO}\Z", re.IGNORECASE
)
_RANGE_BEGINS: Final = re.compile(rf"{_TO}{_DAY}\b", re.IGNORECASE)
_AHEAD: Final = words("by until till before from for")


_NEAR: Final = 30
"""Characters before a day in which what belongs to it stands."""


def _near_day(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    if said.is_title(match):
        return None
    if _COUNTED_FROM.search(said.text[: match.start()][-_NEAR:]):
        return None
    part = (match["part"] or "").lower().strip()
    phrase = " ".join(match["phrase"].lower().removesuffix(part).removeprefix("the ").split())
    day = said.day + timedelta(days=NEAR_DAYS.get(phrase, 0))
    part = part or {"tonight": "evening", "last night": "night"}.get(phrase, "")
    return DateChange(said.placed(match, f"the {part} of {day}" if part else f"{day}", preposition="on"), day)


def _weekday(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    which = which_of(match["which"] or match["week"])
    before = said.before(match)
    if before in _NOT_A_DAY or said.names(match) or (not which and said.recurs(match)):
        return None
    closes = match["closing"] is not None and before.isalpha() and not said.follows_a_capital(match)
    if not (which or before in INTRODUCING or closes):
        return None
    if not which and (_is_loose(said, match) or (before not in _AHEAD and said.has_open_tense(match))):
        return None
    past = said.is_past(match) or before == "since"
    day = said.weekday(weekday_of(match["day"]), which, past=past, match=match)
    named = f"{match['day']}{match['part'] or ''} {day}"
    return DateChange(said.placed(match, named, preposition="on") if match["which"] else named, day)


def _is_loose(said: DatedStatement, match: re.Match[str]) -> bool:
    """Return whether a weekday is no single one: of a range without "from", or counted on from."""
    before = said.text[: match.start()][-_NEAR:]
    if _COUNTED_FROM.search(before) or _RANGE_BEGUN.search(before):
        return True
    begins = _RANGE_BEGINS.match(said.text, match.end("day")) is not None
    return begins and said.before(match) not in {"from", "between"}


def _day_of_month(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    if said.before(match) not in INTRODUCING or said.returns(match):
        return None
    past = said.is_past(match)
    start = said.day.year * 12 + said.day.month - 1 + {"next": 1, "last": -1}.get(which_of(match["which"]), 0)
    for step in range(1 if match["which"] else 3):
        month = start - step if past else start + step
        try:
            day = said.day.replace(year=month // 12, month=month % 12 + 1, day=int(match["day"]))
        except ValueError:
            continue
        if match["which"] or (day <= said.day if past else day >= said.day):
            return DateChange(said.placed(match, f"{day}", preposition="on"), day)
    return None


def _amount(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    ahead = match["ahead"] is not None
    if said.before(match) in _NOT_A_SPAN or (ahead and said.is_past(match)):
        return None
    count, unit = number_of(match["ahead"] or match["since"]), (match["unit"] or match["passed"]).lower()
    when = said.moved(-count if match["ago"] else count, unit)
    if unit in {"minute", "hour"}:
        return DateChange(said.placed(match, f"{when.date()} at {when:%H:%M}", preposition="on"), when.date())
    if unit == "month":
        return DateChange(said.placed(match, f"{when.date()}"[:7], preposition="in"))
    if unit == "year":
        return DateChange(said.placed(match, f"{when.year:04d}", preposition="in"))
    return DateChange(said.placed(match, f"{when.date()}", preposition="on"), when.date())


def _period(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    which = which_of(match["which"])
    if said.before(match) in {"the", "every"} or (not which and said.recurs(match)):
        return None
    unit = match["unit"].lower()
    is_past = which == "" and said.is_past(match)
    begins = said.period(unit, "last" if is_past and said.day.weekday() < 5 else which)
    if unit in {"week", "weekend"}:
        preposition = "in" if unit == "week" else "on"
        if not which:
            return DateChange(f"on the weekend of {begins}")
        return DateChange(said.placed(match, f"the {unit} of {begins}", preposition=preposition))
    return DateChange(said.placed(match, f"{begins}"[: 7 if unit == "month" else 4], preposition="in"))


RULES: Final[tuple[DateRule, ...]] = (
    date_rule(
        rf"""(?P<phrase>(?:the\s+)?day\s+(?:after\s+tomorrow|before\s+yesterday)|tonight|last\s+night
        |(?:today|tomorrow|tmrw|yesterday|this(?=\s+(?:morning|afternoon|evening)))(?P<part>\s+{_PART})?)""",
        _near_day,
    ),
    date_rule(
        rf"""(?:(?P<which>next|last|this(?:\s+coming)?|coming)\s+)?(?P<day>{_DAY})\b
        (?!(?:\s+{_PART})?,?\s+(?:the\s+)?(?:{ISO}|\d{{1,2}}(?:st|nd|rd|th)\b|\d{{1,2}}\s+{MONTH}\b|{MONTH}\s+\d))
        (?P<part>\s+(?-i:{_PART}))?(?:\s+(?:of\s+)?(?P<week>next|last|this)\s+week)?
        (?P<closing>(?=\s*(?:[.,;!?)]|\Z)|\s+at\b|\s+\d)|(?<=ing|ght|oon)(?![a-z]))?""",
        _weekday,
    ),
    date_rule(
        r"""the\s+(?P<day>\d{1,2})(?:st|nd|rd|th)(?:\s+of\s+(?P<which>next|last|this)\s+month)?
        (?=\s*(?:[.,;!?)]|\Z)|\s+(?:at|and|with|for|in)\b)""",
        _day_of_month,
    ),
    date_rule(
        rf"""in\s+(?:about\s+|around\s+)?(?P<ahead>{_COUNT})\s+(?P<unit>{_UNIT})s?(?:['’]?\s+time)?
        (?!\s+(?:ago|from|and\s+a\s+(?:half|quarter))\b)
        |(?:about\s+|around\s+|almost\s+)?(?P<since>{_COUNT})\s+(?P<passed>{_UNIT})s?\s+
        (?:(?P<ago>ago)|from\s+(?:now|today))""",
        _amount,
    ),
    date_rule(r"(?P<which>next|last|this)\s+(?P<unit>weekend|week|month|year)(?!\s+of\b)", _period),
    date_rule(r"(?:on|at|over)\s+the\s+(?P<unit>weekend)(?P<which>)(?!\s+of\b)", _period),
)
