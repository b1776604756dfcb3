"""Whether a text speaks of health, religion, politics, orientation or money: matters that are told of
nobody who did not ask for it.
"""

import re
from typing import Final

from bot.core.domain import GUILD_SUBJECT, Fact, Language
from bot.text.languages import rows
from bot.text.tokens import shared_stems, stems

_MATTERS: Final = rows(r"""
health: ill(?:ness(?:es)?)?|sick(?:ness)?|diseases?|diagnos\w+|cancer\w*|tumou?rs?|diabet\w+|hiv|aids|covid\w*
    |asthma\w*|epilep\w+|depress(?:ion|ive|ed)|bipolar|schizo\w+|autis\w+|adhd|ptsd|anxiety disorders?|panic attacks?
    |eating disorders?|suicid\w+|self-harm\w*|therap(?:y|ies|ist|ists)|psychiatr\w+|psychotherap\w+|medications?
    |medicines?|antidepressants?|chemo\w*|surger(?:y|ies)|hospital\w*|pregnan\w+|miscarr\w+|abortions?|infertil\w+
    |addict(?:ed|ion|ions)|alcoholi\w+|rehab|disabilit(?:y|ies)|disabled|symptoms?|болезн\w*|боле(?:ет|ют|л|ла|ли|ть)
    |заболе\w+|больн(?:ой|ая|ые|ым|ица|ице|ицу|ицы)|больнич\w+|диагноз\w*|рак(?:а|ом|е)?|опухол\w+|диабет\w*|вич
    |спид\w*|ковид\w*|астм\w+|эпилепс\w+|депресс\w+|биполярн\w+|шизо\w+|аутизм\w*|аутист\w*|сдвг|птср|паническ\w+
    |суицид\w*|самоубий\w+|самоповрежд\w+|терапи\w+|терапевт\w*|психиатр\w*|психотерап\w+|лекарств\w*|таблет\w+
    |антидепрессант\w*|химиотерап\w+|операци(?:я|ю|и|ей) на|госпитал\w+|беременн\w*|выкидыш\w*|аборт\w*|бесплод\w+
    |зависимост\w+ от|алкогол(?:изм|ик)\w*|наркоман\w*|инвалид\w*|симптом\w*|лечени\w+|лечит(?:ся)?|лечил(?:ся|ась)
religion: relig\w+|christ(?:ian|ians|ianity)|cathol\w+|protestants?|orthodox|muslims?|islam\w*|jew(?:s|ish)?|judais\w+
    |hindu\w*|buddhis\w+|atheis\w+|agnostic\w*|church(?:es)?|mosques?|synagogues?|pray(?:s|ed|ing|ers?)?|ramadan
    |baptis\w+|религи\w+|христиан\w*|католи\w+|протестант\w*|православн\w*|мусульман\w*|ислам\w*|евре[йяюе]\w*|иуда\w+
    |индуи\w+|будди\w+|атеи\w+|агностик\w*|церк(?:овь|ви|овью)|мечет\w+|синагог\w+|молит(?:ся|ься|ва|вы)
    |молил(?:ся|ась)|рамадан\w*|крестил\w*
politics: politic\w*|elections?|republicans?|democrats?|conservatives?|liberals?|socialis\w+|communis\w+|fascis\w+
    |nazis?|left-wing|right-wing|trump|biden|putin|protests?|protest(?:ed|ing)|activis\w+|trade unions?|политик\w*
    |политическ\w+|выборы президент\w*|на выборах|республикан\w*|демократ\w*|либерал\w*|социалист\w*|коммунис\w+
    |фаши\w+|нацис\w+|путин\w*|трамп\w*|байден\w*|навальн\w+|митинг\w*|протест\w*|активис\w+|оппозици\w+
orientation: gay|lesbians?|bisexual\w*|homosexual\w*|heterosexual\w*|asexual\w*|pansexual\w*|queer|transgender\w*
    |sexual\w*|lgbt\w*|came out as|coming out|гей|гея|геем|геи|лесбиян\w*|бисексуал\w*|гомосексуал\w*|гетеросексуал\w*
    |асексуал\w*|трансгендер\w*|сексуальн\w+|лгбт\w*
money: salar(?:y|ies)|incomes?|wages?|debts?|loans?|mortgages?|bankrupt\w*|overdraft\w*|in the red|(?:is|are|was|were
    |am) (?:\w+ )?broke|unemployment benefits?|welfare|net worth|savings|зарплат\w*|доход(?:ы|а|ов|ами)?
    |заработ\w+ (?:в месяц|в год)|долг(?:и|а|ов|ами|ах)?|кредит\w*|ипотек\w*|займ\w*|банкрот\w*|безденеж\w*|пособи\w+
    |сбережени\w+
""")


def _any(*tables: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w<@])(?:{'|'.join(tables)})(?!\w)")


_ANY: Final = _any(*(words for _, words in _MATTERS))
_EACH: Final = [_any(words) for _, words in _MATTERS]
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
    for words in _EACH:
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
