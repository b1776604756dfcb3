"""Who may see what, and who may have what remembered, corrected, undone and forgotten: pure rules that read nothing."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import assert_never

from bot.core.domain import GUILD_SUBJECT, OPEN, Fact, ForgettingOthers, Guild, RememberingOthers


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadScope:
    """What a reply in one place may draw on."""

    guild_id: int
    audiences: tuple[int, ...]
    own_guild_ids: tuple[int, ...] = ()
    """In a direct message: the guilds that the asker shares with the bot; of these only the asker's own
    open facts are seen."""


def scope_of(
    *,
    guild_id: int,
    channel_audience: int,
    shared_guild_ids: tuple[int, ...] = (),
    visitor: bool = False,
) -> ReadScope:
    """Return what may be seen in a channel of `channel_audience`.

    In an open channel that is what is open; in a closed one also what belongs to it; in a direct message,
    which is a guild of its own, that conversation and `shared_guild_ids`. A `visitor`, who lacks the base role,
    sees no memory at all.
    """
    if visitor:
        return ReadScope(guild_id=guild_id, audiences=())
    audiences = (OPEN,) if channel_audience == OPEN else (OPEN, channel_audience)
    return ReadScope(guild_id=guild_id, audiences=audiences, own_guild_ids=shared_guild_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorScope(ReadScope):
    """What an operator may read of a guild."""

    private_ids: tuple[int, ...] = ()
    """Members about whom others are told nothing, and who were not revealed: what names them is not shown either."""


def scope_of_operator(
    guild: Guild, *, revealed: Collection[int] = (), private_ids: Collection[int] = ()
) -> OperatorScope:
    """Return what an operator may read in `guild`: what is open there, and the audiences `revealed` to them.

    Direct messages are open only to their participants, so nothing of them until it is revealed.
    """
    audiences = {*revealed, *(() if guild.direct else (OPEN,))}
    return OperatorScope(
        guild_id=guild.guild_id, audiences=tuple(sorted(audiences)), private_ids=tuple(sorted(private_ids))
    )


def may_forget(guild: Guild | None, fact: Fact, *, user_id: int, from_moderator: bool) -> bool:
    """Tell whether a member may have `fact` forgotten: its subject, moderators, and its teller.

    The teller of a fact about somebody else may only if the managers of `guild` allow it; an unknown guild has the
    default settings.
    """
    if from_moderator or user_id == fact.subject_id:
        return True
    if user_id != fact.author_id:
        return False
    if guild is None or fact.subject_id == GUILD_SUBJECT:
        return True
    match guild.forgetting_others:
        case ForgettingOthers.TELLERS:
            return True
        case ForgettingOthers.MODERATORS:
            return False
    assert_never(guild.forgetting_others)


def may_correct(guild: Guild | None, fact: Fact, *, user_id: int, from_moderator: bool) -> bool:
    """Tell whether a member may have `fact` replaced, moved or set aside: what held before goes either way."""
    return may_forget(guild, fact, user_id=user_id, from_moderator=from_moderator)


def may_undo(
    guild: Guild | None, fact: Fact, *, user_id: int, from_moderator: bool, asked_for_it: bool
) -> bool:
    """Tell whether a member may take back the write of `fact`.

    Who asked to have it written counts as its teller here, even where the words were somebody else's.
    """
    if may_forget(guild, fact, user_id=user_id, from_moderator=from_moderator):
        return True
    tellers_may = guild is None or guild.forgetting_others is ForgettingOthers.TELLERS
    return asked_for_it and (tellers_may or fact.subject_id == GUILD_SUBJECT)


def may_remember_about(guild: Guild, *, author_id: int, subject_id: int, from_moderator: bool) -> bool:
    """Tell whether `author_id` may have something remembered about `subject_id` in `guild`.

    Everybody may about themselves and about the guild itself; about others as the guild's managers set it.
    """
    if subject_id in {author_id, GUILD_SUBJECT}:
        return True
    match guild.remembering_others:
        case RememberingOthers.EVERYONE:
            return True
        case RememberingOthers.MODERATORS:
            return from_moderator
        case RememberingOthers.NOBODY:
            return False
    assert_never(guild.remembering_others)
