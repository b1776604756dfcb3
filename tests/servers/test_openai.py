"""What the real OpenAI client sees of the loopback server."""

import asyncio
from typing import Literal

import openai as sdk
import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent, NativeOutput
from pydantic_ai import exceptions as raised
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from tests.servers.faults import REFUSAL, Fault
from tests.servers.openai import OpenAIServer

MODEL = "llama3.2"


class Picked(BaseModel):
    fact_ids: list[str]
    kind: Literal["likes", "none"]


WHOLE = {"fact_ids": ["f3"], "kind": "likes"}

RAISED: dict[Fault, tuple[type[Exception], str]] = {
    Fault.BAD_KEY: (raised.ModelAuthenticationError, "status_code: 401"),
    Fault.UNKNOWN_MODEL: (raised.ModelNotFoundError, "status_code: 404"),
    Fault.MINUTE_QUOTA: (raised.ModelRateLimitError, "rate_limit_exceeded"),
    Fault.DAY_QUOTA: (raised.ModelQuotaExceededError, "insufficient_quota"),
    Fault.INTERNAL: (raised.ModelServerError, "status_code: 500"),
    Fault.UNAVAILABLE: (raised.ModelOverloadedError, "status_code: 503"),
    Fault.HTML_ERROR: (raised.ModelServerError, "status_code: 502"),
    Fault.HTML_PAGE: (raised.UnexpectedModelBehavior, "Invalid response"),
    Fault.DROPPED_BEFORE: (raised.ModelConnectionError, "Connection error"),
    Fault.DROPPED_IN_BODY: (raised.ModelConnectionError, "Connection error"),
    Fault.BLOCKED_PROMPT: (raised.ModelHTTPError, "invalid_prompt"),
    Fault.SAFETY: (raised.ContentFilterError, "content_filter"),
    Fault.RECITATION: (raised.ContentFilterError, "content_filter"),
    Fault.REFUSAL: (raised.ContentFilterError, REFUSAL),
    Fault.MAX_TOKENS: (raised.UnexpectedModelBehavior, "token limit"),
    Fault.CUT_OFF: (raised.UnexpectedModelBehavior, "token limit"),
    Fault.TRUNCATED_JSON: (raised.UnexpectedModelBehavior, "maximum output retries"),
    Fault.EMPTY_TEXT: (raised.UnexpectedModelBehavior, "maximum output retries"),
}
ANSWERED = {
    Fault.SLOW: Picked(fact_ids=["f3"], kind="likes"),
    Fault.FENCED_JSON: Picked(fact_ids=["f3"], kind="likes"),
    Fault.WRONG_IDS: Picked(fact_ids=["f903"], kind="likes"),
    Fault.INJECTED: Picked(fact_ids=["f3"], kind="likes"),
}


@pytest.fixture
def agent(openai: OpenAIProvider, openai_server: OpenAIServer) -> Agent[None, Picked]:
    openai_server.slow_seconds = 0.01
    model = OpenAIChatModel(MODEL, provider=openai)
    return Agent(model, output_type=NativeOutput(Picked), instructions="Be brief.", retries=0)


async def test_an_answer_is_scripted_and_its_request_recorded(
    agent: Agent[None, Picked], openai_server: OpenAIServer
) -> None:
    openai_server.answer("which", [WHOLE])
    picture = BinaryContent(b"not really a picture", media_type="image/png")
    run = await agent.run(["which?", picture], model_settings={"temperature": 0})

    assert run.output == Picked(fact_ids=["f3"], kind="likes")
    (asked,) = openai_server.calls
    assert (asked.model, asked.path) == (MODEL, "/v1/chat/completions")
    assert (asked.system, asked.text, asked.temperature) == ("Be brief.", "which?", 0)
    assert asked.json_mode
    assert "fact_ids" in str(asked.schema)
    assert [(image.media_type, image.content) for image in asked.images] == [("image/png", picture.data)]
    assert (asked.api_key, asked.status) == ("the-key", 200)
    assert (run.usage.input_tokens, run.usage.output_tokens) == (asked.tokens, 10)


async def test_what_nobody_scripted_gets_the_most_harmless_answer_that_fits(
    agent: Agent[None, Picked],
) -> None:
    assert (await agent.run("which?")).output == Picked(fact_ids=[], kind="none")


async def test_text_is_answered_with_text_and_the_models_are_listed(openai: OpenAIProvider) -> None:
    assert (await Agent(OpenAIChatModel(MODEL, provider=openai)).run("hello")).output == "OK"
    assert [model.id async for model in openai.client.models.list()] == ["local-model"]


def test_every_fault_is_tried_here() -> None:
    assert RAISED.keys() | ANSWERED.keys() | {Fault.HANG} == OpenAIServer.faults


@pytest.mark.parametrize("fault", RAISED)
async def test_a_fault_is_raised_as_the_real_service_would_have_it(
    fault: Fault, agent: Agent[None, Picked], openai_server: OpenAIServer
) -> None:
    openai_server.answer("which", WHOLE)
    openai_server.fail(fault, times=1)
    kind, text = RAISED[fault]
    with pytest.raises(kind, match=text):
        await agent.run("which?")
    assert (await agent.run("which?")).output == Picked(fact_ids=["f3"], kind="likes")


@pytest.mark.parametrize("fault", ANSWERED)
async def test_some_faults_leave_an_answer_that_looks_valid(
    fault: Fault, agent: Agent[None, Picked], openai_server: OpenAIServer
) -> None:
    openai_server.answer("which", WHOLE)
    openai_server.fail(fault)
    assert (await agent.run("which?")).output == ANSWERED[fault]


async def test_a_rate_limit_says_when_to_come_again(
    openai: OpenAIProvider, openai_server: OpenAIServer
) -> None:
    openai_server.fail(Fault.MINUTE_QUOTA)
    with pytest.raises(sdk.RateLimitError) as limited:
        await openai.client.chat.completions.create(
            model=MODEL, messages=[{"role": "user", "content": "hello"}]
        )
    assert limited.value.response.headers["retry-after"] == "25.443"


async def test_a_server_that_hangs_is_left_and_knows_it(
    agent: Agent[None, Picked], openai_server: OpenAIServer
) -> None:
    openai_server.fail(Fault.HANG)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await agent.run("which?")
    async with asyncio.timeout(60):
        while not openai_server.calls[0].abandoned:
            await asyncio.sleep(0.01)


async def test_a_fault_of_another_service_is_refused(openai_server: OpenAIServer) -> None:
    with pytest.raises(ValueError, match="OpenAIServer knows no MALFORMED_CALL"):
        openai_server.fail(Fault.MALFORMED_CALL)
