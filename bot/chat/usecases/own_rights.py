"""What members decide about their own data by form.

Also details of a forgetting, and notes of others that wait for managers after an erasure.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.chat import own_rights
from bot.chat.own_rights import OwnRightsAnswer
from bot.chat.turn import MemoryAccess
from bot.chat.usecases.context import FormReply, FormTurn, RequestContext
from bot.core.domain import mention_of
from bot.memory.policy.permissions import scope_of
from bot.memory.rights.forgetting.repository import ForgettingReport, StandingMessage
from bot.text.commands import BePrivate, ChooseCategory
from bot.text.sentences import say


@dataclass(frozen=True, slots=True)
class WaitingLine:
    """About whom notes wait."""

    user_id: int
    text: str


@dataclass(frozen=True, slots=True)
class WaitingListing:
    """All that wait in a guild; without lines the title says that none do, or that they are not for the visitor."""

    title: str
    lines: tuple[WaitingLine, ...] = ()


async def waiting_notes(visit: RequestContext, doors: MemoryAccess) -> WaitingListing:
    """Return about whom notes wait in the guild of the visit."""
    if refused := _refused(visit):
        return WaitingListing(refused)
    found = await doors.memory.erasing.waiting(guild_id=visit.guild_id)
    if not found:
        return WaitingListing(visit.say("waiting.nothing"))
    lines = tuple(
        WaitingLine(
            one.user_id,
            say(
                "waiting.line",
                visit.language,
                facts=visit.say("count.facts", count=one.facts),
                # Nobody here has their name any more; whoever shows this may still know it.
                name=mention_of(one.user_id),
                channels=", ".join(f"<#{channel_id}>" for channel_id in one.audiences),
            ),
        )
        for one in found
    )
    return WaitingListing(visit.say("waiting.title"), lines)


async def settle_waiting(
    visit: RequestContext, user_id: int, doors: MemoryAccess, *, erase: bool
) -> FormReply:
    """Erase or keep what waits about an erased member, and say how much that was."""
    if refused := _refused(visit):
        return FormReply(refused)
    found = await doors.memory.erasing.waiting(guild_id=visit.guild_id)
    facts = sum(one.facts for one in found if one.user_id == user_id)
    if not facts:
        return FormReply(visit.say("waiting.settled_already"))
    erased = await doors.memory.erasing.settle_waiting(guild_id=visit.guild_id, user_id=user_id, erase=erase)
    text = "waiting.kept"
    if erase:
        text = "waiting.erases_later" if erased.unfinished else "waiting.erased"
    return FormReply(visit.say(text, facts=visit.say("count.facts", count=facts)))


def _refused(visit: RequestContext) -> str | None:
    if visit.from_manager and not visit.direct:
        return None
    return visit.say("waiting.for_managers")


MakeTurn: TypeAlias = Callable[[RequestContext], Awaitable[FormTurn]]
"""Makes a visit a turn."""


@dataclass(frozen=True, slots=True)
class ForgottenDetails:
    """What a forgetting took."""

    text: str
    own: tuple[StandingMessage, ...] = ()
    """Messages of the bot that told it and may still stand in their channels."""
    left: tuple[StandingMessage, ...] = ()
    """Messages of others with the same words, as far as the visitor may see them here."""


class ForgettingUseCases:
    """Tells members what they had forgotten. Every method may raise `DatabaseError`."""

    def __init__(self, doors: MemoryAccess, make_turn: MakeTurn) -> None:
        self._doors = doors
        self._make_turn = make_turn

    async def details(self, visit: RequestContext, cause: str | None = None) -> ForgottenDetails:
        """Return what the visitor had forgotten by a command, by their last one if none is named."""
        turn = await self._make_turn(visit)
        told = await self._doors.memory.forgettings.told(
            guild_ids=_guild_ids(turn),
            user_id=visit.user_id,
            audiences=turn.view.audiences,
            cause=cause,
        )
        if told is None:
            return ForgottenDetails(visit.say("forget.no_details"))
        return ForgottenDetails(_written(told, visit), told.own, told.left)

    async def deleted(self, visit: RequestContext, standing: Sequence[StandingMessage]) -> FormReply:
        """Note that these messages of the bot no longer stand in their channels, and say how many that are."""
        for guild_id in sorted({one.guild_id for one in standing}):
            await self._doors.memory.forgettings.deleted(
                guild_id=guild_id,
                user_id=visit.user_id,
                message_ids=[one.message_id for one in standing if one.guild_id == guild_id],
            )
        if not standing:
            return FormReply(visit.say("forget.own_gone"))
        messages = visit.say("count.messages", count=len(standing))
        return FormReply(visit.say("forget.own_deleted", messages=messages))


def _guild_ids(turn: FormTurn) -> Sequence[int]:
    return (turn.view.guild_id, *turn.view.own_guild_ids)


def _written(told: ForgettingReport, visit: RequestContext) -> str:
    taken = told.taken
    numbers = (
        ("forget.detail_facts", taken.facts),
        ("forget.detail_messages", taken.messages),
        ("forget.detail_summaries", taken.summaries),
        ("forget.detail_days", taken.days),
        ("forget.detail_own", len(told.own)),
        ("forget.detail_left", len(told.left)),
    )
    lines = [f"- {visit.say(text, number=number)}" for text, number in numbers if number]
    still = [] if told.is_done else [visit.say("forget.still_at_it")]
    return "\n".join([visit.say("forget.details"), *lines, *still])


class OwnRightsUseCases:
    """Answers about the visitor's own memory.

    In a guild that is what this guild keeps. In a direct message it is what the guilds shared keep, and the direct
    messages themselves; if several guilds fit, an answer has `places`, and the same is asked again `within` one of
    them. `EVERYWHERE` is all. A guild that is not shared is none of the visitor's. Every method may raise
    `DatabaseError`.
    """

    def __init__(self, doors: MemoryAccess, make_turn: MakeTurn) -> None:
        self._doors = doors
        self._make_turn = make_turn

    async def off(self, visit: RequestContext, within: Sequence[int] = ()) -> OwnRightsAnswer:
        """Keep nothing of the visitor from now on; the answer offers to erase what there is."""
        turn = await self._turn(visit, within)
        answer = await own_rights.stop_remembering(turn, self._doors)
        if not answer.erasable_in:
            return answer
        offer = visit.say("rights.offer_to_erase_form")
        return replace(answer, text=f"{answer.text} {offer}")

    async def on(self, visit: RequestContext, within: Sequence[int] = ()) -> OwnRightsAnswer:
        """Remember the visitor again."""
        return await own_rights.remember_again(await self._turn(visit, within), self._doors)

    async def be_private(
        self, visit: RequestContext, *, private: bool, within: Sequence[int] = ()
    ) -> OwnRightsAnswer:
        """Tell others nothing about the visitor, or what is told of everybody."""
        turn = await self._turn(visit, within)
        return await own_rights.be_private(turn, BePrivate(private), self._doors)

    async def categories(
        self, visit: RequestContext, choices: Sequence[ChooseCategory] = (), within: Sequence[int] = ()
    ) -> OwnRightsAnswer:
        """Keep kinds of memory about the visitor as they choose; without a choice, tell how that stands."""
        turn = await self._turn(visit, within)
        if not choices:
            return await own_rights.tell_categories(turn, self._doors)
        return await own_rights.choose_categories(turn, choices, self._doors)

    async def export(self, visit: RequestContext, within: Sequence[int] = ()) -> OwnRightsAnswer:
        """Return what is kept about the visitor as a file of at most `visit.most_bytes`, or say that it is larger."""
        return await own_rights.export_own(
            await self._turn(visit, within), self._doors, most_bytes=visit.most_bytes
        )

    async def erasable(self, visit: RequestContext, within: Sequence[int] = ()) -> OwnRightsAnswer:
        """Say what would be erased, and (`erasable_in`) within which guilds; nothing is."""
        return await own_rights.ask_to_erase(await self._turn(visit, within), self._doors)

    async def erase(
        self, visit: RequestContext, *, opt_out: bool = False, within: Sequence[int] = ()
    ) -> OwnRightsAnswer:
        """Erase all that is kept of the visitor, who has confirmed it, and say what went."""
        return await own_rights.erase_own(await self._turn(visit, within), self._doors, opt_out=opt_out)

    async def waiting(self, visit: RequestContext) -> WaitingListing:
        """Return about whom notes of others wait after an erasing, for managers; to others the title says why not."""
        return await waiting_notes(visit, self._doors)

    async def settle(self, visit: RequestContext, user_id: int, *, erase: bool) -> FormReply:
        """Erase or keep, as a manager decides, what others noted in closed channels about an erased member."""
        return await settle_waiting(visit, user_id, self._doors, erase=erase)

    async def _turn(self, visit: RequestContext, within: Sequence[int]) -> FormTurn:
        turn = replace(await self._make_turn(visit), within=tuple(within))
        if not visit.visitor:
            return turn
        view = scope_of(guild_id=visit.guild_id, channel_audience=visit.audience, visitor=True)
        return replace(turn, view=view, visitor=True)
