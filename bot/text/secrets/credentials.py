"""Secrets known by what they are called: passwords in sentences, tables and lists, keys and tokens in
settings, headers and addresses, and options of shell commands.
"""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

from bot.text.languages import filled, rows
from bot.text.patterns import lazy_pattern
from bot.text.secrets.spans import (
    CALL,
    FILLER,
    FOR,
    MASK,
    NAMES,
    NO_PASSWORD,
    NOT_A_VERB,
    PLACEHOLDER,
    SURE,
    VERB,
    Keywords,
    Span,
)


class _Link(Enum):
    """What joins the word for a password to the password, from what leaves no doubt to what says little."""

    SETTING = auto()
    """As in a file of settings."""
    TIGHT = auto()
    """A colon, an equals sign, an arrow."""
    VERB = auto()
    DASH = auto()
    LINE = auto()
    """The next line."""
    GAP = auto()


_FLAGS: Final = re.VERBOSE | re.IGNORECASE
_CLOSED: Final = r"""[\"'`*_|)\]»”]{0,6}"""
_LINK: Final = lazy_pattern(
    rf"""{_CLOSED}(?:\s+(?:nueva|actual|neu|wifi|wlan|admin|root|вай-?фай|wi-fi|новый|старый|временный)(?=\s*[:=]))?{FOR}{_CLOSED}(?:
      (?P<tight>\s{{0,3}}(?:=+>|-+>|→|⇒|:=|=+|:|：|＝))
    | (?P<verb>(?:\s+(?:{VERB})(?=[\s:“"'`«|*])|['’]s(?=\s)){FILLER}(?:\s*[:—–]|\s+-\s)?)
    | (?P<dash>\s*[—–…]+|\s+-{{1,2}}(?=\s)|\.\.\.?)
    | (?P<line>\s*\n)
    )""",
    _FLAGS,
)
_GAP: Final = re.compile(rf"{_CLOSED}(?:{FOR}{FILLER}\s+|(?=\())", _FLAGS)
_START: Final = re.compile(r"(?:[\s(]|\*\*|__|```(?:\w*\n)?)*(?P<open>\|\||[\"'`“«„*])?")
_CLOSING: Final = {"“": "”", "«": "»", "„": "“"}
_WORD: Final = re.compile(r"""[^\s,;]+""")
_EDGE: Final = "\"'`»”|*.!?)]:…"
_LONGEST: Final = 60
"""Characters of a password of several words between quotation marks."""

_ODD: Final = re.compile(r"\d|[^\w\s'’.!?)\"»”`|*-]|[a-z][A-Z]")
_MIXED: Final = re.compile(r"(?=.*\d)(?=.*[^\W\d_]).{6,}|\d{6,}", re.DOTALL)
_ENDS: Final = lazy_pattern(
    r"[\"'`»”|*.)\]]*\s*(?:$|[.,;!?\n)|]|(?:and|but|so|btw|lol|until|till|since|before|now|if|и|а|но|пока"
    r"|und|aber|y|pero|et"
    r"|e)\b)",
    re.IGNORECASE,
)
_COUNTED: Final = lazy_pattern(
    r"\s*(?:char|letter|digit|symbol|time|day|minute|символ|букв|цифр|знак|раз"
    r"|д(?:ней|ня)|zeichen|car[aá]ct)"
)

_GIVEN: Final = r"""[*_|"'`«“]*(?P<secret>[^\s,;"'`|*«»“”]+)[*_|"'`»”]*"""
_ANY: Final = rf"(?:{SURE}|pw|pass)"
_OWN: Final = r"(?:(?:the|my|our|his|her|their|a|mein|das|unser|mi|la|мой|наш|это|этот|новый)\s+)?"
_PARTS: Final = {"given": _GIVEN, "any": _ANY, "own": _OWN, "for": FOR, "sure": SURE}
_AROUND: Final = tuple(
    (
        Keywords(keywords.replace("_", " ").rstrip("*")),
        lazy_pattern(filled(pattern, _PARTS), _FLAGS),
        not keywords.endswith("*"),
    )
    for keywords, pattern in rows(r"""
_as_|_for_|_als_|_como_|как_|качестве_: (?<!\w)(?:us(?:e|es|ed|ing)|try|enter|type|set|put|chose|made|picked|nehme|uso
    |использую|юзаю|взял[аи]?|поставил[аи]?)\s+{given}\s+(?:as|for|als|como|как
    |в\sкачестве)\s+{own}(?:[\w-]+\s+){0,2}?{any}(?![\w-])(?!\s+manager)
_is_|_was_|_ist_|_war_|_es_|_-_|—|–|_это_|_был*: (?<![\w:/]){given}\s+(?:is|was|ist|war|es|—|–|-|это
    |был)\s+{own}(?:[\w-]+[\s-]+){0,2}?{any}(?![\w-])(?!\s+manager)
парол: (?<!\w)пароле?[ьм]\s+(?:(?:я|мы|у\s\w+)\s+)?(?:поставил|сделал|выбрал|взял|придумал)[аи]?\s*:?\s+{given}
_to_|_as_|=: (?<!\w)(?:(?:re)?set(?:ting)?|chang(?:ed?|ing)|updat(?:ed?|ing)|made|make|put
    |switched)\s+(?:[\w'’.-]+\s+){0,3}?{any}{for}\s+(?:to|as|=)\s+(?:be\s+)?{given}
парол: (?<!\w)(?:(?:с|по)?мен(?:ил|ял|яй|и)|поставил|установил|сделал|измен[ия]л)[аи]?\s+(?:[\w-]+\s+){0,3}?парол(?:ь
    |и|я){for}\s+(?:на\s+(?![а-яё]+(?:е|и|ах|ях)(?!\w)))?{given}
from|_с_|_von_: (?<![^\W_]){any}\s+(?:was\s+)?(?:changed\s+)?(?:from|с|von)\s+(?P<secret>\S+)\s+(?:to|на|auf)\s+\S
from|_с_|_von_: (?<![^\W_]){any}\s+(?:was\s+)?(?:changed\s+)?(?:from|с|von)\s+\S+\s+(?:to|на|auf)\s+{given}
log|user|account|usuario|логин|юзер: (?<!\w)(?:login|log\s?in|user(?:name)?|account|логин|юзер|benutzer(?:name)?
    |usuario)[\s:=]+(?:as\s+|is\s+)?(?!(?:and|or|und|y|и|или)\b)[^\s,;/|]+[\s,;/|]+(?:and\s+|und\s+|y\s+
    |и\s+)?{any}\s+{given}
with_|us|via_|by_|_с_|с_|по_|mit_|con_: (?<!\w)(?:with|using|use|via|by|с|по|mit|con)\s+(?:the\s+)?(?:{sure})\s+{given}
парол*: (?<!\w)парол[ья]\s+[\w-]+\s+(?=[^\s]*[^\W\d])(?=\S*\d)(?=\S{6}){given}
value: (?:key|name|id)=[\"'][\w.:-]*{any}[\"']\s+value=[\"'](?P<secret>[^\"'\n]+)[\"']
<: <(?P<tag>[\w:.-]*(?:pass(?:word|wd)?|pwd))>\s*(?P<secret>[^\s<][^<\n]*?)\s*</
""")
)
"""Where the password does not simply follow its name, by what a text has to hold before it is looked for (with _ for a
blank); after a star no plain word can be one there."""


_CREDENTIALS: Final = lazy_pattern(
    r"""(?<!\w)(?:cred(?:ential)?s?|log\s?in|log\sin\s(?:as|with)|sign\sin\sas|accounts?|acc|логин(?:[/\s-]пароль)?
    |login/pass(?:word)?|user/pass(?:word)?|доступы?|уч[её]тк[аи]|заходи\sкак|zugangsdaten)[\s:=—–-]{1,4}
    (?:are\s+|is\s+|as\s+)?[\w.@+-]+\s*[:/|]\s*(?P<secret>[^\s,;:/|]{4,})""",
    _FLAGS,
)


def credentials(text: str) -> Iterator[Span]:
    """Return where the passwords lie that stand behind the name of an account, as in "login: bob/hunter2"."""
    for found in _CREDENTIALS.finditer(text):
        begin, end = _trimmed(text, *found.span("secret"))
        if _is_password(text[begin:end], _Link.LINE, text[end:], is_quoted=False):
            yield begin, end


def passwords(text: str) -> Iterator[Span]:
    """Return where the passwords lie that `text` calls so."""
    names = list(NAMES[text.isascii()].finditer(text))
    for name in names:
        span = _after(text, name)
        if span is not None:
            yield span
    lowered = text.lower()
    for keywords, pattern, plain in _AROUND:
        if not keywords.are_in(lowered):
            continue
        for found in pattern.finditer(text):
            begin, end = _trimmed(text, *found.span("secret"))
            if _is_password(
                text[begin:end], _Link.VERB if plain else _Link.LINE, text[end:], is_quoted=False
            ):
                yield begin, end
    if "|" in text and "\n" in text:
        yield from _in_table(text)


def _after(text: str, name: re.Match[str]) -> Span | None:
    """Return where the password lies that follows its name, if there is one."""
    strong = _LINK.match(text, name.end())
    link = strong or _GAP.match(text, name.end())
    start = _START.match(text, link.end()) if link is not None else None
    if link is None or start is None or text.startswith(MASK, start.end()):
        return None
    opened = start["open"]
    closing = _CLOSING.get(opened, opened) if opened else None
    closed = text.find(closing, start.end(), start.end() + _LONGEST) if closing else -1
    is_quoted = closed > start.end() and "\n" not in text[start.end() : closed]
    if is_quoted:
        begin, end = start.end(), closed
    else:
        word = _WORD.match(text, start.end())
        if word is None:
            return None
        begin, end = _trimmed(text, *word.span())
        if name.start() > 0 and text[name.start() - 1] in "?&":
            end = begin + len(text[begin:end].partition("&")[0])
    kind = _kind(text, name, strong) if strong is not None else _Link.GAP
    is_loose = name["loose"] is not None
    if kind is _Link.GAP:
        if name["spoken"] is not None:
            kind = _Link.VERB
        elif (
            is_loose
            and name["loose"].lower() not in ("pw", "пасс")
            and not text[: name.start()].endswith("require")
        ) or not _may_follow(text, link, end):
            return None
    if is_loose and kind in (_Link.VERB, _Link.DASH):
        kind = _Link.LINE
    return (begin, end) if _is_password(text[begin:end], kind, text[end:], is_quoted=is_quoted) else None


def _kind(text: str, name: re.Match[str], link: re.Match[str]) -> _Link:
    """Return how the password is joined to its name."""
    if link["tight"] is not None:
        before = text[name.start() - 1] if name.start() else ""
        joined = before.isalpha() or before in tuple("_.-$")
        is_line = text[text.rfind("\n", 0, name.start()) + 1 : name.start()].strip() == ""
        equal = link["tight"] == "=" and link.end() < len(text) and not text[link.end()].isspace()
        return _Link.SETTING if joined or equal or (is_line and "```" in text) else _Link.TIGHT
    if link["verb"] is not None:
        return _Link.VERB
    return _Link.DASH if link["dash"] is not None else _Link.LINE


def _may_follow(text: str, link: re.Match[str], end: int) -> bool:
    """Tell whether what stands after a mere gap can be a password: not after "for", but where the sentence ends."""
    told_of = link[0].strip()
    if not told_of or re.fullmatch(FILLER, link[0].rstrip(), re.IGNORECASE):
        return True
    return not told_of.isascii() and _ENDS.match(text, end) is not None


def _trimmed(text: str, begin: int, end: int) -> Span:
    """Return the span without the marks that end a sentence or a quotation."""
    return begin, begin + len(text[begin:end].rstrip(_EDGE))


def _is_password(word: str, link: _Link, follows: str, *, is_quoted: bool) -> bool:
    """Tell whether `word` can be a password, by how it looks, by what joins it to its name, and by what follows."""
    if len(word) < 4 - (link is _Link.SETTING) or MASK in word or word.lower() in NO_PASSWORD:
        return False
    if PLACEHOLDER.match(word) or (not is_quoted and CALL.match(word)) or word.startswith(("<", "@")):
        return False
    if _COUNTED.match(follows):
        return False
    if link is _Link.GAP:
        return _MIXED.fullmatch(word) is not None
    if _ODD.search(word) or link is _Link.SETTING:
        return True
    if link is _Link.LINE:
        return False
    return (is_quoted or _ENDS.match(follows) is not None) and (
        link is _Link.TIGHT or NOT_A_VERB.fullmatch(word) is None
    )


def _in_table(text: str) -> Iterator[Span]:
    """Return the cells that stand under a heading which is a word for a password."""
    column: int | None = None
    begin = 0
    for line in text.splitlines(keepends=True):
        cells = line.rstrip("\n").split("|")
        if len(cells) < 3:
            column = None
        elif column is None:
            column = next(
                (n for n, cell in enumerate(cells) if re.fullmatch(_ANY, cell.strip(" *_"), _FLAGS)), None
            )
        elif column < len(cells):
            cell = cells[column]
            at = begin + sum(len(cell) + 1 for cell in cells[:column]) + len(cell) - len(cell.lstrip(" `*"))
            word = cell.strip(" `*")
            if _is_password(word, _Link.SETTING, "", is_quoted=True):
                yield at, at + len(word)
        begin += len(line)


_SETTING_MIXED: Final = r"(?=[\w+/=.~%-]*\d)(?=[\w+/=.~%-]*[A-Za-z])"
_VALUE: Final = rf"{_SETTING_MIXED}[\w+/=.~%-]"

_KEY: Final = lazy_pattern(
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
_NO_KEY: Final = lazy_pattern(
    r"[/~.]|[\w.-]+\.(?:\w{2,4}|html)$|\d+(?:st|nd|rd|th|ms|min|am|pm|k|mb|gb)$"
    r"|\[secret|\w+://",
    re.IGNORECASE,
)
"""A path, a file, an amount."""
_OF_PUBLIC: Final = lazy_pattern(
    r"\b(?:commit|hash|sha\d*|md5|checksum|digest|fingerprint|address|uuid|id"
    r"|guid|version|model)\b",
    re.IGNORECASE,
)
_LONG_GAP: Final = 20
"""Characters of a key which merely follows the word, or other words after it."""

_HEADERS: Final = tuple(
    (Keywords(keywords), lazy_pattern(filled(pattern, {"value": _VALUE}), _FLAGS))
    for keywords, pattern in rows(r"""
authorization: authorization[\"']?\s*[:=]\s*[\"']?(?:basic|bearer|token|apikey|key|negotiate|ntlm
    |splunk)\s+(?P<secret>(?!null)[\w+/=.~-]{8,})
sharedkey: authorization[\"']?\s*[:=]\s*[\"']?sharedkey(?:lite)?\s+[\w-]+:(?P<secret>[\w+/=]{16,})
basic: (?<!\w)(?:basic(?:\s+auth(?:entication|orization)?)?(?:\s+(?:is|header))?:?)\s+(?P<secret>{value}{12,})
bearer: (?<!\w)bearer:?\s+(?P<secret>{value}{16,})
key|token|secret|auth|signature|pat: (?<!\w)(?:x|api|apikey|private|deploy|job)-(?:[\w-]+-)?(?:key|token|secret|auth
    |signature(?:-\d+)?|pat)[\"']?\s*[:=]\s*[\"']?(?:sha\d+=|v\d+=|hmac\s+)?(?P<secret>{value}{8,})
sig|response|hmac: (?<![^\W_])(?:signature|sig|response|hmac
    |nonce_sig)[\"']?\s*[=:]\s*[\"']?(?:sha\d+=)?(?P<secret>{value}{24,})
""")
)
_SETTING_PAIR: Final = lazy_pattern(
    r"\[secret\][\s/,:;|&\"']+(?P<secret>(?=[A-Za-z+/]*\d)[A-Za-z0-9+/]{40})(?![\w+/=])"
)
"""The second half of a pair of keys whose first half is masked."""
_COOKIES: Final = re.compile(r"(?<!\w)(?:set-)?cookie:\s*(?P<all>[^\n]+)", re.IGNORECASE)
_COOKIE: Final = re.compile(r"=\s*(?P<secret>[^\s;,\"']{12,})")

_ADDRESSES: Final = tuple(
    (*markers.partition("|")[::2], re.compile(pattern, _FLAGS))
    for markers, pattern in rows(r"""
://|@: ://[^\s/:@]*:(?!\[secret\]@)(?P<secret>[^\s/@]+)(?=@)
://|@: ://(?P<secret>(?=\w*\d)(?=\w*[A-Za-z])[\w-]{20,})@
/webhooks/|://: /webhooks/\d+/(?!\[secret\])(?P<secret>[\w-]+)
=|://: [?&;](?:[\w.-]*(?:pass(?:word|wd)?|pwd|token|secret|signature)|api_?key|apikey|key|sig|auth|sid|session(?:id)?
    |code)=(?P<secret>(?=[^\s&\#\"'<>]*\d)[^\s&\#\"'<>;]{12,})
=|access_token: [?&]access_token=(?P<secret>[^\s&\#\"'<>;]{12,})
pass|=: [?&](?:pass(?:word|wd)?|pwd)=(?P<secret>[^\s&\#\"'<>]{3,})
@|:: (?<![\w/.:@-])(?!(?:e-?mail|mailto|mail|contact|from|to|cc|sips?|xmpp|acct|paypal|почта
    |мыло)\b)[\w.+-]+:(?P<secret>(?=[^\s:@/]*\d)[^\s:@/]{5,})@[\w-]+(?:\.[\w-]+)+
@|:: (?<!\w)(?:ftps?|ssh|sftp|smb|scp|rsync|imap|smtp|login|proxy|mysql
    |psql)\s+[\w.+-]+:(?P<secret>[^\s:@/]{4,})@[\w-]+\.[\w.-]+
WIFI:|;: \bWIFI:[^\n]*?\bP:(?P<secret>(?:\\.|[^;\s])+);
""")
)
"""Each with what a text has to hold before it is asked."""


def named_keys(text: str) -> Iterator[Span]:
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
    for found in _SETTING_PAIR.finditer(text):
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


_SAID: Final = r"(?:'(?P<single>[^'\n]+)'|\"(?P<double>[^\"\n]+)\"|(?P<bare>[^\s'\"`|;&-][^\s'\"`|;&]*))"
_USER: Final = r"[\w.@+\\/-]+"
_COMMAND_PAIR: Final = (
    rf"(?:'{_USER}:(?P<single>[^'\n]+)'|\"{_USER}:(?P<double>[^\"\n]+)\""
    rf"|{_USER}:(?P<bare>[^\s'\"`@/]+))(?!\S*://)"
)

_COMMANDS: Final = tuple(
    (
        marker,
        re.compile(
            filled(pattern, {"said": _SAID, "user": _USER, "command_pair": _COMMAND_PAIR}), re.VERBOSE
        ),
    )
    for marker, pattern in rows(r"""
curl: \bcurl\b[^\n|]*?\s(?:-[a-zA-Z]*[uU]\s*|--(?:proxy-)?user[\s=]){command_pair}
http: \b(?:https?|xh)\b[^\n|]*?\s(?:-a|--auth)[\s=]{command_pair}
--: (?<!\S)--[\w-]*(?:pass(?:word|wd|phrase|code)?|pwd|token|secret|api-?key|access-?key|auth-?key)(?:=|\s+){said}
-p: \b(?:mysql\w*|mariadb\w*|7z|7za|rar|unrar)\b[^\n|]*?\s-p{said}
-p: \b(?:sshpass|mongo(?:sh|dump|restore)?|twine|(?:docker|podman|helm(?:\s+registry)?|az|skopeo|oc)\s+login
    |rabbitmqadmin)\b[^\n|]*?\s-p\s*{said}
-P: \b(?:sqlcmd|bcp|zip|unzip|mosquitto_\w+|ipmitool|tsql|plink|psftp|pscp)\b[^\n|]*?\s-(?:P|pw)\s*{said}
-pw: \b(?:plink|psftp|pscp|putty)\b[^\n|]*?\s-pw\s+{said}
-a: \bredis-cli\b[^\n|]*?\s-a\s+{said}
-w: \bldap\w+\b[^\n|]*?\s-w\s*{said}
-U: \b(?:smbclient|rpcclient|net|mount\.cifs|winexe|wmic)\b[^\n|]*?\s-U\s*['\"]?{user}%{said}
net use: \bnet\s+use\b[^\n]*?/user:\S+\s+{said}
net use: \bnet\s+use\s+(?:\w:\s+)?\\\\\S+\s+(?!/){said}\s+/user:
sudo: \becho\s+(?:-n\s+)?{said}\s*\|\s*sudo\s+-S
sudo: \bsudo\s+-S\b[^\n]*<<<\s*{said}
passwd: \becho\s+(?:-n\s+)?['\"]?[\w.-]+:(?P<bare>[^\s'\"]+)['\"]?\s*\|\s*(?:sudo\s+)?chpasswd
passwd: \bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+{said}
echo: \becho\s+(?:-n\s+)?{said}\s*\|\s*(?:sudo\s+)?(?:passwd\s+--stdin|cryptsetup|docker\s+login|gh\s+auth)
pass:: -pass(?:in|out)?\s+pass:(?P<bare>[^\s'\"]+)
-k: \bnuget\b[^\n|]*?\s-k\s+{said}
-storepass: -(?:store|key)pass\s+{said}
lftp: \blftp\b[^\n|]*?\s-u\s+{user},{said}
password=: [,\s](?:user(?:name)?=[^\s,]+,)?password=(?P<bare>[^\s,'\"]+)
identified: (?i:identified\s+(?:with\s+\w+\s+)?by)\s+['\"](?P<bare>[^'\"\n]+)['\"]
IDENTIFIED: (?i:identified\s+(?:with\s+\w+\s+)?by)\s+['\"](?P<bare>[^'\"\n]+)['\"]
PASSWORD ': PASSWORD\s+'(?P<bare>[^'\n]+)'
password ': (?i:with|set|user)[^\n]*?password\s+'(?P<bare>[^'\n]+)'
login: (?<!\w)(?:npm|cargo|gh|huggingface-cli|hf|vercel|fly|netlify|vault
    |doppler)\s+(?:auth\s+)?login\s+(?:--\w+\s+)?(?P<bare>[\w.-]{16,})
""")
)


def command_secrets(text: str) -> Iterator[Span]:
    """Return where secrets lie in commands."""
    for marker, pattern in _COMMANDS:
        if marker not in text:
            continue
        for found in pattern.finditer(text):
            for group, value in found.groupdict().items():
                if value and value.lower() not in NO_PASSWORD and PLACEHOLDER.match(value) is None:
                    yield found.span(group)
