"""A word is found whatever signs it stands between: in every database, and in what was stored before that held."""

import shutil
import unicodedata
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.app import Keepsake, assembled
from bot.chat.incoming import IncomingMessage
from bot.core import settings as core_settings
from bot.core.clock import SetClock
from bot.core.domain import OPEN, FactCategory, FactOrigin, Guild, Member, Message, snowflake_at
from bot.core.settings import Settings
from bot.db import migrations
from bot.db.pool import Connection, Database
from bot.memory.facts import lifecycle
from bot.memory.facts.repository import NewFact
from bot.memory.guilds import text_search
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.tombstones import Hasher, tombstone_of
from bot.memory.recall import lexicon
from bot.memory.recall.search import HitKind

NOON: Final = datetime(2026, 3, 1, 9, tzinfo=UTC)
ALICE: Final = 21

SIGNS: Final = st.text(st.characters(whitelist_categories=["P", "S", "Z"]), min_size=1, max_size=3)
WORDS: Final = st.sampled_from(["pizza", "пицца", "їжа", "mañana", "x2"])

SAID: Final = (
    "I bought a “zeppelin”, really", "I bought a ‘zeppelin’, really", "I bought a „zeppelin“, really",
    "I bought a ‹zeppelin›… really", "I bought a zeppelin—really", "I bought a zeppelin🎈 really",
    "I bought a\u00a0zeppelin\u00a0now",     "I bought a zep\u00adpelin, really", "I bought a ❤️zeppelin❤️ really",
    "I bought a yacht/zeppelin, really",
)  # fmt: skip
SAID_IN_RUSSIAN: Final = (
    "я купил «дирижабль», правда", "я купил „дирижабль“, правда", "я купил дирижабль… правда",
    "я купил дирижабль—правда", "я купил дирижа́бль, правда", "я купил «\u200bдирижабль\ufeff»",
)  # fmt: skip


async def lexemes(connection: "asyncpg.Connection[asyncpg.Record]", text: str) -> list[str]:
    found: list[str] = await connection.fetchval("SELECT tsvector_to_array(lexemes_of('simple', $1))", text)
    return found


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(word=WORDS, before=SIGNS, after=SIGNS)
async def test_no_sign_hides_the_word_that_it_touches(dsn: str, word: str, before: str, after: str) -> None:
    connection = await asyncpg.connect(dsn)
    for text in (f"{before}{word}{after}", f"so {word}{after}", f"{before}{word} it is"):
        assert word in await lexemes(connection, text), text
    await connection.close()


async def test_none_of_all_signs_hides_a_word(dsn: str) -> None:
    signs = [sign for sign in map(chr, range(1, 0x110000)) if unicodedata.category(sign)[0] in "PSZ"]
    connection = await asyncpg.connect(dsn)
    hiding = await connection.fetch(
        """
        SELECT sign FROM unnest($1::text[]) AS sign
        WHERE NOT lexemes_of('simple', 'so ' || sign || 'пицца' || sign || ' it is') @@ 'пицца'
        """,
        signs,
    )
    await connection.close()
    assert len(signs) > 5_000
    assert hiding == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("don’t", "don't"), ("l’été", "l'été"), ("м’ята", "м'ята"), ("мʼята", "м'ята"), ("пи́цца", "пицца"),
        (unicodedata.normalize("NFD", "йод ёж été"), "йод ёж été"), ("wi\u200bfi", "wi fi"), ("e\u2060mail", "email"),
        ("tea/coffee", "tea coffee"), ("👩‍👩‍👧 mum", "mum"), ("1️⃣ tea", "1 tea"),
    ],
)  # fmt: skip
async def test_spellings_of_one_word_are_one_word(dsn: str, one: str, other: str) -> None:
    connection = await asyncpg.connect(dsn)
    assert await lexemes(connection, one) == await lexemes(connection, other)
    await connection.close()


@pytest.fixture
async def elsewhere(dsn: str) -> AsyncIterator[str]:
    """A migrated database whose locale knows letters from signs, beside the embedded kind, which does not."""
    name = f"{dsn.split('?')[0].rsplit('/', 1)[1]}_of_another_locale"
    connection = await asyncpg.connect(dsn)
    await connection.execute(f"DROP DATABASE IF EXISTS {name}")
    await connection.execute(
        f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C.UTF-8'"
    )
    address = dsn.replace(f"/{dsn.split('?')[0].rsplit('/', 1)[1]}?", f"/{name}?")
    await migrations.migrate(address)
    yield address
    await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await connection.close()


async def test_words_are_the_same_whatever_the_locale_of_the_database(dsn: str, elsewhere: str) -> None:
    here, there = await asyncpg.connect(dsn), await asyncpg.connect(elsewhere)
    ctypes = "SELECT datctype FROM pg_database WHERE datname = current_database()"
    # Postgres 16 has no locale of its own: there the embedded database is of the same kind.
    assert await there.fetchval(ctypes) == "C.UTF-8"
    every = [chr(code) for code in range(1, 0x110000) if unicodedata.category(chr(code))[0] in "LNPSZ"]
    texts = [*SAID, *SAID_IN_RUSSIAN, *(f"so {sign}pizza{sign} и{sign}пицца" for sign in every)]
    query = "SELECT lexemes_of('russian', said)::text AS words FROM unnest($1::text[]) AS said"
    found = [[row["words"] for row in await one.fetch(query, texts)] for one in (here, there)]
    await here.close()
    await there.close()
    assert [text for text, *words in zip(texts, *found, strict=True) if words[0] != words[1]] == []


class Place:
    """A guild in which Alice talks."""

    def __init__(self, keepsake: Keepsake, database: Database) -> None:
        self.keepsake = keepsake
        self.database = database
        self._next = 0

    async def begin(self) -> None:
        """Let guild and member be known."""
        await self.keepsake.directory.add_guild(Guild(guild_id=1, name="Aquarium"))
        await self.keepsake.directory.put_members([Member(guild_id=1, user_id=ALICE, user_name="✨Alice✨")])

    async def say(self, text: str) -> str:
        """Say something, and return what the bot answers."""
        self._next += 1
        message = Message(
            guild_id=1, channel_id=2, message_id=snowflake_at(NOON) + self._next, user_id=ALICE, text=text,
            timestamp=NOON,
        )  # fmt: skip
        outcome = await self.keepsake.conversation.hear(
            IncomingMessage(message=message, bot_id=77, bot_names=("Bot",), paced=False)
        )
        return outcome.text or ""

    async def found(self, words: str, kind: HitKind = HitKind.MESSAGE) -> list[str]:
        """Return what a search for words finds."""
        hits = await self.keepsake.memory.recall(guild_id=1, query=words, audiences=[OPEN], limit=50)
        return [hit.text for hit in hits if hit.kind is kind]

    async def called(self, name: str) -> list[int]:
        """Return the members whom a search takes for somebody of this name."""
        known = await self.database.read(
            lambda connection: lexicon.known_words(
                connection, guild_id=1, audiences=[OPEN], words=[lexicon.AskedWord(1, name)], identifiers=[],
                names=[name], name_beginnings=[name[:3]], user_ids=[],
            )
        )  # fmt: skip
        return [member.user_id for member in known.members]


async def is_found_and_forgotten(place: Place) -> None:
    """Look for what Alice said, by plain and by quoted words, and have it forgotten."""
    for words in ("zeppelin", "the “zeppelin”", "«zeppelin»?"):
        assert set(SAID) <= set(await place.found(words)), words
    for words in ("дирижабль", "про «дирижабль»"):
        assert set(SAID_IN_RUSSIAN) <= set(await place.found(words)), words
    assert await place.called("alice") == [ALICE]
    for text in ("remember that I bought a zeppelin", "forget that I bought a zeppelin"):
        await place.say(f"Bot, {text}")
    for text in ("запомни, что я купил дирижабль", "забудь, что я купил дирижабль"):
        await place.say(f"Bot, {text}")
    assert not set(await place.found("zeppelin")) & set(SAID)
    assert not set(await place.found("дирижабль")) & set(SAID_IN_RUSSIAN)


async def test_what_stands_in_quotes_is_found_and_forgotten(keepsake: Keepsake, database: Database) -> None:
    place = Place(keepsake, database)
    await place.begin()
    for text in (*SAID, *SAID_IN_RUSSIAN):
        await place.say(text)
    await is_found_and_forgotten(place)


@pytest.fixture
async def before(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a database as it was before signs were told from letters."""
    connection = await asyncpg.connect(dsn)
    await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    await connection.close()
    with monkeypatch.context() as older:
        folder = tmp_path / "migrations"
        shutil.copytree(core_settings.resource_folder("migrations"), folder)
        for version in (folder / "versions").glob("*.py"):
            if version.name >= "0026":
                version.unlink()
        older.setattr(core_settings, "resource_folder", lambda _: folder)
        await migrations.migrate(dsn)
    return dsn


async def keep_as_before(dsn: str) -> None:
    """Write rows as they were written then."""
    connection = await asyncpg.connect(dsn)
    await connection.execute("INSERT INTO guilds (guild_id, name) VALUES (1, 'Aquarium')")
    await connection.execute(
        "INSERT INTO members (guild_id, user_id, user_name) VALUES (1, $1, '✨Alice✨')", ALICE
    )
    await connection.execute(
        """
        INSERT INTO chat_history
            (guild_id, channel_id, message_id, user_id, audience, kind, message_text, timestamp, lexemes)
        SELECT 1, 2, number, $1, 0, 'member', said, $2, lexemes_of('russian', said, '{}')
        FROM unnest($3::text[]) WITH ORDINALITY AS spoken (said, number)
        """,
        ALICE, NOON, [*SAID, *SAID_IN_RUSSIAN],
    )  # fmt: skip
    await connection.execute(
        """
        INSERT INTO facts (guild_id, subject_id, audience, category, key, value, content, raw_content, importance,
            confidence, status, origin, author_id, source_channel_id, source_message_id, cause, said_at, updated_at,
            lexemes)
        SELECT 1, $1, 0, 'other', 'note:x', '', said, said, 5, 1, 'active', 'command', $1, 2, 0, 'm:1', $2, $2,
            to_tsvector('russian', said)
        FROM (SELECT '<@21> flies a “Nautilus”' AS said) AS told
        """,
        ALICE, NOON,
    )  # fmt: skip
    await connection.execute(
        """
        INSERT INTO episodes (guild_id, channel_id, audience, content, lexemes, importance, first_message_id,
            last_message_id, created_at, updated_at)
        SELECT 1, 2, 0, said, to_tsvector('russian', said), 5, 1, 2, $1, $1
        FROM (SELECT 'They sank the „Nautilus“.' AS said) AS told
        """,
        NOON,
    )  # fmt: skip
    await connection.close()


async def test_what_was_stored_before_is_found_and_forgotten_after_the_update(
    before: str, clock: SetClock, defaults: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_search, "BATCH_ROWS", 3)
    await keep_as_before(before)
    await migrations.migrate(before)
    database = await Database.open(before)
    try:
        async with assembled(defaults, clock, database) as keepsake:
            await keepsake.work.idle()
            place = Place(keepsake, database)
            assert await place.found("nautilus", HitKind.FACT) == ["<@21> flies a “Nautilus”"]
            assert await place.found("nautilus", HitKind.EPISODE) == ["They sank the „Nautilus“."]
            await is_found_and_forgotten(place)
        relexing = "SELECT count(*) FROM work WHERE kind = 'relex'"
        assert await database.read(lambda connection: connection.fetchval(relexing)) == 0
        await migrations.migrate(before)
        assert await database.read(lambda connection: connection.fetchval(relexing)) == 0
    finally:
        await database.close()


async def test_what_was_forgotten_before_is_known_again_after_the_update(database: Database) -> None:
    told = NewFact(
        guild_id=1, subject_id=ALICE, audience=OPEN, category=FactCategory.OTHER, key="note:x", value="",
        content=f"<@{ALICE}> flies a “Nautilus”", raw_content="", importance=5, confidence=1,
        origin=FactOrigin.PATTERN, author_id=ALICE, source_channel_id=2, source_message_id=3, cause="m:3",
        said_at=NOON, holds_on=None, expires_at=None,
    )  # fmt: skip

    async def known_again(connection: Connection) -> bool:
        hasher = Hasher(await policy_repository.hash_secret(connection))
        stems = await connection.fetchval(
            "SELECT tsvector_to_array(to_tsvector('russian', $1))", told.content
        )
        stone = tombstone_of(
            hasher, guild_id=1, subject_id=ALICE, key="note:y",
            stems=[*(one for one in stems if one != str(ALICE)), "!yes"],
        )  # fmt: skip
        await policy_repository.add_tombstones(connection, guild_id=1, tombstones=[stone], at=NOON)
        return not await lifecycle.not_forgotten(connection, hasher, guild_id=1, given=[told])

    assert await database.write(known_again)
