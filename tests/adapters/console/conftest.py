"""The fresh database of a test as the setting DATABASE_URL takes it."""

import re
from urllib.parse import quote, unquote

import pytest


@pytest.fixture
def address(dsn: str) -> str:
    """`dsn` with the folder of the server's socket in the place of a host."""
    found = re.fullmatch(r"postgresql://(\w+)@/(\w+)\?host=(.+)&port=(\d+)", dsn)
    assert found is not None
    role, database, folder, port = found.groups()
    return f"postgresql://{role}@{quote(unquote(folder), safe='')}:{port}/{database}"
