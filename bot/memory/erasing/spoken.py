"""Erasing a member from what was spoken: by them, by the bot about them, and by others."""

from collections.abc import Sequence
from typing import Final

from bot.memory import tokens
from bot.memory.erasing.asked import Erased, Scope
from bot.memory.erasing.batches import BATCH_ROWS, SCANNED_ROWS, Batches
from bot.memory.erasing.taking import take_back, withhold
from bot.store import answers, distillations, erasing, erasing_messages, messages
from bot.store.database import Connection

_SHORTEST_NAME: Final = 2
"""Letters of a name that the bot's own words are searched for."""


async def answers_to_them(batches: Batches, scope: Scope) -> Erased:
    """Take what the bot answered to the member."""

    async def batch(connection: Connection) -> Erased | None:
        answered = await erasing_messages.answers_to(
            connection, guild_id=scope.guild_id, user_id=scope.user_id, up_to=scope.up_to, limit=BATCH_ROWS
        )
        if answered is None:
            return None
        replies = await messages.bots_answers_to(
            connection, guild_id=scope.guild_id, message_ids=answered.message_ids
        )
        return await withhold(connection, scope, [*answered.sent_ids, *replies])

    return await batches.until_none(batch)


async def words_of_the_bot(batches: Batches, scope: Scope) -> Erased:
    """Take the bot's messages to others that tell of the member by name."""
    names = await _names(batches, scope)

    async def batch(connection: Connection) -> Erased | None:
        found = await erasing_messages.bots_words(
            connection,
            guild_id=scope.guild_id,
            user_id=scope.user_id,
            names=names,
            up_to=scope.up_to,
            limit=BATCH_ROWS,
        )
        if not found:
            return None
        await erasing_messages.wipe_sent(connection, guild_id=scope.guild_id, sent_ids=found)
        return await withhold(connection, scope, found)

    return await batches.until_none(batch)


async def answers_to_others(batches: Batches, scope: Scope) -> Erased:
    """Take the answers to others that tell of the member, as they are written down beside the log."""
    names = await _names(batches, scope)

    async def batch(connection: Connection, after_id: int) -> tuple[Erased, int | None]:
        sent, last_id = await erasing_messages.wipe_answers(
            connection,
            guild_id=scope.guild_id,
            user_id=scope.user_id,
            names=names,
            up_to=scope.up_to,
            after_id=after_id,
            limit=SCANNED_ROWS,
        )
        return await withhold(connection, scope, sent), last_id

    return await batches.through(batch)


async def _names(batches: Batches, scope: Scope) -> Sequence[str]:
    """Return the names by which the bot may have told of the member.

    "The" may well be somebody's name: by such words alone nobody is told of.
    """
    known = await batches.run(
        lambda connection: erasing.names_of(connection, guild_id=scope.guild_id, user_id=scope.user_id)
    )
    return [name for name in known if len(name.strip()) >= _SHORTEST_NAME and tokens.content_stems(name)]


async def own_messages(batches: Batches, scope: Scope) -> Erased:
    """Take what the member wrote, and what rests on it."""

    async def batch(connection: Connection) -> Erased | None:
        taken = await erasing_messages.own(
            connection, guild_id=scope.guild_id, user_id=scope.user_id, up_to=scope.up_to, limit=BATCH_ROWS
        )
        if not taken.message_ids:
            return None
        sent = await answers.wipe(
            connection, guild_id=scope.guild_id, fact_ids=(), message_ids=taken.message_ids
        )
        episodes = await take_back(connection, scope, taken.message_ids)
        return Erased(messages=taken.told, episodes=episodes) + await withhold(connection, scope, sent)

    return await batches.until_none(batch)


async def mentions(batches: Batches, scope: Scope) -> Erased:
    """Let the member be nobody in what others wrote; if all is to go, also inside of addresses."""

    async def batch(connection: Connection, after_id: int) -> tuple[Erased, int | None]:
        taken, last_id = await erasing_messages.unname(
            connection,
            guild_id=scope.guild_id,
            user_id=scope.user_id,
            up_to=scope.up_to,
            after_id=after_id,
            everything=scope.audiences is None,
            limit=SCANNED_ROWS,
        )
        if taken.message_ids:
            await distillations.drop_days_taken_back(connection, guild_id=scope.guild_id)
        return Erased(mentions=taken.told), last_id

    return await batches.through(batch)
