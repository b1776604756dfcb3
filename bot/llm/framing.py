"""Puts people's words and members into a prompt and back: escaped between tags, with short ids in place of 19-digit
ones, and with an estimate of the size in tokens.
"""

import functools
import html
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from markupsafe import Markup

from bot.core import settings
from bot.core.domain import MENTION, mention_of

if TYPE_CHECKING:
    import jinja2

T = TypeVar("T")

BYTES_PER_TOKEN: Final = 4
"""Close to what models report for English; Cyrillic takes two bytes a letter and so counts double, as it does there."""


def estimated_tokens(text: str) -> int:
    """Return about how many tokens `text` takes: its UTF-8 bytes by four, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


class LocalIds:
    """The ids that one prompt offers, as `u1`, `u2` ... in the order in which they were first asked for."""

    def __init__(self, prefix: str, offered: Iterable[int] = ()) -> None:
        self._prefix: Final = prefix
        self._shorts: dict[int, str] = {}
        self._longs: dict[str, int] = {}
        for long in offered:
            self.short(long)

    def short(self, long: int) -> str:
        """Return the short id of `long`, which from now on counts as offered."""
        if long not in self._shorts:
            short = f"{self._prefix}{len(self._shorts) + 1}"
            self._shorts[long] = short
            self._longs[short] = long
        return self._shorts[long]

    def long(self, short: str) -> int:
        """Return what `short` stands for; `ValueError` if it was not offered."""
        if short not in self._longs:
            raise ValueError(f"{short!r} is no id of this prompt: it must be one of {self._offered()}")
        return self._longs[short]

    @property
    def shorts(self) -> frozenset[str]:
        """The short ids that were offered."""
        return frozenset(self._longs)

    def __contains__(self, long: object) -> bool:
        return long in self._shorts

    def _offered(self) -> str:
        return ", ".join(self._longs) or "none, since none was offered"


STRANGER: Final = "@someone"
"""Who is mentioned and not offered: a model has no use for the number."""

_END: Final = r"(?=s(?![0-9A-Za-z_])|(?![0-9A-Za-z_]))"
"""Where an id ends: scripts without blanks go on right behind it, and Germanic genitives by an s."""

_LOOK_ALIKE: Final = re.compile(rf"@(?=u\d+{_END})")
_SHORT: Final = re.compile(rf"@(u\d+){_END}")
_BARE: Final = re.compile(rf"(?<![0-9A-Za-z_@.\-/])u\d+{_END}(?![\-/])")


def mentioned_in(text: str) -> list[int]:
    """Return the ids that `text` mentions, each once, in order."""
    return list(dict.fromkeys(int(found) for found in MENTION.findall(text)))


def shortened(text: str, users: LocalIds) -> str:
    """Return `text` with every mention of an offered member as `@u3`; other mentions become a stranger.

    If somebody typed `@u3` themselves, it is broken up, so that it refers to nobody.
    """
    typed = _LOOK_ALIKE.sub("@ ", text)
    return MENTION.sub(lambda found: _short(int(found[1]), users), typed)


def lengthened(text: str, users: LocalIds, *, known: str = "") -> str:
    """Return `text` of a model with members as `<@id>`; raises `ValueError` for an id that was not offered.

    Small models drop the @: a bare `u3` counts too, unless `known`, what people wrote, speaks of a u3.
    """
    text = _SHORT.sub(lambda found: mention_of(users.long(found[1])), text)
    return _BARE.sub(lambda found: _long_unless_a_word(found[0], users, known), text)


def _short(user_id: int, users: LocalIds) -> str:
    return f"@{users.short(user_id)}" if user_id in users else STRANGER


def _long_unless_a_word(word: str, users: LocalIds, known: str) -> str:
    if re.search(rf"(?<![\w@]){word}(?!\w)", known):
        return word
    try:
        return mention_of(users.long(word))
    except ValueError:
        return word


_OPENS_A_TAG: Final = frozenset("<&＜﹤＆﹠")
"""What a tag begins with, written out or as an entity, and what Unicode counts as the same."""

_BROKEN: Final = str.maketrans(dict.fromkeys("<＜﹤", "‹") | dict.fromkeys("&＆﹠", "+"))

_LIKE_A_VOICE: Final = re.compile(
    r"<[\s/]*(?:system|pyai|assistant_thinking|(?!\d)[!-.0-;=?-~]*[^\s!-~])", re.IGNORECASE
)
"""What may be read as one of the tags by which the client library speaks to a model; a name with letters of other
scripts may be spelt to look like one."""


def unvoiced(text: str) -> str:
    """Return `text` with the beginnings of its tags taken apart if one of them could pass for the client library's.

    The library adds a remark of its own to any prompt in which it sees such a tag, however it is spelt or escaped.
    """
    if _OPENS_A_TAG.isdisjoint(text):
        return text
    # It looks again at what its first look has decoded.
    read = html.unescape(_folded(html.unescape(text)))
    return text.translate(_BROKEN) if _LIKE_A_VOICE.search(read) else text


def unvoiced_values(value: T) -> T:
    """Return `value`, as JSON has it, with every text in it as `unvoiced` returns it."""
    if isinstance(value, str):
        return unvoiced(value)  # type: ignore[return-value]
    if isinstance(value, list):
        return [unvoiced_values(one) for one in value]  # type: ignore[return-value]
    if isinstance(value, dict):
        return {key: unvoiced_values(one) for key, one in value.items()}  # type: ignore[return-value]
    return value


def _folded(text: str) -> str:
    """Return `text` with letters of one look in one form, and without what is not seen."""
    folded = unicodedata.normalize("NFKC", text)
    return "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")


def escaped(text: str) -> Markup:
    """Return `text` so that no tag begins in it; what was itself made here (`Markup`) is taken as it is.

    Quotation marks stay: they end an attribute alone, and an apostrophe for five letters is dear.
    """
    return text if isinstance(text, Markup) else Markup(html.escape(unvoiced(text), quote=False))  # noqa: S704


def tag(name: str, /, *content: str, **attributes: str | None) -> Markup:
    """Return `content` between tags of this `name`; `None` attributes are left out, everything is escaped.

    Content that was itself made here (`Markup`) is taken as it is, so that tags can be nested.
    """
    written = "".join(
        f' {key}="{_attribute(value)}"' for key, value in attributes.items() if value is not None
    )
    body = Markup("").join(map(escaped, content))
    return Markup(f"<{name}{written}>{body}</{name}>")  # noqa: S704 - every part is escaped above


def lines(items: Iterable[Markup]) -> Markup:
    """Return `items` one below the other."""
    return Markup("\n").join(items)


def block(name: str, items: Iterable[Markup]) -> Markup:
    """Return `items` on lines of their own between tags of this `name`."""
    return tag(name, lines([Markup(""), *items, Markup("")]))


_LIKE_A_HEAD: Final = re.compile(r"(?<![\w@])([um])(?=\d+(?: u\d+)?(?: [\d:-]+)*(?: re m\d+)?: )")


def one_line(text: str) -> str:
    """Return `text` as it stands behind the head of a line.

    Line breaks become " / ", and what looks like the head of a line is taken apart.
    """
    words = " / ".join(part.strip() for part in text.splitlines() if part.strip())
    return _LIKE_A_HEAD.sub(_APART, words)


def said(
    text: str,
    *,
    by: str,
    at: str | None = None,
    short_id: str | None = None,
    reply_to: str | None = None,
) -> Markup:
    """Return a message as one line: `m3 u1 14:05 re m2: text`.

    `text` is reduced to one line by `one_line`, so that no message can imitate the head of another line.
    """
    head = (short_id, by, at, f"re {reply_to}" if reply_to else None)
    return escaped(" ".join(filter(None, head))) + escaped(f": {one_line(text)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """What somebody said, with all that its line may tell."""

    text: str
    by: str
    at: str = ""
    short_id: str | None = None
    reply_to: str | None = None
    under: str = ""
    """The heading that it stands under: a day or a channel."""


def talk(sayings: Iterable[Saying]) -> list[Markup]:
    """Return `sayings` as lines, with a time and a heading where these change."""
    written: list[Markup] = []
    at = under = ""
    for one in sayings:
        if one.under != under:
            at, under = "", one.under
            written += [heading(under)] if under else []
        shown_at = one.at if one.at != at else None
        written.append(said(one.text, by=one.by, at=shown_at, short_id=one.short_id, reply_to=one.reply_to))
        at = one.at
    return written


_APART: Final = r"\1 "


_LIKE_AN_ID: Final = re.compile(r"(?<!\w)([um])(?=\d)")


def name(text: str) -> str:
    """Return what somebody is called, for the head of a line: in quotation marks, so that it is never taken for an
    id, for the bot, or for the end of the head.
    """
    plain = text.replace(":", " ").replace('"', "'")
    return f'"{_LIKE_AN_ID.sub(_APART, " ".join(plain.split()))}"'


def heading(text: str) -> Markup:
    """Return `text` as a line above what was said in one place or on one day; no line of a message looks like it."""
    return escaped(f"# {' '.join(text.split())}")


def _attribute(value: str) -> Markup:
    return Markup(str(escaped(" ".join(value.split()))).replace('"', "&#34;"))  # noqa: S704 - escaped


def render(template_name: str, given: Mapping[str, object]) -> str:
    """Return the prompt of the template `prompts/<template_name>.j2` with `given` put in.

    Plain strings are escaped on the way in; a name that the template uses and `given` lacks is an error.
    """
    written = {name: escaped(value) if isinstance(value, str) else value for name, value in given.items()}
    return _environment().get_template(f"{template_name}.j2").render(written).strip() + "\n"


def has_template(template_name: str) -> bool:
    """Tell whether there is a template of this name."""
    return (settings.resource_folder("prompts") / f"{template_name}.j2").is_file()


@functools.cache
def _environment() -> "jinja2.Environment":
    # Loaded by the first prompt: a bot without a model writes none.
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(settings.resource_folder("prompts")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
