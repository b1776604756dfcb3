"""The Russian words for days that depend on when they are said, as rules that make them absolute."""

import re
from datetime import timedelta
from typing import Final

from bot.text.calendar import EXACT_NUMBER, ISO, MONTH, NEAR_DAYS, UNITS, number_of, weekday_of
from bot.text.dates import DateChange, DatedStatement, DateRule, date_rule, which_of
from bot.text.ru.dictionary import parses
from bot.text.tokens import words

_DAY: Final = (
    r"(?:понедельник[ауе]?|вторник[ауе]?|сред[ауеы]|четверг[ауе]?|пятниц[ауеы]|суббот[ауеы]|воскресень[еяю])"
)
_UNIT: Final = (
    r"(?:минут[уы]?|час(?:а|ов)?|день|дн(?:я|ей)|недел[юиь]|месяц(?:а|ев)?|год(?:а|у)?|лет|полгода)"
)
_ONE: Final = words("минуту час день неделю месяц год полгода")
"""Units that need no number: «пару дней» is not one day."""

_WHICH: Final = r"(?P<which>(?:эт|следующ|ближайш|будущ|прошл)[а-я]{1,3})"


_WEEKS_LATER: Final = rf"через\s+(?:(?:{EXACT_NUMBER})\s+)?недел[юиь]"
_DAY_WEEKS_LATER: Final = re.compile(
    rf"\bво?\s+{_DAY}\s+{_WEEKS_LATER}\b|\b{_WEEKS_LATER}\s+во?\s+{_DAY}\b", re.IGNORECASE
)
"""Both together tell one day, which is neither of the two."""
_SATURDAY: Final = 5
_HABIT: Final = re.compile(r"\b(?:любл?\w+|обожа\w+|нрав\w+|предпочита\w+|ненавид\w+)", re.IGNORECASE)
"""What is told of weekends at large: «люблю поспать на выходных»."""


def _is_weeks_later(said: DatedStatement, match: re.Match[str]) -> bool:
    """Return whether a weekday or a number of weeks belongs to the other one: «в четверг через неделю»."""
    return any(found.start() <= match.start() < found.end() for found in _DAY_WEEKS_LATER.finditer(said.text))


def _near_day(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    if said.is_title(match):
        return None
    day = said.day + timedelta(days=NEAR_DAYS[match[0].lower()])
    return DateChange(f"{day}", day)


def _weekday(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    which = which_of(match["which"])
    if said.names(match) or (not which and said.recurs(match)) or _is_weeks_later(said, match):
        return None
    number = weekday_of(match["day"])
    day = said.weekday(number, which, past=said.is_past(match), match=match)
    preposition = match["preposition"]
    if preposition.lower() in {"в", "во"}:
        preposition = preposition[0] + ("о" if number == 1 else "")
    return DateChange(f"{preposition} {match['day']} {day}", day)


def _amount(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    word = (match["ahead"] or match["since"]).lower()
    if said.before(match) in {"раз", "раза"} or (word == "день" and match["ahead"] and not match["count"]):
        return None
    if _is_weeks_later(said, match):
        return None
    number = match["count"] or match["passed"]
    if number is None and word not in _ONE:
        return None
    count, unit = (6, "month") if word == "полгода" else (1, UNITS[word])
    count *= number_of(number)
    when = said.moved(count if match["ahead"] else -count, unit)
    match unit:
        case "minute" | "hour":
            return DateChange(f"{when.date()} в {when:%H:%M}", when.date())
        case "month":
            return DateChange(f"в {when.date()}"[:9])
        case "year":
            return DateChange(f"в {when.year:04d} году")
        case _:
            return DateChange(f"{when.date()}", when.date())


def _period(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    preposition, word = match["preposition"], match["unit"].lower()
    which = which_of(match["which"])
    if not which and (said.recurs(match) or _HABIT.search(said.text)):
        return None
    if not which and said.is_past(match) and said.day.weekday() < _SATURDAY:
        which = "last"
    begins = said.period(UNITS[word], which)
    if word == "месяце":
        return DateChange(f"{preposition} {begins}"[:-3])
    if word == "году":
        return DateChange(f"{preposition} {begins.year:04d} году")
    return DateChange(f"{preposition} {word} с {begins}")


def _day_of_month(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    following = match["next"].strip().lower()
    # «5-го класса» is no day: a thing in the genitive is what is counted.
    if said.returns(match) or (
        following and any({"NOUN", "gent"} in one.tag for one in parses(following)[:1])
    ):
        return None
    past, first = said.is_past(match), said.day.year * 12 + said.day.month - 1
    for step in range(3):
        month = first - step if past else first + step
        try:
            day = said.day.replace(year=month // 12, month=month % 12 + 1, day=int(match["day"]))
        except ValueError:
            continue
        if day <= said.day if past else day >= said.day:
            preposition = match["preposition"]
            said_so = match[0].rstrip()
            return DateChange(f"{preposition} {day}" if preposition else f"{said_so} ({day})", day)
    return None


RULES: Final[tuple[DateRule, ...]] = (
    date_rule(r"позавчера|вчера|сегодня|послезавтра|завтра", _near_day),
    date_rule(
        rf"""(?P<preposition>во?|до|по|со?|ко?|на|после|перед)\s+(?:{_WHICH}\s+)?(?P<day>{_DAY})\b
        (?!,?\s+(?:{ISO}|\d{{1,2}}(?:-?го)?\s+{MONTH}\b|обитания\b|разработки\b))""",
        _weekday,
    ),
    date_rule(
        rf"""через\s+(?:(?P<count>{EXACT_NUMBER})\s+)?(?P<ahead>{_UNIT})(?!\s+назад)
        |(?:(?P<passed>{EXACT_NUMBER})\s+)?(?P<since>{_UNIT})\s+назад""",
        _amount,
    ),
    date_rule(rf"(?P<preposition>в|на)\s+{_WHICH}\s+(?P<unit>неделе|месяце|году|выходн(?:ые|ых))", _period),
    date_rule(rf"(?P<preposition>в|на)\s+(?P<which>)(?P<unit>выходн(?:ые|ых))(?!\s+с\s+{ISO})", _period),
    date_rule(
        rf"""(?:(?P<preposition>с|со|до|к|ко|по|на|после)\s+)?(?P<day>[12]?\d|3[01])(?:-?(?:о?го|о?му|ое|е)(?:\s+числ[ау])?|\s+числа)
        (?!\s+(?:(?:{MONTH})\b|\())(?=(?P<next>(?:\s+[^\W\d_]+)?))""",
        _day_of_month,
    ),
)
