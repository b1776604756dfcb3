"""Catching up: what was said while somebody was away, told by topic, or by the busiest conversations."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypedDict, TypeVar, Unpack

import pytest
from pydantic import BaseModel

from bot.core.clock import SetClock
from bot.core.domain import Channel, Language, Message, MessageKind, snowflake_at
from bot.db.pool import Connection, Database
from bot.llm.operation import ModelAnswer, Operations, Question
from bot.memory.policy.permissions import scope_of
from bot.memory.summaries.digest import Digest, DigestRequest, Digests
from tests.memory.diary import ALICE, BOB, CAROL, GENERAL, GUILD_ID, MODS, Diary, close, open_diary
from tests.said import said_in
from tests.scripted_models import ScriptedModels

GAMES, THREAD, SHUT = 2_002, 2_003, 2_004
GAP = timedelta(minutes=30)
AnswerT = TypeVar("AnswerT", bound=BaseModel)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def tell_all(prompt: str) -> Mapping[str, object]:
    """Tell each message as a topic, eight at most."""
    return {"topics": [{"text": one.text, "message": one.short_id} for one in said_in(prompt)[:8]]}


class Asked(TypedDict, total=False):
    """What may be said of a question."""

    asker_id: int
    audience: int
    channel_id: int | None
    since: datetime | None
    visitor: bool


class Models(ScriptedModels):
    """A model that thinks for a while, in which something may happen."""

    meanwhile: Callable[[], Awaitable[None]] | None = None

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        answer = await super().ask(question)
        if self.meanwhile is not None:
            await self.meanwhile()
        return answer


@pytest.fixture
def models() -> Models:
    return Models(catch_up=tell_all)


@pytest.fixture
async def diary(database: Database, clock: SetClock, models: Models) -> AsyncIterator[Diary]:
    diary = await open_diary(database, clock, models=models)
    await diary.directory.put_channels([
        Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general"),
        Channel(guild_id=GUILD_ID, channel_id=MODS, name="mods", audience=MODS),
        Channel(guild_id=GUILD_ID, channel_id=GAMES, name="games"),
        Channel(guild_id=GUILD_ID, channel_id=THREAD, name="chess", parent_id=GAMES),
        Channel(guild_id=GUILD_ID, channel_id=SHUT, name="shut", audience=SHUT),
    ])  # fmt: skip
    yield diary
    await close(diary)


def wanted(diary: Diary, **asked: Unpack[Asked]) -> DigestRequest:
    """Return what is asked now, by alice where everybody reads unless it is `asked` otherwise."""
    diary.clock.advance(timedelta(seconds=1))
    return DigestRequest(
        view=scope_of(
            guild_id=GUILD_ID,
            channel_audience=asked.get("audience", 0),
            visitor=asked.get("visitor", False),
        ),
        asker_id=asked.get("asker_id", ALICE),
        before_message_id=snowflake_at(diary.clock.now() + timedelta(seconds=1)),
        language=Language.ENGLISH,
        time_zone="UTC",
        channel_id=asked.get("channel_id"),
        since=asked.get("since"),
    )


async def missed(diary: Diary, **asked: Unpack[Asked]) -> Digest:
    return await diary.memory.digests.missed(wanted(diary, **asked))


def texts(told: Digest) -> list[str]:
    return [one.text for one in told.told]


async def test_what_others_said_since_the_askers_own_last_message_is_told_with_where_it_begins(
    diary: Diary, models: Models
) -> None:
    await diary.say(BOB, "before")
    await diary.say(ALICE, "I am off")
    first = await diary.say(BOB, f"the party moves to Friday, <@{CAROL}>")
    await diary.say(CAROL, "great", channel_id=GAMES)
    told = await missed(diary)
    assert told.by_topic
    assert texts(told) == [f"the party moves to Friday, <@{CAROL}>", "great"]
    assert told.told[0].begins.message_id == first.message_id
    assert [one.channel_name for one in told.told] == ["general", "games"]
    assert len(told.message_ids) == 2
    [prompt] = models.prompts
    assert "English" in prompt
    assert str(BOB) not in prompt.replace("2026", "")
    assert (await missed(diary, asker_id=CAROL, channel_id=GAMES)).told == ()
    assert len(models.prompts) == 1, "nothing missed costs no call"


async def test_each_channel_counts_from_the_askers_last_message_there(diary: Diary) -> None:
    await diary.say(ALICE, "hello games", channel_id=GAMES)
    await diary.say(BOB, "chess tonight?", channel_id=GAMES)
    await diary.say(BOB, "pawns", channel_id=THREAD)
    await diary.say(ALICE, "something long that is said in general")
    await diary.say(BOB, "more", channel_id=THREAD)
    told = await missed(diary)
    assert texts(told) == ["chess tonight?", "more"], (
        "in a channel where they said nothing, their last anywhere"
    )
    assert texts(await missed(diary, channel_id=GAMES)) == ["chess tonight?", "more"], (
        "a channel with its threads"
    )
    assert texts(await missed(diary, channel_id=THREAD)) == ["more"]


async def test_a_greeting_is_no_end_of_an_absence(diary: Diary) -> None:
    await diary.say(ALICE, "see you tomorrow then")
    await diary.say(BOB, "the server moves")
    for greeting in ("hi everyone!", "Всем привет, я снова тут"):
        await diary.say(ALICE, greeting)
        assert texts(await missed(diary)) == ["the server moves"]


async def test_since_a_moment_everything_is_told_that_others_took_part_in(diary: Diary) -> None:
    await diary.say(BOB, "too old")
    await diary.say(BOB, "what about Friday?", at=NOON)
    await diary.say(ALICE, "Friday suits me")
    await diary.say(ALICE, "talking to myself", channel_id=GAMES)
    told = await missed(diary, since=NOON)
    assert texts(told) == ["what about Friday?", "Friday suits me"]
    assert told.not_told == 0, "to talk to oneself is to miss nothing"
    assert (await missed(diary, since=NOON - timedelta(days=30))).told[0].text == "too old"


async def test_more_than_a_week_is_not_told(diary: Diary) -> None:
    await diary.say(BOB, "long ago")
    await diary.say(BOB, "lately", at=NOON + timedelta(days=8))
    assert texts(await missed(diary)) == ["lately"]
    assert texts(await missed(diary, since=NOON - timedelta(days=30))) == ["lately"]


async def test_what_may_not_be_seen_here_is_no_part_of_it(
    diary: Diary, database: Database, models: Models
) -> None:
    await diary.say(ALICE, "bye for now, all of you")
    await diary.say(BOB, "open")
    await diary.say(BOB, "for the mods", channel_id=MODS)
    await diary.say(BOB, "said while it was open", channel_id=SHUT)
    await diary.say(77, "I am a bot", kind=MessageKind.BOT)
    await diary.say(78, "I am a hook", kind=MessageKind.WEBHOOK)
    await diary.delete(await diary.say(BOB, "taken back"))
    await diary.say(CAROL, "of one who wants no part in it")
    visitor = await diary.say(BOB, "placeholder")
    await diary.memory.ingest_message(
        replace(visitor, message_id=visitor.message_id + 1, text="of a visitor", from_visitor=True)
    )
    await diary.delete(visitor)

    async def opt_out(connection: Connection) -> None:
        await connection.execute("UPDATE members SET opted_out_at = now() WHERE user_id = $1", CAROL)

    await database.write(opt_out)
    assert texts(await missed(diary)) == ["open"]
    assert texts(await missed(diary, audience=MODS)) == ["open", "for the mods"]
    assert (await missed(diary, channel_id=MODS)).told == ()
    assert (await missed(diary, visitor=True)).told == ()
    assert (await missed(diary, visitor=True, audience=MODS)).told == ()
    seen = "".join(models.prompts)
    assert "no part in it" not in seen
    assert "taken back" not in seen


@pytest.mark.parametrize("says", [None, {"topics": []}, {"topics": [{"text": "x", "message": "m9"}]},
                                  {"topics": [{"text": "x @u7", "message": "m1"}]},
                                  {"topics": [{"text": " ", "message": "m1"}]},
                                  {"topics": [{"text": "He has cancer.", "message": "m1"}]}])  # fmt: skip
async def test_without_a_usable_answer_the_busiest_conversations_are_named(
    diary: Diary, models: Models, says: Mapping[str, object] | None
) -> None:
    models.script["catch_up"] = says
    quiet = await diary.say(CAROL, "anyone for chess?", channel_id=GAMES)
    busy = await diary.say(BOB, "lunch? " + "with everybody " * 20)
    await diary.say(CAROL, "yes")
    await diary.say(BOB, "where")
    told = await missed(diary)
    assert not told.by_topic
    assert told.degraded
    assert [(one.begins.message_id, one.messages, one.people) for one in told.told] == [
        (busy.message_id, 3, (BOB, CAROL)),
        (quiet.message_id, 1, (CAROL,)),
    ]
    assert told.told[0].text.startswith("lunch? with everybody")
    assert len(told.told[0].text) <= 120
    assert told.message_ids == (busy.message_id, quiet.message_id)
    assert told.not_told == 0


async def test_what_is_taken_back_while_a_model_thinks_is_not_told(diary: Diary, models: Models) -> None:
    gone = await diary.say(BOB, "the wedding is off, keep it quiet")
    await diary.say(CAROL, "the party is on Friday")
    models.meanwhile = lambda: diary.delete(gone)
    told = await missed(diary)
    assert "wedding" in models.prompts[-1]
    assert texts(told) == ["the party is on Friday"]
    assert not told.by_topic


async def test_a_busy_channel_leaves_room_for_the_others_and_what_is_left_out_is_counted(
    diary: Diary,
) -> None:
    await diary.say(CAROL, "a word in games", channel_id=GAMES)
    batch = [
        Message(
            guild_id=GUILD_ID,
            channel_id=GENERAL,
            message_id=snowflake_at(diary.clock.now() + timedelta(seconds=number)),
            user_id=BOB,
            text=f"number {number} " + "of very many words " * 20,
            timestamp=diary.clock.now() + timedelta(seconds=number),
        )
        for number in range(1, 1_000)
    ]
    await diary.memory.ingest_messages(batch)
    diary.clock.advance(timedelta(seconds=1_000))
    told = await missed(diary)
    assert told.by_topic
    assert told.not_told == 1_000 - len(told.message_ids)
    without_model = Digests(replace(diary.needs, operations=Operations()))
    by_talk = await without_model.missed(wanted(diary))
    assert {one.channel_name for one in by_talk.told} == {"general", "games"}
    assert not by_talk.degraded, "no model is configured"
    assert by_talk.not_told == 1_000 - sum(one.messages for one in by_talk.told)
