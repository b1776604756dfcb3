"""Converts rows to dataclasses and back. A column fills the field of the same name, converted as declared there;
statements rename columns with `AS` where names differ.

One conversion function is compiled per class and set of columns, at first use, so reading costs no more than calling
the constructor by hand.
"""

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints, overload

from pydantic import TypeAdapter
from pydantic_core import to_json

from bot.db.pool import Row

T = TypeVar("T")

_ReadRows: TypeAlias = Callable[[Sequence[Row]], list[T]]

_READERS: Final[dict[tuple[type, tuple[str, ...]], _ReadRows[Any]]] = {}
"""What `_reader` has made, by class and columns: as many as there are statements in the code."""


@overload
def row_as(kind: type[T], row: Row) -> T: ...
@overload
def row_as(kind: type[T], row: "Row | None") -> T | None: ...
def row_as(kind: type[T], row: "Row | None") -> T | None:
    """Return `row` as an object of the dataclass `kind`, or `None` if there is no row.

    Columns without a field are left out; fields without a column keep their defaults. A field that is a dataclass
    itself is filled from columns that begin with its name, as `forwarded` from `forwarded_guild_id`; if it may be
    `None`, it is so where the first of them is NULL, else it is filled from columns named as its own fields.
    One that holds several dataclasses is read from JSON.
    """
    return None if row is None else _reader(kind, tuple(row.keys()))([row])[0]


def rows_as(kind: type[T], rows: Sequence[Row]) -> list[T]:
    """Return `rows`, all of one statement, as objects of the dataclass `kind`, each as `row_as` reads it."""
    return _reader(kind, tuple(rows[0].keys()))(rows) if rows else []


def json_of(value: object) -> str:
    """Return `value` as JSON: dataclasses and mappings as objects, times in ISO 8601, enums as their values."""
    return to_json(value).decode()


def records_of(items: Sequence[object], **columns: Sequence[object]) -> str:
    """Return dataclasses as JSON for `jsonb_populate_recordset`, with further `columns`, one value for each item."""
    if not columns:
        return json_of(items)
    added = (dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True))
    return json_of([_fields_of(item) | more for item, more in zip(items, added, strict=True)])


def columns_of(kind: type, table: str = "", *, into: str = "", **renamed: str) -> str:
    """Return the columns that fill the fields of the dataclass `kind`, for a SELECT.

    They are those of `table`, if one is named; `renamed` are expressions for those that are not named as their field.
    `into` is the field that the object itself is to fill, with which all names then begin.
    """
    prefix, start = f"{table}." if table else "", f"{into}_" if into else ""
    return ", ".join(
        f"{renamed.get(name, prefix + name)} AS {start}{name}" if into or name in renamed else prefix + name
        for name in _columns(kind)
    )


@cache
def _columns(kind: type, prefix: str = "") -> tuple[str, ...]:
    """Return the columns for all fields of `kind`, those of a field that is a dataclass under its name.

    To read the types anew for each statement takes as long as the statement: one is made for every message.
    """
    found: list[str] = []
    for name, hint in _hints(kind).items():
        nested = _nested(hint)
        found += _columns(nested, f"{prefix}{name}_") if nested else [prefix + name]
    return tuple(found)


def _fields_of(item: object) -> dict[str, object]:
    if not is_dataclass(item):
        raise TypeError(f"{item!r} is no dataclass")
    return {field.name: getattr(item, field.name) for field in fields(item)}


def _reader(kind: type[T], columns: tuple[str, ...]) -> _ReadRows[T]:
    """Return a function that reads rows of these columns, made as `dataclass` makes a constructor: from source."""
    known: _ReadRows[T] | None = _READERS.get((kind, columns))
    if known is not None:
        return known
    names: dict[str, object] = {}
    call = _call(kind, {column: f"v{place}" for place, column in enumerate(columns)}, names)
    values = "".join(f"v{place}, " for place in range(len(columns)))
    read: _ReadRows[T] = eval(f"lambda rows: [{call} for {values} in rows]", names)  # noqa: S307 - no input in it
    _READERS[kind, columns] = read
    return read


def _call(kind: type, values: Mapping[str, str], names: dict[str, object]) -> str:
    """Return the source of a call of `kind` with `values`, variables by column, and put what it names into `names`."""
    given = [
        f"{name}={source}"
        for name, hint in _hints(kind).items()
        if (source := _source(name, hint, values, names)) is not None
    ]
    return f"{_named(kind, names)}({', '.join(given)})"


def _source(name: str, hint: object, values: Mapping[str, str], names: dict[str, object]) -> str | None:
    nested = _nested(hint)
    if nested is None:
        if name not in values:
            return None
        convert = _converter(hint)
        return f"{_named(convert, names)}({values[name]})" if convert else values[name]
    own = _columns(nested)
    inner = {one: values[f"{name}_{one}"] for one in own if f"{name}_{one}" in values}
    if not inner and not _may_be_none(hint):
        inner = {one: values[one] for one in own if one in values}
    if not inner:
        return None
    call = _call(nested, inner, names)
    return f"({call} if {next(iter(inner.values()))} is not None else None)" if _may_be_none(hint) else call


def _named(value: object, names: dict[str, object]) -> str:
    """Return a name for `value` in the source."""
    name = f"n{len(names)}"
    names[name] = value
    return name


def _hints(kind: type) -> Mapping[str, object]:
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} is no dataclass")
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _nested(hint: object) -> type | None:
    """Return the dataclass that a field of this type holds, if it does."""
    one = _some(hint)
    return one if isinstance(one, type) and is_dataclass(one) else None


def _converter(hint: object) -> Callable[..., object] | None:
    """Return what makes a value of this type of what the driver gives; `None` if that is one."""
    one = _some(hint)
    if isinstance(one, type) and issubclass(one, Enum):
        known: dict[object, object] = {member.value: member for member in one}
        return (known | {None: None} if _may_be_none(hint) else known).__getitem__
    # The driver gives an array as a list, which a frozen dataclass does not hold.
    container = get_origin(one) or one
    if any(isinstance(held, type) and is_dataclass(held) for held in get_args(one)):
        adapter: TypeAdapter[object] = TypeAdapter(cast("type", one))
        return adapter.validate_json
    return tuple if container is tuple else frozenset if container is frozenset else None


def _some(hint: object) -> object:
    """Return the type of an optional field where it is not `None`."""
    kinds = [one for one in get_args(hint) if one is not types.NoneType]
    return kinds[0] if _is_union(hint) and len(kinds) == 1 else hint


def _may_be_none(hint: object) -> bool:
    return _is_union(hint) and types.NoneType in get_args(hint)


def _is_union(hint: object) -> bool:
    return get_origin(hint) in {Union, types.UnionType}
