"""Long conversations with questions whose answers lie in known messages: what recall is measured on."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from bot.core.domain import Member, Message, snowflake_at

DATA: Final = Path(__file__).parents[2] / "shared" / "data" / "locomo-dev.json"

CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}

_EVIDENCE: Final = re.compile(r"D:?(\d+):(\d+)")
_TIME: Final = "%I:%M %p on %d %B, %Y"
_SESSIONS: Final = 100
"""More than any conversation has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, and the messages that answer it."""

    text: str
    category: int
    evidence: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation of two as a channel of a guild of its own: sessions at their dates, messages a minute apart."""

    name: str
    guild_id: int
    members: Sequence[Member]
    messages: Sequence[Message]
    questions: Sequence[Question]
    """Those whose evidence can be read."""

    @property
    def ends(self) -> datetime:
        """When the questions are asked: an hour after the last message."""
        return max(message.timestamp for message in self.messages) + timedelta(hours=1)


def conversations(*, pictures: bool = False, path: Path = DATA) -> list[Conversation]:
    """Return the conversations of the data file; with `pictures` as a bot hears them that is told what they show."""
    return [
        _conversation(told, guild_id=number, pictures=pictures)
        for number, told in enumerate(json.loads(path.read_text(encoding="utf-8")), 1)
    ]


def _conversation(told: Mapping[str, object], *, guild_id: int, pictures: bool) -> Conversation:
    said = told["conversation"]
    asked = told["qa"]
    if not isinstance(said, dict) or not isinstance(asked, list):
        raise TypeError("the data file is laid out in another way")
    speakers = {said["speaker_a"]: 11, said["speaker_b"]: 12}
    ids: dict[str, int] = {}
    messages: list[Message] = []
    for number in range(1, _SESSIONS):
        if f"session_{number}" not in said:
            continue
        begins = datetime.strptime(said[f"session_{number}_date_time"], _TIME).replace(tzinfo=UTC)
        for place, line in enumerate(said[f"session_{number}"]):
            moment = begins + timedelta(minutes=place)
            ids[line["dia_id"]] = snowflake_at(moment) + number
            caption = line.get("blip_caption", "") if pictures else ""
            messages.append(
                Message(
                    guild_id=guild_id,
                    channel_id=guild_id + 100,
                    message_id=ids[line["dia_id"]],
                    user_id=speakers[line["speaker"]],
                    text=line["text"],
                    timestamp=moment,
                    attachments=(f"[image: {caption}]",) if caption else (),
                )
            )
    return Conversation(
        name=str(told["sample_id"]),
        guild_id=guild_id,
        members=[
            Member(guild_id=guild_id, user_id=user_id, user_name=name) for name, user_id in speakers.items()
        ],
        messages=messages,
        questions=[question for one in asked if (question := _question(one, ids)).evidence],
    )


def _question(asked: Mapping[str, object], ids: Mapping[str, int]) -> Question:
    named = [f"D{session}:{line}" for session, line in _EVIDENCE.findall(json.dumps(asked["evidence"]))]
    return Question(
        text=str(asked["question"]),
        category=int(str(asked["category"])),
        evidence=frozenset(ids[name] for name in named if name in ids),
    )
