"""Every setting, read once from the environment and `.env`; no other module reads the environment. Also finds unknown
names in `.env`, and the folders that are shipped with the code.
"""

import logging
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Final, Literal, Self, get_args
from urllib.parse import urlsplit

from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.core.clock import time_zones
from bot.core.domain import MAX_ID
from bot.core.errors import SettingsError
from bot.core.log import LogFormat

logger = logging.getLogger(__name__)


_PACKAGE = Path(__file__).parent.parent


def resource_folder(name: str) -> Path:
    """Return the folder `name` of a checkout, or the copy of it inside an installed wheel."""
    beside = _PACKAGE.parent / name
    return beside if (_PACKAGE.parent / "pyproject.toml").is_file() else _PACKAGE / f"_{name}"


class MemorySettings(BaseSettings):
    """How long memories are kept, what the bot learns by itself, and what conversations leave behind."""

    retention_days: int = Field(default=30, ge=0, le=36_500, description="days messages are kept; 0 for ever")
    fact_retention_days: int = Field(
        default=0, ge=0, le=36_500, description="days facts are kept; 0 for ever"
    )
    profile_retention_days: int = Field(
        default=0, ge=0, le=36_500, description="days what was learned of members is kept; 0 for ever"
    )
    episode_retention_days: int = Field(
        default=0, ge=0, le=36_500, description="days what conversations left behind is kept; 0 for ever"
    )
    audit_retention_days: int = Field(
        default=365, ge=0, le=36_500, description="days what operators did is kept; 0 for ever"
    )
    learning: bool = Field(default=True, description="whether profiles of members are learned")
    learn_every_turns: int = Field(
        default=20,
        ge=1,
        le=1_000,
        description="replies to a member after which their profile is learned anew",
    )
    memory_document_tokens: int = Field(
        default=10_000, ge=500, le=1_000_000, description="longest memory document, in estimated tokens"
    )
    conversation_gap_minutes: int = Field(
        default=30, ge=1, le=1_440, description="minutes of silence that end a conversation"
    )
    summary_every_messages: int = Field(
        default=20, ge=5, le=200, description="messages after which a running conversation is summed up anew"
    )
    episodes: bool = Field(default=True, description="whether conversations leave episodes behind")
    episodes_per_channel: int = Field(
        default=10, ge=1, le=100, description="episodes that a channel keeps at most"
    )
    purge_episodes_of_deleted_channels: bool = Field(
        default=False, description="whether the episodes of a channel go when it is deleted"
    )
    left_member_grace_days: int = Field(
        default=30,
        ge=0,
        le=36_500,
        description="days after which who left is erased, and the guild that the bot was removed from; 0 at once",
    )
    keep_left_guilds: bool = Field(
        default=False, description="whether a guild is kept that the bot was removed from"
    )


ENV_FILE: Final = ".env"

_MOST_CONTACT_CHARACTERS: Final = 200
"""It stands below all that is told of privacy, in one message."""

_SHARDS: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})", re.ASCII)


_WEB: Final = ("http", "https")
_POSTGRES: Final = (("postgresql", "postgres"), "postgresql://user:password@host:5432/database")
_OF_MODELS: Final = (_WEB, "http://localhost:11434/v1")
_ADDRESSES: Final[Mapping[str, tuple[Collection[str], str]]] = {
    "database_url": _POSTGRES,
    "database_direct_url": _POSTGRES,
    "gemini_base_url": _OF_MODELS,
    "openai_base_url": _OF_MODELS,
    "ollama_base_url": _OF_MODELS,
    "discord_api_url": (_WEB, "http://localhost:8080/api/v10"),
    "discord_gateway_url": (("ws", "wss"), "ws://localhost:8080"),
    "web_url": (_WEB, "https://memory.example.org"),
    "otel_exporter_otlp_endpoint": (_WEB, "http://localhost:4318"),
}
"""Settings that are addresses: with which schemes, and one of them."""


def state_folder() -> Path:
    """Return where a server that root starts keeps its data: root's own folders are closed to its account.

    A service manager may name another one, as systemd does with `StateDirectory=`.
    """
    return Path(os.environ.get("STATE_DIRECTORY", "").partition(":")[0] or "/var/lib/keepsake")


def _default_home() -> Path:
    """Return where the embedded database lives: the system's state folder for root, else the user's."""
    if os.geteuid() == 0:
        return state_folder()
    try:
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "keepsake"
    except RuntimeError:
        raise SettingsError("KEEPSAKE_HOME: must name a folder, since this account has no home") from None


class Settings(MemorySettings):
    """The installation's settings; every default works.

    A validator's `ValueError` says what is allowed, to be read after "it must be".
    """

    model_config = SettingsConfigDict(env_file=ENV_FILE, extra="ignore", env_ignore_empty=True)

    database_url: SecretStr | None = Field(
        default=None, description="Postgres 16 or newer; empty means the embedded server"
    )
    database_direct_url: SecretStr | None = Field(
        default=None, description="the same database without a pooler, for migrations, backups and restoring"
    )
    database_pool_size: int = Field(default=10, ge=2, le=100, description="connections kept at most")
    database_statement_cache: int = Field(
        default=200, ge=0, le=10_000, description="prepared statements kept; 0 behind PgBouncer"
    )
    database_timeout_seconds: float = Field(
        default=15.0, ge=1, le=600, description="the longest that one statement may take"
    )
    background_workers: int = Field(
        default=2, ge=1, le=50, description="pieces of background work under way at once in one process"
    )
    keepsake_home: Path = Field(default_factory=_default_home, description="folder of the embedded server")
    bot_names: Annotated[tuple[str, ...], NoDecode] = Field(
        default=("Bot", "Бот", "Keepsake"), description="names that the bot answers to, comma-separated"
    )
    time_zone: str = Field(default="UTC", description="time zone of guilds that chose none")
    operator_contact: str = Field(
        default="", description="how members reach whoever runs the bot, on one line"
    )
    backup_alert_days: int = Field(
        default=7, ge=0, le=3_650, description="days after which the last backup is too old; 0 for never"
    )
    decision_retention_days: int = Field(
        default=400,
        ge=0,
        le=36_500,
        description="days that decisions are kept for backups to obey; 0 for ever",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="WARNING", description="what the log tells at least"
    )
    log_format: LogFormat = Field(default="text", description="how a line of the log is written")

    discord_token: SecretStr | None = Field(
        default=None, description="token of the bot, from the Developer Portal"
    )
    discord_api_url: str | None = Field(
        default=None, description="address of Discord's REST API, if not Discord's own, such as a proxy's"
    )
    discord_gateway_url: str | None = Field(
        default=None, description="address of Discord's gateway, if not its own"
    )
    discord_identify_pause_seconds: float = Field(
        default=5.0, ge=0, le=60, description="pause before a connection of the gateway begins anew"
    )
    discord_shards: str | None = Field(
        default=None,
        description="shards of this process, as in 0-3/16; empty for all, as many as Discord advises",
    )
    allowed_guilds: Annotated[tuple[int, ...], NoDecode] = Field(
        default=(), description="ids of the guilds that the bot stays in, comma-separated; empty for all"
    )
    answer_bots: bool = Field(default=False, description="whether other bots are answered")
    stream_replies: bool = Field(
        default=True, description="whether a reply that takes long is shown sentence by sentence"
    )
    catch_up_messages: int = Field(
        default=10_000, ge=0, le=1_000_000, description="missed messages read back per channel at most"
    )
    catch_up_days: int = Field(
        default=2, ge=0, le=30, description="days in which missed edits and deletions are looked for"
    )

    web_enabled: bool = Field(
        default=False, description="whether 'keepsake run' also serves the admin API, as 'keepsake web' does"
    )
    web_host: str = Field(
        default="127.0.0.1", description="address that the web part listens on; another one needs a token"
    )
    web_port: int = Field(
        default=8420, ge=0, le=65_535, description="port of the web part; 0 for any free one"
    )
    web_url: str | None = Field(
        default=None,
        description="address under which browsers reach the web part, if a proxy stands before it",
    )

    otel_exporter_otlp_endpoint: str | None = Field(
        default=None, description="address of a collector that is sent figures and traces by OTLP over HTTP"
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
    model_learning: str | None = Field(
        default=None, description="models that learn profiles; empty means those of MODEL_MEMORY"
    )
    model_quotas: str | None = Field(
        default=None,
        description="requests a minute and a day: NAME=10/250, with commas between; - for no limit",
    )
    model_prices: str | None = Field(
        default=None,
        description="cost of a million tokens in and out (and cached): NAME=0.30/2.50/0.03, with commas between",
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

    @field_validator(*_ADDRESSES)
    @classmethod
    def _is_an_address(cls, value: SecretStr | str | None, info: ValidationInfo) -> SecretStr | str | None:
        # Only the scheme is looked at: addresses of Unix sockets and of several hosts are good ones too.
        schemes, example = _ADDRESSES[info.field_name or ""]
        address = value.get_secret_value() if isinstance(value, SecretStr) else value
        if address is not None and _scheme_of(address) not in schemes:
            raise ValueError(f"an address such as {example}")
        return value

    @field_validator("discord_shards")
    @classmethod
    def _is_a_part(cls, value: str | None) -> str | None:
        if value is not None and shards_in(value) is None:
            raise ValueError(
                "such as 0-3/16: the first and the last shard of this process, and how many there are"
            )
        return value

    @field_validator("allowed_guilds", mode="before")
    @classmethod
    def _split_ids(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        ids = [part.strip() for part in value.split(",") if part.strip()]
        if not all(one.isascii() and one.isdigit() and 0 < int(one[:20]) <= MAX_ID for one in ids):
            raise ValueError("ids of guilds with commas between them, such as 1200000000000000001")
        return tuple(int(one) for one in ids)

    @field_validator("bot_names", mode="before")
    @classmethod
    def _split_names(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        names = tuple(name.strip() for name in value.split(",") if name.strip())
        if not names:
            raise ValueError("one name or more, with commas between them, such as Bot,Бот")
        return names

    @field_validator("operator_contact")
    @classmethod
    def _is_one_line(cls, value: str) -> str:
        line = value.strip()
        if len(line) > _MOST_CONTACT_CHARACTERS or len(line.splitlines()) > 1:
            raise ValueError(
                f"one line of {_MOST_CONTACT_CHARACTERS} characters at most, such as an address of e-mail"
            )
        return line

    @field_validator("time_zone")
    @classmethod
    def _is_a_zone(cls, value: str) -> str:
        if value not in time_zones():
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


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards that a process runs, of all that there are."""

    shard_ids: range
    shard_count: int


def shards_in(text: str) -> Shards | None:
    """Return what `0-3/16` says; `None` if it says nothing that can be."""
    found = _SHARDS.fullmatch(text.strip())
    if found is None:
        return None
    first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
    return Shards(range(first, last + 1), count) if first <= last < count else None


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


_OF_OTHERS: Final = ("COMPOSE_", "DOCKER_", "POSTGRES_", "PG")
"""How names begin that other programs read from the same file."""


def unknown_names() -> dict[str, str | None]:
    """Return the names in `.env` that are no setting's, each with the setting whose name is nearest, if one is near."""
    known = [name.upper() for name in Settings.model_fields]
    try:
        written = [*dotenv_values(ENV_FILE)]
    except (OSError, UnicodeError):
        return {}
    strange = [name for name in written if name.upper() not in known and not name.startswith(_OF_OTHERS)]
    return {name: next(iter(get_close_matches(name.upper(), known, n=1)), None) for name in strange}


def describe_unknown_names(names: Mapping[str, str | None]) -> str:
    """Return what is to be said of unknown names, without what they are set to."""
    told = [f"{name} (is {meant} meant?)" if meant else name for name, meant in names.items()]
    return f"the file {ENV_FILE} names what is no setting: {', '.join(told)}"


def warn_of_unknown_names() -> None:
    """Log one line if `.env` names what is no setting."""
    if names := unknown_names():
        logger.warning("%s", describe_unknown_names(names))
