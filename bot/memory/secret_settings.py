"""Keys that are called keys, and secrets in settings, in headers of requests and in addresses."""

import re
from collections.abc import Iterator
from typing import Final

from bot.memory.secret_spans import Keywords, Span
from bot.memory.secret_vocabulary import FOR, PLACEHOLDER

_FLAGS: Final = re.VERBOSE | re.IGNORECASE
_MIXED: Final = r"(?=[\w+/=.~%-]*\d)(?=[\w+/=.~%-]*[A-Za-z])"
_VALUE: Final = rf"{_MIXED}[\w+/=.~%-]"

_KEY: Final = re.compile(
    rf"""(?=[tksbjcpcltткс])(?<!public\s)(?<!public_)(?<!primary\s)(?<!foreign\s)(?<!ssh\s)(?<!gpg\s)(?<![^\W_]hot)
    (?P<name>token|key|private|secret|passkey|credential|bearer|jwt|cookie|session|токен|ключ|секрет|schlüssel
        |clave|llave)s?
    (?:[\s_.-]?(?:id|api|апи|доступа|base|hash|key|token|value|pat))*(?![^\W_])
    (?:\s*\[\w+\])?(?P<link>[\"'`*_)\]]*{FOR}[\"'`*_)\]]*(?:\s{{0,3}}(?:=+>|-+>|→|:=|=+|:|：)
        |\s+(?:is|was|are|это|ist|es|to\ be)(?:\s+now)?:?(?=\s)
        |\s*[—–]|\s+-(?=\s)|['’]s(?=\s)|\s*\n|(?:\s+[\w-]+){{0,3}}?(?=\s)))
    (?:[\s({{\[]|\*\*|```(?:\w*\n)?|[\"'`|“«])*(?P<secret>(?:\d{{8,10}}:)?{_VALUE}{{8,}})""",
    _FLAGS,
)
_NO_KEY: Final = re.compile(
    r"[/~.]|[\w.-]+\.(?:\w{2,4}|html)$|\d+(?:st|nd|rd|th|ms|min|am|pm|k|mb|gb)$"
    r"|\[secret|\w+://",
    re.IGNORECASE,
)
"""A path, a file, an amount."""
_OF_PUBLIC: Final = re.compile(
    r"\b(?:commit|hash|sha\d*|md5|checksum|digest|fingerprint|address|uuid|id"
    r"|guid|version|model)\b",
    re.IGNORECASE,
)
_LONG_GAP: Final = 20
"""Characters of a key which merely follows the word, or other words after it."""

_HEADERS: Final = tuple(
    (Keywords(*keywords), re.compile(pattern, _FLAGS))
    for keywords, pattern in (
        (
            ("authorization",),
            r"authorization[\"']?\s*[:=]\s*[\"']?(?:basic|bearer|token|apikey|key"
            r"|negotiate|ntlm|splunk)\s+(?P<secret>(?!null)[\w+/=.~-]{8,})",
        ),
        (
            ("sharedkey",),
            r"authorization[\"']?\s*[:=]\s*[\"']?sharedkey(?:lite)?\s+[\w-]+:(?P<secret>[\w+/=]{16,})",
        ),
        (
            ("basic",),
            rf"(?<!\w)(?:basic(?:\s+auth(?:entication|orization)?)?(?:\s+(?:is"
            rf"|header))?:?)\s+(?P<secret>{_VALUE}{{12,}})",
        ),
        (("bearer",), rf"(?<!\w)bearer:?\s+(?P<secret>{_VALUE}{{16,}})"),
        (
            ("key", "token", "secret", "auth", "signature", "pat"),
            rf"(?<!\w)(?:x|api|apikey|private|deploy"
            rf"|job)-(?:[\w-]+-)?(?:key|token|secret|auth|signature(?:-\d+)?"
            rf"|pat)[\"']?\s*[:=]\s*[\"']?(?:sha\d+=|v\d+=|hmac\s+)?"
            rf"(?P<secret>{_VALUE}{{8,}})",
        ),
        (
            ("sig", "response", "hmac"),
            rf"(?<![^\W_])(?:signature|sig|response|hmac"
            rf"|nonce_sig)[\"']?\s*[=:]\s*[\"']?(?:sha\d+=)?(?P<secret>{_VALUE}{{24,}})",
        ),
    )
)
_PAIR: Final = re.compile(
    r"\[secret\][\s/,:;|&\"']+(?P<secret>(?=[A-Za-z+/]*\d)[A-Za-z0-9+/]{40})(?![\w+/=])"
)
"""The second half of a pair of keys whose first half is masked."""
_COOKIES: Final = re.compile(r"(?<!\w)(?:set-)?cookie:\s*(?P<all>[^\n]+)", re.IGNORECASE)
_COOKIE: Final = re.compile(r"=\s*(?P<secret>[^\s;,\"']{12,})")

_ADDRESSES: Final = tuple(
    (marker, other, re.compile(pattern, _FLAGS))
    for (marker, other), pattern in (
        (("://", "@"), r"://[^\s/:@]*:(?!\[secret\]@)(?P<secret>[^\s/@]+)(?=@)"),
        (("://", "@"), r"://(?P<secret>(?=\w*\d)(?=\w*[A-Za-z])[\w-]{20,})@"),
        (("/webhooks/", "://"), r"/webhooks/\d+/(?!\[secret\])(?P<secret>[\w-]+)"),
        (
            ("=", "://"),
            r"[?&;](?:[\w.-]*(?:pass(?:word|wd)?|pwd|token|secret|signature)|api_?key|apikey|key"
            r"|sig|auth|sid|session(?:id)?|code)="
            r"(?P<secret>(?=[^\s&\#\"'<>]*\d)[^\s&\#\"'<>;]{12,})",
        ),
        (("=", "access_token"), r"[?&]access_token=(?P<secret>[^\s&\#\"'<>;]{12,})"),
        (("pass", "="), r"[?&](?:pass(?:word|wd)?|pwd)=(?P<secret>[^\s&\#\"'<>]{3,})"),
        (
            ("@", ":"),
            r"(?<![\w/.:@-])(?!(?:e-?mail|mailto|mail|contact|from|to|cc|sips?|xmpp|acct|paypal"
            r"|почта|мыло)\b)[\w.+-]+:"
            r"(?P<secret>(?=[^\s:@/]*\d)[^\s:@/]{5,})@[\w-]+(?:\.[\w-]+)+",
        ),
        (
            ("@", ":"),
            r"(?<!\w)(?:ftps?|ssh|sftp|smb|scp|rsync|imap|smtp|login|proxy|mysql"
            r"|psql)\s+[\w.+-]+:(?P<secret>[^\s:@/]{4,})@[\w-]+\.[\w.-]+",
        ),
        (("WIFI:", ";"), r"\bWIFI:[^\n]*?\bP:(?P<secret>(?:\\.|[^;\s])+);"),
    )
)
"""Each with what a text has to hold before it is asked."""


def keys(text: str) -> Iterator[Span]:
    """Return where the keys and tokens lie that `text` calls so."""
    for found in _KEY.finditer(text):
        value, link = found["secret"], found["link"].strip("\"'`*_)]")
        is_gap = not re.search(r"[=:：>→—–\n-]|\b(?:is|was|are|это|ist|es|be)\b", link)
        least = _LONG_GAP if is_gap and link.strip() else 10 if is_gap else 8
        if len(value) < least or _NO_KEY.match(value) or PLACEHOLDER.match(value) or _OF_PUBLIC.search(link):
            continue
        yield found.span("secret")


def headers(text: str) -> Iterator[Span]:
    """Return where secrets lie in what looks like the headers of a request."""
    lowered = text.lower()
    for keywords, pattern in _HEADERS:
        if not keywords.are_in(lowered):
            continue
        for found in pattern.finditer(text):
            yield found.span("secret")
    for found in _PAIR.finditer(text):
        yield found.span("secret")
    for found in _COOKIES.finditer(text):
        for cookie in _COOKIE.finditer(text, *found.span("all")):
            yield cookie.span("secret")


def addresses(text: str) -> Iterator[Span]:
    """Return where secrets lie in addresses: passwords before the host, keys among the parameters."""
    for marker, other, pattern in _ADDRESSES:
        if marker not in text or other not in text:
            continue
        for found in pattern.finditer(text):
            if PLACEHOLDER.match(found["secret"]) is None:
                yield found.span("secret")
