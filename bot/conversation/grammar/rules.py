"""A rule of the grammar: a pattern for a whole sentence, and the command that it makes."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from bot.conversation.commands import Command
from bot.conversation.grammar.spoken import Spoken

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
    return Rule(re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE | re.DOTALL), build)


def idiom(pattern: str) -> Rule:
    """Return the rule that nothing is meant by what `pattern` fits."""
    return rule(pattern, None)


def fixed(command: Command) -> Build:
    """Return what makes the same command whatever was caught."""
    return lambda: command


def first(spoken: Spoken, rules: Iterable[Rule]) -> Command | None:
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


def _built(spoken: Spoken, match: re.Match[str], build: Build) -> Command | None:
    spans = [match.span(group) for group in ("x", "y") if group in match.re.groupindex]
    caught = [spoken.written[start:end].strip(" \t\r\n,;") for start, end in spans]
    return build(*caught) if all(caught) else None
