"""Who may have what remembered and forgotten. Nothing here reads anything: it is told all that it goes by."""

from typing import assert_never

from bot.domain import GUILD_SUBJECT, Fact, Guild, RememberingOthers


def may_forget(fact: Fact, *, user_id: int, from_moderator: bool) -> bool:
    """Tell whether a member may have `fact` forgotten: who told it, whom it is about, and moderators."""
    return from_moderator or user_id in {fact.author_id, fact.subject_id}


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
