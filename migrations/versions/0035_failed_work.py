"""Background work that failed for good stays where it is seen, with what went wrong."""

from bot.db.migrations import run_script

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Note the last failure of each piece of work."""
    run_script("""
    ALTER TABLE work ADD COLUMN failed_at timestamptz, ADD COLUMN error text;
    COMMENT ON COLUMN work.due_at IS 'infinity: given up, until it is asked for again';
    COMMENT ON COLUMN work.failed_at IS 'when it failed last';
    COMMENT ON COLUMN work.error IS 'the kind of that error, and where it came from; no text of anybody';
    """)
