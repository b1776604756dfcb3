"""Where the files lie that travel with the code: migrations and prompts."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def folder(name: str) -> Path:
    """Return the folder `name` of a checkout, or the copy of it inside an installed wheel."""
    beside = _PACKAGE.parent / name
    return beside if (_PACKAGE.parent / "pyproject.toml").is_file() else _PACKAGE / f"_{name}"
