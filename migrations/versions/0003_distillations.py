"""Texts derived from messages and facts: all rebuildable, none the only copy of anything."""

from bot.db.migrations import run_script

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    run_script("""
    CREATE TABLE distillations (
        guild_id    bigint      NOT NULL,
        kind        text        NOT NULL CHECK (kind IN ('day', 'historical', 'context')),
        audience    bigint      NOT NULL,
        subject_id  bigint      NOT NULL,
        period      text        NOT NULL,
        sources     text        NOT NULL,
        time_zone   text        NOT NULL,
        model_chain text        NOT NULL,
        content     text,
        degraded    boolean     NOT NULL DEFAULT false,
        refused     boolean     NOT NULL DEFAULT false,
        attempts    integer     NOT NULL DEFAULT 1,
        retry_after timestamptz,
        memory_epoch bigint     NOT NULL DEFAULT 0,
        built_at    timestamptz NOT NULL,
        PRIMARY KEY (guild_id, kind, audience, subject_id, period, sources, time_zone, model_chain)
    );
    COMMENT ON COLUMN distillations.content IS 'NULL: looked at and there is nothing, which is not the same as unknown';

    CREATE TABLE profiles (
        guild_id   bigint      NOT NULL,
        user_id    bigint      NOT NULL,
        version    integer     NOT NULL,
        content    text        NOT NULL,
        covers_up_to bigint    NOT NULL,
        memory_epoch bigint    NOT NULL DEFAULT 0,
        learned_at timestamptz NOT NULL,
        PRIMARY KEY (guild_id, user_id, version)
    );

    CREATE TABLE conversation_summaries (
        guild_id        bigint      NOT NULL,
        channel_id      bigint      NOT NULL,
        conversation_id bigint      NOT NULL,
        audience        bigint      NOT NULL,
        content         text        NOT NULL,
        covers_up_to    bigint      NOT NULL,
        degraded        boolean     NOT NULL DEFAULT false,
        memory_epoch    bigint      NOT NULL DEFAULT 0,
        updated_at      timestamptz NOT NULL,
        PRIMARY KEY (guild_id, channel_id)
    );

    CREATE TABLE episodes (
        guild_id         bigint      NOT NULL,
        episode_id       bigint      GENERATED ALWAYS AS IDENTITY,
        channel_id       bigint      NOT NULL,
        audience         bigint      NOT NULL,
        content          text        NOT NULL,
        lexemes          tsvector    NOT NULL DEFAULT '',
        importance       smallint    NOT NULL CHECK (importance BETWEEN 0 AND 10),
        tags             text[]      NOT NULL DEFAULT '{}',
        first_message_id bigint      NOT NULL,
        last_message_id  bigint      NOT NULL,
        merged_from      bigint[]    NOT NULL DEFAULT '{}',
        memory_epoch     bigint      NOT NULL DEFAULT 0,
        created_at       timestamptz NOT NULL,
        updated_at       timestamptz NOT NULL,
        PRIMARY KEY (guild_id, episode_id),
        UNIQUE (guild_id, channel_id, first_message_id)
    );
    CREATE INDEX episodes_words ON episodes USING gin (lexemes);
    """)
