"""What members surely say about themselves, read out of a message without a model: its clauses, the
statements in them, the key of each, and what is too private to be learned.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.core.domain import MAX_FACT_CHARACTERS
from bot.text import extraction_rules, phrasing
from bot.text.attributes import attribute_of
from bot.text.extraction_rules import (
    WORTH,
    ClausePattern,
    Extracted,
    ExtractionInput,
    ExtractionLanguage,
    StatementKind,
    ThirdPersonPattern,
)
from bot.text.kinds import harms_in
from bot.text.languages import either, every_word, in_each_language
from bot.text.secrets.masking import masked
from bot.text.secrets.spans import MASK
from bot.text.tokens import content_stems, normalised

LANGUAGES: Final[tuple[ExtractionLanguage, ...]] = tuple(
    language.LANGUAGE for language in in_each_language("extraction")
)

_LONGEST: Final = 200
"""Characters of a sentence with a key; what is longer says more than one thing."""


def key_and_value_of(content: str) -> tuple[str, str] | None:
    """Return the key of a sentence in the third person, and what it says there; `None` if it has none of its own.

    "<@7>'s favorite food is ramen" stands under `favorite:food` and says "ramen"; "<@7> doesn't like pizza" stands
    under `likes:pizza` and says "dislikes". Only sentences that say one such thing and nothing else have a key.
    Feelings and events have none here, since what was asked to be remembered does not pass.
    """
    content = content.strip().rstrip(".!")
    if len(content) > _LONGEST or not content:
        return None
    for tongue in LANGUAGES:
        for told in tongue.told:
            found = told.shape.fullmatch(content)
            if found is None:
                continue
            said = found["value"].strip()
            values = tongue.values_of(told.kind, found)
            if len(values) == 1 and values[0].lower() == said.lower():
                return _key_and_value(
                    told, tongue, value=values[0], thing=found.groupdict().get("thing") or ""
                )
    return None


def event_key(content: str) -> str:
    """Return the key of something that happened: it replaces nothing but itself."""
    return f"event:{hashlib.sha256(normalised(content).encode()).hexdigest()[:16]}"


def _key_and_value(
    told: ThirdPersonPattern, tongue: ExtractionLanguage, *, value: str, thing: str
) -> tuple[str, str]:
    """Return key and value of what is told in `tongue`."""
    kind = told.kind
    if kind in {StatementKind.LIKES, StatementKind.DISLIKES}:
        return f"likes:{tongue.keyed(kind, normalised(value))}", kind.value
    if kind is StatementKind.FAVORITE:
        return f"favorite:{tongue.keyed(kind, normalised(thing))}", value.strip('"')
    if kind is StatementKind.ALIAS:
        return f"alias:{normalised(value)}", value
    if kind is StatementKind.BIRTHDAY:
        value = extraction_rules.day_of_year(normalised(value), tongue.months)
    elif kind is StatementKind.PRONOUNS:
        value = re.sub(r"\s*/\s*", "/", normalised(value))
    elif kind is StatementKind.WORKS_AS:
        value = tongue.keyed(kind, normalised(value))
    elif kind in _MANY:
        return f"{kind.value}:{tongue.keyed(kind, normalised(value))}", value
    return kind.value, value


_MANY: Final = frozenset(
    (
        StatementKind.PET,
        StatementKind.FAMILY,
        StatementKind.SPEAKS,
        StatementKind.PLAYS,
        StatementKind.TRAIT,
        StatementKind.HABIT,
    )
)
"""What can hold several times at once, each under a key of its own."""


_NOT_AFTER: Final = "".join(rf"(?<!\b{short}\.)" for short in (*sorted(every_word("abbreviations")), r"\w"))
_SENTENCE_END: Final = re.compile(rf"\n+|(?<=[!?…？！。])\s+|(?<=\.){_NOT_AFTER}\s+", re.IGNORECASE)
_QUESTION: Final = re.compile(r"[?？؟⁇⁈]")
_EDGES: Final = " \t,.;:!-–—()[]{}…/"


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of `text`, with the marks at their ends."""
    for sentence in _SENTENCE_END.split(text):
        if sentence and not sentence.isspace():
            yield sentence.strip()


def is_question(sentence: str, tongues: Sequence[ExtractionLanguage]) -> bool:
    """Return whether `sentence` asks, by its mark, wherever it stands, or by how it begins."""
    return _QUESTION.search(sentence) is not None or any(
        tongue.asks.match(without_leads(sentence, tongue)) for tongue in tongues
    )


def clauses(sentence: str, tongue: ExtractionLanguage) -> list[str]:
    """Return the clauses of `sentence`, without the marks at their ends."""
    sentence = tongue.greeting.sub(lambda found: found[0].replace(",", "").replace("!", ""), sentence)
    return [clause for part in tongue.joints.split(sentence) if (clause := part.strip(_EDGES))]


def without_leads(clause: str, tongue: ExtractionLanguage) -> str:
    """Return `clause` from where it begins to say something."""
    while (lead := tongue.leads.match(clause)) and lead.end():
        clause = clause[lead.end() :].lstrip(_EDGES)
    return clause


def is_private(content: str) -> bool:
    """Return whether `content` holds a secret, or is of a kind that nobody would have learned of them."""
    return MASK in content or any(kind.is_unlearned for kind in harms_in(content))


_READING_LONGEST: Final = 4000
"""Characters; nobody can write more into a message of Discord, and a pasted document is not about its author."""

_CORRECTABLE: Final = frozenset({StatementKind.FAVORITE, StatementKind.NAME})
_LISTABLE: Final = frozenset({StatementKind.LIKES, StatementKind.DISLIKES, StatementKind.FAVORITE})
_INTRODUCES: Final = frozenset({StatementKind.NAME, StatementKind.AGE, StatementKind.FROM})
_MOST_CLAUSES: Final = 25
"""Of a sentence; nobody talks so."""

_MOST_LISTED: Final = 6
_LONGEST_LISTED: Final = 5
"""Words of a thing in an enumeration."""

_TRAILING_DOTS: Final = re.compile(r"(?:\.\.|…)\s*$")
_WORD: Final = re.compile(r"[\w'-]+")


@dataclass(frozen=True, slots=True)
class _Statement:
    """What a clause says, in the first person."""

    pattern: ClausePattern
    tongue: ExtractionLanguage
    parts: tuple[tuple[str, str], ...]
    """What the groups of the pattern hold, but for the value."""
    value: str

    @property
    def text(self) -> str:
        return self.pattern.statement.format(**dict(self.parts), value=self.value)


def extract(said: ExtractionInput) -> tuple[Extracted, ...]:
    """Return what `said` tells about its author, by the order in which it is told; of one key the last word counts.

    Nothing of a message that is playful or that the next one takes back. Nothing is raised, whatever the text.
    """
    if not _may_tell(said.text, before=said.before):
        return ()
    plain, titles = extraction_rules.plain_words(masked(said.text))
    statements = list(_statements(plain, before=said.before))
    if not statements or _is_play(said.text) or _is_taken_back(said.after):
        return ()
    found: dict[str, Extracted] = {}
    for statement in statements:
        if (one := _extracted(statement, titles, author_id=said.author_id)) is not None:
            found.pop(one.key, None)
            found[one.key] = one
    return tuple(found.values())


ENDED: Final = "¬"
"""Begins the value of a fact that says that something is so no longer; what it was follows, if only that ended."""

_LONGEST_ENDED: Final = 5
"""Words of what is so no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What a member said of themselves to be so no longer."""

    kinds: tuple[str, ...]
    """What the keys begin with under which it may stand."""
    value: str
    """What a fact says that says so: `ENDED`, and behind it what was so."""
    content: str
    """Third person, as that of `Extracted`."""


def endings(said: ExtractionInput) -> tuple[Ending, ...]:
    """Return what `said` tells to be so no longer of its author; nothing of what is played or taken back.

    What it ends is found among what is known: by itself it may be about something else.
    """
    lowered = _lowered(said.text)
    spoken = [tongue for tongue in _spoken(lowered) if tongue.ends_hint.search(lowered)]
    if not spoken or len(said.text) > _READING_LONGEST or _is_play(said.text) or _is_taken_back(said.after):
        return ()
    plain, _ = extraction_rules.plain_words(masked(said.text))
    return tuple(
        ending
        for sentence in sentences(plain)
        if MASK not in sentence and _is_certain(sentence.lower(), spoken)
        for tongue in spoken
        for ending in _endings_in(sentence, tongue, author_id=said.author_id)
    )


def _endings_in(sentence: str, tongue: ExtractionLanguage, *, author_id: int) -> Iterator[Ending]:
    for part in clauses(sentence, tongue)[:_MOST_CLAUSES]:
        clause = without_leads(part, tongue)
        for pattern in tongue.endings:
            found = pattern.shape.fullmatch(clause)
            if found is None:
                continue
            groups = {name: value or "" for name, value in found.groupdict().items()}
            content, is_sure = phrasing.told(pattern.statement.format(**groups), author_id=author_id)
            value = groups.get("value", "").strip()
            if is_sure and len(value.split()) <= _LONGEST_ENDED and not is_private(content):
                yield Ending(kinds=pattern.kinds, value=f"{ENDED} {value}".strip(), content=content)
        if tongue.hangs.search(part) or tongue.aside.match(clause):
            return


def was(value: str) -> str | None:
    """Return what the value of a fact says to be so no longer, "" for whatever it was; `None` if it is so."""
    return value.removeprefix(ENDED).strip() if value.startswith(ENDED) else None


def is_ended_by(value: str, *, key: str, known: str) -> bool:
    """Return whether a value that says that something is so no longer means what is `known` under `key`.

    "The dog" is "a dog named Rex" but not one of two; of a town the land may be told, too.
    """
    ended = was(value)
    if ended is None or was(known) is not None:
        return False
    if not ended:
        return key != _RELATIONSHIP or _WITHOUT_PARTNER.search(known) is None
    if known.split(maxsplit=1)[0].lower() in _SEVERAL and not ended.endswith("s"):
        return False
    said, stored = content_stems(ended), content_stems(f"{key.partition(':')[2]} {known}")
    is_wider = key == StatementKind.LIVES_IN and bool(stored) and stored <= said
    return bool(said) and (said <= stored or is_wider)


_RELATIONSHIP: Final = "relationship"
_WITHOUT_PARTNER: Final = re.compile(rf"(?<!\w){either('without_partner')}(?!\w)", re.IGNORECASE)
_SEVERAL: Final = every_word("small_numbers")


def _may_tell(text: str, *, before: str) -> bool:
    """Return whether a closer look at `text` is worth it: nearly all messages tell nothing."""
    if not text or len(text) > _READING_LONGEST:
        return False
    lowered = _lowered(text).replace("*", "")
    if before and any(tongue.correction.match(lowered) for tongue in LANGUAGES):
        return True
    spoken = _spoken(lowered)
    if not any(tongue.hint.search(lowered) for tongue in spoken):
        return False
    return any(
        any(tongue.hint.search(sentence) for tongue in spoken) and _is_certain(sentence, spoken)
        for sentence in sentences(lowered)
    )


def _is_certain(lowered: str, spoken: Sequence[ExtractionLanguage]) -> bool:
    """Return whether a sentence in lower case neither asks nor doubts nor tells what others said."""
    return not is_question(lowered, spoken) and not any(tongue.doubt.search(lowered) for tongue in spoken)


def _spoken(lowered: str) -> list[ExtractionLanguage]:
    """Return the languages that a text in lower case may be in, by its letters."""
    return [tongue for tongue in LANGUAGES if tongue.letters.search(lowered)]


def _lowered(text: str) -> str:
    return text.lower().replace("’", "'")


def _is_play(text: str) -> bool:
    lowered = _lowered(text).replace("ё", "е")
    return extraction_rules.is_playful(text) or any(
        tongue.play.search(lowered) for tongue in _spoken(lowered)
    )


def _is_taken_back(after: str) -> bool:
    """Return whether the author's next message says that this one was not meant."""
    lowered = _lowered(after).strip().replace("ё", "е")
    return bool(lowered) and (
        any(tongue.takes_back.match(lowered) for tongue in LANGUAGES)
        or (extraction_rules.is_playful(after) and _WORD.search(lowered) is None)
    )


def _statements(plain: str, *, before: str = "") -> Iterator[_Statement]:
    """Yield what `plain` says, and what it says instead of what was said just before it."""
    latest = _latest(before)
    for sentence in sentences(plain):
        lowered = sentence.lower()
        spoken = _spoken(lowered)
        tongues = [
            tongue
            for tongue in spoken
            if tongue.hint.search(lowered) or (latest is not None and tongue.correction.match(sentence))
        ]
        if not tongues or MASK in sentence or not _is_certain(lowered, spoken):
            continue
        for tongue in tongues:
            for statement in _of_sentence(sentence, tongue, latest):
                if statement.pattern.kind in _CORRECTABLE:
                    latest = statement
                yield statement


def _latest(before: str) -> _Statement | None:
    """Return what the message before said last of what can be corrected by a bare value."""
    if not before or not _may_tell(before, before="") or _is_play(before):
        return None
    plain, _ = extraction_rules.plain_words(masked(before))
    said = [one for one in _statements(plain) if one.pattern.kind in _CORRECTABLE]
    return said[-1] if said else None


def _of_sentence(
    sentence: str, tongue: ExtractionLanguage, latest: _Statement | None
) -> Iterator[_Statement]:
    """Yield what the clauses of one sentence say; after one that leads elsewhere, the rest says nothing."""
    parts = clauses(sentence, tongue)
    if len(parts) > _MOST_CLAUSES:
        return
    has_told = introduces = False
    skipped = 0
    for at, part in enumerate(parts):
        if skipped:
            skipped -= 1
            continue
        if corrected := _correction(parts[at:], tongue, latest):
            yield corrected
            return
        goes_on = tongue.introduced.match(part) if introduces else None
        joined = goes_on or (tongue.joined.match(part) if has_told else None)
        clause = part if joined is None else tongue.pronoun + part[joined.end() :]
        following = parts[at + 1 :]
        if following and tongue.turns.match(following[0]):
            has_told = False
        else:
            told, skipped = _told(clause, following, tongue)
            if _TRAILING_DOTS.search(sentence) and at + skipped + 1 == len(parts):
                told = [one for one in told if one.pattern.kind is not StatementKind.LIKES]
            yield from told
            latest = next((one for one in reversed(told) if one.pattern.kind in _CORRECTABLE), latest)
            has_told = bool(told)
            introduces = bool(goes_on) or any(one.pattern.kind in _INTRODUCES for one in told)
        said = without_leads(part, tongue)
        if tongue.hangs.search(said) or (not has_told and tongue.aside.match(said)):
            return


def _told(clause: str, following: list[str], tongue: ExtractionLanguage) -> tuple[list[_Statement], int]:
    """Return what one clause says by the first pattern that it is, and how many of the next ones go on with it."""
    bare = without_leads(clause, tongue)
    for words in dict.fromkeys((clause, bare, tongue.trails.sub("", bare))):
        for pattern in tongue.patterns:
            found = pattern.shape.fullmatch(words)
            values = () if found is None else tongue.values_of(pattern.kind, found)
            if found is None or not values:
                continue
            more = _going_on(pattern.kind, values, following, tongue)
            if more is None:
                return [], 0
            values, skipped = more
            groups = tuple((name, part or "") for name, part in found.groupdict().items() if name != "value")
            return [_Statement(pattern, tongue, groups, value) for value in values], skipped
    return [], 0


def _going_on(
    kind: StatementKind, values: tuple[str, ...], following: list[str], tongue: ExtractionLanguage
) -> tuple[tuple[str, ...], int] | None:
    """Return `values` with those that the next clauses add, and how many clauses that took.

    `None` if they go on with what is no value: then the first one is not surely understood either.
    """
    clean = tongue.clean[kind]
    if kind is StatementKind.LIVES_IN and following:
        with_land = f"{values[0]}, {following[0]}"
        whole = clean(with_land)
        return (whole, 1) if whole and whole[0].lower() == with_land.lower() else (values, 0)
    listed, taken = _listed(following, tongue) if kind in _LISTABLE else ([], 0)
    added = [value for item in listed for value in clean(item)]
    if len(added) < len(listed):
        return None
    values = (*values, *added)
    return ((", ".join(values),) if kind is StatementKind.FAVORITE else values), taken


def _listed(following: list[str], tongue: ExtractionLanguage) -> tuple[list[str], int]:
    """Return the further things of an enumeration, up to the one after "and", and how many clauses they were."""
    items: list[str] = []
    for at, part in enumerate(following[:_MOST_LISTED], start=1):
        if len(part.split()) > _LONGEST_LISTED or tongue.joined.match(part):
            break
        if end := tongue.lists.fullmatch(part):
            return [*items, *(item for item in (end["before"], end["last"]) if item)], at
        items.append(part)
    return [], 0


def _correction(parts: list[str], tongue: ExtractionLanguage, latest: _Statement | None) -> _Statement | None:
    """Return what was said latest with another value, if `parts` are a correction of it and nothing else."""
    if latest is None or latest.tongue is not tongue:
        return None
    found = tongue.correction.fullmatch(", ".join(parts))
    if found is None or len(found["value"].split()) > 4:
        return None
    said = found["value"].strip()
    values = tongue.clean[latest.pattern.kind](said)
    if len(values) != 1 or tongue.remark.fullmatch(said.lower()):
        return None
    return replace(latest, value=values[0])


def _extracted(statement: _Statement, titles: tuple[str, ...], *, author_id: int) -> Extracted | None:
    """Return what is to be known of a statement; `None` if it is nothing that is kept of anybody.

    Nobody asked for it, so it is not kept as a quotation where the third person is not surely right.
    """
    said = extraction_rules.with_titles(statement.text, titles)
    content, is_sure = phrasing.told(said, author_id=author_id)
    kind = statement.pattern.kind
    worth = WORTH[kind]
    if not is_sure or len(content) > MAX_FACT_CHARACTERS or is_private(content):
        return None
    if kind is StatementKind.FEELING:
        denied = dict(statement.parts)["no"].strip()
        keyed: tuple[str, str] | None = (kind.value, f"{denied} {statement.value}".strip().lower())
    elif kind is StatementKind.EVENT:
        keyed = attribute_of(content)
        if keyed is not None and keyed[0] == StatementKind.LIVES_IN:
            # "I've just moved to Linux" happened, and is no place.
            places = statement.tongue.clean[StatementKind.LIVES_IN](keyed[1])
            keyed = (keyed[0], places[0]) if places else None
        if keyed is not None:
            # What came of it lasts: who moved to Oslo lives there from then on.
            worth = WORTH[StatementKind.LIVES_IN]
        else:
            keyed = (event_key(content), content)
    else:
        keyed = key_and_value_of(content) or attribute_of(content)
    if keyed is None:
        return None
    return Extracted(
        key=keyed[0],
        value=keyed[1],
        category=worth.category,
        content=content,
        importance=worth.importance,
        confidence=worth.confidence,
        lasts=worth.lasts,
    )
