"""Without a model a day is told in the members' own most telling sentences."""

from collections.abc import Sequence
from datetime import UTC, datetime

from bot.core.domain import Message
from bot.memory.summaries.extractive import DAY_CHARACTERS, extract_day


def talk(*said: tuple[int, str]) -> Sequence[Message]:
    return [
        Message(
            guild_id=1,
            channel_id=2,
            message_id=number,
            user_id=user_id,
            text=text,
            timestamp=datetime(2026, 3, 2, tzinfo=UTC),
        )
        for number, (user_id, text) in enumerate(said, start=1)
    ]


async def test_rare_words_tell_more_than_what_everybody_says() -> None:
    told = await extract_day(
        talk(
            (7, "good morning everyone here today"),
            (8, "good morning everyone here today"),
            (7, "lol"),
            (7, "I adopted a kitten named Miso yesterday."),
            (9, "good morning everyone here today"),
        ),
        [7],
    )
    assert told[7].startswith("<@7>: ")
    assert "“I adopted a kitten named Miso yesterday.”" in told[7]
    assert "lol" not in told[7]


async def test_sentences_stand_in_the_order_in_which_they_were_said_and_fit() -> None:
    sentences = [
        f"Topic{number} brings completely different words{number} to think{number} about"
        for number in range(30)
    ]
    told = (await extract_day(talk(*((7, sentence) for sentence in sentences)), [7]))[7]
    assert len(told) <= DAY_CHARACTERS
    found = [sentences.index(part.strip("“” ")) for part in told.removeprefix("<@7>: ").split("” “")]
    assert found == sorted(found) and len(found) > 1


async def test_the_same_thing_is_told_once() -> None:
    told = (await extract_day(talk(*[(7, "The build server crashed again tonight.")] * 5), [7]))[7]
    assert told.count("crashed") == 1


async def test_russian_is_told_as_well() -> None:
    told = await extract_day(
        talk((7, "ну да"), (7, "Сегодня починил старый велосипед и поехал на озеро.")), [7]
    )
    assert "починил старый велосипед" in told[7]


async def test_of_sensitive_matters_nothing_is_told_and_who_said_nothing_is_left_out() -> None:
    told = await extract_day(talk((7, "My therapist told me to rest more."), (8, "ok"), (8, "lol")), [7, 8])
    assert told == {}
