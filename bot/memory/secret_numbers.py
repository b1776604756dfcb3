"""Numbers in what people write that open an account or stand for a person, known by their check digits."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from stdnum import iban, luhn
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.in_ import aadhaar
from stdnum.nl import bsn
from stdnum.pl import pesel
from stdnum.ru import inn
from stdnum.us import itin, ssn

from bot.memory.secret_spans import MASK

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
