"""What comes of a command about the asker's own memory, for words and forms to show each in their way."""

from dataclasses import dataclass

from bot.conversation.own_rights.hands import HandedFile


@dataclass(frozen=True, slots=True)
class PlaceToChoose:
    """One of several guilds that may be meant; `EVERYWHERE` is all of them and the direct messages."""

    guild_id: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAnswer:
    """What is said, and what is to be decided still."""

    text: str
    places: tuple[PlaceToChoose, ...] = ()
    """Where it may be meant; nothing was done until one is chosen."""
    erasable_in: tuple[int, ...] = ()
    """The guilds in which all that is kept of the asker is erased once they agree."""
    file: HandedFile | None = None
    """What to give to the asker alone."""
