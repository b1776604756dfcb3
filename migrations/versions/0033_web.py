"""Who may use the web part: tokens and sessions, by their hashes, and what was done there."""

from bot.db.migrations import run_script

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    run_script("""
    CREATE TABLE web_tokens (
        guild_id     bigint      NOT NULL DEFAULT 0,
        name         text        NOT NULL,
        token_hash   bytea       NOT NULL UNIQUE,
        scope        text        NOT NULL CHECK (scope IN ('read', 'write')),
        created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
        last_used_at timestamptz,
        revoked_at   timestamptz,
        PRIMARY KEY (guild_id, name)
    );
    COMMENT ON TABLE web_tokens IS 'bearer tokens; a revoked one stays, since the audit names it';
    COMMENT ON COLUMN web_tokens.last_used_at IS 'to the minute';

    CREATE TABLE web_sessions (
        guild_id     bigint      NOT NULL DEFAULT 0,
        session_hash bytea       NOT NULL,
        token_name   text,
        scope        text        NOT NULL CHECK (scope IN ('read', 'write')),
        created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at   timestamptz NOT NULL,
        PRIMARY KEY (guild_id, session_hash)
    );
    COMMENT ON COLUMN web_sessions.token_name IS 'the token that opened it, with which it ends; NULL: the link of the start';

    CREATE TABLE audit (
        guild_id   bigint      NOT NULL DEFAULT 0,
        audit_id   bigint      GENERATED ALWAYS AS IDENTITY,
        at         timestamptz NOT NULL DEFAULT clock_timestamp(),
        operator   text        NOT NULL,
        credential text        NOT NULL,
        action     text        NOT NULL,
        channel_id bigint      NOT NULL DEFAULT 0,
        user_id    bigint      NOT NULL DEFAULT 0,
        item_id    bigint      NOT NULL DEFAULT 0,
        reason     text        NOT NULL DEFAULT '',
        expires_at timestamptz,
        PRIMARY KEY (guild_id, audit_id)
    );
    COMMENT ON TABLE audit IS 'what operators did: ids alone; 0 where none is meant';
    COMMENT ON COLUMN audit.operator IS 'the name of the token, or of the way in';
    COMMENT ON COLUMN audit.credential IS 'which token or session did it';
    COMMENT ON COLUMN audit.item_id IS 'the fact or the memory';
    COMMENT ON COLUMN audit.reason IS 'why closed texts were revealed, in the words of the operator';
    COMMENT ON COLUMN audit.expires_at IS 'until when what was revealed is shown';
    CREATE INDEX audit_in_order ON audit (audit_id);
    CREATE INDEX audit_revealed ON audit (credential, guild_id, expires_at) WHERE expires_at IS NOT NULL;
    """)
