"""The clients of the providers: each built once, when a model of it is configured, and closed at shutdown.
The libraries take a second or two to load, so that is done here and only for the providers that are
used.
"""

from collections.abc import Collection, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pydantic import SecretStr

from bot.llm.chain import ModelName, Provider

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model


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

    def __init__(self, models: Collection[ModelName], access: Mapping[Provider, Access]) -> None:
        from pydantic_ai.models import create_async_httpx2_client

        self._stack = AsyncExitStack()
        self._models: dict[ModelName, Model] = {}
        for provider in {model.provider for model in models}:
            http = create_async_httpx2_client(timeout=_timeout())
            self._stack.push_async_callback(http.aclose)
            names = [model for model in models if model.provider == provider]
            match provider:
                case "google":
                    self._build_google(names, access[provider], http)
                case "openai":
                    self._build_openai(names, access[provider], http)
                case "ollama":
                    self._build_ollama(names, access[provider], http)

    def model(self, name: ModelName) -> "Model":
        """Return the model of this name; one that was not configured is a `KeyError`."""
        return self._models[name]

    async def close(self) -> None:
        """Close every client with its connections."""
        await self._stack.aclose()

    def _build_google(self, names: Collection[ModelName], access: Access, http: "httpx2.AsyncClient") -> None:
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        # Without a base URL the client looks at GOOGLE_GEMINI_BASE_URL by itself.
        provider = GoogleProvider(api_key=access.secret, base_url=access.base_url, http_client=http)
        self._stack.push_async_callback(provider.client.aio.aclose)
        self._stack.callback(provider.client.close)
        self._models.update({name: GoogleModel(name.name, provider=provider) for name in names})

    def _build_openai(self, names: Collection[ModelName], access: Access, http: "httpx2.AsyncClient") -> None:
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        base_url = access.base_url or "https://api.openai.com/v1"
        provider = OpenAIProvider(api_key=access.secret, base_url=base_url, http_client=http)
        self._models.update({name: OpenAIChatModel(name.name, provider=provider) for name in names})

    def _build_ollama(self, names: Collection[ModelName], access: Access, http: "httpx2.AsyncClient") -> None:
        from pydantic_ai.models.ollama import OllamaModel
        from pydantic_ai.providers.ollama import OllamaProvider

        provider = OllamaProvider(api_key=access.secret, base_url=access.base_url, http_client=http)
        self._models.update({name: OllamaModel(name.name, provider=provider) for name in names})


def _timeout() -> "httpx2.Timeout":
    import httpx2

    return httpx2.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS)
