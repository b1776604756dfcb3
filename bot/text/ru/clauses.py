"""Where a Russian sentence says several things of its subject, or of several subjects."""

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.text.ru.dictionary import parses, plain
from bot.text.ru.phrasing import with_subject
from bot.text.tokens import words

if TYPE_CHECKING:
    from pymorphy3.tagset import OpencorporaTag

_JOINT: Final = re.compile(
    r",?\s+(?:и\s+)?(?:ещ[её]|также)\s+(?=(?:я|мне|у\s+меня|мо[йяеёи])\s)"
    r"|\s*[,;]\s+(?:а|и|но|зато)\s+|\s+(?:и|а|но)\s+|,\s+",
    re.IGNORECASE,
)
_TOGETHER: Final = re.compile(
    r"""\b(?:котор\w+|что|чтобы|если|когда|потому|поэтому|пока|где|куда|откуда|хотя|как|чем|либо|или|ни|только|оба|обе
    |вместе|кто|чей|чья|раз|то|мы|нас|нам|нами|наш\w*|ты|тебя|тебе|тобой|вы|вас|вам|вами|твой|твоя|ваш\w*|кажется|думаю
    |знаю|считаю|могу|хочу|буду|стану|умею|надеюсь|говор\w+|сказал\w*|потом|затем)\b|\?|[«»„“"]""",
    re.VERBOSE | re.IGNORECASE,
)
"""Words by which what stands beside them belongs together."""

_THAT_AGAIN: Final = re.compile(r"(,?\s+и)\s+что(?=\s+\S)", re.IGNORECASE)
"""Goes on with what was ordered: «запомни, что я люблю чай и что мою собаку зовут Рекс»."""

_LIKES: Final = r"(?:не\s+)?(?:люб(?:лю|ит)|обожа(?:ю|ет)|ненави(?:жу|дит))"
_NO_THING: Final = r"(?:его|ее|её|их|это|эт\w+|сво\w+|меня|тебя|нас|вас|себя)"
_LIKED_BACK: Final = re.compile(
    rf"(?P<first>\S.*?\s{_LIKES}\s+(?P<what>(?!{_NO_THING}\b)[\w-]+(?:\s[\w-]+)?)),?\s+(?:а|и|но)\s+"
    rf"(?P<subject>(?:мо[йя]\s+)?[\w@<>!-]+)\s+(?:(?:его|ее|её|их)\s+)?(?P<likes>{_LIKES})",
    re.IGNORECASE,
)
"""Two who like or hate the same thing: «мой парень ненавидит кинзу, а я её люблю»."""

_POINTS_BACK: Final = words(
    "он она оно они его ее ему ей им их ним ней них нем него нее это этот эта эти этого этой там туда оттуда тоже также"
)
_SCOPE: Final = words("всегда обычно часто иногда редко никогда больше давно")
_OF_A_TIME: Final = re.compile(
    r"\b(?:сегодня|завтра|послезавтра|вчера|до|на неделю|на месяц|на год|каждый|каждую|каждое|по \w+м)\b",
    re.IGNORECASE,
)
_MINE: Final = words("мой моя мое мои моего моей моих моему моим мою")
_WORD: Final = re.compile(r"<@!?\d+>|[\w-]+|[—–]")
_BEFORE_A_VERB: Final = words("не еще уже тоже")


class _Subject(NamedTuple):
    """Whom the first clause is about, and its verb."""

    words: str
    """What is put before a clause that has no subject; nothing where the verb says it."""
    verb: "OpencorporaTag | None"
    is_author: bool


def has_subject(sentence: str) -> bool:
    """Return whether a Russian sentence has a subject of its own, or a verb that says whose it is."""
    return _subject(sentence) is not None or _is_own(sentence) or with_subject(sentence) is not None


def clauses(sentence: str) -> list[str]:
    """Return the clauses of a Russian sentence, each with its subject; none where that is not sure."""
    sentence = _THAT_AGAIN.sub(r"\1", sentence)
    if _TOGETHER.search(sentence):
        return []
    if liked := _LIKED_BACK.fullmatch(sentence):
        return [liked["first"], f"{liked['subject']} {liked['likes']} {liked['what']}"]
    subject = _subject(sentence)
    cuts = [found for found in _JOINT.finditer(sentence) if _begins(sentence, found, subject)]
    edges = [0, *(edge for cut in cuts for edge in cut.span()), len(sentence)]
    parts = [sentence[start:end] for start, end in pairwise(edges)][::2]
    if len(parts) == 1 or any(_POINTS_BACK & set(_said(part)) for part in parts[1:]):
        return []
    whole = [parts[0]]
    for part in parts[1:]:
        if _is_own(part):
            whole.append(part)
        elif subject is None or _SCOPE & set(_said(parts[0])) or _OF_A_TIME.search(parts[-1]):
            return []
        else:
            whole.append(f"{subject.words} {part}".strip())
    return whole


def _said(text: str) -> list[str]:
    return [plain(word) for word in _WORD.findall(text)]


def _tag(word: str) -> "OpencorporaTag":
    return parses(word)[0].tag


def _verb_at(said: list[str]) -> "OpencorporaTag | None":
    """Return the finite verb with which `said` begins, if it does."""
    verb = next((word for word in said if word not in _BEFORE_A_VERB), "")
    if not verb.isalpha() or not parses(verb)[0].is_known:
        return None
    return _tag(verb) if "VERB" in _tag(verb) and "impr" not in _tag(verb) else None


def _subject(sentence: str) -> _Subject | None:
    """Return the subject with which `sentence` begins: its author, said or not, or a name before its verb."""
    said = _said(sentence)
    if said[:1] == ["я"] and len(said) > 1:
        return _Subject("я", _verb_at(said[1:]), is_author=True)
    first = _verb_at(said)
    if first is not None and {"1per", "sing"} in first:
        return _Subject("", first, is_author=True)
    if len(said) > 1 and (verb := _verb_at(said[1:])) is not None and {"sing"} in verb and "1per" not in verb:
        name = sentence.split()[0]
        if _is_a_name(name):
            return _Subject(name, verb, is_author=False)
    return None


def _is_a_name(word: str) -> bool:
    """Return whether `word` may be what somebody is called, in the nominative."""
    return word.startswith("<@") or (word[0].isupper() and _tag(plain(word)).case == "nomn")


def _begins(sentence: str, joint: re.Match[str], subject: _Subject | None) -> bool:
    """Return whether a clause begins behind `joint` for certain."""
    before, rest = sentence[: joint.start()], sentence[joint.end() :]
    if _is_own(rest):
        return _is_whole(before)
    said = _said(rest)
    verb = _verb_at(said)
    if subject is None or verb is None or len(said) < 2 or not _is_whole(before):
        return False
    if "past" in verb:
        return subject.words != "" and _agrees(verb, subject)
    return {"1per", "sing"} in verb if subject.is_author else {"3per", "sing"} in verb


def _agrees(verb: "OpencorporaTag", subject: _Subject) -> bool:
    """Return whether a verb in the past has the number and gender of the one that `subject` has."""
    first = subject.verb
    return (
        first is not None and "past" in first and (verb.number, verb.gender) == (first.number, first.gender)
    )


def _is_own(rest: str) -> bool:
    """Return whether `rest` begins with a subject of its own and says something of it."""
    said = _said(rest)
    tells = any(
        word in {"—", "–", "есть", "нет"} or word.isdigit() or _is_predicate(word) for word in said[1:]
    )
    if said[:1] == ["я"]:
        return len(said) > 1
    if said[:2] == ["у", "меня"]:
        return len(said) > 2
    if said[:1] and (said[0] in _MINE or said[0] in {"мне", "меня"}):
        return tells and len(said) > 1
    return len(said) > 2 and _is_a_name(rest.split()[0]) and _verb_at(said[1:]) is not None


def _is_whole(before: str) -> bool:
    """Return whether what stands before a joint says something by itself."""
    said = _said(before)
    return len(said) > 1 and (
        said[0] == "я"
        or said[:2] == ["у", "меня"]
        or any(word in {"—", "–"} or _is_predicate(word) for word in said)
        or (said[0] in _MINE and len(said) > 2)
    )


def _is_predicate(word: str) -> bool:
    return word.isalpha() and str(_tag(word).POS) in {"VERB", "ADJS", "PRED", "PRTS"}
