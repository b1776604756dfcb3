"""Answers that stay written and are not sent, found without reading all others."""

from bot.db.migrations import run_script

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    run_script("""
    CREATE INDEX answers_unsent ON answers (answered_at) WHERE state = 'written' AND cardinality(parts) > 0;
    """)
