"""A text as the grammar reads it, and the rules of the grammar.

A rule is a pattern for a whole sentence and the command that it makes.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, Self, TypeAlias

from bot.text.commands import Command
from bot.text.languages import either, every_word, with_gaps
from bot.text.patterns import lazy_pattern

_EVEN: Final = str.maketrans(
    dict.fromkeys("’‘ʼ`´ʹ", "'")
    | dict.fromkeys("“”„«»", '"')
    | dict.fromkeys("–—‑−", "-")
    | {"ё": "е", "Ё": "Е", "：": ":", "，": ",", "？": "?", "！": "!", "\u00a0": " "}
)

_TAIL: Final = 40
"""Characters at the end in which polite words are looked for: keeps the search linear in long texts."""

_GAP: Final = r"\s+"


def _behind_none_of(words: Iterable[str]) -> str:
    """Return a pattern for a place behind none of these words, in which `_` stands for a blank."""
    return "".join(rf"(?<!\b{each.replace('_', ' ')})" for each in sorted(words))


_NEEDS_NOTHING: Final = r"(?<![:=])" + _behind_none_of(every_word("before_a_word_told"))
"""No word before whose sentence goes on with what else would only close it: "is ok", "called Ty", "says thanks"."""
_AGREED: Final = re.compile(rf",\s*{either('agreed')}\s*\?+$", re.IGNORECASE)
_AGREED_AT_ONCE: Final = re.compile(rf"{_NEEDS_NOTHING}\s+{either('agreed_at_once')}\s*\?+$", re.IGNORECASE)
"""The same without a comma, behind an order alone: "is Bob ok?" asks."""
_PLEASE_LAST: Final = re.compile(
    rf"(?<!\bsay)(?<!\bsays)(?<!\bsaid)(?:[\s,.!;-]+){either('please')}$", re.IGNORECASE
)
_CLOSING_AT_ONCE: Final = re.compile(rf"{_NEEDS_NOTHING}\s+{either('closing')}$", re.IGNORECASE)
"""Thanks and the like without a mark before them, behind an order or a question: "I owe him thanks" tells something."""
_CLOSING: Final = re.compile(rf"(?:[\s,.!;-]+{either('closing')})+$", re.IGNORECASE)
_CLOSING_LAST: Final = re.compile(rf"[,.!;?-]\s*{either('closing')}$", re.IGNORECASE)
_OPENING: Final = re.compile(
    rf"(?:(?P<please>{either('please_first')})|{either('opening')})(?:\s*,\s*|\s+)(?=\S)", re.IGNORECASE
)
_REQUEST: Final = re.compile(
    rf"(?:(?P<weak>{either('may_ask', gap=_GAP)})|(?P<strong>{either('orders', gap=_GAP)}))"
    rf"(?P<please>,?\s+{either('please_first')},?)?\s+",
    re.IGNORECASE,
)
ORNAMENTS: Final = "\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f000-\U0001faff"
"""Emoji, as a class of characters."""
_ORNAMENT_LAST: Final = re.compile(
    rf"(?<=[\w.!?)]){_NEEDS_NOTHING}{_behind_none_of(every_word('before_an_emoji_told'))}"
    rf"(?:\s*[\s{ORNAMENTS}]*[{ORNAMENTS}]|\s+(?:[:;]['-]?[)(D]|<3|xD))$"
)
"""Emoji and smileys behind a sentence; where one is what is said ("my favourite is ...", "I like ...") it stays."""
_HALF_A_SMILEY: Final = re.compile(r"(?P<said>[^(]*[^()\s])\s*\)+|(?P<sad>[^)]*[^()\s])\s*\(+")
"""As most Russians smile and weep: brackets that nothing opened or closes."""
_ORDERED: Final = re.compile(
    rf"\s*(?:{either('opening')}(?:\s*,\s*|\s+))*{either('order_first')}(?!\w)", re.IGNORECASE
)
_COMMANDED: Final = re.compile(
    rf"\s*(?:{either('opening')}(?:\s*,\s*|\s+))*"
    rf"(?:{either('order_first')}|{either('begins_a_command')}|{'|'.join(sorted(every_word('question_words')))})(?!\w)",
    re.IGNORECASE,
)
_BLANKS: Final = re.compile(r"[ \t]{2,}")
_ABBREVIATION: Final = re.compile(r"(?:\w\.){2,}$")


def plain(text: str) -> str:
    """Return `text`, as long as before, with ё as е, straight quotes and plain dashes."""
    return text.translate(_EVEN)


@dataclass(frozen=True, slots=True)
class SpokenText:
    """A sentence and how it was said."""

    written: str
    """The words as written, without polite words and marks at both ends."""
    plain: str
    """The same, letter for letter, with its spelling evened out: what patterns are tried on."""
    asks: bool
    """It ends with a question mark."""
    request: bool = False
    """It began with "can you", "could you": what follows may be a command, or a question all the same."""
    please: bool = False
    """Somebody said please, so that a request is no question."""

    @classmethod
    def of(cls, text: str) -> Self:
        """Return `text` made ready; nothing is raised, whatever the text."""
        written, please_last, asks = _without_ending(unicodedata.normalize("NFC", text).strip())
        written, please_first = _without_opening(written)
        request = _REQUEST.match(plain(written))
        if request is None:
            return cls(written, plain(written), asks, please=please_first or please_last)
        please = please_first or please_last or bool(request["please"] or request["strong"])
        rest = written[request.end() :]
        return cls(rest, plain(rest), asks, request=True, please=please)

    def closed(self) -> Self:
        """Return the same without "thx", "ok" and "lol" at its end, whatever they stand behind."""
        tail = self.plain[-_TAIL:]
        closing = _CLOSING.search(tail)
        if closing is None:
            return self
        end = len(self.plain) - len(tail) + closing.start()
        return replace(self, written=self.written[:end], plain=self.plain[:end])


def _without_ending(text: str) -> tuple[str, bool, bool]:
    """Return `text` without polite words and marks at its end, whether please was said, and whether it asks."""
    please = asks = False
    while True:
        tail = plain(text[-_TAIL:])
        if agreed := _AGREED.search(tail) or (_ORDERED.match(plain(text)) and _AGREED_AT_ONCE.search(tail)):
            text = text[: len(text) - len(tail) + agreed.start()].rstrip()
            continue
        if ornament := _ORNAMENT_LAST.search(tail):
            text = text[: len(text) - len(tail) + ornament.start()].rstrip()
            tail = plain(text[-_TAIL:])
        if half := _HALF_A_SMILEY.fullmatch(text):
            text = half["said"] or half["sad"]
            continue
        bare = text if _ABBREVIATION.search(tail) else text.rstrip(" \t\r\n.!?…？！")
        asks = asks or "?" in plain(text[len(bare) :])
        text, tail = bare, plain(bare[-_TAIL:])
        polite = _PLEASE_LAST.search(tail) or _CLOSING_LAST.search(tail)
        if polite is None and not asks and _COMMANDED.match(plain(text)):
            polite = _CLOSING_AT_ONCE.search(tail)
        if polite is None:
            return text, please, asks
        please = please or polite.re is _PLEASE_LAST
        # The mark before "thanks" belongs to the sentence: "what do you know about me? Thanks".
        asks = asks or polite.group().startswith("?")
        text = text[: len(text) - len(tail) + polite.start()].rstrip()


def _without_opening(text: str) -> tuple[str, bool]:
    """Return `text` without greetings and polite words at its start, and whether please was said."""
    please = False
    while opening := _OPENING.match(plain(text)):
        please = please or opening["please"] is not None
        text = text[opening.end() :]
    return text, please


Build: TypeAlias = Callable[..., Command | None]
"""Makes the command from the words that the groups `x` and `y` caught, of those that the pattern has."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern that must fit a whole sentence, and what it then means."""

    pattern: re.Pattern[str]
    build: Build | None
    """`None` for an idiom: the sentence means nothing, whatever later rules would make of it."""


def rule(pattern: str, build: Build | None) -> Rule:
    """Return the rule for `pattern`, in which one blank stands for any white space and case does not matter."""
    return Rule(lazy_pattern(with_gaps(pattern), re.IGNORECASE | re.DOTALL), build)


def fixed(command: Command) -> Build:
    """Return what makes the same command whatever was caught."""
    return lambda: command


def first_match(spoken: SpokenText, rules: Iterable[Rule]) -> Command | None:
    """Return what the first rule makes of `spoken` that fits and is sure; `None` when there is none."""
    for each in rules:
        match = each.pattern.fullmatch(spoken.plain)
        if match is None:
            continue
        if each.build is None:
            return None
        if command := _built(spoken, match, each.build):
            return command
    return None


def _built(spoken: SpokenText, match: re.Match[str], build: Build) -> Command | None:
    spans = [match.span(group) for group in ("x", "y") if group in match.re.groupindex]
    caught = [_BLANKS.sub(" ", spoken.written[start:end]).strip(" \t\r\n,;") for start, end in spans]
    return build(*caught) if all(caught) else None
