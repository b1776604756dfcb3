"""Every default works; a wrong value ends in one line that says which, what it is, and what is allowed."""

import os
import re
from pathlib import Path

import pytest

from bot.core.errors import SettingsError
from bot.core.settings import Settings, Shards, shards_in
from tests.printed import on_pipes

ROOT = Path(__file__).parent.parent
SECRET = "hunter2"
NAMES = {name.upper() for name in Settings.model_fields}

ADDRESS = "an address such as postgresql://user:password@host:5432/database"
COUNT = "a whole number from 2 to 100 (connections kept at most)"
DAYS = "a whole number from 0 to 36500 (days messages are kept; 0 for ever)"
SECONDS = "a number from 1 to 600 (the longest that one statement may take)"
ZONE = "a time zone of the IANA list, such as Europe/Berlin"
PART = "such as 0-3/16: the first and the last shard of this process, and how many there are"
WRONG = [
    ("DATABASE_POOL_SIZE", "many", COUNT),
    ("DATABASE_POOL_SIZE", "1", COUNT),
    ("DATABASE_POOL_SIZE", "101", COUNT),
    ("DATABASE_POOL_SIZE", "10.5", COUNT),
    ("DATABASE_STATEMENT_CACHE", "-1", "a whole number from 0 to 10000 (prepared statements kept; 0 behind PgBouncer)"),
    ("DATABASE_TIMEOUT_SECONDS", "0.5", SECONDS),
    ("DATABASE_TIMEOUT_SECONDS", "nan", SECONDS),
    ("DATABASE_TIMEOUT_SECONDS", "soon", SECONDS),
    ("BOT_NAMES", " , ", "one name or more, with commas between them, such as Bot,Бот"),
    ("TIME_ZONE", "Mars", ZONE),
    ("TIME_ZONE", "../UTC", ZONE),
    ("RETENTION_DAYS", "-1", DAYS),
    ("RETENTION_DAYS", "36501", DAYS),
    ("DISCORD_API_URL", "ws://here", "an address such as http://localhost:8080/api/v10"),
    ("DISCORD_GATEWAY_URL", "http://here", "an address such as ws://localhost:8080"),
    ("DISCORD_SHARDS", "4-3/16", PART),
    ("DISCORD_SHARDS", "0-16/16", PART),
    ("DISCORD_SHARDS", "all", PART),
    ("ALLOWED_GUILDS", "7,Gamers", "ids of guilds with commas between them, such as 1200000000000000001"),
    ("LOG_LEVEL", "loud", "one of DEBUG, INFO, WARNING, ERROR"),
    ("LOG_FORMAT", "xml", "one of text, json"),
    ("OPERATOR_CONTACT", "ada\nbob", "one line of 200 characters at most, such as an address of e-mail"),
    ("OPERATOR_CONTACT", "x" * 201, "one line of 200 characters at most, such as an address of e-mail"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Start every test from an environment without settings and a folder without `.env`."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def refusal() -> str:
    with pytest.raises(SettingsError) as refused:
        Settings.load()
    return str(refused.value)


@pytest.mark.smoke
def test_every_default_works() -> None:
    settings = Settings.load()
    assert settings.database_url is None
    assert settings.bot_names == ("Bot", "Бот", "Keepsake")
    assert settings.keepsake_home.is_absolute()


def test_an_empty_variable_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.setenv(name, "")
    empty = Settings.load()
    monkeypatch.undo()
    assert empty == Settings(_env_file=None)


@pytest.mark.parametrize(("name", "value", "allowed"), WRONG)
def test_a_wrong_value_is_one_line_that_says_what_is_allowed(
    name: str, value: str, allowed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    assert refusal() == f"{name}: {value!r} cannot be used: it must be {allowed}"


def test_a_wrong_value_in_the_file_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("RETENTION_DAYS=never\n")
    assert refusal() == f"RETENTION_DAYS: 'never' cannot be used: it must be {DAYS}"


def test_a_value_of_several_lines_is_still_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "DEBUG\nINFO")
    assert refusal().startswith(r"LOG_LEVEL: 'DEBUG\nINFO' cannot be used: ")


def test_the_environment_overrules_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("RETENTION_DAYS=7\nTIME_ZONE=Europe/Berlin\nSOMEBODY_ELSES=1\n")
    monkeypatch.setenv("RETENTION_DAYS", "9")
    settings = Settings.load()
    assert (settings.retention_days, settings.time_zone) == (9, "Europe/Berlin")


def test_an_account_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for function in ("getuid", "geteuid"):
        monkeypatch.setattr(os, function, lambda: 2**31 - 2)
    assert refusal() == "KEEPSAKE_HOME: must name a folder, since this account has no home"
    monkeypatch.setenv("KEEPSAKE_HOME", "/srv/keepsake")
    assert Settings.load().keepsake_home == Path("/srv/keepsake")


def test_a_file_that_is_no_text_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"LOG_LEVEL=\xff\n")
    told = refusal()
    assert told.startswith("the file .env cannot be read: ")
    assert "\n" not in told


@pytest.mark.parametrize("name", ["DATABASE_URL", "DATABASE_DIRECT_URL"])
@pytest.mark.parametrize(
    "address",
    [
        f"http://{SECRET}",
        f"mysql://me:{SECRET}@localhost/db",
        f"postgresql+asyncpg://me:{SECRET}@localhost/db",
        f"postgresql://[{SECRET}",
        SECRET,
    ],
)
def test_a_refused_address_is_never_shown(name: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, address)
    assert refusal() == f"{name}: the value given (kept secret) cannot be used: it must be {ADDRESS}"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:secret@db.example.org:5432/keepsake",
        "postgres://me@localhost/keepsake?sslmode=require",
        "postgresql://keepsake@/keepsake?host=/var/run/postgresql&port=5432",
        "postgresql:///keepsake",
        "postgresql://one:5432,two:5433/keepsake",
    ],
)
def test_every_form_of_a_postgres_address_is_taken(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", address)
    url = Settings.load().database_url
    assert url is not None
    assert url.get_secret_value() == address


def test_secrets_are_never_in_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgresql://me:{SECRET}@localhost/db")
    settings = Settings.load()
    assert SECRET not in f"{settings} {settings!r} {settings.model_dump()} {settings.model_dump_json()}"


def test_names_are_parted_at_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_NAMES", "Robo, Робо ,,The Bot")
    assert Settings.load().bot_names == ("Robo", "Робо", "The Bot")


def test_guilds_and_shards_are_read_as_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_GUILDS", "1200000000000000001, 7 ,")
    monkeypatch.setenv("DISCORD_SHARDS", "2-3/16")
    settings = Settings.load()
    assert settings.allowed_guilds == (1_200_000_000_000_000_001, 7)
    assert shards_in(settings.discord_shards or "") == Shards(range(2, 4), 16)
    assert shards_in("5/6") == Shards(range(5, 6), 6)


def test_every_setting_is_described() -> None:
    assert not [name for name, field in Settings.model_fields.items() if not field.description]


def examples() -> dict[str, str]:
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if line and not line.startswith("#")]
    found = (re.fullmatch(r"#([A-Z_]+)=(.*)", line) for line in lines)
    return {line[1]: line[2] for line in found if line}


def test_the_example_file_lists_exactly_the_settings_that_exist() -> None:
    assert examples().keys() == NAMES


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_line_of_the_example_file_can_be_used_as_it_stands(name: str, tmp_path: Path) -> None:
    default = getattr(Settings(_env_file=None), name.lower())
    (tmp_path / ".env").write_text(f"{name}={examples()[name]}\n", encoding="utf-8")
    used = getattr(Settings.load(), name.lower())
    if name not in {"DATABASE_URL", "DATABASE_DIRECT_URL", "KEEPSAKE_HOME"}:
        assert used == default


def test_the_table_of_settings_has_every_one_with_its_default() -> None:
    page = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (.*?) \|", page, re.MULTILINE))
    assert rows.keys() == NAMES
    for name, field in Settings.model_fields.items():
        if field.default_factory is None and field.default not in (None, ()):
            default = ",".join(field.default) if isinstance(field.default, tuple) else f"{field.default}"
            assert rows[name.upper()].lower() == f"`{default.removesuffix('.0')}`".lower()


@pytest.mark.processes
async def test_names_in_the_file_that_no_setting_has_are_told_once_at_the_start_and_by_the_doctor(
    dsn: str, tmp_path: Path
) -> None:
    written = "DISCORD_TOKN=the-secret\nmodel_chat=ollama:qwen3:8b\nCOLOUR=blue\nPOSTGRES_PASSWORD=x\n"
    (tmp_path / ".env").write_text(f"DATABASE_URL={dsn}\nKEEPSAKE_HOME={tmp_path}\n{written}")
    told = "the file .env names what is no setting: DISCORD_TOKN (is DISCORD_TOKEN meant?), COLOUR"
    started = await on_pipes("migrate", cwd=tmp_path)
    assert (started.output, started.status) == ("", 0)
    (line,) = started.errors.splitlines()
    assert line.endswith(f"WARNING bot.core.settings: {told}")
    examined = await on_pipes("doctor", cwd=tmp_path)
    line = examined.output.splitlines()[0]
    assert line.startswith("!  settings: set: DATABASE_URL, KEEPSAKE_HOME, MODEL_CHAT; ")
    assert f"{told}: correct the name" in line
    assert examined.status == 1
    assert "the-secret" not in started.errors + examined.output + examined.errors
