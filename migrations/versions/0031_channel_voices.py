"""A channel may have a persona and a model of its own."""

from bot.db.migrations import run_script

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Add both; a channel has neither at first."""
    run_script("""
    ALTER TABLE channels ADD COLUMN persona text NOT NULL DEFAULT '', ADD COLUMN model text NOT NULL DEFAULT '';
    COMMENT ON COLUMN channels.persona IS 'who the bot is in this channel; empty for what it is in the guild';
    COMMENT ON COLUMN channels.model IS 'the configured model that is asked first here; empty for the usual order';
    """)
