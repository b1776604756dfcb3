"""What is asked of an erasing, and what it took."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime

_WHOLE_GUILD = 0
"""Stands for the member where a whole guild is erased."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What an erasing took, or would take."""

    messages: int = 0
    """Messages of the member that had a text."""
    mentions: int = 0
    """Messages of others that named the member, who is nobody in them now; or had something about them remembered."""
    answers: int = 0
    """Messages of the bot that answered the member or told of them."""
    facts: int = 0
    profiles: int = 0
    """Versions of the profile."""
    texts: int = 0
    """Days, weeks, contexts and narratives about the member."""
    episodes: int = 0
    """Episodes that rested on what the member wrote."""
    waiting: int = 0
    """Facts that others keep about the member in rooms that the member cannot read: they wait for a manager."""
    unfinished: int = 0
    """Erasings that took nothing yet: they wait for older transactions, and go on behind when those have ended."""

    def __add__(self, other: "Erased") -> "Erased":
        return Erased(
            **{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)}
        )

    def __bool__(self) -> bool:
        """Tell whether anything went, or waits."""
        return any(getattr(self, one.name) for one in fields(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Notes of others about an erased member, in rooms that the member cannot read."""

    user_id: int
    facts: int
    audiences: Sequence[int]
    """The closed channels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One erasing, as it is asked for: all that whoever goes on with it must know."""

    user_id: int = _WHOLE_GUILD
    audiences: tuple[int, ...] | None = None
    """Where what others said about the member goes too; `None` is everywhere."""
    up_to: datetime | None = None
    """What was said until then goes; `None`: it has not begun."""
    left_before: datetime | None = None
    """Only who left before that, and is not back, is erased."""
    notes_only: bool = False
    """Only what others keep about the member goes: all else went before."""
    step: int = 0
    """The steps that are done."""
    after_id: int = 0
    """The last row that the step under way has looked at."""
    older_than: datetime | None = None
    """Transactions from before that, by the clock of the database, are still waited for; `None`: all that are open."""
    turn: int = 0
    """How often it was given back: each turn has a key of its own, so that none ends the lease of the next."""

    @property
    def is_of_guild(self) -> bool:
        """Whether it is a whole guild that is erased."""
        return self.user_id == _WHOLE_GUILD

    def as_key(self) -> str:
        """Return the key of the background work that does it."""
        return json.dumps(
            {
                "user_id": self.user_id,
                "audiences": self.audiences,
                "up_to": self.up_to.isoformat() if self.up_to else None,
                "left_before": self.left_before.isoformat() if self.left_before else None,
                "notes_only": self.notes_only,
                "step": self.step,
                "after_id": self.after_id,
                "older_than": self.older_than.isoformat() if self.older_than else None,
                "turn": self.turn,
            }
        )

    @classmethod
    def of_key(cls, work_key: str) -> "Asked":
        """Return what a key of `as_key` asks for."""
        known = json.loads(work_key)
        # One that was asked for by an earlier version has no `older_than`.
        return cls(
            user_id=known["user_id"],
            audiences=None if known["audiences"] is None else tuple(known["audiences"]),
            up_to=datetime.fromisoformat(known["up_to"]) if known["up_to"] else None,
            left_before=datetime.fromisoformat(known["left_before"]) if known["left_before"] else None,
            notes_only=known["notes_only"],
            step=known["step"],
            after_id=known["after_id"],
            older_than=datetime.fromisoformat(known["older_than"]) if known.get("older_than") else None,
            turn=known["turn"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Who is erased from where, and until when."""

    guild_id: int
    user_id: int
    audiences: tuple[int, ...] | None
    """Where what others said about the member goes too; `None` is everywhere."""
    up_to: datetime
    now: datetime
    """By the clock that rules memories."""
