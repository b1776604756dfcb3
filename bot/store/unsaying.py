"""Texts told of members, days and conversations, searched by the words of what is forgotten, and put right."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.store.database import Connection
from bot.store.standing import LEAST_NAME, names_of

_QUERIES = """
    SELECT number, string_agg(quote_literal(stem), ' & ')::tsquery AS query
    FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS said (stems, number),
         jsonb_array_elements_text(said.stems) AS stem
    GROUP BY number
"""
_CONFIGURATION = "coalesce((SELECT text_search FROM guilds WHERE guild_id = $1), 'russian')"


class Told(StrEnum):
    """Where a text is kept."""

    PROFILE = "profile"
    SUMMARY = "summary"
    EPISODE = "episode"
    DAY = "day"


_KEPT: Final[Sequence[tuple[Told, str, str, str]]] = (
    (Told.PROFILE, "profiles", "user_id, version", "true"),
    (Told.SUMMARY, "conversation_summaries", "channel_id, 0", "true"),
    (Told.EPISODE, "episodes", "episode_id, 0", "true"),
    (Told.DAY, "distillations", "subject_id, 0", "kind = 'day' AND content <> ''"),
)
"""Tables of texts: what tells a row from others, and which rows are such texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldText:
    """One text as it is kept."""

    told: Told
    row: tuple[int, int]
    """Of a profile the member and the version, of a summary the channel, of an episode its id, of a day the member."""
    content: str
    place: str = ""
    """Of a day where its row lies, until the end of the transaction that held it."""

    @property
    def subject_id(self) -> int | None:
        """Whom the whole text is about; `None` if it may be about anybody."""
        return self.row[0] if self.told in {Told.PROFILE, Told.DAY} else None


async def texts_with(
    connection: Connection, *, guild_id: int, stems: Sequence[Sequence[str]]
) -> list[ToldText]:
    """Return the texts that hold all stems of one of these lists, and keep them from changing until commit.

    An empty list is held by all.
    """
    found: list[ToldText] = []
    for told, table, row, which in _KEPT:
        rows = await connection.fetch(
            f"""
            SELECT content, {row}, ctid::text FROM {table}
            WHERE guild_id = $1 AND {which} AND ($3 OR EXISTS (
                SELECT FROM ({_QUERIES}) said WHERE to_tsvector({_CONFIGURATION}, {table}.content) @@ said.query
            ))
            ORDER BY 2, 3, 4 FOR UPDATE
            """,
            guild_id, json.dumps([list(one) for one in stems if one]), not all(stems),
        )  # fmt: skip
        found += [ToldText(told=told, row=(one[1], one[2]), content=one[0], place=one[3]) for one in rows]
    return found


async def days_naming(connection: Connection, *, guild_id: int, user_id: int) -> list[ToldText]:
    """Return the texts of days that may name a member, by id or by a name, and keep them from changing until commit."""
    rows = await connection.fetch(
        f"""
        SELECT d.content, d.subject_id, d.ctid::text AS place FROM distillations d
        WHERE d.guild_id = $1 AND d.kind = 'day' AND d.content <> ''
          AND (d.content ~ ('<@!?' || $2::bigint || '>') OR EXISTS (
              SELECT FROM members m CROSS JOIN unnest({names_of("m")}) AS name
              WHERE m.guild_id = $1 AND m.user_id = $2 AND char_length(name) >= {LEAST_NAME}
                AND position(lower(name) IN lower(d.content)) > 0
          ))
        ORDER BY d.audience, d.subject_id, d.period FOR UPDATE OF d
        """,
        guild_id, user_id,
    )  # fmt: skip
    return [
        ToldText(told=Told.DAY, row=(row["subject_id"], 0), content=row["content"], place=row["place"])
        for row in rows
    ]


async def answers_that_say(
    connection: Connection, *, guild_id: int, episode_ids: Sequence[int], stems: Sequence[Sequence[str]]
) -> list[int]:
    """Return the messages whose answers had one of these episodes and hold all stems of one of these lists.

    An empty list is held by all.
    """
    if not episode_ids:
        return []
    rows = await connection.fetch(
        f"""
        SELECT message_id FROM answers
        WHERE guild_id = $1 AND episode_ids && $3::bigint[] AND ($4 OR EXISTS (
            SELECT FROM ({_QUERIES}) said
            WHERE to_tsvector({_CONFIGURATION}, array_to_string(answers.parts, ' ')) @@ said.query
        ))
        """,
        guild_id, json.dumps([list(one) for one in stems if one]), list(episode_ids), not all(stems),
    )  # fmt: skip
    return [row["message_id"] for row in rows]


async def rewrite(connection: Connection, *, guild_id: int, text: ToldText, content: str) -> None:
    """Put `content` in the place of a text; an episode of which nothing is left goes."""
    match text.told:
        case Told.PROFILE:
            await connection.execute(
                "UPDATE profiles SET content = $4 WHERE guild_id = $1 AND user_id = $2 AND version = $3",
                guild_id, *text.row, content,
            )  # fmt: skip
        case Told.SUMMARY:
            await connection.execute(
                "UPDATE conversation_summaries SET content = $3 WHERE guild_id = $1 AND channel_id = $2",
                guild_id, text.row[0], content,
            )  # fmt: skip
        case Told.EPISODE if content:
            await connection.execute(
                f"""
                UPDATE episodes SET content = $3, lexemes = to_tsvector({_CONFIGURATION}, $3)
                WHERE guild_id = $1 AND episode_id = $2
                """,
                guild_id, text.row[0], content,
            )  # fmt: skip
        case Told.EPISODE:
            await connection.execute(
                "DELETE FROM episodes WHERE guild_id = $1 AND episode_id = $2", guild_id, text.row[0]
            )
        case Told.DAY:
            await connection.execute(
                "UPDATE distillations SET content = nullif($3, '') WHERE guild_id = $1 AND ctid = $2::text::tid",
                guild_id, text.place, content,
            )  # fmt: skip


async def stems_of(connection: Connection, *, guild_id: int, sentences: Sequence[str]) -> list[list[str]]:
    """Return the stems of each of `sentences` as the guild's text search has them."""
    rows = await connection.fetch(
        f"""
        SELECT tsvector_to_array(to_tsvector({_CONFIGURATION}, words)) AS stems
        FROM unnest($2::text[]) WITH ORDINALITY AS spoken (words, place) ORDER BY place
        """,
        guild_id, list(sentences),
    )  # fmt: skip
    return [row["stems"] for row in rows]
