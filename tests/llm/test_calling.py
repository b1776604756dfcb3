"""One question to one model, by the real clients: asked as each model takes it, and never believed blindly."""

import asyncio
import logging
from dataclasses import replace

import pytest

from bot.llm.calling import AgentCaller
from bot.llm.chain import CallFailed, CallHeld, ModelName
from bot.llm.framing import estimated_tokens
from bot.llm.operation import Image, Role
from tests.llm.questions import (
    EVERY,
    FLASH,
    GEMMA_3,
    GEMMA_4,
    OLLAMA,
    OPENAI,
    PARIS,
    PROMPT,
    City,
    admit_all,
    question,
    server_of,
)
from tests.servers.asked import Asked
from tests.servers.faults import Fault
from tests.servers.gemini import GeminiServer
from tests.servers.openai import OpenAIServer

PICTURE = Image(b"\x89PNG", "image/png")
CITY = PROMPT.splitlines()[0]

FAILURES = {
    Fault.BAD_KEY: "unauthorised",
    Fault.UNKNOWN_MODEL: "unauthorised",
    Fault.MINUTE_QUOTA: "rate_limited",
    Fault.DAY_QUOTA: "rate_limited",
    Fault.INTERNAL: "overloaded",
    Fault.UNAVAILABLE: "overloaded",
    Fault.HTML_ERROR: "overloaded",
    Fault.HANG: "timeout",
    Fault.DROPPED_BEFORE: "connection",
    Fault.DROPPED_IN_BODY: "connection",
    Fault.BLOCKED_PROMPT: "refused",
    Fault.SAFETY: "refused",
    Fault.RECITATION: "refused",
    Fault.MAX_TOKENS: "cut_off",
    Fault.CUT_OFF: "cut_off",
    Fault.EMPTY_TEXT: "cut_off",
    Fault.TRUNCATED_JSON: "invalid",
}


async def ask(caller: AgentCaller, model: ModelName, **how: object) -> City:
    asked = question(**how)  # type: ignore[arg-type]
    return (await caller.call(model, asked, timeout_seconds=60, admit=admit_all)).value


@pytest.mark.parametrize("model", EVERY, ids=str)
async def test_every_model_answers_at_the_first_try(
    model: ModelName, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    server = server_of(model, gemini, local)
    called = await caller.call(model, question(), timeout_seconds=60, admit=admit_all)
    assert (called.value, called.model) == (PARIS, model)
    (asked,) = server.calls
    assert (called.input_tokens, called.output_tokens > 0) == (asked.tokens, True)


@pytest.mark.parametrize("model", EVERY, ids=str)
async def test_every_model_gets_one_prompt_and_nothing_beside_it(
    model: ModelName, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    await ask(caller, model)
    (asked,) = server_of(model, gemini, local).calls
    assert asked.turns == (("user", PROMPT),)
    assert (asked.system, asked.json_mode, asked.schema_sent, asked.tools) == (None, False, None, ())


@pytest.mark.parametrize("model", EVERY, ids=str)
@pytest.mark.parametrize(
    "written",
    [
        "name: Paris\ninhabitants: 2100000",
        "Here you go:\n\n**Name:** Paris\n**Inhabitants:** 2100000\n\nAnything else?",
        '```\n- name: "Paris"\n- inhabitants: 2100000\n```',
    ],
)
async def test_lines_are_read_whatever_stands_around_them(
    written: str, model: ModelName, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    server = server_of(model, gemini, local)
    server.answer(CITY, written)
    assert await ask(caller, model) == PARIS
    assert len(server.calls) == 1


@pytest.mark.parametrize(("model", "level"), [(GEMMA_4, "MINIMAL"), (FLASH, "LOW")])
async def test_memories_are_worked_on_coldly_and_with_little_thought(
    model: ModelName, level: str, caller: AgentCaller, gemini: GeminiServer
) -> None:
    await ask(caller, model)
    (asked,) = gemini.calls
    assert (asked.temperature, asked.thinking["thinkingLevel"]) == (0, level)


async def test_replies_keep_the_temperature_of_the_model(caller: AgentCaller, gemini: GeminiServer) -> None:
    await ask(caller, FLASH, role=Role.CHAT)
    assert gemini.calls[0].temperature is None


@pytest.mark.parametrize(("model", "seen"), [(GEMMA_3, 1), (FLASH, 1), (OPENAI, 1), (OLLAMA, 0)])
async def test_pictures_go_to_models_that_see(
    model: ModelName, seen: int, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    assert await ask(caller, model, images=(PICTURE,)) == PARIS
    (asked,) = server_of(model, gemini, local).calls
    assert [image.content for image in asked.images] == [PICTURE.content] * seen


@pytest.mark.parametrize("model", EVERY, ids=str)
async def test_json_in_markdown_fences_is_accepted(
    model: ModelName, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    server_of(model, gemini, local).fail(Fault.FENCED_JSON)
    assert await ask(caller, model) == PARIS
    assert len(server_of(model, gemini, local).calls) == 1


@pytest.mark.parametrize("model", [GEMMA_3, GEMMA_4, OPENAI], ids=str)
@pytest.mark.parametrize(("fault", "kind"), FAILURES.items())
async def test_what_goes_wrong_is_told_apart(
    fault: Fault, kind: str, model: ModelName, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    server_of(model, gemini, local).fail(fault)
    with pytest.raises(CallFailed) as failed:
        await caller.call(
            model, question(), timeout_seconds=0.3 if fault is Fault.HANG else 60, admit=admit_all
        )
    assert failed.value.kind == kind


@pytest.mark.parametrize("model", [GEMMA_3, GEMMA_4], ids=str)
async def test_a_malformed_call_of_a_function_is_no_answer(
    model: ModelName, caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.fail(Fault.MALFORMED_CALL)
    with pytest.raises(CallFailed, match="invalid"):
        await ask(caller, model)


@pytest.mark.parametrize("model", EVERY, ids=str)
async def test_a_refusal_in_prose_is_no_answer(
    model: ModelName, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    server_of(model, gemini, local).fail(Fault.REFUSAL)
    with pytest.raises(CallFailed, match=r"invalid|refused"):
        await ask(caller, model)


@pytest.mark.parametrize("model", EVERY, ids=str)
@pytest.mark.parametrize("wrong", [{"name": "Paris"}, "Paris, I think", {"name": "Peter", "inhabitants": 1}])
async def test_a_wrong_answer_may_be_mended_once(
    wrong: object, model: ModelName, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    def check(city: City) -> None:
        if city.name != "Paris":
            raise ValueError(f"{city.name} is nobody's city")

    server = server_of(model, gemini, local)
    server.answer(CITY, [wrong, PARIS])  # type: ignore[list-item]
    assert await ask(caller, model, check=check) == PARIS
    assert len(server.calls) == 2
    server.answer(CITY, [wrong, wrong, PARIS])  # type: ignore[list-item]
    with pytest.raises(CallFailed, match="invalid"):
        await ask(caller, model, check=check)
    assert len(server.calls) == 4


async def test_a_model_hears_what_is_wrong_with_its_answer(caller: AgentCaller, gemini: GeminiServer) -> None:
    def check(city: City) -> None:
        if city.name == "Peter":
            raise ValueError("Peter was not among the cities")

    for model in (GEMMA_3, GEMMA_4):
        gemini.answer(CITY, [{"name": "Peter", "inhabitants": 1}, PARIS])
        await ask(caller, model, check=check)
        assert gemini.calls[-1].system is None
        (_, asked), _, (_, mended) = gemini.calls[-1].turns
        assert asked == PROMPT
        assert mended == (
            "That answer cannot be used: Peter was not among the cities\n"
            "Write the whole answer again, in the form that was asked for above, and nothing else.\n"
        )


@pytest.mark.parametrize(
    ("fault", "least", "most"), [(Fault.MINUTE_QUOTA, 25.4, 26), (Fault.DAY_QUOTA, 900, 3600)]
)
async def test_the_delay_that_a_model_asks_for_is_known(
    fault: Fault, least: float, most: float, caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.fail(fault)
    with pytest.raises(CallFailed) as failed:
        await ask(caller, FLASH)
    assert failed.value.retry_after_seconds is not None
    assert least <= failed.value.retry_after_seconds <= most


async def test_a_model_that_cannot_what_was_promised_is_asked_plainly_and_remembered(
    caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.models[GEMMA_4.name] = replace(gemini.models[GEMMA_4.name], thinking_levels=frozenset({"HIGH"}))
    assert await ask(caller, GEMMA_4) == PARIS
    assert [asked.status for asked in gemini.calls] == [400, 200]
    assert await ask(caller, GEMMA_4) == PARIS
    assert [asked.status for asked in gemini.calls] == [400, 200, 200]


async def test_a_refused_picture_changes_nothing_for_good(caller: AgentCaller, gemini: GeminiServer) -> None:
    with pytest.raises(CallFailed):
        await ask(caller, FLASH, images=(Image(b"x", "text/plain"),))
    assert await ask(caller, FLASH, images=(PICTURE,)) == PARIS
    assert len(gemini.calls[-1].images) == 1


def _never(_: City) -> None:
    raise ValueError("no city will do")


async def test_every_single_request_is_asked_for_leave(caller: AgentCaller, gemini: GeminiServer) -> None:
    leaves = 0

    async def admit() -> None:
        if leaves == len(gemini.calls):
            raise CallHeld("no_quota")

    with pytest.raises(CallHeld, match="no_quota"):
        await caller.call(GEMMA_4, question(), timeout_seconds=60, admit=admit)
    assert gemini.calls == []
    leaves = 1
    with pytest.raises(CallFailed, match="invalid") as failed:
        await caller.call(GEMMA_4, question(check=_never), timeout_seconds=60, admit=admit)
    assert [asked.tokens for asked in gemini.calls] == [failed.value.input_tokens]


async def test_tokens_of_failures_are_known_too(caller: AgentCaller, gemini: GeminiServer) -> None:
    gemini.fail(Fault.TRUNCATED_JSON)
    with pytest.raises(CallFailed) as failed:
        await ask(caller, GEMMA_3)
    assert failed.value.input_tokens == sum(asked.tokens for asked in gemini.calls)


@pytest.mark.parametrize("model", EVERY, ids=str)
async def test_a_caller_that_leaves_takes_the_request_with_it(
    model: ModelName, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    server = server_of(model, gemini, local)
    server.fail(Fault.HANG)
    call = asyncio.create_task(ask(caller, model))
    while not server.calls:
        await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await until_abandoned(server.calls[0])


async def until_abandoned(asked: Asked) -> None:
    async with asyncio.timeout(60):
        while not asked.abandoned:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("model", EVERY, ids=str)
@pytest.mark.parametrize("fault", [None, Fault.TRUNCATED_JSON, Fault.BLOCKED_PROMPT, Fault.INTERNAL])
async def test_the_log_never_repeats_what_was_asked_or_said(
    fault: Fault | None,
    model: ModelName,
    gemini: GeminiServer,
    local: OpenAIServer,
    caller: AgentCaller,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    if fault is not None:
        server_of(model, gemini, local).fail(fault)
        with pytest.raises(CallFailed):
            await ask(caller, model)
    else:
        await ask(caller, model)
    assert "Paris" not in caplog.text
    assert "Peter" not in caplog.text


@pytest.mark.parametrize("model", EVERY, ids=str)
async def test_what_no_database_takes_is_no_part_of_an_answer(
    caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer, model: ModelName
) -> None:
    server_of(model, gemini, local).answer(CITY, {"name": "Par\0is", "inhabitants": 2_100_000})
    assert await ask(caller, model) == PARIS


@pytest.mark.parametrize("model", [FLASH, GEMMA_3, OPENAI, OLLAMA], ids=str)
async def test_what_a_provider_still_had_from_an_earlier_prompt_is_known(
    model: ModelName, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    server = server_of(model, gemini, local)
    rules = CITY + "\n" + "Paris is a city, Peter is not. " * 200
    server.answer(CITY, PARIS)
    told = []
    for names in ("Paris, Peter", "Rome, Paula"):
        asked = replace(question(), prompt=f"{rules}\n{names}\n")
        answer = await caller.call(model, asked, timeout_seconds=60, admit=admit_all)
        told.append(answer.cached_tokens)
    first, second = told
    assert first == 0
    assert estimated_tokens(rules) <= second <= server.calls[-1].tokens
