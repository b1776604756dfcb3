"""Each fault of the Gemini server as the real client and pydantic-ai see it."""

import asyncio
import json

import pytest
from google.genai.errors import APIError
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput, ToolOutput
from pydantic_ai import exceptions as raised
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider

from tests.servers.faults import HARMLESS, INJECTION, REFUSAL, Fault
from tests.servers.gemini import GeminiServer

GEMINI = "gemini-flash-latest"


class Picked(BaseModel):
    fact_ids: list[str]
    why: str
    kind: str


WHOLE = {"fact_ids": ["f3"], "why": "it is about tea", "kind": "likes"}

RAISED: dict[Fault, tuple[type[Exception], str]] = {
    Fault.BAD_KEY: (raised.ModelAuthenticationError, "API key not valid"),
    Fault.UNKNOWN_MODEL: (raised.ModelNotFoundError, "is not found for API version"),
    Fault.MINUTE_QUOTA: (raised.ModelRateLimitError, r"Please retry in 25\.443s"),
    Fault.DAY_QUOTA: (raised.ModelQuotaExceededError, "PerDayPerProjectPerModel"),
    Fault.INTERNAL: (raised.ModelServerError, "status_code: 500"),
    Fault.UNAVAILABLE: (raised.ModelOverloadedError, "status_code: 503"),
    Fault.HTML_ERROR: (raised.ModelServerError, "DOCTYPE html"),
    Fault.HTML_PAGE: (raised.ModelAPIError, "Failed to decode response as JSON"),
    Fault.DROPPED_BEFORE: (raised.ModelConnectionError, "disconnected without sending"),
    Fault.DROPPED_IN_BODY: (raised.ModelConnectionError, "without sending complete message body"),
    Fault.BLOCKED_PROMPT: (raised.ContentFilterError, "PROHIBITED_CONTENT"),
    Fault.SAFETY: (raised.ContentFilterError, "SAFETY"),
    Fault.RECITATION: (raised.ContentFilterError, "RECITATION"),
    Fault.MAX_TOKENS: (raised.UnexpectedModelBehavior, "token limit"),
    Fault.CUT_OFF: (raised.UnexpectedModelBehavior, "token limit"),
    Fault.MALFORMED_CALL: (raised.UnexpectedModelBehavior, "maximum output retries"),
    Fault.TRUNCATED_JSON: (raised.UnexpectedModelBehavior, "maximum output retries"),
    Fault.EMPTY_TEXT: (raised.UnexpectedModelBehavior, "maximum output retries"),
    Fault.REFUSAL: (raised.UnexpectedModelBehavior, "maximum output retries"),
}
ANSWERED = {
    Fault.SLOW: Picked(**WHOLE),
    Fault.FENCED_JSON: Picked(**WHOLE),
    Fault.WRONG_IDS: Picked(fact_ids=["f903"], why="it is about tea", kind="likes"),
    Fault.INJECTED: Picked(fact_ids=["f3"], why=f"it is about tea {INJECTION}", kind="likes"),
}
FINISHED = {
    Fault.SAFETY: "SAFETY",
    Fault.RECITATION: "RECITATION",
    Fault.MAX_TOKENS: "MAX_TOKENS",
    Fault.MALFORMED_CALL: "MALFORMED_FUNCTION_CALL",
    Fault.EMPTY_TEXT: "STOP",
}


@pytest.fixture
def agent(google: GoogleProvider, gemini: GeminiServer) -> Agent[None, Picked]:
    gemini.slow_seconds = 0.01
    gemini.answer("which", WHOLE)
    return Agent(GoogleModel(GEMINI, provider=google), output_type=NativeOutput(Picked), retries=0)


def test_every_fault_is_tried_here() -> None:
    assert RAISED.keys() | ANSWERED.keys() | {Fault.HANG} == set(Fault)
    assert ANSWERED.keys() >= HARMLESS


@pytest.mark.parametrize("fault", RAISED)
async def test_a_fault_is_raised_as_the_real_service_would_have_it(
    fault: Fault, agent: Agent[None, Picked], gemini: GeminiServer
) -> None:
    gemini.fail(fault, times=1)
    kind, text = RAISED[fault]
    with pytest.raises(kind, match=text):
        await agent.run("which?")
    assert [asked.fault for asked in gemini.calls] == [fault]
    assert (await agent.run("which?")).output == Picked(**WHOLE), "once, and what was spoiled is said again"


@pytest.mark.parametrize("fault", ANSWERED)
async def test_some_faults_leave_an_answer_that_looks_valid(
    fault: Fault, agent: Agent[None, Picked], gemini: GeminiServer
) -> None:
    gemini.fail(fault)
    assert (await agent.run("which?")).output == ANSWERED[fault]


@pytest.mark.parametrize("fault", FINISHED)
async def test_an_answer_that_says_nothing_says_why(
    fault: Fault, google: GoogleProvider, gemini: GeminiServer
) -> None:
    gemini.fail(fault)
    response = await google.client.aio.models.generate_content(model=GEMINI, contents="hello")
    assert response.candidates
    assert str(response.candidates[0].finish_reason).endswith(f".{FINISHED[fault]}")
    assert not response.text


async def test_a_blocked_prompt_has_no_candidates(google: GoogleProvider, gemini: GeminiServer) -> None:
    gemini.fail(Fault.BLOCKED_PROMPT)
    response = await google.client.aio.models.generate_content(model=GEMINI, contents="hello")
    assert not response.candidates
    assert response.prompt_feedback
    assert str(response.prompt_feedback.block_reason).endswith(".PROHIBITED_CONTENT")


async def test_a_rate_limit_tells_programs_when_to_come_again(
    agent: Agent[None, Picked], gemini: GeminiServer
) -> None:
    gemini.fail(Fault.MINUTE_QUOTA)
    with pytest.raises(raised.ModelRateLimitError) as limited:
        await agent.run("which?")
    assert limited.value.retry_after == 25
    body = json.dumps(limited.value.body)
    assert '"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "25s"' in body
    assert "type.googleapis.com/google.rpc.QuotaFailure" in body


async def test_a_server_that_hangs_is_left_and_knows_it(
    agent: Agent[None, Picked], gemini: GeminiServer
) -> None:
    gemini.fail(Fault.HANG)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await agent.run("which?")
    (asked,) = gemini.calls
    async with asyncio.timeout(60):
        while not asked.abandoned:
            await asyncio.sleep(0.01)
    assert asked.status is None


async def test_a_hanging_request_does_not_keep_the_server_up() -> None:
    async with GeminiServer() as server, GoogleProvider(api_key="x", base_url=server.url) as google:
        server.fail(Fault.HANG)
        call = asyncio.create_task(google.client.aio.models.generate_content(model=GEMINI, contents="hello"))
        while not server.calls:
            await asyncio.sleep(0.01)
        await server.__aexit__(None, None, None)
        with pytest.raises(Exception, match="disconnected"):
            await call


async def test_faults_are_switched_by_model_operation_and_number_of_times(
    google: GoogleProvider, gemini: GeminiServer
) -> None:
    async def status(model: str, text: str = "hello") -> int:
        try:
            await google.client.aio.models.generate_content(model=model, contents=text)
        except APIError as error:
            return error.code
        return 200

    gemini.fail(Fault.UNAVAILABLE, model=GEMINI, times=2)
    gemini.fail(Fault.INTERNAL, operation="merge_facts")
    assert await status("gemma-4-31b-it") == 200
    assert [await status(GEMINI) for _ in range(3)] == [503, 503, 200]

    gemini.fail(Fault.INTERNAL)
    assert await status(GEMINI) == 500
    gemini.heal()
    assert await status(GEMINI) == 200


async def test_a_fault_in_a_script_spoils_the_reply_after_it(
    google: GoogleProvider, gemini: GeminiServer
) -> None:
    gemini.answer("hello", [Fault.REFUSAL, Fault.CUT_OFF, "four words of text", "the end"])
    models = google.client.aio.models
    texts = [(await models.generate_content(model=GEMINI, contents="hello")).text for _ in range(4)]
    assert texts == [REFUSAL, "four word", "four words of text", "the end"]


@pytest.mark.parametrize("fault", sorted(ANSWERED))
async def test_an_answer_by_function_may_look_valid_too(
    fault: Fault, google: GoogleProvider, gemini: GeminiServer
) -> None:
    gemini.slow_seconds = 0.01
    gemini.answer("which", WHOLE)
    gemini.fail(fault)
    agent = Agent(GoogleModel(GEMINI, provider=google), output_type=ToolOutput(Picked), retries=0)
    assert (await agent.run("which?")).output == ANSWERED[fault]


@pytest.mark.parametrize("fault", sorted(RAISED))
async def test_an_answer_by_function_is_spoiled_as_well(
    fault: Fault, google: GoogleProvider, gemini: GeminiServer
) -> None:
    gemini.answer("which", WHOLE)
    gemini.fail(fault)
    agent = Agent(GoogleModel(GEMINI, provider=google), output_type=ToolOutput(Picked), retries=0)
    with pytest.raises(raised.AgentRunError):
        await agent.run("which?")


async def test_the_time_to_come_again_can_be_set(agent: Agent[None, Picked], gemini: GeminiServer) -> None:
    gemini.retry_seconds = 0.25
    gemini.fail(Fault.MINUTE_QUOTA)
    with pytest.raises(raised.ModelRateLimitError, match=r"Please retry in 0\.25s") as limited:
        await agent.run("which?")
    assert limited.value.retry_after == 0.25
