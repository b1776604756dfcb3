"""Answers as long as real ones, so that what is made from them is as long too."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.memory.summaries.extractive import DAY_CHARACTERS
from bot.memory.summaries.per_member import CONTEXT_CHARACTERS, WEEK_CHARACTERS
from tests.said import said_in
from tests.servers.asked import Asked
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
    for operation in ANSWERS:
        server.answer(operation, answer_to)


def answer_to(asked: Asked) -> Mapping[str, object]:
    """Return what is answered to a request of one of the operations in `ANSWERS`."""
    return ANSWERS[asked.operation or ""](asked.prompt)


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


ANSWERS: Final[Mapping[str, Callable[[str], Mapping[str, object]]]] = {
    "summarise_day": tell_day,
    "historical": tell_weeks,
    "merge_context": tell_contexts,
    "merge_facts": tell_facts,
    "roll_summary": lambda _: {"text": f"{_TALK[:ROLLED_CHARACTERS]}."},
    "make_episode": lambda _: {"text": f"They {_TALK[:190]}.", "importance": 4, "tags": ["talk"]},
    "compact_episodes": lambda _: {"action": "delete", "target": "e1", "reason": "slight"},
    "learn_profile": lambda _: {"profile": f"{_TALK[:1200]}.", "facts": []},
    "route": lambda _: {"kind": "chat", "confident": True},
    "reply": lambda _: {"text": "I would wait for the weekend, the update will be out by then."},
}
"""What is answered to each operation, by its prompt."""
