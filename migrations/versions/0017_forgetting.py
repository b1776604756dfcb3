"""What a forgetting took, in numbers, and what of a large one is still to be taken."""

from bot.db.migrations import run_script

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    run_script("""
    CREATE TABLE forgettings (
        guild_id  bigint      NOT NULL,
        cause     text        NOT NULL,
        user_id   bigint      NOT NULL,
        asked_at  timestamptz NOT NULL,
        selection jsonb,
        facts     integer     NOT NULL DEFAULT 0,
        messages  integer     NOT NULL DEFAULT 0,
        summaries integer     NOT NULL DEFAULT 0,
        days      integer     NOT NULL DEFAULT 0,
        own_ids   bigint[]    NOT NULL DEFAULT '{}',
        left_ids  bigint[]    NOT NULL DEFAULT '{}',
        PRIMARY KEY (guild_id, cause)
    );
    COMMENT ON TABLE forgettings IS 'what somebody had forgotten, in ids and numbers: never what it said';
    COMMENT ON COLUMN forgettings.cause IS 'the command, as facts have it';
    COMMENT ON COLUMN forgettings.selection IS 'whose messages of which channel and time are still being taken; NULL: none';
    COMMENT ON COLUMN forgettings.own_ids IS 'messages of the bot that told it, which may still stand in their channels';
    COMMENT ON COLUMN forgettings.left_ids IS 'messages of others with the same words that kept theirs';
    CREATE INDEX forgettings_of_a_time ON forgettings (guild_id, asked_at);
    CREATE INDEX answers_as_sent ON answers USING gin (sent_ids);
    """)
