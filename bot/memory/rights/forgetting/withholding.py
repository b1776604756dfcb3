"""Removes the text of messages and answers, and of everything that repeats them or was generated from them."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from bot.core.domain import LEARNED, FactOrigin, RedactionReason
from bot.db.pool import Connection
from bot.memory.facts import lifecycle
from bot.memory.guilds import repository as guilds_repository
from bot.memory.messages import repository_writing
from bot.memory.outbox import repository as outbox_repository
from bot.memory.rights.forgetting.repository import Forgotten
from bot.memory.summaries import episode_jobs


async def withhold(
    connection: Connection,
    *,
    guild_id: int,
    message_ids: Sequence[int],
    fact_ids: Sequence[int] = (),
    now: datetime,
) -> Forgotten:
    """Take the text from these messages, from what repeats them and from whatever the bot said that told them or
    these facts.

    Returns how many messages had a text until now, what was told from them, and where the bot had said it.
    """
    # A deletion names no facts, and deletions come in bulk: then there is nothing to look up.
    commands = (
        await outbox_repository.commands_of(connection, guild_id=guild_id, fact_ids=fact_ids)
        if fact_ids
        else []
    )
    taken = sorted({*message_ids, *commands})
    told = await outbox_repository.wipe_answers(
        connection, guild_id=guild_id, fact_ids=fact_ids, message_ids=taken
    )
    withheld = await take_text(connection, guild_id=guild_id, message_ids=[*taken, *told.sent_ids], now=now)
    await take_elsewhere(connection, told.elsewhere, fact_ids=fact_ids, now=now)
    return replace(withheld, own_ids=tuple(dict.fromkeys(told.sent_ids)))


async def refuse(
    connection: Connection,
    *,
    guild_id: int,
    message_ids: Sequence[int],
    author_id: int,
    text: str,
    now: datetime,
) -> None:
    """Take the text from an order that was overtaken by one to forget the same, and `text`, its words, from answers.

    The order may have been stored long before it is refused, and quoted in between: "what do you know about me?"
    tells its author what they said lately, without noting which messages that was.
    """
    told = await outbox_repository.wipe_answers_repeating(
        connection, guild_id=guild_id, text=text, author_id=author_id, message_ids=message_ids
    )
    await withhold(connection, guild_id=guild_id, message_ids=[*message_ids, *told], now=now)


async def take_answers(
    connection: Connection,
    *,
    guild_id: int,
    fact_ids: Sequence[int] = (),
    message_ids: Sequence[int] = (),
    episode_ids: Sequence[int] = (),
    now: datetime,
) -> Forgotten:
    """Take the text from whatever the bot said that told these, here and in direct messages, and what repeats that.

    Facts and episodes must have lost their text. Returns what was taken, and where the bot had said it here.
    """
    told = await outbox_repository.wipe_answers(
        connection,
        guild_id=guild_id,
        fact_ids=fact_ids,
        message_ids=message_ids,
        episode_ids=episode_ids,
    )
    taken = await take_text(connection, guild_id=guild_id, message_ids=told.sent_ids, now=now)
    await take_elsewhere(connection, told.elsewhere, fact_ids=fact_ids, now=now)
    return replace(taken, own_ids=tuple(dict.fromkeys(told.sent_ids)))


async def withdraw(
    connection: Connection,
    *,
    guild_id: int,
    message_ids: Sequence[int],
    now: datetime,
    origins: Collection[FactOrigin] = LEARNED,
) -> None:
    """Take away what these messages say for facts, by sources of `origins`, with whatever told the facts that go."""
    gone = await lifecycle.withdraw_facts(
        connection, guild_id=guild_id, message_ids=message_ids, now=now, origins=origins
    )
    if gone:
        await take_answers(connection, guild_id=guild_id, fact_ids=gone, now=now)


async def take_elsewhere(
    connection: Connection, guild_ids: Sequence[int], *, fact_ids: Sequence[int], now: datetime
) -> None:
    """Take these facts out of what the bot said in direct messages, which are guilds of their own."""
    for other_id in guild_ids:
        told = await outbox_repository.wipe_answers(
            connection, guild_id=other_id, fact_ids=fact_ids, message_ids=()
        )
        await take_text(connection, guild_id=other_id, message_ids=told.sent_ids, now=now)
        await guilds_repository.bump_epoch(connection, guild_id=other_id)


async def take_text(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], now: datetime
) -> Forgotten:
    """Take the text from these messages, what repeats and what was told from it; returns how many had one until now."""
    withheld = await repository_writing.withhold(
        connection, guild_id=guild_id, message_ids=message_ids, reason=RedactionReason.FORGOTTEN
    )
    told = await take_back_told(connection, guild_id=guild_id, message_ids=message_ids, now=now)
    return replace(told, messages=withheld + told.messages)


async def take_back_told(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], now: datetime
) -> Forgotten:
    """Take back what was told from these messages, which lost their text, and what repeats them, wherever it stands.

    Returns how many repeated them, and how many episodes and days went.
    """
    texts = await episode_jobs.take_back_texts(connection, guild_id=guild_id, message_ids=message_ids)
    repeated = await withhold_forwards(connection, guild_id=guild_id, message_ids=message_ids, now=now)
    await _take_what_episodes_told(connection, guild_id=guild_id, episode_ids=texts.episode_ids, now=now)
    return Forgotten(messages=repeated, summaries=texts.episodes, days=texts.days)


async def _take_what_episodes_told(
    connection: Connection, *, guild_id: int, episode_ids: Sequence[int], now: datetime
) -> None:
    """Take the text from answers that were given these episodes, which are gone, and what was told from those."""
    if episode_ids:
        await take_answers(connection, guild_id=guild_id, episode_ids=episode_ids, now=now)


async def withhold_forwards(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], now: datetime
) -> int:
    """Withhold what repeats these messages, which are withheld, in whatever guild; returns how many had a text.

    All that was told from it goes as well, with the answers that quoted it, and what repeats those in turn.
    """
    if not message_ids:
        return 0
    told = 0
    for group in await repository_writing.take_hanging(
        connection, guild_id=guild_id, message_ids=message_ids
    ):
        here, forwards = group.guild_id, group.message_ids
        wiped = await outbox_repository.wipe_answers(
            connection, guild_id=here, fact_ids=(), message_ids=forwards
        )
        for ids, reason in ((forwards, group.reason), (wiped.sent_ids, RedactionReason.FORGOTTEN)):
            await repository_writing.withhold(connection, guild_id=here, message_ids=ids, reason=reason)
        taken = [*forwards, *wiped.sent_ids]
        texts = await episode_jobs.take_back_texts(connection, guild_id=here, message_ids=taken)
        await _take_what_episodes_told(connection, guild_id=here, episode_ids=texts.episode_ids, now=now)
        await withdraw(connection, guild_id=here, message_ids=taken, now=now)
        told += len(forwards)
        told += await withhold_forwards(connection, guild_id=here, message_ids=wiped.sent_ids, now=now)
        if here != guild_id:
            await guilds_repository.bump_epoch(connection, guild_id=here)
    return told


async def withhold_forwards_of(connection: Connection, *, guild_id: int, user_id: int, now: datetime) -> None:
    """Withhold messages that repeat a member about whom nothing is kept in this guild any more."""
    said = await repository_writing.forwarded_of(connection, guild_id=guild_id, user_id=user_id)
    for origin_guild_id, message_ids in said.items():
        await withhold_forwards(connection, guild_id=origin_guild_id, message_ids=message_ids, now=now)
