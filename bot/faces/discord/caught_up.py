"""What was missed and has been caught up, in numbers and as a line for whoever runs the bot."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Healed:
    """What was missed in one place and has been caught up."""

    messages: int = 0
    edits: int = 0
    deletions: int = 0
    commands: int = 0
    """Commands in those messages that were carried out."""

    def __add__(self, other: "Healed") -> "Healed":
        return Healed(
            messages=self.messages + other.messages,
            edits=self.edits + other.edits,
            deletions=self.deletions + other.deletions,
            commands=self.commands + other.commands,
        )

    def __sub__(self, other: "Healed") -> "Healed":
        return Healed(
            messages=self.messages - other.messages,
            edits=self.edits - other.edits,
            deletions=self.deletions - other.deletions,
            commands=self.commands - other.commands,
        )

    def __bool__(self) -> bool:
        return bool(self.messages or self.edits or self.deletions or self.commands)


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """What was caught up in one guild, or in one direct message, since the start."""

    guild_id: int
    name: str
    healed: Healed
    waiting: int = 0
    """Channels that could not be read yet; they are tried again."""

    def __str__(self) -> str:
        healed = self.healed
        told = [
            _counted(healed.messages, "message"),
            _counted(healed.edits, "edit"),
            _counted(healed.deletions, "deletion"),
        ]
        line = f"{self.name or self.guild_id}: caught up {', '.join(told)}"
        if healed.commands:
            line += f"; carried out {_counted(healed.commands, 'command')}"
        return f"{line}; {_counted(self.waiting, 'channel')} must wait" if self.waiting else line


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
