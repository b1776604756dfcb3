"""Work that somebody was promised is found among thousands of pieces that can wait."""

from bot.db.migrations import run_script

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    """Index work by its kind: each kind with a lane of its own is looked for several times a second."""
    run_script("CREATE INDEX work_of_a_kind ON work (kind, due_at);")
