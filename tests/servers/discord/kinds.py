"""Odd kinds of messages, as the fields that `say(..., **fields)` puts over what Discord sends.

await guild.say("alice", "#general", **kinds.sticker("Wave"))
"""

from collections.abc import Sequence
from typing import TypedDict

from tests.servers.discord.state import FakeAttachment, Json

_STICKER_ID = "749054660769218631"
_IS_VOICE_MESSAGE = 1 << 13


class StickerFields(TypedDict):
    """What a sticker puts over a message."""

    sticker_items: list[Json]


class PollFields(TypedDict):
    """What a poll puts over a message."""

    poll: Json


class VoiceFields(TypedDict):
    """What makes a message a voice message."""

    flags: int
    attachments: list[FakeAttachment]


def sticker(name: str, *, animated: bool = False) -> StickerFields:
    """A message that is one sticker."""
    return {"sticker_items": [{"id": _STICKER_ID, "name": name, "format_type": 2 if animated else 1}]}


def poll(question: str, answers: Sequence[str], *, finished: bool = False) -> PollFields:
    """A message that is a poll; nobody has voted yet."""
    return {
        "poll": {
            "question": {"text": question},
            "answers": [
                {"answer_id": number, "poll_media": {"text": answer}}
                for number, answer in enumerate(answers, start=1)
            ],
            "expiry": "2030-01-01T00:00:00+00:00",
            "allow_multiselect": False,
            "layout_type": 1,
            "results": {"answer_counts": [], "is_finalized": finished},
        }
    }


def embed(title: str = "", description: str = "", *, url: str = "", kind: str = "rich") -> Json:
    """An embed, to be given in `embeds=[...]` or to `unfurl`; of kind `link`, `article`, `video` for previews."""
    made: Json = {"type": kind}
    made |= {"title": title} if title else {}
    made |= {"description": description} if description else {}
    made |= {"url": url} if url else {}
    return made


def voice_message(*, seconds: float = 3.2) -> VoiceFields:
    """A voice message: the flag and the attachment that is its sound."""
    sound = FakeAttachment(
        filename="voice-message.ogg",
        content=b"OggS",
        content_type="audio/ogg",
        extra={"duration_secs": seconds, "waveform": "AAAA"},
    )
    return {"flags": _IS_VOICE_MESSAGE, "attachments": [sound]}
