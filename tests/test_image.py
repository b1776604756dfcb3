"""The image and the two containers, as far as their files tell without an engine to build or run them."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import pytest
import yaml
from dockerfile_parse import DockerfileParser

from bot import __version__

ROOT: Final = Path(__file__).parent.parent
MEBIBYTES: Final = 512
MOST_PULLED: Final = 10_000_000
"""Bytes, compressed, that a change of code may make whoever has the image pull."""

DEPENDENCIES: Final = "/opt/dependencies"
CODE: Final = "/opt/keepsake"

Service: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction of the Dockerfile."""

    name: str
    value: str


def stages() -> dict[str, list[Step]]:
    """Return the steps of each stage of the Dockerfile; those of the image itself are of the last, named ""."""
    with (ROOT / "Dockerfile").open("rb") as file:
        read = DockerfileParser(fileobj=file).structure
    found: dict[str, list[Step]] = {}
    for step in read:
        if step["instruction"] == "FROM":
            _, _, name = step["value"].partition(" AS ")
            found[name] = []
        elif step["instruction"] != "COMMENT":
            found[name].append(Step(step["instruction"], step["value"]))
    return found


def services() -> dict[str, dict[str, object]]:
    """Return the services of `compose.yaml`, as an engine reads them."""
    read: dict[str, dict[str, dict[str, object]]] = yaml.safe_load(
        (ROOT / "compose.yaml").read_text(encoding="utf-8")
    )
    return read["services"]


def test_a_change_of_code_touches_the_last_layer_alone() -> None:
    written = stages()
    assert [step.value for step in written["dependencies"] if step.name == "COPY"] == [
        "requirements-server.lock ./"
    ]
    copied = [step.value for step in written[""] if step.name in ("COPY", "RUN", "ADD")]
    assert copied[-2:] == [
        f"--from=dependencies {DEPENDENCIES} {DEPENDENCIES}",
        f"--from=code {CODE} {CODE}",
    ]


@pytest.mark.processes
def test_the_layer_of_the_code_is_small_and_answers(tmp_path: Path) -> None:
    layer, source = tmp_path / "layer", tmp_path / "source"
    source.mkdir()
    (install,) = (step.value for step in stages()["code"] if step.name == "RUN")
    for step in stages()["code"]:
        if step.name == "COPY":
            *names, _ = step.value.split()
            for name in names:
                copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
                copy(ROOT / name, source / name)
    argv = install.replace(f"{DEPENDENCIES}/bin/pip", f"{sys.executable} -m pip").replace(CODE, str(layer))
    subprocess.run(argv.split(), cwd=source, check=True, capture_output=True, timeout=120)

    with tarfile.open(tmp_path / "layer.tar.gz", "w:gz") as packed:
        packed.add(layer, arcname=CODE)
    assert (tmp_path / "layer.tar.gz").stat().st_size < MOST_PULLED

    ended = subprocess.run(
        [layer / "bin" / "keepsake", "--version"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(layer)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.stdout == f"keepsake {__version__}\n", ended.stderr


def test_the_image_runs_as_nobody_special_and_brings_no_database() -> None:
    installed = [step.value for step in stages()["dependencies"] if step.name == "RUN"]
    assert any("--require-hashes -r requirements-server.lock" in command for command in installed)
    run = {step.name: step.value for step in stages()[""]}
    names = [step.name for step in stages()[""]]
    assert run["USER"] == "keepsake"
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert json.loads(run["ENTRYPOINT"]) == ["keepsake"]
    _, _, checked = run["HEALTHCHECK"].partition("CMD ")
    assert json.loads(checked)[-2:] == ["keepsake", "status"]
    path = run["ENV"].partition("PATH=")[2].split()[0]
    assert path.split(":")[:2] == [f"{CODE}/bin", f"{DEPENDENCIES}/bin"]


def test_the_containers_fit_into_512_megabytes() -> None:
    limits = [str(service["mem_limit"]) for service in services().values()]
    assert all(limit.endswith("m") for limit in limits)
    assert sum(int(limit.removesuffix("m")) for limit in limits) <= MEBIBYTES


def test_the_database_can_be_reached_by_the_bot_alone() -> None:
    database, bot = services()["database"], services()["bot"]
    assert "ports" not in {*database, *bot}
    assert database["network_mode"] == "none"
    assert "-clisten_addresses=" in listed(database, "command")
    assert "socket:/var/run/postgresql" in listed(database, "volumes")
    assert "socket:/var/run/postgresql:ro" in listed(bot, "volumes")
    environment = bot["environment"]
    assert isinstance(environment, dict)
    assert "host=/var/run/postgresql" in environment["DATABASE_URL"]


def test_the_containers_come_back_and_their_logs_stay_small() -> None:
    assert "healthcheck" in services()["database"]
    for service in services().values():
        assert service["restart"] == "unless-stopped"
        assert service["logging"] == {
            "driver": "json-file",
            "options": {"max-size": "10m", "max-file": "3"},
        }


def test_nothing_is_written_outside_the_volumes() -> None:
    for service in services().values():
        assert service["read_only"] is True
        assert [mount.partition(":")[0] for mount in listed(service, "tmpfs")] == ["/tmp"]


def test_what_was_pulled_is_built_by_the_next_start() -> None:
    bot = services()["bot"]
    assert (bot["build"], bot["pull_policy"]) == (".", "build")


def test_only_the_token_has_to_be_given() -> None:
    environment = services()["bot"]["environment"]
    assert isinstance(environment, dict)
    assert [name for name, value in environment.items() if ":?" in value] == ["DISCORD_TOKEN"]
    assert "PASSWORD" not in (ROOT / "compose.yaml").read_text(encoding="utf-8")


def listed(service: Service, name: str) -> list[str]:
    found = service[name]
    assert isinstance(found, list)
    return found
