"""The tests of the store run on every major version that is supported."""

import pytest

from tests.db.embedded_servers import new_member, new_server

__all__ = ["new_member", "new_server"]


@pytest.fixture(params=[18, 16], ids=["postgres-18", "postgres-16"])
def postgres_version(request: pytest.FixtureRequest) -> int:
    version: int = request.param
    return version
