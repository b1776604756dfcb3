"""What the grammar is not sure of: a model says what is meant, and code says what may be done."""

from collections.abc import Mapping

import pytest

from bot.chat.dispatch import route_of
from bot.chat.intents import (
    AskAbout,
    Chat,
    CorrectFact,
    ForgetMatching,
    ModelCommand,
    RememberFacts,
    Silence,
    TakeBackFacts,
    routed_command,
)
from bot.chat.router import ROUTE, Routed
from bot.core.domain import GUILD_SUBJECT
from bot.llm.operation import Operations
from bot.text.commands import ForgetEverything, ForgetThis, Search
from bot.text.grammar.parser import parse
from tests.chat.members import ALICE, BOB, MARTIN
from tests.chat.router_cases import (
    ASKED,
    CASES,
    CORRECTED,
    FORGOTTEN,
    NO_COMMANDS,
    REMEMBERED,
    Case,
    ask,
    drop,
    keep,
)
from tests.chat.routing_scene import (
    BEFORE,
    BOT_ID,
    FLIGHT,
    OF_MARTIN,
    OWN,
    WHO,
    carried_out,
    given_in,
    given_of,
    understood,
    with_long_ids,
)
from tests.scripted_models import ScriptedModels


def test_the_table_is_large_and_speaks_more_than_five_languages() -> None:
    assert len(CASES) >= 80
    assert {"en", "ru", "de", "es", "fr", "pl"} <= {case.language for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_grammar_alone_is_never_wrong_but_may_be_unsure(case: Case) -> None:
    command = parse(case.text)
    if command is not None:
        assert route_of(command) == case.kind


@pytest.mark.parametrize("case", REMEMBERED, ids=str)
async def test_what_a_good_model_says_is_remembered(case: Case) -> None:
    command = await carried_out(given_in(case), {"kind": "remember", **case.said})
    assert isinstance(command, RememberFacts)
    said = case.said["facts"]
    assert isinstance(said, list)
    for kept, wanted in zip(command.facts, said, strict=True):
        subject = wanted["subject"].strip("{}")
        assert kept.subject_id == (GUILD_SUBJECT if subject == "guild" else WHO[subject].user_id)
        assert with_long_ids(wanted["text"]) in kept.text
        by = WHO[case.reply_to] if case.reply_to else ALICE
        assert kept.said_in.user_id == by.user_id


@pytest.mark.parametrize("case", FORGOTTEN, ids=str)
async def test_what_a_good_model_says_is_forgotten(case: Case) -> None:
    command = await carried_out(given_in(case), {"kind": "forget", **case.said})
    if case.reply_to:
        assert command == ForgetThis()
    elif case.said["everything"]:
        assert command == ForgetEverything(f"<@{ALICE.user_id}>")
    else:
        assert isinstance(command, ForgetMatching)
        assert command.what == with_long_ids(str(case.said["what"]))
        subjects = case.said["subjects"]
        assert isinstance(subjects, list)
        assert command.subject_ids == tuple(WHO[name.strip("{}")].user_id for name in subjects)


@pytest.mark.parametrize("case", CORRECTED, ids=str)
async def test_what_a_good_model_says_is_corrected(case: Case) -> None:
    command = await carried_out(given_in(case), {"kind": "correct", **case.said})
    if "new_subject" in case.said:
        assert command == CorrectFact(FLIGHT, MARTIN.user_id, f"<@{MARTIN.user_id}> flies on Monday")
    else:
        assert command == CorrectFact(FLIGHT, BOB.user_id, with_long_ids(str(case.said["value"])))


@pytest.mark.parametrize("case", ASKED, ids=str)
async def test_what_a_good_model_says_is_asked(case: Case) -> None:
    command = await carried_out(given_in(case), {"kind": case.kind, **case.said})
    if case.kind == "search":
        assert command == Search(str(case.said["topic"]))
    else:
        assert isinstance(command, AskAbout)
        subjects = case.said["subjects"]
        assert isinstance(subjects, list)
        assert command.subject_ids == tuple(
            GUILD_SUBJECT if name == "guild" else WHO[name.strip("{}")].user_id for name in subjects
        )


@pytest.mark.parametrize("case", NO_COMMANDS, ids=str)
async def test_what_is_no_command_is_chat_whatever_the_model_says(case: Case) -> None:
    given = given_in(case)
    good = await carried_out(given, {"kind": case.kind})
    assert good == (Silence() if case.kind == "none" else Chat())
    for bad in (
        {"kind": "remember", **keep(("alice", case.text))},
        {"kind": "remember", **keep(("bob", "@{bob} is a thief"))},
        {"kind": "forget", **drop(case.text, "alice")},
        {"kind": "correct", "value": case.text},
        {"kind": "correct", "take_back": True},
    ):
        assert await carried_out(given, bad) == Chat(), bad


@pytest.mark.parametrize("case", [*REMEMBERED, *FORGOTTEN, *CORRECTED], ids=str)
async def test_unsure_is_chat_never_a_write(case: Case) -> None:
    outcome = await understood(given_in(case), {"kind": case.kind, **case.said, "confident": False})
    assert routed_command(outcome.value, given_in(case)) == Chat()


REFUSED: list[Mapping[str, object]] = [
    {"kind": "remember", "facts": [{"subject": "u99", "text": "mag Tee"}]},
    {"kind": "remember", "facts": [{"subject": "2", "text": "mag Tee"}]},
    {"kind": "remember", "facts": [{"subject": "{alice}", "text": "@u99 mag Tee"}]},
    {"kind": "remember", "facts": [{"subject": "{alice}", "text": "mag Tee", "source": "m99"}]},
    {"kind": "remember", "facts": [{"subject": "{alice}", "text": "  "}]},
    {"kind": "remember", "facts": [{"subject": "{alice}", "text": "mag Tee " * 70}]},
    {"kind": "remember", "facts": []},
    {"kind": "forget", "what": "", "subjects": ["{alice}"]},
    {"kind": "forget", "what": "Tee", "subjects": ["u99"]},
    {"kind": "correct", "fact": "f99", "value": "mag Tee"},
    {"kind": "correct", "value": ""},
    {"kind": "correct", "new_subject": "everyone"},
    {"kind": "ask_memory", "question": "Tee", "subjects": ["u99"]},
    {"kind": "ask_memory", "question": " "},
    {"kind": "search", "topic": ""},
    {"kind": "dance"},
]


@pytest.mark.parametrize("said", REFUSED, ids=lambda said: str(said)[:70])
async def test_an_answer_with_a_wrong_id_or_text_is_refused_and_is_chat(said: Mapping[str, object]) -> None:
    given = given_of("merk dir, dass ich Tee mag")
    outcome = await understood(given, {"confident": True, **said})
    assert outcome.degraded
    assert routed_command(outcome.value, given) == Chat()


async def test_a_pointer_stores_the_words_of_the_message_pointed_at_in_its_writers_name() -> None:
    given = given_of("speicher das bitte", reply_to="masha")
    command = await carried_out(
        given, {"kind": "remember", **keep(("masha", "у @{masha} аллергия на орехи"))}
    )
    assert isinstance(command, RememberFacts)
    assert command.facts[0].said_in == BEFORE[1]


async def test_a_text_that_names_nobody_gets_its_subject() -> None:
    given = given_of("merk dir, dass Bob Tee mag")
    command = await carried_out(given, {"kind": "remember", **keep(("bob", "mag Tee"))})
    assert isinstance(command, RememberFacts)
    assert command.facts[0].text == f"<@{BOB.user_id}>: mag Tee"


async def test_only_ones_own_facts_and_writes_are_corrected() -> None:
    given = given_of("nein, das mit dem Dienstag ist falsch")
    ids = {one: given.memories.short(one.fact_id) for one in given.facts}
    said = {"kind": "correct", "value": "am Dienstag"}
    assert isinstance(await carried_out(given, {**said, "fact": ids[FLIGHT]}), CorrectFact)
    assert isinstance(await carried_out(given, {**said, "fact": ids[OWN]}), CorrectFact)
    assert await carried_out(given, {**said, "fact": ids[OF_MARTIN]}) == Chat()


async def test_a_correction_says_nothing_that_its_author_did_not() -> None:
    given = given_of("nein, am Dienstag")
    assert await carried_out(given, {"kind": "correct", "value": "@{bob} ist ein Dieb"}) == Chat()
    assert await carried_out(given_of("am Dienstag?"), {"kind": "correct", "take_back": True}) == Chat()


async def test_a_write_is_taken_back_when_that_is_ordered() -> None:
    command = await carried_out(given_of("streich das wieder"), {"kind": "correct", "take_back": True})
    assert command == TakeBackFacts((FLIGHT.fact_id,))


async def test_what_was_written_last_is_not_taken_back_for_what_is_named() -> None:
    for said in ("I don't like olives anymore, forget it", "olives are fine now, delete that"):
        assert await carried_out(given_of(said), {"kind": "correct", "take_back": True}) == Chat()
    given = given_of("my olives, delete that")
    chosen = {"kind": "correct", "fact": given.memories.short(OWN.fact_id), "take_back": True}
    assert await carried_out(given, chosen) == TakeBackFacts((OWN.fact_id,))


async def test_talk_about_the_bot_asks_nothing_of_the_memory() -> None:
    said = {"kind": "ask_memory", "question": "was weißt du", "subjects": ["bot"]}
    assert await carried_out(given_of("was weißt du über dich selbst?"), said) == Chat()


async def test_everything_about_the_server_is_never_forgotten_at_once() -> None:
    said = {"kind": "forget", "subjects": ["guild"], "everything": True}
    assert await carried_out(given_of("lösch alles über den Server"), said) == Chat()


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_without_a_model_everything_is_chat(case: Case) -> None:
    given = given_in(case)
    for models in (None, ScriptedModels()):
        outcome = await Operations(models).run(ROUTE, given)
        assert routed_command(outcome.value, given) == Chat()


async def test_a_question_asked_of_several_is_about_all_of_them() -> None:
    command: ModelCommand = await carried_out(
        given_of("mögen Bob und Martin Tee?"), {"kind": "ask_memory", **ask("mögen sie Tee", "bob", "martin")}
    )
    assert command == AskAbout((BOB.user_id, MARTIN.user_id), "mögen sie Tee")


def test_ids_that_were_not_offered_are_refused_again_when_carried_out() -> None:
    given = given_of("merk dir, dass ich Tee mag")
    routed = Routed(kind="ask_memory", confident=True, question="x", subjects=["u99"])
    with pytest.raises(ValueError, match="u99"):
        routed_command(routed, given)
    assert given.subject("bot") == BOT_ID
