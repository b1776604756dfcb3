"""Reads back what was said from a prompt: what whoever follows its rules takes for a message, and nothing else."""

import html
import re
from dataclasses import dataclass

_LINE = re.compile(
    r"(?:(?P<id>m\d+) )?(?P<by>u\d+|bot)(?: (?P<at>[\d-]*\d(?: \d\d)?:\d\d))?(?: re (?P<reply_to>m\d+))?: (?P<text>.*)"
)
MESSAGE_SECTIONS = ("messages", "conversation")
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


def lines_of(prompt: str) -> list[str]:
    """Return the lines in which messages are told, headings among them."""
    return [line for _, section in _SECTIONS.findall(prompt) for line in section.split("\n")]


def said_in(prompt: str) -> list[Said]:
    """Return the messages of a prompt; a line that is none is an error."""
    found = []
    for line in lines_of(prompt):
        if line.startswith("# "):
            continue
        read = _LINE.fullmatch(line)
        assert read is not None, line
        found.append(Said(read["by"], html.unescape(read["text"]), read["id"], read["at"], read["reply_to"]))
    return found
