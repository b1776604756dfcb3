"""Tools in a question to a model, by the real clients: offered where a model has tools, and to no other."""

from dataclasses import replace

import pytest
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.profiles.google import GoogleModelProfile
from pydantic_ai.providers.google import GoogleProvider

from bot.llm.calling import AgentCaller
from bot.llm.chain import CallFailed, ModelName
from bot.llm.operation import MOST_ROUNDS
from tests.llm.questions import (
    FLASH,
    GEMMA_3,
    GEMMA_4,
    OLLAMA,
    OPENAI,
    PROMPT,
    City,
    admit_all,
    caller_of,
    question,
)
from tests.llm.shelves import CITY, WITH_TOOLS, Keep, Shelf, ask, with_tools
from tests.servers.base import ToolCall
from tests.servers.faults import Fault
from tests.servers.gemini import GeminiServer
from tests.servers.openai import OpenAIServer

GEMINI_2_5 = ModelName(provider="google", name="gemini-2.5-flash")


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.mark.parametrize("model", [FLASH, GEMMA_4], ids=str)
async def test_a_model_has_something_done_and_answers_then(
    model: ModelName, shelf: Shelf, caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.answer(CITY, [ToolCall("keep", {"city": "Paris"}), "Paris"])
    assert await ask(caller, model, with_tools(shelf)) == "Paris"
    assert shelf.calls == [Keep(city="Paris")]
    first, last = gemini.calls
    assert first.tools == ("keep",)
    assert first.prompt == WITH_TOOLS
    assert last.tool_results == ({"done": True, "city": "Paris"},)


@pytest.mark.parametrize("model", [FLASH, GEMMA_4, OPENAI], ids=str)
async def test_no_model_gets_a_schema_beside_tools(
    model: ModelName, shelf: Shelf, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    server = gemini if model.provider == "google" else local
    server.answer(CITY, "Paris")
    assert await ask(caller, model, with_tools(shelf)) == "Paris"
    (asked,) = server.calls
    assert (asked.tools, asked.json_mode, asked.must_call) == (("keep",), False, ())


async def test_a_model_that_cannot_do_both_refuses_tools_beside_json(gemini: GeminiServer) -> None:
    profile = GoogleModelProfile(google_supports_tool_combination=True, supports_json_schema_output=True)
    async with GoogleProvider(api_key="the-key", base_url=gemini.url) as provider:
        for name, status in (("gemini-2.5-flash", 400), ("gemma-4-31b-it", 400), ("gemini-3.8-flash", 200)):
            model = GoogleModel(name, provider=provider, profile=profile)
            agent = Agent(model, output_type=NativeOutput(City), tools=[_nothing])
            if status == 200:
                await agent.run(PROMPT)
            else:
                with pytest.raises(Exception, match="response mime type: 'application/json' is unsupported"):
                    await agent.run(PROMPT)
            assert gemini.calls[-1].status == status


def _nothing() -> str:
    """Do nothing."""
    return ""


async def test_the_models_that_cannot_do_both_have_something_done_too(
    shelf: Shelf, gemini: GeminiServer, local: OpenAIServer
) -> None:
    caller = caller_of(gemini, local, [GEMINI_2_5])
    gemini.answer(CITY, [ToolCall("keep", {"city": "Paris"}), "Paris"])
    assert await ask(caller, GEMINI_2_5, with_tools(shelf)) == "Paris"
    assert shelf.kept == ["Paris"]
    assert [asked.status for asked in gemini.calls] == [200, 200]
    await caller.close()


@pytest.mark.parametrize("model", [GEMMA_3, OLLAMA], ids=str)
async def test_a_model_without_tools_simply_answers_and_is_told_of_none(
    model: ModelName, shelf: Shelf, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    assert await ask(caller, model, with_tools(shelf)) == "Paris"
    (asked,) = (gemini if model is GEMMA_3 else local).calls
    assert asked.tools == ()
    assert asked.prompt.startswith(PROMPT)
    assert "You may keep" not in asked.prompt


async def test_a_model_that_refuses_tools_answers_without_and_is_remembered(
    shelf: Shelf, caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.models[GEMMA_4.name] = replace(gemini.models[GEMMA_4.name], tools=False)
    for _ in range(2):
        assert await ask(caller, GEMMA_4, with_tools(shelf)) == "Paris"
    assert [(asked.status, asked.tools) for asked in gemini.calls] == [(400, ("keep",)), (200, ()), (200, ())]


@pytest.mark.parametrize("wrong", [{}, {"city": 7}, {"city": None}, {"town": "Paris"}])
async def test_a_wrong_input_comes_back_as_what_is_wrong_with_it(
    wrong: dict[str, object], shelf: Shelf, caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.answer(CITY, [ToolCall("keep", wrong), ToolCall("keep", {"city": "Paris"}), "Paris"])
    assert await ask(caller, FLASH, with_tools(shelf)) == "Paris"
    first = gemini.calls[1].tool_results[0]
    assert first["done"] is False
    assert "city" in str(first["problem"])
    assert shelf.kept == ["Paris"]


async def test_a_tool_that_was_not_offered_is_no_good_end(
    shelf: Shelf, caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.answer(CITY, ToolCall("drop_everything"))
    with pytest.raises(CallFailed, match="invalid"):
        await ask(caller, FLASH, with_tools(shelf))
    assert shelf.calls == []
    gemini.answer(CITY, ToolCall("keep", {"city": "Paris"}))
    with pytest.raises(CallFailed, match="invalid"):
        await caller.call(FLASH, question(), timeout_seconds=60, admit=admit_all)
    assert shelf.calls == []


async def test_a_model_that_only_ever_calls_tools_comes_to_an_end(
    shelf: Shelf, caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.answer(CITY, ToolCall("keep", {"city": "Paris"}))
    with pytest.raises(CallFailed, match="invalid"):
        await ask(caller, FLASH, with_tools(shelf))
    assert len(gemini.calls) == MOST_ROUNDS


@pytest.mark.parametrize("fault", [Fault.CUT_OFF, Fault.EMPTY_TEXT, Fault.MALFORMED_CALL])
async def test_half_an_answer_is_none_with_tools_either(
    fault: Fault, shelf: Shelf, caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.fail(fault)
    with pytest.raises(CallFailed):
        await ask(caller, FLASH, with_tools(shelf))


@pytest.mark.parametrize("spoiled", ['{"name": "Par', '```json\n{"name": 7\n```'])
async def test_what_begins_as_an_answer_in_json_must_be_a_whole_one(
    spoiled: str, shelf: Shelf, caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.answer(CITY, [spoiled, '```json\n{"name": "Paris"}\n```'])
    assert await ask(caller, FLASH, with_tools(shelf)) == "Paris"
    assert len(gemini.calls) == 2


@pytest.mark.parametrize("said", ["{}", '```json\n{"mayor": "Anne"}\n```', "Paris {sic}"])
async def test_other_json_is_a_text_like_any_other(
    said: str, shelf: Shelf, caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.answer(CITY, said)
    assert await ask(caller, FLASH, with_tools(shelf)) == said
