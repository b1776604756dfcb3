"""Forgetting does what was meant at once or after one question, and takes nothing that must stay."""

import pytest

from bot.memory.policy.permissions import scope_of
from tests.chat.forgetting_cases import KINDS, Case
from tests.chat.guild import GUILD_ID, NAMES, TalkingGuild

CASES = [pytest.param(case, id=f"{kind}: {case.name}") for kind, cases in KINDS.items() for case in cases]


@pytest.mark.parametrize("case", CASES)
async def test_what_is_meant_goes_and_what_must_stay_stays(guild: TalkingGuild, case: Case) -> None:
    for line in case.remember.splitlines():
        author, _, statement = line.strip().partition(": ")
        order = "Бот, запомни, что" if statement[0] > "z" else "Bot, remember that"
        answer = await guild.say(author, f"{order} {statement}")
        assert answer is not None
        assert answer.startswith(("Remembered", "Записано")), answer
    said = []
    for line in case.say.splitlines():
        author, _, text = line.strip().partition(": ")
        said += [line.strip(), f"  -> {await guild.say(author, text)}"]
    view = scope_of(guild_id=GUILD_ID, channel_audience=0)
    known = await guild.keepsake.library.all_facts(view, asker_id=NAMES["alice"])
    called = {user_id: name for name, user_id in NAMES.items()}
    left = " ".join(_rendered(fact.content, called) + "." for fact in known)
    told = "\n".join([*said, left])
    lost = [text for text in _texts(case.stays) if text not in left]
    assert not lost, f"taken though it must stay: {lost}\n{told}"
    kept = [text for text in _texts(case.gone) if text in left]
    assert not kept, f"kept though it was to go: {kept}\n{told}"


def _rendered(text: str, called: dict[int, str]) -> str:
    for user_id, name in called.items():
        text = text.replace(f"<@{user_id}>", name)
    return text


def _texts(listed: str) -> list[str]:
    return [text.strip() for text in listed.split(", ") if text.strip()]


def test_there_are_enough_cases_of_every_kind() -> None:
    assert sum(map(len, KINDS.values())) >= 120
    assert min(map(len, KINDS.values())) >= 10
