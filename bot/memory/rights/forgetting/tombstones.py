"""Sets up tombstones for what is forgotten, and lifts them for what is remembered again."""

from collections.abc import Iterable, Sequence

from bot.db.pool import Connection
from bot.memory.facts.repository import BuriedFact, NewFact
from bot.memory.policy import redaction
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.redaction import ForbiddenWords, StemmedTexts
from bot.memory.policy.repository import Tombstone
from bot.memory.policy.tombstones import Hasher, matter_of, tombstones_of
from bot.memory.rights.forgetting.search import OrderedWords


def texts_of(buried: Iterable[BuriedFact]) -> list[str]:
    """Return the texts of facts whose stems it takes to bury them."""
    return [text for one in buried for text in (one.content, matter_of(one.key, one.value))]


def tombstones_of_facts(
    hasher: Hasher, words: StemmedTexts, *, guild_id: int, buried: Iterable[BuriedFact]
) -> list[Tombstone]:
    """Return the tombstones of these facts, whose `texts_of` are among `words`."""
    return [
        stone
        for one in buried
        if redaction.content_words(needed := words.needed(one.content, subject_id=one.subject_id))
        for stone in tombstones_of(
            hasher,
            guild_id=guild_id,
            subject_id=one.subject_id,
            key=one.key,
            value=one.value,
            stems=sorted(needed),
            matter=sorted(words.matter(matter_of(one.key, one.value))),
        )
    ]


def forbidden_words(words: StemmedTexts, buried: Sequence[BuriedFact]) -> list[ForbiddenWords]:
    """Return what no sentence may say any more of the subjects of these facts, whose `texts_of` are among `words`."""
    said = [
        ForbiddenWords(subject_id=one.subject_id, words=words.needed(one.content, subject_id=one.subject_id))
        for one in buried
    ]
    matters = [
        ForbiddenWords(
            subject_id=one.subject_id, words=words.matter(matter_of(one.key, one.value)), named=True
        )
        for one in buried
    ]
    return [*said, *matters]


def tombstones_of_orders(
    hasher: Hasher, words: StemmedTexts, *, guild_id: int, ordered: Iterable[OrderedWords]
) -> list[Tombstone]:
    """Return the tombstones of what was asked to be forgotten: nothing older says it once they are set up."""
    said = [(one, words.needed(one.text, subject_id=one.subject_id)) for one in ordered]
    return [
        Tombstone(
            subject_hash=hasher.ordered(
                guild_id=guild_id, subject_id=one.subject_id, author_id=one.author_id
            ),
            key_hash=hasher.key(guild_id=guild_id, subject_id=one.subject_id, key=""),
            stem_hashes=hasher.stems(sorted(stems) if one.text else (), guild_id=guild_id),
        )
        for one, stems in said
        if not one.text or redaction.content_words(stems)
    ]


async def lift_tombstones(connection: Connection, hasher: Hasher, fact: NewFact) -> None:
    """Take down the tombstones of what `fact` says: somebody asked outright to have it remembered."""
    guild_id, subject_id = fact.guild_id, fact.subject_id
    hashes = [under(guild_id=guild_id, subject_id=subject_id) for under in (hasher.subject, hasher.matters)]
    if not await policy_repository.has_tombstones(connection, guild_id=guild_id, subject_hashes=hashes):
        return
    matter = matter_of(fact.key, fact.value)
    words = await redaction.stemmed(
        connection, guild_id=guild_id, texts=[fact.content, matter], as_buried=[fact.content]
    )
    stones = tombstones_of(
        hasher,
        guild_id=guild_id,
        subject_id=subject_id,
        key=fact.key,
        value=fact.value,
        stems=sorted(words.needed(fact.content, subject_id=subject_id)),
        matter=sorted(words.matter(matter)),
    )
    said = hasher.stems(words.said_as_buried(fact.content), guild_id=guild_id)
    await policy_repository.remove_tombstones(connection, guild_id=guild_id, stones=stones, said=said)
