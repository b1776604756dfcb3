"""Parse what is said to the bot into a command, without a model; `None` when that is not sure."""

import re
from collections.abc import Sequence
from itertools import chain
from typing import Final

from bot.text.commands import Command
from bot.text.grammar.meanings import Grammar
from bot.text.grammar.rules import SpokenText, first_match, plain
from bot.text.languages import in_each_language

_GRAMMARS: Final[Sequence[Grammar]] = [language.GRAMMAR for language in in_each_language("grammar")]

_LONGEST_LOOK: Final = 200
"""Characters at the start that show the form; the mark is looked for at the end."""

_ASKED: Final = re.compile(r"[?？][\s.!?)…\"'»”]*$")
_OPENING: Final = re.compile(
    r"(?:(?:hey|hi|so|and|but|ok|okay|well|please|now|ну|а|и|но|так|скажи|слушай|привет)(?:\s*,\s*|\s+))*",
    re.IGNORECASE,
)
_SUBJECT: Final = (
    r"(?:you|u|i|we|he|she|they|it|this|that|there|these|those|my|your|our|his|her|their|the|anyone|anybody|someone"
    r"|everyone|<@!?\d+>|@\w+)"
)
_ENGLISH: Final = re.compile(
    r"(?:what(?! an?\b)|who|whom|whose|why|when|where|which|how|what's|who's|where's|when's|how's|whats)(?![\w'-])"
    rf"|(?:do|does|did|can|could|will|would|should|shall|have|has|had|are|were|am|may|don't|didn't|can't|aren't)\s+"
    rf"{_SUBJECT}(?![\w-])"
    r"|(?:is|was|isn't|wasn't)\s+(?:it|this|that|there|he|she|anyone|anybody|everyone|everything|my|your|<@|@\w)",
    re.IGNORECASE,
)
_RUSSIAN: Final = re.compile(
    r"(?:что(?!\s+ли\b)|чего|чему|чем|о чем|про что|кто|кого|кому|кем|о ком|про кого|где|когда|куда|откуда|почему|зачем"
    r"|отчего|сколько|как(?!\s+(?:обычно|всегда|бы|раз|будто|и)\b)|как(?:ой|ая|ое|ие|ого|ую|им|их)|чей|чья|чье|чьи"
    r"|ты|вы|можно|можешь|можете|знаешь|помнишь|умеешь|понимаешь|видишь|слышишь|у кого|с кем|во сколько)(?![\w-])"
    r"|(?:есть|будет|был[аои]?|(?!что\b)\w+)\s+ли(?!\w)",
    re.IGNORECASE,
)
_WITHOUT_MARK: Final = re.compile(
    r"(?:who are (?:you|u)|what are you|how are (?:you|u)(?: doing)?(?: today)?|what's up|whats up|how's it going"
    r"|what can (?:you|u) do|what do you do|are you there|what's your name|who made you"
    r"|как (?:у тебя )?дела|как ты|как жизнь|кто ты(?: так(?:ой|ая|ое))?"
    r"|что ты (?:умеешь|можешь|такое)|ты (?:тут|здесь)"
    r"|как тебя зовут|кто тебя (?:сделал|создал))[\s.!?…]*",
    re.IGNORECASE,
)


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
    return bool(_ENGLISH.match(start) or _RUSSIAN.match(start))


LONGEST_COMMAND: Final = 4_000
"""Characters of the longest message that Discord lets anyone write; longer texts are pasted, not said."""


def parse(text: str) -> Command | None:
    """Return the command that `text` clearly gives, in any language, or `None` when that is not sure.

    `text` is what remains of a message after the bot's name. A question never becomes a command
    that changes something. Nothing is raised, whatever the text.
    """
    if len(text) > LONGEST_COMMAND:
        return None
    spoken = SpokenText.of(text)
    for grammar in _GRAMMARS:
        if command := first_match(spoken, grammar.rules_for(spoken)):
            return command
    return None


def parse_reply(text: str) -> Command | None:
    """Return the correction that `text` is as a reply to the confirmation of a write, as in "no, pasta".

    It is asked when `parse` was not sure. Nothing is raised, whatever the text.
    """
    if len(text) > LONGEST_COMMAND:
        return None
    spoken = SpokenText.of(text)
    rules = chain.from_iterable(grammar.in_reply for grammar in _GRAMMARS)
    return None if spoken.asks else first_match(spoken, rules)
