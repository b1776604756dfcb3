"""`keepsake erase`: a member is erased by whoever runs the installation, who sees first what goes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.errors import InvalidInputError
from bot.memory.erasing import Erased, Erasing

Print = Callable[[str], None]

Ask = Callable[[str], str]
"""Puts a question and returns the line that was typed; raises `EOFError` where nobody can type."""

_NOT_MEANT = 1
_UNFINISHED = 3
_MEANT = frozenset({"y", "yes"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Whom to erase, and from where."""

    user_id: int
    guild_id: int | None = None
    everywhere: bool = False
    """Also what others keep in closed channels; without a guild in all of them."""
    confirmed: bool = False


async def erase_member(erasing: Erasing, chosen: Chosen, *, show: Print, ask: Ask) -> int:
    """Show what would go, ask whether it is meant, erase, and show what went. Returns the exit status.

    It is 1, and nothing is erased, if it is not meant; 3 if older transactions must end first. Raises
    `InvalidInputError` if it is not said where, or nobody is there to be asked.
    """
    guild_ids = await _guild_ids(erasing, chosen)
    audiences = None if chosen.everywhere else ()
    if not chosen.confirmed:
        there = Erased()
        for guild_id in guild_ids:
            there += await erasing.counted(guild_id=guild_id, user_id=chosen.user_id, audiences=audiences)
        show(f"Of member {chosen.user_id} there is: {_told(there)}.")
        if not _is_meant(ask):
            show("Nothing was erased.")
            return _NOT_MEANT
    erased = Erased()
    for guild_id in guild_ids:
        erased += await erasing.erase_member(
            guild_id=guild_id, user_id=chosen.user_id, audiences=audiences, opted_out=False
        )
    if replace(erased, unfinished=0) or not erased.unfinished:
        show(f"Erased: {_told(erased)}.")
    if erased.waiting:
        show(
            "What waits was told by others in closed channels: a manager of the server decides about it;"
            " --all erases it now."
        )
    if erased.unfinished:
        where = "1 server" if erased.unfinished == 1 else f"{erased.unfinished:,} servers"
        show(
            f"Still waiting in {where}: transactions of others that began before are open in the database, and could"
            " write something back. The bot goes on by itself within a minute after they end, or when it is started."
        )
        return _UNFINISHED
    return 0


async def _guild_ids(erasing: Erasing, chosen: Chosen) -> Sequence[int]:
    if chosen.guild_id is None:
        if not chosen.everywhere:
            raise InvalidInputError(
                "it must be said where: in one server, as in --guild 1200000000000000001, or everywhere by --all"
            )
        return await erasing.guild_ids()
    known = await erasing.guild_ids()
    if chosen.guild_id not in known:
        raise InvalidInputError(
            f"nothing is kept of a guild {chosen.guild_id}: it must be the id of a server that the bot has heard"
        )
    return [chosen.guild_id]


def _is_meant(ask: Ask) -> bool:
    try:
        return ask("It cannot be brought back. Erase it? [y/N] ").strip().lower() in _MEANT
    except EOFError:
        raise InvalidInputError("nobody is there to be asked: --yes erases without a question") from None


def _told(erased: Erased) -> str:
    counts = (
        (erased.messages, "message", "messages"),
        (erased.answers, "answer of the bot", "answers of the bot"),
        (erased.facts, "fact", "facts"),
        (erased.profiles, "version of a profile", "versions of a profile"),
        (erased.texts, "summary", "summaries"),
        (erased.episodes, "episode", "episodes"),
        (erased.mentions, "mention by others", "mentions by others"),
        (erased.waiting, "fact that waits", "facts that wait"),
    )
    told = [f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count]
    return ", ".join(told) or "nothing"
