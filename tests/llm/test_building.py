"""From settings to models: a key is enough, a server of one's own needs none, a wrong name ends the start."""

import pytest

from bot.core.errors import SettingsError
from bot.core.settings import Settings
from bot.llm.chain import ModelName
from bot.llm.operation import Role
from bot.llm.providers import build_models, chains_of
from tests.llm.questions import PARIS, MemoryLedger, question
from tests.servers.gemini import GeminiServer
from tests.servers.openai import OpenAIServer


def settings(**values: object) -> Settings:
    return Settings(_env_file=None, **values)  # type: ignore[arg-type]


def test_without_a_key_there_are_no_models() -> None:
    assert build_models(settings(), MemoryLedger()) is None


async def test_a_key_alone_is_enough(gemini: GeminiServer) -> None:
    models = build_models(settings(gemini_api_key="key", gemini_base_url=gemini.url), MemoryLedger())
    assert models is not None
    gemini.answer("city", PARIS)
    for role in Role:
        assert len(models.chain(role)) == 2
        assert (await models.ask(question(role=role))).value == PARIS
    assert set((await models.energies()).values()) == {100}
    await models.close()


async def test_the_address_that_googles_client_knows_is_honoured(
    gemini: GeminiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", gemini.url)
    models = build_models(settings(gemini_api_key="key"), MemoryLedger())
    assert models is not None
    assert (await models.ask(question())).value == PARIS
    await models.close()


async def test_a_server_of_ones_own_needs_no_key(local: OpenAIServer) -> None:
    models = build_models(
        settings(
            model_chat="openai:mine",
            model_memory="ollama:mine",
            openai_base_url=local.url,
            ollama_base_url=local.url,
        ),
        MemoryLedger(),
    )
    assert models is not None
    assert (await models.ask(question(role=Role.CHAT))).model == "openai:mine"
    assert (await models.ask(question(role=Role.MEMORY))).model == "ollama:mine"
    assert models.chain(Role.SUMMARY) == ()
    await models.close()


def test_a_model_that_cannot_be_reached_is_left_out_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    given = settings(model_chat="gemini-flash-latest,openai:gpt-x", gemini_api_key="key")
    assert chains_of(given)[Role.CHAT][1] == ModelName("openai", "gpt-x")
    assert "MODEL_CHAT names openai:gpt-x, which is left out: set OPENAI_API_KEY" in caplog.text


@pytest.mark.parametrize(
    "name", ["MODEL_CHAT", "MODEL_SUMMARY", "MODEL_MEMORY", "MODEL_QUOTAS", "MODEL_PRICES"]
)
def test_a_wrong_setting_ends_the_start_in_one_line_that_names_it(name: str) -> None:
    with pytest.raises(SettingsError) as refused:
        build_models(settings(**{name.lower(): "gpt-x"}), MemoryLedger())
    assert str(refused.value).startswith(f"{name}: 'gpt-x' ")
    assert "\n" not in str(refused.value)
