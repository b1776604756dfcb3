"""The invariants: what must be true after a run with faults, told from a run of the same script without any."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tests.chaos.kept import Fact, Row
from tests.chaos.script import Chain, Deletes, Edits, Script
from tests.chaos.stories import Kind
from tests.leaks.canaries import canaries_in

_CATCHING_UP: Final = ("I am still catching up", "Я ещё дочитываю")
"""What the bot adds while it reads back what was said without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the bot sent in reply to a command, as it reads in the end."""

    text: str
    words: frozenset[str]
    """The words that nobody else says, wherever in the answer."""
    after_act: int
    """How many acts had happened when it was sent."""
    edited_after_act: int = 0
    """How many acts had happened when it was edited last; 0 if it was not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What is left of a run."""

    said: Mapping[int, str | None]
    """What members said as Discord has it, by the number of the act; `None` for what was deleted."""
    ids: Mapping[int, int]
    """The ids of those messages."""
    rows: Mapping[int, Row]
    facts: list[Fact]
    answers: Mapping[int, list[Answer]]
    unasked: list[str]
    """What the bot sent that answers nothing."""
    kept_answers: set[int]
    """The commands whose answers are kept as messages."""
    revived: Mapping[str, set[str]]
    late: frozenset[int] = frozenset()
    """The commands that were too old to be answered when the bot came to them."""
    leaps_at: int | None = None
    """The act before which Discord's clock moved on."""
    last: Mapping[Chain, str] = field(default_factory=dict)
    """What everybody was told of what is kept of them, when all was over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """Something that must not be."""

    kind: str
    """lost, doubled, revived, unanswered, or different."""
    told: str
    act: int | None = None
    message_id: int | None = None

    def __str__(self) -> str:
        where = "" if self.act is None else f" act {self.act}, message {self.message_id}:"
        return f"{self.kind}:{where} {self.told}"


def violations(script: Script, left: Left, calm: Left | None = None) -> list[Violation]:
    """Return what is wrong with what is left of a run, compared with a calm one if there is one."""
    found = [*_rows(script, left, calm), *_answers(script, left, calm), *_revived(script, left)]
    if calm is not None:
        found += _facts(script, left, calm)
        found += _last(script, left, calm)
    return found


def strictly_compared(script: Script, left: Left) -> set[int]:
    """Return the commands whose answers depend on nothing that faults may change.

    All that their author had told the bot before was dealt with when they were given, for all that can be seen, and
    they were before the author's next. Whatever else was overtaken may be answered in other words: once, and telling
    nothing that was forgotten by then. So may what was answered while the bot was catching up, which then says so.
    """
    same = set()
    edits = {act.of: number for number, act in enumerate(script.acts) if isinstance(act, Edits)}
    for numbers in script.chains.values():
        settled_by = 0.0
        for number, following in zip(numbers, [*numbers[1:], len(script.acts) + 1], strict=True):
            answers = left.answers.get(number, [])
            at = answers[0].after_act if answers else math.inf
            is_whole = not any(said in answer.text for answer in answers for said in _CATCHING_UP)
            if settled_by <= number and at < following and number not in left.late and is_whole:
                same.add(number)
            settled_by = max(settled_by, at, _followed_by(left, number, edits.get(number)))
    return same


def _followed_by(left: Left, number: int, edit: int | None) -> float:
    """Return how many acts had happened when the edit of a command was dealt with, for all that can be seen."""
    answers = left.answers.get(number)
    if edit is None or _comes_too_late(left, number, edit):
        return 0
    if not answers:
        return math.inf
    if answers[0].after_act > edit:
        # It was not answered before it read so.
        return answers[0].after_act
    return answers[0].edited_after_act if answers[0].edited_after_act > edit else math.inf


def _comes_too_late(left: Left, number: int, edit: int) -> bool:
    """Tell whether an edit comes more than five minutes after its command, so that by rule nobody follows it."""
    return left.leaps_at is not None and number < left.leaps_at <= edit


def refused(script: Script, left: Left) -> set[int]:
    """Return the commands to remember that were read back after what they say was forgotten: nobody hears of them."""
    overtaken = set()
    for word, ended in script.ended.items():
        for number, command in script.commands.items():
            is_first = number < ended and left.answers.get(ended) and not left.answers.get(number)
            if is_first and word in canaries_in(command.text):
                overtaken.add(number)
    return overtaken


def edited_late(script: Script, left: Left) -> dict[str, str]:
    """Return the words that late edits of late commands brought, with those whose places they took.

    Nobody follows such an edit. A bot that was away meanwhile may have carried out the command as it was, or come to
    it only when it read otherwise: then all it can know is how it reads now. It is either of the two, once.
    """
    return {
        new: old
        for number, act in enumerate(script.acts)
        if isinstance(act, Edits) and act.of in left.late and _comes_too_late(left, act.of, number)
        for new, old in zip(canaries_in(act.text), canaries_in(script.commands[act.of].text), strict=True)
    }


def _rows(script: Script, left: Left, calm: Left | None) -> Iterator[Violation]:
    for number, text in left.said.items():
        row, message_id = left.rows.get(number), left.ids[number]
        if text is None:
            if row is not None and row.text is not None:
                yield Violation(kind="revived", told="it was deleted", act=number, message_id=message_id)
        elif row is None:
            yield Violation(kind="lost", told="it is not kept", act=number, message_id=message_id)
        elif row.text is not None and row.text != text:
            yield Violation(
                kind="lost", told="its last version is not kept", act=number, message_id=message_id
            )
        elif calm is not None and row != calm.rows.get(number):
            yield Violation(
                kind="different",
                told=f"kept as {row}, without faults as {calm.rows.get(number)}",
                act=number,
                message_id=message_id,
            )
    for number in left.rows:
        if number < 0:
            yield Violation(kind="doubled", told="a message is kept that nobody said")


def _answers(script: Script, left: Left, calm: Left | None) -> Iterator[Violation]:
    same, late_edits = strictly_compared(script, left), edited_late(script, left)
    if calm is not None:
        same &= strictly_compared(script, calm)
    for number, command in script.commands.items():
        answers, message_id = left.answers.get(number, []), left.ids[number]
        if number in left.late:
            if answers:
                yield Violation(
                    kind="doubled", told="a late command was answered", act=number, message_id=message_id
                )
            continue
        if not answers and number in refused(script, left):
            continue
        if not answers:
            yield Violation(kind="unanswered", told=_told(command.step), act=number, message_id=message_id)
            continue
        if len(answers) > 1:
            yield Violation(
                kind="doubled", told=f"it has {len(answers)} answers", act=number, message_id=message_id
            )
        if number not in left.kept_answers:
            yield Violation(kind="lost", told="its answer is not kept", act=number, message_id=message_id)
        for answer in answers:
            yield from _told_again(script, left, number, answer)
        if calm is not None and number in same and calm.answers.get(number):
            wanted = calm.answers[number][0].text
            if _as_first_said(answers[0].text, late_edits) != wanted:
                yield Violation(
                    kind="different",
                    told=f"answered {answers[0].text!r}, without faults {wanted!r}",
                    act=number,
                    message_id=message_id,
                )
    for text in left.unasked:
        yield Violation(kind="doubled", told=f"the bot said unasked: {text!r}")


def _told_again(script: Script, left: Left, number: int, answer: Answer) -> Iterator[Violation]:
    """Return what an answer to a question tells though it was forgotten, and that was said, when it was asked."""
    step = script.commands[number].step
    if step is None or step.kind is not Kind.ASK:
        return
    for word in sorted(answer.words):
        ended = script.ended.get(word, number)
        if ended < number and any(one.after_act <= number for one in left.answers.get(ended, [])):
            yield Violation(
                kind="revived",
                told=f"{word} was forgotten, and is told",
                act=number,
                message_id=left.ids[number],
            )


def _told(step: object) -> str:
    return str(getattr(step, "kind", ""))


def _revived(script: Script, left: Left) -> Iterator[Violation]:
    for word, tables in left.revived.items():
        act = script.ended[word]
        change = script.acts[act]
        if isinstance(change, Deletes):
            act = change.of
        yield Violation(
            kind="revived",
            told=f"{word} stands in {', '.join(sorted(tables))}",
            act=act,
            message_id=left.ids.get(act),
        )


def _as_first_said(text: str, late_edits: Mapping[str, str]) -> str:
    for new, old in late_edits.items():
        text = text.replace(new, old)
    return text


def _facts(script: Script, left: Left, calm: Left) -> Iterator[Violation]:
    late_edits = edited_late(script, left)
    wanted = Counter(calm.facts)
    found = Counter(tuple(_as_first_said(part, late_edits) for part in fact) for fact in left.facts)
    for fact in wanted - found:
        yield Violation(
            kind="lost", told=f"the fact {fact}", act=int(fact[-1]), message_id=left.ids.get(int(fact[-1]))
        )
    for fact in found - wanted:
        act = int(fact[-1]) if fact[-1].isdigit() else None
        kind = "doubled" if fact in wanted else "revived"
        yield Violation(kind=kind, told=f"the fact {fact}", act=act, message_id=left.ids.get(act or -1))


def _last(script: Script, left: Left, calm: Left) -> Iterator[Violation]:
    late_edits = edited_late(script, left)
    for chain, wanted in calm.last.items():
        if _as_first_said(left.last.get(chain, ""), late_edits) != wanted:
            yield Violation(
                kind="different", told=f"{chain} is told {left.last.get(chain)!r}, without faults {wanted!r}"
            )
