"""What in a message is not its author's plain word: markup, quotations, code, emoji, and the marks of play."""

import re
import unicodedata
from typing import Final

from bot.memory.tokens import PROTECTED

OPAQUE: Final = "\x01"
"""Stands for code, addresses and what is struck out; nothing is said by a clause that holds it."""

TITLE: Final = "\x02"
"""Stands, with one more character that numbers it, for a quotation, which may be a title."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b\u2060\ufeff\ue000-\uf8ff]")
_FIRST_TITLE: Final = 0xE000
_MOST_TITLES: Final = 1000

_APOSTROPHES: Final = str.maketrans(
    {"’": "'", "ʼ": "'", "\xa0": " ", "\u202f": " ", "\u2028": "\n", "\u2029": "\n"}
)
_CODE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED_TO_THE_END: Final = re.compile(r"(?:^|\n)\s*>>>.*\Z", re.DOTALL)
_QUOTED_LINE: Final = re.compile(r"(?:^|(?<=\n))[ \t]*(?:>|&gt;)[^\n]*")
_STRUCK: Final = re.compile(r"~~.+?~~|\|\|.+?\|\|", re.DOTALL)
_BOLD: Final = re.compile(r"\*\*(?!\s)([^*\n]+?)(?<!\s)\*\*|__(?!\s)([^_\n]+?)(?<!\s)__")
_BULLET: Final = re.compile(r"(?:^|(?<=\n))[ \t]*(?:[-*•+]|#{1,3}|\d{1,2}[.)])[ \t]+")
_EMOJI: Final = re.compile(
    r"""(?:<a?:\w+:\d+> | [\u2190-\u2bff\u3030\ufe0f\u200d\U0001f000-\U0001faff]
    | (?<![\w(])(?:[:=;]['’]?-?[)D(\]/|oO3*]+|<3+|\(:|\^_?\^|:3|\^\^)(?!\w))+""",
    re.VERBOSE,
)
_STRAY_QUOTATION: Final = re.compile('["“”«»„]')
_MARKED: Final = re.compile(r"[\"<“«„‘@`]|(?<!\w)'|://|www\.")
"""Found in every text that holds something protected."""

_GAP: Final = re.compile(r"[^\S\n]+")

_PLAYFUL: Final = re.compile(
    r"""[🙃😜😝😛🤪😏😉🤡💀🤥😹😂🤣🙄😈🎵🎶♪♫♬] | (?<!\w)(?:;-?[)pPD]|[:=x]-?[pP](?!\w)|:\^\))
    | [xX][dD]+(?!\w) | ¯\\ | (?<!~)~(?!~)
    | (?<![\w*])\*(?![*\s])[^*\n]+(?<!\s)\*(?![\w*])        # *laughs*
    | (?<![\w_/])_(?![_\s])[^_\n]+(?<!\s)_(?![\w_])
    | (?<!\w)(?:/s|/j|/jk|/sarcasm|/hj|/lh|/me|<s>|</s>|</?sarcasm>|</?irony>|s/.)(?!\w)
    | ^\s*(?:[!/$%+=.-]\w|\(\(|\[[^\]\n]*\]) | ::\w+::
    | <a?:\w*(?:joy|upside|clown|troll|kappa|kek|lul|lmao|rofl|tongue|wink|smirk|sarcas|joke|jk|clueless)\w*:\d+>
    | \S(?<!he)(?<!they)(?<!она)(?<!он)\ /\ \S""",
    re.VERBOSE | re.IGNORECASE,
)
"""What is play in any language: winks and grins, *actions*, notes, songs written in one line, other bots' commands."""


def is_playful(text: str) -> bool:
    """Return whether `text` bears a mark of play that belongs to no language."""
    return _PLAYFUL.search(text) is not None


def plain(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the words of a message that are its author's own, and the quotations that were in it.

    Apostrophes are straight, gaps are single spaces, letters are composed; emoji become commas. What cannot be
    told from a quotation leaves nothing of the message.
    """
    text = unicodedata.normalize("NFC", text.translate(_APOSTROPHES)).replace("\r\n", "\n")
    text = _QUOTED_TO_THE_END.sub("\n", _CODE.sub(OPAQUE, _CONTROL.sub(" ", text)))
    text = _BULLET.sub("", _QUOTED_LINE.sub("\n", text))
    if "**" in text or "__" in text or "~~" in text or "||" in text:
        text = _BOLD.sub(lambda bold: bold[1] or bold[2], _STRUCK.sub(OPAQUE, text))
    titles: list[str] = []

    def hidden(span: re.Match[str]) -> str:
        if span[0].startswith(("<@", "<#")):
            return span[0]
        if span[0].startswith(("<a:", "<:")):
            return ", "
        if span[0][0] in "\"'“«„‘" and len(titles) < _MOST_TITLES:
            titles.append(span[0][1:-1].strip())
            return TITLE + chr(_FIRST_TITLE + len(titles) - 1)
        return OPAQUE

    if _MARKED.search(text):
        text = PROTECTED.sub(hidden, text)
    if _STRAY_QUOTATION.search(text):
        return "", ()
    return _GAP.sub(" ", _EMOJI.sub(", ", text)), tuple(titles)


def with_titles(text: str, titles: tuple[str, ...]) -> str:
    """Return `text` with the quotations that `plain` took out of it."""
    for number, title in enumerate(titles):
        text = text.replace(TITLE + chr(_FIRST_TITLE + number), f'"{title}"')
    return text
