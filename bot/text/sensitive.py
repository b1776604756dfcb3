"""Whether a text speaks of health, religion, politics, orientation or money: matters that are told of
nobody who did not ask for it.
"""

import re
from typing import Final

from bot.core.domain import GUILD_SUBJECT, Fact, Language
from bot.text.tokens import shared_stems, stems

_HEALTH: Final = (
    r"ill(?:ness(?:es)?)?|sick(?:ness)?|diseases?|diagnos\w+|cancer\w*|tumou?rs?|diabet\w+|hiv",
    r"aids|covid\w*|asthma\w*|epilep\w+",
    r"depress(?:ion|ive|ed)|bipolar|schizo\w+|autis\w+|adhd|ptsd|anxiety disorders?",
    r"panic attacks?|eating disorders?|suicid\w+|self-harm\w*",
    r"therap(?:y|ies|ist|ists)|psychiatr\w+|psychotherap\w+|medications?|medicines?",
    r"antidepressants?|chemo\w*|surger(?:y|ies)|hospital\w*",
    r"pregnan\w+|miscarr\w+|abortions?|infertil\w+|addict(?:ed|ion|ions)|alcoholi\w+|rehab",
    r"disabilit(?:y|ies)|disabled|symptoms?",
    r"болезн\w*|боле(?:ет|ют|л|ла|ли|ть)|заболе\w+|больн(?:ой|ая|ые|ым|ица|ице|ицу|ицы)",
    r"больнич\w+|диагноз\w*|рак(?:а|ом|е)?|опухол\w+|диабет\w*|вич|спид\w*|ковид\w*|астм\w+",
    r"эпилепс\w+",
    r"депресс\w+|биполярн\w+|шизо\w+|аутизм\w*|аутист\w*|сдвг|птср|паническ\w+|суицид\w*",
    r"самоубий\w+|самоповрежд\w+",
    r"терапи\w+|терапевт\w*|психиатр\w*|психотерап\w+|лекарств\w*|таблет\w+|антидепрессант\w*",
    r"химиотерап\w+|операци(?:я|ю|и|ей) на|госпитал\w+",
    r"беременн\w*|выкидыш\w*|аборт\w*|бесплод\w+|зависимост\w+ от|алкогол(?:изм|ик)\w*",
    r"наркоман\w*|инвалид\w*|симптом\w*|лечени\w+|лечит(?:ся)?|лечил(?:ся|ась)",
)
_RELIGION: Final = (
    r"relig\w+|christ(?:ian|ians|ianity)|cathol\w+|protestants?|orthodox|muslims?|islam\w*",
    r"jew(?:s|ish)?|judais\w+|hindu\w*|buddhis\w+|atheis\w+|agnostic\w*",
    r"church(?:es)?|mosques?|synagogues?|pray(?:s|ed|ing|ers?)?|ramadan|baptis\w+",
    r"религи\w+|христиан\w*|католи\w+|протестант\w*|православн\w*|мусульман\w*|ислам\w*",
    r"евре[йяюе]\w*|иуда\w+|индуи\w+|будди\w+|атеи\w+|агностик\w*",
    r"церк(?:овь|ви|овью)|мечет\w+|синагог\w+|молит(?:ся|ься|ва|вы)|молил(?:ся|ась)|рамадан\w*|крестил\w*",
)
_POLITICS: Final = (
    r"politic\w*|elections?|republicans?|democrats?|conservatives?|liberals?|socialis\w+",
    r"communis\w+|fascis\w+|nazis?",
    r"left-wing|right-wing|trump|biden|putin|protests?|protest(?:ed|ing)|activis\w+|trade unions?",
    r"политик\w*|политическ\w+|выборы президент\w*|на выборах|республикан\w*|демократ\w*",
    r"либерал\w*|социалист\w*|коммунис\w+|фаши\w+|нацис\w+",
    r"путин\w*|трамп\w*|байден\w*|навальн\w+|митинг\w*|протест\w*|активис\w+|оппозици\w+",
)
_ORIENTATION: Final = (
    r"gay|lesbians?|bisexual\w*|homosexual\w*|heterosexual\w*|asexual\w*|pansexual\w*|queer",
    r"transgender\w*|sexual\w*|lgbt\w*|came out as|coming out",
    r"гей|гея|геем|геи|лесбиян\w*|бисексуал\w*|гомосексуал\w*|гетеросексуал\w*|асексуал\w*",
    r"трансгендер\w*|сексуальн\w+|лгбт\w*",
)
_MONEY: Final = (
    r"salar(?:y|ies)|incomes?|wages?|debts?|loans?|mortgages?|bankrupt\w*|overdraft\w*",
    r"in the red|(?:is|are|was|were|am) (?:\w+ )?broke|unemployment benefits?|welfare|net worth",
    r"savings",
    r"зарплат\w*|доход(?:ы|а|ов|ами)?|заработ\w+ (?:в месяц|в год)|долг(?:и|а|ов|ами|ах)?",
    r"кредит\w*|ипотек\w*|займ\w*|банкрот\w*|безденеж\w*|пособи\w+|сбережени\w+",
)
_MATTERS: Final = {
    "health": _HEALTH,
    "religion": _RELIGION,
    "politics": _POLITICS,
    "orientation": _ORIENTATION,
    "money": _MONEY,
}


def _words(*tables: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w<@])(?:{'|'.join(part for table in tables for part in table)})(?!\w)")


_ANY: Final = _words(*_MATTERS.values())
_EACH: Final = {name: _words(table) for name, table in _MATTERS.items()}
_SENTENCE: Final = re.compile(r"[^.!?…\n]*[.!?…\n]*\s*")


def says_sensitive(text: str) -> bool:
    """Tell whether `text` speaks of somebody's health, religion, politics, orientation or money."""
    return _ANY.search(_plain(text)) is not None


def without_sensitive(text: str, *, asked: str = "") -> str:
    """Return `text` without the sentences that speak of such matters; it may be empty then.

    What stands in `asked`, which those whom it is about asked to have remembered, may be told again: by the same
    words, or in another alphabet by words of the same matter.
    """
    if not says_sensitive(text):
        return text
    return "".join(
        one for one in _SENTENCE.findall(text) if not says_sensitive(one) or _is_borne_out(one, asked)
    ).strip()


def may_be_told(fact: Fact) -> bool:
    """Tell whether a text about its subject may tell `fact`: of such matters only what they asked for themselves."""
    if not says_sensitive(fact.content):
        return True
    # What the server itself holds dear is nobody's own affair.
    return fact.is_explicit and fact.subject_id in (fact.author_id, GUILD_SUBJECT)


def _is_borne_out(sentence: str, asked: str) -> bool:
    """Tell whether everything sensitive that a sentence says stands in `asked`."""
    if not asked:
        return False
    known = stems(asked)
    is_translated = Language.of(sentence) is not Language.of(asked)
    for words in _EACH.values():
        for found in words.finditer(_plain(sentence)):
            said = stems(found[0])
            if said and shared_stems(said, known) == said:
                continue
            if not (is_translated and words.search(_plain(asked))):
                return False
    return True


def _plain(text: str) -> str:
    # Five times as fast as to ignore the case while looking.
    return text.lower().replace("ё", "е")
