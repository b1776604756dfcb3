"""Answers as long as real ones, so that what is made from them is as long too."""

import html
import re
from collections.abc import Mapping, Sequence
from typing import Final

from bot.memory.summaries.extractive import DAY_CHARACTERS
from bot.memory.summaries.per_member import CONTEXT_CHARACTERS, WEEK_CHARACTERS
from tests.said import said_in
from tests.servers.clumsy import QUESTION
from tests.servers.gemini import GeminiServer

MEMORY_OPERATIONS: Final = ("summarise_day", "historical", "merge_context", "merge_facts")
"""What the memory asks models for about days, weeks and facts."""

CONVERSATION_OPERATIONS: Final = ("roll_summary", "make_episode", "compact_episodes", "learn_profile")
"""What it asks for because the bot takes part in conversations."""

EPISODE_OPERATIONS: Final = ("make_episode", "compact_episodes")
"""What it asks for when a conversation has ended."""

ROLLED_CHARACTERS: Final = 1_200
"""Of a rolling summary of a long talk."""

_TALK: Final = (
    "was in a good mood and talked with others about music games films cooking trains gardens plans for the weekend"
    " helped somebody with a broken build praised a release joked about keyboards asked for advice and came back"
    " later wrote a guide for newcomers and lost a bet about the weather twice in a row "
) * 5
"""What is told of conversations, which nothing is compared with."""

_WANTED: Final = re.compile(r"tell what each of these members did: ([u\d, ]*)\.")
_SO_FAR: Final = re.compile(r'<so_far member="(u\d+)">(.*?)</so_far>', re.DOTALL)
_MEMBER: Final = re.compile(r'<member id="(u\d+)">(.*?)</member>', re.DOTALL)
_FACT: Final = re.compile(r'<fact id="(f\d+)"[^>]*>(.*?)</fact>', re.DOTALL)
_TAG: Final = re.compile(r"<[^<>]*>|\[[\d-]+\]")
_SENTENCE: Final = re.compile(r"[^.\n]+")


def teach(server: GeminiServer) -> None:
    """Have `server` answer all that a guild asks for."""
    server.answer("summarise_day", lambda asked: tell_day(asked.prompt))
    server.answer("historical", lambda asked: tell_weeks(asked.prompt))
    server.answer("merge_context", lambda asked: tell_contexts(asked.prompt))
    server.answer("merge_facts", lambda asked: tell_facts(asked.prompt))
    server.answer("roll_summary", {"text": f"{_TALK[:ROLLED_CHARACTERS]}."})
    server.answer("make_episode", {"text": f"They {_TALK[:190]}.", "importance": 4, "tags": ["talk"]})
    server.answer("compact_episodes", {"action": "delete", "target": "e1", "reason": "slight"})
    server.answer("learn_profile", {"profile": f"{_TALK[:1200]}.", "facts": []})
    server.answer("route", {"kind": "chat", "confident": True})
    server.answer("reply", {"text": "I would wait for the weekend, the update will be out by then."})


def tell_day(prompt: str) -> Mapping[str, object]:
    """Tell of each wanted member what they said, and what was told of the day before."""
    found = _WANTED.search(prompt)
    told: dict[str, list[str]] = {member: [] for member in (found[1].split(", ") if found else [])}
    for said in said_in(prompt):
        if said.by in told:
            told[said.by].append(QUESTION.sub(r"asked about\1", said.text))
    for member, text in _SO_FAR.findall(prompt):
        if member in told:
            told[member] += _sentences(text, member)
    return _texts(told, DAY_CHARACTERS)


def tell_weeks(prompt: str) -> Mapping[str, object]:
    """Tell the week of each member from their days."""
    return _texts(_noted(prompt), WEEK_CHARACTERS)


def tell_contexts(prompt: str) -> Mapping[str, object]:
    """Tell of each member all that is known of them."""
    return _texts(_noted(prompt), CONTEXT_CHARACTERS)


def tell_facts(prompt: str) -> Mapping[str, object]:
    """Tell all facts, one after another."""
    facts = dict(_FACT.findall(prompt))
    return {"narrative": html.unescape(" ".join(facts.values())), "told": list(facts)}


def _noted(prompt: str) -> Mapping[str, Sequence[str]]:
    return {member: _sentences(text, member) for member, text in _MEMBER.findall(prompt)}


def _sentences(text: str, member: str) -> list[str]:
    """Return the sentences in tagged text about `member`, without their name before each."""
    plain = html.unescape(_TAG.sub("\n", text))
    found = (one.strip().removeprefix(f"@{member}").lstrip(": ") for one in _SENTENCE.findall(plain))
    return [one for one in found if one]


def _texts(told: Mapping[str, Sequence[str]], characters: int) -> Mapping[str, object]:
    """Return a text of `characters` for each member, in which their sentences come again until it is long enough."""
    texts = []
    for member, said in told.items():
        text = " ".join(f"@{member} {one}." for one in said)
        text = " ".join([text] * (1 + characters // (len(text) + 1)))
        texts.append({"member": member, "text": f"{text[: characters - 1].rstrip(' .@')}."})
    return {"texts": texts}
