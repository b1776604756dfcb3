"""Only code claims a write: what a model says of its own doings is taken out of its replies."""

import re
from collections.abc import Sequence
from typing import Final

from bot.conversation.claim_patterns import ACKNOWLEDGED, CONDITION, DONE, SHORT, WILL

SMALL: Final = "-# "
"""What makes a line small on Discord; the lines that tell of writes begin so, and no model may write one."""

LONGEST_TOLD: Final = 120
"""Characters of one memory in the line that tells of it: it reminds, the memory itself is kept whole."""

MOST_TOLD: Final = 3
"""Memories that one line names; of more it says how many."""

_FENCED: Final = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
_BOUNDARY: Final = re.compile(r"(?<=[.!?…])[*_~]*\s+|(?<=[.!?…])[\"'”»)]+[*_~]*\s+(?=[^a-zа-яё])|\n+")
_QUOTED: Final = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]|`[^`\n]*`")
_CLAUSE: Final = re.compile(
    r"[,;:.!?…—–]+|\s-\s|(?<!ahead)\s(?:and|so|but|then|и|а|но|und|y|et|oraz|aber|pero|mais|ale)\s"
)
_EDGES: Final = re.compile(r"^[^\w]+|[^\w]+$")
_NODS: Final = re.compile(rf"(?:{ACKNOWLEDGED.pattern}\s+)*")
_HALF_MENTION: Final = re.compile(r"<@?!?\d*$")
_MOST_WORDS_BEFORE: Final = 2
"""Words of a clause before a bare "noted": "ok Bob, noted" claims, "he sang well, noted for it" does not."""


def without_false_claims(text: str, *, wrote: bool) -> str:
    """Return `text` without the sentences that claim a write, unless this turn `wrote` something.

    A claim says that its speaker has remembered, noted, saved, changed, deleted or forgotten something or will
    do so. Recalling ("I remember when you ..."), what is denied, asked, quoted or only offered stays. A nod
    before a claim ("Got it!") goes with it; if nothing but nods would be left, "" is returned. Small lines
    ("-# ...") are taken out in any case.
    """
    text = without_small_lines(text)
    if wrote:
        return text
    pieces = [piece for part in _FENCED.split(text) for piece in _sentences(part)]
    kept: list[str] = []
    for piece in pieces:
        if not _claims(piece):
            kept.append(piece)
            continue
        while kept and _is_nod(kept[-1]):
            kept.pop()
    if len(kept) == len(pieces):
        return text
    return "" if all(map(_is_nod, kept)) else "".join(kept).strip()


def without_small_lines(text: str) -> str:
    """Return `text` without the lines that begin as those do that tell what was stored."""
    if SMALL.strip() not in text:
        return text
    lines = text.splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith(SMALL.strip())).strip()


def written_line(label: str, contents: Sequence[str]) -> str:
    """Return the one small line that tells under a reply what was stored: `label`, then the memories.

    `label` is a sentence of the catalogue such as "remembered". No contents, no line: "".
    """
    told = [" ".join(content.split()) for content in contents]
    told = [
        one if len(one) <= LONGEST_TOLD else _HALF_MENTION.sub("", one[: LONGEST_TOLD - 1]).rstrip() + "…"
        for one in told
        if one
    ]
    if not told:
        return ""
    more = f" (+{len(told) - MOST_TOLD})" if len(told) > MOST_TOLD else ""
    return f"{SMALL}{label}: {'; '.join(told[:MOST_TOLD])}{more}"


def _sentences(part: str) -> list[str]:
    """Return the sentences of `part`, each with the blanks behind it; fenced code is one."""
    if part.startswith("```"):
        return [part]
    ends = [boundary.end() for boundary in _BOUNDARY.finditer(part)]
    return [
        piece for start, end in zip([0, *ends], [*ends, len(part)], strict=True) if (piece := part[start:end])
    ]


def _claims(sentence: str) -> bool:
    if sentence.startswith("```"):
        return False
    plain = _QUOTED.sub(" quoted ", sentence.lower().replace("ё", "е").replace("’", "'"))
    asks = plain.rstrip(" \n\"'”»)*_~").endswith("?")
    clauses = [_EDGES.sub("", clause) for clause in _CLAUSE.split(plain)]
    clauses = [clause for clause in clauses if clause]
    if asks:
        clauses = clauses[:-1]
    for number, clause in enumerate(clauses):
        said = clause[nods.end() :] if (nods := _NODS.match(clause)) else clause
        if DONE.match(said) or (WILL.match(said) and not CONDITION.search(plain)):
            return True
        if SHORT.fullmatch(said) and all(_is_short(before) for before in clauses[:number]):
            return True
    return False


def _is_short(clause: str) -> bool:
    return len(clause.split()) <= _MOST_WORDS_BEFORE or bool(ACKNOWLEDGED.fullmatch(clause))


def _is_nod(sentence: str) -> bool:
    """Tell whether a sentence says no more than "Got it, Bob!", or nothing at all."""
    clauses = [_EDGES.sub("", clause) for clause in _CLAUSE.split(sentence.lower().replace("’", "'"))]
    clauses = [clause for clause in clauses if clause]
    nods = [clause for clause in clauses if ACKNOWLEDGED.fullmatch(clause)]
    return not clauses or (bool(nods) and all(clause in nods or " " not in clause for clause in clauses))
