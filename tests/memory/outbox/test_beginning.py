"""The beginning of an answer is written down before it is shown, and found by whoever takes over from the dead."""

from datetime import timedelta

import pytest

from bot.app import Keepsake
from bot.core.domain import Guild
from bot.memory.outbox import answers as outbox_answers
from bot.memory.outbox.answers import Claim, WrittenAnswer
from tests.memory.policy.test_forgetting import message

ASKED = message(5, "what is new?")
BEGINNING = WrittenAnswer(route="chat", parts=("A lot is new.",), quoted_ids=(3,))
WHOLE = WrittenAnswer(route="chat", parts=("A lot is new. For example the harbour.",), quoted_ids=(3,))


@pytest.fixture
async def claim(keepsake: Keepsake, monkeypatch: pytest.MonkeyPatch) -> Claim:
    """A claim whose lease is over as soon as it is made."""
    monkeypatch.setattr(outbox_answers, "CLAIM_LEASE", timedelta(0))
    await keepsake.directory.add_guild(Guild(guild_id=1, name="Home"))
    await keepsake.memory.ingest_message(message(3, "the harbour is new"))
    claim = await keepsake.memory.answers.claim(ASKED)
    assert claim is not None
    return claim


async def test_what_is_about_to_be_shown_is_found_with_its_nonce_by_whoever_takes_over(
    keepsake: Keepsake, claim: Claim
) -> None:
    answers = keepsake.memory.answers
    assert await answers.begin(ASKED, claim, BEGINNING, memory_epoch=0)
    first = await answers.take_over(ASKED)
    assert first is not None
    assert (first.begun.nonce, first.begun.parts, first.begun.sent_ids) == ("5.1", BEGINNING.parts, ())
    assert first.unsent == ()
    await answers.note_begun(ASKED, first, sent_ids=[6])
    second = await answers.claim(ASKED)
    assert second is not None
    assert (second.begun.is_begun, second.begun.sent_ids) == (True, (6,))
    assert await answers.write(ASKED, second, WHOLE) == WHOLE
    third = await answers.take_over(ASKED)
    assert third is not None
    assert (third.unsent, third.begun.sent_ids) == (WHOLE.parts, (6,))


async def test_who_was_too_slow_shows_nothing_more(keepsake: Keepsake, claim: Claim) -> None:
    answers = keepsake.memory.answers
    assert await answers.begin(ASKED, claim, BEGINNING, memory_epoch=0)
    assert await answers.take_over(ASKED) is not None
    assert not await answers.begin(ASKED, claim, WHOLE, memory_epoch=0)
    await answers.note_begun(ASKED, claim, sent_ids=[6])
    kept = await answers.to_message(guild_id=1, message_id=5)
    assert kept is not None
    assert (kept.parts, kept.sent_ids) == (BEGINNING.parts, ())


async def test_what_was_forgotten_since_is_not_shown(keepsake: Keepsake, claim: Claim) -> None:
    answers = keepsake.memory.answers
    assert not await answers.begin(ASKED, claim, BEGINNING, memory_epoch=1)


async def test_a_beginning_that_lost_its_text_does_not_get_it_back(keepsake: Keepsake, claim: Claim) -> None:
    answers = keepsake.memory.answers
    assert await answers.begin(ASKED, claim, BEGINNING, memory_epoch=0)
    await keepsake.memory.ingest_deletion(guild_id=1, channel_id=2, message_ids=[3])
    guild = await keepsake.directory.guild(1)
    assert guild is not None
    assert not await answers.begin(ASKED, claim, WHOLE, memory_epoch=guild.memory_epoch)
    kept = await answers.to_message(guild_id=1, message_id=5)
    assert kept is not None
    assert (kept.parts, kept.is_begun) == ((), True)


async def test_a_beginning_whose_process_died_is_found_by_the_watchdog_until_it_is_sent(
    keepsake: Keepsake, claim: Claim
) -> None:
    answers = keepsake.memory.answers

    async def unsent() -> list[int]:
        found = await answers.unsent(
            guild_ids=[1], with_direct=False, overdue=timedelta(0), within=timedelta(days=1), most=10
        )
        return [one.message_id for one in found]

    assert await unsent() == []
    assert await answers.begin(ASKED, claim, BEGINNING, memory_epoch=0)
    assert await unsent() == [5]
    await answers.write(ASKED, claim, WHOLE)
    await keepsake.memory.turns.sent(guild_id=1, message_id=5, sent_ids=[6])
    assert await unsent() == []
