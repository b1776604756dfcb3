"""What was never told of a day takes nothing back when it is deleted."""

from bot.db.migrations import run_script

revision = "0043"
down_revision = "0042"


def upgrade() -> None:
    """Note up to where a day was told. All of the days that are there may have been: their rows have the largest id."""
    run_script("""
    ALTER TABLE day_marks ADD COLUMN told_up_to bigint NOT NULL DEFAULT 9223372036854775807;
    ALTER TABLE day_marks ALTER COLUMN told_up_to SET DEFAULT 0;
    COMMENT ON COLUMN day_marks.told_up_to IS
        'the newest message of the guild when the day was last read to be told: what came later is in no text';
    """)
