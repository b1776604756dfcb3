"""Secrets in what people write: each becomes `[secret]` before the words around it are kept."""

import re
import unicodedata
from typing import Final

from bot.memory.secret_codes import codes
from bot.memory.secret_commands import in_commands
from bot.memory.secret_numbers import without_numbers
from bot.memory.secret_passwords import credentials, passwords
from bot.memory.secret_phrases import LEAST_WORDS, may_hold_row, phrases, rows
from bot.memory.secret_settings import addresses, headers, keys
from bot.memory.secret_spans import MASK, Keywords, Span, without
from bot.memory.secret_tokens import LEAST_LONG, private_keys, without_tokens

__all__ = ["MASK", "holds_secret", "masked"]

_ABOUT_PASSWORDS: Final = Keywords(
    "pass",
    "pw",
    "kennw",
    "contrase",
    "clave",
    "senha",
    "wachtw",
    "парол",
    "пасс",
    "schlüssel",
    "hasło",
    "слов",
    "şifre",
)
_ABOUT_ACCOUNTS: Final = Keywords(
    "cred", "login", "log in", "acc", "sign in", "zugang", "логин", "доступ", "уч", "заходи"
)
_ABOUT_KEYS: Final = Keywords(
    "key",
    "oken",
    "ecret",
    "auth",
    "sig",
    "session",
    "cookie",
    "basic",
    "bearer",
    "jwt",
    "x-",
    "llave",
    "private",
    MASK,
    "токен",
    "ключ",
    "секрет",
    "schl",
)
_ABOUT_COMMANDS: Final = Keywords(" -", "/user:", "identified")
_ABOUT_PHRASES: Final = Keywords("rase", "seed", "covery ", "mnemo", "wallet w", "фраз", "сид", "мнемо")
_WORTH_A_LOOK: Final = Keywords(
    "pass",
    "pw",
    "rase",
    "clave",
    "seed",
    " -",
    "covery ",
    "kennw",
    "senha",
    "wachtw",
    "putty",
    "mnemo",
    "wallet w",
    "/user:",
    "--begin",
    "identified",
    "парол",
    "пасс",
    "schlüssel",
    "hasło",
    "слов",
    "şifre",
    "фраз",
    "сид",
    "мнемо",
)
"""One of those that follow here, some cut short so that they cover several."""

_HIDDEN: Final = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_MIXED: Final = re.compile(r"\w*(?:[A-Za-z][А-Яа-яё]|[А-Яа-яё][A-Za-z])\w*")
_ALIKE: Final = str.maketrans("асеорхуікАСЕОРХУІКВМТН", "aceopxyikACEOPXYIKBMTH")
_NO_DIGITS: Final = bytes(byte for byte in range(256) if byte not in b"0123456789")
_LONG: Final = 4 * LEAST_WORDS - 1
"""Characters of the shortest recovery phrase."""
_FEWEST_IN_CODE: Final = 3
"""Digits of the shortest code that is looked for."""
_FEWEST_IN_NUMBER: Final = 8
"""Digits of the shortest number of a card, an account or a person."""


def masked(text: str) -> str:
    """Return `text` with `[secret]` in the place of passwords, keys, tokens, and numbers of cards,
    accounts and people.

    Numbers count only if their check digits are right,
    and words after "password" only if they can be one. Letters
    that nobody sees, and those that only look like others,
    hide nothing; where nothing is hidden they stay. Done
    twice it changes nothing more. Nothing is raised, whatever the text.
    """
    if not text.isascii():
        seen = _as_seen(text)
        if seen != text:
            rest = _masked(seen)
            return rest if rest != seen else text
    return _masked(text)


def holds_secret(text: str) -> bool:
    """Return whether there is a secret in `text`, or the place where one was."""
    return MASK in masked(text)


def _masked(text: str) -> str:
    rest = _masked_once(text)
    while rest != text:
        text, rest = rest, _masked_once(rest)
    return text


def _as_seen(text: str) -> str:
    """Return `text` as a reader sees it: without invisible characters, full-width letters and borrowed alphabets."""
    seen = unicodedata.normalize("NFKC", text) if _has_wide(text) else text
    seen = _HIDDEN.sub("", seen)
    return _MIXED.sub(lambda found: found[0].translate(_ALIKE), seen)


def _has_wide(text: str) -> bool:
    return any("\uff01" <= letter <= "\uff5e" or "\U0001d400" <= letter <= "\U0001d7ff" for letter in text)


def _masked_once(text: str) -> str:
    """Return `text` after one pass over it with the patterns that its letters and digits may meet."""
    lowered = text.lower()
    digits = len(text.encode("utf-8", "ignore").translate(None, _NO_DIGITS))
    lengths = _lengths(text) if digits or len(text) >= _LONG else b""
    spans = _told(text, lowered) if _WORTH_A_LOOK.are_in(lowered) else []
    if "@" in text or "://" in text or "&" in text or "WIFI:" in text:
        spans += addresses(text)
    if len(text) >= _LONG and may_hold_row(text, lengths):
        spans += rows(text)
    if digits:
        spans += _told_with_digits(text, lowered, digits)
    if spans:
        text = without(text, spans)
    if not digits:
        return text
    longest = max(lengths, default=0)
    if longest >= LEAST_LONG:
        text = without_tokens(text, longest=longest)
    return without_numbers(text) if digits >= _FEWEST_IN_NUMBER else text


def _lengths(text: str) -> bytes:
    """Return the lengths of the words of `text`, in characters; of longer ones 255."""
    said = text.split()
    try:
        return bytes(map(len, said))
    except ValueError:
        return bytes(min(len(word), 255) for word in said)


def _told(text: str, lowered: str) -> list[Span]:
    """Return where the secrets lie that are told by the words and marks around them."""
    spans: list[Span] = []
    if _ABOUT_PASSWORDS.are_in(lowered):
        spans += passwords(text)
        spans += in_commands(text)
    elif _ABOUT_COMMANDS.are_in(lowered):
        spans += in_commands(text)
    if _ABOUT_PHRASES.are_in(lowered):
        spans += phrases(text)
    if "-----begin" in lowered or "putty" in lowered:
        spans += private_keys(text)
    return spans


def _told_with_digits(text: str, lowered: str, digits: int) -> list[Span]:
    """Return where the secrets lie that are told by words and hold so many `digits`."""
    spans: list[Span] = []
    if (":" in text or "/" in text or "|" in text) and _ABOUT_ACCOUNTS.are_in(lowered):
        spans += credentials(text)
    if _ABOUT_KEYS.are_in(lowered):
        spans += keys(text)
        spans += headers(text)
    if digits >= _FEWEST_IN_CODE:
        spans += codes(text, lowered, digits)
    return spans
