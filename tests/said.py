"""Reads back what was said from a prompt: what whoever follows its rules takes for a message, and nothing else."""

import html
import re
from collections.abc import Collection
from dataclasses import dataclass

_LINE = re.compile(
    r'(?:(?P<id>m\d+) )?(?P<by>u\d+|bot|you|somebody|"[^":]*")(?: (?P<at>[\d-]*\d(?: \d\d)?:\d\d))?'
    r"(?: re (?P<reply_to>m\d+))?: (?P<text>.*)"
)
MESSAGE_SECTIONS = ("messages", "conversation", "to_answer", "to_bot")
"""The tags in which messages stand as lines."""

_SECTIONS = re.compile(rf"<({'|'.join(MESSAGE_SECTIONS)})(?: [^<>]*)?>\n([^<]*)\n</\1>")


@dataclass(frozen=True)
class Said:
    """One message as a prompt tells it."""

    by: str
    text: str
    short_id: str | None = None
    at: str | None = None
    reply_to: str | None = None


def lines_of(prompt: str, sections: Collection[str] = MESSAGE_SECTIONS) -> list[str]:
    """Return the lines in which messages are told, headings among them."""
    return [
        line
        for name, section in _SECTIONS.findall(prompt)
        if name in sections
        for line in section.split("\n")
    ]


def said_in(prompt: str, sections: Collection[str] = MESSAGE_SECTIONS) -> list[Said]:
    """Return the messages of a prompt; a line that is none is an error."""
    found = []
    for line in lines_of(prompt, sections):
        if line.startswith("# "):
            continue
        read = _LINE.fullmatch(line)
        assert read is not None, line
        found.append(Said(read["by"], html.unescape(read["text"]), read["id"], read["at"], read["reply_to"]))
    return found
