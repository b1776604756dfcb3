"""Passwords that are called passwords: in sentences, in settings, in tables and lists."""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

from bot.memory.secret_spans import MASK, Keywords, Span
from bot.memory.secret_vocabulary import (
    CALL,
    FILLER,
    FOR,
    NAMES,
    NO_PASSWORD,
    NOT_A_VERB,
    PLACEHOLDER,
    SURE,
    VERB,
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
_LINK: Final = re.compile(
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
_ENDS: Final = re.compile(
    r"[\"'`»”|*.)\]]*\s*(?:$|[.,;!?\n)|]|(?:and|but|so|btw|lol|until|till|since|before|now|if|и|а|но|пока"
    r"|und|aber|y|pero|et"
    r"|e)\b)",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(
    r"\s*(?:char|letter|digit|symbol|time|day|minute|символ|букв|цифр|знак|раз"
    r"|д(?:ней|ня)|zeichen|car[aá]ct)"
)

_GIVEN: Final = r"""[*_|"'`«“]*(?P<secret>[^\s,;"'`|*«»“”]+)[*_|"'`»”]*"""
_ANY: Final = rf"(?:{SURE}|pw|pass)"
_OWN: Final = r"(?:(?:the|my|our|his|her|their|a|mein|das|unser|mi|la|мой|наш|это|этот|новый)\s+)?"
_AROUND: Final = tuple(
    (Keywords(*keywords), re.compile(pattern, _FLAGS), plain)
    for keywords, pattern, plain in (
        (
            (" as ", " for ", " als ", " como ", "как ", "качестве "),
            rf"(?<!\w)(?:us(?:e|es|ed|ing)|try|enter"
            rf"|type|set|put|chose|made|picked|nehme|uso|использую|юзаю|взял[аи]?|поставил[аи]?)\s+{_GIVEN}"
            rf"\s+(?:as|for|als|como|как"
            rf"|в\sкачестве)\s+{_OWN}(?:[\w-]+\s+){{0,2}}?{_ANY}(?![\w-])(?!\s+manager)",
            True,
        ),
        (
            (" is ", " was ", " ist ", " war ", " es ", " - ", "—", "–", " это ", " был"),
            rf"(?<![\w:/]){_GIVEN}\s+(?:is|was|ist|war|es|—|–|-|это|был)\s+{_OWN}"
            rf"(?:[\w-]+[\s-]+){{0,2}}?{_ANY}(?![\w-])(?!\s+manager)",
            False,
        ),
        (
            ("парол",),
            rf"(?<!\w)пароле?[ьм]\s+(?:(?:я|мы|у\s\w+)\s+)?(?:поставил|сделал|выбрал|взял"
            rf"|придумал)[аи]?\s*:?\s+{_GIVEN}",
            True,
        ),
        (
            (" to ", " as ", "="),
            rf"(?<!\w)(?:(?:re)?set(?:ting)?|chang(?:ed?|ing)|updat(?:ed?|ing)|made|make"
            rf"|put|switched)\s+"
            rf"(?:[\w'’.-]+\s+){{0,3}}?{_ANY}{FOR}\s+(?:to|as|=)\s+(?:be\s+)?{_GIVEN}",
            True,
        ),
        (
            ("парол",),
            rf"(?<!\w)(?:(?:с|по)?мен(?:ил|ял|яй|и)|поставил|установил|сделал"
            rf"|измен[ия]л)[аи]?\s+(?:[\w-]+\s+){{0,3}}?"
            rf"парол(?:ь|и|я){FOR}\s+(?:на\s+(?![а-яё]+(?:е|и|ах|ях)(?!\w)))?{_GIVEN}",
            True,
        ),
        (
            ("from", " с ", " von "),
            rf"(?<![^\W_]){_ANY}\s+(?:was\s+)?(?:changed\s+)?(?:from|с"
            rf"|von)\s+(?P<secret>\S+)\s+(?:to|на|auf)\s+\S",
            True,
        ),
        (
            ("from", " с ", " von "),
            rf"(?<![^\W_]){_ANY}\s+(?:was\s+)?(?:changed\s+)?(?:from|с"
            rf"|von)\s+\S+\s+(?:to|на|auf)\s+{_GIVEN}",
            True,
        ),
        (
            ("log", "user", "account", "usuario", "логин", "юзер"),
            rf"(?<!\w)(?:login|log\s?in|user(?:name)?"
            rf"|account|логин|юзер|benutzer(?:name)?|usuario)[\s:=]+(?:as\s+|is\s+)?(?!(?:and|or|und|y|и"
            rf"|или)\b)[^\s,;/|]+[\s,;/|]+"
            rf"(?:and\s+|und\s+|y\s+|и\s+)?{_ANY}\s+{_GIVEN}",
            True,
        ),
        (
            ("with ", "us", "via ", "by ", " с ", "с ", "по ", "mit ", "con "),
            rf"(?<!\w)(?:with|using|use|via"
            rf"|by|с|по|mit|con)\s+(?:the\s+)?(?:{SURE})\s+{_GIVEN}",
            True,
        ),
        (("парол",), rf"(?<!\w)парол[ья]\s+[\w-]+\s+(?=[^\s]*[^\W\d])(?=\S*\d)(?=\S{{6}}){_GIVEN}", False),
        (
            ("value",),
            rf"(?:key|name|id)=[\"'][\w.:-]*{_ANY}[\"']\s+value=[\"'](?P<secret>[^\"'\n]+)[\"']",
            True,
        ),
        (("<",), r"<(?P<tag>[\w:.-]*(?:pass(?:word|wd)?|pwd))>\s*(?P<secret>[^\s<][^<\n]*?)\s*</", True),
    )
)
"""Where the password does not simply follow its name, and whether a plain word can be one there."""


_CREDENTIALS: Final = re.compile(
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
