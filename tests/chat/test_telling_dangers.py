"""What somebody told openly of themselves reaches who plans something in which it may harm them, and nobody else."""

import pytest

from tests.chat.guild import GAMES, GUILD_ID, MODS, NAMES, TalkingGuild
from tests.scripted_models import ScriptedModels

ALICE = NAMES["alice"]


async def given_to(guild: TalkingGuild, models: ScriptedModels, said: str, by: str = "bob") -> str:
    """Return the data of the prompt in which `said`, in another channel, is answered."""
    await guild.say(by, said, channel_id=GAMES)
    prompt = next(prompt for prompt in reversed(models.prompts) if "<to_answer>" in prompt)
    return prompt[prompt.index("<data>") : prompt.index("<to_answer>")]


CURIOUS = f"Bot, how is <@{ALICE}> these days, anything wrong with her?"
CURIOUS_RU = f"Бот, как там <@{ALICE}>, с ней всё в порядке?"


@pytest.mark.parametrize(
    ("told", "word", "planned", "safety"),
    [
        ("Bot, remember that I have epilepsy, no strobes", "epilepsy", f"Bot, a light show for <@{ALICE}>?", True),
        ("Bot, remember that I have epilepsy", "epilepsy", f"Bot, shall I take <@{ALICE}> swimming?", True),
        ("Bot, remember that I have diabetes", "diabetes", f"Bot, what should I cook for <@{ALICE}>?", True),
        ("Bot, remember that I take insulin", "insulin", f"Bot, I bake a cake for <@{ALICE}>, any ideas?", True),
        ("Bot, remember that I have asthma", "asthma", f"Bot, shall we hike with <@{ALICE}>?", True),
        ("Bot, remember that I'm pregnant, so no raw fish", "raw fish", f"Bot, dinner for <@{ALICE}>?", True),
        ("Bot, remember that I have coeliac disease", "coeliac", f"Bot, dinner for <@{ALICE}>?", True),
        ("Bot, remember that I keep halal", "halal", f"Bot, what should I cook for <@{ALICE}>?", False),
        ("Бот, запомни, что у меня эпилепсия", "эпилепсия", f"Бот, лазерное шоу для <@{ALICE}>?", True),
        ("Бот, запомни, что у меня диабет", "диабет", f"Бот, что приготовить для <@{ALICE}>?", True),
        ("Бот, запомни, что у меня астма", "астма", f"Бот, в какой поход позвать <@{ALICE}>?", True),
    ],
)  # fmt: skip
async def test_who_plans_is_given_what_may_harm_and_who_is_curious_is_not(
    talking: TalkingGuild, models: ScriptedModels, told: str, word: str, planned: str, safety: bool
) -> None:
    confirmed = await talking.say("alice", told)
    assert confirmed is not None and (
        "nobody but those who plan" in confirmed or "кроме тех, кто" in confirmed
    )
    given = await given_to(talking, models, planned)
    (line,) = (line for line in given.splitlines() if word in line)
    assert ('safety="yes"' in line) is safety
    assert word not in await given_to(talking, models, CURIOUS_RU if told.startswith("Бот") else CURIOUS)
    assert word not in (await talking.say("bob", f"Bot, what do you know about <@{ALICE}>?") or "")


@pytest.mark.parametrize(
    ("told", "word", "planned"),
    [
        ("Bot, remember that I can't swim", "swim", f"Bot, is the lake a good idea for <@{ALICE}>'s party?"),
        (
            "Bot, remember that I'm afraid of spiders",
            "spiders",
            f"Bot, which monsters fit our D&D with <@{ALICE}>?",
        ),
        ("Бот, запомни, что я боюсь пауков", "пауков", f"Бот, какие монстры подойдут для днд с <@{ALICE}>?"),
        ("Bot, remember that I carry an EpiPen", "EpiPen", f"Bot, shall we take <@{ALICE}> camping?"),
        ("Бот, запомни, что я не умею плавать", "плавать", f"Бот, пойдём с <@{ALICE}> на озеро?"),
    ],
)
async def test_what_is_no_secret_is_marked_for_who_plans(
    talking: TalkingGuild, models: ScriptedModels, told: str, word: str, planned: str
) -> None:
    await talking.say("alice", told)
    given = await given_to(talking, models, planned)
    (line,) = (line for line in given.splitlines() if word in line)
    assert 'safety="yes"' in line


@pytest.mark.parametrize(
    ("told", "secret"),
    [
        ("I have epilepsy since my divorce", "divorce"),
        ("I have diabetes and depression", "depression"),
        ("my brother has epilepsy", "epilepsy"),
        ("I have depression", "depression"),
        ("I'm pregnant", "pregnant"),
        ("I am a muslim and eat halal", "muslim"),
    ],
)
async def test_with_a_danger_nothing_else_is_told(
    talking: TalkingGuild, models: ScriptedModels, told: str, secret: str
) -> None:
    await talking.say("alice", f"Bot, remember that {told}")
    for planned in (
        "what should I cook for",
        "shall we go swimming with",
        "plan a light show and a trip for",
    ):
        assert secret not in await given_to(talking, models, f"Bot, {planned} <@{ALICE}>?")


async def test_what_is_needed_for_one_plan_is_not_told_for_another(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    await talking.say("alice", "Bot, remember that I have epilepsy")
    assert "epilepsy" not in await given_to(talking, models, f"Bot, what should I cook for <@{ALICE}>?")


async def test_a_danger_is_told_of_nobody_who_is_private_and_not_out_of_a_closed_channel(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    await talking.say("alice", "Bot, remember that I have epilepsy", channel_id=MODS)
    planned = f"Bot, plan a light show for <@{ALICE}>"
    assert "epilepsy" not in await given_to(talking, models, planned)
    await talking.say("alice", "Bot, remember that I have asthma")
    assert "asthma" in await given_to(talking, models, planned)
    await talking.keepsake.memory.consent.set_private(guild_id=GUILD_ID, user_id=ALICE, private=True)
    assert "asthma" not in await given_to(talking, models, planned)


async def test_what_others_say_of_an_illness_is_not_told_to_who_plans(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    await talking.say("florent", f"Bot, remember that <@{ALICE}> has epilepsy")
    assert "epilepsy" not in await given_to(talking, models, f"Bot, plan a light show for <@{ALICE}>")
