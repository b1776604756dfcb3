"""Whether words state something ("Bob likes tea") or only refer to it ("the time we met Bob")."""

import re
from typing import Final

from bot.text.grammar.rules import plain
from bot.text.grammar.words import PERSON_VERBS, is_calendar_word


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE | re.DOTALL)


_ASKS_INSIDE: Final = re.compile(r"\?(?:\s|$)")

_POINTED_AT: Final = (
    r"(?:times?|days?|nights?|evening|morning|moment|summer|winter|years?|weekend|guys?|girls?|man|woman|dude|kid|one"
    r"|things?|stuff|movie|film|game|song|show|episode|place|party|trip|story|joke|meme|photo|picture|video"
    r"|message|post|link|bug|stream|match|fight|feeling|name|face)"
)
_THAT_TIME: Final = _compiled(
    r"(?:(?:one|first|last|other|great|good|old|crazy|silly|stupid|funny|weird) ){0,2}"
    rf"{_POINTED_AT}(?:$| (?:when|where|that|who|which|with|from|i|we|you|he|she|they|it|my|our|back)\b.*)"
)
_THAT_DAY: Final = _compiled(r"(?:one )?(?:time|moment)s? (?!(?:is|was|are|zone|zones|flies|will)\b).*")

_FINITE: Final = _compiled(
    r".*\b(?:is|isn't|are|aren't|am|was|wasn't|were|weren't|has|hasn't|have|haven't|had|will|won't|can|can't|cannot"
    r"|does|doesn't|don't|did|didn't|must|should|means|costs|starts|begins|ends|happens|opens|closes|moved|goes"
    rf"|{'|'.join(sorted(verb for verb in PERSON_VERBS if verb.isascii()))})\b.+"
)
_SUBJECT: Final = _compiled(
    r"(?:(?:i|we|he|she|they|it|everyone|everybody|nobody|someone|there)"
    r"|(?:i'(?:m|ve|d|ll)|we'(?:re|ve|ll|d)|(?:he|she|it)'(?:s|ll|d)|they'(?:re|ve|ll|d)|im|ive)) \S.*"
)
_NAMED_SUBJECT: Final = re.compile(
    r"(?!(?:The|A|An|This|That|These|Those|All|Our|Your)\s)(?:[A-ZА-Я]\w*|<@!?\d+>|@\S+)"
    r"\s+(?!\w*(?:ss|ous|ings)\s)[a-z]{2,}(?:s|ed)\s+\S.*",
    re.DOTALL,
)
_NEVER_TOLD: Final = _compiled(
    r"(?:when|how|what|who|whom|whose|where|why|which|if|whether|to"
    r"|me(?! and \S+ (?:are|were|have|will|went|met|live)\b)|us|him|them|those|back|last|never|not|nothing"
    r"|everything|anything|all|always|about|this(?! \w+ (?:is|was|has|will)\b)"
    rf"|the (?:\w+ ){{0,2}}{_POINTED_AT} (?!is\b|was\b|are\b)"
    r"|(?:the|those|these|this|your) (?:\w+ ){1,3}(?:i|we|you|he|she|they|that|who|which|when|where)\b"
    r"|(?:her|your|my|our|his|their)$)(?:\b.*|$)"
)
_CLAUSE_START: Final = re.compile(
    r"(?:(?:i|i'\w+|im|my|mine|we|we'\w+|our|he|she|he's|she's|they|they're|it|it's|the|there|his|her|their|this|these"
    r"|every|everyone|nobody)(?![\w'])|(?-i:[A-ZА-Я])|<@!?\d+>|@\w).*\s.*",
    re.IGNORECASE | re.DOTALL,
)


def is_english_memory(words: str) -> bool:
    """Return whether what follows "remember that" can be a statement: "that time we met" is none."""
    even = plain(words)
    if _ASKS_INSIDE.search(even) or len(even.split()) < 2:
        return False
    return not (_THAT_TIME.fullmatch(even) or _THAT_DAY.fullmatch(even))


def is_english_clause(words: str) -> bool:
    """Return whether what follows a bare "remember" is clearly a statement: it has a subject and a verb."""
    even = plain(words)
    if _ASKS_INSIDE.search(even) or _NEVER_TOLD.match(even):
        return False
    return any(pattern.fullmatch(even) for pattern in (_SUBJECT, _FINITE, _NAMED_SUBJECT))


def starts_a_clause(words: str) -> bool:
    """Return whether `words` begin as a sentence of their own does: a pronoun, an article, a name."""
    return _CLAUSE_START.fullmatch(plain(words)) is not None


_OWN_STATEMENT: Final = _compiled(
    r"(?:i|i'(?:m|ve|d|ll)|im|my|я|мой|моя|мое|мои|мне|меня|у меня) (?!.*\b(?:you|your|ты|тебя|тебе|вы|вам|вас)\b)\S.*"
)
_LONGEST_SAID_ANEW: Final = 12
"""Words of a sentence that is said once more to put right what was stored; more are a story."""


def is_own_statement(words: str) -> bool:
    """Return whether `words` are a short statement of the speaker's about themselves, and not about "you"."""
    even = plain(words)
    if len(even.split()) > _LONGEST_SAID_ANEW or _ASKS_INSIDE.search(even):
        return False
    return _OWN_STATEMENT.fullmatch(even) is not None


_RUSSIAN_NEVER_TOLD: Final = _compiled(
    r"(?:когда|как|кто|кого|кому|где|куда|откуда|почему|зачем|чей|чья|что|сколько|ли|меня|нас|его|ее|их|тебя|себя|это|этот|эту|эти"
    r"|то|тот|ту|те|раз|все|всех|навсегда|обо|о|об|про|какой|какая|какие|какое)(?:[\s,].*|$)"
)
_RUSSIAN_SUBJECT: Final = _compiled(
    r"(?:я|мы|он|она|они|мне|нам|ему|ей|им|у (?:меня|нас|него|нее|них|\w+)|меня зовут|завтра|сегодня) \S.*"
)
_RUSSIAN_VERB: Final = _compiled(
    r"\S+ .*\b\w{2,}(?:ет|ит|ют|ят|ут|ется|ится|ются|ятся|ал|ала|али|ил|ила|или|ел|ела|лся|лась)(?: .*|$)"
)
_RUSSIAN_JOINT: Final = _compiled(r"\S.* (?:-|=|это|есть|будет|был|была|было|были) \S.*")


def is_russian_memory(words: str) -> bool:
    """Return whether what follows «запомни, что» can be a statement."""
    even = plain(words)
    return len(even.split()) > 1 and not _ASKS_INSIDE.search(even)


def is_russian_clause(words: str, *, after_comma: bool) -> bool:
    """Return whether what follows a bare «запомни» is clearly a statement.

    After a comma two words are one («кино в пятницу» needs no verb); without it there must be a
    subject and a verb, a dash, or a date.
    """
    even = plain(words)
    if not is_russian_memory(words) or _RUSSIAN_NEVER_TOLD.fullmatch(even):
        return False
    if after_comma:
        return True
    patterns = (_RUSSIAN_SUBJECT, _RUSSIAN_VERB, _RUSSIAN_JOINT)
    return any(pattern.fullmatch(even) for pattern in patterns) or any(map(is_calendar_word, even.split()))
