"""Erasing one member of one guild: what they said and were answered, what is known about them, and their name.

Every step finds what is left to do by itself, so the same steps done again go on where a crash ended them. What was
the bot's own goes first, while it is still known by which names it told of the member.
"""

from functools import partial
from typing import Final

from bot.domain import OPEN
from bot.memory import retelling, unsaying
from bot.memory.erasing import known, spoken
from bot.memory.erasing.asked import Erased, Scope
from bot.memory.erasing.batches import Batches
from bot.memory.recall.lexicon import KIND as LEXICON
from bot.store import distillations, erasing, erasing_facts, erasing_texts, guilds, waiting_notes, work
from bot.store import unsaying as stored_unsaying
from bot.store.database import Connection

_STEPS: Final = (
    known.texts,
    spoken.answers_to_them,
    spoken.words_of_the_bot,
    spoken.answers_to_others,
    spoken.own_messages,
    known.told,
    known.keyed,
    spoken.mentions,
    known.naming,
)


async def erase(batches: Batches, scope: Scope, *, work_key: str) -> Erased:
    """Erase a member, and return what went; the work of `work_key` is finished then."""
    erased = await batches.steps([partial(step, batches, scope) for step in _STEPS])
    return erased + await batches.run(lambda connection: _rest(connection, scope, work_key))


async def erase_notes(batches: Batches, scope: Scope, *, work_key: str) -> Erased:
    """Erase what others keep about a member who was erased before, and return what went."""
    erased = await known.told(batches, scope)

    async def settle(connection: Connection) -> None:
        await guilds.bump_epoch(connection, guild_id=scope.guild_id)
        await distillations.drop_merged(connection, guild_id=scope.guild_id)
        await waiting_notes.drop(connection, guild_id=scope.guild_id, user_id=scope.user_id)
        await erasing.done(connection, guild_id=scope.guild_id, work_key=work_key)

    await batches.run(settle)
    return erased


async def _rest(connection: Connection, scope: Scope, work_key: str) -> Erased:
    """Take the texts about the member, what names them elsewhere, and their name."""
    guild_id, user_id = scope.guild_id, scope.user_id
    await guilds.bump_epoch(connection, guild_id=guild_id)
    await distillations.drop_merged(connection, guild_id=guild_id)
    await _unname_texts(connection, scope)
    await erasing.unname_guild(connection, guild_id=guild_id, user_id=user_id)
    texts = await erasing_texts.drop_about(connection, guild_id=guild_id, user_id=user_id)
    profiles = await erasing.drop_own_rows(connection, guild_id=guild_id, user_id=user_id)
    await work.ask(connection, guild_id=guild_id, kind=LEXICON, work_key="")
    waiting = await _let_wait(connection, scope)
    await erasing.done(connection, guild_id=guild_id, work_key=work_key)
    if scope.audiences is None:
        await erasing.drop_covered(connection, guild_id=guild_id, user_id=user_id, up_to=scope.up_to)
    return Erased(profiles=profiles, texts=texts, waiting=waiting)


async def _unname_texts(connection: Connection, scope: Scope) -> None:
    """Take the sentences that name the member out of texts about others, or have those told anew."""
    guild_id, user_id = scope.guild_id, scope.user_id
    for text in await erasing_texts.naming(connection, guild_id=guild_id, user_id=user_id):
        sentences = unsaying.sentences_of(text.content)
        places = await erasing_texts.sentences_naming(connection, user_id=user_id, sentences=sentences)
        await stored_unsaying.rewrite(
            connection, guild_id=guild_id, text=text, content=unsaying.without(sentences, places)
        )
    retold = await erasing_texts.drop_rebuildable(connection, guild_id=guild_id, user_id=user_id)
    for subject_id, audience in retold:
        await retelling.ask(connection, guild_id=guild_id, subject_id=subject_id, audience=audience)


async def _let_wait(connection: Connection, scope: Scope) -> int:
    """Note what others keep where the member cannot read, and return how many facts that is."""
    guild_id, user_id = scope.guild_id, scope.user_id
    if scope.audiences is None:
        await waiting_notes.drop(connection, guild_id=guild_id, user_id=user_id)
        return 0
    notes = await erasing_facts.notes(
        connection,
        guild_id=guild_id,
        user_id=user_id,
        up_to=scope.up_to,
        audiences=[OPEN, *scope.audiences],
    )
    if notes.facts:
        await waiting_notes.put(connection, guild_id=guild_id, user_id=user_id, erased_up_to=scope.up_to)
    for audience in notes.audiences:
        await retelling.ask(connection, guild_id=guild_id, subject_id=user_id, audience=audience)
    return notes.facts
