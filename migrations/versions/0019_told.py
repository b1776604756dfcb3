"""What guilds were told of memory, and the texts that no longer may be told of members."""

from bot.db.migrations import run_script

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    run_script("""
    CREATE TABLE told (
        guild_id   bigint      NOT NULL,
        kind       text        NOT NULL,
        channel_id bigint      NOT NULL,
        joined_at  timestamptz NOT NULL,
        begun_at   timestamptz NOT NULL,
        tries      integer     NOT NULL DEFAULT 1,
        message_id bigint,
        told_at    timestamptz,
        PRIMARY KEY (guild_id, kind)
    );
    COMMENT ON TABLE told IS 'what a guild was told once, by the bot itself';
    COMMENT ON COLUMN told.joined_at IS 'when the bot joined the guild by its own account there: who invites it again is told again';
    COMMENT ON COLUMN told.begun_at IS 'real time of the first try; the message cannot be older';
    COMMENT ON COLUMN told.message_id IS 'the message that told it; NULL: nobody knows yet whether it was sent';

    -- Made when they could still state what nobody asked to have told; whatever reads them has them made anew.
    DELETE FROM distillations WHERE kind = 'context';
    DELETE FROM conversation_summaries;
    """)
