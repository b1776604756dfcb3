"""How settings name models: `provider:name`, one or more, tried in order."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

Provider: TypeAlias = Literal["google", "openai", "ollama"]

PROVIDERS: Final[tuple[Provider, ...]] = get_args(Provider)

_GOOGLES_OWN: Final = ("gemini-", "gemma-")
"""A name that begins so needs no provider before it."""


@dataclass(frozen=True, slots=True)
class ModelName:
    """One model of one provider; written `provider:name`."""

    provider: Provider
    name: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"


def parse_chain(text: str) -> tuple[ModelName, ...]:
    """Return the models that `text` names, in its order; each counts once, and an empty text names none.

    Raises `ValueError` with one sentence that names the wrong part and says what is allowed.
    """
    named = (parse_model(part) for part in text.split(",") if part.strip())
    return tuple(dict.fromkeys(named))


def parse_model(text: str) -> ModelName:
    """Return the one model that `text` names, or raise `ValueError` in one sentence as `parse_chain` does."""
    written = text.strip()
    provider, _, name = (part.strip() for part in written.partition(":"))
    if written.startswith(_GOOGLES_OWN) and provider not in PROVIDERS:
        # Tags of local models have colons too, but those have their provider before them.
        provider, name = "google", written
    for known in PROVIDERS:
        if provider == known and name and not any(character.isspace() for character in name):
            return ModelName(known, name)
    raise ValueError(
        f"{written!r} names no model: write provider:name with a provider of {', '.join(PROVIDERS)},"
        " such as google:gemini-flash-latest"
    )
