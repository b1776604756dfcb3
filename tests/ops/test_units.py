"""The units for systemd are what systemd understands, and call commands that there are."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from bot.cli import main

DEPLOY: Final = Path(__file__).parent.parent.parent / "deploy"
UNITS: Final = sorted(DEPLOY.glob("*.service")) + sorted(DEPLOY.glob("*.timer"))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here")
def test_systemd_finds_no_fault_with_the_units(tmp_path: Path) -> None:
    """What they start is not installed where the tests run, nor is there the account."""
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8").replace("/opt/keepsake/bin/keepsake", "/bin/true")
        (tmp_path / unit.name).write_text(re.sub(r"^(User|Group)=.*\n", "", text, flags=re.MULTILINE))
    checked = subprocess.run(
        ["systemd-analyze", "verify", *(tmp_path / unit.name for unit in UNITS)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    "command",
    sorted(
        {found for unit in UNITS for found in re.findall(r"bin/keepsake ([a-z ]+[a-z])", unit.read_text())}
    ),
)
def test_each_command_of_the_units_is_one(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command.split()[:2], "--help"])
    assert ended.value.code == 0
