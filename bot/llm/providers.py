"""The clients of the providers. Each is built once, when one of its models is configured, and closed at shutdown. The
libraries take a second or two to load, so only those of configured providers are loaded.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import SecretStr

from bot.core.errors import SettingsError
from bot.core.metering import Meter
from bot.core.settings import Settings
from bot.llm.budget import Budget, Ledger, UsageLimits, parse_prices, parse_quotas
from bot.llm.chain import ModelName, Provider, parse_chain
from bot.llm.limits import ServiceLimits
from bot.llm.models import ConfiguredModels
from bot.llm.operation import Role

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

logger = logging.getLogger(__name__)


_NO_KEY: Final = "none"
"""The client library insists on a key; a server of one's own asks for none."""

_READ_SECONDS: Final = 120.0
_CONNECT_SECONDS: Final = 5.0
"""Both are backstops only: every call has a deadline of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How to reach one provider; a base URL of `None` is the provider's own."""

    key: SecretStr | None = None
    base_url: str | None = None

    @property
    def secret(self) -> str:
        """The key as it is sent."""
        return self.key.get_secret_value() if self.key is not None else _NO_KEY


class Providers:
    """The models named in `models`, each reached as `access` says; one client for each provider."""

    def __init__(
        self,
        models: Collection[ModelName],
        access: Mapping[Provider, Access],
        limits: ServiceLimits | None = None,
    ) -> None:
        """`limits` hears of what the services say of theirs."""
        from pydantic_ai.models import create_async_httpx2_client

        self._stack = AsyncExitStack()
        self._models: dict[ModelName, Model] = {}
        for provider in {model.provider for model in models}:
            http = create_async_httpx2_client(timeout=_timeout())
            self._stack.push_async_callback(http.aclose)
            if limits is not None:
                hooks = http.event_hooks
                http.event_hooks = {**hooks, "response": [*hooks["response"], limits.heard]}
            build = self._builder(provider, access[provider], http)
            self._models.update({name: build(name.name) for name in models if name.provider == provider})

    def model(self, name: ModelName) -> "Model":
        """Return the model of this name; one that was not configured is a `KeyError`."""
        return self._models[name]

    async def close(self) -> None:
        """Close every client with its connections."""
        await self._stack.aclose()

    def _builder(
        self, provider: Provider, access: Access, http: "httpx2.AsyncClient"
    ) -> "Callable[[str], Model]":
        """Return what makes a model of `provider` by its name; the libraries of others are not loaded."""
        if provider == "google":
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            # Without a base URL the client looks at GOOGLE_GEMINI_BASE_URL by itself.
            google = GoogleProvider(api_key=access.secret, base_url=access.base_url, http_client=http)
            self._stack.push_async_callback(google.client.aio.aclose)
            self._stack.callback(google.client.close)
            return partial(GoogleModel, provider=google)
        if provider == "ollama":
            from pydantic_ai.models.ollama import OllamaModel
            from pydantic_ai.providers.ollama import OllamaProvider

            ollama = OllamaProvider(api_key=access.secret, base_url=access.base_url, http_client=http)
            return partial(OllamaModel, provider=ollama)
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        base_url = access.base_url or "https://api.openai.com/v1"
        openai = OpenAIProvider(api_key=access.secret, base_url=base_url, http_client=http)
        return partial(OpenAIChatModel, provider=openai)


def _timeout() -> "httpx2.Timeout":
    import httpx2

    return httpx2.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS)


T = TypeVar("T")

_SETTINGS: Final[Mapping[Role, str]] = {
    Role.CHAT: "model_chat",
    Role.SUMMARY: "model_summary",
    Role.MEMORY: "model_memory",
    Role.LEARNING: "model_learning",
}

_WAYS_IN: Final[Mapping[Provider, str]] = {
    "google": "GEMINI_API_KEY",
    "openai": "OPENAI_API_KEY or OPENAI_BASE_URL",
    "ollama": "OLLAMA_BASE_URL",
}
"""What has to be set for a provider to be reached; the last has a default."""

NO_MODEL: Final = (
    "none is configured, which is no fault: remembering, correcting, forgetting and answering from memory work by"
    " rules; to chat, set GEMINI_API_KEY or name a model of your own in MODEL_CHAT and MODEL_MEMORY"
    " (README, “Language models”)"
)
"""What operators are told where no model is named that can be reached."""


def build_models(
    settings: Settings, ledger: Ledger, *, meter: Meter | None = None
) -> ConfiguredModels | None:
    """Return the models that `settings` name and give access to, or `None` if there are none.

    A model without access is left out of its chain. A wrong value raises `SettingsError` with one line. The
    caller closes what is returned.
    """
    access = access_of(settings)
    chains = {
        role: tuple(model for model in chain if model.provider in access)
        for role, chain in chains_of(settings).items()
    }
    plan = usage_limits_of(settings)
    models = {model for chain in chains.values() for model in chain}
    if not models:
        return None
    # Loading the client libraries takes a second or two, and without a model nobody needs them.
    from bot.llm.calling import AgentCaller

    limits = ServiceLimits()
    caller = AgentCaller(Providers(models, access, limits))
    return ConfiguredModels(chains, caller, Budget(ledger, plan, limits=limits), meter=meter)


def chains_of(settings: Settings) -> dict[Role, tuple[ModelName, ...]]:
    """Return the models named for each role, with access or not; a wrong name raises `SettingsError`."""
    access = access_of(settings)
    chains = {}
    for role, name in _SETTINGS.items():
        chains[role] = _read(settings, name, parse_chain)
        if role is Role.LEARNING and not chains[role]:
            # What is wrong with those has been told already.
            chains[role] = chains[Role.MEMORY]
            continue
        for model in chains[role]:
            if model.provider not in access and name in settings.model_fields_set:
                logger.warning(
                    "%s names %s, which is left out: set %s", name.upper(), model, _WAYS_IN[model.provider]
                )
    return chains


def access_of(settings: Settings) -> dict[Provider, Access]:
    """Return how to reach each provider that can be reached."""
    access: dict[Provider, Access] = {"ollama": Access(base_url=settings.ollama_base_url)}
    if settings.gemini_api_key is not None:
        access["google"] = Access(key=settings.gemini_api_key, base_url=settings.gemini_base_url)
    if settings.openai_api_key is not None or settings.openai_base_url is not None:
        access["openai"] = Access(key=settings.openai_api_key, base_url=settings.openai_base_url)
    return access


def usage_limits_of(settings: Settings) -> UsageLimits:
    """Return the limits that `settings` put on the models; a wrong value raises `SettingsError`."""
    return UsageLimits(
        quotas=_read(settings, "model_quotas", parse_quotas),
        prices=_read(settings, "model_prices", parse_prices),
        monthly_budget=settings.monthly_budget or None,
        member_share=settings.daily_share_member,
        guild_share=settings.daily_share_guild,
    )


def _read(settings: Settings, name: str, parse: Callable[[str], T]) -> T:
    try:
        return parse(getattr(settings, name) or "")
    except ValueError as error:
        raise SettingsError(f"{name.upper()}: {error}") from None
