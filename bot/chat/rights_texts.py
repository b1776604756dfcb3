"""Sentences about rights that code selects and assembles: who may change something, and what was removed."""

from bot.core.domain import ForgettingOthers, Guild, Language, mention_of
from bot.memory.outbox.removal_log import OPERATOR, Removal
from bot.text.sentences import Key, say


def not_yours_text(guild: Guild | None, language: str, by_tellers: Key = "refusal.not_yours") -> str:
    """Return the refusal for a member who may not change or remove a fact: it says who may in this guild.

    `by_tellers` is the sentence for guilds in which the teller of a fact about others may, as in a new guild.
    """
    tellers_may = guild is None or guild.forgetting_others is ForgettingOthers.TELLERS
    return say(by_tellers if tellers_may else "refusal.not_yours_here", language)


def not_yours_to_undo_text(guild: Guild | None, language: str) -> str:
    """Return what is said to who may not take back a write."""
    return not_yours_text(guild, language, "chat.not_yours_to_undo")


def is_not_yours_text(text: str) -> bool:
    """Tell whether `text` says that something is not its asker's to change, in whatever language."""
    ours = ("refusal.not_yours", "chat.not_yours_to_undo", "refusal.not_yours_here")
    return any(text == say(key, language) for language in Language for key in ours)


def removal_line(removal: Removal, language: Language) -> str:
    """Return the line, members as `<@id>`."""
    parts = [
        say(key, language, counted=say(counted, language, count=number), name=mention_of(share.about_id))
        for share in removal.shares
        for key, number, counted in (
            ("removal.about", share.facts, "count.facts"),
            ("removal.written_by", share.messages, "count.messages_of"),
        )
        if number
    ]
    if removal.by_id == OPERATOR:
        return say("removal.removed_by_operator", language, parts=", ".join(parts))
    return say("removal.removed", language, by=mention_of(removal.by_id), parts=", ".join(parts))
