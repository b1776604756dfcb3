"""Every read of the store names the audiences that may see it, or stands here with the reason why it need not."""

from collections.abc import Mapping
from typing import Final

from tests.leaks.reads import reads_without_audience

_TAKES: Final = "takes away and gives to nobody; its callers return counts and ids"
_SETTLES: Final = (
    "decides what holds within one line, which has one audience; nothing of it is told from here"
)
_KEEPS: Final = "is written from and to rows that carry the audience along"
_OWN: Final = "gives a member what is kept about that member, and nothing to anybody else"

REASONS: Final[Mapping[str, str]] = {
    "burials.lock": _TAKES,
    "conversations.earlier": "gives texts with their audiences: `Talk` and `Turn.sees` leave out the rest",
    "conversations.onwards": "finds where conversations of a channel begin and end; gives no text of theirs",
    "conversations.tail": "gives texts with their audiences: `Talk` and `Turn.sees` leave out the rest",
    "distillations.drop_days_taken_back": _TAKES,
    "ended.running": "gives ids and times of conversations alone",
    "episodes.everywhere": "is what an operator reads, who has the database",
    "episodes.lock": "is compacted among one channel's own; a merge gets the narrower audience of both",
    "erasing.names_of": _TAKES,
    "erasing_messages.counted": _OWN,
    "erasing_texts.naming": _TAKES,
    "exporting._about": _OWN,
    "exporting.days": _OWN,
    "exporting.messages": _OWN,
    "exporting.sources_of": _OWN,
    "exporting.statements": _OWN,
    "facts.add": "gives the ids of what it has just written",
    "facts.learned_from": _SETTLES,
    "facts.of_messages": "is of a message that is pointed at: its callers look at each fact's audience",
    "facts.with_ids": "is of ids that a read with audiences gave, which its callers look at again",
    "history.above": "gives messages with their audiences: `Turn.sees` leaves out the rest",
    "history.by_member_since": "is of the channel in which somebody points at it: `Turn.sees` leaves out the rest",
    "history.latest_in_channel": "gives messages with their audiences: `Turn.sees` leaves out the rest",
    "history.message": "is of an id that is pointed at: whoever shows it asks `Turn.sees`",
    "history.messages": "is of ids that a read with audiences gave: whoever shows them asks `Turn.sees`",
    "kept_by_tool.aside": _SETTLES,
    "lexicon.refresh": "counts the words of one audience, which it is given, as keyed hashes",
    "lifecycle._sources_with_retirers": _SETTLES,
    "lifecycle.load": _SETTLES,
    "messages._HEAR": "writes; of what was known it reads the audience, to take the narrower one",
    "profiles.newest": "reads what is learned from open turns alone; a visitor's view has nothing open",
    "profiles.versions": "reads what is learned from open turns alone; shown to the member, or rewritten",
    "relevance._CHOOSE": "is given the audiences once for everybody, as `sees`",
    "relevance._PEOPLE": "is given the audiences once for everybody, as `sees`",
    "remembered_places.with_ids": "is of facts that a read with audiences gave",
    "retention.ask_for_all": "asks for sweeps; gives ids of guilds",
    "sources.add": _KEEPS,
    "sources.expired": _SETTLES,
    "sources.of_facts": _TAKES,
    "sources.picked_up": _SETTLES,
    "told_conversations.to_tell": "is of one channel; what it leaves behind gets the narrowest audience of all",
    "unextracted.lines": "is read for facts, which get the audience of the message that says them",
    "unsaying.texts_with": _TAKES,
}
"""Reads of members' words that are not held to audiences by the statement itself, and why that is no leak."""


def test_every_read_of_members_words_is_held_to_audiences_or_has_a_reason_not_to_be() -> None:
    found = reads_without_audience()
    assert found - REASONS.keys() == set(), "hold it to audiences, or say here why that is not needed"
    assert REASONS.keys() - found == set(), "these reasons are for nothing any more"


def test_the_search_for_such_reads_finds_those_that_are_known_well() -> None:
    assert {"history.messages", "facts.with_ids", "unsaying.texts_with"} <= reads_without_audience()
    assert not {"facts.active", "catchup.unread", "days.messages"} & reads_without_audience()
