"""Carrying decisions out once more on a database that does not know them: a backup that was restored.

They are carried out in the order in which they were made, those of one transaction together, by what carries out
decisions everywhere else. Each can be carried out again without harm.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final

from pydantic import BaseModel, ConfigDict

from bot.core.clock import SetClock
from bot.core.domain import GUILD_SUBJECT, RedactionReason
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.llm.framing import mentioned_in
from bot.memory.facts import lifecycle
from bot.memory.guilds import repository as guilds_repository
from bot.memory.messages import repository_writing
from bot.memory.policy import consent, decisions, redaction
from bot.memory.policy.consent import KeptCategory
from bot.memory.policy.decisions import Decision, DecisionKind
from bot.memory.policy.redaction import texts_with
from bot.memory.policy.tombstones import Hasher
from bot.memory.profiles import repository as profiles_repository
from bot.memory.profiles.profiles import forget_profile
from bot.memory.rights import repository_replay
from bot.memory.rights.consent import choose_category, opt_in_member, opt_out_member, set_private_member
from bot.memory.rights.erasing.erasing import Erasing
from bot.memory.rights.forgetting import apply, naming, withholding
from bot.memory.summaries import repository_episodes

_BATCH: Final = 500
"""Messages whose text one transaction takes."""


class _Standing(BaseModel):
    """What a member lets a guild keep and tell."""

    model_config = ConfigDict(extra="forbid")

    opted_out_at: datetime | None
    opted_in_at: datetime | None
    private: bool
    learning: bool


class _Category(BaseModel):
    """What a member wants of one kind of memory."""

    model_config = ConfigDict(extra="forbid")

    category: str
    kept: bool
    days: int | None


class _Erase(BaseModel):
    """How far an erasing reached."""

    model_config = ConfigDict(extra="forbid")

    up_to: datetime
    audiences: tuple[int, ...] | None
    notes_only: bool


class _Channel(BaseModel):
    """Where episodes stood."""

    model_config = ConfigDict(extra="forbid")

    channel_id: int


class _Place(BaseModel):
    """Where messages stood that lost their text, and why."""

    model_config = ConfigDict(extra="forbid")

    reason: RedactionReason
    channel_id: int
    audience: int


class DecisionReplay:
    """Carries decisions out on `database`, where nothing else runs and no trigger notes decisions."""

    def __init__(self, database: Database, hasher: Hasher, settings: Settings) -> None:
        self._database = database
        self._hasher = hasher
        self._settings = settings
        self._known: dict[tuple[int, bytes], int] = {}
        """Members by guild and hash, as far as anything of them is kept."""

    async def carry_out(self, made: Sequence[Decision]) -> None:
        """Carry out these decisions, given in the order of their numbers."""
        for guild_id, of_guild in groupby(
            sorted(made, key=lambda one: one.guild_id), lambda one: one.guild_id
        ):
            await self._find_members(guild_id, [*of_guild])
        for (guild_id, made_at), together in groupby(made, lambda one: (one.guild_id, one.made_at)):
            await self._carry_out_together(guild_id, [*together], now=made_at)
        for guild_id in sorted({one.guild_id for one in made}):
            await self._database.write(_unsay_all, self._hasher, guild_id=guild_id)

    async def _find_members(self, guild_id: int, made: Sequence[Decision]) -> None:
        """Find out which members these hashes are, before anything is taken by which they are known."""

        async def find(connection: Connection, hashes: set[bytes], *, in_texts: bool) -> None:
            found = await repository_replay.members_with(
                connection, guild_id=guild_id, hashes=sorted(hashes), in_texts=in_texts
            )
            self._known.update({(guild_id, user_hash): user_id for user_hash, user_id in found.items()})

        wanted = {one.user_hash for one in made if one.user_hash is not None}
        erased = {
            one.user_hash for one in made if one.kind is DecisionKind.ERASE and one.user_hash is not None
        }
        await self._database.read(find, wanted, in_texts=False)
        # Of whom only a mention is left nothing but that can be taken, by erasing.
        left = {one for one in erased if (guild_id, one) not in self._known}
        await self._database.read(find, left, in_texts=True)

    async def _carry_out_together(self, guild_id: int, made: Sequence[Decision], *, now: datetime) -> None:
        """Carry out the decisions of one transaction."""
        for batch in _batches(made):
            await self._database.write(self._take, guild_id, batch, now=now)
        rest = [one for one in made if one.kind not in _TAKEN]
        await self._database.write(self._decide, rest, now=now)
        for one in rest:
            if one.kind is DecisionKind.ERASE:
                await self._erase(one)
            elif one.kind is DecisionKind.ERASE_GUILD:
                await self._erasing(now).erase_guild(guild_id=guild_id)
                await self._database.write(decisions.drop_pending, guild_id=guild_id, user_hash=None)

    async def _take(
        self,
        connection: Connection,
        guild_id: int,
        made: Mapping[DecisionKind, Sequence[Decision]],
        *,
        now: datetime,
    ) -> None:
        """Take what was taken: facts, sources, messages and answers."""
        ids = {kind: sorted({one_id for one in group for one_id in one.ids}) for kind, group in made.items()}
        withdrawn = await repository_replay.existing_sources(
            connection, guild_id=guild_id, source_ids=ids.get(DecisionKind.WITHDRAWN, ())
        )
        if withdrawn:
            await lifecycle.give_up_sources(connection, guild_id=guild_id, source_ids=withdrawn, now=now)
        await apply.take_again(
            connection,
            self._hasher,
            guild_id=guild_id,
            fact_ids=ids.get(DecisionKind.FACT, ()),
            source_ids=ids.get(DecisionKind.SOURCE, ()),
            is_forgotten=DecisionKind.TOMBSTONE in made,
            now=now,
        )
        for one in made.get(DecisionKind.MESSAGE, ()):
            place = _Place.model_validate(one.details)
            await repository_writing.withhold(
                connection, guild_id=guild_id, message_ids=one.ids, reason=place.reason
            )
            await repository_replay.put_bare(
                connection,
                guild_id=guild_id,
                channel_id=place.channel_id,
                audience=place.audience,
                message_ids=one.ids,
                reason=place.reason,
            )
        await withholding.withhold(
            connection, guild_id=guild_id, message_ids=ids.get(DecisionKind.MESSAGE, ()), now=now
        )
        await repository_replay.empty_answers(
            connection, guild_id=guild_id, message_ids=ids.get(DecisionKind.ANSWER, ())
        )
        for one in made.get(DecisionKind.EPISODE, ()):
            await repository_episodes.remove_episodes(
                connection,
                guild_id=guild_id,
                channel_id=_Channel.model_validate(one.details).channel_id,
                episode_ids=one.ids,
            )

    async def _decide(self, connection: Connection, made: Sequence[Decision], *, now: datetime) -> None:
        """Set members, channels and guilds to what was decided about them."""
        for one in made:
            user_id = self._known.get((one.guild_id, one.user_hash)) if one.user_hash is not None else None
            if one.kind in repository_replay.ROW_KINDS:
                if not await repository_replay.put_row(connection, one) and one.kind in _OF_PLACES:
                    await decisions.mark_pending(connection, one)
            elif one.kind is DecisionKind.STANDING:
                await self._stand(connection, one, user_id, now=now)
            elif one.kind is DecisionKind.CATEGORY:
                await _choose(connection, one, user_id, now=now)
            elif one.kind is DecisionKind.UNNAMED and user_id is not None:
                await naming.take_out(
                    connection,
                    self._hasher,
                    guild_id=one.guild_id,
                    fact_ids=one.ids,
                    user_id=user_id,
                    now=now,
                )
            elif one.kind is DecisionKind.PROFILE and user_id is not None:
                await forget_profile(
                    connection,
                    guild_id=one.guild_id,
                    user_id=user_id,
                    take_answers=withholding.take_answers,
                    now=now,
                )

    async def _stand(
        self, connection: Connection, one: Decision, user_id: int | None, *, now: datetime
    ) -> None:
        wanted = _Standing.model_validate(one.details)
        if user_id is None:
            if one.user_hash is not None:
                await repository_replay.keep_out(
                    connection,
                    guild_id=one.guild_id,
                    user_hash=one.user_hash,
                    opted_out=wanted.opted_out_at is not None,
                )
            await decisions.mark_pending(connection, one)
            return
        member = {"guild_id": one.guild_id, "user_id": user_id}
        stands = await consent.consent_of(connection, **member)
        if wanted.opted_out_at is not None and not stands.opted_out:
            await opt_out_member(connection, **member, at=wanted.opted_out_at)
        elif wanted.opted_out_at is None and (
            stands.opted_out or (wanted.opted_in_at is not None and not stands.opted_in)
        ):
            await opt_in_member(connection, **member, at=wanted.opted_in_at or now)
        if wanted.private != stands.private:
            await set_private_member(connection, **member, private=wanted.private)
        await profiles_repository.switch_learning(connection, **member, learning=wanted.learning)

    async def _erase(self, one: Decision) -> None:
        """Erase a member again; for a member about whom nothing is kept, only store the keyed hash."""
        how = _Erase.model_validate(one.details)
        await self._database.write(decisions.drop_pending, guild_id=one.guild_id, user_hash=one.user_hash)
        user_id = self._known.get((one.guild_id, one.user_hash)) if one.user_hash is not None else None
        if user_id is None:
            return
        erasing = self._erasing(how.up_to)
        if how.notes_only:
            await erasing.settle_waiting(guild_id=one.guild_id, user_id=user_id, erase=True)
        else:
            await erasing.erase_member(
                guild_id=one.guild_id, user_id=user_id, audiences=how.audiences, opted_out=False
            )

    def _erasing(self, at: datetime) -> Erasing:
        return Erasing(self._database, SetClock(at), self._settings)


_TAKEN: Final = frozenset(
    {
        DecisionKind.FACT,
        DecisionKind.SOURCE,
        DecisionKind.WITHDRAWN,
        DecisionKind.MESSAGE,
        DecisionKind.ANSWER,
        DecisionKind.EPISODE,
    }
)
"""Kinds that take something which does not come back, in whatever order."""


_OF_PLACES: Final = frozenset({DecisionKind.GUILD, DecisionKind.CHANNEL})
"""Kinds that wait where the backup does not know the guild or the channel."""


def _batches(made: Iterable[Decision]) -> list[dict[DecisionKind, list[Decision]]]:
    """Return what is to be taken together, by kind; a very large transaction was one of messages, and is parted."""
    batches: list[dict[DecisionKind, list[Decision]]] = []
    size = _BATCH
    is_forgotten: list[Decision] = []
    for one in made:
        if one.kind is DecisionKind.TOMBSTONE:
            is_forgotten = [one]
        if one.kind not in _TAKEN:
            continue
        if size >= _BATCH:
            batches.append({})
            size = 0
        batches[-1].setdefault(one.kind, []).append(one)
        size += len(one.ids)
    for batch in batches if is_forgotten else ():
        batch[DecisionKind.TOMBSTONE] = is_forgotten
    return batches


async def _choose(connection: Connection, one: Decision, user_id: int | None, *, now: datetime) -> None:
    if user_id is None:
        await decisions.mark_pending(connection, one)
        return
    wanted = _Category.model_validate(one.details)
    await choose_category(
        connection,
        guild_id=one.guild_id,
        user_id=user_id,
        category=wanted.category,
        chosen=KeptCategory(kept=wanted.kept, days=wanted.days),
        now=now,
        is_believed=False,
    )


async def _unsay_all(connection: Connection, hasher: Hasher, *, guild_id: int) -> None:
    """Take out of all that was told in a guild what was forgotten.

    Facts that were learned after the backup were forgotten without that it knew their words: the tombstones know.
    """
    await guilds_repository.bump_epoch(connection, guild_id=guild_id)
    for text in await texts_with(connection, guild_id=guild_id, stems=[[]]):
        about = {GUILD_SUBJECT, *mentioned_in(text.content)}
        whose = text.subject_id
        left = await redaction.without_forgotten(
            connection,
            hasher,
            guild_id=guild_id,
            subject_ids=about if whose is None else {whose, *about},
            text=text.content,
            whose=whose,
        )
        if left != text.content:
            await redaction.rewrite_text(connection, guild_id=guild_id, text=text, content=left)
