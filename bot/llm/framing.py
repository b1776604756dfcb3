"""How people's words and members go into a prompt and come back: escaped between tags, with short ids in
place of 19-digit ones, and with an estimate of their size in tokens.
"""

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Final

import jinja2
from markupsafe import Markup, escape

from bot.core import settings
from bot.core.domain import mention_of

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

    def __contains__(self, long: object) -> bool:
        return long in self._shorts

    def _offered(self) -> str:
        return ", ".join(self._longs) or "none, since none was offered"


STRANGER: Final = "@someone"
"""Who is mentioned and not offered: a model has no use for the number."""

_MENTION: Final = re.compile(r"<@!?([0-9]{1,19})>")
_END: Final = r"(?![0-9A-Za-z_])"
"""Where an id ends; scripts without blanks go on right behind it."""

_LOOK_ALIKE: Final = re.compile(rf"@(?=u\d+{_END})")
_SHORT: Final = re.compile(rf"@(u\d+){_END}")
_BARE: Final = re.compile(rf"(?<![0-9A-Za-z_@.\-/])u\d+{_END}(?![\-/])")


def mentioned_in(text: str) -> list[int]:
    """Return the ids that `text` mentions, each once, in order."""
    return list(dict.fromkeys(int(found) for found in _MENTION.findall(text)))


def shortened(text: str, users: LocalIds) -> str:
    """Return `text` with every mention of an offered member as `@u3`; whoever was not offered is a stranger.

    An `@u3` that somebody typed is taken apart: nobody is meant by it.
    """
    typed = _LOOK_ALIKE.sub("@ ", text)
    return _MENTION.sub(lambda found: _short(int(found[1]), users), typed)


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


def tag(name: str, /, *content: str, **attributes: str | None) -> Markup:
    """Return `content` between tags of this `name`; `None` attributes are left out, everything is escaped.

    Content that was itself made here (`Markup`) is taken as it is, so that tags can be nested.
    """
    written = "".join(
        f' {key}="{_attribute(value)}"' for key, value in attributes.items() if value is not None
    )
    body = Markup("").join(content)
    return Markup(f"<{name}{written}>{body}</{name}>")  # noqa: S704 - every part is escaped above


def lines(items: Iterable[Markup]) -> Markup:
    """Return `items` one below the other."""
    return Markup("\n").join(items)


def _attribute(value: str) -> Markup:
    return escape(" ".join(value.split()))


def render(template_name: str, given: Mapping[str, object]) -> str:
    """Return the prompt of the template `prompts/<template_name>.j2` with `given` put in.

    Plain strings are escaped on the way in; a name that the template uses and `given` lacks is an error.
    """
    return _environment().get_template(f"{template_name}.j2").render(given).strip() + "\n"


def has_template(template_name: str) -> bool:
    """Tell whether there is a template of this name."""
    return (settings.resource_folder("prompts") / f"{template_name}.j2").is_file()


@functools.cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(settings.resource_folder("prompts")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
