"""The formats of Discord's description: ids, numbers of 32 and 64 bits, moments, addresses."""

from datetime import datetime
from urllib.parse import urlsplit

from jsonschema import FormatChecker

FORMATS = FormatChecker(formats=())
"""Judges every format that the description names; each leaves other types than its own alone."""


@FORMATS.checks("snowflake")
def _is_snowflake(value: object) -> bool:
    return not isinstance(value, str) or (value.isdecimal() and int(value) < 2**64)


@FORMATS.checks("int32")
def _is_int32(value: object) -> bool:
    return not isinstance(value, int) or -(2**31) <= value < 2**31


@FORMATS.checks("int64")
def _is_int64(value: object) -> bool:
    return not isinstance(value, int) or -(2**63) <= value < 2**63


@FORMATS.checks("date-time", raises=ValueError)
def _is_moment(value: object) -> bool:
    # Without an offset a moment is no moment: the reader would have to guess the zone.
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


@FORMATS.checks("uri", raises=ValueError)
def _is_address(value: object) -> bool:
    return not isinstance(value, str) or bool(urlsplit(value).scheme)
