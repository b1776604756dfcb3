"""The Russian words for days that depend on when they are said, as rules that make them absolute."""

import re
from datetime import timedelta
from typing import Final

from bot.text.calendar import EXACT_NUMBER, ISO, MONTH, NEAR_DAYS, UNITS, number_of, weekday_of
from bot.text.dates import DateChange, DatedStatement, DateRule, date_rule, which_of
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


def _near_day(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    if said.is_title(match):
        return None
    day = said.day + timedelta(days=NEAR_DAYS[match[0].lower()])
    return DateChange(f"{day}", day)


def _weekday(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    which = which_of(match["which"])
    if said.names(match) or (not which and said.recurs(match)):
        return None
    number = weekday_of(match["day"])
    day = said.weekday(number, which, past=said.is_past(match))
    preposition = match["preposition"]
    if preposition.lower() in {"в", "во"}:
        preposition = preposition[0] + ("о" if number == 1 else "")
    return DateChange(f"{preposition} {match['day']} {day}", day)


def _amount(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    word = (match["ahead"] or match["since"]).lower()
    if said.before(match) in {"раз", "раза"} or (word == "день" and match["ahead"] and not match["count"]):
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
    begins = said.period(UNITS[word], which_of(match["which"]))
    if word == "месяце":
        return DateChange(f"{preposition} {begins}"[:-3])
    if word == "году":
        return DateChange(f"{preposition} {begins.year:04d} году")
    return DateChange(f"{preposition} {word} с {begins}")


RULES: Final[tuple[DateRule, ...]] = (
    date_rule(r"позавчера|вчера|сегодня|послезавтра|завтра", _near_day),
    date_rule(
        rf"""(?P<preposition>во?|до|со?|ко?|на|после|перед)\s+(?:{_WHICH}\s+)?(?P<day>{_DAY})\b
        (?!,?\s+(?:{ISO}|\d{{1,2}}\s+{MONTH}\b|обитания\b|разработки\b))""",
        _weekday,
    ),
    date_rule(
        rf"""через\s+(?:(?P<count>{EXACT_NUMBER})\s+)?(?P<ahead>{_UNIT})(?!\s+назад)
        |(?:(?P<passed>{EXACT_NUMBER})\s+)?(?P<since>{_UNIT})\s+назад""",
        _amount,
    ),
    date_rule(rf"(?P<preposition>в|на)\s+{_WHICH}\s+(?P<unit>неделе|месяце|году|выходные)", _period),
)
