"""What the real Google client sees of the loopback server on good days: answers, refusals, quotas, records."""

import json
import re
from datetime import datetime
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

import jinja2
import pytest
from google.genai import types
from google.genai.errors import ClientError
from pydantic import BaseModel, Field
from pydantic_ai import Agent, BinaryContent, NativeOutput, PromptedOutput, ToolOutput
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.models.google import GoogleModel, GoogleModelSettings
from pydantic_ai.providers.google import GoogleProvider

from bot.core import settings as core_settings
from tests.servers.abilities import Abilities
from tests.servers.asked import Asked, operation_names
from tests.servers.gemini import GeminiServer
from tests.servers.quota import Period

GEMINI = "gemini-flash-latest"
GEMMA_4 = "gemma-4-31b-it"
GEMMA_3 = "gemma-3-27b-it"


class Chat(BaseModel):
    intent: Literal["chat"]


class Forget(BaseModel):
    intent: Literal["forget"]
    what: str
    fact_ids: list[str]


class Nested(BaseModel):
    routed: Annotated[Forget | Chat, Field(discriminator="intent")]
    kinds: list[Literal["fact", "event", "other"]] = Field(min_length=1)
    importance: int = Field(ge=1, le=100)
    note: str = Field(max_length=5)
    maybe: str | None


async def say(provider: GoogleProvider, prompt: str, *, model: str = GEMINI) -> str | None:
    return (await provider.client.aio.models.generate_content(model=model, contents=prompt)).text


def prompt_of(operation: str) -> str:
    """Return a prompt made from the operation's template with nothing put in."""
    folder = jinja2.FileSystemLoader(core_settings.resource_folder("prompts"))
    environment = jinja2.Environment(autoescape=True, loader=folder, undefined=jinja2.ChainableUndefined)
    return environment.get_template(f"{operation}.j2").render()


@pytest.mark.smoke
@pytest.mark.parametrize("operation", sorted(operation_names()))
async def test_an_operation_is_known_by_its_template(
    operation: str, gemini: GeminiServer, google: GoogleProvider
) -> None:
    gemini.answer(operation, "told")

    assert await say(google, f"{prompt_of(operation)}\nAnswer in JSON.") == "told"
    assert await say(google, f"What does {operation} mean?") == "OK"
    assert [asked.operation for asked in gemini.calls] == [operation, None]
    assert gemini.requests_of(operation) == gemini.calls[:1]


async def test_a_script_is_for_a_text_or_a_rule_and_the_last_one_goes_first(
    gemini: GeminiServer, google: GoogleProvider
) -> None:
    gemini.answer("weather", ["rain", "sun"])
    assert [await say(google, "the weather?") for _ in range(3)] == ["rain", "sun", "sun"]

    gemini.answer(lambda asked: asked.model == GEMMA_3, lambda asked: asked.text.upper())
    assert await say(google, "the weather?", model=GEMMA_3) == "THE WEATHER?"
    assert await say(google, "the weather?") == "sun"


async def test_an_async_reply_may_wait_and_a_model_is_sent_as_json(
    gemini: GeminiServer, google: GoogleProvider
) -> None:
    async def later(_: Asked) -> Chat:
        return Chat(intent="chat")

    gemini.answer("hello", later)
    assert await say(google, "hello") == '{"intent": "chat"}'


@pytest.mark.parametrize("wrap", [NativeOutput, ToolOutput])
async def test_what_nobody_scripted_gets_the_most_harmless_answer_that_fits(
    wrap: type[NativeOutput[Nested]] | type[ToolOutput[Nested]], google: GoogleProvider
) -> None:
    agent = Agent(GoogleModel(GEMINI, provider=google), output_type=wrap(Nested), retries=0)
    answer = (await agent.run("hello")).output

    assert answer.routed == Chat(intent="chat")
    assert answer.kinds == ["other"]
    assert (answer.importance, answer.maybe) == (1, None)


async def test_a_plain_model_gets_its_answer_from_the_schema_in_the_prompt(google: GoogleProvider) -> None:
    schema = json.dumps(Nested.model_json_schema())
    text = await say(google, f'Answer {{like this}}: {{"kind": 1}}. The schema:\n{schema}', model=GEMMA_3)
    assert Nested.model_validate_json(text or "").routed == Chat(intent="chat")


async def test_everything_that_was_sent_is_recorded(gemini: GeminiServer, google: GoogleProvider) -> None:
    settings = GoogleModelSettings(
        temperature=0, google_thinking_config={"thinking_level": types.ThinkingLevel.MINIMAL}
    )
    agent = Agent(
        GoogleModel(GEMMA_4, provider=google),
        output_type=NativeOutput(Chat),
        instructions="Be brief.",
        model_settings=settings,
    )
    picture = BinaryContent(b"not really a picture", media_type="image/png")
    await agent.run(["what is this?", picture])

    (asked,) = gemini.calls
    assert (asked.model, asked.system, asked.text) == (GEMMA_4, "Be brief.", "what is this?")
    assert asked.path == "/v1beta/models/gemma-4-31b-it:generateContent"
    assert (asked.temperature, asked.thinking) == (0, {"thinkingLevel": "MINIMAL"})
    assert asked.json_mode
    assert asked.schema is not None
    assert "intent" in str(asked.schema)
    assert [(image.media_type, image.content) for image in asked.images] == [("image/png", picture.data)]
    assert (asked.api_key, asked.status, asked.answer) == ("the-key", 200, '{"intent": "chat"}')


async def test_functions_offered_are_recorded_and_can_be_called(
    gemini: GeminiServer, google: GoogleProvider
) -> None:
    agent = Agent(GoogleModel(GEMINI, provider=google), output_type=Chat)
    await agent.run("hello")
    assert gemini.calls[0].tools == gemini.calls[0].must_call == ("final_result",)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            {"system_instruction": "Be brief."},
            "Developer instruction is not enabled for models/gemma-3-27b-it",
        ),
        ({"response_mime_type": "application/json"}, "JSON mode is not enabled for models/gemma-3-27b-it"),
        ({"response_schema": Chat}, "JSON mode is not enabled for models/gemma-3-27b-it"),
        ({"thinking_config": {"thinking_budget": 0}}, "Thinking is not enabled for this model"),
    ],
)
async def test_gemma_3_refuses_what_it_cannot_do(
    config: types.GenerateContentConfigDict, message: str, google: GoogleProvider
) -> None:
    models = google.client.aio.models
    with pytest.raises(ClientError) as refused:
        await models.generate_content(model=GEMMA_3, contents="hello", config=config)
    assert (refused.value.code, refused.value.status) == (400, "INVALID_ARGUMENT")
    assert refused.value.message == message
    if "thinking_config" not in config:
        assert (await models.generate_content(model=GEMMA_4, contents="hello", config=config)).text


async def test_prompted_output_is_of_no_use_with_gemma_3(google: GoogleProvider) -> None:
    agent = Agent(GoogleModel(GEMMA_3, provider=google), output_type=PromptedOutput(Chat))
    with pytest.raises(ModelHTTPError, match="is not enabled for models/gemma-3-27b-it"):
        await agent.run("hello")


@pytest.mark.parametrize(
    ("model", "level", "accepted"),
    [
        (GEMMA_4, "MINIMAL", True),
        (GEMMA_4, "HIGH", True),
        (GEMMA_4, "LOW", False),
        (GEMMA_4, "MEDIUM", False),
        ("gemini-flash-lite-latest", "MINIMAL", True),
        (GEMINI, "LOW", True),
        (GEMINI, "MINIMAL", False),
        (GEMMA_3, "HIGH", False),
    ],
)
async def test_each_model_knows_its_own_levels_of_thinking(
    model: str, level: str, accepted: bool, google: GoogleProvider
) -> None:
    config = types.GenerateContentConfig(
        thinking_config=types.ThinkingConfig(thinking_level=types.ThinkingLevel(level))
    )
    call = google.client.aio.models.generate_content(model=model, contents="hello", config=config)
    if accepted:
        assert (await call).text == "OK"
    else:
        with pytest.raises(ClientError, match=r"400 INVALID_ARGUMENT.*[Tt]hinking"):
            await call


async def test_a_model_can_lose_what_it_could_do(gemini: GeminiServer, google: GoogleProvider) -> None:
    gemini.models[GEMINI] = Abilities(json_mode=False)
    agent = Agent(GoogleModel(GEMINI, provider=google), output_type=NativeOutput(Chat))
    with pytest.raises(ModelHTTPError, match="JSON mode is not enabled for models/gemini-flash-latest"):
        await agent.run("hello")
    del gemini.models[GEMINI]
    with pytest.raises(
        ModelHTTPError, match="models/gemini-flash-latest is not found for API version v1beta"
    ):
        await agent.run("hello")


async def test_a_picture_of_a_kind_that_the_models_cannot_read_is_refused(google: GoogleProvider) -> None:
    agent = Agent(GoogleModel(GEMINI, provider=google))
    with pytest.raises(ModelHTTPError, match="Unsupported MIME type: image/gif"):
        await agent.run(["look", BinaryContent(b"GIF89a", media_type="image/gif")])


async def test_a_key_must_be_there_and_be_the_right_one() -> None:
    async with GeminiServer(api_key="the-key") as server:
        async with GoogleProvider(api_key="another", base_url=server.url) as google:
            with pytest.raises(ClientError, match="API_KEY_INVALID"):
                await say(google, "hello")
        async with GoogleProvider(api_key="the-key", base_url=server.url) as google:
            assert await say(google, "hello") == "OK"


async def test_tokens_are_counted_as_documented(google: GoogleProvider) -> None:
    agent = Agent(GoogleModel("gemini-flash-lite-latest", provider=google))
    usage = (await agent.run("привет")).usage
    assert usage.input_tokens == 3, "12 bytes of UTF-8, 4 a token"
    assert usage.output_tokens == 1 + 40, '"OK", and what a model thinks that nobody told not to'


async def test_an_answer_stops_at_the_limit_of_tokens(gemini: GeminiServer, google: GoogleProvider) -> None:
    gemini.answer("count", "one two three four five")
    response = await google.client.aio.models.generate_content(
        model=GEMINI, contents="count", config={"max_output_tokens": 2}
    )
    assert response.text == "one two "
    assert response.candidates
    assert response.candidates[0].finish_reason is types.FinishReason.MAX_TOKENS


def at(hour: int, minute: int, second: int, *, day: int = 14) -> float:
    return datetime(2026, 3, day, hour, minute, second, tzinfo=ZoneInfo("America/Los_Angeles")).timestamp()


async def test_a_quota_of_the_minute_counts_rejected_requests_too_and_says_when_to_come_again(
    gemini: GeminiServer, google: GoogleProvider
) -> None:
    gemini.limit(GEMINI, per_minute=2)
    gemini.quotas.now = lambda: at(12, 0, 20)
    assert [await say(google, "hello") for _ in range(2)] == ["OK", "OK"]
    for _ in range(2):
        with pytest.raises(ClientError, match=re.escape("Please retry in 40s.")) as refused:
            await say(google, "hello")
    assert "GenerateRequestsPerMinutePerProjectPerModel-FreeTier" in str(refused.value)
    assert gemini.quotas.used(GEMINI, Period.MINUTE) == 4
    assert await say(google, "hello", model=GEMMA_4) == "OK", "each model has its own"

    gemini.quotas.now = lambda: at(12, 1, 0)
    assert await say(google, "hello") == "OK"


async def test_a_quota_of_the_day_turns_at_midnight_in_los_angeles(
    gemini: GeminiServer, google: GoogleProvider
) -> None:
    gemini.limit(GEMINI, per_day=1)
    gemini.quotas.now = lambda: at(23, 59, 30)
    assert await say(google, "hello") == "OK"
    with pytest.raises(ClientError, match=re.escape("'retryDelay': '30s'")) as refused:
        await say(google, "hello")
    assert "GenerateRequestsPerDayPerProjectPerModel-FreeTier" in str(refused.value)

    gemini.quotas.now = lambda: at(0, 0, 0, day=15)
    assert await say(google, "hello") == "OK"


async def test_a_mistake_in_a_script_is_told_to_the_test() -> None:
    def broken(_: Asked) -> str:
        raise LookupError("the script is wrong")

    with pytest.raises(LookupError, match="the script is wrong"):
        async with GeminiServer() as server, GoogleProvider(api_key="x", base_url=server.url) as google:
            server.answer("hello", broken)
            with pytest.raises(Exception, match="500"):
                await say(google, "hello")
