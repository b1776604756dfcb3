"""Answers whose beginning is shown before they are whole."""

from bot.db.migrations import run_script

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    run_script("""
    ALTER TABLE answers ADD COLUMN nonce text;
    COMMENT ON COLUMN answers.nonce IS
        'under which the beginning of the answer is sent before it is whole; noted before that is sent';
    CREATE INDEX answers_begun ON answers (answered_at) WHERE state = 'claimed' AND nonce IS NOT NULL;
    """)
