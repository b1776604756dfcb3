"""Programs that tests drive and that Python's packages do not bring: those of `scripts/install_test_programs.sh`."""

import os
import shutil
from pathlib import Path
from typing import Final

import pytest

ALL_NEEDED: Final = "ALL_TESTS_NEEDED"
"""A variable of the environment: whoever sets it wants a failure where a program is not installed."""


def program(name: str) -> Path:
    """Return where a program is; skips the test where it is not, or fails it if all tests are needed."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        told = f"{name} is not installed: scripts/install_test_programs.sh installs it where there is apt"
        if os.environ.get(ALL_NEEDED):
            pytest.fail(told)
        pytest.skip(told)
    return Path(found)
