"""Names in `.env` that are no setting's: mostly one of them, misspelt."""

import logging
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

from dotenv import dotenv_values

from bot.settings import ENV_FILE, Settings

logger = logging.getLogger(__name__)

_OF_OTHERS: Final = ("COMPOSE_", "DOCKER_", "POSTGRES_", "PG")
"""How names begin that other programs read from the same file."""


def unknown_names() -> dict[str, str | None]:
    """Return the names in `.env` that are no setting's, each with the setting whose name is nearest, if one is near."""
    known = [name.upper() for name in Settings.model_fields]
    try:
        written = [*dotenv_values(ENV_FILE)]
    except (OSError, UnicodeError):
        return {}
    strange = [name for name in written if name.upper() not in known and not name.startswith(_OF_OTHERS)]
    return {name: next(iter(get_close_matches(name.upper(), known, n=1)), None) for name in strange}


def told_unknown(names: Mapping[str, str | None]) -> str:
    """Return what is to be said of unknown names, without what they are set to."""
    told = [f"{name} (is {meant} meant?)" if meant else name for name, meant in names.items()]
    return f"the file {ENV_FILE} names what is no setting: {', '.join(told)}"


def warn_of_unknown_names() -> None:
    """Log one line if `.env` names what is no setting."""
    if names := unknown_names():
        logger.warning("%s", told_unknown(names))
