"""Promises of the file that hands out what is kept about a member: it is whole, as documented, and theirs alone."""

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from bot.core.clock import SetClock
from bot.core.domain import OPEN, Message
from bot.core.errors import ExportTooLargeError, InvalidInputError
from bot.db.pool import Connection, Database
from bot.memory.facts.statements import Note
from bot.memory.recall.documents import MemoryDocument
from bot.memory.rights.exporting import exporting
from bot.memory.rights.exporting.document import MemberExport
from tests.memory.diary import ALICE, BOB, GENERAL, GUILD_ID, MODS, Diary, close, open_diary
from tests.memory.facts.test_places import tell
from tests.memory.summaries.episodes.kept import keep

PAGE = (Path(__file__).parents[4] / "docs" / "export.md").read_text(encoding="utf-8")
(SCHEMA,) = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", PAGE, re.M | re.S)]
OPEN_AND_MODS = [OPEN, MODS]


@pytest.fixture
async def diary(database: Database, clock: SetClock) -> AsyncIterator[Diary]:
    """A guild in which Alice has a memory of every kind, in an open channel and in a closed one."""
    diary = await open_diary(database, clock)
    await diary.remember(ALICE, "I like pizza")
    await diary.remember(ALICE, "I like pizza")
    await note(diary, "<@11> owns a cello", author_id=BOB)
    await note(diary, "<@11> is on probation", author_id=BOB, channel_id=MODS)
    await note(diary, "<@12> sings well", author_id=ALICE)
    await note(diary, "<@12> was warned", author_id=ALICE, channel_id=MODS)
    await tell(diary, "Home", "quiet street in Seattle")
    said = await diary.say(ALICE, "I saw a heron at the lake")
    await diary.say(ALICE, "the moderators met at noon", channel_id=MODS)
    await diary.say(BOB, "I saw nothing")
    await diary.of(ALICE, BOB)
    await keep_other_memories(diary, said)
    yield diary
    await close(diary)


async def note(diary: Diary, statement: str, *, author_id: int, channel_id: int = GENERAL) -> Message:
    """Let a member have something remembered about whom it names first."""
    said = await diary.say(author_id, f"Bot, remember that {statement}", channel_id=channel_id)
    await diary.memory.remember(
        Note(
            guild_id=GUILD_ID,
            subject_id=int(statement[2:4]),
            author_id=author_id,
            speaker_id=author_id,
            audience=said.audience,
            statement=statement,
            channel_id=channel_id,
            message_id=said.message_id,
            cause=f"m:{said.message_id}",
            said_at=said.timestamp,
            time_zone="UTC",
        )
    )
    return said


async def keep_other_memories(diary: Diary, said: Message) -> None:
    """Keep a profile, an episode that rests on `said` in each channel, and an answer to `said`."""
    for audience, text in ((OPEN, "<@11> saw a heron."), (MODS, "<@11> met the moderators.")):
        episode_id = await keep(
            diary.database, text, guild_id=GUILD_ID, channel_id=audience or GENERAL, audience=audience
        )
        await diary.database.write(partial(rest_on, said, episode_id=episode_id))
    await diary.database.write(
        lambda connection: connection.execute(
            "INSERT INTO profiles (guild_id, user_id, version, content, covers_up_to, learned_at)"
            " SELECT $1, $2, version, 'Watches birds since ' || version, 1, now() FROM generate_series(1, 3) version",
            GUILD_ID, ALICE,
        )
    )  # fmt: skip
    await diary.database.write(
        lambda connection: connection.execute(
            "INSERT INTO answers (guild_id, message_id, channel_id, user_id, route, state, holder, leased_until, parts,"
            " answered_at) VALUES ($1, $2, $3, $4, 'chat', 'sent', gen_random_uuid(), now(), '{Lovely.}', now())",
            GUILD_ID, said.message_id, GENERAL, ALICE,
        )
    )  # fmt: skip


async def rest_on(said: Message, connection: Connection, *, episode_id: int) -> None:
    """Let an episode rest on a message."""
    await connection.execute(
        "INSERT INTO ended_conversations (guild_id, channel_id, first_message_id, last_message_id, ended_at,"
        " episode_id, told_ids) VALUES ($1, $2, $3, $3, now(), $2, ARRAY[$3::bigint])",
        GUILD_ID, episode_id, said.message_id,
    )  # fmt: skip


async def exported(diary: Diary, audiences: Sequence[int] | None, *, user_id: int = ALICE) -> dict[str, Any]:
    """Return the file of a member, which must be as its page says."""
    content = await diary.memory.exporting.export(guild_id=GUILD_ID, user_id=user_id, audiences=audiences)
    file = json.loads(content)
    Draft202012Validator(SCHEMA, format_checker=FormatChecker()).validate(file)
    assert isinstance(file, dict)
    return file


def contents(file: Mapping[str, Any]) -> list[str]:
    return [fact["content"] for fact in file["memory"]["facts"]]


def texts(file: Mapping[str, Any]) -> list[str]:
    return [message["text"] for message in file["messages"]]


async def test_a_member_gets_what_is_theirs_of_every_kind_that_they_may_see(diary: Diary) -> None:
    file = await exported(diary, OPEN_AND_MODS)
    assert contents(file) == ["<@11> likes pizza", "<@11> owns a cello", "<@11> is on probation"]
    pizza, cello, _ = file["memory"]["facts"]
    assert [source["author"] for source in pizza["sources"]] == ["11", "11"]
    assert [source["said"] for source in cello["sources"]] == ["<@11> owns a cello"]
    assert cello["sources"][0]["message"] in {str(message.message_id) for message in diary.said}
    assert [place["name"] for place in file["memory"]["places"]] == ["Home"]
    assert [one["source"]["content"] for one in file["told"]] == ["<@12> sings well", "<@12> was warned"]
    assert [one["version"] for one in file["profile"]] == [3, 2, 1]
    assert [one["day"] for one in file["days"]] == ["2026-03-01"]
    assert [one["content"] for one in file["episodes"]] == ["<@11> saw a heron.", "<@11> met the moderators."]
    assert [one["parts"] for one in file["answers"]] == [["Lovely."]]
    assert texts(file) == [one.text for one in diary.said if one.user_id == ALICE]
    assert file["counts"] == {
        "facts": 3, "places": 1, "told": 2, "naming": 0, "profile": 3, "days": 1, "episodes": 2, "answers": 1,
        "messages": len(file["messages"]),
    }  # fmt: skip
    memory = MemoryDocument.model_validate(file["memory"])
    assert memory.metadata.total_facts == 3
    assert memory.facts[1].author == BOB
    assert memory == MemoryDocument.model_validate_json(memory.model_dump_json())


@pytest.mark.smoke
async def test_what_is_said_in_a_closed_room_is_only_for_who_can_enter_it(diary: Diary) -> None:
    file = await exported(diary, [OPEN])
    told = json.dumps(file)
    for closed in ("probation", "warned", "moderators"):
        assert closed not in told
    for open_ in ("pizza", "cello", "sings well", "heron", "Watches birds"):
        assert open_ in told
    assert file["audiences"] == ["0"]
    shut_out = await exported(diary, [])
    assert not any(shut_out["counts"].values())


async def test_everything_is_everything_only_when_it_is_asked_for(diary: Diary) -> None:
    everything = await exported(diary, None)
    assert everything["audiences"] is None
    readable = await exported(diary, OPEN_AND_MODS)
    assert everything | {"audiences": 0} == readable | {"audiences": 0}


async def test_nobody_gets_the_words_of_others(diary: Diary) -> None:
    file = await exported(diary, None, user_id=BOB)
    assert "I saw nothing" in texts(file)
    assert contents(file) == ["<@12> sings well", "<@12> was warned"]
    assert [one["source"]["content"] for one in file["told"]] == [
        "<@11> owns a cello",
        "<@11> is on probation",
    ]
    assert "heron" not in json.dumps(file)


async def test_a_file_tells_nothing_of_others_who_are_private_or_of_whom_nothing_is_kept(
    diary: Diary,
) -> None:
    said = await diary.say(ALICE, "I met Bob at the fair")
    for number, text in enumerate(("<@12> sold his car. <@11> bought candy.", "<@12> went home."), start=2):
        episode_id = await keep(diary.database, text, guild_id=GUILD_ID, channel_id=GENERAL, number=number)
        await diary.database.write(partial(rest_on, said, episode_id=episode_id))
    await diary.database.write(
        lambda connection: connection.execute(
            "UPDATE profiles SET content = 'Likes the fair. Is afraid of <@12>.' WHERE guild_id = $1",
            GUILD_ID,
        )
    )
    assert "sold his car" in json.dumps(await exported(diary, [OPEN]))
    consent = diary.memory.consent
    for change in (
        partial(consent.set_private, private=True),
        consent.opt_out,
        partial(consent.set_private, private=False),
    ):
        await change(guild_id=GUILD_ID, user_id=BOB)
        file = await exported(diary, [OPEN])
        assert [one["content"] for one in file["episodes"]] == ["<@11> saw a heron.", "<@11> bought candy."]
        assert {one["content"] for one in file["profile"]} == {"Likes the fair."}


async def test_the_pages_that_a_file_is_made_of_do_not_show(
    diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await exported(diary, None)
    monkeypatch.setattr(exporting, "_PAGE_ROWS", 1)
    assert await exported(diary, None) == whole
    pieces = [
        piece
        async for piece in diary.memory.exporting.pieces(guild_id=GUILD_ID, user_id=ALICE, audiences=None)
    ]
    assert len(pieces) > sum(whole["counts"].values())


async def test_what_was_taken_back_is_handed_out_to_nobody(diary: Diary) -> None:
    heron = next(message for message in diary.said if "heron" in message.text)
    await diary.delete(heron)
    facts = {fact["content"]: int(fact["id"]) for fact in (await exported(diary, None))["memory"]["facts"]}
    await diary.memory.forget(
        guild_id=GUILD_ID, fact_ids=[facts["<@11> owns a cello"]], author_ids=[ALICE, BOB]
    )
    file = await exported(diary, None)
    assert "cello" not in json.dumps(file)
    assert "lake" not in json.dumps(file)
    assert file["days"] == []
    (deleted,) = [one for one in file["messages"] if one["id"] == str(heron.message_id)]
    assert (deleted["text"], deleted["withheld"]) == ("", "deleted")


async def test_who_opted_out_still_gets_what_was_kept_before(diary: Diary) -> None:
    await diary.memory.consent.keep_category(guild_id=GUILD_ID, user_id=ALICE, category="event", kept=False)
    await diary.memory.consent.opt_out(guild_id=GUILD_ID, user_id=ALICE)
    diary.clock.advance(timedelta(minutes=1))
    await diary.say(ALICE, "this is not kept")
    file = await exported(diary, OPEN_AND_MODS)
    assert file["member"]["opted_out"]
    assert file["member"]["categories"] == [{"category": "event", "kept": False, "days": None}]
    assert "<@11> owns a cello" in contents(file)
    assert "I saw a heron at the lake" in texts(file)
    assert "this is not kept" not in json.dumps(file)


async def test_a_file_that_is_too_large_for_the_memory_of_the_process_is_not_made_there(diary: Diary) -> None:
    with pytest.raises(ExportTooLargeError, match="more than the 1,000 bytes"):
        await diary.memory.exporting.export(
            guild_id=GUILD_ID, user_id=ALICE, audiences=None, most_bytes=1_000
        )


async def test_a_guild_that_nobody_knows_has_no_file(diary: Diary) -> None:
    with pytest.raises(InvalidInputError, match="guild 5 is not known"):
        await diary.memory.exporting.export(guild_id=5, user_id=ALICE, audiences=None)


def test_the_page_describes_every_part_of_the_file() -> None:
    def properties(schema: object) -> Iterator[frozenset[str]]:
        if isinstance(schema, dict):
            if "properties" in schema:
                yield frozenset(schema["properties"])
            for inner in schema.values():
                yield from properties(inner)

    made = set(properties(MemberExport.model_json_schema(mode="serialization")))
    assert set(properties(SCHEMA)) == made
    for name in MemberExport.model_fields:
        if name not in {"format", "exported_at", "guild"}:
            assert f"`{name}`" in PAGE
