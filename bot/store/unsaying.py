"""Texts told of members and conversations, searched by the words of what is forgotten, and put right."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.store.database import Connection

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldText:
    """One text as it is kept."""

    told: Told
    row: tuple[int, int]
    """Of a profile the member and the version, of a summary the channel, of an episode its id."""
    content: str

    @property
    def subject_id(self) -> int | None:
        """Whom the whole text is about; `None` if it may be about anybody."""
        return self.row[0] if self.told is Told.PROFILE else None


async def texts_with(
    connection: Connection, *, guild_id: int, stems: Sequence[Sequence[str]]
) -> list[ToldText]:
    """Return the texts that hold all stems of one of these lists, and keep them from changing until commit."""
    found: list[ToldText] = []
    for told, table, row in (
        (Told.PROFILE, "profiles", "user_id, version"),
        (Told.SUMMARY, "conversation_summaries", "channel_id, 0"),
        (Told.EPISODE, "episodes", "episode_id, 0"),
    ):
        rows = await connection.fetch(
            f"""
            SELECT content, {row} FROM {table}
            WHERE guild_id = $1 AND EXISTS (
                SELECT FROM ({_QUERIES}) said WHERE to_tsvector({_CONFIGURATION}, {table}.content) @@ said.query
            )
            ORDER BY 2, 3 FOR UPDATE
            """,
            guild_id, json.dumps([list(one) for one in stems]),
        )  # fmt: skip
        found += [ToldText(told=told, row=(one[1], one[2]), content=one[0]) for one in rows]
    return found


async def answers_that_say(
    connection: Connection, *, guild_id: int, episode_ids: Sequence[int], stems: Sequence[Sequence[str]]
) -> list[int]:
    """Return the messages whose answers had one of these episodes and hold all stems of one of these lists."""
    if not episode_ids:
        return []
    rows = await connection.fetch(
        f"""
        SELECT message_id FROM answers
        WHERE guild_id = $1 AND episode_ids && $3::bigint[] AND EXISTS (
            SELECT FROM ({_QUERIES}) said
            WHERE to_tsvector({_CONFIGURATION}, array_to_string(answers.parts, ' ')) @@ said.query
        )
        """,
        guild_id, json.dumps([list(one) for one in stems]), list(episode_ids),
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


async def sentences_that_say(
    connection: Connection, *, guild_id: int, sentences: Sequence[str], stems: Sequence[Sequence[str]]
) -> list[tuple[int, int]]:
    """Return which of `sentences` hold all stems of which list, by their places in the two sequences."""
    rows = await connection.fetch(
        f"""
        SELECT spoken.place - 1 AS sentence, said.number - 1 AS said
        FROM unnest($3::text[]) WITH ORDINALITY AS spoken (words, place), ({_QUERIES}) said
        WHERE to_tsvector({_CONFIGURATION}, spoken.words) @@ said.query
        ORDER BY 1, 2
        """,
        guild_id, json.dumps([list(one) for one in stems]), list(sentences),
    )  # fmt: skip
    return [(row["sentence"], row["said"]) for row in rows]


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
