"""What the tool `manage_memory` takes and returns."""

from typing import Literal

from pydantic import BaseModel, Field, field_validator

from bot.memory.documents import MemoryDocument
from bot.memory.storable import clean


class ManageMemory(BaseModel):
    """One operation on the memory of the member who speaks."""

    operation: Literal["add_fact", "deactivate_fact", "add_place", "mention_place", "get_memory"]
    text: str = Field(default="", description="add_fact: the fact; deactivate_fact: what no longer holds")
    about: str = Field(
        default="",
        description="add_fact: whom it is about, if not the author: an id such as u2, or server",
    )
    fact: str = Field(default="", description="deactivate_fact: the id of a fact, such as f2")
    place: str = Field(default="", description="add_place, mention_place: the name of the place")
    notes: str = Field(default="", description="add_place: what the message says about the place")

    @field_validator("text", "about", "fact", "place", "notes", mode="before")
    @classmethod
    def _nothing_is_empty(cls, value: object) -> object:
        return "" if value is None else value

    @field_validator("text", "about", "fact", "place", "notes")
    @classmethod
    def _storable(cls, value: str) -> str:
        return clean(value)


class Kept(BaseModel):
    """A change was made, or had been made already."""

    done: bool
    what: Literal[
        "remembered", "known already", "no longer kept as true", "place remembered", "place mentioned"
    ]
    memory: str
    """What it says, members by short ids."""


class NotDone(BaseModel):
    """Nothing was changed, and why; what a model can mend it may try again."""

    done: bool
    problem: str


class MemoryTold(BaseModel):
    """All that holds about the member who speaks."""

    done: bool
    document: MemoryDocument
