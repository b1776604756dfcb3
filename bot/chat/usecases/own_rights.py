"""What members decide about their own data by form.

Also details of a forgetting, and notes of others that wait for managers after an erasure.

What is of oneself is, in a guild, what this guild keeps. In a direct message it is what the guilds shared keep, and the
direct messages themselves; if several guilds fit, an answer has `places`, and the same is asked again `within` one of
them (`RequestContext.within`). `EVERYWHERE` is all. A guild that is not shared is none of the visitor's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.chat import own_rights
from bot.chat.own_rights import OwnRightsAnswer
from bot.chat.usecases.context import Choice, ChoiceListing, FormAccess, FormReply, FormTurn
from bot.core.domain import mention_of
from bot.memory.rights.forgetting.repository import ForgettingReport, StandingMessage
from bot.text.sentences import say


async def waiting_notes(turn: FormTurn, access: FormAccess) -> ChoiceListing:
    """Return the erased members about whom notes of others wait."""
    request = turn.request
    found = await access.memory.erasing.waiting(guild_id=request.guild_id)
    if not found:
        return ChoiceListing(request.say("waiting.nothing"))
    lines = tuple(
        Choice(
            str(one.user_id),
            say(
                "waiting.line",
                request.language,
                facts=request.say("count.facts", count=one.facts),
                # Nobody here has their name any more; whoever shows this may still know it.
                name=mention_of(one.user_id),
                channels=", ".join(f"<#{channel_id}>" for channel_id in one.audiences),
            ),
        )
        for one in found
    )
    return ChoiceListing(request.say("waiting.title"), lines)


async def settle_waiting(turn: FormTurn, access: FormAccess, user_id: int, *, erase: bool) -> FormReply:
    """Erase or keep what others noted in closed channels about an erased member, and say how much that was."""
    request = turn.request
    found = await access.memory.erasing.waiting(guild_id=request.guild_id)
    facts = sum(one.facts for one in found if one.user_id == user_id)
    if not facts:
        return FormReply(request.say("waiting.settled_already"))
    erased = await access.memory.erasing.settle_waiting(
        guild_id=request.guild_id, user_id=user_id, erase=erase
    )
    text = "waiting.kept"
    if erase:
        text = "waiting.erases_later" if erased.unfinished else "waiting.erased"
    return FormReply(request.say(text, facts=request.say("count.facts", count=facts)))


@dataclass(frozen=True, slots=True)
class ForgottenDetails:
    """What a forgetting took."""

    text: str
    own: tuple[StandingMessage, ...] = ()
    """Messages of the bot that told it and may still stand in their channels."""
    left: tuple[StandingMessage, ...] = ()
    """Messages of others with the same words, as far as the visitor may see them here."""


async def tell_forgotten(turn: FormTurn, access: FormAccess, cause: str | None = None) -> ForgottenDetails:
    """Return what the visitor had forgotten by a command, by their last one if none is named."""
    told = await access.memory.forgettings.told(
        guild_ids=(turn.view.guild_id, *turn.view.own_guild_ids),
        user_id=turn.message.user_id,
        audiences=turn.view.audiences,
        cause=cause,
    )
    if told is None:
        return ForgottenDetails(turn.say("forget.no_details"))
    return ForgottenDetails(_written(told, turn), told.own, told.left)


async def note_deleted(turn: FormTurn, access: FormAccess, standing: Sequence[StandingMessage]) -> FormReply:
    """Note that these messages of the bot no longer stand in their channels, and say how many that are."""
    for guild_id in sorted({one.guild_id for one in standing}):
        await access.memory.forgettings.deleted(
            guild_id=guild_id,
            user_id=turn.message.user_id,
            message_ids=[one.message_id for one in standing if one.guild_id == guild_id],
        )
    if not standing:
        return FormReply(turn.say("forget.own_gone"))
    messages = turn.say("count.messages", count=len(standing))
    return FormReply(turn.say("forget.own_deleted", messages=messages))


def _written(told: ForgettingReport, turn: FormTurn) -> str:
    taken = told.taken
    numbers = (
        ("forget.detail_facts", taken.facts),
        ("forget.detail_messages", taken.messages),
        ("forget.detail_summaries", taken.summaries),
        ("forget.detail_days", taken.days),
        ("forget.detail_own", len(told.own)),
        ("forget.detail_left", len(told.left)),
    )
    lines = [f"- {turn.say(text, number=number)}" for text, number in numbers if number]
    still = [] if told.is_done else [turn.say("forget.still_at_it")]
    return "\n".join([turn.say("forget.details"), *lines, *still])


async def stop_remembering(turn: FormTurn, access: FormAccess) -> OwnRightsAnswer:
    """Keep nothing of the visitor from now on; the answer offers to erase what there is."""
    answer = await own_rights.stop_remembering(turn, access)
    if not answer.erasable_in:
        return answer
    return replace(answer, text=f"{answer.text} {turn.say('rights.offer_to_erase_form')}")


async def export_own(turn: FormTurn, access: FormAccess) -> OwnRightsAnswer:
    """Return what is kept about the visitor as a file of at most `most_bytes`, or say that it is larger."""
    return await own_rights.export_own(turn, access, most_bytes=turn.request.most_bytes)
