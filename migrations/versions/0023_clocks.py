"""What time Discord told last: by it a clock is judged where Discord cannot be asked."""

from bot.db.migrations import run_script

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    run_script("""
    ALTER TABLE installation ADD COLUMN discord_told_at timestamptz;
    COMMENT ON COLUMN installation.discord_told_at IS
        'the newest moment that Discord told; a clock that is far from it removes nothing by age';
    """)
