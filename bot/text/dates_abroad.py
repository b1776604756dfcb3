"""Days of the week and of months, and "tomorrow", in languages without a folder, as rules that make them absolute.

A wrong date is worse than none: what returns every week, what is told of the past, and what may mean either of two
days ("nächsten Freitag", said on a Monday) stays as it was said.
"""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.text.calendar import ISO
from bot.text.dates import DateChange, DatedStatement, DateRule, date_rule
from bot.text.language_detection import COMMON_WORDS, words_of


@dataclass(frozen=True, slots=True)
class _Tongue:
    """What the calendar is called in a language; patterns are of what is folded to one case."""

    name: str
    """As `COMMON_WORDS` call it."""
    weekdays: str
    """A pattern for each, from Monday on."""
    months: str
    near: str
    """Words with the days after today that they mean: "morgen=1"."""
    on: str
    """What stands before the name of one day; an empty alternative where it may stand alone."""
    habit: str
    """What stands before it, or anywhere in the sentence, where it means every such day."""
    coming: str
    following: str
    """The day of the week after this one, or the nearest: sure only where these are the same."""
    gone: str
    past: str
    birthday: str
    soon: str
    """What stands before a number of days or weeks from now on; `{n}` is the number."""
    until: str
    at: str = ""
    """What stands before a date in figures."""


_TONGUES: Final = (
    _Tongue(
        "German",
        "montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag",
        "januar|jänner februar märz april mai juni juli august september oktober november dezember",
        "heute=0 morgen=1 übermorgen=2 gestern=-1 vorgestern=-2",
        r"am|bis|bis zum|ab|vor|nach|diese[nmr]|kommende[nmr]?",
        r"jede[nrms]?|immer|alle|meistens|wöchentlich",
        r"kommende[nmr]?|diese[nmr]",
        r"nächste[nmr]?",
        r"letzte[nmr]?|vergangene[nmr]?|vorige[nmr]?",
        r"war|waren|warst|hatten?|wurden?|gingen|ging|kam|kamen|fuhr|flog|sah|traf|machte|kaufte|spielte"
        r"|(?!gehen|geben|gern|genau|gegen|gerade|gemein|gewinn)ge\w{3,}(?:t|en)",
        r"\w*geburtstag\w*",
        r"in {n} (?P<unit>tag|woche)\w*",
        r"bis(?: zum| einschließlich)?",
        "am",
    ),
    _Tongue(
        "Spanish",
        "lunes martes miércoles|miercoles jueves viernes sábado|sabado domingo",
        "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre",
        "hoy=0 mañana=1 ayer=-1 anteayer=-2",
        r"el|este|hasta el|para el|desde el|próximo",
        r"los|cada|todos|siempre|normalmente",
        r"este|próximo|que viene|siguiente",
        r"(?!)",
        r"pasado",
        r"fui|fue|fuimos|fueron|era|estaba|estuve|estuvo|tuve|tuvo|ha|hemos|han|\w+(?:ó|aron|ieron|aste|iste)"
        r"|(?!qué|sé|té|café|josé)\w+(?<![aei]r)é",
        r"cumpleaños|cumplo|cumple",
        r"(?:en|dentro de) {n} (?P<unit>d[ií]a|semana)s?",
        r"hasta(?: el)?",
        "el",
    ),
    _Tongue(
        "French",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "janvier février|fevrier mars avril mai juin juillet août|aout septembre octobre novembre décembre|decembre",
        "aujourd'hui=0 demain=1 après-demain=2 hier=-1 avant-hier=-2",
        r"ce|jusqu'à|avant|après|dès|",
        r"le|les|chaque|tous|toujours|habituellement|d'habitude",
        r"ce|prochain",
        r"(?!)",
        r"dernier|passé",
        r"(?:j'ai|ai|as|a|avons|avez|ont|suis|es|est|sommes|êtes|sont) (?!\w+di\b)\w+(?:é|ée|és|ées|i|u|is|it|us|ert)"
        r"|(?!fait|sait|plait)\w+(?:ait|aient)|étai\w+",
        r"anniversaire",
        r"dans {n} (?P<unit>jour|semaine)s?",
        r"jusqu'(?:à|au)",
        "le",
    ),
    _Tongue(
        "Italian",
        "lunedì|lunedi martedì|martedi mercoledì|mercoledi giovedì|giovedi venerdì|venerdi sabato domenica",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "oggi=0 domani=1 dopodomani=2 ieri=-1",
        r"questo|questa|fino a|entro|da|prossimo|",
        r"il|la|di|ogni|tutti|tutte|sempre|solito",
        r"questo|questa|prossimo|prossima",
        r"(?!)",
        r"scorso|scorsa|passato|passata",
        r"(?:ho|hai|ha|abbiamo|avete|hanno|sono|sei|è|siamo) \w+(?:ato|uto|ito|ata|ati|ate|uta|uti|sto|tto|so|sa)"
        r"|ero|era|erano|\w+(?:avo|ava|evo|eva|avano|evano)",
        r"compleanno",
        r"(?:tra|fra) {n} (?P<unit>giorn|settiman)\w+",
        r"fino (?:a|al)",
        "il",
    ),
    _Tongue(
        "Portuguese",
        "segunda-feira|segunda terça-feira|terça quarta-feira|quarta quinta-feira|quinta sexta-feira|sexta sábado"
        " domingo",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "hoje=0 amanhã=1 ontem=-1 anteontem=-2",
        r"na|no|nesta|neste|esta|este|até|até a|próxima|próximo",
        r"às|aos|toda|todas|todo|todos|cada|sempre|normalmente",
        r"nesta|neste|esta|este|próxima|próximo|que vem",
        r"(?!)",
        r"passada|passado",
        r"foi|fui|fomos|foram|era|estava|teve|tive|(?!sei|rei)\w+ei|(?!vou|sou|estou|dou|ou)\w+ou|\w+(?:aram|eram|iram)",
        r"aniversário|anos",
        r"(?:em|daqui a|dentro de) {n} (?P<unit>dia|semana)s?",
        r"até(?: a| o)?",
        "em",
    ),
    _Tongue(
        "Polish",
        "poniedziałek|poniedziałku wtorek|wtorku środę|środy czwartek|czwartku piątek|piątku sobotę|soboty"
        " niedzielę|niedzieli",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        "dziś=0 dzisiaj=0 jutro=1 pojutrze=2 wczoraj=-1 przedwczoraj=-2",
        r"w|we|do|w ten|w tę|najbliższ\w+",
        r"co|każd\w+|zawsze|zwykle|zazwyczaj",
        r"ten|tę|najbliższ\w+",
        r"przyszł\w+|następn\w+",
        r"zeszł\w+|ubiegł\w+|poprzedni\w*|ostatni\w*",
        r"\w+(?:łem|łam|łeś|łaś|liśmy|łyśmy)|był\w*|(?!czyli|jeśli|jeżeli)\w{2,}(?:ł|ła|li|ły)",
        r"urodzin\w*",
        r"za {n} (?P<unit>dni|dzień|tydzień|tygodni)\w*",
        r"do",
    ),
    _Tongue(
        "Ukrainian",
        "понеділок|понеділка вівторок|вівторка середу|середи четвер|четверга п'ятницю|п'ятниці суботу|суботи"
        " неділю|неділі",
        "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
        "сьогодні=0 завтра=1 післязавтра=2 вчора=-1 учора=-1 позавчора=-2",
        r"у|в|до|цієї|найближч\w+",
        r"кожн\w+|щотижня|завжди|зазвичай",
        r"цієї|цей|найближч\w+",
        r"наступн\w+",
        r"минул\w+",
        r"(?!коли|або|лише)\w{2,}(?:в|ла|ли|лася|лися|вся)",
        r"\w*народження",
        r"через {n} (?P<unit>дн|день|тижн)\w*",
        r"до",
    ),
    _Tongue(
        "Dutch",
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "vandaag=0 morgen=1 overmorgen=2 gisteren=-1 eergisteren=-2",
        r"op|tot|vanaf|komende|aanstaande|deze|",
        r"elke|iedere|altijd|meestal",
        r"komende|aanstaande|deze",
        r"volgende",
        r"vorige|afgelopen",
        r"was|waren|had|hadden|ging|kwam|ge\w{3,}(?:t|d|en)",
        r"verjaardag|jarig",
        r"over {n} (?P<unit>dag|week|weken)\w*",
        r"tot(?: en met)?",
        "op",
    ),
    _Tongue(
        "Swedish",
        "måndag tisdag onsdag torsdag fredag lördag söndag",
        "januari februari mars april maj juni juli augusti september oktober november december",
        "idag=0 imorgon=1 igår=-1 förrgår=-2",
        r"på|till|till och med",
        r"varje|alltid|brukar",
        r"på",
        r"nästa",
        r"förra|i",
        r"var|hade|gick|kom|\w+(?:ade|ades)|har \w+",
        r"födelsedag|fyller",
        r"om {n} (?P<unit>dag|veck)\w*",
        r"till(?: och med)?",
        "den",
    ),
    _Tongue(
        "Turkish",
        "pazartesi salı çarşamba perşembe cuma cumartesi pazar",
        "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
        "bugün=0 yarın=1 dün=-1",
        r"bu|önümüzdeki",
        r"her|genelde|genellikle|daima",
        r"bu|önümüzdeki|günü",
        r"gelecek|haftaya",
        r"geçen|geçtiğimiz",
        r"(?!şimdi|kedi|yedi|kendi)\w{2,}(?:d|(?<!n)t)[ıiuü](?:[mk]|l[ae]r)?",
        r"doğum ?gün\w*",
        r"{n} (?P<unit>gün|hafta) sonra",
        r"(?!)",
    ),
)
NUMBERS: Final = {
    word: number
    for number, words in enumerate(
        """ein eine einem einer un una uno une um uma jeden jedną один одну één een en ett bir
        |zwei dos deux due dois duas dwa dwie два дві twee två iki|drei tres trois tre três trzy три drie üç
        |vier cuatro quatre quattro quatro cztery чотири fyra dört|fünf cinco cinq cinque pięć п'ять vijf fem beş
        |sechs seis six sei sześć шість zes sex altı|sieben siete sept sette sete siedem сім zeven sju yedi
        |acht ocho huit otto oito osiem вісім åtta sekiz|neun nueve neuf nove dziewięć дев'ять negen nio dokuz
        |zehn diez dix dieci dez dziesięć десять tien tio on""".split("|"),
        start=1,
    )
    for word in words.split()
}
"""What words of these languages count."""

_NUMBER: Final = rf"(?P<n>\d{{1,2}}|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
_A_WEEK: Final = (
    "woche",
    "seman",
    "semain",
    "settim",
    "tydz",
    "tygod",
    "тижд",
    "тижн",
    "week",
    "weken",
    "veck",
    "hafta",
)
_MORNING: Final = re.compile(
    r"(?:\b(?:am|jeden|guten|diesen|heute|gestern|la|esta|una|cada|buena|goede|elke|god)\s+)\Z"
)
"""Behind these "morgen" and "mañana" are the morning."""

_NOT_DATED: Final = rf"(?!\s*,?\s*(?:(?:den|le|el|il|dem|the)\s+)?(?:{ISO}|\d))"


_ALSO_ELSEWHERE: Final = frozenset("hier mars mart mai maj mei maja marca august april".split())
"""Words that mean something else in another language."""


def _languages_of(text: str, word: str) -> list[_Tongue]:
    """Return the languages of which `word` in `text` may be, the likeliest first; none in English and Russian."""
    said = words_of(text)
    counts = {tongue.name: sum(word in tongue.words for word in said) for tongue in COMMON_WORDS}
    least = max(counts["English"], counts["Russian"])
    if word in _ALSO_ELSEWHERE:
        least = max(1, *counts.values())
    likely = [one for one in _TONGUES if counts[one.name] >= least]
    return sorted(likely, key=lambda one: -counts[one.name])


def _even(text: str) -> str:
    return text.lower().replace("’", "'")


def _sentence(said: DatedStatement, match: re.Match[str]) -> str:
    begin = max(said.text.rfind(mark, 0, match.start()) for mark in ".!?;\n")
    ends = [at for mark in ".!?;\n" if (at := said.text.find(mark + " ", match.end())) >= 0]
    return _even(said.text[begin + 1 : min(ends, default=len(said.text))])


def _holds(pattern: str, text: str) -> bool:
    return re.search(rf"(?<![\w'-])(?:{pattern})(?![\w'-])", text) is not None


def _ends_with(pattern: str, text: str) -> bool:
    return re.search(rf"(?<![\w'-])(?:{pattern})\s+\Z".replace(" ", r"\s+"), text) is not None


def _begins_with(pattern: str, text: str) -> bool:
    return re.match(rf"\s+(?:{pattern})(?![\w'-])".replace(" ", r"\s+"), text) is not None


def _number_of(words: str, said: str) -> int | None:
    """Return the place of the alternative of a table that `said` is."""
    return next((at for at, one in enumerate(words.split()) if re.fullmatch(one, said)), None)


def _weekday(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    word, sentence = _even(match[0]), _sentence(said, match)
    before, after = _even(said.text[: match.start()][-40:]), _even(said.text[match.end() :][:20])
    for tongue in _languages_of(said.text, word):
        number = _number_of(tongue.weekdays, word)
        if number is None:
            continue
        if tongue.name != "German" and said.is_title(match):
            return None
        if _ends_with(tongue.habit, before) or _habitual(tongue, sentence):
            return None
        ahead = (number - said.day.weekday()) % 7
        if _ends_with(tongue.gone, before) or _begins_with(tongue.gone, after):
            day = said.day - timedelta(days=7 - ahead)
        elif ahead == 0 or _holds(tongue.past, sentence):
            return None
        elif _ends_with(tongue.following, before) or _begins_with(tongue.following, after):
            day = said.day + timedelta(days=ahead)
            if day.isocalendar().week == said.day.isocalendar().week:
                return None
        elif _is_one(tongue, before, after):
            day = said.day + timedelta(days=ahead)
        else:
            return None
        return DateChange(f"{match[0]} {day}", day)
    return None


def _habitual(tongue: _Tongue, sentence: str) -> bool:
    """Tell whether a sentence tells what returns; articles do so only right before the day."""
    words = [one for one in tongue.habit.split("|") if len(one) > 3 and one not in {"todos", "tous"}]
    return _holds("|".join(words), sentence)


def _is_one(tongue: _Tongue, before: str, after: str) -> bool:
    if _ends_with(tongue.coming, before) or _begins_with(tongue.coming, after):
        return True
    *named, last = tongue.on.split("|")
    stands_alone = last == ""
    return stands_alone or _ends_with("|".join([*named, last]), before)


def _near(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    word, before = _even(match[0]), _even(said.text[: match.start()][-20:])
    for tongue in _languages_of(said.text, word):
        days = dict(pair.split("=") for pair in tongue.near.split())
        if word not in days:
            continue
        if _MORNING.search(before) or (match[0] == "Morgen" and before.strip()):
            return None
        day = said.day + timedelta(days=int(days[word]))
        told = f"{day}" if _ends_with(tongue.until, before) else f"{tongue.at} {day}".strip()
        return DateChange(told, None if _holds(tongue.birthday, _sentence(said, match)) else day)
    return None


def _of_month(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    sentence = _sentence(said, match)
    for tongue in _languages_of(said.text, _even(match["month"])):
        month = _number_of(tongue.months, _even(match["month"]))
        if month is None:
            continue
        day = int(match["day"])
        if match["year"]:
            return DateChange(match[0], said.day.replace(year=int(match["year"]), month=month + 1, day=day))
        if _holds(tongue.past, sentence) or _holds(tongue.birthday, sentence) or _habitual(tongue, sentence):
            return None
        found = said.calendar.such_day(month + 1, day, past=False)
        of = "de " if tongue.name in {"Spanish", "Portuguese"} else ""
        return DateChange(f"{match[0]} {of}{found.year:04d}", found)
    return None


def _soon(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    for tongue in _languages_of(said.text, ""):
        found = re.fullmatch(tongue.soon.format(n=_NUMBER).replace(" ", r"\s+"), _even(match[0]))
        if found is None or _holds(tongue.past, _sentence(said, match)):
            continue
        count = int(found["n"]) if found["n"].isdigit() else NUMBERS[found["n"]]
        day = said.day + timedelta(days=count * (7 if found["unit"].startswith(_A_WEEK) else 1))
        return DateChange(f"{tongue.at} {day}".strip(), day)
    return None


def _any(tables: list[str]) -> str:
    words = {word for table in tables for entry in table.split() for word in entry.split("|")}
    return "|".join(re.escape(word).replace("'", "['’]") for word in sorted(words, key=len, reverse=True))


_ANY_MONTH: Final = _any([tongue.months for tongue in _TONGUES])
_ANY_SOON: Final = "|".join(
    re.sub(r"\?P<\w+>", "?:", tongue.soon.format(n=_NUMBER)).replace(" ", r"\s+") for tongue in _TONGUES
)
_ANY_NEAR: Final = _any([re.sub(r"=-?\d", "", tongue.near) for tongue in _TONGUES])


_BEHIND: Final = r"(?: (?:in|im|auf|bei|nach|zu|weg|verreist|krank|hier|da)(?!\w)[^.!?]*)?"
"""In German the place stands behind the time."""


@dataclass(frozen=True, slots=True)
class Duration:
    """How long something is so from now on, as the end of a statement says it in a language without a folder."""

    begin: int
    end: int
    length: timedelta
    until: str
    """What stands before the day on which it ends."""


_DURATIONS: Final = (
    # The language, what says that something is so now, how long, and the word before its end.
    ("German", r"ist|bin|sind|bleib\w*|wohn\w*|fehl\w*", r"für {n} (?P<unit>tag|woche)\w*", "bis"),
    (
        "Spanish",
        r"está|estoy|están|estará|queda|quedo",
        r"(?:por|durante) {n} (?P<unit>d[ií]a|semana)s?",
        "hasta",
    ),
    ("French", r"est|suis|sont|sera|reste", r"(?:pour|pendant) {n} (?P<unit>jour|semaine)s?", "jusqu'au"),
    ("Italian", r"è|sono|sarà|resta|rimane|sta|sto", r"per {n} (?P<unit>giorn|settiman)\w+", "fino al"),
    ("Portuguese", r"está|estou|estão|fica|fico", r"(?:por|durante) {n} (?P<unit>dia|semana)s?", "até"),
    (
        "Polish",
        r"jest|jestem|są|będzie|zostaje",
        r"(?:na|przez) (?:{n} )?(?P<unit>dni|dzień|tydzień|tygodni)\w*",
        "do",
    ),
    ("Ukrainian", r"є|буде|лишається|перебуває", r"на (?:{n} )?(?P<unit>дн|день|тижд|тижн)\w*", "до"),
    ("Dutch", r"is|ben|zijn|blijft|blijf|woont", r"voor {n} (?P<unit>dag|week|weken)\w*", "tot"),
    ("Swedish", r"är|stannar|bor|blir", r"i {n} (?P<unit>dag|veck)\w*", "till"),
    (
        "Turkish",
        r"izinli\w*|uzakta\w*|tatilde\w*|yok\w*",
        r"{n} (?P<unit>gün|hafta) boyunca",
        "şu güne kadar:",
    ),
)


def duration_at_end(said: DatedStatement) -> Duration | None:
    """Return how long `said` tells at its end that it is so; `None` where it does not, or of the past."""
    text = _even(said.text)
    for tongue in _languages_of(said.text, ""):
        for name, holds, lasts, until in _DURATIONS:
            found = name == tongue.name and re.search(
                rf"(?<!\w)(?:{lasts.format(n=_NUMBER)})(?={_BEHIND}[\s.!…]*\Z)".replace(" ", r"\s+"), text
            )
            before = text[: found.start()] if found else ""
            if not found or _holds(tongue.past, before) or not _holds(holds, before):
                continue
            said_number = found["n"] or "1"
            count = int(said_number) if said_number.isdigit() else NUMBERS[said_number]
            days = count * (7 if found["unit"].startswith(_A_WEEK) else 1)
            return Duration(found.start(), found.end(), timedelta(days=days), until)
    return None


RULES: Final[tuple[DateRule, ...]] = (
    date_rule(
        rf"(?P<day>\d{{1,2}})(?:\.|er|º|°)?\s+(?:de\s+)?(?P<month>{_ANY_MONTH})(?:\s+(?:de\s+|del\s+)?(?P<year>\d{{4}}))?",
        _of_month,
    ),
    date_rule(rf"(?:{_any([tongue.weekdays for tongue in _TONGUES])}){_NOT_DATED}", _weekday),
    date_rule(_ANY_NEAR, _near),
    date_rule(_ANY_SOON, _soon),
)
UNTIL: Final = (
    rf"(?:{'|'.join(tongue.until for tongue in _TONGUES if tongue.name not in {'Polish', 'Ukrainian', 'Swedish'})}"
    rf"|do\s+(?:poniedziałku|wtorku|środy|czwartku|piątku|soboty|niedzieli)(?=\s{ISO}))"
).replace(" ", r"\s+")
"""Words before the last day on which something is so."""
