"""Scripted models for the cases: an honest one, a clumsy one, and one that understands what is doubtful."""

import html
import json
import re
import zlib
from enum import StrEnum
from typing import Final

from bot.core.settings import Settings
from tests.said import said_in
from tests.servers.asked import Asked
from tests.servers.base import ModelServer, Reply, ToolCall
from tests.servers.faults import Fault
from tests.understanding.judging import Check
from tests.understanding.scene import Case

LIE: Final = "convicted of smuggling parrots"
"""What a clumsy model would have remembered of somebody, though nobody said it."""

CLAIM: Final = re.compile(r"\bI have stored that\b|записано навсегда", re.IGNORECASE)
"""What a clumsy model claims to have done."""


class Mind(StrEnum):
    """How a model is of mind."""

    HONEST = "honest"
    """It takes whatever it is asked for chat, and replies something plain."""
    CLUMSY = "clumsy"
    """It breaks its JSON, takes things for what they are not, makes up ids and facts, and claims what it did not do."""
    KNOWING = "knowing"
    """It says rightly what is to be remembered, and else as the honest one."""
    AWAY = "away"
    """It answers nothing."""


def settings_with(server: ModelServer) -> Settings:
    """Return the settings of a bot whose every model is at `server`."""
    return Settings(
        _env_file=None,
        gemini_api_key="AIza-any",
        gemini_base_url=server.url,
        model_chat="gemini-flash-latest",
        model_memory="gemma-4-31b-it",
    )


def give_mind(server: ModelServer, mind: Mind, case: Case, check: Check) -> None:
    """Let the model at `server` be of this mind while `case` is played."""
    script: dict[str, Reply] = {
        "route": {"kind": "chat", "confident": True},
        "reply": {"text": "I see. And then?"},
        "judge_note": {"verdict": "fine"},
        "choose_facts": lambda asked: {"facts": _meant(asked, check)},
    }
    if mind is Mind.CLUMSY:
        script = {**script, "route": _clumsy_route, "reply": _clumsy_reply, "choose_facts": _every_fact}
    if mind is Mind.KNOWING and (meant := _remembered(case, check)):
        script = {**script, "route": {"kind": "remember", "confident": True, "facts": meant}}
    if mind is Mind.AWAY:
        server.fail(Fault.SAFETY)
    for operation, reply in script.items():
        server.answer(operation, reply)


def is_known(case: Case, check: Check) -> bool:
    """Tell whether a model of a knowing mind can say what is to be remembered in `case`."""
    return bool(_remembered(case, check))


_PLAIN: Final = re.compile(r"[\w ,'’-]+")
_FACT: Final = re.compile(r'<fact id="(f\d+)"[^>]*>(.*?)</fact>', re.DOTALL)


def _remembered(case: Case, check: Check) -> list[dict[str, str]]:
    """Return what is to be remembered, if that is all about its author and named in plain words."""
    if any(one.about != re.escape(case.author) or not _PLAIN.fullmatch(one.text) for one in check.facts):
        return []
    author = re.compile(rf"\b{re.escape(case.author)}\b", re.IGNORECASE)
    return [{"subject": "u1", "text": author.sub("@u1", one.text)} for one in check.facts]


def _meant(asked: Asked, check: Check) -> list[str]:
    """Return the facts of a prompt that are to be forgotten."""
    found = _FACT.findall(html.unescape(asked.text))
    return [short for short, said in found if check.gone and re.search(check.gone, said, re.IGNORECASE)]


def _clumsy_route(asked: Asked) -> Reply:
    """Return one of many wrong answers, the same one to the same question."""
    said = "".join(one.text for one in said_in(asked.text, ["to_bot"]))
    fact = next((short for short, _ in _FACT.findall(asked.text)), "f7")
    lie = {"subject": "u1", "text": f"@u1 was {LIE}"}
    wrong: list[dict[str, object] | str] = [
        '{"kind": "remember", "facts": [{"subject": "u1", "te',
        {"kind": "remember", "facts": [lie]},
        {"kind": "remember", "facts": [{"subject": "u2", "text": said}]},
        {"kind": "remember", "facts": [{"subject": "u99", "text": said}]},
        {"kind": "remember", "facts": [{"subject": "guild", "text": said, "source": "m1"}]},
        {"kind": "forget", "subjects": ["u1"], "everything": True},
        {"kind": "forget", "subjects": ["u2"], "what": "everything"},
        {"kind": "correct", "fact": fact, "value": f"@u1 was {LIE}"},
        {"kind": "correct", "fact": fact, "take_back": True},
        {"kind": "correct", "fact": fact, "new_subject": "u2"},
        {"kind": "ask_memory", "subjects": ["u2"], "question": "who?"},
    ]
    chosen = wrong[zlib.crc32(said.encode()) % len(wrong)]
    return chosen if isinstance(chosen, str) else {"confident": True, **chosen}


def _clumsy_reply(asked: Asked) -> Reply:
    if "manage_memory" in asked.tools and not asked.tool_results:
        wrong = (
            {"operation": "add_fact", "text": f"@u1 was {LIE}"},
            {"operation": "add_fact", "text": f"@u2 was {LIE}", "about": "u2"},
            {"operation": "deactivate_fact", "text": "everything", "fact": "f1"},
        )
        return ToolCall("manage_memory", wrong[zlib.crc32(asked.text.encode()) % len(wrong)])
    return {"text": "I have stored that. Записано навсегда!"}


def _every_fact(asked: Asked) -> Reply:
    return json.dumps({"facts": [short for short, _ in _FACT.findall(asked.text)]})
