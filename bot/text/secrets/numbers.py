"""Secret numbers: codes of cards, doors and log-ins, numbers of papers, and numbers with check digits that
open an account or stand for a person.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from stdnum import iban, luhn
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.in_ import aadhaar
from stdnum.nl import bsn
from stdnum.pl import pesel
from stdnum.ru import inn
from stdnum.us import itin, ssn

from bot.text.languages import filled, rows
from bot.text.secrets.spans import MASK, Keywords, Span

_FLAGS: Final = re.VERBOSE | re.IGNORECASE
_OF: Final = (
    r"(?:\s+(?:of|for|to|from|on|at|от|для|к|на|из|в|с|der|des|für|vom|zur|zum|de|del|della"
    r"|du)\s+[\w'’.\"-]+(?:\s+[\w'’.\"-]+){0,2}?)?"
)
_LINK: Final = (
    r"""[\"'`*_]*\s*(?:(?:=>|->|→|[:=：—–…]|\s-\s)[\"'`*_|\s]*|(?:\s*(?:is|was|are|ist|lautet|es|est|è|é|to"""
    r"""|это|теперь|будет|['’]s)\b)"""
    r"""(?:\s+(?:now|теперь|jetzt|ahora))?\s*:?[\"'`*_|\s]*|[\"'`*_|\s]+)"""
)
_DIGITS: Final = r"[#*]?\d(?:[ -]?\d){3,9}[#*]?(?![\w-])"
_CODE: Final = (
    r"(?:(?-i:(?=[A-Z]*\d)[A-Z\d]{5,8}(?!\w))|\d{3}[ -]\d{3,4}(?!\w)"
    r"|(?=(?:[^\d\s]*\d){3})[#*\w](?:[\w#*-]){3,13}(?:[ -]\d{2,4}(?!\w)){0,3})"
)

_PARTS: Final = {"of": _OF, "link": _LINK, "digits": _DIGITS, "code": _CODE}
_CODES: Final = tuple(
    (Keywords(keywords), re.compile(filled(pattern, _PARTS), _FLAGS))
    for keywords, pattern in rows(r"""
pin|puk|пин|пук: (?=[pп])(?<!gpio\s)(?<!connect\s)(?<![^\W_])(?:pin(?:[\s-]?(?:code|number|nummer))?s?
    |пин(?:[\s-]?код)?[аы]?|puk(?:[\s-]?code)?|пук-?код)(?:\s+(?:карты|телефона|симки|сим-карты|сейфа|банка)
    |{of}){link}(?P<secret>{digits})
code|comb|otp|2fa|number|pin|código|codice: (?<!\w)(?=[dgeblasvpkrco2muztwf])(?:(?:google|whatsapp|telegram|discord
    |apple|steam|bank|phone|bike|door|gate|garage|entry|building|lobby|alarm|safe|vault|lock(?:er|box)?|padlock|keypad
    |access|security|backup|recovery|verification|confirmation|login|log-in|one[\s-]time|auth(?:enticat(?:ion|or))?
    |2fa|mfa|otp|sms|activation|unlock|steam\sguard|gift\scard)\s?-?(?:codes?|combination|combo|pin|number)|otp|totp
    |2fa|t[üu]rcode|zugangscode|sicherheitscode|código\s(?:de\s)?\w+|codice\s\w+
    |code\sd['’e]\s?\w+){of}{link}(?P<secret>{code}(?:[\s,;]+{code})*)
код|комбин: (?<!\w)(?:код(?:ы)?(?:\s+(?:от|из|для|на|к)\s+\w+(?:\s+\w+)?|\s+(?:домофона|подтверждения|доступа
    |безопасности|сейфа|двери|подъезда|сигнализации|калитки|ворот|активации|смс|входа))
    |комбинация(?:\s+(?:от|к)?\s*\w+)?){link}(?P<secret>{code}(?:[\s,;]+{code})*)
code|код: (?<!\w)(?:your|my|the|our|ваш|твой|мой)\s+(?!(?:zip|postal|post|error|exit|status|country|area|promo
    |discount|product|source|bar|qr|hex)\b)(?:[\w-]+\s+)?(?:code|код){link}(?P<secret>\d{3}[ -]?\d{3,5})(?![\w-])
code: (?<!\w)code\s+(?:for|of|to)\s+(?:(?:the|my|our)\s+)?(?:\w+\s)?(?:garage|door|gate|safe|alarm|building|house|flat
    |lock|locker|vault|bike|entrance|suitcase|phone|tablet|elevator){link}(?P<secret>{code})
with: (?<!\w)(?:opens?|unlocks?)\s+with\s+(?:the\s+)?(?:code\s+|pin\s+)?(?P<secret>[#*]?\d{4,8}[#*]?)(?![\w.])
домоф: (?<!\w)домофон\w*\W{1,3}(?:код\W+)?(?P<secret>{code})
cvv|cvc|cv2|код: (?<!\w)(?:cv[vc]2?(?:\scode)?|код\ безопасности){link}(?P<secret>\d{3,4})(?!\w)
[secret]: \[secret\]\s*[|/;,]\s*(?:exp\.?\s*)?\d\d\s*[|/]\s*(?:20)?\d\d\s*[|/;,]\s*(?P<secret>\d{3,4})(?!\w)
""")
)

_PAPER: Final = (
    r"""(?:(?:за)?гран\s?-?паспорт\w*|загран\w*|паспорт\w*|passports?|reisepass\w*"""
    r"""|(?:personal)?ausweis(?:nummer)?|pasaporte|passeport|passaporto|paszport\w*"""
    r"""|dni|nie|nif|(?:driver['’]?s?|driving)\s+licen[cs]e|id[\s-]card|identity\s+card|national\s+id"""
    r"""|green\s+card|f[üu]hrerschein|permiso\sde\sconducir"""
    r"""|водительск\w+(?:\s+(?:прав\w*|удостоверени\w*))?|права|в/у|удостоверени\w*|свидетельств\w*"""
    r"""|permis\sde\sconduire|carta\sd['’]identità)"""
)
_BEFORE_NUMBER: Final = (
    r"""[\"'`*_]*(?:[\s:=—–.,№\#-]|\b(?:number|num|no|nr|nummer|номер|данные|серии|серия|сер|n[uú]mero"""
    r"""|numéro|is|it['’]s|ist|es|est|è|это|мой|у\sменя|my|lautet|рф|ru|of|the|with)\b)*"""
    r"""[\"'`*_|]*"""
)
_PAPER_NUMBER: Final = (
    r"""(?:[A-Z]{5}\d{6}[A-Z\d]{5}|\d\d\s?\d\d(?:[\s,]|№|номер|N)*\d{6}|\d\d\s?№?\s?\d{7}"""
    r"""|[A-Za-z]{1,3}-?\d{6,8}[A-Za-z]?|\d{8,9}-?[A-Za-z]?"""
    r"""|\d\d\s?[А-ЯA-Z]{2}\s?\d{6}|(?=(?:[A-Z]*\d){4})[CFGHJKLMNPRTVWXYZ\d]{9,10})(?![\w-])"""
)
_PAPERS: Final = (
    re.compile(rf"(?<!\w){_PAPER}{_BEFORE_NUMBER}(?P<secret>{_PAPER_NUMBER})", re.IGNORECASE),
    re.compile(
        r"(?<!\w)сери[яи]\s+(?P<secret>\d\d\s?\d\d\s*,?\s*(?:№|номер|N)\s*\d{6})(?!\w)", re.IGNORECASE
    ),
    re.compile(
        r"(?<!\w)(?:bank\s+)?(?:account|acct|a/c|konto|cuenta|compte)\s?-?(?:number|no\.?|nr\.?|nummer"
        r"|\#)?[\s:=]+(?:is\s+)?(?P<secret>\d(?:[ -]?\d){7,17})(?![\w-])",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\w)(?:р/с|рас[чс]\S*\s+сч[её]т\w*|номер\s+сч[её]та"
        r"|л/с)[\s:=—№-]*(?P<secret>\d(?:[ -]?\d){15,19})(?![\w-])",
        re.IGNORECASE,
    ),
)
_ABOUT_CODES: Final = Keywords(
    f"code|pin|puk|comb|cv|otp|2fa|lock|open|{MASK}|домоф|код|пин|пук|комбин|código"
)
_ABOUT_PAPERS: Final = Keywords(
    "passp|паспорт|ausweis|pasapor|passeport|passapor|paszport|dni|nie |nie:|nif|licen|card|onal id|"
    "id-card|загран|водит|прав|в/у|удост|свид|сери|schein|permis|carta|account|acct|konto|cuenta|compte|"
    "р/с|счет|счёт|л/с|a/c|reisepass"
)


def codes(text: str, lowered: str, digits: int) -> Iterator[Span]:
    """Return where codes and numbers of papers lie; `lowered` is the text in lower case, with so many `digits`."""
    for keywords, pattern in _CODES if _ABOUT_CODES.are_in(lowered) else ():
        if keywords.are_in(lowered):
            for found in pattern.finditer(text):
                yield found.span("secret")
    if digits >= 6 and _ABOUT_PAPERS.are_in(lowered):
        for pattern in _PAPERS:
            for found in pattern.finditer(text):
                yield found.span("secret")


_LONG: Final = re.compile(r"\d[\d .-]{7,}\d|[A-Za-z]{2}\d\d[ -]?[A-Za-z\d]{4}")
"""What every such number holds."""

_CARD: Final = re.compile(
    r"(?<![\w@#&/.-])(?:[2-6]\d{3}(?:[ .-]?\d{4}){3}(?:[ .-]?\d{3})?|3\d{3}[ .-]?\d{6}[ .-]?\d{4,5})(?![\w-])"
)
_CARDS: Final[Mapping[int, re.Pattern[str]]] = {
    14: re.compile(r"3(?:0[0-5]|[68])"),
    15: re.compile(r"3[47]"),
    16: re.compile(r"4|5[0-8]|6|2[2-7]|35"),
    19: re.compile(r"62|4"),
}
"""How the number of a card begins, by how many digits it has; ids of Discord begin otherwise."""

_IBAN: Final = re.compile(
    r"(?<!\w)[A-Z]{2}\d\d(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?(?!\w)", re.IGNORECASE
)
_SOCIAL: Final = re.compile(r"(?<![\w-])\d{3}-\d\d-\d{4}(?![\w-])")


def _is_of_person_in_russia(number: str) -> bool:
    """Tell whether a Russian tax number is a person's: those of companies are public, and shorter."""
    return len(number) == 12 and inn.is_valid(number)


def _is_insured_in_russia(number: str) -> bool:
    """Tell whether the check digits of a number of the Russian pension insurance are right."""
    total = sum(int(digit) * weight for digit, weight in zip(number[:9], range(9, 0, -1), strict=False))
    return len(number) == 11 and total % 101 % 100 == int(number[9:])


_NAMED: Final[Mapping[str, Callable[[str], bool]]] = {
    "ssn": ssn.is_valid,
    "social security": ssn.is_valid,
    "itin": itin.is_valid,
    "sin": sin.is_valid,
    "social insurance": sin.is_valid,
    "cpf": cpf.is_valid,
    "pesel": pesel.is_valid,
    "bsn": bsn.is_valid,
    "aadhaar": aadhaar.is_valid,
    "инн": _is_of_person_in_russia,
    "снилс": _is_insured_in_russia,
}
"""Numbers of persons that look like any other, by the words before them, and whether so many digits can be one."""

_NUMBER_NAMED: Final = re.compile(
    rf"(?<!\w)(?P<name>{'|'.join(_NAMED)})(?!\w)[^\d\n]{{1,30}}?(?P<number>\d(?:[ .-]?\d){{7,13}})(?!\w)",
    re.IGNORECASE,
)


def without_numbers(text: str) -> str:
    """Return `text` with the numbers of cards, accounts and persons masked."""
    if _LONG.search(text) is None:
        return text
    text = _CARD.sub(lambda found: MASK if _is_card(re.sub(r"\D", "", found[0])) else found[0], text)
    text = _IBAN.sub(_without_account, text)
    text = _SOCIAL.sub(lambda found: MASK if ssn.is_valid(found[0]) else found[0], text)
    return _NUMBER_NAMED.sub(_of_person, text)


def _without_account(found: re.Match[str]) -> str:
    """Return the match with the account masked that it begins with; a word in it may be none of the account's."""
    account = found[0]
    while account and not iban.is_valid(account):
        account = account[: max(account.rfind(" "), account.rfind("-"), 0)]
    return MASK + found[0][len(account) :] if account else found[0]


def _of_person(found: re.Match[str]) -> str:
    """Return the match with its number masked, if it can be what it is called."""
    is_valid = _NAMED[found["name"].lower()]
    return _without_number(found) if is_valid(re.sub(r"\D", "", found["number"])) else found[0]


def _without_number(found: re.Match[str]) -> str:
    return found[0][: found.start("number") - found.start()] + MASK


def _is_card(number: str) -> bool:
    """Tell whether `number` begins and ends as the number of a card does."""
    begins = _CARDS.get(len(number))
    return begins is not None and begins.match(number) is not None and luhn.is_valid(number)
