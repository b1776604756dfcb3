"""How long models may take in tests: only one that hangs is given up soon."""

from typing import Final

import pytest

from bot.llm.models import RetryLimits
from tests.servers.faults import Fault

_ANSWERS: Final = 20.0
"""Seconds for a model that answers, on a machine with other work too; less than a service tells one to wait."""

_HANGS: Final = 3.0


def pace_for(request: pytest.FixtureRequest) -> RetryLimits:
    """Return the pace of one try for a test, whose parameter `fault` says whether a model hangs."""
    parameters = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    hangs = parameters.get("fault") is Fault.HANG
    return RetryLimits(total_seconds=_HANGS if hangs else _ANSWERS, pause_seconds=0.05, tries=1)
