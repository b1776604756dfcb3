"""${message}."""

from bot.db.migrations import run_script

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    run_script("""
    """)
