"""Guilds, channels, members and the message log."""

from bot.db.migrations import run_script

revision = "0001"
down_revision = None

# No foreign keys anywhere: a message may arrive before its channel or member is known, and no cascade may
# ever take along a memory that was promised to stay.


def upgrade() -> None:
    run_script("""
    CREATE TABLE guilds (
        guild_id        bigint PRIMARY KEY,
        name            text        NOT NULL DEFAULT '',
        direct          boolean     NOT NULL DEFAULT false,
        time_zone       text        NOT NULL DEFAULT 'UTC',
        text_search     regconfig   NOT NULL DEFAULT 'russian',
        retention_days  integer     CHECK (retention_days >= 0),
        base_role_id    bigint,
        persona         text        NOT NULL DEFAULT '',
        voice           jsonb       NOT NULL DEFAULT '{}',
        rights          jsonb       NOT NULL DEFAULT '{}',
        memory_epoch    bigint      NOT NULL DEFAULT 0,
        joined_at       timestamptz,
        left_at         timestamptz
    );
    COMMENT ON COLUMN guilds.retention_days IS 'NULL: the setting of the installation; 0: for ever';
    COMMENT ON COLUMN guilds.memory_epoch IS 'bumped by forget, opt-out and audience changes; older texts are not served';

    CREATE TABLE channels (
        guild_id   bigint  NOT NULL,
        channel_id bigint  NOT NULL,
        parent_id  bigint,
        name       text    NOT NULL DEFAULT '',
        audience   bigint  NOT NULL DEFAULT 0,
        hearing    boolean NOT NULL DEFAULT true,
        answering  text    NOT NULL DEFAULT 'addressed' CHECK (answering IN ('always', 'addressed', 'never')),
        watermark  bigint  NOT NULL DEFAULT 0,
        deleted_at timestamptz,
        PRIMARY KEY (guild_id, channel_id)
    );
    COMMENT ON COLUMN channels.watermark IS 'newest message id below which nothing is missing';

    CREATE TABLE members (
        guild_id     bigint  NOT NULL,
        user_id      bigint  NOT NULL,
        user_name    text    NOT NULL DEFAULT '',
        display_name text    NOT NULL DEFAULT '',
        nickname     text    NOT NULL DEFAULT '',
        old_names    text[]  NOT NULL DEFAULT '{}',
        pronouns     text    NOT NULL DEFAULT '',
        is_bot       boolean NOT NULL DEFAULT false,
        opted_out_at timestamptz,
        private      boolean NOT NULL DEFAULT false,
        learning     boolean NOT NULL DEFAULT true,
        turns        integer NOT NULL DEFAULT 0 CHECK (turns >= 0),
        unlearned    integer NOT NULL DEFAULT 0 CHECK (unlearned >= 0),
        joined_at    timestamptz,
        left_at      timestamptz,
        PRIMARY KEY (guild_id, user_id)
    );
    COMMENT ON COLUMN members.old_names IS 'help to recognise, are never said to others';
    COMMENT ON COLUMN members.turns IS 'turns ever; unlearned: those that no learning has covered yet';
    CREATE INDEX members_of_a_user ON members (user_id);

    CREATE TABLE chat_history (
        guild_id        bigint      NOT NULL,
        channel_id      bigint      NOT NULL,
        message_id      bigint      NOT NULL,
        user_id         bigint      NOT NULL,
        audience        bigint      NOT NULL,
        kind            text        NOT NULL CHECK (kind IN ('member', 'bot', 'webhook', 'system')),
        message_text    text        NOT NULL,
        attachments     text[]      NOT NULL DEFAULT '{}',
        timestamp       timestamptz NOT NULL,
        edited_at       timestamptz,
        reply_to_id     bigint,
        conversation_id bigint,
        lexemes         tsvector    NOT NULL DEFAULT '',
        withheld        text        CHECK (withheld IN ('deleted', 'forgotten', 'opted_out')),
        PRIMARY KEY (guild_id, message_id),
        CONSTRAINT withheld_has_no_text
            CHECK (withheld IS NULL OR (message_text = '' AND attachments = '{}' AND lexemes = ''))
    );
    CREATE INDEX chat_history_of_a_member ON chat_history (guild_id, user_id, timestamp);
    CREATE INDEX chat_history_of_a_channel ON chat_history (guild_id, channel_id, message_id);
    CREATE INDEX chat_history_of_a_time ON chat_history (guild_id, timestamp);
    CREATE INDEX chat_history_of_answers ON chat_history (guild_id, reply_to_id) WHERE kind = 'bot';
    CREATE INDEX chat_history_words ON chat_history USING gin (lexemes);

    CREATE TABLE day_marks (
        guild_id bigint NOT NULL,
        audience bigint NOT NULL,
        day      date   NOT NULL,
        version  bigint NOT NULL DEFAULT 1,
        PRIMARY KEY (guild_id, audience, day)
    );
    COMMENT ON TABLE day_marks IS 'the hash of a day: bumped by every change of a message of it';
    """)
