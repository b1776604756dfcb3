"""To take back what was never part of a day's talk changes nothing that is told of the day."""

from bot.db.migrations import run_script

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    """Note which messages a day leaves out. Of what was read of days before nobody knows: it counts as told."""
    # A mark is written with every message, so what it leaves out is kept apart where that is more than a few.
    run_script("""
    ALTER TABLE day_marks ADD COLUMN left_out bigint[] NOT NULL DEFAULT '{}';
    ALTER TABLE day_marks SET (toast_tuple_target = 128);
    COMMENT ON COLUMN day_marks.left_out IS
        'messages up to told_up_to that ask the bot something, or answer that: they are no part of the talk';
    """)
