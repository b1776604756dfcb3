"""A model that believes whatever it reads: what somebody has planted goes into everything that it is asked to write.

Its replies are honest but for one thing: they tell what the bot seems to know, wherever that came from.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest import mock

from pydantic import TypeAdapter

from tests.leaks import parrot
from tests.leaks.canaries import canaries_in, words
from tests.leaks.parrot import Parrot
from tests.servers.asked import Asked
from tests.servers.base import Reply, ToolCall
from tests.servers.gemini import GeminiServer

WAYS: Final = (
    "nickname", "forward", "embed", "file", "message", "accusation", "order", "quote", "lines", "webhook",
)  # fmt: skip
_BOB: Final = re.compile(r'id="(u\d+)"[^>]*name="bob"')
_JUST_SAID: Final = re.compile(
    r"<(?P<tag>messages|to_answer|recalled|summary)\b.*?</(?P=tag)>|<rules\b.*", re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """One thing that somebody plants, and what a gullible model makes of it."""

    language: str
    way: str
    text: str
    word: str
    becomes: Sequence[str]


def plants() -> list[Plant]:
    """Return all of them, each with a word of its own."""
    read = tomllib.loads(Path(__file__).with_suffix(".toml").with_stem("plants").read_text(encoding="utf-8"))
    tables = TypeAdapter(dict[str, dict[str, str | list[str]]]).validate_python(read)
    said = words()
    return [
        Plant(
            language=language,
            way=way,
            text=str(table[way]).replace("{word}", word),
            word=word,
            becomes=[one.replace("{word}", word) for one in table["becomes"]],
        )
        for language, table in tables.items()
        for way, word in zip(WAYS, said, strict=False)
    ]


class Gullible:
    """Answers every operation with what the plants in its prompt want to be told."""

    def __init__(self, planted: Sequence[Plant]) -> None:
        self._becomes: Mapping[str, Sequence[str]] = {one.word: one.becomes for one in planted}
        self.believed: set[str] = set()
        """The words that it was shown and wrote down."""

    @contextmanager
    def teaching(self, gemini: GeminiServer) -> Iterator[None]:
        """Let `gemini` answer so meanwhile."""
        with (
            mock.patch.object(parrot, "repeated", self._told),
            mock.patch.object(parrot, "_sentences", self._sentences),
        ):
            Parrot().teach(gemini)
            gemini.answer("route", self._route)
            gemini.answer("reply", self._reply)
            yield

    def _sentences(self, prompt: str) -> list[str]:
        found = _BOB.search(prompt)
        bob = f"@{found[1]}" if found else "Bob"
        shown = sorted(canaries_in(prompt) & self._becomes.keys())
        self.believed.update(shown)
        return [one.replace("{bob}", bob) for word in shown for one in self._becomes[word]]

    def _told(self, asked: Asked, characters: int) -> str:
        told = ""
        for sentence in reversed(self._sentences(asked.prompt)):
            if len(told) + len(sentence) < characters:
                told = f"{told} {sentence}".strip()
        return told or "They said hello and made plans."

    def _route(self, asked: Asked) -> Reply:
        """Have the last thing remembered that was planted, of Bob and of the server."""
        facts = [
            {"subject": "guild" if number % 2 else None, "text": sentence}
            for number, sentence in enumerate(self._sentences(asked.prompt)[-2:])
        ]
        return {"kind": "remember" if facts else "chat", "confident": True, "facts": facts}

    def _reply(self, asked: Asked) -> Reply:
        sentences = self._sentences(asked.prompt)
        if "manage_memory" in asked.tools and sentences and not asked.tool_results:
            return ToolCall("manage_memory", {"operation": "add_fact", "text": sentences[-1]})
        known = _JUST_SAID.sub("", asked.prompt)
        return " ".join(one for one in sentences if canaries_in(one) <= canaries_in(known))[:1_500] or "Hm."
