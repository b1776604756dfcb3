"""What retention removed from the messages is cleaned up when it is a twentieth of them, and not only a fifth."""

from bot.db.migrations import run_script

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    """Set when Postgres cleans up messages by itself; a large guild's may be gone and still less than a fifth of all."""
    run_script("ALTER TABLE chat_history SET (autovacuum_vacuum_scale_factor = 0.05);")
