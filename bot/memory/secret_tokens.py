"""Keys and tokens in what people write, known by how they look: by plugins of detect-secrets, and by our own rules."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from bot.memory.secret_spans import MASK, Span

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
