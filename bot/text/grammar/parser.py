"""Parse what is said to the bot into a command, without a model; `None` when that is not sure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.text.commands import Command
from bot.text.grammar.meanings import Grammar
from bot.text.grammar.rules import SpokenText, first_match, plain
from bot.text.languages import either, in_each_language

GRAMMARS: Final[Sequence[Grammar]] = [language.GRAMMAR for language in in_each_language("grammar")]
"""The rules of each language."""

_LONGEST_LOOK: Final = 200
"""Characters at the start that show the form; the mark is looked for at the end."""

_ASKED: Final = re.compile(r"[?？][\s.!?)…\"'»”]*$")
_OPENING: Final = re.compile(rf"(?:{either('question_opening')}(?:\s*,\s*|\s+))*", re.IGNORECASE)
_START: Final = re.compile(either("question_start"), re.IGNORECASE)
_WITHOUT_MARK: Final = re.compile(rf"{either('asked_without_mark')}[\s.!?…]*", re.IGNORECASE)


def is_question(text: str) -> bool:
    """Return whether `text` is a question by its form: it begins as one does and ends with the mark.

    A few that everybody asks ("who are you", «как дела») need no mark. `text` is what remains after
    the bot's name, or stands before it at the end.
    """
    even = plain(text.strip())
    start = even[:_LONGEST_LOOK]
    opening = _OPENING.match(start)
    start = start[opening.end() :] if opening else start
    if len(even) <= _LONGEST_LOOK and _WITHOUT_MARK.fullmatch(start):
        return True
    if not _ASKED.search(even[-_LONGEST_LOOK:]):
        return False
    return _START.match(start) is not None


LONGEST_COMMAND: Final = 4_000
"""Characters of the longest message that Discord lets anyone write; longer texts are pasted, not said."""


def parse(text: str) -> Command | None:
    """Return the command that `text` clearly gives, in any language, or `None` when that is not sure.

    `text` is what remains of a message after the bot's name. A question never becomes a command
    that changes something. Nothing is raised, whatever the text.
    """
    if len(text) > LONGEST_COMMAND:
        return None
    for spoken in _readings(text):
        for grammar in GRAMMARS:
            if command := first_match(spoken, grammar.rules_for(spoken)):
                return command
    return None


def _readings(text: str) -> Iterator[SpokenText]:
    """Yield `text` made ready, and where it may mean nothing so, without what only closes it."""
    spoken = SpokenText.of(text)
    yield spoken
    if (closed := spoken.closed()) is not spoken:
        yield closed


@dataclass(frozen=True, slots=True)
class Restatement:
    """A sentence that tells the bot how something is, and gives no command."""

    statement: str
    denies: bool
    """It begins by saying that something else was wrong: "actually", "no", «вообще-то»."""
    accuses: bool = False
    """It says so in as many words: "that's wrong", «неправда»."""


def restatement(text: str) -> Restatement | None:
    """Return what `text` tells by one sentence of its own, which may put right what is kept; `None` if it does not."""
    spoken = SpokenText.of(text)
    if len(text) > LONGEST_COMMAND or spoken.asks or spoken.request:
        return None
    for grammar in GRAMMARS:
        denied = grammar.denial.match(spoken.plain)
        statement = spoken.written[denied.end() if denied else 0 :]
        if grammar.speech.is_own(statement) or (denied and grammar.speech.is_clause(statement)):
            accuses = grammar.accusation.match(spoken.plain) is not None
            return Restatement(statement, denies=denied is not None, accuses=accuses)
    return None


def parse_reply(text: str, *, to_confirmation: bool = True) -> Command | None:
    """Return the correction that `text` is as a reply to the confirmation of a write, as in "no, pasta".

    It is asked when `parse` was not sure. What is no reply `to_confirmation`, but said to the bot some time after it,
    has to be a value: any sentence may be about something else. Nothing is raised, whatever the text.
    """
    if len(text) > LONGEST_COMMAND:
        return None
    rules = [
        rule
        for grammar in GRAMMARS
        for rule in (grammar.in_reply if to_confirmation else grammar.after_write)
    ]
    found = (first_match(spoken, rules) for spoken in _readings(text) if not spoken.asks)
    return next((command for command in found if command), None)
