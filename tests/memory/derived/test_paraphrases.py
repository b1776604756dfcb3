"""Honest models put things in their own words, in any language: nearly all that they tell is kept."""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from bot.core.domain import Language, Member, Message, MessageKind, snowflake_at
from bot.llm.framing import shortened
from bot.memory.derived.checking import MemberInput
from bot.memory.profiles.learning import LearningInput
from bot.memory.summaries.day_prompt import DayPart
from bot.memory.summaries.digest_prompt import DigestInput, MissedTalk
from bot.memory.summaries.episode_prompt import EndedTalk
from bot.memory.summaries.per_member import ContextSources, DayText, MemberBatch, MemberWeek
from bot.memory.summaries.rolling_builder import RollingInput

TABLE = tomllib.loads(Path(__file__).with_name("paraphrases.toml").read_text(encoding="utf-8"))
MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)
BOT = 77
MEMBERS = {
    user_id: Member(guild_id=1, user_id=user_id, user_name=name)
    for user_id, name in ((11, "Anna"), (12, "Bob"), (13, "Carol"), (14, "Dave"))
}

REFUSED_AT_MOST = 0.03
LOST_AT_MOST = 0.04


def said_in(talk: str) -> list[Message]:
    lines = (line.partition(": ") for line in TABLE["talks"][talk].strip().splitlines())
    return [
        Message(
            guild_id=1,
            channel_id=2,
            message_id=snowflake_at(at),
            user_id=int(author),
            text=text,
            timestamp=at,
        )
        for number, (author, _, text) in enumerate(lines)
        if (at := MORNING + timedelta(minutes=number))
    ]


def given_for(kind: str, said: list[Message], whose: int | None, text: str) -> MemberInput:
    """Return what the operation of this kind is given; of a profile the others' words are the bot's."""
    match kind:
        case "episode":
            return EndedTalk(messages=said, members=MEMBERS, summary="", covers_up_to=0)
        case "rolling":
            return RollingInput(messages=said, members=MEMBERS, previous="")
        case "digest":
            talks = [MissedTalk(tuple(said))]
            return DigestInput(talks=talks, members=MEMBERS, channel_names={}, language=Language.of(text))
        case "day":
            return DayPart(day=MORNING.date(), messages=said, members=MEMBERS, wanted=sorted(MEMBERS))
        case _:
            assert whose is not None
            others = (replace(one, user_id=BOT, kind=MessageKind.BOT) for one in said)
            mixed = [one if one.user_id == whose else other for one, other in zip(said, others, strict=True)]
            return LearningInput(user_id=whose, profile="", messages=mixed, members=MEMBERS)


def paraphrases() -> Iterator[tuple[MemberInput, int | None, str]]:
    """Yield what each text is told from, whose it is, and the text."""
    for one in TABLE["told"]:
        whose, text = one.get("whose"), one["text"]
        yield given_for(one["kind"], said_in(one["talk"]), whose, text), whose, text
    for one in TABLE["members"]:
        user_id, first = one["user_id"], date(2026, 3, 2)
        days = (DayText(first + timedelta(days=at), text) for at, text in enumerate(one["days"]))
        yield MemberBatch([MemberWeek(user_id, tuple(days))]), user_id, one["week"]
        known = ContextSources(user_id, "\n".join(one["facts"]), one["today"], one["week"])
        yield MemberBatch([known]), user_id, one["context"]


def kept(given: MemberInput, whose: int | None, text: str) -> str:
    return given.fitting(shortened(text, given.users), longest=2 * len(text), whose=whose)


def test_nearly_all_honest_texts_are_kept_as_they_are() -> None:
    told = [(kept(*one), shortened(one[2], one[0].users)) for one in paraphrases()]
    assert len(told) >= 80
    refused = [text for left, text in told if not left]
    assert len(refused) <= REFUSED_AT_MOST * len(told), refused
    lost = sum(len(text) - len(left) for left, text in told if left)
    assert lost <= LOST_AT_MOST * sum(len(text) for _, text in told)


def test_hardly_any_text_passes_for_one_about_another_talk() -> None:
    passed: list[str] = []
    tried = 0
    for one in TABLE["told"]:
        for other in TABLE["talks"]:
            if other[:2] == one["talk"][:2] and other != one["talk"]:
                tried += 1
                given = given_for("rolling", said_in(other), None, one["text"])
                passed += filter(None, [kept(given, None, one["text"])])
    assert len(passed) <= REFUSED_AT_MOST * tried, passed
