"""The group's own day: what its members decided or plan together, one line each, signed by those whose words it rests
on, and which of these lines still apply.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from bot.core.domain import mention_of
from bot.llm.framing import mentioned_in
from bot.memory.derived.grounding import Grounds, Said, SentenceProblem
from bot.memory.policy.redaction import sentences_of
from bot.text.languages import either
from bot.text.tokens import is_negated, shared_stems, telling_stems

_SIGNATURE: Final = re.compile(r"\s*\(((?:<@!?\d+>(?:,\s*)?)+)\)[.\s]*$")
_BULLET: Final = re.compile(r"^\s*(?:[-*•]\s+|\d+[.)]\s+)")
_CHANGES: Final = re.compile(rf"(?<!\w){either('changes_a_plan')}(?!\w)", re.IGNORECASE)


def lines_of_group(text: str) -> list[str]:
    """Return the sentences of the group's day, each with its signature if it has one."""
    lines = (_BULLET.sub("", line) for line in text.splitlines())
    return [told for line in lines for sentence in sentences_of(line) if (told := sentence.strip())]


def as_said(text: str) -> list[Said]:
    """Return what was told of the group before as words of those who signed it."""
    return [Said(_bare(line), user_id) for line in lines_of_group(text) for user_id in _signed_by(line)]


def signed(text: str, grounds: Grounds) -> str:
    """Return what of `text` is found in what was said, a line each, signed by those who said it."""
    lines = []
    for line in lines_of_group(text):
        sentence = _bare(line)
        if grounds.verdict(sentence) is SentenceProblem.STANDS and (tellers := grounds.tellers_of(sentence)):
            lines.append(f"{sentence.rstrip('.')} ({', '.join(map(mention_of, tellers))})")
    return "\n".join(dict.fromkeys(lines))


def _bare(line: str) -> str:
    return _SIGNATURE.sub("", line)


def _signed_by(line: str) -> list[int]:
    found = _SIGNATURE.search(line)
    return mentioned_in(found[1]) if found is not None else []


@dataclass(frozen=True, slots=True)
class _Line:
    """One thing that was decided or planned."""

    day: date
    text: str
    matter: frozenset[str]
    """What it is about."""
    when: frozenset[str]
    """The numbers, days and times in it."""
    changes: bool

    @property
    def dated(self) -> str:
        """The line with the day on which it was said."""
        return f"[{self.day.isoformat()}] {self.text}"

    def supersedes(self, older: "_Line") -> bool:
        """Tell whether this, said later, takes the place of `older`: it is about the same, and is something else."""
        common = len(shared_stems(older.matter, self.matter))
        if not common:
            return False
        if self.matter == older.matter and self.when >= older.when:
            return True
        if self.changes:
            return 2 * common >= min(len(self.matter), len(older.matter))
        is_other = bool(self.when) and self.when != older.when
        return is_other and 2 * common >= max(len(self.matter), len(older.matter))


def standing(days: Iterable[tuple[date, str]]) -> list[str]:
    """Return the lines of the group's days with their dates, oldest first, without what a later one changed."""
    lines = [_line(day, text) for day, told in sorted(days) for text in lines_of_group(told)]
    return [
        one.dated
        for number, one in enumerate(lines)
        if not any(later.supersedes(one) for later in lines[number + 1 :])
    ]


def _line(day: date, text: str) -> _Line:
    bare = _bare(text)
    when = frozenset(_WHEN.findall(bare.lower()))
    matter = telling_stems(_CHANGES.sub(" ", _WHEN.sub(" ", bare)))
    return _Line(
        day,
        text,
        frozenset(one for one in matter if one.isalpha()),
        when,
        _CHANGES.search(bare) is not None or is_negated(bare),
    )


_WHEN: Final = re.compile(rf"\d+(?:[:.]\d+)*|(?<!\w){either('says_when')}(?!\w)", re.IGNORECASE)


def merged(days: Sequence[Sequence[tuple[date, str]]]) -> str:
    """Return the lines of several audiences that hold, one below the other."""
    return "\n".join(standing(day for some in days for day in some))
