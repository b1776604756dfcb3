"""The invariants: what must be true after a run with faults, told from a run of the same script without any."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tests.chaos.kept import Fact, Row
from tests.chaos.script import Chain, Deletes, Script
from tests.chaos.stories import Kind
from tests.leaks.canaries import canaries_in

_CATCHING_UP: Final = ("I am still catching up", "Я ещё дочитываю")
"""What the bot adds while it reads back what was said without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the bot sent in reply to a command, as it reads in the end."""

    text: str
    after_act: int
    """How many acts had happened when it was sent."""


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
        found += _facts(left, calm)
        found += _last(left, calm)
    return found


def strictly_compared(script: Script, left: Left) -> set[int]:
    """Return the commands whose answers depend on nothing that faults may change.

    All that their author had told the bot before was answered when they were given, and they were before the
    author's next. Whatever else was overtaken may be answered in other words: once, and telling nothing that was
    forgotten by then. So may what was answered while the bot was catching up, which then says so.
    """
    same = set()
    for numbers in script.chains.values():
        settled_by = 0
        for number, following in zip(numbers, [*numbers[1:], len(script.acts) + 1], strict=True):
            answers = left.answers.get(number, [])
            at = answers[0].after_act if answers else following
            is_whole = not any(said in answer.text for answer in answers for said in _CATCHING_UP)
            if settled_by <= number and at < following and number not in left.late and is_whole:
                same.add(number)
            settled_by = max(settled_by, at)
    return same


def refused(script: Script, left: Left) -> set[int]:
    """Return the commands to remember that were read back after what they say was forgotten: nobody hears of them."""
    overtaken = set()
    for word, ended in script.ended.items():
        for number, command in script.commands.items():
            is_first = number < ended and left.answers.get(ended) and not left.answers.get(number)
            if is_first and word in canaries_in(command.text):
                overtaken.add(number)
    return overtaken


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
    same = strictly_compared(script, left)
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
            if answers[0].text != wanted:
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
    for word in canaries_in(answer.text):
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


def _facts(left: Left, calm: Left) -> Iterator[Violation]:
    wanted, found = Counter(calm.facts), Counter(left.facts)
    for fact in wanted - found:
        yield Violation(
            kind="lost", told=f"the fact {fact}", act=int(fact[-1]), message_id=left.ids.get(int(fact[-1]))
        )
    for fact in found - wanted:
        act = int(fact[-1]) if fact[-1].isdigit() else None
        kind = "doubled" if fact in wanted else "revived"
        yield Violation(kind=kind, told=f"the fact {fact}", act=act, message_id=left.ids.get(act or -1))


def _last(left: Left, calm: Left) -> Iterator[Violation]:
    for chain, wanted in calm.last.items():
        if left.last.get(chain) != wanted:
            yield Violation(
                kind="different", told=f"{chain} is told {left.last.get(chain)!r}, without faults {wanted!r}"
            )
