"""A small guild with the names that are hard to tell apart."""

from collections.abc import Iterable, Sequence

from bot.core.domain import Member
from bot.memory.members.known import KnownMembers
from bot.memory.members.roster import Roster

AUTHOR_ID = 1


def member(user_id: int, user_name: str, **others: str | tuple[str, ...]) -> Member:
    display_name, nickname = str(others.get("display_name", "")), str(others.get("nickname", ""))
    aliases = tuple(others.get("aliases", ()))
    return Member(
        guild_id=9,
        user_id=user_id,
        user_name=user_name,
        display_name=display_name,
        nickname=nickname,
        aliases=aliases,
    )


ALICE = member(AUTHOR_ID, "alice", display_name="Alice")
BOB = member(2, "bob_77", display_name="Bob")
GRUZILKIN = member(3, "gruzilkin", aliases=("Sergey",))
MASHA = member(4, "masha", nickname="Маша")
SASHA = member(5, "sasha", nickname="Саша")
SERGEI = member(6, "serg", nickname="Сергей")
BOB_RUSSIAN = member(7, "bobik", nickname="Боб")
PETER = member(8, "petya", display_name="Пётр")
PAVEL = member(10, "pavel", display_name="Павел")
ANNA_IVANOVA = member(11, "anna.i", display_name="Анна Иванова")
MARTIN = member(12, "martin", display_name="Martin")
FLORENT = member(13, "florent", display_name="Florent Martinez")
ODD = member(14, "oddone", nickname=r"\o/")
MEMBERS = Roster(
    [
        ALICE,
        BOB,
        GRUZILKIN,
        MASHA,
        SASHA,
        SERGEI,
        BOB_RUSSIAN,
        PETER,
        PAVEL,
        ANNA_IVANOVA,
        MARTIN,
        FLORENT,
        ODD,
    ]
)


class Met(KnownMembers):
    """Members who have all been met, without a database."""

    def __init__(self, everyone: Iterable[Member]) -> None:
        self._members = tuple(everyone)

    @property
    def everyone(self) -> Sequence[Member]:
        return self._members

    @property
    def names(self) -> dict[int, str]:
        return {one.user_id: one.name for one in self._members}

    def without(self, set_aside: frozenset[int]) -> Roster:
        return Roster([one for one in self._members if one.user_id not in set_aside])

    async def meet(self, *texts: str, user_ids: Iterable[int] = (), seconds: float | None = None) -> None:
        """Nobody else is there."""
