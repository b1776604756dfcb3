"""Whether a message is meant for the bot, and what of it is said to the bot."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from bot.text.commands import Command
from bot.text.grammar.parser import is_question, parse
from bot.text.grammar.rules import plain
from bot.text.languages import either


@dataclass(frozen=True)
class Addressed:
    """What was said to the bot."""

    text: str
    """The words without the bot's name; empty when only its name was said."""

    @cached_property
    def command(self) -> Command | None:
        """The command that the words clearly give."""
        return parse(self.text)


class _Calls(NamedTuple):
    """How the bot is called by a set of names."""

    sure: re.Pattern[str]
    before_command: re.Pattern[str]
    at_end: re.Pattern[str]


_GREETING: Final = rf"(?:{either('greeting')}(?:\s*[,!]\s*|\s+))?"
_EVEN_NAME: Final = str.maketrans({"ё": "е", "Ё": "Е"})
_OBJECT_LAST: Final = re.compile(rf"\b{either('before_an_object')}\s*$", re.IGNORECASE)
_END_MARKS: Final = re.compile(r"[\s.!?…)]*$")
_MARKS: Final = " \t\r\n,:;.!?-"
_LISTED: Final = re.compile(r",\s*[^\s,]+\s*$")


def addressed(
    text: str, *, names: Sequence[str], bot_id: int, replies_to_bot: bool, direct: bool
) -> Addressed | None:
    """Return what `text` says to the bot, or `None` when it only talks about it, or about something else.

    The bot is addressed by a mention of `bot_id`, by a reply to it, in a direct message, and by one of
    `names` as a whole word: before a comma or colon, before or after a comma behind a command or question.
    """
    message = text.strip()
    calls = _calls(tuple(names))
    unmentioned = _without_mention(message, bot_id)
    if unmentioned is not None or replies_to_bot or direct:
        said = message if unmentioned is None else unmentioned
        return _called(said, calls) or Addressed(said)
    return _called(message, calls)


def _called(message: str, calls: _Calls) -> Addressed | None:
    """Return what is said in `message` to one called by name, or `None` when nobody is."""
    even = plain(message)
    if call := calls.sure.match(even):
        return Addressed(message[call.end() :].strip())
    if call := calls.before_command.match(even):
        return _if_for_bot(message[call.end() :].strip())
    if call := calls.at_end.search(even):
        rest, marks = message[: call.start()].rstrip(), message[call.end("name") :].strip()
        # "Who plays top, mid, bot?" lists lanes: a name in lower case after another short item is no call.
        if call["name"].islower() and _LISTED.search(rest):
            return None
        return _if_for_bot(rest + marks)
    return None


def _if_for_bot(words: str) -> Addressed | None:
    said = Addressed(words)
    return said if said.command is not None or is_question(words) else None


def _without_mention(message: str, bot_id: int) -> str | None:
    """Return `message` without the bot's mention at its start and end, or `None` if it mentions the bot nowhere.

    A mention inside stays, and so does one at the end that the sentence needs: "what do you know about @Bot?".
    """
    mention = rf"<@!?{bot_id}>"
    if not re.search(mention, message):
        return None
    greeted = re.match(rf"{_GREETING}(?:{mention}[\s,:;.!-]*)+(?=[^\s,:;.!?-])", message, re.IGNORECASE)
    message = message[greeted.end() :] if greeted else re.sub(rf"\A(?:{mention}[\s,:;.!-]*)+", "", message)
    marks = _END_MARKS.search(message)
    end = marks.start() if marks else len(message)
    body, ending = message[:end], message[end:]
    stripped = re.sub(rf"[\s,]*{mention}$", "", body, count=1)
    if stripped != body and not _OBJECT_LAST.search(stripped):
        message = stripped + ending
    return message.strip() if message.strip(_MARKS) else ""


@lru_cache(maxsize=256)
def _calls(names: tuple[str, ...]) -> _Calls:
    """Return the patterns for `names`; kept, because the same few sets are asked for at every message."""
    spelled = sorted(
        {name.strip().translate(_EVEN_NAME) for name in names if name.strip()}, key=len, reverse=True
    )
    any_name = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in spelled) or r"(?!)"
    name = rf"@?(?P<name>{any_name})(?!\w)"
    flags = re.IGNORECASE
    return _Calls(
        sure=re.compile(rf"{_GREETING}(?:{name}\s*[,:]|@(?:{any_name})(?![\w.'-]))\s*", flags),
        before_command=re.compile(rf"{_GREETING}{name}(?:[\s!.]+|\s+-\s+)(?=\S)", flags),
        at_end=re.compile(rf"\s*,\s*{name}(?=[\s.!?)…]*$)", flags),
    )
