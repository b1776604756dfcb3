"""Which values the settings of a guild may have, and which of them a change touches."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.core.clock import time_zones
from bot.core.domain import MAX_ID, Guild
from bot.core.errors import InvalidInputError

MAX_PERSONA_CHARACTERS: Final = 1_000
"""The longest persona: it goes into every prompt of a reply and must leave room for memories."""

MAX_RETENTION_DAYS: Final = 36_500
"""A hundred years: whoever wants more wants 0, for ever."""

_CHANGEABLE: Final = (
    "name", "time_zone", "text_search", "retention_days", "base_role_id", "persona", "pings",
    "remembering_others", "forgetting_others", "telling_others", "consent", "hearing", "log_channel_id",
)  # fmt: skip


def changes_between(was: Guild, becomes: Guild) -> Mapping[str, object]:
    """Return, by name, the settings in which `becomes` differs from `was`."""
    return {
        name: getattr(becomes, name) for name in _CHANGEABLE if getattr(becomes, name) != getattr(was, name)
    }


def check_settings(becomes: Guild, changed: Mapping[str, object], *, text_searches: Sequence[str]) -> None:
    """Raise `InvalidInputError` for the first setting of `changed` whose value in `becomes` cannot be.

    `text_searches` are the text-search configurations that the database has.
    """
    for name in changed:
        match name:
            case "time_zone" if becomes.time_zone not in time_zones():
                raise InvalidInputError(
                    f"time_zone {becomes.time_zone!r} cannot be used: it must be one of the IANA list,"
                    " such as Europe/Berlin"
                )
            case "text_search" if becomes.text_search not in text_searches:
                raise InvalidInputError(
                    f"text_search {becomes.text_search!r} cannot be used: it must be one of"
                    f" {', '.join(text_searches)}"
                )
            case "retention_days" if not 0 <= (becomes.retention_days or 0) <= MAX_RETENTION_DAYS:
                raise InvalidInputError(
                    f"retention_days {becomes.retention_days} cannot be used: it must be a whole number"
                    f" from 0 to {MAX_RETENTION_DAYS}, where 0 is for ever"
                )
            case "persona" if len(becomes.persona) > MAX_PERSONA_CHARACTERS:
                raise InvalidInputError(
                    f"persona has {len(becomes.persona)} characters: it must have"
                    f" {MAX_PERSONA_CHARACTERS} at most"
                )
            case "base_role_id" | "log_channel_id" if not _is_id(getattr(becomes, name)):
                raise InvalidInputError(
                    f"{name} {getattr(becomes, name)} is no id: ids lie between 1 and {MAX_ID}"
                )
            case _:
                pass


def _is_id(value: int | None) -> bool:
    return value is None or 0 < value <= MAX_ID
