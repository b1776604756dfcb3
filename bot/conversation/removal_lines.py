"""The line of a guild's log channel for something that was removed about somebody else; it never says what."""

from bot.conversation.texts import Catalogue, counted, say
from bot.domain import Language, mention_of
from bot.memory.removals import Removal


class RemovalText(Catalogue):
    """Sentences of the log channel: English first, then Russian."""

    REMOVED = (
        "{by} had removed what was kept of others: {parts}.",
        "По просьбе {by} удалено сохранённое о других: {parts}.",
    )
    ABOUT = ("{counted} about {name}", "{counted} (о ком: {name})")
    WRITTEN_BY = ("the text of {counted} by {name}", "текст {counted} (чьи слова: {name})")


def removal_line(removal: Removal, language: Language) -> str:
    """Return the line, members as `<@id>`."""
    parts = [
        say(text, language, counted=counted(number, noun, language), name=mention_of(share.about_id))
        for share in removal.shares
        for text, number, noun in (
            (RemovalText.ABOUT, share.facts, "fact"),
            (RemovalText.WRITTEN_BY, share.messages, "text of message"),
        )
        if number
    ]
    return say(RemovalText.REMOVED, language, by=mention_of(removal.by_id), parts=", ".join(parts))
