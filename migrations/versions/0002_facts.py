"""Facts, their narratives, and what keeps the forgotten forgotten."""

import secrets

import sqlalchemy as sa
from alembic import op

from bot.db.migrations import run_script

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    run_script("""
    CREATE TABLE facts (
        guild_id          bigint      NOT NULL,
        fact_id           bigint      GENERATED ALWAYS AS IDENTITY,
        subject_id        bigint      NOT NULL,
        audience          bigint      NOT NULL,
        category          text        NOT NULL
            CHECK (category IN ('fact', 'preference', 'event', 'feeling', 'place', 'other')),
        key               text        NOT NULL,
        value             text        NOT NULL,
        content           text        NOT NULL CHECK (char_length(content) <= 500),
        raw_content       text        NOT NULL,
        lexemes           tsvector    NOT NULL DEFAULT '',
        importance        smallint    NOT NULL CHECK (importance BETWEEN 0 AND 100),
        confidence        real        NOT NULL CHECK (confidence BETWEEN 0 AND 1),
        status            text        NOT NULL CHECK (status IN ('active', 'superseded', 'inactive', 'forgotten')),
        supersedes        bigint,
        superseded_by     bigint,
        origin            text        NOT NULL CHECK (origin IN ('command', 'pattern', 'tool', 'learning', 'import')),
        author_id         bigint      NOT NULL,
        source_channel_id bigint      NOT NULL,
        source_message_id bigint      NOT NULL,
        cause             text        NOT NULL,
        details           jsonb       NOT NULL DEFAULT '{}',
        said_at           timestamptz NOT NULL,
        holds_on          date,
        expires_at        timestamptz,
        last_used_at      timestamptz,
        updated_at        timestamptz NOT NULL,
        PRIMARY KEY (guild_id, fact_id),
        CONSTRAINT one_row_per_cause UNIQUE (guild_id, subject_id, audience, key, cause),
        CONSTRAINT forgotten_has_no_text CHECK (status <> 'forgotten'
            OR (content = '' AND raw_content = '' AND value = '' AND lexemes = '' AND details = '{}'))
    );
    CREATE UNIQUE INDEX one_active_fact_per_key ON facts (guild_id, subject_id, audience, key) WHERE status = 'active';
    COMMENT ON COLUMN facts.supersedes IS 'what it replaced; superseded_by: what replaced it, be it of another subject';
    CREATE INDEX facts_superseded_by ON facts (guild_id, superseded_by) WHERE superseded_by IS NOT NULL;
    CREATE INDEX facts_of_a_message ON facts (guild_id, source_message_id);
    CREATE INDEX facts_by_cause ON facts (guild_id, cause);
    CREATE INDEX facts_words ON facts USING gin (lexemes);
    CREATE INDEX facts_details ON facts USING gin (details);

    CREATE TABLE user_facts (
        guild_id      bigint      NOT NULL,
        user_id       bigint      NOT NULL,
        audience      bigint      NOT NULL,
        memory_blob   text        NOT NULL,
        facts_version text        NOT NULL,
        degraded      boolean     NOT NULL,
        memory_epoch  bigint      NOT NULL DEFAULT 0,
        updated_at    timestamptz NOT NULL,
        PRIMARY KEY (guild_id, user_id, audience)
    );
    COMMENT ON COLUMN user_facts.facts_version IS 'hash of the facts that the narrative tells; of others it is not served';

    CREATE TABLE tombstones (
        guild_id     bigint      NOT NULL,
        tombstone_id bigint      GENERATED ALWAYS AS IDENTITY,
        subject_hash bytea       NOT NULL,
        key_hash     bytea       NOT NULL,
        stem_hashes  bytea[]     NOT NULL,
        buried_at    timestamptz NOT NULL,
        PRIMARY KEY (guild_id, tombstone_id)
    );
    CREATE INDEX tombstones_of_a_subject ON tombstones (guild_id, subject_hash);

    CREATE TABLE erased (
        guild_id     bigint      NOT NULL,
        user_hash    bytea       NOT NULL,
        erased_up_to timestamptz,
        opted_out    boolean     NOT NULL DEFAULT false,
        PRIMARY KEY (guild_id, user_hash)
    );

    CREATE TABLE installation (
        guild_id    bigint PRIMARY KEY CHECK (guild_id = 0),
        hash_secret bytea  NOT NULL
    );
    """)
    op.get_bind().execute(
        sa.text("INSERT INTO installation (guild_id, hash_secret) VALUES (0, :hash_secret)"),
        {"hash_secret": secrets.token_bytes(32)},
    )
