"""What a forgetting took, told to who asked for it: numbers, and which messages still stand; never what it was."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.conversation.desk.form_turn import FormTurn
from bot.conversation.desk.visit import Said, Visit
from bot.conversation.forget_texts import ForgetText
from bot.conversation.texts import counted, say
from bot.conversation.turn import Doors
from bot.memory.forgetting.sets import Standing, Told

MakeTurn: TypeAlias = Callable[[Visit], Awaitable[FormTurn]]
"""Makes a visit a turn."""


@dataclass(frozen=True, slots=True)
class ForgottenDetails:
    """What a forgetting took."""

    text: str
    own: tuple[Standing, ...] = ()
    """Messages of the bot that told it and may still stand in their channels."""
    left: tuple[Standing, ...] = ()
    """Messages of others with the same words, as far as the visitor may see them here."""


class ForgottenDesk:
    """Tells members what they had forgotten. Every method may raise `DatabaseError`."""

    def __init__(self, doors: Doors, make_turn: MakeTurn) -> None:
        self._doors = doors
        self._make_turn = make_turn

    async def details(self, visit: Visit, cause: str | None = None) -> ForgottenDetails:
        """Return what the visitor had forgotten by a command, by their last one if none is named."""
        turn = await self._make_turn(visit)
        told = await self._doors.memory.forgettings.told(
            guild_ids=_guild_ids(turn),
            user_id=visit.user_id,
            audiences=turn.view.audiences,
            cause=cause,
        )
        if told is None:
            return ForgottenDetails(say(ForgetText.NO_DETAILS, visit.language))
        return ForgottenDetails(_written(told, visit), told.own, told.left)

    async def deleted(self, visit: Visit, standing: Sequence[Standing]) -> Said:
        """Note that these messages of the bot no longer stand in their channels, and say how many that are."""
        for guild_id in sorted({one.guild_id for one in standing}):
            await self._doors.memory.forgettings.deleted(
                guild_id=guild_id,
                user_id=visit.user_id,
                message_ids=[one.message_id for one in standing if one.guild_id == guild_id],
            )
        if not standing:
            return Said(say(ForgetText.OWN_GONE, visit.language))
        messages = counted(len(standing), "message", visit.language)
        return Said(say(ForgetText.OWN_DELETED, visit.language, messages=messages))


def _guild_ids(turn: FormTurn) -> Sequence[int]:
    return (turn.view.guild_id, *turn.view.own_guild_ids)


def _written(told: Told, visit: Visit) -> str:
    taken = told.taken
    numbers = (
        (ForgetText.DETAIL_FACTS, taken.facts),
        (ForgetText.DETAIL_MESSAGES, taken.messages),
        (ForgetText.DETAIL_SUMMARIES, taken.summaries),
        (ForgetText.DETAIL_DAYS, taken.days),
        (ForgetText.DETAIL_OWN, len(told.own)),
        (ForgetText.DETAIL_LEFT, len(told.left)),
    )
    lines = [f"- {say(text, visit.language, number=number)}" for text, number in numbers if number]
    still = [] if told.is_done else [say(ForgetText.STILL_AT_IT, visit.language)]
    return "\n".join([say(ForgetText.DETAILS, visit.language), *lines, *still])
