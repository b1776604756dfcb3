"""A home for the Postgres of a measurement, of which nothing is left."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.db.embedded.server import EmbeddedServer


@contextmanager
def own_home() -> Iterator[Path]:
    """Give a folder for an embedded server, and remove it with what the server of root writes, which lies elsewhere."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        try:
            yield home
        finally:
            shutil.rmtree(EmbeddedServer(home).folder.parent, ignore_errors=True)
