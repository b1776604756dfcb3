"""Keys and tokens in what people write, known by how they look: by plugins of detect-secrets, and by our own rules."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from detect_secrets.plugins.base import RegexBasedDetector

MASK: Final = "[secret]"
"""What stands in the place of a secret."""

LEAST_LONG: Final = 16
"""Characters of the shortest key that is known by its look alone."""

_KNOWN_KEY: Final = re.compile(
    r"""(?<![\w-])(?:
      sk-(?:ant-|proj-)?[\w-]{20,} | (?:sk|pk|rk)_(?:live|test)_\w{10,} | gh[pousr]_\w{20,} | github_pat_\w{20,}
    | xox[abeoprs]-[\w-]{10,} | AIza[\w-]{30,} | ya29\.[\w-]{20,} | npm_\w{30,} | pypi-[\w-]{30,} | hf_\w{30,}
    | eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)? | [A-Za-z][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{25,}
    )(?![\w-])""",
    re.VERBOSE,
)
"""Where the plugins know older forms alone, or only those that are whole."""

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
"""The plugins that look for tokens of one maker, by their expressions alone: none is told to verify, so none asks a
server. Those that go by entropy, by words or by addresses are not among them."""

_AROUND: Final = re.compile(r"[\s=:\"']*")
_END_OF_TOKEN: Final = re.compile(r"[\w-]*")
_LETTER_AND_DIGIT: Final = re.compile(r"(?=\S*[A-Za-z])(?=\S*\d)")


def without_private_keys(text: str) -> str:
    """Return `text` with private keys masked, each from its first line to its last."""
    return _PRIVATE_KEY.sub(MASK, text)


def without_tokens(text: str, lowered: str, *, longest: int) -> str:
    """Return `text` with tokens of known makers masked.

    `lowered` is the text in lower case, `longest` the characters of its longest word.
    """
    text = _KNOWN_KEY.sub(MASK, text)
    for family in _FAMILIES:
        if longest < family.longest or not _is_marked(lowered if family.in_lower_case else text, family):
            continue
        for pattern in _patterns(family):
            text = _masked(text, pattern)
    return text


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
