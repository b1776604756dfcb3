"""What the tests of the models ask, and with what."""

from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime

from pydantic import BaseModel, Field, SecretStr

from bot.core.metering import Event, Meter, ModelCalled
from bot.llm.budget import Reservation, Spent, Tokens, Used
from bot.llm.calling import AgentCaller
from bot.llm.chain import Held, ModelName, Provider, parse_chain
from bot.llm.operation import Asker, Image, Patience, Question, Role
from bot.llm.providers import Access, Providers
from tests.servers.base import ModelServer
from tests.servers.gemini import GeminiServer
from tests.servers.openai import OpenAIServer

GEMMA_3, GEMMA_4, FLASH, OPENAI, OLLAMA = parse_chain(
    "gemma-3-27b-it, gemma-4-31b-it, gemini-flash-latest, openai:some-model, ollama:some-model:7b"
)
EVERY = (GEMMA_3, GEMMA_4, FLASH, OPENAI, OLLAMA)

PROMPT = "Which of the names below is a city?\nParis, Peter\n"


class City(BaseModel):
    name: str = Field(min_length=1)
    inhabitants: int


PARIS = City(name="Paris", inhabitants=2_100_000)


def anything(_: City) -> None:
    """Find nothing wrong."""


def question(
    *,
    role: Role = Role.MEMORY,
    patience: Patience = Patience.BACKGROUND,
    guild_id: int = 1,
    user_id: int = 2,
    deadline_seconds: float = 30.0,
    check: Callable[[City], None] = anything,
    images: tuple[Image, ...] = (),
    model: str = "",
) -> Question[City]:
    return Question(
        operation="find_a_city",
        role=role,
        prompt=PROMPT,
        answer=City,
        check=check,
        asker=Asker(guild_id=guild_id, user_id=user_id, patience=patience, model=model),
        deadline_seconds=deadline_seconds,
        images=images,
    )


def access_to(gemini: GeminiServer, local: OpenAIServer) -> dict[Provider, Access]:
    return {
        "google": Access(key=SecretStr("key"), base_url=gemini.url),
        "openai": Access(base_url=local.url),
        "ollama": Access(base_url=local.url),
    }


def caller_of(
    gemini: GeminiServer, local: OpenAIServer, models: Collection[ModelName] = EVERY
) -> AgentCaller:
    return AgentCaller(Providers(models, access_to(gemini, local)))


async def admit_all() -> None:
    """Hold nothing back."""


class MemoryLedger:
    """A ledger of one process that counts only what the models are used for."""

    def __init__(self) -> None:
        self.reserved: list[Reservation] = []
        self.recorded: list[Spent] = []
        self.held: Held | None = None
        self.counted: dict[str, Used] = {}
        self.tokens: dict[str, Tokens] = {}

    async def reserve(self, reservation: Reservation) -> Held | None:
        self.reserved.append(reservation)
        return self.held

    async def record(self, spent: Spent) -> None:
        self.recorded.append(spent)

    async def used(self, models: Collection[str], *, minute: datetime, day: datetime) -> Mapping[str, Used]:
        return {model: self.counted[model] for model in models if model in self.counted}

    async def tokens_since(self, day: date) -> Mapping[str, Tokens]:
        return self.tokens


class Counted(Meter):
    """Keeps how every call ended."""

    def __init__(self) -> None:
        super().__init__()
        self.endings: list[tuple[str, str]] = []
        self.attach(self._keep)

    def _keep(self, event: Event) -> None:
        assert isinstance(event, ModelCalled)
        self.endings.append((event.model, event.ending))


class Time:
    """A monotonic time that passes only in sleep."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def server_of(model: ModelName, gemini: GeminiServer, local: OpenAIServer) -> ModelServer:
    """Return which of the loopback servers answers for a model."""
    return gemini if model.provider == "google" else local
