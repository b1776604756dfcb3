"""Which episodes an answer was given, so that it can say what it rests on."""

from bot.db.migrations import run_script

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    run_script("""
    ALTER TABLE answers ADD COLUMN episode_ids bigint[] NOT NULL DEFAULT '{}';
    COMMENT ON COLUMN answers.quoted_ids IS 'messages that it quotes, or that were found for it';
    """)
