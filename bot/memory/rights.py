"""Who may have what remembered, corrected and forgotten: plain rules that read nothing by themselves."""

from typing import assert_never

from bot.choices import ForgettingOthers, RememberingOthers
from bot.domain import GUILD_SUBJECT, Fact, Guild


def may_forget(guild: Guild | None, fact: Fact, *, user_id: int, from_moderator: bool) -> bool:
    """Tell whether a member may have `fact` forgotten: whom it is about and moderators, and who told it.

    What is about somebody else its teller may only where the managers of `guild` left it so; a guild that is not
    known has the settings of a new one.
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
