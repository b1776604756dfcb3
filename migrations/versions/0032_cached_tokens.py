"""Tokens that a provider still had from an earlier prompt are counted: they cost less."""

from bot.db.migrations import run_script

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Add the count; of what was used before it is not known."""
    run_script("""
    ALTER TABLE usage ADD COLUMN cached_tokens bigint NOT NULL DEFAULT 0;
    COMMENT ON COLUMN usage.cached_tokens IS 'those of input_tokens that the provider had cached';
    """)
