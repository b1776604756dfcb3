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
    "outbox.repository.surroundings": "reads the message that is answered, and what its author was asked back there",
    "profiles.repository.note_sent": "tells whether the answer still has a text, and no word of it",
    "policy.redaction.days_naming": _TAKES,
    "facts.repository.lock_for_forgetting": _TAKES,
    "messages.repository.messages_after": (
        "finds where conversations of a channel begin and end; gives no text of theirs"
    ),
    "messages.repository.answered_channels": "gives ids of what the bot answered alone",
    "messages.repository.said_up_to": (
        "finds where conversations of a channel begin; gives no text but what ends one"
    ),
    "messages.repository.channel_tail": (
        "gives texts with their audiences: `Talk` and `Turn.sees` leave out the rest"
    ),
    "summaries.repository_episodes.episodes_everywhere": "is what an operator reads, who has the database",
    "summaries.repository_episodes.lock_episodes": (
        "is compacted among one channel's own; a merge gets the narrower audience of both"
    ),
    "erasing.repository.names_of": _TAKES,
    "exporting.repository.facts_about": _OWN,
    "exporting.repository.facts_naming": _OWN,
    "exporting.repository.LISTS": _OWN,
    "exporting.repository.sources_of": _OWN,
    "facts.repository.facts_of_messages": (
        "is of a message that is pointed at: its callers look at each fact's audience"
    ),
    "facts.relevance._fitting": "judges rows that the statement around it holds to audiences",
    "facts.repository.facts_with_ids": (
        "is of ids that a read with audiences gave, which its callers look at again"
    ),
    "messages.repository.reply_chain": (
        "gives messages with their audiences: `Turn.sees` leaves out the rest"
    ),
    "messages.repository.by_member_since": (
        "is of the channel in which somebody points at it: `Turn.sees` leaves out the rest"
    ),
    "messages.repository.latest_in_channel": (
        "gives messages with their audiences: `Turn.sees` leaves out the rest"
    ),
    "messages.repository.message": "is of an id that is pointed at: whoever shows it asks `Turn.sees`",
    "messages.repository.messages": (
        "is of ids that a read with audiences gave: whoever shows them asks `Turn.sees`"
    ),
    "facts.tool_keeping.facts_set_aside": _SETTLES,
    "outbox.standing.holding": "holds rows that an answer tells, of ids that a read with audiences gave",
    "outbox.standing.with_text": "gives ids of what an answer tells, of ids that a read with audiences gave",
    "rights.repository_replay.put_bare": "writes rows without words; of what was known it asks whether it is there",
    "recall.lexicon.refresh_counts": "counts the words of one audience, which it is given, as keyed hashes",
    "facts.repository_slots._LOAD": _SETTLES,
    "facts.repository.known_values": _SETTLES,
    "messages.repository_writing._HEAR": "is made of the two below",
    "messages.repository_writing._CHANGED": "writes; of what was known it asks whether it is there",
    "messages.repository_writing._TOUCHED": "reads of what was known the audience, whose day changes",
    "profiles.repository.newest_profiles": (
        "reads what is learned from open turns alone; a visitor's view has nothing open"
    ),
    "profiles.repository.profile_versions": (
        "reads what is learned from open turns alone; shown to the member, or rewritten"
    ),
    "facts.relevance._PEOPLE": "is given the audiences once for everybody, as `sees`",
    "facts.places.places_with_ids": "is of facts that a read with audiences gave",
    "guilds.text_search._statement": "gives an id of what it indexes",
    "rights.retention.ask_for_all_sweeps": "asks for sweeps; gives ids of guilds",
    "facts.repository_slots._WRITE": _KEEPS,
    "facts.bounds.kept_of": "gives how long facts are, none of their words",
    "facts.about_binding._named_facts": _SETTLES,
    "facts.about_binding._rewrite": _KEEPS,
    "facts.about_binding.facts_naming": _TAKES,
    "facts.about_binding._ITS_SOURCES": _SETTLES,
    "facts.about_binding._told_aliases": "gives names with the audience of each, which must be that of what is bound",
    "facts.repository_slots.hold_said": "gives the lines of facts, to be held, and ids of messages",
    "facts.repository_slots.hold_slots_of_facts": "gives the lines of facts, to be held",
    "facts.repository_slots.with_superseded": _TAKES,
    "summaries.repository.DAYS_TAKEN_BACK": _TAKES,
    "summaries.repository.put_texts": _KEEPS,
    "summaries.repository.save_summary": _KEEPS,
    "summaries.episode_jobs.take_back_texts": _TAKES,
    "facts.repository_slots.expired_sources": _SETTLES,
    "summaries.episode_jobs.read_job": (
        "is of one channel; what it leaves behind gets the narrowest audience of all"
    ),
    "facts.extractor._by_id": "is a part of the next one",
    "facts.extractor.with_neighbours": (
        "is read for facts, which get the audience of the message that says them"
    ),
    "policy.redaction._all_texts": _TAKES,
    "policy.redaction._texts_of": _TAKES,
    "forgetting.repeated.answers_quoting": _TAKES,
    "rights.rows._batch": _TAKES,
    "rights.rows._removal": _TAKES,
    "rights.rows.remove_rows": _TAKES,
    "rights.rows._member_rows": _TAKES,
}
"""Reads of members' words that are not held to audiences by the statement itself, and why that is no leak."""


def test_every_read_of_members_words_is_held_to_audiences_or_has_a_reason_not_to_be() -> None:
    found = reads_without_audience()
    assert found - REASONS.keys() == set(), "hold it to audiences, or say here why that is not needed"
    assert REASONS.keys() - found == set(), "these reasons are for nothing any more"


def test_the_search_for_such_reads_finds_those_that_are_known_well() -> None:
    assert {
        "messages.repository.messages",
        "facts.repository.facts_with_ids",
        "policy.redaction._texts_of",
    } <= reads_without_audience()
    assert (
        not {
            "facts.repository.active_facts",
            "summaries.digest.unread_messages",
            "summaries.day_builder.messages_of_day",
        }
        & reads_without_audience()
    )
