"""Personas to choose from: each has a name, a text that a model is given, and a sample of how it sounds.

They are sentences of the catalogue, so that a manager reads and hears them in their own language.
"""

from typing import Final

from bot.core.domain import Language
from bot.text.sentences import say

PERSONAS: Final = (
    "librarian",
    "innkeeper",
    "captain",
    "gardener",
    "detective",
    "coach",
    "cat",
    "poet",
    "engineer",
    "grandmother",
)
"""Their names as commands take them."""


def persona_text(name: str, language: Language) -> str:
    """Return what a model is given for the persona `name`."""
    return say(f"persona_text.{name}", language)


def persona_named(written: str) -> str:
    """Return the persona that somebody named, in either language; "" if `written` is no name of one."""
    wanted = written.strip().casefold()
    return next(
        (
            name
            for name in PERSONAS
            if wanted in {name, *(say(f"persona_name.{name}", language).casefold() for language in Language)}
        ),
        "",
    )


def sample_of(text: str) -> str:
    """Return how the persona with this `text` sounds, as it was written for it; "" for a text of somebody's own."""
    for language in Language:
        for name in PERSONAS:
            if persona_text(name, language) == text.strip():
                return say(f"persona_sample.{name}", language)
    return ""
