"""What says several things at once is kept as several, each with its subject, so that one can go and the rest stay."""

import pytest

from tests.chat.guild import TalkingGuild


@pytest.mark.parametrize(
    ("author", "said", "confirmed", "gone", "left"),
    [
        ("alice", "Bot, remember that I keep bees and coach a rowing team",
         "Remembered: alice keeps bees; alice coaches a rowing team.",
         "Bot, forget that I keep bees", ["alice coaches a rowing team"]),
        ("alice", "Bot, remember that I live in Oslo, work at Equinor and have two dogs",
         "Remembered: alice lives in Oslo; alice works at Equinor; alice has two dogs.",
         "Bot, forget that I work at Equinor", ["alice has two dogs", "alice lives in Oslo"]),
        ("Маша", "Бот, запомни, что я держу пчёл и тренирую команду",
         "Записано: Маша держит пчёл; Маша тренирует команду.",
         "Бот, забудь, что я держу пчёл", ["Маша тренирует команду"]),
    ],
)  # fmt: skip
async def test_forgetting_one_clause_leaves_the_rest(
    guild: TalkingGuild, author: str, said: str, confirmed: str, gone: str, left: list[str]
) -> None:
    assert await guild.say(author, said) == confirmed
    await guild.say(author, gone)
    assert sorted(await guild.known(author)) == left


async def test_each_clause_is_about_whom_it_names(guild: TalkingGuild) -> None:
    confirmed = await guild.say("alice", "Bot, remember that I like tea and @bob likes coffee")
    own, other = str(confirmed).splitlines()
    assert own == "Remembered: alice likes tea."
    assert other.startswith("Remembered: bob likes coffee.")
    assert await guild.known("alice") == ["alice likes tea"]
    assert await guild.known("bob") == ["alice says bob likes coffee"]


async def test_a_compound_said_twice_is_known_already(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I keep bees and coach a rowing team")
    again = await guild.say("alice", "Bot, remember that I coach a rowing team and have two dogs")
    assert again == ("Remembered: alice has two dogs.\nI have that already: alice coaches a rowing team.")


async def test_what_is_not_surely_several_stays_one_quotation(guild: TalkingGuild) -> None:
    confirmed = await guild.say("Маша", "Бот, запомни, что у сестры моей день рождения")
    assert confirmed == "Записано: Маша: «у сестры моей день рождения»."
    assert await guild.known("Маша") == ["Маша: «у сестры моей день рождения»"]
    await guild.say("Маша", "Бот, забудь, что у сестры моей день рождения")
    assert await guild.known("Маша") == []
