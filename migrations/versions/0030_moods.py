"""How a member's day felt is kept apart from what happened on it, so that others are told the one without the other."""

from bot.db.migrations import run_script

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    run_script("""
    ALTER TABLE distillations DROP CONSTRAINT distillations_kind_check;
    ALTER TABLE distillations ADD CONSTRAINT distillations_kind_check
        CHECK (kind IN ('day', 'mood', 'historical', 'context'));
    COMMENT ON COLUMN distillations.subject_id IS
        'the member; 0 is the guild, of whose day the row also stands for having been looked at';
    """)
