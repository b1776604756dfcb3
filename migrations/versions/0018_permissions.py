"""What was removed about others, until it is noted in a guild's log channel."""

from bot.db.migrations import run_script

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    run_script("""
    CREATE TABLE removals (
        guild_id   bigint      NOT NULL,
        cause      text        NOT NULL,
        about_id   bigint      NOT NULL,
        by_id      bigint      NOT NULL,
        facts      integer     NOT NULL,
        messages   integer     NOT NULL,
        removed_at timestamptz NOT NULL,
        PRIMARY KEY (guild_id, cause, about_id)
    );
    COMMENT ON TABLE removals IS 'who had how much removed about whom, never what; a row goes once it is noted';
    COMMENT ON COLUMN removals.cause IS 'the command that removed it; the same one, tried again, is noted once';
    """)
