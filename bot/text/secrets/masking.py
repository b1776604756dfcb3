"""Masking of secrets: each becomes `[secret]` before the words around it are kept. Those that are known by
how they look, keys of services and recovery phrases of wallets, are found here as well.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from bot.text.secrets.credentials import (
    addresses,
    command_secrets,
    credentials,
    headers,
    named_keys,
    passwords,
)
from bot.text.secrets.numbers import codes, without_numbers
from bot.text.secrets.spans import MASK, Keywords, Span, without
from bot.text.tokens import words

if TYPE_CHECKING:
    from detect_secrets.plugins.base import RegexBasedDetector


LEAST_LONG: Final = 16
"""Characters of the shortest key that is known by its look alone."""

_KNOWN_KEY: Final = re.compile(
    r"""(?<![A-Za-z0-9+])(?:
      sk-(?:[a-z]{2,10}\d{0,2}-)*[\w-]{20,} | [spr]k_(?:live|test|prod)_\w{10,}
    | (?:rzp|pk|sk|live|test|prod)_(?:live_|test_)?[A-Za-z0-9]{14,}
    | gh[pousr]_\w{20,} | github_pat_\w{20,} | gl[a-z]{2,5}-[\w-]{20,} | GR1348941[\w-]{20}
    | x(?:ox[abceoprs]|app|oxe\.xox[bp])-[\w-]{10,} | AIza[\w-]{30,} | ya29\.[\w-]{20,} | GOCSPX-[\w-]{20,}
    | [14]//0[\w-]{30,}
    | (?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16} | LTAI[\w]{12,24} | AKID\w{32}
    | (?:AQVN|YC[AMOPNS])[\w-]{30,} | y[0-6]_[\w-]{50,} | t1\.[\w-]{50,}
    | vk1\.a\.[\w-]{60,} | EAA[A-Za-z0-9_-]{50,} | IGQ[\w-]{50,} | A{15,}[\w%]{40,} | mfa\.[\w-]{60,}
    | eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3} | [A-Za-z][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{25,}
    | [a-z]{2,6}_(?:eyJ[\w+/=-]{20,}|[\w+/=-]{60,}) | [A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}
    | hv[sbr]\.[\w-]{24,}
    | (?:dp|dt0[cs]\d\d|xkeys?ib|SG|pat|NRAK|lsv2|vcp|pa)[._-](?:[A-Za-z0-9]{1,40}[._-])*[A-Za-z0-9]{20,}
    | FlyV1\s+fm\d_[\w+/=,-]{20,} | fm\d_[\w+/=,-]{40,} | dapi[0-9a-f]{32}(?:-\d)? | cio[A-Za-z0-9]{32}
    | oy2[a-z0-9]{43} | pypi-[\w-]{30,}
    | key-[0-9a-f]{32} | ATATT3[\w=-]{50,} | ATCTT3[\w=-]{50,} | ATBB\w{24,} | AKCp\w{10,}
    | [tT]lk_[\w-]{20,} | \w{3}[78]Q~[\w.~-]{31,34}
    | (?:access|link)-(?:production|development|sandbox)-[0-9a-f-]{36}
    | [A-Z]{3,10}-(?:[a-z]{2}\d?-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
    | pat-[a-z]{2}\d-[0-9a-f-]{36} | FLWSECK(?:_TEST|_PROD)?-[\w-]{12,} | AGE-SECRET-KEY-1[A-Z0-9]{40,}
    | [xyzt]prv[1-9A-HJ-NP-Za-km-z]{80,}
    | (?:[KL][1-9A-HJ-NP-Za-km-z]{51}|5[1-9A-HJ-NP-Za-km-z]{50})(?![\w/+=]) | A3(?:-[A-Z0-9]{5,6}){5,6}
    | \d/\d{6,}(?:/\d{6,})?:[0-9a-f]{32}
    | v1\.0-[0-9a-f]{24}-[0-9a-f]{100,} | pat[A-Za-z0-9]{14}\.[0-9a-f]{40,} | (?<=oauth:)[a-z0-9]{30}
    | (?<![+/.\w-])(?P<unknown>(?P<maker>[A-Za-z]\w{1,11}?)[_.-](?P<tail>[\w-]{20,}))
    )[\w-]*={0,2}""",
    re.VERBOSE,
)
"""Keys that tell their maker by how they begin; the last line is for makers whom nobody has heard of yet."""

_LONG_WORD: Final = re.compile(rf"(?:FlyV1 )?\S{{{LEAST_LONG},}}")
_CHANGE: Final = re.compile(r"(?<=[a-z])[A-Z0-9]|(?<=[A-Z])[0-9]|(?<=[0-9])[A-Za-z]")
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_NO_KEY: Final = re.compile(
    r"(?:sha\d*|md5|commit|img|image|photo|video|screenshot|uuid|id|build|linux|python|node|lib)[_-]",
    re.IGNORECASE,
)
"""How hashes and names of files begin."""

_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)"
    r"|PuTTY-User-Key-File-\d.*",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Family:
    """One plugin, and what a text has to hold before it is asked."""

    module: str
    plugin: str
    markers: tuple[str, ...]
    """One of these; in lower case where the plugin takes letters of either case."""
    in_lower_case: bool = False
    longest: int = LEAST_LONG
    """Characters that the longest word has at least."""


_ASSIGNED: Final = ("key", "pwd", "pw", "pass", "token")

_FAMILIES: Final = (
    _Family("artifactory", "ArtifactoryDetector", ("AKC", "AP")),
    _Family("aws", "AWSKeyDetector", ("A3T", "ABIA", "ACCA", "AKIA", "ASIA", "aws", "AWS")),
    _Family("azure_storage_key", "AzureStorageKeyDetector", ("AccountKey=",)),
    _Family("cloudant", "CloudantDetector", _ASSIGNED, in_lower_case=True, longest=24),
    _Family("gitlab_token", "GitLabTokenDetector", ("gl", "GR1348941")),
    _Family("ibm_cloud_iam", "IbmCloudIamDetector", _ASSIGNED, in_lower_case=True, longest=44),
    _Family("ibm_cos_hmac", "IbmCosHmacDetector", ("secret",), in_lower_case=True, longest=48),
    _Family("mailchimp", "MailchimpDetector", ("-us",)),
    _Family("npm", "NpmDetector", (":_authToken=",)),
    _Family("sendgrid", "SendGridDetector", ("SG.",)),
    _Family("slack", "SlackDetector", ("xox", "slack.com"), in_lower_case=True),
    _Family("softlayer", "SoftlayerDetector", ("softlayer", *_ASSIGNED), in_lower_case=True, longest=64),
    _Family("square_oauth", "SquareOAuthDetector", ("sq0csp-",)),
    _Family("telegram_token", "TelegramBotTokenDetector", (":",), longest=44),
    _Family("twilio", "TwilioKeyDetector", ("AC", "SK"), longest=34),
)
"""The plugins that look for tokens of one maker, by their expressions alone: none is told to verify,
so none asks a
server. Those that go by entropy, by words or by addresses are not among them."""

_AROUND: Final = re.compile(r"[\s=:\"']*")
_END_OF_TOKEN: Final = re.compile(r"[\w-]*")
_LETTER_AND_DIGIT: Final = re.compile(r"(?=\S*[A-Za-z])(?=\S*\d)")


def private_keys(text: str) -> Iterator[Span]:
    """Return where private keys lie in `text`, each from its first line to its last."""
    for found in _PRIVATE_KEY.finditer(text):
        yield found.span()


def without_tokens(text: str, *, longest: int) -> str:
    """Return `text` with tokens of known makers masked; `longest` is how many characters its longest word has."""
    text = _LONG_WORD.sub(lambda found: _KNOWN_KEY.sub(_without_key, found[0]), text)
    lowered = text.lower()
    for family in _FAMILIES:
        if longest < family.longest or not _is_marked(lowered if family.in_lower_case else text, family):
            continue
        for pattern in _patterns(family):
            text = _masked(text, pattern)
    return text


def _without_key(found: re.Match[str]) -> str:
    """Return the mask, or the match where it is a word, a name with a date, or a hash that says so."""
    if not _LETTER_AND_DIGIT.match(found[0]):
        return found[0]
    if found["unknown"] is None:
        return MASK
    tail = found["tail"]
    if _NO_KEY.match(found[0]) or _UUID.search(found[0]) or 5 * len(_CHANGE.findall(tail)) < len(tail):
        return found[0]
    return MASK


def _is_marked(text: str, family: _Family) -> bool:
    # A loop over plain searches takes a tenth of what one expression with all of them takes.
    for marker in family.markers:  # noqa: SIM110
        if marker in text:
            return True
    return False


@cache
def _patterns(family: _Family) -> Sequence[re.Pattern[str]]:
    """Return the expressions of a plugin; the library is loaded by the first text that needs it."""
    # The plugins themselves tell what they found and not where, and of some tokens only the first letters.
    plugin: type[RegexBasedDetector] = getattr(
        import_module(f"detect_secrets.plugins.{family.module}"), family.plugin
    )
    return tuple(plugin.denylist)  # type: ignore[arg-type]


def _masked(text: str, pattern: re.Pattern[str]) -> str:
    """Return `text` with what `pattern` finds masked, to the token's very end; without a digit it is a word."""
    parts: list[str] = []
    done = 0
    for found in pattern.finditer(text):
        begin, end = _span(found)
        if begin < done or not _LETTER_AND_DIGIT.match(text, begin, end):
            continue
        parts += [text[done:begin], MASK]
        done = end
    return "".join([*parts, text[done:]])


def _span(found: re.Match[str]) -> tuple[int, int]:
    """Return where the token lies that was found: in the longest group that can be one, else in all of it."""
    spans = [found.span(number) for number in range(1, 1 + len(found.groups()))]
    begin, end = max(spans, key=lambda span: span[1] - span[0], default=found.span())
    if end - begin < LEAST_LONG:
        begin, end = found.span()
    before, after = _AROUND.match(found.string, begin, end), found.string[:end].rstrip(" \t\r\n\"'")
    begin, end = before.end() if before is not None else begin, len(after)
    rest = _END_OF_TOKEN.match(found.string, end)
    return begin, rest.end() if rest is not None else end


LEAST_WORDS: Final = 12
"""Words of the shortest recovery phrase of a wallet."""

_LENGTHS: Final = frozenset({12, 15, 18, 21, 24})
"""How many words recovery phrases have."""

_ROW_OF_LENGTHS: Final = re.compile(rb"[\x03-\x0a]{%d}" % LEAST_WORDS)
"""How long words of a row are, with a mark behind them."""

_FLAGS: Final = re.VERBOSE | re.IGNORECASE
_NAMED: Final = re.compile(
    r"""(?<!\w)(?=[psrbmwсмfк])(?:(?:pass|seed|recovery|backup|secret|mnemonic|wallet)[\s-]?(?:phrases?|words|seed|mnemonic)|mnemonics?|seed|recovery\s(?:key|codes?)
    |(?:сид|кодов\w+|секретн\w+|мнемоническ\w+)[\s-]фраз[аыу]|сидк?а?|мнемоника|frase\s(?:semilla|de\srecuperación)|wiederherstellungsphrase)
    (?:\s+(?:for|to|of|от|для|к)\s+[\w'’-]+(?:\s+[\w'’-]+){0,2}?)?
    (?P<link>\s*(?:[:=—–]|->|=>)\s*|\s+(?:is|are|was|это|es|ist)\s*:?\s+|\s+-\s+|\s*\n\s*)
    [\"'`*|«“]*(?!\[secret\])(?P<secret>[^\W\d_]+(?:[\s-]+[^\W\d_]+){2,23})""",
    _FLAGS,
)
_GAP: Final = r"(?:[\s|]+|\s*->\s*)"
_WORD: Final = r"[A-Za-z]{3,8}"
_NUMBERED: Final = rf"\d{{1,2}}\s?[.):]?\s?{_WORD}"
_ROW: Final = re.compile(
    rf"(?<!\w){_WORD}(?:{_GAP}{_WORD}(?!\w)){{{LEAST_WORDS - 1},}}|(?<!\w){_NUMBERED}(?:{_GAP}{_NUMBERED}"
    rf"(?!\w)){{{LEAST_WORDS - 1},}}"
)
_OF_SENTENCES: Final = words(
    """the and for are but not was has had his him her hers she our ours who how why does did been were its from them
    some than would could should your yours which their theirs these those where while with about went got getting going
    said says came made make want wants need needs because after before very much many also always never maybe
    really think thought know knew see saw look looks using used try tried trying work works working please thanks
    yes yeah that this have just what when will can you they there then get all out one like any now here into over
    per los las del que una por para con como pero und der die das ist ein eine nicht mit auf les des est pas pour
    should cant dont doesnt didnt isnt"""
)
_INFLECTED: Final = re.compile(r"(?<![sui])s$|ings?$|ed$")
"""How words end that the wallets' lists hardly have."""

_BOUNDS: Final = "\n\r:;,.!?\"'`*|«»“”()[]=>-_~"
"""Marks that part a row of words from a sentence around it."""

_LETTERS: Final = re.compile(r"[^\W\d_]+")


def phrases(text: str) -> Iterator[Span]:
    """Return where recovery phrases lie that are called so."""
    for found in _NAMED.finditer(text):
        if _strangers(found["secret"]) <= len(found["secret"].split()) // 6:
            yield found.span("secret")


def may_hold_row(text: str, lengths: bytes) -> bool:
    """Tell whether there may be a row of so many words in `text`, whose words have these `lengths`, at most 255."""
    if len(lengths) < LEAST_WORDS:
        return max(text.count("|"), text.count("->")) >= LEAST_WORDS - 1
    return _ROW_OF_LENGTHS.search(lengths) is not None or "12" in text


def rows(text: str) -> Iterator[Span]:
    """Return where just so many different words stand in a row by themselves that are no sentence."""
    for found in _ROW.finditer(text):
        said = _LETTERS.findall(found[0].lower())
        if (
            MASK not in found[0]
            and _stands_alone(text, *found.span())
            and len(said) in _LENGTHS
            # One of two thousand words comes twice now and then; the same word again and again is fun.
            and len(set(said)) >= len(said) - 1
            and _strangers(found[0]) <= len(said) // 6
        ):
            yield found.span()


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Tell whether what lies between `start` and `end` is a line by itself, or set off by marks on both sides."""
    before, after = text[:start].rstrip(" \t"), text[end:].lstrip(" \t")
    return (not before or before[-1] in _BOUNDS) and (not after or after[0] in _BOUNDS)


def _strangers(told: str) -> int:
    """Return how many words of `told` no list of a wallet has: those that hold sentences together, and endings."""
    said = _LETTERS.findall(told.lower())
    return sum(word in _OF_SENTENCES or _INFLECTED.search(word) is not None for word in said)


_ABOUT_PASSWORDS: Final = Keywords(
    "pass|pw|kennw|contrase|clave|senha|wachtw|парол|пасс|schlüssel|hasło|слов|şifre"
)
_ABOUT_ACCOUNTS: Final = Keywords("cred|login|log in|acc|sign in|zugang|логин|доступ|уч|заходи")
_ABOUT_KEYS: Final = Keywords(
    f"{MASK}|key|oken|ecret|auth|sig|session|cookie|basic|bearer|jwt|x-|llave|private|токен|ключ|секрет|schl"
)
_ABOUT_COMMANDS: Final = Keywords(" -|/user:|identified")
_ABOUT_PHRASES: Final = Keywords("rase|seed|covery |mnemo|wallet w|фраз|сид|мнемо")
_WORTH_A_LOOK: Final = Keywords(
    "pass|pw|rase|clave|seed| -|covery |kennw|senha|wachtw|putty|mnemo|wallet w|/user:|--begin|identified|"
    "парол|пасс|schlüssel|hasło|слов|şifre|фраз|сид|мнемо"
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
            rest = _secrets_masked(seen)
            return rest if rest != seen else text
    return _secrets_masked(text)


def holds_secret(text: str) -> bool:
    """Return whether there is a secret in `text`, or the place where one was."""
    return MASK in masked(text)


def _secrets_masked(text: str) -> str:
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
        spans += command_secrets(text)
    elif _ABOUT_COMMANDS.are_in(lowered):
        spans += command_secrets(text)
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
        spans += named_keys(text)
        spans += headers(text)
    if digits >= _FEWEST_IN_CODE:
        spans += codes(text, lowered, digits)
    return spans
