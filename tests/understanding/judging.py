"""Checks of cases, and the verdict of one over what was seen."""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Self

from tests.understanding.scene import HEARD, Case, Kept, Seen

DATA: Final = Path(__file__).resolve().parents[3] / "shared" / "data" / "language-cases.jsonl"
"""Not part of the project: who has it, measures with it."""

_CHECKS: Final = Path(__file__).with_name("checks.toml")


class Verdict(StrEnum):
    """What a case came to."""

    RIGHT = "right"
    WRONG_WRITE = "wrong write"
    WRONG_SUBJECT = "wrong subject"
    LEAK = "leak"
    DISTORTION = "distortion"
    SILENT = "silent"
    REFUSED = "refused"
    OTHER = "other"


HARMFUL: Final = (Verdict.WRONG_WRITE, Verdict.WRONG_SUBJECT, Verdict.LEAK, Verdict.DISTORTION)
"""What no case may come to."""

_UNKNOWN: Final = re.compile(
    r"\bI (know|have) no(body|thing|ne)?\b|\bI (do not|don't) know\b|nothing (is )?noted|не знаю|ничего не|никого не",
    re.IGNORECASE,
)
_NO_CHAT: Final = re.compile("cannot chat without|Без языковой модели")
_QUESTION: Final = re.compile(r"\?|“yes”|«да»")
_DAY: Final = re.compile(r" \(?20\d\d-\d\d-\d\d\)?")
_QUOTATION: Final = re.compile(r"(?P<teller>.+?)(?: says| говорит)?:? ?[“\"«](?P<said>.+)[”\"»]")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A fact that a case leaves behind: about whom it is, and how it reads, both as patterns."""

    about: str
    text: str

    @classmethod
    def of(cls, written: str | Sequence[str], author: str) -> Self:
        """Return the fact that a check names, about the author of the line unless it says otherwise."""
        if isinstance(written, str):
            return cls(re.escape(author), written)
        about, text = written
        return cls(about, text)

    def is_about(self, kept: Kept) -> bool:
        """Tell whether a fact is about whom this one is about."""
        return _fits(self.about, kept.about)

    def reads(self, kept: Kept) -> bool:
        """Tell whether a fact reads as this one."""
        return _fits(self.text, _bare(kept.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What is accepted of a case; the keys are told in `checks.toml`."""

    facts: tuple[Wanted, ...] = ()
    instead: tuple[Wanted, ...] = ()
    may: tuple[Wanted, ...] = ()
    gone: str = ""
    may_go: str = ""
    lists: str = ""
    says: str = ""
    never: str = ""
    unknown: bool = False
    chat: bool = False
    answer: str = "words"
    asks: str = ""

    @classmethod
    def of(cls, written: Mapping[str, object], author: str) -> Self:
        """Return the check that is written so, for a line of `author`."""
        facts = {
            key: tuple(Wanted.of(one, author) for one in _listed(written.get(key)))
            for key in ("facts", "instead", "may")
        }
        rest = {key: value for key, value in written.items() if key not in facts}
        return cls(**facts, **rest)  # type: ignore[arg-type]


def read_cases() -> list[tuple[Case, Check]]:
    """Return the cases of the data file, each with its check; raises `KeyError` if one has none."""
    written = tomllib.loads(_CHECKS.read_text(encoding="utf-8"))
    by_expected = {re.compile(pattern): check for pattern, check in written["expected"].items()}
    found = []
    for line in DATA.read_text(encoding="utf-8").splitlines():
        given = json.loads(line)
        case = Case(given["id"], tuple(given["setup"]), given["line"], given["expected"])
        default = next((check for key, check in by_expected.items() if key.fullmatch(case.expected)), None)
        own = written["cases"].get(case.case_id)
        if default is None and own is None:
            raise KeyError(f"{case.case_id} has no check in {_CHECKS.name}")
        own = {"facts": [own]} if isinstance(own, str) else own
        found.append((case, Check.of({**(default or {}), **(own or {})}, case.author)))
    return found


_NUMBERED: Final = re.compile(r"^\s*(\d+)\. (.+)$", re.MULTILINE)


def answer_to(case: Case, check: Check, said: str) -> str | None:
    """Return how the author answers what the bot said, if that is a question that a check lets it ask."""
    if check.asks != "then" or not _asks(said):
        return None
    offered = _NUMBERED.findall(said)
    if not offered:
        return "да" if re.search("[а-яё]", case.text, re.IGNORECASE) else "yes"
    meant = "|".join((check.gone, *(wanted.text for wanted in check.facts))).strip("|")
    return next((number for number, text in offered if _found(meant, text)), None)


def judged(case: Case, check: Check, seen: Seen) -> tuple[Verdict, str]:
    """Return what a case came to, and why."""
    told = "\n".join(filter(None, (seen.said, seen.then)))
    if check.never and re.search(check.never, told, re.IGNORECASE):
        return Verdict.LEAK, f"said what matches {check.never!r}"
    lost = [
        one
        for one in seen.gone
        if not _found(f"{check.gone}|{check.may_go}".strip("|"), one.text)
        and not any(_bare(one.text) == _bare(kept.text) for kept in seen.new)
    ]
    if lost:
        return Verdict.WRONG_WRITE, f"took {lost[0]}"
    return _kept(case, check, seen) or _answered(case, check, seen) or (Verdict.RIGHT, "")


def _kept(case: Case, check: Check, seen: Seen) -> tuple[Verdict, str] | None:
    """Judge what is kept and what is gone."""
    best: tuple[Verdict, str] | None = None
    for facts in filter(None, (check.facts, check.instead)) if check.facts else ((),):
        best = _kept_as(case, check, seen, facts)
        if best is None:
            break
    if best is not None:
        is_asked = check.asks == "enough" and _asks(seen.said) and not seen.new
        return None if is_asked else best
    left = [one for one in seen.after if check.gone and _found(check.gone, one.text)]
    wanted = (*check.facts, *check.instead)
    if any(not any(one.is_about(kept) and one.reads(kept) for one in wanted) for kept in left):
        if check.asks == "enough" and _asks(seen.said):
            return None
        return _nothing_done(seen, f"still keeps {left[0]}")
    return None


def _kept_as(case: Case, check: Check, seen: Seen, facts: Sequence[Wanted]) -> tuple[Verdict, str] | None:
    unclaimed = list(seen.new)
    missing = []
    for wanted in facts:
        found = next((one for one in (*unclaimed, *seen.after) if _is(case, wanted, one)), None)
        if found is None:
            missing.append(wanted)
        elif found in unclaimed:
            unclaimed.remove(found)
    extra = [one for one in unclaimed if not any(_is(case, wanted, one) for wanted in check.may)]
    if not extra:
        return _nothing_done(seen, f"keeps nothing like {missing[0].text!r}") if missing else None
    wanted_all = (*missing, *check.may)
    if not wanted_all:
        return Verdict.WRONG_WRITE, f"keeps {extra[0]}"
    if not any(wanted.is_about(extra[0]) for wanted in wanted_all):
        return Verdict.WRONG_SUBJECT, f"keeps {extra[0]}"
    return Verdict.DISTORTION, f"keeps {extra[0]}"


def _nothing_done(seen: Seen, why: str) -> tuple[Verdict, str]:
    return (Verdict.REFUSED if seen.said else Verdict.SILENT), why


def _answered(case: Case, check: Check, seen: Seen) -> tuple[Verdict, str] | None:
    """Judge what was said."""
    said = seen.said
    if said is None:
        return (Verdict.SILENT, "said nothing") if check.answer == "words" else None
    if check.answer == "none":
        return Verdict.OTHER, "answered"
    if said == HEARD and not check.chat and check.answer == "words":
        return Verdict.SILENT, "said nothing in words"
    if not check.chat and _NO_CHAT.search(said):
        return Verdict.REFUSED, "says that it cannot chat"
    for text in _listed_facts(case, check, seen):
        if text.casefold() not in said.casefold():
            return Verdict.REFUSED, f"does not tell {text!r}"
    if check.says and not re.search(check.says, said, re.IGNORECASE):
        return Verdict.REFUSED, f"says nothing like {check.says!r}"
    if (check.says or check.lists) and not check.unknown and _UNKNOWN.search(said):
        return Verdict.REFUSED, "says that it knows nothing"
    return None


def _listed_facts(case: Case, check: Check, seen: Seen) -> Iterable[str]:
    about = case.author if check.lists == "me" else check.lists
    return (one.text for one in seen.after if check.lists and one.about == about)


def _is(case: Case, wanted: Wanted, kept: Kept) -> bool:
    return wanted.is_about(kept) and (wanted.reads(kept) or _is_quotation(case, kept))


def _is_quotation(case: Case, kept: Kept) -> bool:
    """Tell whether a fact reads as what its teller said, word for word, days put in: at least half of it."""
    found = _QUOTATION.fullmatch(_bare(kept.text))
    if found is None or found["teller"] != kept.teller:
        return False
    said = _words(_DAY.sub("", found["said"]))
    return any(
        said in _words(line) and 2 * len(said) >= len(_words(line)) - 30 for line in _said_by(case, kept)
    )


def _said_by(case: Case, kept: Kept) -> Iterable[str]:
    return (
        line.split(":", 1)[1] for line in (*case.setup, case.line) if f"{kept.teller}" in line and ":" in line
    )


def _asks(said: str | None) -> bool:
    return said is not None and _NO_CHAT.search(said) is None and _QUESTION.search(said) is not None


def _words(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())


def _bare(text: str) -> str:
    return " ".join(text.replace("’", "'").split()).rstrip(".!")


def _fits(pattern: str, text: str) -> bool:
    return re.fullmatch(pattern, text, re.IGNORECASE) is not None


def _found(pattern: str, text: str) -> bool:
    return bool(pattern) and re.search(pattern, text, re.IGNORECASE) is not None


def _listed(written: object) -> list[str | list[str]]:
    return list(written) if isinstance(written, list) else []
