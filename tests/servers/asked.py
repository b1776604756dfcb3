"""What a model server remembers of a request, and how it tells which operation asks."""

import functools
import itertools
import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

import jinja2

from bot.core import settings
from tests.servers.faults import Fault
from tests.servers.samples import Schema, schema_in

_ASK_FOR_JSON = ("responseMimeType", "responseSchema", "responseJsonSchema", "response_format")
"""Parameters of either service that say how the answer has to look."""

_SCHEMAS = _ASK_FOR_JSON[1:]

_TOKENS_OF_AN_IMAGE = 258
"""What Gemini counts for a picture of up to 384 pixels a side."""


@dataclass(frozen=True, slots=True)
class SentImage:
    """A picture as it came with a request."""

    media_type: str
    content: bytes


@dataclass(slots=True, kw_only=True)
class Asked:
    """One request to a model, and how it ended."""

    model: str
    path: str
    at: datetime
    headers: Mapping[str, str]
    body: Mapping[str, object]
    api_key: str | None
    system: str | None
    turns: tuple[tuple[str, str], ...]
    images: tuple[SentImage, ...] = ()
    config: Mapping[str, object] = field(default_factory=dict)
    """`generationConfig` (Gemini), or all parameters but the messages (OpenAI)."""
    tools: tuple[str, ...] = ()
    tool_results: tuple[Mapping[str, object], ...] = ()
    """What the functions called so far returned."""
    must_call: tuple[str, ...] = ()
    """The functions one of which the model has to call; empty if it may answer in text."""
    schema_sent: Schema | None = None
    """The schema of the answer, or of the function that has to be called."""
    fault: Fault | None = None
    cached: int = 0
    """Tokens that the service still had from an earlier prompt."""
    status: int | None = None
    """The HTTP status of the answer; `None` while there is none, or if the connection went before it."""
    answer: str | None = None
    abandoned: bool = False
    """Whether the client left before it was answered."""

    @property
    def text(self) -> str:
        """What the user's turns say."""
        return "\n".join(text for role, text in self.turns if role == "user")

    @property
    def prompt(self) -> str:
        """All text that was sent: system instruction first, then every turn."""
        return "\n".join(filter(None, [self.system, *(text for _, text in self.turns)]))

    @property
    def operation(self) -> str | None:
        """The operation whose template this prompt was made from, or `None`."""
        return operation_of(self.prompt)

    @property
    def schema(self) -> Schema | None:
        """The schema that the answer has to fit: the one sent, else one written out in the prompt."""
        return self.schema_sent if self.schema_sent is not None else schema_in(self.prompt)

    @property
    def temperature(self) -> object:
        """The temperature asked for, or `None`."""
        return self.config.get("temperature")

    @property
    def thinking(self) -> Mapping[str, object]:
        """The `thinkingConfig` of a Gemini request; empty if none was sent."""
        found = self.config.get("thinkingConfig")
        return found if isinstance(found, dict) else {}

    @property
    def json_mode(self) -> bool:
        """Whether the request asks for JSON, with a schema or without."""
        return any(self.config.get(name) not in (None, "text/plain") for name in _ASK_FOR_JSON)

    @property
    def declared(self) -> str:
        """What was sent beside the prompt and is paid for as it is: tools, and the schema of the answer."""
        sent = [self.body.get("tools"), *(self.config.get(name) for name in _SCHEMAS)]
        return "".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in sent if one)

    @property
    def tokens(self) -> int:
        """An estimate of what the prompt costs: UTF-8 bytes / 4, rounded up, and 258 a picture."""
        returned = "".join(json.dumps(one, ensure_ascii=False) for one in self.tool_results)
        return (
            tokens_of(self.prompt)
            + tokens_of(self.declared)
            + tokens_of(returned)
            + _TOKENS_OF_AN_IMAGE * len(self.images)
        )


def tokens_of(text: str) -> int:
    """Return the estimate that the servers report in place of a real count: UTF-8 bytes / 4, rounded up."""
    return math.ceil(len(text.encode()) / 4)


def shared_beginning(texts: Collection[str]) -> str:
    """Return with what all of `texts` begin, which are one at least: what a provider may keep of one for the others."""
    first, last = min(texts), max(texts)
    pairs = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join(letter for letter, _ in pairs)


def operation_names() -> frozenset[str]:
    """Return the names of all operations: those of the templates in `prompts/`."""
    return frozenset(
        path.stem for path in settings.resource_folder("prompts").glob("*.j2") if path.stem[0] != "_"
    )


def operation_of(prompt: str) -> str | None:
    """Return the operation whose template has most of its fixed lines (at least half) in `prompt`, or `None`."""
    lines = {line.strip() for line in prompt.splitlines()}
    shares = {name: _share(_fixed_lines(name), lines) for name in operation_names()}
    best = max(shares, key=lambda name: shares[name], default=None)
    return best if best is not None and shares[best] >= 0.5 else None


def _share(fixed: frozenset[str], lines: set[str]) -> float:
    return len(fixed & lines) / len(fixed) if fixed else 0.0


@functools.cache
def _fixed_lines(operation: str) -> frozenset[str]:
    """Return the lines of a template that every prompt made from it carries as they are."""
    source = (settings.resource_folder("prompts") / f"{operation}.j2").read_text(encoding="utf-8")
    kept = ""
    for _, kind, value in jinja2.Environment(autoescape=True).lex(source):
        kept += value if kind == "data" else "\0" if kind.endswith("_begin") else ""
    # A line that touches an expression is not fixed; one that touches a statement or comment is left out too.
    return frozenset(
        line.strip() for line in kept.splitlines() if len(line.strip()) > 15 and "\0" not in line
    )
