"""Rows as dataclasses: each column fills the field of its name, converted as the field is declared."""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

import pytest

from bot.db.pool import Database, Row
from bot.db.rows import columns_of, records_of, row_as, rows_as


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    guild_id: int
    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    name: str
    colour: Colour
    second: Colour | None = None
    tags: tuple[str, ...] = ()
    ids: frozenset[int] = frozenset()
    owner: Owner | None = None
    made_on: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    thing: Thing
    weight: float


async def fetched(database: Database, query: str, *values: object) -> list[Row]:
    return await database.read(lambda connection: connection.fetch(query, *values))


async def test_values_become_what_the_fields_are_declared_as(database: Database) -> None:
    rows = await fetched(
        database,
        """
        SELECT 'cup' AS name, 'red' AS colour, 'blue' AS second, ARRAY['a', 'b'] AS tags, ARRAY[1, 2] AS ids,
               date '2026-03-01' AS made_on
        """,
    )
    cup = Thing(
        name="cup",
        colour=Colour.RED,
        second=Colour.BLUE,
        tags=("a", "b"),
        ids=frozenset({1, 2}),
        made_on=date(2026, 3, 1),
    )
    assert rows_as(Thing, rows) == [cup]
    assert isinstance(rows_as(Thing, rows)[0].colour, Colour)


async def test_what_a_statement_leaves_out_keeps_its_default_and_what_has_no_field_is_left_out(
    database: Database,
) -> None:
    rows = await fetched(database, "SELECT 1 AS place, 'cup' AS name, 'red' AS colour, NULL AS second")
    assert row_as(Thing, rows[0]) == Thing(name="cup", colour=Colour.RED)


async def test_no_row_is_none_and_no_rows_are_none(database: Database) -> None:
    assert row_as(Thing, None) is None
    assert rows_as(Thing, await fetched(database, "SELECT 1 AS name WHERE false")) == []


async def test_a_missing_column_without_a_default_is_an_error(database: Database) -> None:
    rows = await fetched(database, "SELECT 'cup' AS name")
    with pytest.raises(TypeError, match="colour"):
        rows_as(Thing, rows)


async def test_a_field_that_is_a_dataclass_is_filled_from_columns_that_begin_with_its_name(
    database: Database,
) -> None:
    rows = await fetched(
        database,
        """
        SELECT 'cup' AS name, 'red' AS colour, guild_id AS owner_guild_id, user_id AS owner_user_id
        FROM (VALUES (1, 2), (NULL, NULL)) AS owners (guild_id, user_id)
        """,
    )
    owners = [thing.owner for thing in rows_as(Thing, rows)]
    assert owners == [Owner(guild_id=1, user_id=2), None]


async def test_or_from_columns_that_are_named_as_its_own_fields(database: Database) -> None:
    rows = await fetched(database, "SELECT 'cup' AS name, 'red' AS colour, 0.5::float8 AS weight")
    assert rows_as(Weighed, rows) == [Weighed(thing=Thing(name="cup", colour=Colour.RED), weight=0.5)]


async def test_records_come_back_as_the_columns_of_a_table(database: Database) -> None:
    things = [
        {"guild_id": 1, "user_id": 7, "user_name": "alice", "left_at": datetime(2026, 3, 1, tzinfo=UTC)},
        {"guild_id": 1, "user_id": 8, "user_name": "бобр", "left_at": None},
    ]
    query = """
        SELECT guild_id, user_id, user_name, left_at
        FROM jsonb_populate_recordset(NULL::members, $1::jsonb) WITH ORDINALITY ORDER BY ordinality
    """
    owners = [Owner(guild_id=1, user_id=thing["user_id"]) for thing in things]  # type: ignore[arg-type]
    records = records_of(
        owners,
        user_name=[thing["user_name"] for thing in things],
        left_at=[thing["left_at"] for thing in things],
    )
    assert [dict(row) for row in await fetched(database, query, records)] == things


def test_a_record_has_the_fields_of_its_dataclass_as_json() -> None:
    cup = Thing(name="cup", colour=Colour.RED, tags=("a",), owner=Owner(guild_id=1, user_id=2))
    assert json.loads(records_of([cup])) == [
        {
            "name": "cup",
            "colour": "red",
            "second": None,
            "tags": ["a"],
            "ids": [],
            "owner": {"guild_id": 1, "user_id": 2},
            "made_on": None,
        }
    ]


def test_the_columns_of_a_class_are_those_of_its_fields() -> None:
    assert columns_of(Owner) == "guild_id, user_id"
    assert columns_of(Owner, "o", user_id="o.member") == "o.guild_id, o.member AS user_id"
    assert columns_of(Thing).endswith("ids, owner_guild_id, owner_user_id, made_on")
