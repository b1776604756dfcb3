"""Messages of odd kinds as Discord sends them, each with what is kept of it."""

import itertools
from dataclasses import dataclass
from typing import Any, Final

from bot.core.domain import MessageKind
from tests.adapters.discord.sight import ALICE_ID, GENERAL_ID, GUILD_ID, Json, user

CDN: Final = "https://cdn.discordapp.com/attachments/1/2"
_ids = itertools.count(1450000000000000000, 1 << 22)


@dataclass(frozen=True, slots=True, kw_only=True)
class Odd:
    """One message and what is kept of it."""

    name: str
    payload: Json
    text: str = ""
    attachments: tuple[str, ...] = ()
    kind: MessageKind = MessageKind.MEMBER
    reply_to_id: int | None = None
    described: bool = True
    """Whether Discord's own description knows such a message; it is behind what Discord sends."""


def posted(content: str = "", *, without: tuple[str, ...] = (), **fields: Any) -> Json:
    """Return a message of alice's in #general; `fields` are added or take the place of what is there."""
    message: Json = {
        "id": str(next(_ids)),
        "type": 0,
        "channel_id": str(GENERAL_ID),
        "guild_id": str(GUILD_ID),
        "author": user(ALICE_ID, "alice", global_name="Alice"),
        "member": {
            "roles": [],
            "joined_at": "2026-01-01T00:00:00+00:00",
            "deaf": False,
            "mute": False,
            "flags": 0,
        },
        "content": content,
        "timestamp": "2026-11-20T10:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "components": [],
        "pinned": False,
        "flags": 0,
        **fields,
    }
    return {name: value for name, value in message.items() if name not in without}


def attached(filename: str, content_type: str | None = None, **fields: Any) -> Json:
    attachment: Json = {
        "id": "1450000000000000001",
        "filename": filename,
        "size": 1024,
        "url": f"{CDN}/{filename}?ex=1&is=2&hm=3",
        "proxy_url": f"https://media.discordapp.net/attachments/1/2/{filename}",
        **fields,
    }
    return attachment if content_type is None else {**attachment, "content_type": content_type}


def snapshot(content: str = "", **fields: Any) -> Json:
    """Return what a forward carries of the message that it forwards."""
    return {
        "message": {
            "type": 0,
            "content": content,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": [],
            "timestamp": "2026-11-19T10:00:00+00:00",
            "edited_timestamp": None,
            "flags": 0,
            **fields,
        }
    }


def referring(message_id: int, *, kind: int = 0, channel_id: int = GENERAL_ID) -> Json:
    return {
        "type": kind,
        "message_id": str(message_id),
        "channel_id": str(channel_id),
        "guild_id": str(GUILD_ID),
    }


def poll(question: str, *answers: Json) -> Json:
    return {
        "question": {"text": question},
        "answers": [
            {"answer_id": number, "poll_media": answer} for number, answer in enumerate(answers, start=1)
        ],
        "expiry": "2026-11-21T10:00:00+00:00",
        "allow_multiselect": False,
        "layout_type": 1,
        "results": {"answer_counts": [], "is_finalized": False},
    }


def shown(content: str, number: int = 1) -> Json:
    """Return a text display, one of the components of a message."""
    return {"type": 10, "id": number, "content": content}
