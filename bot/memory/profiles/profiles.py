"""Reading profiles of members, removing sentences from them, and switching learning off."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final, Protocol

from bot.core.clock import Clock
from bot.db.pool import Connection, Database
from bot.memory.guilds import repository as guilds_repository
from bot.memory.members import repository as members_repository
from bot.memory.outbox.answers import DeferredWrite
from bot.memory.policy import redaction
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.redaction import sentences_of, without_forgotten, without_opted_out, without_sentences
from bot.memory.policy.tombstones import Hasher, tombstone_of
from bot.memory.profiles import repository
from bot.memory.profiles.repository import Profile
from bot.text.tokens import normalised

_ID_CHARACTERS: Final = 16

_LEAST_STEMS: Final = 2
"""By a single word a sentence is not known again: it would keep out whatever was ever said with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileSentence:
    """One sentence of a profile."""

    guild_id: int
    sentence_id: str
    """The same as long as the words are the same, whatever stands before it."""
    text: str
    """Members as `<@id>`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileChange:
    """What changed when a profile was last updated. Sentences that were removed since are in no version any more."""

    guild_id: int
    learned_at: datetime
    is_first: bool
    """It was told for the first time, so that there is nothing to compare."""
    added: tuple[str, ...] = ()
    """The sentences that the version before did not have, with members as `<@id>`."""
    gone: tuple[str, ...] = ()
    """Those that only the version before has."""


class TakeAnswers(Protocol):
    """Takes the text from the answers to these messages of a guild, and from all that repeats or tells them."""

    async def __call__(
        self, connection: Connection, *, guild_id: int, message_ids: Sequence[int], now: datetime
    ) -> object:
        """Do so in the transaction of the caller."""


async def forget_profile(
    connection: Connection, *, guild_id: int, user_id: int, take_answers: TakeAnswers, now: datetime
) -> bool:
    """Remove the whole profile of a member, and learn nothing more from what was said; `False` if there was none.

    The bot's answers that told any sentence of it lose their text.
    """
    await guilds_repository.bump_epoch(connection, guild_id=guild_id)
    await repository.hold_learning_state(connection, guild_id=guild_id, user_id=user_id)
    await repository.pass_over_turns(connection, guild_id=guild_id, user_id=user_id)
    versions = await repository.profile_versions(connection, guild_id=guild_id, user_id=user_id)
    told = {one.text for version in versions for one in _numbered(version.content, guild_id=guild_id)}
    dropped = await repository.drop_profile(connection, guild_id=guild_id, user_id=user_id)
    await _wipe(
        connection, sorted(told), guild_id=guild_id, user_id=user_id, take_answers=take_answers, now=now
    )
    return dropped > 0


async def _wipe(
    connection: Connection,
    told: Sequence[str],
    *,
    guild_id: int,
    user_id: int,
    take_answers: TakeAnswers,
    now: datetime,
) -> None:
    """Take the text from the bot's answers in which a member was `told` a sentence, in direct messages too."""
    if not told:
        return
    direct_ids = await members_repository.direct_ids_of(connection, user_id=user_id)
    for one in dict.fromkeys((guild_id, *direct_ids)):
        found = await repository.answers_that_gave(connection, guild_id=one, user_id=user_id, texts=told)
        if found:
            await take_answers(connection, guild_id=one, message_ids=found, now=now)


class Profiles:
    """Profiles of members. They are open: anybody who sees what is open in a guild may be told them."""

    def __init__(
        self, database: Database, clock: Clock, hasher: Hasher, *, take_answers: TakeAnswers
    ) -> None:
        self._database = database
        self._clock = clock
        self._hasher = hasher
        self._take_answers = take_answers

    async def of(self, *, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
        """Return by member what was learned of these members; those without a profile are left out."""
        found = await self._newest([guild_id], user_ids)
        return {one.user_id: one.content for one in found}

    async def text_of(self, *, guild_id: int, user_id: int) -> str:
        """Return what was learned of one member, "" if nothing was."""
        return (await self.of(guild_id=guild_id, user_ids=[user_id])).get(user_id, "")

    async def own(self, *, guild_ids: Sequence[int], user_id: int) -> dict[int, str]:
        """Return by guild what was learned of one member in these guilds, for that member alone."""
        found = await self._newest(guild_ids, [user_id])
        return {one.guild_id: one.content for one in found}

    async def versions(self, *, guild_id: int, user_id: int) -> list[Profile]:
        """Return the versions of a profile that are kept, five at most, newest first."""
        return await self._database.read(repository.profile_versions, guild_id=guild_id, user_id=user_id)

    async def sentences(self, *, guild_ids: Sequence[int], user_id: int) -> list[ProfileSentence]:
        """Return what was learned of one member in these guilds, sentence by sentence."""
        texts = await self.own(guild_ids=guild_ids, user_id=user_id)
        return [
            sentence
            for guild_id in sorted(texts)
            for sentence in _numbered(texts[guild_id], guild_id=guild_id)
        ]

    async def changes(self, *, guild_ids: Sequence[int], user_id: int) -> list[ProfileChange]:
        """Return what last changed in the profiles of one member in these guilds, for that member alone."""

        async def read(connection: Connection) -> list[ProfileChange]:
            found = []
            for guild_id in guild_ids:
                versions = await repository.profile_versions(connection, guild_id=guild_id, user_id=user_id)
                told = await _tellable(connection, guild_id, versions[:2])
                if told and told[0].content:
                    found.append(_change(*told))
            return found

        return await self._database.read(read)

    async def delete_sentence(self, *, guild_id: int, user_id: int, sentence: int | str) -> bool:
        """Take a sentence out of every version of a profile, for good; `False` if it is not there.

        It is named by its number, from 1 on, by its id, or by its words. No learning brings it back, none is
        given it, and the bot's answers that told it lose their text.
        """

        async def change(connection: Connection) -> bool:
            stored = await repository.newest_profiles(connection, guild_ids=[guild_id], user_ids=[user_id])
            newest = await _tellable(connection, guild_id, stored)
            words = _found(_numbered(newest[0].content, guild_id=guild_id), sentence) if newest else None
            if words is None:
                return False
            # First of all, since whoever learns meanwhile holds the epoch until it has saved.
            await guilds_repository.bump_epoch(connection, guild_id=guild_id)
            await repository.hold_learning_state(connection, guild_id=guild_id, user_id=user_id)
            await self._bury(connection, words, guild_id=guild_id, user_id=user_id)
            for version in await repository.profile_versions(connection, guild_id=guild_id, user_id=user_id):
                await self._unsay(connection, version, words)
            await _wipe(
                connection,
                [words],
                guild_id=guild_id,
                user_id=user_id,
                take_answers=self._take_answers,
                now=self._clock.now(),
            )
            return True

        return await self._database.write(change)

    async def is_learned_about(self, *, guild_ids: Sequence[int], user_id: int) -> bool:
        """Tell whether a member wants to be learned about in any of these guilds."""
        found = await self._database.read(repository.are_learned_about, guild_ids=guild_ids, user_id=user_id)
        return any(found.values())

    async def switch(self, *, guild_id: int, user_id: int, on: bool) -> bool:
        """Set whether a member is learned about; `False` if they are not known.

        What they said before they switched it off, and while it was, is never learned from.
        """

        async def change(connection: Connection) -> bool:
            await repository.hold_learning_state(connection, guild_id=guild_id, user_id=user_id)
            if not on:
                await repository.pass_over_turns(connection, guild_id=guild_id, user_id=user_id)
            return await repository.switch_learning(
                connection, guild_id=guild_id, user_id=user_id, learning=on
            )

        return await self._database.write(change)

    async def forget(self, *, guild_id: int, user_id: int) -> bool:
        """Remove the whole profile of a member, all versions of it; `False` if there was none.

        What was said until now is not learned from any more, and the bot's answers that told of it lose their text.
        """

        return await self._database.write(self.forgetting(guild_id=guild_id, user_id=user_id).run)

    def forgetting(self, *, guild_id: int, user_id: int) -> DeferredWrite[bool]:
        """Return the write that removes the whole profile of a member, as `forget` does."""
        return DeferredWrite(
            partial(
                forget_profile,
                guild_id=guild_id,
                user_id=user_id,
                take_answers=self._take_answers,
                now=self._clock.now(),
            )
        )

    async def _newest(self, guild_ids: Sequence[int], user_ids: Sequence[int]) -> list[Profile]:
        async def read(connection: Connection) -> list[Profile]:
            found = await repository.newest_profiles(connection, guild_ids=guild_ids, user_ids=user_ids)
            return [one for guild_id in guild_ids for one in await _tellable(connection, guild_id, found)]

        return [one for one in await self._database.read(read) if one.content]

    async def _bury(self, connection: Connection, words: str, *, guild_id: int, user_id: int) -> None:
        """Leave hashes that recognise the sentence, whoever says it again."""
        said = await redaction.stemmed(connection, guild_id=guild_id, texts=[words])
        stems = said.needed(words, subject_id=user_id)
        if len(redaction.content_words(stems)) < _LEAST_STEMS:
            return
        stone = tombstone_of(
            self._hasher,
            guild_id=guild_id,
            subject_id=user_id,
            key=f"profile:{_id_of(words)}",
            stems=sorted(stems),
        )
        await policy_repository.add_tombstones(
            connection, guild_id=guild_id, tombstones=[stone], at=self._clock.now()
        )

    async def _unsay(self, connection: Connection, version: Profile, words: str) -> None:
        sentences = sentences_of(version.content)
        gone = [place for place, one in enumerate(sentences) if _id_of(one) == _id_of(words)]
        content = await without_forgotten(
            connection,
            self._hasher,
            guild_id=version.guild_id,
            subject_ids=[version.user_id],
            text=without_sentences(sentences, gone),
            whose=version.user_id,
        )
        await repository.rewrite_version(
            connection,
            guild_id=version.guild_id,
            user_id=version.user_id,
            version=version.version,
            content=content,
        )


async def _tellable(connection: Connection, guild_id: int, found: Sequence[Profile]) -> list[Profile]:
    """Return those of one guild as they may be told: nothing of members of whom nothing is kept."""
    own = [one for one in found if one.guild_id == guild_id]
    left = await without_opted_out(
        connection,
        guild_id=guild_id,
        texts=[one.content for one in own],
        whose=[one.user_id for one in own],
    )
    return [replace(one, content=text) for one, text in zip(own, left, strict=True)]


def _change(newest: Profile, before: Profile | None = None) -> ProfileChange:
    now = [one.text for one in _numbered(newest.content, guild_id=newest.guild_id)]
    then = [one.text for one in _numbered(before.content, guild_id=newest.guild_id)] if before else []
    known, left = set(map(_id_of, then)), set(map(_id_of, now))
    return ProfileChange(
        guild_id=newest.guild_id,
        learned_at=newest.learned_at,
        is_first=before is None,
        added=() if before is None else tuple(one for one in now if _id_of(one) not in known),
        gone=tuple(one for one in then if _id_of(one) not in left),
    )


def _numbered(text: str, *, guild_id: int) -> list[ProfileSentence]:
    return [
        ProfileSentence(guild_id=guild_id, sentence_id=_id_of(piece), text=piece.strip())
        for piece in sentences_of(text)
        if piece.strip()
    ]


def _found(sentences: Sequence[ProfileSentence], wanted: int | str) -> str | None:
    """Return the words of the sentence with this number, id or words; `None` without one."""
    if isinstance(wanted, int):
        return sentences[wanted - 1].text if 1 <= wanted <= len(sentences) else None
    ids = {wanted, _id_of(wanted)}
    return next((one.text for one in sentences if one.sentence_id in ids), None)


def _id_of(words: str) -> str:
    return hashlib.sha256(normalised(words).encode()).hexdigest()[:_ID_CHARACTERS]
