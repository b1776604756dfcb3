"""What is said in a scene and what is asked in the end, as the `.toml` files beside this one have it."""

import tomllib
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

KINDS: Final = {
    "hops": "several hops",
    "updates": "updates",
    "words": "words that mean different things to different people",
    "implied": "what is only implied about the asker",
    "time": "time",
    "nothing": "nothing that may be told is known",
}
"""The ways in which memories of groups are known to fail."""

_FOLDER: Final = Path(__file__).parent
_CHATTER: Final = "chatter"


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Talk(_Read):
    """What was said in one channel on one day."""

    day: int = Field(ge=0)
    """Days since the scene began."""
    channel: str
    lines: str
    """`name: text`, one a line, oldest first."""

    def said(self) -> list[tuple[str, str]]:
        """Return who said what, in its order."""
        return [_speaker_and_text(line) for line in self.lines.splitlines() if line]


class Question(_Read):
    """A question to the bot, and what the data of a reply's prompt must hold for a right answer to it."""

    kind: str
    day: int = Field(ge=0)
    channel: str
    ask: str
    """`name: text`."""
    needs: tuple[str, ...] = ()
    """Patterns, each of which the data hold somewhere."""
    lacks: tuple[str, ...] = ()
    """Patterns, none of which the data hold: it was forgotten, or said in a closed room."""

    def asked(self) -> tuple[str, str]:
        """Return who asks what."""
        return _speaker_and_text(self.ask)


class Scene(_Read):
    """A guild, what its members say to each other, and what they ask the bot afterwards."""

    language: str
    begins: date
    members: tuple[str, ...]
    closed: tuple[str, ...] = ()
    """Channels that not everybody may read."""
    talk: tuple[Talk, ...]
    question: tuple[Question, ...]

    def moment(self, day: int, hour: int) -> datetime:
        """Return an hour of a day of the scene."""
        return datetime.combine(self.begins, time(hour), UTC) + timedelta(days=day)

    @property
    def channels(self) -> Sequence[str]:
        """All channels, in the order in which they are first written to."""
        return list(dict.fromkeys([*(one.channel for one in self.talk), *(q.channel for q in self.question)]))


def scenes() -> dict[str, Scene]:
    """Return every scene by its name."""
    return {
        path.stem: Scene.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        for path in sorted(_FOLDER.glob("*.toml"))
        if path.stem != _CHATTER
    }


def chatter(language: str) -> list[str]:
    """Return what is said all day in `language` and answers nothing."""
    said = tomllib.loads((_FOLDER / f"{_CHATTER}.toml").read_text(encoding="utf-8"))
    return TypeAdapter(dict[str, str]).validate_python(said)[language].split("\n")[:-1]


def _speaker_and_text(line: str) -> tuple[str, str]:
    name, _, text = line.partition(": ")
    return name, text
