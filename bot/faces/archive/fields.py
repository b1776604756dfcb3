"""Reading fields of parsed JSON whose shape nobody vouches for."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, TypeAlias

from bot.domain import MAX_ID

JsonObject: TypeAlias = Mapping[str, object]

_YEARS: Final = range(1970, 3000)
"""Years that every time zone and every database can reckon with."""


def text_of(holder: JsonObject, name: str) -> str:
    """Return the text in field `name`, "" if there is none, without what no UTF-8 database can hold."""
    value = holder.get(name)
    return clean(value) if isinstance(value, str) else ""


def object_of(holder: JsonObject, name: str) -> JsonObject:
    """Return the object in field `name`, an empty one if there is none."""
    value = holder.get(name)
    return value if isinstance(value, dict) else {}


def objects_of(holder: JsonObject, name: str) -> list[JsonObject]:
    """Return the objects in the list in field `name`; whatever else it holds is left out."""
    value = holder.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def id_of(holder: JsonObject, name: str) -> int | None:
    """Return the id in field `name`, `None` if what is there is no number between 1 and `MAX_ID`."""
    value = holder.get(name)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(MAX_ID)):
        value = int(value)
    return value if type(value) is int and 0 < value <= MAX_ID else None


def moment_in(holder: JsonObject, name: str) -> datetime | None:
    """Return the time in field `name` in UTC, `None` if there is none of the years 1970 to 2999."""
    value = holder.get(name)
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment if moment.year in _YEARS else None


def clean(text: str) -> str:
    """Return `text` without NUL and lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")
