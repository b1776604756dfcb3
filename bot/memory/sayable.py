"""What may be kept and told of generated texts: nothing that was forgotten, nobody of whom nothing is kept."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from bot.domain import GUILD_SUBJECT
from bot.language.local_mentions import mentioned_in
from bot.memory.hashing import Hasher
from bot.memory.unsaying import sentences_of, without, without_buried
from bot.store import standing, tombstones, unsaying
from bot.store.database import Connection


async def sayable(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    subject_ids: Iterable[int],
    text: str,
    whose: int | None = None,
) -> str:
    """Return `text` as it may be kept: see `without_buried` for what the arguments are.

    Sentences that name a member of whom nothing is kept, be it by name, are left out as well. What is about such a
    member as a whole is empty.
    """
    left = await without_buried(
        connection, hasher, guild_id=guild_id, subject_ids=subject_ids, text=text, whose=whose
    )
    return (await _without_absent(connection, guild_id=guild_id, texts=[left], whose=[whose]))[0]


async def sayable_each(
    connection: Connection, hasher: Hasher, *, guild_id: int, texts: Mapping[int, str]
) -> dict[int, str]:
    """Return what `sayable` leaves of texts by the member whom each is about; many take few statements."""
    subjects = {user_id: {GUILD_SUBJECT, user_id, *mentioned_in(text)} for user_id, text in texts.items()}
    hashes = {
        hashed(guild_id=guild_id, subject_id=subject_id): subject_id
        for subject_id in set().union(*subjects.values())
        for hashed in (hasher.subject, hasher.matters)
    }
    stones = await tombstones.of_subjects(connection, guild_id=guild_id, subject_hashes=sorted(hashes))
    buried = {hashes[stone.subject_hash] for stone in stones}
    left = dict(texts)
    for user_id, about in subjects.items():
        if about & buried:
            left[user_id] = await without_buried(
                connection,
                hasher,
                guild_id=guild_id,
                subject_ids=sorted(about & buried),
                text=texts[user_id],
                whose=user_id,
            )
    told = await _without_absent(connection, guild_id=guild_id, texts=list(left.values()), whose=list(left))
    return dict(zip(left, told, strict=True))


async def take_out_of_days(connection: Connection, *, guild_id: int, user_id: int) -> None:
    """Take the sentences that name a member of whom nothing is kept out of what is stored of others' days.

    Behind the guild's epoch, which whoever stores a day holds: none that names the member is stored afterwards.
    """
    days = await unsaying.days_naming(connection, guild_id=guild_id, user_id=user_id)
    left = await _without_absent(
        connection,
        guild_id=guild_id,
        texts=[day.content for day in days],
        whose=[day.subject_id for day in days],
    )
    for day, content in zip(days, left, strict=True):
        if content != day.content:
            await unsaying.rewrite(connection, guild_id=guild_id, text=day, content=content)


async def _without_absent(
    connection: Connection, *, guild_id: int, texts: Sequence[str], whose: Sequence[int | None]
) -> list[str]:
    """Return what `of_present` leaves of `texts`, without the sentences that say the name of such a member."""
    left = await of_present(connection, guild_id=guild_id, texts=texts, whose=whose)
    names = await standing.names_of_absent(connection, guild_id=guild_id, text="\n".join(left))
    if not names:
        return left
    # What is written small may be a word; in a sentence a name begins with a capital.
    forms = "|".join(re.escape(name.capitalize() if name.islower() else name) for name in names)
    said = re.compile(rf"(?<!\w)(?:{forms})(?!\w)")
    return [_kept(text, lambda sentence: said.search(sentence) is None) for text in left]


async def of_present(
    connection: Connection,
    *,
    guild_id: int,
    texts: Sequence[str],
    whose: Sequence[int | None] | None = None,
) -> list[str]:
    """Return `texts` without the sentences that name members of whom nothing is kept.

    `whose` says of each text whom it is about as a whole, if anybody: nothing is left of those of such members.
    """
    owners = list(whose) if whose is not None else [None] * len(texts)
    named = {user_id for text in texts for user_id in mentioned_in(text)}
    absent = await standing.absent(
        connection, guild_id=guild_id, user_ids=sorted(named | {one for one in owners if one is not None})
    )
    if not absent:
        return list(texts)
    return [
        "" if owner in absent else _kept(text, lambda sentence: absent.isdisjoint(mentioned_in(sentence)))
        for text, owner in zip(texts, owners, strict=True)
    ]


def _kept(text: str, may_stay: Callable[[str], bool]) -> str:
    """Return `text` without the sentences that may not stay, and as it is if all may."""
    sentences = sentences_of(text)
    gone = {place for place, sentence in enumerate(sentences) if not may_stay(sentence)}
    return without(sentences, gone) if gone else text
