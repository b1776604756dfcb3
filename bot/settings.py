"""Every setting, read once from the environment and `.env`; nothing else reads the environment."""

import os
from pathlib import Path
from typing import Annotated, Literal, Self, get_args
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.errors import SettingsError


def _default_home() -> Path:
    """Return where the embedded database lives: the system's state folder for root, else the user's."""
    if os.geteuid() == 0:
        return Path("/var/lib/keepsake")
    try:
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "keepsake"
    except RuntimeError:
        raise SettingsError("KEEPSAKE_HOME: must name a folder, since this account has no home") from None


class Settings(BaseSettings):
    """The installation's settings; every default works.

    A validator's `ValueError` says what is allowed, to be read after "it must be".
    """

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", env_ignore_empty=True)

    database_url: SecretStr | None = Field(
        default=None, description="Postgres 16 or newer; empty means the embedded server"
    )
    database_direct_url: SecretStr | None = Field(
        default=None, description="the same database without a pooler, for migrations and the listener"
    )
    database_pool_size: int = Field(default=10, ge=2, le=100, description="connections kept at most")
    database_statement_cache: int = Field(
        default=100, ge=0, le=10_000, description="prepared statements kept; 0 behind PgBouncer"
    )
    database_timeout_seconds: float = Field(
        default=15.0, ge=1, le=600, description="the longest that one statement may take"
    )
    keepsake_home: Path = Field(default_factory=_default_home, description="folder of the embedded server")
    bot_names: Annotated[tuple[str, ...], NoDecode] = Field(
        default=("Bot", "Бот", "Keepsake"), description="names that the bot answers to, comma-separated"
    )
    time_zone: str = Field(default="UTC", description="time zone of guilds that chose none")
    retention_days: int = Field(default=30, ge=0, le=36_500, description="days messages are kept; 0 for ever")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="WARNING", description="what the log tells at least"
    )

    gemini_api_key: SecretStr | None = Field(default=None, description="key of the Gemini API")
    gemini_base_url: str | None = Field(
        default=None, description="address of the Gemini API, if not Google's"
    )
    openai_api_key: SecretStr | None = Field(default=None, description="key of models named openai:NAME")
    openai_base_url: str | None = Field(
        default=None,
        description="address of an OpenAI-compatible server, if not OpenAI's; then no key is needed",
    )
    ollama_base_url: str = Field(
        default="http://localhost:11434/v1", description="address of models named ollama:NAME"
    )
    model_chat: str = Field(
        default="gemini-flash-latest,gemma-4-31b-it", description="models that reply, tried in order"
    )
    model_summary: str = Field(
        default="gemini-flash-latest,gemini-flash-lite-latest", description="models that sum up a guild's day"
    )
    model_memory: str = Field(
        default="gemma-4-31b-it,gemma-3-27b-it", description="models for everything else about memories"
    )
    model_quotas: str | None = Field(
        default=None,
        description="requests a minute and a day: NAME=10/250, with commas between; - for no limit",
    )
    model_prices: str | None = Field(
        default=None, description="cost of a million tokens in and out: NAME=0.30/2.50, with commas between"
    )
    monthly_budget: float = Field(
        default=0, ge=0, le=1_000_000, description="money for models with a price, a month; 0 for no limit"
    )
    daily_share_member: int = Field(
        default=30, ge=1, le=100, description="percent of a model's daily quota that one member may use"
    )
    daily_share_guild: int = Field(
        default=80, ge=1, le=100, description="percent of a model's daily quota that one guild may use"
    )

    @field_validator("database_url", "database_direct_url")
    @classmethod
    def _is_postgres(cls, value: SecretStr | None) -> SecretStr | None:
        # Only the scheme is looked at: addresses of Unix sockets and of several hosts are good ones too.
        if value is not None and _scheme_of(value.get_secret_value()) not in {"postgresql", "postgres"}:
            raise ValueError("an address such as postgresql://user:password@host:5432/database")
        return value

    @field_validator("gemini_base_url", "openai_base_url", "ollama_base_url")
    @classmethod
    def _is_of_the_web(cls, value: str | None) -> str | None:
        if value is not None and _scheme_of(value) not in {"http", "https"}:
            raise ValueError("an address such as http://localhost:11434/v1")
        return value

    @field_validator("bot_names", mode="before")
    @classmethod
    def _split_names(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        names = tuple(name.strip() for name in value.split(",") if name.strip())
        if not names:
            raise ValueError("one name or more, with commas between them, such as Bot,Бот")
        return names

    @field_validator("time_zone")
    @classmethod
    def _is_a_zone(cls, value: str) -> str:
        if value not in available_timezones():
            raise ValueError("a time zone of the IANA list, such as Europe/Berlin")
        return value

    @classmethod
    def load(cls) -> Self:
        """Read the settings, or raise `SettingsError` that names the variable, the value and what is allowed."""
        try:
            return cls()
        except ValidationError as error:
            raise SettingsError(_one_line(error)) from None
        except (OSError, UnicodeError) as error:
            raise SettingsError(f"the file .env cannot be read: {error}") from None


def _scheme_of(address: str) -> str:
    try:
        return urlsplit(address).scheme
    except ValueError:
        return ""


def _one_line(error: ValidationError) -> str:
    """Return the first wrong setting as one sentence; a secret's value is never shown."""
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0])
    kind = Settings.model_fields[name].annotation
    is_secret = SecretStr in (kind, *get_args(kind))
    value = "the value given (kept secret)" if is_secret else repr(first["input"])
    told = first.get("ctx", {}).get("error")
    return f"{name.upper()}: {value} cannot be used: it must be {told or _allowed(name)}"


def _allowed(name: str) -> str:
    """Return what the declaration of a setting allows, in plain words."""
    match Settings.model_json_schema()["properties"][name]:
        case {"enum": choices}:
            return f"one of {', '.join(choices)}"
        case {"type": kind, "minimum": low, "maximum": high, "description": description}:
            number = "a whole number" if kind == "integer" else "a number"
            return f"{number} from {low:g} to {high:g} ({description})"
        case {"description": description}:
            return str(description)
        case undescribed:
            raise AssertionError(f"setting {name} has no description: {undescribed}")
