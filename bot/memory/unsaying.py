"""Taking out of what was told the sentences that say what is forgotten, and keeping them out of what is told next."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.domain import GUILD_SUBJECT
from bot.memory import wording
from bot.memory.hashing import Hasher
from bot.store import tombstones, unsaying
from bot.store.database import Connection
from bot.store.unsaying import Told, ToldText

_BOUNDARY: Final = re.compile(r"(?<=[.!?…])[\"'”»)]*\s+|\n+")
_MENTION: Final = re.compile(r"<@!?(\d{1,19})>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
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
class Unsaid:
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


def without(sentences: Sequence[str], gone: Collection[int]) -> str:
    """Return the sentences whose places are not in `gone` as one text."""
    return "".join(one for place, one in enumerate(sentences) if place not in gone).strip()


async def unsay(connection: Connection, *, guild_id: int, said: Iterable[Said]) -> Unsaid:
    """Take the sentences that say any of `said` out of profiles, rolling summaries, episodes and days.

    In the transaction that forgets: nobody reads such a sentence after it.
    """
    gone = [one for one in said if wording.content(one.words)]
    if not gone:
        return Unsaid()
    stems = [sorted(wording.stems(one.words)) for one in gone]
    texts = await unsaying.texts_with(connection, guild_id=guild_id, stems=stems)
    spoken = [sentences_of(text.content) for text in texts]
    words = iter(
        await wording.said_in(connection, guild_id=guild_id, texts=[one for each in spoken for one in each])
    )
    put_right: list[ToldText] = []
    for text, sentences in zip(texts, spoken, strict=True):
        places = {
            place
            for place, (sentence, said_there) in enumerate(zip(sentences, words, strict=False))
            if any(one.is_told_in(sentence, said_there, whose=text.subject_id) for one in gone)
        }
        if places:
            await unsaying.rewrite(
                connection, guild_id=guild_id, text=text, content=without(sentences, places)
            )
            put_right.append(text)
    answered = await unsaying.answers_that_say(
        connection,
        guild_id=guild_id,
        episode_ids=[text.row[0] for text in put_right if text.told is Told.EPISODE],
        stems=stems,
    )
    return Unsaid(
        summaries=len({(text.told, text.row[0]) for text in put_right if text.told is not Told.DAY}),
        days=sum(text.told is Told.DAY for text in put_right),
        answered_ids=tuple(answered),
    )


async def without_buried(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    subject_ids: Iterable[int],
    text: str,
    whose: int | None = None,
) -> str:
    """Return `text` without the sentences that say of one of these subjects what was forgotten about them.

    `whose` is whom the whole text is about, if it is about one member. What is generated from messages or older
    texts goes through here before it is kept: the hashes of what was forgotten are all that is left to know it by.
    """
    sentences = sentences_of(text)
    said: list[frozenset[str]] | None = None
    gone: set[int] = set()
    for subject_id in dict.fromkeys(subject_ids):
        subject_hash = hasher.subject(guild_id=guild_id, subject_id=subject_id)
        matters_hash = hasher.matters(guild_id=guild_id, subject_id=subject_id)
        stones = await tombstones.of_subjects(
            connection, guild_id=guild_id, subject_hashes=[subject_hash, matters_hash]
        )
        if not stones:
            continue
        if said is None:
            said = await wording.said_in(connection, guild_id=guild_id, texts=sentences)
        buried = [(set(stone.stem_hashes), stone.subject_hash) for stone in stones if stone.stem_hashes]
        for place, sentence in enumerate(sentences):
            hashes = set(hasher.stems({*said[place], str(subject_id)}, guild_id=guild_id))
            told_of = {
                subject_hash: _may_be_about(sentence, subject_id),
                matters_hash: _is_about(sentence, subject_id, whose=whose),
            }
            if any(told_of[under] and words <= hashes for words, under in buried):
                gone.add(place)
    return without(sentences, gone) if gone else text


def _mentioned(sentence: str) -> set[int]:
    return {int(found[1]) for found in _MENTION.finditer(sentence)}


def _is_about(sentence: str, subject_id: int, *, whose: int | None) -> bool:
    """Tell whether a sentence is about a subject: it names them, or nobody and the text is theirs."""
    mentioned = _mentioned(sentence)
    return subject_id in mentioned if mentioned else whose == subject_id


def _may_be_about(sentence: str, subject_id: int, *, whose: int | None = None) -> bool:
    """Tell whether a sentence may be about a subject: it names them, or nobody and the text is not another's."""
    mentioned = _mentioned(sentence)
    if not mentioned:
        return whose in (None, subject_id) or subject_id == GUILD_SUBJECT
    return subject_id == GUILD_SUBJECT or subject_id in mentioned
