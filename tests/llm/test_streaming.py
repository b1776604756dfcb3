"""A model is read along while it writes, by the real clients: piece by piece, and counted to the end."""

import asyncio
from dataclasses import replace

import pytest
from pydantic import BaseModel

from bot.core.errors import ModelError
from bot.llm.calling import AgentCaller
from bot.llm.chain import CallFailed, ModelName
from bot.llm.operation import Question, Role, Tool
from tests.llm.chains import Chain
from tests.llm.questions import EVERY, FLASH, GEMMA_4, OPENAI, admit_all, question, server_of
from tests.llm.shelves import Shelf
from tests.servers.faults import Fault
from tests.servers.gemini import GeminiServer
from tests.servers.openai import OpenAIServer

SAID = "Paris is a city. Peter is not."


class Text(BaseModel):
    text: str


class Reader:
    """Reads along, and shows what it reads from some words on."""

    def __init__(self, *, shows: bool = False) -> None:
        self.shows = shows
        self.is_shown = False
        self.texts: list[str] = []

    def heard(self, text: str) -> None:
        assert asyncio.get_running_loop().is_running(), "whoever waits for news is woken by the loop alone"
        self.texts.append(text)
        self.is_shown = self.is_shown or (self.shows and bool(text))


def asked(reader: Reader, *, tools: tuple[Tool, ...] = (), least: int = 0) -> Question[Text]:
    def check(answer: Text) -> None:
        if len(answer.text) < least:
            raise ValueError("the text is too short")

    return Question(
        operation="reply",
        role=Role.CHAT,
        prompt="Which is a city?",
        prompt_with_tools="Which is a city?",
        answer=Text,
        is_text=True,
        check=check,
        tools=tools,
        listener=reader,
    )


@pytest.fixture(autouse=True)
def _says(gemini: GeminiServer, local: OpenAIServer) -> None:
    gemini.default = local.default = SAID


@pytest.mark.parametrize("model", EVERY, ids=str)
async def test_every_model_is_read_along_and_its_tokens_are_counted_at_the_end(
    model: ModelName, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    reader = Reader()
    called = await caller.call(model, asked(reader), timeout_seconds=60, admit=admit_all)
    assert called.value.text == SAID
    assert len(reader.texts) > 5
    assert reader.texts[-1] == SAID
    assert all(SAID.startswith(text) for text in reader.texts)
    (request,) = server_of(model, gemini, local).calls
    assert (called.input_tokens, called.output_tokens >= 8) == (request.tokens, True)


async def test_a_model_with_tools_is_not_read_along(caller: AgentCaller, gemini: GeminiServer) -> None:
    reader = Reader()
    tools = (Shelf().tool(),)
    called = await caller.call(FLASH, asked(reader, tools=tools), timeout_seconds=60, admit=admit_all)
    assert (called.value.text, reader.texts) == (SAID, [])
    assert gemini.calls[0].path.endswith(":generateContent")


@pytest.mark.parametrize(
    "text", ['{"text": "Paris. It is."}', "```\nParis. It is.\n```", "text: Paris. It is."]
)
async def test_what_may_be_wrapped_is_told_to_nobody_before_it_is_whole(
    text: str, caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.default = text
    reader = Reader()
    called = await caller.call(FLASH, asked(reader), timeout_seconds=60, admit=admit_all)
    assert called.value.text == "Paris. It is."
    assert not any("Paris" in text and text != called.value.text for text in reader.texts)


@pytest.mark.parametrize("fault", [Fault.DROPPED_IN_BODY, Fault.CUT_OFF])
@pytest.mark.parametrize("model", [FLASH, OPENAI], ids=str)
async def test_a_model_that_breaks_off_has_failed_and_what_it_wrote_is_taken_back(
    model: ModelName, fault: Fault, caller: AgentCaller, gemini: GeminiServer, local: OpenAIServer
) -> None:
    server_of(model, gemini, local).fail(fault)
    reader = Reader()
    with pytest.raises(CallFailed):
        await caller.call(model, asked(reader), timeout_seconds=60, admit=admit_all)
    assert any(reader.texts)
    assert reader.texts[-1] == ""


async def test_a_stream_that_breaks_off_costs_what_was_counted_until_then(
    caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.fail(Fault.DROPPED_IN_BODY)
    with pytest.raises(CallFailed) as failed:
        await caller.call(FLASH, asked(Reader()), timeout_seconds=60, admit=admit_all)
    assert failed.value.input_tokens == gemini.calls[0].tokens
    assert failed.value.output_tokens > 0


async def test_an_answer_that_nobody_has_seen_is_mended_and_one_that_is_shown_ends(
    caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.answer("Which is a city?", ["Paris.", SAID])
    reader = Reader()
    called = await caller.call(FLASH, asked(reader, least=10), timeout_seconds=60, admit=admit_all)
    assert (called.value.text, len(gemini.calls)) == (SAID, 2)
    gemini.answer("Which is a city?", ["Paris.", SAID])
    with pytest.raises(CallFailed):
        await caller.call(FLASH, asked(Reader(shows=True), least=10), timeout_seconds=60, admit=admit_all)
    assert len(gemini.calls) == 3


async def test_what_is_shown_has_all_the_time_that_is_left(caller: AgentCaller, gemini: GeminiServer) -> None:
    may_go_on = asyncio.Event()

    async def stops(_: object, written: str) -> None:
        if len(written) > 20:
            await may_go_on.wait()

    gemini.pen.before_piece = stops
    with pytest.raises(CallFailed) as failed:
        await caller.call(FLASH, asked(Reader()), timeout_seconds=0.5, shown_seconds=60, admit=admit_all)
    assert failed.value.kind == "timeout"
    calling = asyncio.create_task(
        caller.call(FLASH, asked(Reader(shows=True)), timeout_seconds=0.5, shown_seconds=60, admit=admit_all)
    )
    # Longer than it would have without a reader.
    await asyncio.sleep(0.6)
    assert not calling.done()
    may_go_on.set()
    assert (await calling).value.text == SAID


async def test_once_a_beginning_is_shown_no_other_model_is_asked() -> None:
    for shows, called in ((False, {FLASH, GEMMA_4}), (True, {FLASH})):
        chain = Chain({FLASH: [CallFailed("other")], GEMMA_4: [CallFailed("other")]})
        reader = Reader(shows=shows)
        reader.heard("Paris")
        asked_for = replace(question(), listener=reader)
        with pytest.raises(ModelError):
            await chain.models.ask(asked_for)
        assert set(chain.caller.called) == called
