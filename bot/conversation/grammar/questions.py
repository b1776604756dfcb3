"""Whether something is a question to the bot, by its form alone."""

import re
from typing import Final

from bot.conversation.grammar.spoken import plain

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
