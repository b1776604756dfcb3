"""A guild in which somebody has lived for a while: what they said, what was said of them, and all that came of it."""

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.app import Keepsake
from bot.core.domain import OPEN, Channel, Guild, Member, Message, MessageKind, snowflake_at
from bot.db.embedded.files import find_install
from bot.db.pool import Connection, Database
from bot.memory.facts.statements import Note

GUILD_ID = 910_000_000_000_000_001
GENERAL, CLOSED, OTHER_CLOSED = 920_000_000_000_000_001, 920_000_000_000_000_002, 920_000_000_000_000_003
CAROL = 770_000_000_000_000_007
"""Who is to be erased."""
BOB, BOT = 880_000_000_000_000_008, 990_000_000_000_000_009
NOON = datetime(2026, 3, 1, 8, tzinfo=UTC)

OWN_WORDS = ("zanzibarus", "xylophonius", "quokkarium")
"""Words that only Carol said, or that were only said of her where she can read."""
NAMES = ("Aureliana", "carolinga", "Rellibird", "formerella", "aliasula")
CLOSED_WORDS = ("vermilionix",)
"""What others keep of her where she cannot read."""


def said(
    text: str,
    minute: int,
    *,
    user_id: int = CAROL,
    channel_id: int = GENERAL,
    audience: int = OPEN,
    guild_id: int = GUILD_ID,
    reply_to_id: int | None = None,
) -> Message:
    moment = NOON + timedelta(minutes=minute)
    return Message(
        guild_id=guild_id,
        channel_id=channel_id,
        message_id=snowflake_at(moment) + minute,
        user_id=user_id,
        text=text,
        timestamp=moment,
        audience=audience,
        kind=MessageKind.BOT if user_id == BOT else MessageKind.MEMBER,
        reply_to_id=reply_to_id,
    )


def note(message: Message, statement: str, *, subject_id: int) -> Note:
    return Note(
        guild_id=message.guild_id,
        subject_id=subject_id,
        author_id=message.user_id,
        speaker_id=message.user_id,
        audience=message.audience,
        statement=statement,
        cause=f"m:{message.message_id}",
        channel_id=message.channel_id,
        message_id=message.message_id,
        said_at=message.timestamp,
        time_zone="UTC",
    )


async def settle_in(keepsake: Keepsake) -> None:
    """Make the guild, its channels and its members known."""
    await keepsake.directory.add_guild(
        Guild(guild_id=GUILD_ID, name="Home", persona=f"You adore <@{CAROL}>.")
    )
    await keepsake.directory.put_channels(
        [
            Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general"),
            Channel(guild_id=GUILD_ID, channel_id=CLOSED, name="closed", audience=CLOSED),
            Channel(guild_id=GUILD_ID, channel_id=OTHER_CLOSED, name="other", audience=OTHER_CLOSED),
        ]
    )
    general = await keepsake.directory.channel(guild_id=GUILD_ID, channel_id=GENERAL)
    assert general is not None
    await keepsake.directory.change_channel(general, replace(general, persona=f"You tease <@{CAROL}>."))
    await keepsake.directory.put_members(
        [
            Member(guild_id=GUILD_ID, user_id=CAROL, user_name="formerella"),
            Member(guild_id=GUILD_ID, user_id=BOB, user_name="bob"),
            Member(guild_id=GUILD_ID, user_id=BOT, user_name="keepsake", is_bot=True),
        ]
    )
    await keepsake.directory.put_members(
        [
            Member(
                guild_id=GUILD_ID,
                user_id=CAROL,
                user_name="carolinga",
                display_name="Aureliana",
                nickname="Rellibird",
            )
        ]
    )


async def live(keepsake: Keepsake, database: Database) -> list[Message]:
    """Let Carol live in the guild, and return every message as it was said."""
    await settle_in(keepsake)
    messages = [
        said("my favourite island is zanzibarus", 1),
        said("I play the xylophonius", 2, channel_id=CLOSED, audience=CLOSED),
        said("Bot, remember that I live in quokkarium", 3),
        said("Remembered: Rellibird lives there", 4, user_id=BOT),
        said(f"ask <@{CAROL}> or <@!{CAROL}>, her page is x.test/u/{CAROL}/me, or <@{BOB}>", 5, user_id=BOB),
        said(f"Bot, remember that <@{CAROL}> fears quokkarium", 6, user_id=BOB),
        said("Bot, remember that Bob owns a zanzibarus", 7),
        said(f"Bot, remember that I adore <@{CAROL}>", 8, user_id=BOB),
        said(
            f"Bot, remember that <@{CAROL}> is vermilionix",
            9,
            user_id=BOB,
            channel_id=CLOSED,
            audience=CLOSED,
        ),
        said("Bot, remember that I am Aliasula", 10),
        said("Bot, what do you know about Carol?", 11, user_id=BOB),
        said("Aureliana told me much about islands", 12, user_id=BOT),
        said("nobody is meant here", 13, user_id=BOT),
        said("pizza is nice", 14, user_id=BOB),
        said("Bot, remember that I like tea", 15, user_id=BOB),
        said("Bot, remember that my parrot is xylophonius", 16),
    ]
    await keepsake.memory.ingest_messages(messages)
    for at, statement, subject_id in (
        (2, "I live in quokkarium", CAROL),
        (5, f"<@{CAROL}> fears quokkarium", CAROL),
        (6, f"<@{BOB}> owns a zanzibarus", BOB),
        (7, f"I adore <@{CAROL}>", BOB),
        (8, f"<@{CAROL}> is vermilionix", CAROL),
        (9, "I am Aliasula", CAROL),
        (14, "I like tea", BOB),
        (15, "my parrot is xylophonius", CAROL),
    ):
        named = ("quokkarium",) if at == 5 else ()
        told = note(messages[at], statement, subject_id=subject_id)
        await keepsake.memory.remember(replace(told, names=named))
    await keepsake.memory.consent.keep_category(
        guild_id=GUILD_ID, user_id=CAROL, category="feeling", kept=False
    )
    forgotten = await keepsake.memory.facts_of_message(guild_id=GUILD_ID, message_id=messages[15].message_id)
    await keepsake.memory.forget(guild_id=GUILD_ID, fact_ids=[fact.fact_id for fact in forgotten])
    await keepsake.memory.ingest_messages([messages[15]])
    await keepsake.work.idle()
    await database.write(_plant, messages)
    return messages


async def _plant(connection: Connection, messages: Sequence[Message]) -> None:
    """Put there what only a model or a long life would leave behind."""
    first, last = messages[0].message_id, messages[-1].message_id
    now = NOON + timedelta(hours=1)
    fact_id = await connection.fetchval(
        "SELECT fact_id FROM facts WHERE guild_id = $1 AND subject_id = $2 AND status = 'active' LIMIT 1",
        GUILD_ID,
        CAROL,
    )
    for user_id, version, content in (
        (CAROL, 1, "They love zanzibarus."),
        (CAROL, 2, "They love zanzibarus and quokkarium."),
        (BOB, 1, f"Bob is calm. He often writes to <@{CAROL}>. He likes tea."),
    ):
        await connection.execute(
            "INSERT INTO profiles (guild_id, user_id, version, content, covers_up_to, learned_at)"
            " VALUES ($1, $2, $3, $4, $5, $6)",
            GUILD_ID, user_id, version, content, last, now,
        )  # fmt: skip
    for kind, subject_id, content in (
        ("day", CAROL, "They spoke of zanzibarus."),
        ("historical", CAROL, "They spoke of zanzibarus."),
        ("context", CAROL, "They spoke of zanzibarus."),
        ("day", BOB, f"Asked about <@{CAROL}>."),
        ("context", BOB, f"Asked about <@{CAROL}>."),
    ):
        await connection.execute(
            "INSERT INTO distillations (guild_id, kind, audience, subject_id, period, sources, time_zone,"
            " model_chain, content, built_at) VALUES ($1, $2, 0, $3, '2026-02-28', '1', 'UTC', '', $4, $5)",
            GUILD_ID, kind, subject_id, content, now,
        )  # fmt: skip
    for user_id, audience, blob in (
        (CAROL, OPEN, "They live in quokkarium."),
        (BOB, OTHER_CLOSED, f"Adores <@{CAROL}>."),
    ):
        await connection.execute(
            "INSERT INTO user_facts (guild_id, user_id, audience, memory_blob, facts_version, degraded, updated_at)"
            " VALUES ($1, $2, $3, $4, 'old', false, $5)"
            " ON CONFLICT (guild_id, user_id, audience) DO UPDATE SET memory_blob = excluded.memory_blob",
            GUILD_ID, user_id, audience, blob, now,
        )  # fmt: skip
    for channel_id, content in (
        (GENERAL, f"<@{CAROL}> spoke of zanzibarus."),
        (OTHER_CLOSED, f"Bob drank tea. <@{CAROL}> was not there."),
    ):
        await connection.execute(
            "INSERT INTO conversation_summaries (guild_id, channel_id, conversation_id, audience, content,"
            " covers_up_to, updated_at) VALUES ($1, $2, $3, 0, $4, $5, $6)",
            GUILD_ID, channel_id, first, content, last, now,
        )  # fmt: skip
    for channel_id, content, told_ids in (
        (GENERAL, f"<@{CAROL}> went to zanzibarus.", [first]),
        (OTHER_CLOSED, f"Bob bought tea. <@{CAROL}> was missed.", []),
    ):
        episode_id = await connection.fetchval(
            "INSERT INTO episodes (guild_id, channel_id, audience, content, importance, tags, first_message_id,"
            " last_message_id, created_at, updated_at)"
            " VALUES ($1, $2, $3, $4, 5, $5, $6, $7, $8, $8) RETURNING episode_id",
            GUILD_ID, channel_id, OPEN, content, ["tea", f"<@{CAROL}>"], first, last, now,
        )  # fmt: skip
        await connection.execute(
            "INSERT INTO ended_conversations (guild_id, channel_id, first_message_id, last_message_id, ended_at,"
            " settled, episode_id, told_ids) VALUES ($1, $2, $3, $4, $5, true, $6, $7)",
            GUILD_ID, channel_id, first, last, now, episode_id, told_ids,
        )  # fmt: skip
    for asked, sent, user_id, text, question, told_ids in (
        (2, 3, CAROL, "Remembered: Rellibird lives there", None, [fact_id]),
        (10, 11, BOB, "Aureliana told me much about islands", f'{{"candidates": [{CAROL}]}}', []),
        (13, 12, BOB, "nobody is meant here", None, []),
    ):
        await connection.execute(
            "INSERT INTO answers (guild_id, message_id, channel_id, user_id, route, state, holder, leased_until,"
            " parts, sent_ids, memory_ids, question, answered_at)"
            " VALUES ($1, $2, $3, $4, 'chat', 'sent', gen_random_uuid(), $5, $6, $7, $8, $9::text::jsonb, $5)",
            GUILD_ID, messages[asked].message_id, GENERAL, user_id, now, [text], [messages[sent].message_id],
            told_ids, question,
        )  # fmt: skip
    await connection.execute(
        "INSERT INTO work (guild_id, kind, work_key, due_at)"
        " SELECT $1, kind, $2, now() + interval '1 day' FROM unnest(ARRAY['narrative', 'learn']) AS kind"
        " ON CONFLICT DO NOTHING",
        GUILD_ID, f"{CAROL}:0",
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO quota (guild_id, user_id, model, span, starts, used) VALUES ($1, $2, 'gemini', 'day', $3, 5)",
        GUILD_ID, CAROL, now,
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO builds (guild_id, build_key, holder, leased_until)"
        " VALUES ($1, 'context:0:' || $2::text, gen_random_uuid(), now() - interval '1 hour')",
        GUILD_ID, str(CAROL),
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO removals (guild_id, cause, about_id, by_id, facts, messages, removed_at)"
        " VALUES ($1, 'm:1', $2, $3, 1, 0, $4), ($1, 'm:2', $3, $2, 1, 0, $4), ($1, 'm:3', $3, 5, 1, 0, $4)",
        GUILD_ID, CAROL, BOB, now,
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO audit (guild_id, operator, credential, action, user_id, reason)"
        " VALUES ($1, 'laptop', 'token:laptop', 'reveal', $2, 'they asked to see it'),"
        " ($1, 'laptop', 'token:laptop', 'reveal', $3, '<@' || $2 || '> had complained')",
        GUILD_ID, CAROL, BOB,
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO forgettings (guild_id, cause, user_id, asked_at, selection)"
        " VALUES ($1, 'm:1', $2, $4, NULL), ($1, 'm:2', $3, $4, jsonb_build_object('author', $2::bigint))",
        GUILD_ID, CAROL, BOB, now,
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO unextracted (guild_id, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        GUILD_ID,
        first,
    )
    await connection.execute(
        "INSERT INTO quarantined_messages (guild_id, message_id, user_id, timestamp, message, error, since, due_at)"
        " SELECT guild_id, message_id, user_id, timestamp, to_jsonb(c), 'RaiseError', $2, 'infinity'"
        " FROM chat_history c WHERE guild_id = $1",
        GUILD_ID, now,
    )  # fmt: skip
    await connection.execute(
        "UPDATE facts SET details = jsonb_build_object('notes', '<@' || $2::text || '> was there')"
        " WHERE guild_id = $1 AND subject_id = $3 AND content LIKE '%tea%'",
        GUILD_ID, str(CAROL), BOB,
    )  # fmt: skip


async def columns_with(database: Database, *sought: str) -> list[str]:
    """Return each column of each table in which one of these texts stands, whatever its case: `table.column: text`."""

    async def search(connection: Connection) -> list[str]:
        columns = await connection.fetch(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = 'public' ORDER BY table_name, ordinal_position"
        )
        found: list[str] = []
        for table, column in columns:
            for text in sought:
                count = await connection.fetchval(
                    f'SELECT count(*) FROM "{table}" WHERE strpos(lower("{column}"::text), lower($1)) > 0',
                    text,
                )
                if count:
                    found.append(f"{table}.{column}: {text}")
        return found

    return await database.read(search)


async def dumped(dsn: str) -> str:
    """Return the whole database as text, in lower case."""
    pg_dump = find_install(18) / "bin" / "pg_dump"
    done = subprocess.run([pg_dump, "--dbname", dsn], check=True, capture_output=True, text=True)
    return done.stdout.lower()
