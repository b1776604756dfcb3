"""Tools along a chain of models, and in an operation: counted, never done twice, and told to the template."""

from dataclasses import dataclass

import pytest

from bot.llm.budget import Budget, Quota, UsageLimits
from bot.llm.chain import ModelName
from bot.llm.models import ConfiguredModels
from bot.llm.operation import Operation, Operations, Question, Role
from tests.llm.questions import FLASH, GEMMA_3, GEMMA_4, PARIS, City, Counted, MemoryLedger, caller_of
from tests.llm.shelves import CITY, Said, Shelf, with_tools
from tests.servers.base import ToolCall
from tests.servers.faults import Fault
from tests.servers.gemini import GeminiServer
from tests.servers.openai import OpenAIServer


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@dataclass
class Chain:
    """Two models behind real clients, and what was counted of them."""

    models: ConfiguredModels
    ledger: MemoryLedger
    counted: Counted


def chain_of(gemini: GeminiServer, local: OpenAIServer, *models: ModelName) -> Chain:
    ledger, counted = MemoryLedger(), Counted()
    caller = caller_of(gemini, local, models)
    return Chain(
        ConfiguredModels(
            {Role.CHAT: models},
            caller,
            Budget(ledger, UsageLimits(quotas={model: Quota(per_day=100) for model in models})),
            meter=counted,
        ),
        ledger,
        counted,
    )


@pytest.mark.parametrize("last", [GEMMA_4, GEMMA_3], ids=str)
async def test_when_a_model_dies_after_a_tool_call_the_next_one_answers_and_nothing_is_done_twice(
    last: ModelName, shelf: Shelf, gemini: GeminiServer, local: OpenAIServer
) -> None:
    chain = chain_of(gemini, local, FLASH, last)
    gemini.answer(lambda asked: asked.model == FLASH.name, ToolCall("keep", {"city": "Paris"}))
    # It dies when it has read the result, of a failure after which it is not asked again.
    gemini.answer(
        lambda asked: asked.model == FLASH.name and bool(asked.tool_results), [Fault.SAFETY, "never said"]
    )
    repeats = ToolCall("keep", {"city": "Paris"})
    gemini.answer(
        lambda asked: asked.model == last.name, [repeats, "Paris"] if last is GEMMA_4 else ["Paris"]
    )
    answer = await chain.models.ask(with_tools(shelf))
    assert (answer.value.name, answer.model) == ("Paris", str(last))
    assert shelf.kept == ["Paris"]
    assert len(shelf.calls) == (2 if last is GEMMA_4 else 1)
    await chain.models.close()


async def test_every_request_of_a_tool_loop_is_counted(
    shelf: Shelf, gemini: GeminiServer, local: OpenAIServer
) -> None:
    chain = chain_of(gemini, local, FLASH)
    gemini.answer(
        CITY, [ToolCall("keep", {"city": "Paris"}), ToolCall("keep", {"city": "Rome"}), "Paris, of course"]
    )
    answer = await chain.models.ask(with_tools(shelf))
    assert len(chain.ledger.reserved) == len(gemini.calls) == 3
    (spent,) = chain.ledger.recorded
    assert spent.calls == 3
    assert spent.input_tokens == sum(asked.tokens for asked in gemini.calls)
    assert answer.tokens >= spent.input_tokens
    assert chain.counted.endings == [(str(FLASH), "answered")]
    await chain.models.close()


async def test_an_operation_tells_its_template_whether_there_are_tools(shelf: Shelf) -> None:
    asked: list[Question[Said]] = []

    class Listening:
        async def ask(self, question: Question[Said]) -> object:
            asked.append(question)
            raise AssertionError

    operation: Operation[str, Said] = Operation(
        name="check_model",
        role=Role.CHAT,
        answer=Said,
        frame=lambda given: {"data": given},
        fallback=lambda _given: Said(name="Paris"),
        is_text=True,
    )
    for tools in ((), (shelf.tool(),)):
        with pytest.raises(AssertionError):
            await Operations(Listening()).run(operation, "x", tools=tools)  # type: ignore[arg-type]
    without, offered = asked
    assert (without.tools, without.prompt_with_tools) == ((), "")
    assert offered.prompt == without.prompt
    assert offered.prompt_with_tools == operation.prompt("x", has_tools=True)
    assert without.is_text
    assert offered.is_text


async def test_without_a_model_no_tool_is_called(shelf: Shelf) -> None:
    operation: Operation[str, City] = Operation(
        name="check_model",
        role=Role.CHAT,
        answer=City,
        frame=lambda given: {"data": given},
        fallback=lambda _given: PARIS,
    )
    outcome = await Operations().run(operation, "x", tools=(shelf.tool(),))
    assert (outcome.value, shelf.calls) == (PARIS, [])
