"""What somebody wrote, as it stands in an answer: on one line, and only for whom it may be quoted to."""

from typing import Final

from bot.domain import Message, mention_of

_QUOTED_CHARACTERS: Final = 160
"""A quoted message is cut to so many characters."""


def words_of(message: Message) -> str:
    """Return what a message says on one line, cut to what is quoted of one."""
    said = " ".join(" ".join([message.text, *message.attachments]).split())
    return said if len(said) <= _QUOTED_CHARACTERS else said[: _QUOTED_CHARACTERS - 1].rstrip() + "…"


def quoted(message: Message) -> str:
    """Return who said what, on one line, members as `<@id>`."""
    return f"{pointed_at(message)}: {words_of(message)}"


def pointed_at(message: Message) -> str:
    """Return who said it and nothing of what: where it can be seen is for a link beside it."""
    return mention_of(message.user_id)
