"""A model that obeys what it is told to the letter, and one that knows what to say and not how to write it down.

Both tell only what their prompt holds, so what they make up is known by its words: `FALSE` and `FOREIGN`.
"""

import html
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tests.said import said_in
from tests.servers.asked import Asked

FALSE: Final = "zeppelin"
FOREIGN: Final = "дирижабль"

_STRANGER: Final = "u77"
_FALSE_SENTENCE: Final = f"@{_STRANGER} stole a {FALSE} from the harbour."
_FOREIGN_SENTENCE: Final = f"Вчера кто-то опять видел в небе большой {FOREIGN} и долго о нём рассказывал."

_MEMBER: Final = re.compile(r'<member id="(u\d+)"([^>]*?)(?:/>|></member>|>(.*?)</member>)', re.DOTALL)
_NAME: Final = re.compile(r'\bname="([^"]+)"')
QUESTION: Final = re.compile(r"^Bot, any idea(?: @u\d+)*(.*?)\?*$")
"""Of `bench.talk`: who asks the bot something is told to have asked, and not to order it anything."""
_FACT: Final = re.compile(r'<fact id="(f\d+)"[^>]*>(.*?)</fact>', re.DOTALL)
_NOTE: Final = re.compile(r'<note id="(e\d+)"')
_WANTED: Final = re.compile(r"tell what each of these members did: ([u\d, ]*)\.")
_TAG: Final = re.compile(r"<[^>]+>")
_SENTENCE: Final = re.compile(r"[^.\n]+")


@dataclass
class Written:
    """An answer before it is written down."""

    values: dict[str, str] = field(default_factory=dict)
    """Fields, each with its line."""
    rows: list[tuple[str, str]] = field(default_factory=list)
    """Ids, each with its text."""
    text: str = ""
    """The whole answer, where it is one text."""

    def __str__(self) -> str:
        first = {name: value for name, value in self.values.items() if name != "confident"}
        lines = [*first.items(), *self.rows, *((one, self.values[one]) for one in self.values.keys() - first)]
        return self.text or "\n".join(f"{label}: {value}" for label, value in lines)


def well_said(asked: Asked) -> Written:
    """Return what a good model says: what it read, in the lines that it was told to write."""
    prompt = asked.prompt
    said: dict[str, list[str]] = {}
    first: dict[str, str] = {}
    for line in said_in(prompt):
        if line.by.startswith("u"):
            said.setdefault(line.by, []).append(QUESTION.sub(r"asked about\1", line.text))
            first.setdefault(line.by, line.short_id or "")
    told = {member: f"@{member} {_plain(' and '.join(words[:2]))}." for member, words in said.items()}
    everything = " ".join(told.values()) or "They talked."
    facts = _FACT.findall(prompt)
    wanted = _WANTED.search(prompt)
    days = wanted[1].split(", ") if wanted else []
    members = [(one, _first(inside, one)) for one, _, inside in _MEMBER.findall(prompt) if inside]
    answers = {
        "reply": Written(text="Good question, I would try the one by the harbour."),
        "preview": Written(text="Hi everyone, good to see you!"),
        "route": Written({"kind": "chat", "confident": "yes"}),
        "judge_note": Written({"verdict": "fine"}),
        "choose_facts": Written({"facts": "none"}),
        "summarise_day": Written(rows=[(one, told.get(one, f"@{one} was around.")) for one in days]),
        "historical": Written(rows=members),
        "merge_context": Written(rows=members),
        "merge_facts": Written(
            {
                "narrative": " ".join(f"{_plain(text).rstrip('.')}." for _, text in facts),
                "told": ", ".join(one for one, _ in facts),
            }
        ),
        "make_episode": Written({"text": everything[:300], "importance": "4", "tags": "talk"}),
        "roll_summary": Written({"text": everything[:900]}),
        "learn_profile": Written({"profile": told.get("u1", "@u1 likes to talk.")}),
        "compact_episodes": Written({"action": "delete", "target": (_NOTE.findall(prompt) or ["e1"])[-1]}),
        "catch_up": Written(rows=[(first[one], text) for one, text in told.items() if first[one]][:5]),
    }
    return answers.get(asked.operation or "", Written(text="OK"))


def _plain(text: str) -> str:
    return " ".join(html.unescape(_TAG.sub(" ", text)).split())


def _first(inside: str, member: str) -> str:
    """Return the first sentences of what is noted about a member."""
    sentences = [
        one.strip() for one in _SENTENCE.findall(html.unescape(_TAG.sub("\n", inside))) if one.strip()
    ]
    told = ". ".join(sentences[:3])
    return f"{told}." if told.startswith("@") else f"@{member}: {told}."


class ClumsyModel:
    """Spoils `share` of the answers in each of six ways: it fences them, adds ids, drops members or fields, writes
    names for ids, runs over, and changes the language.
    """

    def __init__(self, *, share: float = 0.3, seed: int = 1) -> None:
        self._share = share
        self._seed = seed
        self._asked: Counter[str] = Counter()
        self._random = random.Random(seed)

    def __call__(self, asked: Asked) -> str:
        """Return what it says to a request."""
        said = well_said(asked)
        # What it spoils depends on nothing but what it is asked, and how often it was: others are asked meanwhile, in
        # whatever order the machine has time for them.
        self._asked[asked.prompt] += 1
        self._random = random.Random(f"{self._seed} {self._asked[asked.prompt]} {asked.prompt}")
        ways = [self._random.random() < self._share for _ in range(6)]
        fences, adds, drops, renames, runs_over, changes_language = ways
        if drops:
            self._drop(said)
        if runs_over:
            _change(said, lambda text: f"{text} " * 40)
        if changes_language:
            _change(said, lambda _: _FOREIGN_SENTENCE)
        if adds:
            self._add(said, asked)
        if renames:
            names = {
                short: found[1]
                for short, rest, _ in _MEMBER.findall(asked.prompt)
                if (found := _NAME.search(rest))
            }
            said.rows = [(names.get(key, key), text) for key, text in said.rows]
        before = "" if said.text else "Here you go:\n"
        return f"{before}```text\n{said}\n```" if fences else str(said)

    def _drop(self, said: Written) -> None:
        if said.rows:
            said.rows.pop(self._random.randrange(len(said.rows)))
        for name in ("confident", "importance", "tags", "told"):
            said.values.pop(name, None)

    def _add(self, said: Written, asked: Asked) -> None:
        if said.rows:
            others = {short for short, *_ in _MEMBER.findall(asked.prompt)} - {key for key, _ in said.rows}
            said.rows.insert(0, (_STRANGER, _FALSE_SENTENCE))
            # The bot itself, and whoever was not asked about or was dropped: nothing false is said of those.
            said.rows += [
                (one, f"@{one} was around.") for one in sorted(others)[:1] if "kind=" in asked.prompt
            ]
        for name in ("told", "facts"):
            if name in said.values:
                said.values[name] += ", f99"
        for name in ("text", "narrative", "profile"):
            if name in said.values:
                said.values[name] += f" {_FALSE_SENTENCE}"


def _change(said: Written, change: Callable[[str], str]) -> None:
    said.rows = [(key, change(text)) for key, text in said.rows]
    for name in ("text", "narrative", "profile"):
        if name in said.values:
            said.values[name] = change(said.values[name])
