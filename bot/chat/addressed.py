"""Whether a message is meant for the bot, and what of it is said to the bot."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from bot.text import phrasing
from bot.text.attributes import attribute_of
from bot.text.commands import (
    AskFact,
    AskMemory,
    Command,
    Parsed,
    QuestionForm,
    Remember,
    RememberThis,
    ReplaceValue,
)
from bot.text.extraction import endings, extract, key_and_value_of
from bot.text.extraction_rules import ExtractionInput
from bot.text.grammar.parser import Restatement, is_question, restatement
from bot.text.grammar.rules import ORNAMENTS, plain
from bot.text.grammar.understanding import starts_like_order, understood
from bot.text.grammar.words import DETERMINERS
from bot.text.languages import either
from bot.text.orders import asks_to_list
from bot.text.questions import meaning_of_question, means_asker, question_of, words_of
from bot.text.vocatives import any_of


@dataclass(frozen=True)
class Addressed:
    """What was said to the bot."""

    text: str
    """The words without the bot's name; empty when only its name was said."""

    @cached_property
    def parts(self) -> tuple[Parsed, ...]:
        """The commands that the words give, sure or not."""
        return understood(self.text)

    @property
    def command(self) -> Command | None:
        """The one command that the words clearly give."""
        return only_command(self.parts)


def only_command(parts: Sequence[Parsed]) -> Command | None:
    """Return the command of a message that surely gives just one."""
    return parts[0].command if len(parts) == 1 and parts[0].sure else None


class _Calls(NamedTuple):
    """How the bot is called by a set of names."""

    any_name: re.Pattern[str]
    """Where it is not found, nothing else is."""
    sure: re.Pattern[str]
    before_command: re.Pattern[str]
    at_end: re.Pattern[str]
    bare_at_end: re.Pattern[str]
    hailed: re.Pattern[str]
    """Greeted or thanked, or called with a mark, and nothing else said."""
    amid_order: re.Pattern[str]
    """Behind the word that orders or denies: "remember, Bot, that ...", "no bot I meant ..."."""
    inside: re.Pattern[str]
    """At the start of a later sentence, before a comma or colon."""
    inside_before_command: re.Pattern[str]
    amid: re.Pattern[str]
    """Between what is said and an order that points at it: "I hate mushrooms bot, don't forget it".

    The comma may be left out where nothing stands behind the order: "I'm a nurse bot remember that".
    """
    joined: re.Pattern[str]
    """Behind the "and" before a further command."""


_GREETING: Final = rf"(?:{either('greeting')}(?:\s*[,!]\s*|\s+)){{0,3}}"
_OBJECT_LAST: Final = re.compile(rf"\b{either('before_an_object')}\s*$", re.IGNORECASE)
_DENIES: Final = re.compile(rf"{either('denies_first')}\b", re.IGNORECASE)
_OPENS_STATEMENT: Final = re.compile(rf"{either('opens_a_statement')}(?!\w)", re.IGNORECASE)
_SOMEBODY: Final = 1
"""Who says it, where it makes no difference who does."""
_LATER: Final = r"(?:[.!?…)]\s+|\n\s*)"
_END_MARKS: Final = re.compile(r"[\s.!?…)]*$")
_ONLY_POINTS: Final = (
    rf"(?:{either('please_first')},?\s+)?{either('order_last')}(?:[\s,]+{either('please')})?[\s.!]*"
)
"""A pattern of an order that says of nothing what it is about: "pls remember that", «запомни»."""
_NOTHING_MORE: Final = (
    rf"(?=(?:[\s,]+(?:{either('please')}|{either('closing')})){{0,3}}[\s.!?)…]*(?::[)D]|<3)?$)"
)
"""Behind a name at the end of a message: marks, and polite words."""
_MARKS: Final = " \t\r\n,:;.!?-"
_LISTED: Final = re.compile(r",\s*[^\s,]+\s*$")
_ORNAMENT: Final = re.compile(rf"\A(?:[\s{ORNAMENTS}]|[-–—]\s)+")
"""Emoji and dashes before the first word."""
_NO_CALL_BEHIND: Final = re.compile(rf"(?:^|\s|\W){either('never_before_a_call')}\s*$", re.IGNORECASE)
"""After these a name at the end belongs to the sentence: "Rex is a bot", "I play bot"."""


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
    if ornament := _ORNAMENT.match(message):
        message = message[ornament.end() :]
    even = plain(message)
    if calls.any_name.search(even) is None:
        return None
    if call := calls.sure.match(even):
        return Addressed(_between_calls(message[call.end() :], calls))
    if call := calls.before_command.match(even):
        return _if_for_bot(_between_calls(message[call.end() :], calls))
    if call := calls.hailed.fullmatch(even):
        return Addressed((call["hail"] or "").strip(" ,"))
    if call := calls.amid_order.match(even):
        # "Remember, bot, ..." and "remember bot: ..." order what follows; one comma may belong to a list.
        ordered = message[call.end() :]
        is_apart = not call["denial"] and (call["apart"] or ":" in (call["comma"] or ""))
        colon = ":" if is_apart and not _OPENS_STATEMENT.match(plain(ordered)) else ""
        said = Addressed(f"{message[: call.end('order')]}{colon} {ordered}")
        # "Forget bot, gank top" speaks of a lane: whoever forgets something forgets a thing.
        is_order = call["denial"] or not call["comma"] or isinstance(said.command, Remember)
        return said if (said.parts and is_order) or _puts_right(said.text) else None
    if call := calls.inside.search(even):
        return _behind(message, call, calls)
    if call := calls.inside_before_command.search(even):
        said = _behind(message, call, calls)
        return said if said.parts else None
    if call := calls.at_end.search(even):
        rest, marks = message[: call.start()].rstrip(), message[call.end("name") :].rstrip()
        said = Addressed(rest + marks)
        # "Who plays top, mid, bot?" lists lanes: a name in lower case after another short item is no call.
        if call["name"].islower() and _LISTED.search(rest) and not isinstance(said.command, ReplaceValue):
            return None
        is_question_to_bot = is_question(said.text) or _asks_for_a_fact(said.text)
        return said if said.parts or is_question_to_bot or _calls_wrong(restatement(said.text)) else None
    if call := calls.bare_at_end.search(even):
        rest, marks = message[: call.start()].rstrip(), message[call.end("name") :].rstrip()
        said = Addressed(rest + marks)
        is_sure = bool(said.parts) and all(part.sure for part in said.parts)
        is_for_bot = is_sure or _asks_for_a_fact(said.text) or _calls_wrong(restatement(said.text))
        return said if is_for_bot and not _NO_CALL_BEHIND.search(plain(rest)) else None
    if (call := calls.amid.search(even)) and not _NO_CALL_BEHIND.search(even[: call.start("name")]):
        said = _behind(message, call, calls)
        return said if any(isinstance(part.command, Remember) for part in said.parts) else None
    return None


def _between_calls(text: str, calls: _Calls) -> str:
    """Return what is said behind a call, with a new line in the place of each further one."""
    even = plain(text)
    for call in reversed(list(calls.inside.finditer(even))):
        text = f"{text[: call.start('name')].rstrip()}\n{text[call.end() :]}"
    for call in reversed(list(calls.joined.finditer(plain(text)))):
        text = f"{text[: call.start()]}\n{text[call.end() :]}"
    return text.strip()


def _behind(message: str, call: re.Match[str], calls: _Calls) -> Addressed:
    """Return what is said behind a call within a message; what it points at stands before it."""
    said = Addressed(_between_calls(message[call.end() :], calls))
    only_points = re.fullmatch(_ONLY_POINTS, plain(said.text), re.IGNORECASE)
    if only_points or any(isinstance(part.command, RememberThis) for part in said.parts):
        with_before = Addressed(f"{message[: call.start('name')].rstrip(' ,;-')}\n{said.text}")
        if any(isinstance(part.command, Remember) for part in with_before.parts):
            return with_before
    return said


def _if_for_bot(words: str) -> Addressed | None:
    said = Addressed(words)
    question = question_of(words)
    # Where only the mark makes a question, two words are one: "Bot or not?" is none, in any language.
    is_loose = (
        isinstance(question, AskFact)
        and question.form is QuestionForm.WHETHER
        and words[0].islower()
        and question_of(words.rstrip("?!. ")) is None
    )
    asks = is_question(words) or (question is not None and not is_loose)
    is_order = bool(said.parts) or starts_like_order(words)
    return said if is_order or asks or asks_to_list(words) or _puts_right(words) else None


def _asks_for_a_fact(words: str) -> bool:
    """Tell whether `words` ask for what may be known of the asker or a named member, and of no other thing."""
    question = question_of(words)
    if not isinstance(question, AskFact) or question.form is QuestionForm.WHO:
        return isinstance(question, AskMemory)
    asked = words_of(question.words.lower())
    if any(word in DETERMINERS and not means_asker(word) for word in asked):
        return False
    if question.topic:
        return True
    return len(asked) > 1 and bool(meaning_of_question(question.words).concepts)


def _puts_right(words: str) -> bool:
    """Tell whether `words` say how it is with their author, or after a denial with what holds one value at a time."""
    told = restatement(words)
    if _calls_wrong(told):
        return True
    if told is None or not (_DENIES.match(plain(words)) or phrasing.speaks_of_author(told.statement)):
        return False
    content = phrasing.told(told.statement, author_id=_SOMEBODY).text
    if (key_and_value_of(content) or attribute_of(content)) is not None:
        return True
    said = ExtractionInput(words, _SOMEBODY)
    return bool(extract(said) or endings(said))


def _calls_wrong(told: Restatement | None) -> bool:
    """Tell whether it says in as many words that something is wrong, and then how it is with its author."""
    return told is not None and told.accuses and phrasing.speaks_of_author(told.statement)


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
    any_name = any_of(names)
    name = rf"@?(?P<name>{any_name})(?!\w)"
    flags = re.IGNORECASE
    return _Calls(
        any_name=re.compile(any_name, flags),
        sure=re.compile(rf"{_GREETING}(?:{name}\s*[,:]|@(?:{any_name})(?![\w.'-]))\s*", flags),
        before_command=re.compile(rf"{_GREETING}{name}(?:\s+-\s+|[\s!.]+)(?=\S)", flags),
        inside=re.compile(rf"{_LATER}{_GREETING}{name}\s*[,:]\s*", flags),
        inside_before_command=re.compile(rf"(?:{_LATER}|,\s*){_GREETING}{name}(?:\s+-)?\s+(?=\S)", flags),
        amid=re.compile(rf"\s{name}(?:\s*,\s*(?=\S)|\s+(?={_ONLY_POINTS}$))", flags),
        joined=re.compile(
            rf"\s*,?\s+{either('joins_commands')}\s+{name}\s*[,:]\s*(?={either('begins_a_command')})", flags
        ),
        hailed=re.compile(
            rf"(?P<hail>{either('hails')}\s*,?\s+)(?:{name})[\s.!?…)]*|(?:{name})\s*[?!][\s.!?…)]*".replace(
                "(?P<name>", "(?:"
            ),
            flags,
        ),
        amid_order=re.compile(
            rf"(?P<order>(?P<denial>{either('denies_first')})|{either('order_first')})(?P<apart>\s*,)?\s*{name}"
            rf"(?:(?P<comma>\s*[,:]\s*)|\s+(?(denial)(?=\S)|(?={either('opens_a_statement')}\s)))",
            flags,
        ),
        bare_at_end=re.compile(rf"\s{name}{_NOTHING_MORE}", flags),
        at_end=re.compile(rf"\s*,\s*{name}{_NOTHING_MORE}", flags),
    )
