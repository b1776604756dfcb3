"""The Russian words for days that depend on when they are said, as rules that make them absolute."""

import re
from datetime import timedelta
from typing import Final

from bot.text.calendar import weekday_of
from bot.text.date_rules import ISO, MONTH, DateChange, DatedStatement, DateRule, date_rule, which_of

_DAY: Final = (
    r"(?:понедельник[ауе]?|вторник[ауе]?|сред[ауеы]|четверг[ауе]?|пятниц[ауеы]|суббот[ауеы]|воскресень[еяю])"
)
_COUNT: Final = (
    r"(?:\d{1,3}|один|одну|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|одиннадцать|двенадцать)"
)
_UNIT: Final = (
    r"(?:минут[уы]?|час(?:а|ов)?|день|дн(?:я|ей)|недел[юиь]|месяц(?:а|ев)?|год(?:а|у)?|лет|полгода)"
)
_WHICH: Final = r"(?P<which>(?:эт|следующ|ближайш|будущ|прошл)[а-я]{1,3})"
_STEPS: Final = {"позавчера": -2, "вчера": -1, "сегодня": 0, "завтра": 1, "послезавтра": 2}


def _near_day(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    if said.is_title(match):
        return None
    day = said.day + timedelta(days=_STEPS[match[0].lower()])
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
    unit = match["ahead"] or match["since"]
    if said.before(match) in {"раз", "раза"} or (
        match["ahead"] and unit.lower() == "день" and not match["count"]
    ):
        return None
    when = said.parsed(match[0].lower(), language="ru")
    if when is None:
        return None
    if unit.lower().startswith(("минут", "час")):
        return DateChange(f"{when.date()} в {when:%H:%M}", when.date())
    if unit.lower().startswith(("месяц", "полгода")):
        return DateChange(f"в {when.date()}"[:9])
    if unit.lower().startswith(("год", "лет")):
        return DateChange(f"в {when.year:04d} году")
    return DateChange(f"{when.date()}", when.date())


def _period(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    which = which_of(match["which"])
    preposition, unit = match["preposition"], match["unit"].lower()
    if unit == "неделе":
        return DateChange(f"{preposition} неделе с {said.monday(which)}")
    if unit == "месяце":
        return DateChange(f"{preposition} {said.month(which)}")
    if unit == "году":
        return DateChange(f"{preposition} {said.year(which)} году")
    return DateChange(f"{preposition} выходные с {said.monday(which) + timedelta(days=5)}")


RULES: Final[tuple[DateRule, ...]] = (
    date_rule(r"позавчера|вчера|сегодня|послезавтра|завтра", _near_day),
    date_rule(
        rf"""(?P<preposition>во?|до|со?|ко?|на|после|перед)\s+(?:{_WHICH}\s+)?(?P<day>{_DAY})\b
        (?!,?\s+(?:{ISO}|\d{{1,2}}\s+{MONTH}\b|обитания\b|разработки\b))""",
        _weekday,
    ),
    date_rule(
        rf"""через\s+(?:(?P<count>{_COUNT})\s+)?(?P<ahead>{_UNIT})(?!\s+назад)
        |(?:{_COUNT}\s+)?(?P<since>{_UNIT})\s+назад""",
        _amount,
    ),
    date_rule(rf"(?P<preposition>в|на)\s+{_WHICH}\s+(?P<unit>неделе|месяце|году|выходные)", _period),
)
