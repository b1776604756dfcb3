"""What every question of an operation has in common stands first, byte for byte, so that providers may cache it."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import jinja2
import pytest

from bot.chat.personas import PreviewGiven
from bot.chat.prompting.prompt import ReplyGiven
from bot.core import settings
from bot.core.domain import Language, Member, Message
from bot.memory.facts.narrative import Merge
from bot.memory.policy.admission import ProposedStatement
from bot.memory.profiles.learning import LearningInput
from bot.memory.rights.forgetting.matching import FactChoiceInput
from bot.memory.summaries.day_prompt import DayPart
from bot.memory.summaries.digest_prompt import DigestInput, MissedTalk
from bot.memory.summaries.episode_builder import CompactionInput
from bot.memory.summaries.episode_prompt import EndedTalk
from bot.memory.summaries.per_member import ContextSources, DayText, MemberBatch, MemberWeek
from bot.memory.summaries.rolling_builder import RollingInput
from tests.chat.scenes import scene
from tests.memory.known import fact
from tests.servers.asked import operation_names, shared_beginning
from tests.test_every_operation import CASES, EPISODES, Case

LONGEST_HEADING = 48
"""Letters of a line such as "Members:" that may stand among the data; a rule is longer."""

SAID = Message(
    guild_id=1,
    channel_id=3,
    message_id=95,
    user_id=8,
    text="а я люблю <@9>",
    timestamp=datetime(2026, 4, 2, 9, tzinfo=UTC),
)
MEMBERS = {
    user_id: Member(guild_id=1, user_id=user_id, user_name=name)
    for user_id, name in ((8, "boris"), (9, "zoe"))
}
FACTS = (fact(4, "<@8> ненавидит рыбу", subject_id=8), fact(3, "<@8> owns a kayak", subject_id=8))
OTHERWISE: dict[str, Any] = {
    "reply": ReplyGiven(
        scene=replace(scene(), bot_name="Zed", persona="a pirate", message=SAID, messages=())
    ),
    "preview": PreviewGiven(bot_name="Zed", persona="", language=Language.RUSSIAN),
    "choose_facts": FactChoiceInput("my fish", 8, FACTS),
    "merge_facts": Merge(subject_id=8, facts=FACTS, earlier="у <@8> есть лодка"),
    "summarise_day": DayPart(
        day=date(2026, 4, 2), time_zone="UTC", messages=(SAID,), wanted=(8, 9), members=MEMBERS
    ),
    "roll_summary": RollingInput(previous="", messages=(SAID,), members=MEMBERS, kept=""),
    "learn_profile": LearningInput(user_id=8, profile="", messages=(SAID,), members=MEMBERS),
    "historical": MemberBatch([MemberWeek(8, (DayText(date(2026, 4, 1), "<@8> пил чай."),))]),
    "merge_context": MemberBatch([ContextSources(8, facts="", current="пил чай", historical="спал")]),
    "make_episode": EndedTalk(
        messages=(SAID,), summary="<@9> left.", covers_up_to=9, members=MEMBERS, time_zone="Asia/Tokyo"
    ),
    "catch_up": DigestInput(
        talks=(MissedTalk((SAID,)),), members=MEMBERS, channel_names={}, language=Language.RUSSIAN
    ),
    "judge_note": ProposedStatement("zoe stinkt", author_id=8, speaker_id=9, subject_id=0, bot_id=77),
    "compact_episodes": CompactionInput(EPISODES[1:], most=2),
}
"""Another input of each operation, which differs from that of its case in everything."""


def otherwise(case: Case) -> Any:
    """Return another input of the operation of `case`."""
    if case.operation.name == "route":
        given: Any = case.given
        return replace(given, message=SAID, text=SAID.text, members=(MEMBERS[8],), recent=(given.message,))
    return OTHERWISE[case.operation.name]


def fixed_lines(name: str) -> list[str]:
    """Return the lines of a template in which nothing is put in."""
    source = (settings.resource_folder("prompts") / f"{name}.j2").read_text(encoding="utf-8")
    kept = ""
    for _, kind, value in jinja2.Environment(autoescape=True).lex(source):
        kept += value if kind == "data" else "\0" if kind == "variable_begin" else ""
    return [line for line in kept.splitlines() if "\0" not in line]


@pytest.mark.parametrize("has_tools", [False, True])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.operation.name)
def test_all_rules_of_an_operation_stand_before_the_first_letter_that_differs(
    case: Case, has_tools: bool
) -> None:
    one, other = (
        case.operation.prompt(given, has_tools=has_tools) for given in (case.given, otherwise(case))
    )
    shared = shared_beginning([one, other])
    assert shared not in (one, other)
    rules = [line for line in fixed_lines(case.operation.name) if line in one and len(line) > LONGEST_HEADING]
    assert rules
    assert [line for line in rules if line not in shared] == []


def test_no_operation_is_left_out() -> None:
    assert {case.operation.name for case in CASES} == operation_names() - {"check_model"}
