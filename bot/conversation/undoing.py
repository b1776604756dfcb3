"""The Undo under a confirmation: takes back what an answer wrote; all that it needs is stored."""

from bot.conversation import names
from bot.conversation.correcting import taking_back
from bot.conversation.refusing import not_yours_to_undo
from bot.conversation.texts import Text, say
from bot.conversation.turn import Doors
from bot.domain import Fact, FactStatus, Language
from bot.memory.deferred import Deferred
from bot.memory.removals import Remover
from bot.memory.rights import may_undo


async def undo(
    doors: Doors,
    *,
    guild_id: int,
    channel_id: int,
    message_id: int,
    user_id: int,
    from_moderator: bool,
    language: Language,
) -> str:
    """Take back what the answer to a message wrote, as far as `user_id` may, and return what to say.

    Guild and channel are those in which somebody pressed: only a message that was said there is meant.
    """
    said = await doors.library.message(guild_id=guild_id, message_id=message_id)
    if said is None or said.channel_id != channel_id:
        return say(Text.NOT_FROM_HERE, language)
    answer = await doors.memory.answers.to_message(guild_id=guild_id, message_id=message_id)
    if answer is None:
        return say(Text.UNDONE_ALREADY, language)
    wrote = await doors.memory.facts_with_ids(guild_id=guild_id, fact_ids=answer.fact_ids)
    guild = await doors.directory.guild(guild_id)
    may = [
        fact
        for fact in wrote
        if may_undo(
            guild,
            fact,
            user_id=user_id,
            from_moderator=from_moderator,
            asked_for_it=user_id == answer.user_id,
        )
    ]
    if wrote and not may:
        return not_yours_to_undo(guild, language)
    cause = f"m:{message_id}"
    aside_ids = await doors.memory.keeping.set_aside_by(guild_id=guild_id, cause=cause)
    standing = [fact for fact in may if fact.status is FactStatus.ACTIVE and fact.fact_id not in aside_ids]
    by = Remover(user_id=user_id, cause=f"u:{message_id}:{user_id}")
    undoing = taking_back(standing, language, doors, by=by) if standing else Deferred.of("")
    taking_up: Deferred[list[Fact]] = Deferred.of([])
    if any(fact.fact_id in aside_ids for fact in may):
        taking_up = doors.memory.keeping.taking_up(guild_id=guild_id, cause=cause)
    told, again = await doors.memory.carry_out(undoing.beside(taking_up))
    if not standing and not again:
        corrected = any(fact.status is FactStatus.SUPERSEDED for fact in may)
        return say(Text.CORRECTED_SINCE if corrected else Text.UNDONE_ALREADY, language)
    lines = [told, *(say(Text.HOLDS_AGAIN, language, content=fact.content) for fact in again)]
    told = "\n".join(filter(None, lines))
    called = {member.user_id: member.name for member in await doors.directory.members(guild_id)}
    return names.rendered(told, called)
