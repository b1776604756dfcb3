"""Answers as long as real ones, so that what is made from them is as long too."""

import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Final

from bot.memory.summaries.extractive import DAY_CHARACTERS
from bot.memory.summaries.per_member import CONTEXT_CHARACTERS, WEEK_CHARACTERS
from tests.servers.gemini import GeminiServer

MEMORY_OPERATIONS: Final = ("summarise_day", "historical", "merge_context", "merge_facts")
"""What the memory asks models for about days, weeks and facts."""

CONVERSATION_OPERATIONS: Final = ("roll_summary", "make_episode", "compact_episodes", "learn_profile")
"""What it asks for because the bot takes part in conversations."""

EPISODE_OPERATIONS: Final = ("make_episode", "compact_episodes")
"""What it asks for when a conversation has ended."""

ROLLED_CHARACTERS: Final = 1_200
"""Of a rolling summary of a long talk."""

_WANTED: Final = re.compile(r"tell what each of these members did: ([u\d, ]*)\.")
_MEMBER: Final = re.compile(r'<member id="(u\d+)">')
_FACT: Final = re.compile(r"<fact[^>]*>(.*?)</fact>", re.DOTALL)
_TOLD: Final = " ".join(
    (
        "was in a good mood and talked with others about music games films cooking trains gardens plans for the weekend"
        " helped somebody with a broken build praised a release joked about keyboards asked for advice and came back"
        " later wrote a guide for newcomers and lost a bet about the weather twice in a row"
    ).split()
    * 10
)
"""Long enough that a text may begin anywhere in its first part."""


def teach(server: GeminiServer) -> None:
    """Have `server` answer all that a guild asks for."""
    server.answer("summarise_day", lambda asked: tell_day(asked.prompt))
    server.answer("historical", lambda asked: tell_weeks(asked.prompt))
    server.answer("merge_context", lambda asked: tell_contexts(asked.prompt))
    server.answer("merge_facts", lambda asked: {"narrative": " ".join(_FACT.findall(asked.prompt))})
    server.answer("roll_summary", {"text": f"{_TOLD[:ROLLED_CHARACTERS]}."})
    server.answer("make_episode", {"text": f"They {_TOLD[:190]}.", "importance": 4, "tags": ["talk"]})
    server.answer("compact_episodes", {"action": "delete", "target": "e1", "reason": "slight"})
    server.answer("learn_profile", {"profile": f"{_TOLD[:1200]}.", "facts": []})
    server.answer("route", {"kind": "chat", "confident": True})
    server.answer("reply", {"text": "I would wait for the weekend, the update will be out by then."})


def tell_day(prompt: str) -> Mapping[str, object]:
    """Tell of each wanted member."""
    found = _WANTED.search(prompt)
    return _texts(prompt, found[1].split(", ") if found else [], DAY_CHARACTERS)


def tell_weeks(prompt: str) -> Mapping[str, object]:
    """Tell the week of each member."""
    return _texts(prompt, _MEMBER.findall(prompt), WEEK_CHARACTERS)


def tell_contexts(prompt: str) -> Mapping[str, object]:
    """Tell all that is known of each member."""
    return _texts(prompt, _MEMBER.findall(prompt), CONTEXT_CHARACTERS)


def _texts(prompt: str, wanted: Sequence[str], characters: int) -> Mapping[str, object]:
    """Return a text for each wanted member; another prompt gives other texts."""
    texts = []
    for member in wanted:
        begin = zlib.crc32(f"{member} {len(prompt)}".encode()) % (len(_TOLD) // 2)
        text = f"@{member} {_TOLD[begin:]}"[: characters - 1]
        texts.append({"member": member, "text": f"{text}."})
    return {"texts": texts}
