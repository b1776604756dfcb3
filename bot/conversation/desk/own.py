"""What members decide by forms about what is kept of themselves. Visitors may too: it is theirs all the same."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from bot.conversation.desk import waiting
from bot.conversation.desk.form_turn import FormTurn
from bot.conversation.desk.visit import Said, Visit
from bot.conversation.desk.waiting import WaitingNotes
from bot.conversation.own_commands import BePrivate, ChooseCategory
from bot.conversation.own_rights import categories, erasing, exporting, switching
from bot.conversation.own_rights.hands import MOST_BYTES
from bot.conversation.own_rights.own_answer import OwnAnswer
from bot.conversation.own_rights.own_texts import OwnText
from bot.conversation.texts import say
from bot.conversation.turn import Doors
from bot.memory.audience import view_of

MakeTurn: TypeAlias = Callable[[Visit], Awaitable[FormTurn]]
"""Makes a visit a turn."""


class OwnDesk:
    """Answers about the visitor's own memory.

    In a guild that is what this guild keeps. In a direct message it is what the guilds shared keep, and the direct
    messages themselves; if several guilds fit, an answer has `places`, and the same is asked again `within` one of
    them. `EVERYWHERE` is all. A guild that is not shared is none of the visitor's. Every method may raise
    `DatabaseError`.
    """

    def __init__(self, doors: Doors, make_turn: MakeTurn) -> None:
        self._doors = doors
        self._make_turn = make_turn

    async def off(self, visit: Visit, within: Sequence[int] = ()) -> OwnAnswer:
        """Keep nothing of the visitor from now on; the answer offers to erase what there is."""
        turn = await self._turn(visit, within)
        answer = await switching.stop(turn, self._doors)
        if not answer.erasable_in:
            return answer
        offer = say(OwnText.OFFER_TO_ERASE_FORM, visit.language)
        return replace(answer, text=f"{answer.text} {offer}")

    async def on(self, visit: Visit, within: Sequence[int] = ()) -> OwnAnswer:
        """Remember the visitor again."""
        return await switching.go_on(await self._turn(visit, within), self._doors)

    async def be_private(self, visit: Visit, *, private: bool, within: Sequence[int] = ()) -> OwnAnswer:
        """Tell others nothing about the visitor, or what is told of everybody."""
        turn = await self._turn(visit, within)
        return await switching.be_private(turn, BePrivate(private), self._doors)

    async def categories(
        self, visit: Visit, choices: Sequence[ChooseCategory] = (), within: Sequence[int] = ()
    ) -> OwnAnswer:
        """Keep kinds of memory about the visitor as they choose; without a choice, tell how that stands."""
        turn = await self._turn(visit, within)
        if not choices:
            return await categories.tell(turn, self._doors)
        return await categories.choose(turn, choices, self._doors)

    async def export(
        self, visit: Visit, *, most_bytes: int = MOST_BYTES, within: Sequence[int] = ()
    ) -> OwnAnswer:
        """Return what is kept about the visitor as a file of at most `most_bytes`, or say that it is larger."""
        return await exporting.export(await self._turn(visit, within), self._doors, most_bytes=most_bytes)

    async def erasable(self, visit: Visit, within: Sequence[int] = ()) -> OwnAnswer:
        """Say what would be erased, and (`erasable_in`) within which guilds; nothing is."""
        return await erasing.ask(await self._turn(visit, within), self._doors)

    async def erase(self, visit: Visit, *, opt_out: bool = False, within: Sequence[int] = ()) -> OwnAnswer:
        """Erase all that is kept of the visitor, who has confirmed it, and say what went."""
        return await erasing.erase(await self._turn(visit, within), self._doors, opt_out=opt_out)

    async def waiting(self, visit: Visit) -> WaitingNotes:
        """Return about whom notes of others wait after an erasing, for managers; to others the title says why not."""
        return await waiting.listed(visit, self._doors)

    async def settle(self, visit: Visit, user_id: int, *, erase: bool) -> Said:
        """Erase or keep, as a manager decides, what others noted in closed channels about an erased member."""
        return await waiting.settle(visit, user_id, self._doors, erase=erase)

    async def _turn(self, visit: Visit, within: Sequence[int]) -> FormTurn:
        turn = replace(await self._make_turn(visit), within=tuple(within))
        if not visit.visitor:
            return turn
        view = view_of(guild_id=visit.guild_id, channel_audience=visit.audience, visitor=True)
        return replace(turn, view=view, visitor=True)
