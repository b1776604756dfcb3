"""Where an English sentence says several things of its subject, or of several subjects."""

import re
from itertools import pairwise
from typing import Final, NamedTuple

from bot.text.en.phrasing import is_past_form, with_subject
from bot.text.en.verbs import CLEAR, IRREGULAR_PAST, ONE_FORM, REQUESTS, VERBS, is_surely_verb, third_form
from bot.text.tokens import words

_JOINT: Final = re.compile(
    r",?\s+(?:and|but|n|&)\s+(?:also\s+|then\s+)?|,?\s+(?:also|plus)\s+(?=(?:i|i['’]?m|i['’]?ve|my)\s)|,\s+",
    re.IGNORECASE,
)
_TOGETHER: Final = re.compile(
    r"""\b(?:who|whom|whose|which|that|because|cause|when|whenever|if|while|although|though|where|unless|until|till|so
    |than|both|either|neither|nor|or|only|too|each|together|respectively|then|same|instead|say|says|said|think|thinks
    |guess|hope|wish|know|knows|told|feel|mean|believe|you|your|yours|u|ur|we|us|our|how|what|why|let|lets)\b|\?|["“”]
    |\bas\s+(?!an?\b)|\bbetween\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""Words by which what stands beside them belongs together."""

_THAT_AGAIN: Final = re.compile(r",?\s+and\s+that\s+(?=\S)", re.IGNORECASE)
"""Goes on with what was ordered: "remember that I like tea and that my dog is called Rex"."""

_LIKES: Final = r"(?:(?:do|does)(?:n['’]?t|\s+not)\s+)?(?:like|love|hate|dislike|adore|enjoy|loathe)s?"
_NO_THING: Final = "(?:his|her|their|its|this|that|these|those|me|you|him|us|it|them)"
_LIKED_BACK: Final = re.compile(
    rf"(?P<first>\S.*?\s{_LIKES}\s+(?P<what>(?!{_NO_THING}\b)[\w'’-]+(?:\s[\w'’-]+){{0,2}}?)),?\s+(?:and|but|while)\s+"
    rf"(?P<second>(?:i|my\s+\w+|[\w@<>!.'’-]+)\s+(?:\w+ly\s+)?{_LIKES})\s+(?:it|them)",
    re.IGNORECASE,
)
"""Two who like or hate the same thing: "my boyfriend hates cilantro and I love it"."""

_POINTS_BACK: Final = words(
    "it its it's they them this these those he she him there one ones another other others"
)
_POSSESSIVE: Final = words("his her hers their")
_SCOPE: Final = words(
    "never always usually often sometimes rarely hardly not don't dont doesn't can't cannot didn't won't"
)
"""What may go for the verbs behind it as well."""

_MODAL: Final = re.compile(
    r"\b(?:can|could|will|would|should|must|might|may|i'll|i'd|used|going)\b|\bto\s+(?P<verb>[a-z]+)",
    re.IGNORECASE,
)
_OF_A_TIME: Final = re.compile(
    r"\b(?:today|tomorrow|tonight|yesterday|next|this|last|for (?:a|an|the|\d+)|every|on \w+days?|daily)\b",
    re.IGNORECASE,
)
_MINE: Final = re.compile(r"(?:i|i'm|im|i've|ive|i'll|i'd)\s+\S", re.IGNORECASE)
_PRESENT: Final = {"i'm": "am", "im": "am", "i've": "have", "ive": "have"}
_AUXILIARIES: Final = words("am is was were have has had are")
_WAS_BORN: Final = "was born"
_SURELY_PAST: Final = words("moved lived grew went came studied worked became")
"""What somebody did: regular ones among them are hardly ever participles, as "raised" is."""
_BE_OR_HAVE: Final = words("is has was")
_VERB_THIRD: Final = {third_form(verb): verb for verb in VERBS if verb.isalpha()}
_OF_SOMEBODY: Final = re.compile(r"['’]s$|[^aius'’]s$", re.IGNORECASE)
"""Ends a subject that may leave out whose thing it is: "my birthday is in May and my wife's is in June"."""
_GAPPED: Final = re.compile(
    r"(?P<one>i|my\s+\w+)\s+(?P<verb>\w+)\s+(?P<at>in|at|on|with|for|from)\s+(?P<where>[^,]+?),?\s+and\s+"
    r"(?P<other>my\s+\w+)\s+(?P=at)\s+(?P<there>[^,]+)",
    re.IGNORECASE,
)


class _Subject(NamedTuple):
    """Whom the first clause is about, and the form of its verb."""

    words: str
    verb: str
    is_author: bool


def has_subject(sentence: str) -> bool:
    """Return whether an English sentence has a subject of its own, or is of its author without one."""
    return _subject(sentence) is not None or with_subject(sentence) is not None


def clauses(sentence: str) -> list[str]:
    """Return the clauses of an English sentence, each with its subject; none where that is not sure."""
    if len(ordered := _THAT_AGAIN.split(sentence)) > 1 and all(map(_stands_alone, ordered)):
        return [clause for one in ordered for clause in (clauses(one) or [one])]
    sentence = _THAT_AGAIN.sub(" and ", sentence)
    if _TOGETHER.search(sentence):
        return []
    if liked := _LIKED_BACK.fullmatch(sentence):
        return [liked["first"], f"{liked['second']} {liked['what']}"]
    if gapped := _GAPPED.fullmatch(sentence):
        return _filled(gapped)
    subject = _subject(sentence)
    cuts = [found for found in _JOINT.finditer(sentence) if _begins(sentence, found, subject)]
    edges = [0, *(edge for cut in cuts for edge in cut.span()), len(sentence)]
    parts = [sentence[start:end] for start, end in pairwise(edges)][::2]
    if len(parts) == 1 or any(_points_back(part, subject) for part in parts[1:]):
        return []
    whole = [parts[0]]
    for part in parts[1:]:
        if _is_own(part):
            whole.append(part)
        elif subject is None or _reaches_on(parts[0]) or _OF_A_TIME.search(parts[-1]):
            return []
        else:
            whole.append(f"{subject.words} {part}")
    return whole


def _stands_alone(clause: str) -> bool:
    """Return whether a clause that was ordered by itself says something without what stands before it."""
    if _TOGETHER.search(clause) or _points_back(clause, None):
        return False
    return _MINE.match(clause) is not None or _subject(clause) is not None


def _subject(sentence: str) -> _Subject | None:
    """Return the subject with which `sentence` begins: its author, "my brother", or a name."""
    said = sentence.replace("’", "'").split()
    first = said[0].lower() if said else ""
    if first in _PRESENT:
        return _Subject("I", _PRESENT[first], is_author=True)
    if first == "i" and said[1:3] == ["was", "born"]:
        return _Subject("I", _WAS_BORN, is_author=True)
    if first == "i" and len(said) > 1:
        verb = next((word.lower() for word in said[1:] if not word.lower().endswith("ly")), "")
        return _Subject("I", verb, is_author=True)
    most = 4 if first == "my" else 2
    for at in range(1 if first != "my" else 2, min(most, len(said) - 1) + 1):
        verb = said[at].lower()
        is_verb = verb in _BE_OR_HAVE or (_VERB_THIRD.get(verb, "") in VERBS and verb in _VERB_THIRD)
        if is_verb and (first == "my" or is_a_name(said[:at])):
            return _Subject(" ".join(said[:at]), verb, is_author=False)
    return None


def is_a_name(said: list[str]) -> bool:
    """Return whether some words may be what a member is called: a mention, a name, a nickname in small letters."""
    return all(re.fullmatch(r"<@!?\d+>|@?\w[\w.'-]*", word) is not None for word in said) and (
        len(said) == 1 or said[-1][0].isupper()
    )


def _begins(sentence: str, joint: re.Match[str], subject: _Subject | None) -> bool:
    """Return whether a clause begins behind `joint` for certain."""
    rest = sentence[joint.end() :]
    if _is_own(rest):
        return _has_verb(sentence[: joint.start()])
    likened = "," in joint[0] and rest.lower().startswith("like ")
    return subject is not None and not likened and _goes_on(rest, subject)


def _is_own(rest: str) -> bool:
    """Return whether `rest` begins with a subject and its verb."""
    if _MINE.match(rest):
        return True
    said = rest.split()
    found = _subject(rest)
    if found is None or found.is_author or len(said) <= len(found.words.split()) + 1:
        return False
    if _OF_SOMEBODY.search(found.words):
        return False
    return (
        found.words.lower().startswith("my ")
        or found.words.startswith(("<@", "@"))
        or (found.words[0].isupper() and found.verb not in _BE_OR_HAVE)
    )


def _has_verb(text: str) -> bool:
    return (
        any(
            word in VERBS
            or word in _VERB_THIRD
            or word in _AUXILIARIES
            or word in _PRESENT
            or is_past_form(word)
            for word in text.lower().replace("’", "'").split()[1:]
        )
        or text.lower().split()[:1][0] in _PRESENT
    )


def _goes_on(rest: str, subject: _Subject) -> bool:
    """Return whether `rest` begins with a verb of `subject`, in its person and time."""
    said = [word.strip(",.") for word in rest.lower().replace("’", "'").split()]
    while said and (said[0].endswith("ly") or said[0] in {"also", "now", "still", "really", "just"}):
        said = said[1:]
    if len(said) < 2:
        return False
    verb, following = said[0], said[1]
    if subject.is_author:
        if following == "me" or (subject.verb == "am" and verb in REQUESTS):
            # "I'm vegan and make me a sandwich": somebody else is asked to.
            return False
        if verb in {"am", "have", "don't", "can't", "haven't", "was"}:
            return True
        if subject.verb == _WAS_BORN:
            return verb in _SURELY_PAST
        if is_past_form(subject.verb) and subject.verb not in _AUXILIARIES:
            return verb in _SURELY_PAST | IRREGULAR_PAST - {"felt", "left", "cut"}
        present = subject.verb in VERBS or subject.verb in {"am", "have"}
        return present and verb not in ONE_FORM and is_surely_verb(verb, following, behind=subject.verb)
    base = _VERB_THIRD.get(verb, "")
    if verb in _BE_OR_HAVE:
        return True
    return (
        bool(base)
        and subject.verb not in {"was"}
        and (base in CLEAR or is_surely_verb(base, following, behind=_VERB_THIRD.get(subject.verb, "am")))
    )


def _points_back(part: str, subject: _Subject | None) -> bool:
    """Return whether a later clause says something of what an earlier one named."""
    said = set(re.findall(r"[\w']+", part.lower().replace("’", "'")))
    own = frozenset() if subject is not None and not subject.is_author else _POSSESSIVE
    return bool(said & (_POINTS_BACK | own))


def _reaches_on(first: str) -> bool:
    """Return whether something in the `first` clause may go for the verbs behind it as well."""
    said = first.lower().replace("’", "'")
    governing = next(
        (found for found in _MODAL.finditer(said) if found["verb"] is None or found["verb"] in VERBS), None
    )
    return governing is not None or bool(_SCOPE & set(said.split()))


def _filled(gapped: re.Match[str]) -> list[str]:
    """Return both clauses of "my brother lives in Oslo and my sister in Rome"."""
    verb = gapped["verb"].lower()
    base = verb if gapped["one"].lower() == "i" else _VERB_THIRD.get(verb, "")
    if base not in VERBS:
        return []
    end = f"{gapped['at']} {gapped['there']}"
    first = f"{gapped['one']} {gapped['verb']} {gapped['at']} {gapped['where']}"
    return [first, f"{gapped['other']} {third_form(base)} {end}"]
