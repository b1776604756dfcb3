"""What rolling summaries of conversations need."""

from bot.db.migrations import run_script

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    run_script("""
    ALTER TABLE conversation_summaries
        ADD COLUMN covered  integer NOT NULL DEFAULT 0,
        ADD COLUMN failures integer NOT NULL DEFAULT 0;
    COMMENT ON COLUMN conversation_summaries.covered IS 'messages of the conversation until there, withheld ones too:'
        ' where there are more by now, one came late and is not told of';
    COMMENT ON COLUMN conversation_summaries.failures IS 'how often in a row no model told it';
    """)
