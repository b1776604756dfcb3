"""Redaction of texts: the words that a sentence says, the stored texts that say them, and removing sentences that say
what was forgotten or that name members about whom nothing is kept.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Final

from bot.core.domain import GUILD_SUBJECT
from bot.db.pool import Connection, Row
from bot.llm.framing import mentioned_in
from bot.memory.policy import consent, repository
from bot.memory.policy.consent import LEAST_NAME, names_of
from bot.memory.policy.repository import TEXT_SEARCH
from bot.memory.policy.tombstones import Hasher
from bot.text import tokens
from bot.text.languages import either
from bot.text.tokens import is_negated

STEM_QUERIES: Final = """
    SELECT number, string_agg(quote_literal(stem), ' & ')::tsquery AS query
    FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS said (stems, number),
         jsonb_array_elements_text(said.stems) AS stem
    GROUP BY number
"""


class TextStore(StrEnum):
    """Where a text is kept."""

    PROFILE = "profile"
    SUMMARY = "summary"
    EPISODE = "episode"
    DAY = "day"


STORES: Final[Sequence[tuple[TextStore, str, str, str]]] = (
    (TextStore.PROFILE, "profiles", "user_id AS a, version AS b", "true"),
    (TextStore.SUMMARY, "conversation_summaries", "channel_id AS a, 0 AS b", "true"),
    (TextStore.EPISODE, "episodes", "episode_id AS a, 0 AS b", "true"),
    (TextStore.DAY, "distillations", "subject_id AS a, 0 AS b", "kind IN ('day', 'mood') AND content <> ''"),
)
"""Tables of texts: what tells a row from others, and which rows are such texts."""


def _texts_of(told: TextStore, table: str, row: str, which: str, says: str) -> str:
    """Return the query of those texts in one table that hold what is looked for; it keeps them from changing."""
    return f"""
        SELECT '{told}' AS told, content, {row}, ctid::text AS place FROM {table}
        WHERE guild_id = $1 AND {which} AND {says.format(content=f"{table}.content")}
        ORDER BY a, b, place FOR UPDATE
    """


def _all_texts(says: str, *but: TextStore) -> str:
    """Return the query of the texts that hold what is looked for, in all tables but these."""
    kept = [one for one in STORES if one[0] not in but]
    # FOR UPDATE cannot stand beside UNION, only inside of what is united.
    return "WITH {} {}".format(
        ", ".join(
            f"{told} AS ({_texts_of(told, table, row, which, says)})" for told, table, row, which in kept
        ),
        " UNION ALL ".join(f"SELECT told, content, a, b, place FROM {told}" for told, *_ in kept),
    )


_TEXTS_WITH: Final = _all_texts(
    f"($3 OR EXISTS (SELECT FROM ({STEM_QUERIES}) said"
    f" WHERE lexemes_of({TEXT_SEARCH}, {{content}}) @@ said.query))"
)
_TEXTS_NAMING: Final = _all_texts("without_id({content}, $2) <> {content}", TextStore.DAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactableText:
    """One text as it is kept."""

    told: TextStore
    row: tuple[int, int]
    """Of a profile the member and the version, of a summary the channel, of an episode its id, of a day whose it is."""
    content: str
    place: str = ""
    """Of a day where its row lies, until the end of the transaction that held it."""

    @property
    def subject_id(self) -> int | None:
        """Whom the whole text is about; `None` if it may be about anybody."""
        return self.row[0] or None if self.told in {TextStore.PROFILE, TextStore.DAY} else None


async def texts_with(
    connection: Connection, *, guild_id: int, stems: Sequence[Sequence[str]]
) -> list[RedactableText]:
    """Return the texts that hold all stems of one of these lists, and keep them from changing until commit.

    An empty list is held by all.
    """
    rows = await connection.fetch(
        _TEXTS_WITH, guild_id, json.dumps([list(one) for one in stems if one]), not all(stems)
    )
    return [_text_in(row) for row in rows]


def _text_in(row: Row) -> RedactableText:
    return RedactableText(
        told=TextStore(row["told"]), row=(row["a"], row["b"]), content=row["content"], place=row["place"]
    )


async def take_out_member(connection: Connection, *, guild_id: int, user_id: int) -> None:
    """Take the sentences that name a member, who is erased, out of profiles, rolling summaries and episodes.

    Texts of days are not among them: those that name the member go as a whole.
    """
    # As the function `without_id` of the database has it: a short id alone is a number like any other.
    number = rf"|(?<![0-9]){user_id}(?![0-9])" if user_id >= 100_000_000_000_000 else ""
    named = re.compile(rf"<@!?{user_id}>{number}")
    for row in await connection.fetch(_TEXTS_NAMING, guild_id, user_id):
        text = _text_in(row)
        content = kept_sentences(text.content, lambda sentence: named.search(sentence) is None)
        await rewrite_text(connection, guild_id=guild_id, text=text, content=content)


async def days_naming(connection: Connection, *, guild_id: int, user_id: int) -> list[RedactableText]:
    """Return the texts of days that may name a member, by id or by a name, and keep them from changing until commit."""
    rows = await connection.fetch(
        f"""
        SELECT d.content, d.subject_id, d.ctid::text AS place FROM distillations d
        WHERE d.guild_id = $1 AND d.kind IN ('day', 'mood') AND d.content <> ''
          AND (d.content ~ ('<@!?' || $2::bigint || '>') OR EXISTS (
              SELECT FROM members m CROSS JOIN unnest({names_of("m")}) AS name
              WHERE m.guild_id = $1 AND m.user_id = $2 AND char_length(name) >= {LEAST_NAME}
                AND position(lower(name) IN lower(d.content)) > 0
          ))
        ORDER BY d.audience, d.subject_id, d.period FOR UPDATE OF d
        """,
        guild_id, user_id,
    )  # fmt: skip
    return [
        RedactableText(
            told=TextStore.DAY, row=(row["subject_id"], 0), content=row["content"], place=row["place"]
        )
        for row in rows
    ]


async def answers_that_say(
    connection: Connection, *, guild_id: int, episode_ids: Sequence[int], stems: Sequence[Sequence[str]]
) -> list[int]:
    """Return the messages whose answers had one of these episodes and hold all stems of one of these lists.

    An empty list is held by all.
    """
    if not episode_ids:
        return []
    rows = await connection.fetch(
        f"""
        SELECT message_id FROM answers
        WHERE guild_id = $1 AND episode_ids && $3::bigint[] AND ($4 OR EXISTS (
            SELECT FROM ({STEM_QUERIES}) said
            WHERE lexemes_of({TEXT_SEARCH}, array_to_string(answers.parts, ' ')) @@ said.query
        ))
        """,
        guild_id, json.dumps([list(one) for one in stems if one]), list(episode_ids), not all(stems),
    )  # fmt: skip
    return [row["message_id"] for row in rows]


async def rewrite_text(connection: Connection, *, guild_id: int, text: RedactableText, content: str) -> None:
    """Replace a text by `content`; an episode that becomes empty is deleted."""
    match text.told:
        case TextStore.PROFILE:
            await connection.execute(
                "UPDATE profiles SET content = $4 WHERE guild_id = $1 AND user_id = $2 AND version = $3",
                guild_id, *text.row, content,
            )  # fmt: skip
        case TextStore.SUMMARY:
            await connection.execute(
                "UPDATE conversation_summaries SET content = $3 WHERE guild_id = $1 AND channel_id = $2",
                guild_id, text.row[0], content,
            )  # fmt: skip
        case TextStore.EPISODE if content:
            await connection.execute(
                f"""
                UPDATE episodes SET content = $3, lexemes = lexemes_of({TEXT_SEARCH}, $3)
                WHERE guild_id = $1 AND episode_id = $2
                """,
                guild_id, text.row[0], content,
            )  # fmt: skip
        case TextStore.EPISODE:
            await connection.execute(
                "DELETE FROM episodes WHERE guild_id = $1 AND episode_id = $2", guild_id, text.row[0]
            )
        case TextStore.DAY:
            await connection.execute(
                "UPDATE distillations SET content = nullif($3, '') WHERE guild_id = $1 AND ctid = $2::text::tid",
                guild_id, text.place, content,
            )  # fmt: skip


_IDENTIFIER: Final = "="
"""Begins an identifier among the words."""

_SAYS: Final = "!yes"
_DENIES: Final = "!not"
_TONES: Final = frozenset({_SAYS, _DENIES})

_SEVERAL_CLAUSES: Final = re.compile(rf"[,;:—–]|\s{either('joins_sentences')}\s", re.IGNORECASE)
"""In such a sentence one clause may deny what the other says."""


def content_words(words: frozenset[str]) -> frozenset[str]:
    """Return `words` without whether something is denied."""
    return words - _TONES


def searchable_stems(words: frozenset[str]) -> frozenset[str]:
    """Return those of `words` that a text search has: neither identifiers nor whether something is denied."""
    return frozenset(word for word in words if word[0] not in (_IDENTIFIER, _SAYS[0]))


def names_one(word: str) -> bool:
    """Tell whether one of the words of a text is an identifier, which means one thing alone."""
    return word.startswith(_IDENTIFIER)


def tones(text: str) -> frozenset[str]:
    """Return whether `text` says, denies, or may do both in different clauses."""
    if not is_negated(text):
        return frozenset({_SAYS})
    return _TONES if _SEVERAL_CLAUSES.search(text) else frozenset({_DENIES})


@dataclass(frozen=True, slots=True)
class StemmedTexts:
    """Texts with their stems, as the text search of one guild has them."""

    _stems: Mapping[str, Sequence[str]]
    _older: Mapping[str, Sequence[str]]

    def needed(self, text: str, *, subject_id: int) -> frozenset[str]:
        """Return all words that a sentence must hold to say of a subject what `text` says."""
        return (self.matter(text) - {str(subject_id)}) | {_DENIES if is_negated(text) else _SAYS}

    def matter(self, text: str) -> frozenset[str]:
        """Return the words of `text`, which is no sentence: whether it denies anything is no matter."""
        return frozenset(self._stems[text]) | _spelt(tokens.sure_identifiers(text))

    def said(self, text: str) -> frozenset[str]:
        """Return all words that `text` may be held to say, in whatever spelling."""
        return _said(text, self._stems[text])

    def said_as_buried(self, text: str) -> frozenset[str]:
        """Return the same to be compared with tombstones, of which some know words by an older form."""
        return _said(text, self._older[text])


_STEMMED_AT_ONCE: Final = 20_000
"""Texts whose stems are found by one statement."""


async def stemmed(
    connection: Connection, *, guild_id: int, texts: Iterable[str] = (), as_buried: Iterable[str] = ()
) -> StemmedTexts:
    """Return `texts` with their stems, and those that are compared with tombstones, `as_buried`, in one statement.

    The latter also as text search had them before signs were told from letters: tombstones cannot be indexed anew.
    What is very much takes a few statements, since each has its time.
    """
    plain, older = list(dict.fromkeys(texts)), list(dict.fromkeys(as_buried))
    given = [*plain, *older]
    found: list[Sequence[str]] = []
    for start in range(0, len(given), _STEMMED_AT_ONCE):
        some = given[start : start + _STEMMED_AT_ONCE]
        sentences = [tokens.without_identifiers(text) for text in some]
        if not any(sentences):
            found += [()] * len(some)
            continue
        rows = await connection.fetch(
            f"""
            SELECT tsvector_to_array(
                lexemes_of({TEXT_SEARCH}, words)
                || CASE WHEN place > $3 THEN to_tsvector({TEXT_SEARCH}, words) ELSE '' END
            ) AS stems
            FROM unnest($2::text[]) WITH ORDINALITY AS spoken (words, place) ORDER BY place
            """,
            guild_id, sentences, len(plain) - start,
        )  # fmt: skip
        found += [row["stems"] for row in rows]
    return StemmedTexts(
        dict(zip(plain, found, strict=False)), dict(zip(older, found[len(plain) :], strict=True))
    )


def _said(text: str, stems: Sequence[str]) -> frozenset[str]:
    return frozenset(stems) | _spelt(tokens.possible_identifiers(text)) | tones(text)


def _spelt(spellings: frozenset[str]) -> frozenset[str]:
    return frozenset(_IDENTIFIER + spelling for spelling in spellings)


_ORDINAL: Final = (
    r"(?:(?<=\s\d\.)|(?<=\s\d\d\.))"
    r"(?=\s+(?:[a-zß-ÿ]|(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)))"
)
"""Behind a number in its place, as in "am 1. April": no sentence ends there."""

_BOUNDARY: Final = re.compile(rf"(?!{_ORDINAL})(?<=[.!?…])[\"'”»)]*\s+|\n+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ForbiddenWords:
    """What a sentence must not say any more: all these words, of this subject."""

    subject_id: int
    words: frozenset[str]
    named: bool = False
    """Only where the subject is named, or the whole text is about them: so few words may be anybody's."""

    def is_told_in(self, sentence: str, said: frozenset[str], *, whose: int | None) -> bool:
        """Tell whether a sentence, which says the words `said`, may say it in a text about `whose`."""
        about = _is_about if self.named else _may_be_about
        return self.words <= said and about(sentence, self.subject_id, whose=whose)


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """What lost a sentence."""

    summaries: int = 0
    """Profiles, by member and not by version, summaries of talks, and episodes."""
    days: int = 0
    answered_ids: tuple[int, ...] = ()
    """Messages whose answers told it from an episode."""


def sentences_of(text: str) -> list[str]:
    """Return the sentences of `text`, each with the blanks behind it: joined they are `text` again."""
    ends = [found.end() for found in _BOUNDARY.finditer(text)]
    return [
        piece for start, end in zip([0, *ends], [*ends, len(text)], strict=True) if (piece := text[start:end])
    ]


def without_sentences(sentences: Sequence[str], gone: Collection[int]) -> str:
    """Return the sentences whose places are not in `gone` as one text."""
    return "".join(one for place, one in enumerate(sentences) if place not in gone).strip()


async def redact(connection: Connection, *, guild_id: int, said: Iterable[ForbiddenWords]) -> Redacted:
    """Take the sentences that say any of `said` out of profiles, rolling summaries, episodes and days.

    In the transaction that forgets: nobody reads such a sentence after it.
    """
    gone = [one for one in said if content_words(one.words)]
    if not gone:
        return Redacted()
    stems = [sorted(searchable_stems(one.words)) for one in gone]
    texts = await texts_with(connection, guild_id=guild_id, stems=stems)
    spoken = [sentences_of(text.content) for text in texts]
    words = await stemmed(connection, guild_id=guild_id, texts=chain(*spoken))
    put_right: list[RedactableText] = []
    for text, sentences in zip(texts, spoken, strict=True):
        places = {
            place
            for place, sentence in enumerate(sentences)
            for said_there in [words.said(sentence)]
            if any(one.is_told_in(sentence, said_there, whose=text.subject_id) for one in gone)
        }
        if places:
            await rewrite_text(
                connection, guild_id=guild_id, text=text, content=without_sentences(sentences, places)
            )
            put_right.append(text)
    answered = await answers_that_say(
        connection,
        guild_id=guild_id,
        episode_ids=[text.row[0] for text in put_right if text.told is TextStore.EPISODE],
        stems=stems,
    )
    return Redacted(
        summaries=len({(text.told, text.row[0]) for text in put_right if text.told is not TextStore.DAY}),
        days=sum(text.told is TextStore.DAY for text in put_right),
        answered_ids=tuple(answered),
    )


async def without_forgotten(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    subject_ids: Iterable[int],
    text: str,
    whose: int | None = None,
) -> str:
    """Return `text` without the sentences that say about one of these subjects what was forgotten about them.

    `whose` is the subject of the whole text, if it has one. Everything generated from messages or older texts passes
    through here before it is stored: the hashes are all that is left to recognise what was forgotten.
    """
    sentences = sentences_of(text)
    said: StemmedTexts | None = None
    gone: set[int] = set()
    for subject_id in dict.fromkeys(subject_ids):
        subject_hash = hasher.subject(guild_id=guild_id, subject_id=subject_id)
        matters_hash = hasher.matters(guild_id=guild_id, subject_id=subject_id)
        stones = await repository.subject_tombstones(
            connection, guild_id=guild_id, subject_hashes=[subject_hash, matters_hash]
        )
        if not stones:
            continue
        if said is None:
            said = await stemmed(connection, guild_id=guild_id, as_buried=sentences)
        buried = [(set(stone.stem_hashes), stone.subject_hash) for stone in stones if stone.stem_hashes]
        for place, sentence in enumerate(sentences):
            words = said.said_as_buried(sentence) | {str(subject_id)}
            hashes = set(hasher.stems(words, guild_id=guild_id))
            told_of = {
                subject_hash: _may_be_about(sentence, subject_id),
                matters_hash: _is_about(sentence, subject_id, whose=whose),
            }
            if any(told_of[under] and stems <= hashes for stems, under in buried):
                gone.add(place)
    return without_sentences(sentences, gone) if gone else text


def _is_about(sentence: str, subject_id: int, *, whose: int | None) -> bool:
    """Tell whether a sentence is about a subject: it names them, or nobody and the text is theirs."""
    mentioned = mentioned_in(sentence)
    return subject_id in mentioned if mentioned else whose == subject_id


def _may_be_about(sentence: str, subject_id: int, *, whose: int | None = None) -> bool:
    """Tell whether a sentence may be about a subject: it names them, or nobody and the text is not another's."""
    mentioned = mentioned_in(sentence)
    if not mentioned:
        return whose in (None, subject_id) or subject_id == GUILD_SUBJECT
    return subject_id == GUILD_SUBJECT or subject_id in mentioned


async def redacted(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    subject_ids: Iterable[int],
    text: str,
    whose: int | None = None,
) -> str:
    """Return `text` as it may be kept: see `without_forgotten` for what the arguments are.

    Sentences that name a member of whom nothing is kept, be it by name, are left out as well. What is about such a
    member as a whole is empty.
    """
    (left,) = await _redacted(connection, hasher, guild_id, [(text, frozenset(subject_ids), whose)])
    return left


async def redacted_each(
    connection: Connection, hasher: Hasher, *, guild_id: int, texts: Mapping[int, str]
) -> dict[int, str]:
    """Return what `redacted` leaves of texts by the member whom each is about; many take few statements."""
    given = [
        (text, frozenset({GUILD_SUBJECT, user_id, *mentioned_in(text)}), user_id)
        for user_id, text in texts.items()
    ]
    return dict(zip(texts, await _redacted(connection, hasher, guild_id, given), strict=True))


async def _redacted(
    connection: Connection,
    hasher: Hasher,
    guild_id: int,
    given: Sequence[tuple[str, frozenset[int], int | None]],
) -> list[str]:
    """Return what may be kept of texts, each with those it may be about, and whom it is about as a whole."""
    hashes = {
        hashed(guild_id=guild_id, subject_id=subject_id): subject_id
        for subject_id in frozenset[int]().union(*(about for _, about, _ in given))
        for hashed in (hasher.subject, hasher.matters)
    }
    stones = await repository.subject_tombstones(connection, guild_id=guild_id, subject_hashes=sorted(hashes))
    buried = {hashes[stone.subject_hash] for stone in stones}
    left = [
        await without_forgotten(
            connection, hasher, guild_id=guild_id, subject_ids=sorted(about & buried), text=text, whose=whose
        )
        for text, about, whose in given
    ]
    return await _without_absent(
        connection, guild_id=guild_id, texts=left, whose=[whose for *_, whose in given]
    )


async def take_out_of_days(connection: Connection, *, guild_id: int, user_id: int) -> None:
    """Remove the sentences that name a member about whom nothing is kept from the stored days of others.

    Call it after the guild's epoch was raised, which whoever stores a day locks: no day that names the member is stored
    after that.
    """
    days = await days_naming(connection, guild_id=guild_id, user_id=user_id)
    left = await _without_absent(
        connection,
        guild_id=guild_id,
        texts=[day.content for day in days],
        whose=[day.subject_id for day in days],
    )
    for day, content in zip(days, left, strict=True):
        if content != day.content:
            await rewrite_text(connection, guild_id=guild_id, text=day, content=content)


async def _without_absent(
    connection: Connection, *, guild_id: int, texts: Sequence[str], whose: Sequence[int | None]
) -> list[str]:
    """Return what `without_opted_out` leaves of `texts`, without the sentences that say the name of such a member."""
    left = await without_opted_out(connection, guild_id=guild_id, texts=texts, whose=whose)
    names = await consent.names_of_opted_out(connection, guild_id=guild_id, text="\n".join(left))
    if not names:
        return left
    # What is written small may be a word; in a sentence a name begins with a capital.
    forms = "|".join(re.escape(name.capitalize() if name.islower() else name) for name in names)
    said = re.compile(rf"(?<!\w)(?:{forms})(?!\w)")
    return [kept_sentences(text, lambda sentence: said.search(sentence) is None) for text in left]


async def without_opted_out(
    connection: Connection,
    *,
    guild_id: int,
    texts: Sequence[str],
    whose: Sequence[int | None] | None = None,
) -> list[str]:
    """Return `texts` without the sentences that name members about whom nothing is kept.

    `whose` gives the subject of each text, if it has one: texts about such members become empty.
    """
    owners = list(whose) if whose is not None else [None] * len(texts)
    named = {user_id for text in texts for user_id in mentioned_in(text)}
    absent = await consent.opted_out(
        connection, guild_id=guild_id, user_ids=sorted(named | {one for one in owners if one is not None})
    )
    if not absent:
        return list(texts)
    return [
        ""
        if owner in absent
        else kept_sentences(text, lambda sentence: absent.isdisjoint(mentioned_in(sentence)))
        for text, owner in zip(texts, owners, strict=True)
    ]


def kept_sentences(text: str, may_stay: Callable[[str], bool]) -> str:
    """Return `text` without the sentences that may not stay, and as it is if all may."""
    sentences = sentences_of(text)
    gone = {place for place, sentence in enumerate(sentences) if not may_stay(sentence)}
    return without_sentences(sentences, gone) if gone else text
